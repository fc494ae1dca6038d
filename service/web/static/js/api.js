/** Calls to the service. A write carries one key through all its tries, so it happens once or not at all. */
import { has, t } from "./words.js";

export const API = "/api/v1";
const TRIES = 4;
const LONGEST_WAIT_S = 20;

/** A refusal of the service (RFC 9457), or `status` 0 when it cannot be reached. */
export class Problem extends Error {
  constructor(status, body = {}) {
    const code = body.code ?? (status ? `http_${status}` : "offline");
    super(
      has(`problem.${code}`)
        ? t(`problem.${code}`, body)
        : (body.detail ?? body.title ?? t("problem.unknown", { status })),
    );
    Object.assign(this, { status, code, body });
  }
}

/** A random key; `crypto.randomUUID` exists only behind HTTPS, and a hall has none. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Headers of a write: its key and the version of the match it was made for. */
export function writing(version, key = newKey()) {
  return { "Idempotency-Key": key, ...(version === undefined ? {} : { "If-Match": `"v${version}"` }) };
}

export const get = (path) => request("GET", path);
export const post = (path, body, { version, key } = {}) => request("POST", path, body, writing(version, key));
export const put = (path, body, { version, key } = {}) => request("PUT", path, body, writing(version, key));

async function request(method, path, body, headers = {}) {
  const options = { method, headers: { Accept: "application/json", ...headers }, credentials: "same-origin" };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(API + path, options).catch(() => null);
    if (answer?.ok) return answer.status === 204 ? null : answer.json();
    const again = answer === null || answer.status === 503 || answer.status === 429;
    if (!again || attempt === TRIES) throw await refusal(answer);
    await pause(waitSeconds(answer?.headers.get("Retry-After"), attempt));
  }
}

/** How long to wait before another try: as the service says, else longer each time. */
export function waitSeconds(retryAfter, attempt) {
  const said = Number.parseFloat(retryAfter ?? "");
  return Math.min(Number.isFinite(said) ? said : 0.4 * 2 ** attempt, LONGEST_WAIT_S);
}

async function refusal(answer) {
  if (answer === null) return new Problem(0);
  if (answer.status === 401) toLogin();
  return new Problem(answer.status, await answer.json().catch(() => ({})));
}

/** Goes to the page that asks for the token, and comes back here after it. */
export function toLogin() {
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** Sending photos: with progress, with one key through all tries, and kept in the browser until they arrived. */
import { API, Problem, newKey, pause, toLogin, waitSeconds } from "./api.js";
import { byId } from "./dom.js";
import { forget, keep, kept } from "./kept.js";

const TRIES = 3;

/**
 * Sends one photo for a table and returns the Reading; `progress(share)` hears 0 to 1, then null while it is read.
 * A photo that cannot be sent now is kept and can be tried again; one that is refused is not kept.
 */
export async function sendPhoto(table, photo, fields, progress, key = newKey()) {
  const upload = { key, table, photo, name: photo.name || "photo.jpg", fields };
  await keep(upload).catch(() => null); // a private window has no store: then it is only in memory
  try {
    const reading = await sendForm("/readings", form({ photo, ...fields, table }), progress, key);
    await forget(key).catch(() => null);
    return reading;
  } catch (problem) {
    if (!mayHelpLater(problem)) await forget(key).catch(() => null);
    throw problem;
  }
}

/** Whether the same photo may go through later: the service was away, busy or broke. */
export const mayHelpLater = (problem) =>
  problem.status === 0 || problem.status === 429 || problem.status >= 500;

/** The photos kept for a table, none where the browser keeps nothing. */
export const waiting = (table) => kept(table).catch(() => []);

/** Forgets a kept photo. */
export const drop = (key) => forget(key).catch(() => null);

/** Posts a form with progress; tries again when the service is away or busy. */
export async function sendForm(path, body, progress, key = newKey()) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(path, body, progress, key);
    } catch (problem) {
      if (!(problem.status === 0 || problem.status === 503 || problem.status === 429) || attempt === TRIES)
        throw problem;
      await pause(waitSeconds(problem.retryAfter, attempt));
    }
  }
}

/** The fields as a form; lists become repeated fields. */
export function form(fields) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) {
      if (one === null || one === undefined) continue;
      if (one instanceof Blob) data.append(name, one, one.name || "photo.jpg");
      else data.append(name, String(one));
    }
  return data;
}

/** `fetch` tells nothing of an upload's progress, so this is an XMLHttpRequest. */
function once(path, body, progress, key) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", API + path);
    request.setRequestHeader("Idempotency-Key", key);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.upload.onload = () => progress(null);
    request.onerror = () => reject(new Problem(0));
    request.onload = () => {
      if (request.status < 300) return resolve(request.response);
      if (request.status === 401) toLogin();
      const problem = new Problem(request.status, request.response ?? {});
      problem.retryAfter = request.getResponseHeader("Retry-After");
      return reject(problem);
    };
    request.send(body);
  });
}

/**
 * Shows the ways to a photo, the likeliest as the main button if `isMain`. Where nothing can be touched there is
 * no camera to hold up, and taking one would open the same list of files as choosing one.
 */
export function offerPhotos(isMain) {
  const canTake = matchMedia("(any-pointer: coarse)").matches;
  byId("take-label").hidden = !canTake;
  byId("take-label").classList.toggle("primary", isMain);
  byId("choose-label").classList.toggle("primary", isMain && !canTake);
}

/** The line call: one or two photos, a tap on the disc, the report over the whole screen. */
import { API } from "./api.js";
import { byId, h, icon, sheet, toast } from "./dom.js";
import { startPrefs } from "./prefs.js";
import { form, offerPhotos, sendForm } from "./upload.js";
import { number, t } from "./words.js";

const MOST = 4;
const STEP = 1 / 200;

/** The photos with where the disc is in the one that was tapped, in shares of its width and height. */
const shots = [];
let aimed = 0;
let at = null;

function add(files) {
  for (const photo of files) if (shots.length < MOST) shots.push({ photo, url: URL.createObjectURL(photo) });
  if (files.length) show();
}

function remove(index) {
  URL.revokeObjectURL(shots[index].url);
  shots.splice(index, 1);
  [aimed, at] = [0, null];
  show();
}

function show() {
  byId("shots").replaceChildren(
    ...shots.map((shot, index) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "shot",
            "aria-pressed": String(index === aimed),
            "aria-label": t("linecall.aim_at", { n: index + 1 }),
            onclick: () => ((aimed = index), (at = null), show()),
          },
          h("img", { src: shot.url, alt: "" }),
        ),
        h(
          "button",
          {
            type: "button",
            class: "button ghost",
            "aria-label": t("linecall.remove", { n: index + 1 }),
            onclick: () => remove(index),
          },
          icon("cross"),
        ),
      ),
    ),
  );
  byId("aim").hidden = shots.length === 0;
  if (shots.length && byId("aim-photo").getAttribute("src") !== shots[aimed].url)
    byId("aim-photo").src = shots[aimed].url;
  place();
}

function place() {
  const cross = byId("cross");
  cross.hidden = at === null;
  if (at === null) return;
  cross.style.left = `${at[0] * 100}%`;
  cross.style.top = `${at[1] * 100}%`;
}

function tapped(event) {
  const box = byId("aim-photo").getBoundingClientRect();
  at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((share) =>
    Math.min(1, Math.max(0, share)),
  );
  place();
}

function moved(event) {
  const [x, y] =
    { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
  if (x === undefined) return;
  event.preventDefault();
  const step = STEP * (event.shiftKey ? 8 : 1);
  at = [(at?.[0] ?? 0.5) + x * step, (at?.[1] ?? 0.5) + y * step].map((share) =>
    Math.min(1, Math.max(0, share)),
  );
  place();
}

/** The photo that was tapped goes first: `at` is in its pixels. */
async function rule() {
  if (at === null) return toast(t("linecall.first_tap"), { urgent: true });
  const photo = byId("aim-photo");
  const first = shots[aimed];
  const photos = [first, ...shots.filter((shot) => shot !== first)].map((shot) => shot.photo);
  const point = `${(at[0] * photo.naturalWidth).toFixed(1)},${(at[1] * photo.naturalHeight).toFixed(1)}`;
  working(true, 0);
  try {
    report(await sendForm("/linecalls", form({ photos, at: point }), (share) => working(true, share)));
  } catch (problem) {
    byId("call-problem").textContent = problem.message;
    byId("call-problem").hidden = false;
  }
  return working(false);
}

function working(on, share = null) {
  byId("working").hidden = !on;
  byId("rule").disabled = on;
  if (!on) return;
  byId("call-problem").hidden = true;
  byId("working-words").textContent = t(share === null ? "linecall.ruling" : "photo.sending");
  if (share === null) byId("working-bar").removeAttribute("value");
  else byId("working-bar").value = share;
}

function report(call) {
  return sheet(
    verdictWords(call),
    () =>
      h("img", {
        class: "report",
        src: `${API}/linecalls/${call.id}/report.png`,
        alt: t("linecall.report_alt"),
      }),
    { full: true },
  );
}

function verdictWords(call) {
  const line = call.calls[0]?.line;
  if (!line) return t("linecall.report");
  return `${t(`linecall.${line.verdict}`, { line: line.name })}. ${t("linecall.gap", { gap: number(line.clearance_mm, 1), sigma: number(line.sigma_mm, 1) })}`;
}

for (const id of ["take", "choose"])
  byId(id).addEventListener("change", (event) => (add([...event.target.files]), (event.target.value = "")));
byId("aim-photo").addEventListener("click", tapped);
byId("aim-box").addEventListener("keydown", moved);
byId("rule").addEventListener("click", rule);
startPrefs();
offerPhotos(true);

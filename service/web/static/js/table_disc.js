/** One disc: what is known of it in words, the likely answers, and the sheet where a person decides. */
import { h, sheet } from "./dom.js";
import { chip } from "./marks.js";
import { number, t } from "./words.js";

const REGIONS = [20, 15, 10, 5, 0];
const KEPT = "crokinole.who";

/** Who decides here: remembered in this browser. */
export const who = () => localStorage.getItem(KEPT) || t("disc.scorekeeper");
export const keepWho = (name) => localStorage.setItem(KEPT, name);

/** "Disc 4 · Anna · 15". */
export function discWords(disc, side, decision = null) {
  const points = decision ? (decision.place === "off" ? 0 : decision.region) : disc.points;
  return t("disc.words", { disc: disc.id, side, n: points ?? disc.points });
}

/** Why a disc needs a look, in the page's language as far as its numbers tell. */
export function doubtWords(disc, why) {
  if (disc.line?.verdict === "too_close") {
    const [first, second] = answersOf(disc);
    return t("doubt.close", {
      line: disc.line.name,
      gap: number(disc.line.clearance_mm, 1),
      sigma: number(disc.line.sigma_mm, 1),
      counted: first.region,
      other: second?.region ?? first.region,
    });
  }
  if (disc.place === "hole") return t(disc.region === 20 ? "doubt.hole" : "doubt.leans");
  return why ?? "";
}

/** The regions a disc may count as, the likeliest first, each with the reason that goes with it. */
export function answersOf(disc) {
  const reason = (region) => {
    if (disc.place === "hole") return t(region === 20 ? "why.flat" : "why.leans");
    if (!disc.line) return t(disc.pixel ? "why.seen" : "why.looked");
    const outer = { 15: 10, 10: 5, 5: 0 }[disc.line.name];
    if (region === outer) return t("why.touches", { line: disc.line.name });
    return region === Number(disc.line.name) ? t("why.clear", { line: disc.line.name }) : t("why.seen");
  };
  const likely = [disc.region];
  if (disc.place === "hole") likely.push(disc.region === 20 ? 15 : 20);
  else if (disc.line) {
    const inner = Number(disc.line.name);
    likely.push(disc.region === inner ? { 15: 10, 10: 5, 5: 0 }[inner] : inner);
  }
  return [...new Set(likely)].map((region) => ({ region, why: reason(region) }));
}

/** The sheet for a disc that the photo does not show; resolves to `{side, region, why}`, or null. */
export function askAdded(marks, likely, region) {
  return sheet(t("disc.add"), (close) => {
    const side = (mark) =>
      h(
        "label",
        {},
        h("input", { type: "radio", name: "side", value: mark.name, checked: mark.name === likely }),
        h("span", {}, chip(mark), mark.name),
      );
    const sides = h(
      "fieldset",
      { class: "choice" },
      h("legend", { class: "label" }, t("disc.whose")),
      ...marks.map(side),
    );
    const give = (points) => {
      const chosen = sides.querySelector("input:checked").value;
      close({ side: chosen, region: points, why: t("why.missed") });
    };
    const answer = (points) => {
      const likeliest = points === region;
      const label = t("disc.add_as", { points });
      return h(
        "button",
        { type: "button", autofocus: likeliest, class: likeliest ? "likely" : null, "aria-label": label, onclick: () => give(points) },
        String(points),
      );
    };
    return [
      h("p", { class: "quiet" }, t("disc.add_hint")),
      sides,
      h("p", { class: "label" }, t("disc.where")),
      h("div", { class: "others" }, ...REGIONS.filter(Boolean).map(answer)),
      whoField(),
    ].flat();
  });
}

function whoField() {
  const keep = (event) => keepWho(event.target.value.trim());
  const field = h("input", { type: "text", id: "who", maxlength: 40, value: who(), onchange: keep });
  return [h("label", { for: "who" }, t("disc.who")), field];
}

/** The sheet of one disc; resolves to a decision (`{region}`, `{place}` or `{side}`, each with `why`), or null. */
export function askDisc({ disc, reading, marks, side, decision, why }) {
  return sheet(t("disc.title", { disc: disc.id, side }), (close) => {
    const lens = h("crokinole-board", { "aria-hidden": "true" });
    const likely = answersOf(disc);
    const said = decision?.region ?? null;
    const [label, field] = whoField();
    const give = (answer) => (keepWho(field.value.trim() || who()), close(answer));
    const byName = new Map(marks.map((mark) => [mark.name, mark]));
    const isPlaced = disc.x_mm !== null;
    if (isPlaced)
      requestAnimationFrame(() => {
        lens.show(reading, byName);
        lens.zoom(disc);
      });
    const known = doubtWords(disc, why) || t(disc.pixel ? "disc.sure" : "why.missed");
    return [
      isPlaced ? h("div", { class: "lens" }, lens) : null,
      h("p", {}, known),
      h(
        "div",
        { class: "answers-grid" },
        ...likely.map((answer, index) =>
          h(
            "button",
            {
              type: "button",
              autofocus: index === 0,
              "aria-pressed": String(said === answer.region),
              onclick: () => give({ region: answer.region, why: answer.why }),
            },
            h("b", {}, String(answer.region)),
            h("span", {}, answer.why),
          ),
        ),
      ),
      h("p", { class: "label" }, t("disc.others")),
      h(
        "div",
        { class: "others" },
        ...REGIONS.filter((region) => !likely.some((answer) => answer.region === region)).map((region) =>
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(said === region),
              onclick: () => give({ region, why: t("why.looked") }),
            },
            String(region),
          ),
        ),
        h(
          "button",
          { type: "button", onclick: () => give({ place: "off", why: t("why.no_disc") }) },
          t("disc.none"),
        ),
      ),
      ...(marks.length > 1
        ? [
            h("p", { class: "label" }, t("disc.whose")),
            h(
              "div",
              { class: "others" },
              ...marks.map((mark) =>
                h(
                  "button",
                  {
                    type: "button",
                    "aria-pressed": String(mark.name === side),
                    onclick: () =>
                      give(
                        mark.name === side
                          ? { clear: true }
                          : {
                              side: mark.name,
                              region: decision?.region ?? disc.region,
                              why: t("why.other_side"),
                            },
                      ),
                  },
                  chip(mark),
                  mark.name,
                ),
              ),
            ),
          ]
        : []),
      label,
      field,
      decision && disc.pixel
        ? h(
            "button",
            { type: "button", class: "button wide sheet-actions", onclick: () => give({ clear: true }) },
            t("disc.as_seen"),
          )
        : null,
    ].filter(Boolean);
  });
}

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
    if (!disc.line) return t("why.seen");
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

/** The sheet of one disc; resolves to a decision (`{region}`, `{place}` or `{side}`, each with `why`), or null. */
export function askDisc({ disc, reading, marks, teams, side, decision, why }) {
  return sheet(t("disc.title", { disc: disc.id, side }), (close) => {
    const lens = h("crokinole-board", { "aria-hidden": "true" });
    const likely = answersOf(disc);
    const said = decision?.region ?? null;
    const field = h("input", {
      type: "text",
      id: "who",
      maxlength: 40,
      value: who(),
      onchange: (event) => keepWho(event.target.value.trim()),
    });
    const give = (answer) => (keepWho(field.value.trim() || who()), close(answer));
    const byName = new Map(marks.map((mark) => [mark.name, mark]));
    requestAnimationFrame(() => {
      lens.zoom(disc);
      lens.show(reading, new Map(Object.entries(teams).map(([team, name]) => [team, byName.get(name)])), {});
      lens.zoom(disc);
    });
    return [
      h("div", { class: "lens" }, lens),
      h("p", {}, doubtWords(disc, why) || t("disc.sure")),
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
      h("label", { for: "who" }, t("disc.who")),
      field,
      decision
        ? h(
            "button",
            { type: "button", class: "button wide sheet-actions", onclick: () => give({ clear: true }) },
            t("disc.as_seen"),
          )
        : null,
    ].filter(Boolean);
  });
}

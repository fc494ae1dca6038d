/** Draws a round under review: board, 20s, result, doubts, the list of discs. What is touched goes to `on`. */
import { byId, h, icon } from "./dom.js";
import { chip } from "./marks.js";
import { answersOf, discWords, doubtWords } from "./table_disc.js";
import { t } from "./words.js";

const COLUMNS = ["disc", "side", "points", "place"];

/** `on` has `twenty(index, by)`, `decide(disc, decision)` and `open(id)`. */
export function showReview(round, marks, on) {
  const byName = new Map(marks.map((mark) => [mark.name, mark]));
  const open = round.doubts.filter(({ disc }) => round.decisions.has(disc.id) || !round.decisionOn(disc));
  const close = new Set(open.map(({ disc }) => disc.id));
  const board = { ...round.reading, discs: round.discs.map((disc) => round.counted(disc)) };
  const names = (disc) => discWords(disc, round.sideOf(disc), round.decisions.get(disc.id));
  byId("review-board").show(board, byName, { close, decided: round.decided, names });
  showSides(round, marks, on);
  showResult(round);
  byId("doubts").replaceChildren(...round.doubts.map((doubt) => doubtNotice(round, doubt, on)));
  byId("discs-table").replaceChildren(discsTable(round, close, on));
}

function showSides(round, marks, on) {
  const focused = document.activeElement?.id ?? "";
  byId("sides").replaceChildren(...marks.map((mark, index) => sideRow(round, mark, index, on)));
  if (!focused.startsWith("twenty-")) return;
  const button = byId(focused);
  (button?.disabled ? byId(focused.replace("minus", "plus")) : button)?.focus();
}

function sideRow(round, mark, index, on) {
  const { name } = mark;
  const board = round.boardOf(name);
  const twenties = round.twentiesOf(name);
  const words = { id: `twenty-${index}`, name };
  const total = h("span", { class: "unseen" }, t("review.total_of", { name }));
  return h(
    "li",
    { class: "side-row" },
    chip(mark),
    h(
      "div",
      { class: "who" },
      h("strong", {}, name),
      h("span", { class: "small quiet" }, board === null ? "" : t("review.board", { n: board })),
    ),
    h(
      "div",
      { class: "counts" },
      h(
      "div",
      { class: "stepper", role: "group", "aria-label": t("twenties.of", { name }) },
      stepButton(words, "minus", twenties === 0, () => on.twenty(index, -1)),
      h("output", {}, String(twenties), h("small", {}, t("twenties.short"))),
      stepButton(words, "plus", false, () => on.twenty(index, 1)),
    ),
      h("span", { class: "total" }, round.preview?.totals?.[index] ?? "–", total),
    ),
  );
}

function stepButton({ id, name }, sign, disabled, onclick) {
  const label = t(`twenties.${sign}`, { name });
  return h(
    "button",
    { type: "button", id: `${id}-${sign}`, "aria-label": label, disabled, onclick },
    icon(sign),
  );
}

function showResult(round) {
  const { preview, fresh } = round;
  const line = byId("result");
  line.classList.toggle("stale", !fresh);
  line.classList.toggle("refused", Boolean(preview?.refused));
  byId("confirm").disabled = !fresh || Boolean(preview?.refused);
  byId("confirm-words").textContent = confirmWords(round);
  // It is spoken when it changes, so it is left alone when it does not.
  const [words, more] = resultLines(preview);
  if (line.dataset.says === words + more) return;
  line.dataset.says = words + more;
  line.replaceChildren(words, h("small", {}, more));
}

function resultLines(preview) {
  if (!preview?.totals) return [preview?.refused ?? t("review.counting"), ""];
  const { winner, difference, awarded } = preview;
  const won = { name: winner, n: difference ?? 0, points: difference };
  return [
    winner ? t("result.wins_by", won) : t("result.tie"),
    t("review.awarded", { points: awarded.join(" – ") }),
  ];
}

/** The button says what it does: "Confirm 75 – 60". */
function confirmWords({ round, preview }) {
  const words = round ? t("review.save") : t("review.confirm");
  return preview?.totals ? `${words} ${preview.totals.join(" – ")}` : words;
}

function doubtNotice(round, { disc, why }, on) {
  const decision = round.decisionOn(disc);
  const answer = ({ region, why: reason }) => {
    const label = t("disc.count_it", { disc: disc.id, points: region });
    const pressed = String(decision?.region === region);
    const onclick = () => on.decide(disc, { region, why: reason });
    return h(
      "button",
      { type: "button", "aria-pressed": pressed, "aria-label": label, onclick },
      String(region),
    );
  };
  return h(
    "div",
    { class: decision ? "notice settled" : "notice" },
    h(
      "span",
      { class: "grow" },
      h("strong", {}, discWords(round.counted(disc), round.sideOf(disc), decision)),
      h("br"),
      h("span", { class: "small" }, decision ? (decision.why ?? t("doubt.settled")) : doubtWords(disc, why)),
    ),
    h(
      "span",
      { class: "answers", role: "group", "aria-label": t("disc.counts_as", { disc: disc.id }) },
      ...answersOf(disc).slice(0, 2).map(answer),
    ),
  );
}

function discsTable(round, close, on) {
  const fix = (disc) => {
    const label = t("disc.fix", { disc: disc.id });
    const onclick = () => on.open(disc.id);
    return h("button", { type: "button", class: "button ghost", "aria-label": label, onclick }, icon("edit"));
  };
  const row = (disc) =>
    h(
      "tr",
      {},
      h("td", {}, String(disc.id)),
      h("td", {}, round.sideOf(disc)),
      h("td", { class: "points" }, String(round.counted(disc).points)),
      h("td", { class: "small quiet" }, close.has(disc.id) ? t("disc.look") : t(`place.${disc.place}`)),
      h("td", {}, fix(disc)),
    );
  const head = (name) =>
    h("th", { scope: "col", class: name === "points" ? "points" : null }, t(`list.${name}`));
  return h(
    "table",
    {},
    h("caption", { class: "unseen" }, t("review.list")),
    h("thead", {}, h("tr", {}, ...COLUMNS.map(head), h("td", {}))),
    h("tbody", {}, ...round.discs.filter((disc) => disc.place !== "off").map(row)),
  );
}

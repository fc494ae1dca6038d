/** The scorebug: event, round, and a line a side with mark, name, 20s and points. */
import { h } from "./dom.js";
import { chip, wear } from "./marks.js";
import { gameOf, roundWords, twentiesOf } from "./standing.js";
import { t } from "./words.js";

/** So many of the last rounds are shown where there is room. */
const LAST = 4;

/** Fills `element` with the standing of `match`; `marks` in the order of the sides. */
export function showBug(element, match, marks, { event = "" } = {}) {
  const game = gameOf(match);
  const first = match.state.over || match.finished_at ? null : match.state.turns?.due;
  const several = match.rules.format?.best_of > 1;
  element.replaceChildren(
    h(
      "div",
      { class: "bug-head" },
      h("span", { class: "bug-event" }, event || t("table.title", { table: match.table })),
      h("span", { class: "bug-round" }, roundWords(match)),
    ),
    ...match.sides.map((side, index) => {
      const twenties = twentiesOf(game, index);
      const starts = first && (side.players ?? [side.name]).includes(first);
      const partners = (side.players ?? []).filter((player) => !side.name.includes(player));
      const row = h(
        "div",
        { class: "bug-side", "data-winner": match.state.winner === side.name },
        chip(marks[index]),
        h(
          "span",
          { class: "bug-name" },
          side.name,
          starts
            ? h(
                "span",
                { class: "bug-first", title: t("bug.starts") },
                h("span", { class: "unseen" }, t("bug.starts")),
              )
            : null,
          partners.length ? h("small", {}, partners.join(" · ")) : null,
          several ? h("small", {}, t("bug.games", { n: match.state.games_won[index] })) : null,
        ),
        h(
          "span",
          { class: "bug-rounds" },
          ...game.rounds
            .slice(-LAST)
            .map((round) =>
              h(
                "span",
                { class: round.winner === side.name ? "won" : null },
                round.totals ? String(round.totals[index]) : "–",
              ),
            ),
        ),
        h(
          "span",
          { class: "bug-twenties" },
          twenties === null ? null : [h("span", {}, String(twenties)), h("small", {}, t("bug.twenties"))],
        ),
        h(
          "span",
          { class: "bug-points" },
          String(game.points[index]),
          h("span", { class: "unseen" }, t("bug.points", { n: game.points[index] })),
        ),
      );
      return wear(row, marks[index]);
    }),
  );
}

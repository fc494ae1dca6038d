/** The rounds of the match as a table, and correcting one of them. */
import { API, get } from "./api.js";
import { byId, h, icon, sheet } from "./dom.js";
import { gameOf, formatWords, resultWords, roundsOf } from "./standing.js";
import { askTyped } from "./table_sheets.js";
import { keepWho, who } from "./table_disc.js";
import { t } from "./words.js";

const EXPORTS = ["sheet", "csv", "cmn", "json"];
const MOST = 4;

/** Makes the rounds' panel; `show(match, marks)` draws it. */
export function startRounds(app) {
  let marks = [];

  function show(match, newMarks) {
    marks = newMarks;
    const all = roundsOf(match);
    byId("no-rounds").hidden = all.length > 0;
    byId("undo").disabled = !match.may_undo;
    byId("forfeit").disabled = byId("finish").disabled = match.state.over || Boolean(match.finished_at);
    byId("exports").replaceChildren(
      ...EXPORTS.map((format) =>
        h(
          "li",
          {},
          h(
            "a",
            {
              class: "button ghost",
              href: `${API}/matches/${match.id}/export?format=${format}`,
              download: true,
            },
            icon("file"),
            t(`export.${format}`),
          ),
        ),
      ),
    );
    byId("rounds").replaceChildren(
      ...(all.length ? [table(match, all)] : []),
      h("p", { class: "small quiet" }, formatWords(match)),
    );
  }

  function table(match, all) {
    const several = match.state.games.length > 1;
    return h(
      "table",
      {},
      h("caption", { class: "unseen" }, t("rounds.title")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("rounds.round")),
          ...match.sides.map((side) => h("th", { scope: "col" }, side.name)),
          h("td", {}),
        ),
      ),
      h(
        "tbody",
        {},
        ...all.map((round) =>
          h(
            "tr",
            {},
            h(
              "td",
              {},
              several
                ? t("rounds.game_round", { game: round.game, round: round.round })
                : String(round.round),
              note(round),
            ),
            ...match.sides.map((side, index) =>
              h(
                "td",
                { class: round.winner === side.name ? "won" : null },
                cell(round, index),
                twenties(round, index),
              ),
            ),
            h(
              "td",
              {},
              round.basis === "forfeit"
                ? null
                : h(
                    "button",
                    {
                      type: "button",
                      class: "button ghost",
                      "aria-label": t("correction.of", { round: round.round }),
                      title: t("correction.of", { round: round.round }),
                      onclick: () => correct(round),
                    },
                    icon("edit"),
                  ),
            ),
          ),
        ),
      ),
      h(
        "tfoot",
        {},
        h(
          "tr",
          {},
          h("td", {}, t("rounds.points")),
          ...gameOf(match).points.map((points) => h("td", {}, String(points))),
          h("td", {}),
        ),
      ),
    );
  }

  const cell = (round, index) =>
    round.totals
      ? String(round.totals[index])
      : round.winner
        ? round.winner === app.state.match.sides[index].name
          ? t("rounds.win")
          : "–"
        : t("rounds.tie");
  const twenties = (round, index) =>
    round.twenties?.[index] ? h("small", {}, t("rounds.twenties", { n: round.twenties[index] })) : null;
  const note = (round) => {
    const words = [
      round.corrected ? t("rounds.corrected") : null,
      round.basis === "measured" ? null : t(`basis.${round.basis}`),
    ].filter(Boolean);
    return words.length ? h("small", {}, words.join(", ")) : null;
  };

  /** The likeliest corrections first, each one tap; then the board again, or the totals. */
  async function correct(round) {
    const { match } = app.state;
    const found = await get(`/matches/${match.id}/rounds/${round.event}/suggestions`).catch(() => null);
    const suggestions = (found?.suggestions ?? []).slice(0, MOST);
    const choice = await sheet(t("correction.of", { round: round.round }), (close) => [
      h("p", {}, t("correction.now", { result: resultWords(match, round) })),
      h(
        "div",
        { class: "answers-grid" },
        ...suggestions.map((one) =>
          h(
            "button",
            { type: "button", onclick: () => close({ suggestion: one }) },
            h("span", {}, suggestionWords(one, match)),
          ),
        ),
        round.reading
          ? h(
              "button",
              { type: "button", onclick: () => close({ board: true }) },
              icon("edit"),
              h("span", {}, t("correction.board")),
            )
          : null,
        h(
          "button",
          { type: "button", onclick: () => close({ typed: true }) },
          icon("type"),
          h("span", {}, t("correction.typed")),
        ),
      ),
      h("label", { for: "who" }, t("disc.who")),
      h("input", {
        type: "text",
        id: "who",
        maxlength: 40,
        value: who(),
        onchange: (event) => keepWho(event.target.value.trim()),
      }),
    ]);
    if (!choice) return;
    const said = (after) =>
      t("said.corrected", {
        round: round.round,
        result: resultWords(
          after,
          roundsOf(after).find((one) => one.event === round.event),
        ),
      });
    if (choice.board) await openBoard(round);
    else if (choice.typed) {
      const body = await askTyped(match, marks, round);
      if (body)
        await app.change(
          `rounds/${round.event}/correction`,
          { ...body, reason: t("correction.typed_reason"), who: who() },
          said,
        );
    } else
      await app.change(
        `rounds/${round.event}/correction`,
        { ...choice.suggestion.correction, who: who() },
        said,
      );
  }

  async function openBoard(round) {
    const reading = await get(`/readings/${round.reading}`).catch((problem) => (app.tell(problem), null));
    if (reading) app.review(reading, round);
  }

  return { show };
}

/** "Disc 4 counts 10: Anna 45, Ben 40". */
function suggestionWords({ correction, round }, match) {
  const [decision] = correction.decisions;
  return t("correction.disc_as", {
    disc: decision.disc,
    points: decision.region,
    result: resultWords(match, round),
  });
}

/** Sheets that ask for a round without a photo, a forfeit, an end, a shoot-out; each resolves to a request's body. */
import { h, icon, sheet } from "./dom.js";
import { chip } from "./marks.js";
import { roundsOf } from "./standing.js";
import { t } from "./words.js";

/** A number with minus and plus around a field one may also type into. */
function stepper(name, { value = 0, step = 1, most = 999, label }) {
  const field = h("input", {
    type: "number",
    inputmode: "numeric",
    min: 0,
    max: most,
    step,
    value,
    name,
    "aria-label": label,
  });
  const by = (amount) => () =>
    (field.value = Math.min(most, Math.max(0, (Number(field.value) || 0) + amount)));
  return h(
    "div",
    { class: "stepper" },
    h(
      "button",
      { type: "button", "aria-label": t("step.less", { what: label }), onclick: by(-step) },
      icon("minus"),
    ),
    field,
    h(
      "button",
      { type: "button", "aria-label": t("step.more", { what: label }), onclick: by(step) },
      icon("plus"),
    ),
  );
}

const asked = (close, build) => (event) => {
  event.preventDefault();
  close(build(new FormData(event.target)));
};

const save = (words) => h("button", { class: "button primary big wide sheet-actions" }, words);

/** A round typed in: totals with 20s in them; or only who won. `round` fills in what it was. */
export function askTyped(match, marks, round = null) {
  const names = match.sides.map((side) => side.name);
  const number =
    round?.round ?? roundsOf(match).filter((one) => one.game === match.state.games.length).length + 1;
  return sheet(t("typed.title", { round: number }), (close) => {
    const totals = h(
      "div",
      {},
      ...marks.map((mark, index) =>
        h(
          "div",
          { class: "typed-row" },
          chip(mark),
          h("strong", {}, mark.name),
          stepper(`total-${index}`, {
            value: round?.totals?.[index] ?? 0,
            step: 5,
            label: t("typed.total_of", { name: mark.name }),
          }),
          h("span", { class: "small quiet spare" }, t("typed.twenties")),
          h(
            "span",
            { class: "twenties-step" },
            stepper(`twenties-${index}`, {
              value: round?.twenties?.[index] ?? 0,
              most: 48,
              label: t("twenties.of", { name: mark.name }),
            }),
          ),
        ),
      ),
    );
    const outcome = h(
      "fieldset",
      { class: "choice", hidden: true },
      h("legend", { class: "label" }, t("typed.who_won")),
      ...names.map((name, index) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name: "winner", value: index, checked: index === 0 }),
          h("span", {}, name),
        ),
      ),
      h(
        "label",
        {},
        h("input", { type: "radio", name: "winner", value: "tie" }),
        h("span", {}, t("typed.tie")),
      ),
    );
    const pick = (event) => (
      (totals.hidden = event.target.value !== "totals"),
      (outcome.hidden = event.target.value === "totals")
    );
    const way = h(
      "fieldset",
      { class: "choice", onchange: pick },
      h("legend", { class: "unseen" }, t("typed.what")),
      ...["totals", "outcome"].map((value, index) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name: "way", value, checked: index === 0 }),
          h("span", {}, t(`typed.${value}`)),
        ),
      ),
    );
    const build = (data) =>
      data.get("way") === "totals" ? typedBody(data, names) : outcomeBody(data.get("winner"), names);
    return h(
      "form",
      { class: "stack", onsubmit: asked(close, build) },
      names.length === 2 ? way : null,
      totals,
      names.length === 2 ? outcome : null,
      h("p", { class: "small quiet" }, t("typed.hint")),
      save(t("typed.save")),
    );
  });
}

function typedBody(data, names) {
  const numbers = (kind) =>
    Object.fromEntries(names.map((name, index) => [name, Number(data.get(`${kind}-${index}`))]));
  return { totals: numbers("total"), twenties: numbers("twenties") };
}

function outcomeBody(winner, names) {
  return {
    places: Object.fromEntries(
      names.map((name, index) => [name, winner === "tie" || Number(winner) === index ? 1 : 2]),
    ),
  };
}

/** Who forfeits what, and why. */
export function askForfeit(match) {
  return sheet(t("forfeit.title"), (close) =>
    h(
      "form",
      {
        class: "stack",
        onsubmit: asked(close, (data) => ({
          side: data.get("side"),
          scope: data.get("scope"),
          reason: data.get("reason").trim(),
        })),
      },
      h(
        "fieldset",
        { class: "choice" },
        h("legend", { class: "label" }, t("forfeit.who")),
        ...match.sides.map((side, index) =>
          h(
            "label",
            {},
            h("input", { type: "radio", name: "side", value: side.name, checked: index === 0 }),
            h("span", {}, side.name),
          ),
        ),
      ),
      h(
        "fieldset",
        { class: "choice" },
        h("legend", { class: "label" }, t("forfeit.what")),
        ...["round", "game", "match"].map((scope, index) =>
          h(
            "label",
            {},
            h("input", { type: "radio", name: "scope", value: scope, checked: index === 0 }),
            h("span", {}, t(`forfeit.${scope}`)),
          ),
        ),
      ),
      h(
        "div",
        {},
        h("label", { for: "reason" }, t("forfeit.reason")),
        h("input", {
          type: "text",
          id: "reason",
          name: "reason",
          required: true,
          maxlength: 200,
          value: t("forfeit.usual"),
        }),
      ),
      save(t("forfeit.save")),
    ),
  );
}

/** Why the match ends here. */
export function askFinish() {
  return sheet(t("finish.title"), (close) =>
    h(
      "form",
      { class: "stack", onsubmit: asked(close, (data) => ({ reason: data.get("reason").trim() })) },
      h("p", { class: "quiet" }, t("finish.hint")),
      h(
        "div",
        {},
        h("label", { for: "reason" }, t("forfeit.reason")),
        h("input", {
          type: "text",
          id: "reason",
          name: "reason",
          required: true,
          maxlength: 200,
          value: t("finish.usual"),
        }),
      ),
      save(t("finish.save")),
    ),
  );
}

/** The 20s of one stage of a shoot-out. */
export function askShootOut(match, marks) {
  return sheet(t("shoot_out.title"), (close) =>
    h(
      "form",
      {
        class: "stack",
        onsubmit: asked(close, (data) => ({
          twenties: Object.fromEntries(
            marks.map((mark, index) => [mark.name, Number(data.get(`twenties-${index}`))]),
          ),
        })),
      },
      h(
        "div",
        {},
        ...marks.map((mark, index) =>
          h(
            "div",
            { class: "typed-row" },
            chip(mark),
            h("strong", {}, mark.name),
            stepper(`twenties-${index}`, { most: 48, label: t("twenties.of", { name: mark.name }) }),
          ),
        ),
      ),
      save(t("typed.save")),
    ),
  );
}

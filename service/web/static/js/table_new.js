/** A new match: shape, names, colours, rules; everything but the names has a sensible start. */
import { post, put } from "./api.js";
import { byId, h } from "./dom.js";
import { COLOURS, chip, colourOf, letters, wear } from "./marks.js";
import { colourWord, page, t } from "./words.js";

const SIDES = { singles: 2, doubles: 2, three: 3, four: 4 };
const START = ["dark", "light", "red", "blue"];

/** Makes the form work. `wanted` tells whether a new match is being set up though there is an old one. */
export function startNew(app) {
  const form = byId("view-new");
  const sides = [0, 1, 2, 3].map((index) => ({
    name: "",
    players: ["", ""],
    colour: START[index],
    open: false,
  }));
  const fresh = { wanted: false, open, close: () => (fresh.wanted = false) };
  const shape = () => form.elements.shape.value;
  const count = () => SIDES[shape()];

  function open(last) {
    fresh.wanted = true;
    last?.sides.forEach((side, index) =>
      Object.assign(sides[index], {
        name: side.name,
        players: [...side.players, "", ""].slice(0, 2),
        colour: side.colour ?? START[index],
      }),
    );
    byId("new-event").value = last?.event_name ?? "";
    draw();
  }

  function draw() {
    const names = sides.slice(0, count()).map((side) => side.name);
    const letter = letters(names);
    byId("new-sides").replaceChildren(
      ...sides.slice(0, count()).map((side, index) => sideRow(side, index, letter[index])),
    );
    drawFirst();
  }

  function sideRow(side, index, letter) {
    const mark = {
      letter: letter === "?" ? "ABCD"[index] : letter,
      pattern: index,
      colour: colourOf(side.colour),
    };
    const button = h(
      "button",
      {
        type: "button",
        class: "colour-button",
        "aria-expanded": String(side.open),
        "aria-label": t("new.colour_of", { side: index + 1, colour: colourWord(side.colour) }),
        onclick: () => toggle(side, index),
      },
      chip(mark),
    );
    const doubles = shape() === "doubles";
    const field = h("input", {
      type: "text",
      id: `side-${index}`,
      maxlength: 40,
      autocomplete: "off",
      autocapitalize: "words",
      required: !doubles,
      value: side.name,
      placeholder: doubles ? t("new.team_placeholder") : null,
      oninput: (event) => ((side.name = event.target.value), drawFirst()),
    });
    const row = h(
      "div",
      { class: "new-side" },
      button,
      h(
        "div",
        {},
        h("label", { for: `side-${index}` }, t(doubles ? "new.team" : "new.player", { side: index + 1 })),
        field,
      ),
    );
    if (doubles)
      row.append(
        h(
          "div",
          { class: "players" },
          ...[0, 1].map((at) =>
            h("input", {
              type: "text",
              required: true,
              maxlength: 40,
              autocomplete: "off",
              value: side.players[at],
              "aria-label": t("new.partner", { side: index + 1, partner: at + 1 }),
              placeholder: t("new.partner_placeholder", { partner: at + 1 }),
              oninput: (event) => ((side.players[at] = event.target.value), drawFirst()),
            }),
          ),
        ),
      );
    if (side.open)
      row.append(
        h(
          "div",
          { class: "palette", role: "group", "aria-label": t("new.colour") },
          ...COLOURS.map((word) =>
            h(
              "button",
              {
                type: "button",
                "aria-pressed": String(word === side.colour),
                onclick: () => pick(side, index, word),
              },
              wear(h("span", { class: "mark", "aria-hidden": "true" }), {
                colour: colourOf(word),
                pattern: 0,
              }),
              colourWord(word),
            ),
          ),
        ),
      );
    return row;
  }

  function toggle(side, index) {
    side.open = !side.open;
    draw();
    byId("new-sides").querySelectorAll(".colour-button")[index].focus();
  }

  function pick(side, index, word) {
    const other = sides.slice(0, count()).find((one) => one !== side && one.colour === word);
    if (other) other.colour = side.colour;
    Object.assign(side, { colour: word, open: false });
    draw();
    byId("new-sides").querySelectorAll(".colour-button")[index].focus();
  }

  function seats() {
    const chosen = sides.slice(0, count());
    return shape() === "doubles"
      ? [0, 1].flatMap((partner) => chosen.map((side) => side.players[partner]))
      : chosen.map((side) => side.name);
  }

  function drawFirst() {
    const select = byId("new-first");
    const before = select.value;
    select.replaceChildren(
      ...seats().map((name, index) =>
        h("option", { value: index }, name.trim() || t("new.seat", { seat: index + 1 })),
      ),
    );
    if (before && Number(before) < seats().length) select.value = before;
  }

  function drawFormats() {
    const preset = byId("new-rules").value;
    byId("new-format").replaceChildren(
      h("option", { value: "" }, t("new.as_rules", { format: t(`usual.${preset}`) })),
      ...page.options[preset].map((option) => h("option", { value: option }, t(`option.${option}`))),
    );
  }

  const trimmed = (side) => {
    const players = shape() === "doubles" ? side.players.map((name) => name.trim()) : [side.name.trim()];
    return { name: side.name.trim() || players.join(" / "), players, colour: side.colour };
  };

  async function start(event) {
    event.preventDefault();
    const button = form.querySelector("button.primary");
    button.disabled = true;
    const preset = byId("new-rules").value;
    const option = byId("new-format").value;
    const camera = byId("new-camera").value.trim();
    try {
      if (camera) await put(`/tables/${encodeURIComponent(page.table)}`, { camera: { source: camera } });
      const match = await post("/matches", {
        table: page.table,
        sides: sides.slice(0, count()).map(trimmed),
        rules: option ? { preset, options: [option] } : preset,
        first: Number(byId("new-first").value || 0),
        event_name: byId("new-event").value.trim() || null,
      });
      fresh.close();
      app.started(match);
    } catch (problem) {
      app.tell(problem);
    } finally {
      button.disabled = false;
    }
  }

  form.addEventListener("submit", start);
  byId("shape").addEventListener("change", draw);
  byId("new-rules").addEventListener("change", drawFormats);
  drawFormats();
  draw();
  return fresh;
}

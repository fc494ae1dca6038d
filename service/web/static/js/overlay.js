/**
 * The overlay for a stream: scorebug and board over a transparent page, kept as they were through an outage.
 *
 * Options in the address: `scale=1.5`, `theme=light`, `board=0`, `bug=0`, `lang=fr`; `token=` after `?` or `#`.
 */
import { byId } from "./dom.js";
import { Feed } from "./live.js";
import { assign, marksOf } from "./marks.js";
import { showBug } from "./scorebug.js";
import { page } from "./words.js";
import "./board.js";

const options = new URLSearchParams(location.search);
const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? options.get("token");
const scale = Number.parseFloat(options.get("scale") ?? "1");
const wants = (name) => options.get(name) !== "0";
const state = { match: null, board: null, event: "" };

function show() {
  const { match, board } = state;
  byId("bug").hidden = !match || !wants("bug");
  byId("board-box").hidden = !match || !wants("board");
  if (!match) return;
  const teams = board ? assign(board, match.sides) : {};
  const marks = marksOf(match, board, teams);
  const byName = new Map(marks.map((mark) => [mark.name, mark]));
  showBug(byId("bug"), match, marks, { event: match.event_name || state.event });
  byId("board").show(board, new Map(Object.entries(teams).map(([team, name]) => [team, byName.get(name)])));
}

function heard(message) {
  if (message.type === "snapshot")
    Object.assign(state, { match: message.match, board: message.board, event: message.event_name ?? "" });
  else if (message.type === "match") takeMatch(message.match);
  else if (message.type === "table") state.event = message.event_name ?? state.event;
  else if (message.discs) state.board = { ...state.board, ...message };
  show();
  byId("stage").dataset.seq = message.seq;
}

/** A new match starts on an empty board. */
function takeMatch(match) {
  if (state.match && state.match.id !== match.id) state.board = null;
  state.match = match;
}

if (options.get("theme") === "light" || options.get("theme") === "dark")
  document.documentElement.dataset.theme = options.get("theme");
if (Number.isFinite(scale) && scale >= 0.25 && scale <= 4)
  document.documentElement.style.setProperty("--scale", scale);
new Feed(page.table, heard, (up) => (byId("stage").dataset.up = up ? "yes" : "no"), token).run();

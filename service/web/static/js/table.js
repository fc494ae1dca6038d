/** The table's page: holds what is known of the table, shows the right view, and passes on what people do. */
import { post, get, put, Problem } from "./api.js";
import { announce, ask, byId, toast } from "./dom.js";
import { Feed } from "./live.js";
import { assign, marksOf } from "./marks.js";
import { startPrefs } from "./prefs.js";
import { showBug } from "./scorebug.js";
import { changeWords, endWords, resultWords, roundsOf } from "./standing.js";
import { startCapture } from "./table_capture.js";
import { startKeys } from "./table_keys.js";
import { startNew } from "./table_new.js";
import { startReview } from "./table_review.js";
import { startRounds } from "./table_rounds.js";
import { askForfeit, askFinish, askShootOut, askTyped } from "./table_sheets.js";
import { page, t } from "./words.js";
import "./board.js";

const path = `/tables/${encodeURIComponent(page.table)}`;

/** What is known of the table. `working` hides the rest while a photo is read. */
const state = { loaded: false, match: null, board: null, event: "", camera: null, working: false };
let shown = null;
let seenReading = null;
let lastHeard = null;

const app = {
  state,
  /** Sends a change of the match and shows what came of it; false when it was refused, which is said. */
  async change(action, body, said = null) {
    try {
      const match = await post(`/matches/${state.match.id}/${action}`, body, {
        version: state.match.version,
      });
      takeMatch(match, { quiet: true });
      const words = said ? said(match) : null;
      if (words)
        toast(words, {
          action: match.may_undo && action !== "undo" ? { label: t("rounds.undo"), run: undo } : null,
        });
      return true;
    } catch (problem) {
      tell(problem);
      return false;
    }
  },
  tell,
  /** A reading came in: from this page's photo, a camera, or another page at this table. */
  review(reading, target = null) {
    state.working = false;
    seenReading = reading.id;
    review.open(reading, target);
    show();
  },
  work(on) {
    state.working = on;
    show();
  },
  /** A reviewed round was saved: a new one, or the one that event scored. */
  saved(match, event) {
    takeMatch(match, { quiet: true });
    toast(review.said(match, event) ?? "", {
      action: match.may_undo ? { label: t("rounds.undo"), run: undo } : null,
      seconds: 8,
    });
  },
  refresh: load,
  show,
  started(match) {
    takeMatch(match, { quiet: true });
    announce(t("new.started"));
  },
};

const review = startReview(app);
const capture = startCapture(app);
const rounds = startRounds(app);
const fresh = startNew(app);

function viewNow() {
  if (!state.loaded) return "loading";
  if (review.busy()) return "review";
  if (state.working) return "working";
  if (!state.match || fresh.wanted) return "new";
  if (state.match.state.over || state.match.finished_at) return "over";
  return state.match.state.next === "shoot_out" ? "shoot_out" : "ready";
}

/** Shows the table as it is known. */
function show() {
  const view = viewNow();
  byId("page").dataset.view = view;
  const { match } = state;
  byId("bug").hidden = byId("rounds-panel").hidden = !match || view === "new";
  byId("review-panel").hidden = view !== "review";
  if (match) {
    const marks = marksOf(match, state.board);
    showBug(byId("bug"), match, marks, { event: match.event_name || state.event });
    rounds.show(match, marks);
    const n = (match.state.games.at(-1)?.rounds.length ?? 0) + 1;
    byId("ready-title").textContent =
      view === "shoot_out" ? t("shoot_out.title") : t("ready.title", { round: n });
    const byTeam = new Map(boardTeams(marks));
    for (const id of ["last-board", "over-board"]) byId(id).show(state.board, byTeam);
    byId("over-title").textContent = endWords(match).trim() || t("over.finished");
    byId("over-words").textContent = t("over.points", {
      points: match.state.games.at(-1).points.join(" – "),
    });
    document.title = `${match.sides.map((side) => side.name).join(" – ")} · ${t("table.title", { table: page.table })}`;
  }
  capture.show(view);
  if (view === "review") review.show();
  if (view !== shown && shown !== null) focusOn(view);
  shown = view;
  document.body.style.setProperty("--dock", `${byId("dock").offsetHeight}px`);
}

/** The sides' marks by the team words of the board that is shown. */
function boardTeams(marks) {
  if (!state.board) return [];
  const known = new Map(marks.map((mark) => [mark.name, mark]));
  return Object.entries(assign(state.board, state.match.sides)).map(([team, name]) => [
    team,
    known.get(name),
  ]);
}

function focusOn(view) {
  const target = {
    review: "review-title",
    over: "over-title",
    working: "where",
    ready: "where",
    new: "where",
  }[view];
  if (target && !document.querySelector("dialog[open]")) byId(target).focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/** Takes a newer state of the match; says what changed when somebody else did it. */
function takeMatch(match, { quiet = false } = {}) {
  const before = state.match;
  if (before && match && before.id === match.id && match.version < before.version) return;
  const changed = !before || !match || before.id !== match.id || before.version !== match.version;
  state.match = match;
  if (match && fresh.wanted && before?.id !== match.id) fresh.close();
  if (changed && before) review.matchChanged(before, match);
  if (changed && before && match && !quiet) {
    lastHeard = changeWords(before, match);
    if (lastHeard) toast(lastHeard);
  }
  show();
}

function takeSnapshot(snapshot) {
  state.loaded = true;
  state.event = snapshot.event_name ?? "";
  state.board = snapshot.board ?? null;
  state.camera = snapshot.camera ?? null;
  const newest = snapshot.board?.reading ?? "";
  // What lay there before this page came is old news, unless it was just being looked at here.
  if (seenReading === null) seenReading = review.interrupted() === newest ? "" : newest;
  takeMatch(snapshot.match ?? null);
  if (snapshot.board) takeReading(snapshot.board);
  else show();
}

async function load() {
  try {
    takeSnapshot(await get(path));
  } catch (problem) {
    if (problem.status !== 404) return tell(problem);
    await put(path, {}).catch(() => null);
    takeSnapshot(await get(path).catch(() => ({ match: null, board: null })));
  }
}

/** What the feed says. */
function heard(message) {
  if (message.type === "snapshot") takeSnapshot(message);
  if (message.type === "match") takeMatch(message.match);
  if (message.type === "table") load();
  if (message.type === "reading") takeReading(message);
  if (message.type === "source") capture.source(message.state);
}

async function takeReading(message) {
  const id = message.reading ?? message.id;
  state.board = { ...message, id };
  // One that a round rests on already was looked at.
  if ((message.event ?? null) !== null) seenReading = id;
  const open =
    viewNow() === "ready" &&
    !state.working &&
    id &&
    id !== seenReading &&
    !document.querySelector("dialog[open]");
  show();
  if (!open) return;
  seenReading = id;
  const reading = await get(`/readings/${id}`).catch(() => null);
  if (reading && viewNow() === "ready") app.review(reading);
}

/** Says what went wrong; after a collision also what somebody else did, and shows it. */
function tell(problem) {
  if (!(problem instanceof Problem)) throw problem;
  if (problem.status === 409 && problem.body.current) {
    const before = state.match;
    // The feed may have been quicker than the refusal: then what it said is what changed.
    const words = changeWords(before, problem.body.current) ?? lastHeard ?? "";
    takeMatch(problem.body.current, { quiet: true });
    return toast(`${t("problem.changed")} ${words}`.trim(), { seconds: 10, urgent: true });
  }
  return toast(problem.message, { seconds: 9, urgent: true });
}

/** Takes back the last entry. A round that was read from a photo is opened again: mostly something in it was wrong. */
async function undo() {
  const before = state.match;
  if (!before?.may_undo) return;
  const last = roundsOf(before).at(-1);
  const isGone = (match) => last && roundsOf(match).length < roundsOf(before).length;
  const done = await app.change("undo", {}, (match) =>
    isGone(match) ? t("said.undone_round", { round: last.round }) : t("said.undone"),
  );
  if (!done || !isGone(state.match) || !last.reading) return;
  const reading = await get(`/readings/${last.reading}`).catch(() => null);
  if (reading) app.review(reading);
}

async function enter(sheetAnswer, action, said) {
  const body = await sheetAnswer;
  if (body) await app.change(action, body, said);
}

const newestRound = (match) => {
  const round = roundsOf(match).at(-1);
  return round
    ? t("said.round", { round: round.round, result: resultWords(match, round) }) + endWords(match)
    : null;
};

byId("undo").addEventListener(
  "click",
  async () => (await ask(t("rounds.undo"), t("rounds.undo_sure"), t("rounds.undo"))) && undo(),
);
byId("type").addEventListener("click", () =>
  enter(askTyped(state.match, marksOf(state.match, state.board)), "rounds", newestRound),
);
byId("forfeit").addEventListener("click", () => enter(askForfeit(state.match), "forfeit", newestRound));
byId("finish").addEventListener("click", () => enter(askFinish(), "finish", () => t("said.finished")));
byId("shoot-out").addEventListener("click", () =>
  enter(
    askShootOut(state.match, marksOf(state.match, state.board)),
    "shoot-out",
    (match) => endWords(match).trim() || t("said.shoot_out"),
  ),
);
byId("again").addEventListener("click", () => (fresh.open(state.match), show()));

startPrefs();
startKeys({ undo: () => byId("undo").click(), review, capture, view: viewNow });
addEventListener("resize", () => document.body.style.setProperty("--dock", `${byId("dock").offsetHeight}px`));
new Feed(page.table, heard, (up) => {
  byId("line").dataset.up = up ? "yes" : "no";
  for (const name of ["aria-label", "title"])
    byId("line").setAttribute(name, t(up ? "app.connected" : "app.connecting"));
  byId("offline").hidden = up || !state.loaded;
}).run();
load();

/** Looking at a reading before it counts: what is touched changes the round under review, until it is confirmed. */
import { API, newKey, post } from "./api.js";
import { byId, h, hush, sheet, toast } from "./dom.js";
import { marksOf } from "./marks.js";
import { ReviewedRound } from "./review_round.js";
import { showReview } from "./review_view.js";
import { endWords, gameOf, resultWords, roundsOf } from "./standing.js";
import { askAdded, askDisc, keepWho, who } from "./table_disc.js";
import { t } from "./words.js";

/** The reading this window looks at: phones drop pages they do not show, and load them anew. */
const UNDER_REVIEW = "crokinole.review";
const PREVIEW_WAIT_MS = 120;
/** The hole, 1 3/8 inches across. */
const HOLE_MM = 17.5;

/** Makes the review work; `open(reading, round)` starts one, for a new round or to correct an old one. */
export function startReview(app) {
  let now = null;
  let timer = null;
  let saving = false;
  let saved = null;

  function open(reading, round = null) {
    const { match } = app.state;
    if (!match) return toast(t("review.no_match"));
    now = again(match, reading, round) ?? new ReviewedRound(match, reading, round);
    if (round) hush();
    else sessionStorage.setItem(UNDER_REVIEW, reading.id);
    now.after = roundsOf(match).length;
    now.places = placesOf(app.state.board, reading.id);
    byId("discard").textContent = t(round ? "cancel" : "review.discard");
    byId("swap").hidden = match.sides.length < 2;
    byId("review-title").textContent = round
      ? t("review.correct_title", { round: round.round })
      : t("review.title", { round: gameOf(match).rounds.length + 1 });
    return count(0);
  }

  function close() {
    now = null;
    sessionStorage.removeItem(UNDER_REVIEW);
  }

  /** A round that was confirmed and then undone is as it was left: what was decided need not be decided again. */
  function again(match, reading, round) {
    if (round || saved?.reading.id !== reading.id || saved.match !== match.id) return null;
    return Object.assign(saved, { key: newKey(), fresh: false });
  }

  /** Asks what the round would count; the service counts, the page only shows. */
  function count(wait_ms = PREVIEW_WAIT_MS) {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const asked = now;
      if (!asked) return;
      const path = asked.round ? `rounds/${asked.round.event}/correction/preview` : "rounds/preview";
      const body = JSON.stringify(asked.body);
      const preview = await post(`/matches/${app.state.match.id}/${path}`, asked.body).catch((problem) => ({
        refused: problem.message,
      }));
      // An answer to what was asked before the last touch is late: another one is on its way.
      if (now !== asked || body !== JSON.stringify(asked.body)) return;
      now.take(preview);
      show();
    }, wait_ms);
  }

  const marks = () => marksOf(app.state.match, now.reading, now.teams);

  function show() {
    if (now) showReview(now, marks(), { twenty, decide, open: tapped });
  }

  function touched() {
    show();
    count();
  }

  async function tapped(id) {
    const asked = now;
    const disc = now.counted(now.discs.find((one) => one.id === id));
    const why = now.doubts.find((doubt) => doubt.disc.id === id)?.why ?? null;
    const reading = { ...now.reading, discs: now.discs.map((one) => now.counted(one)) };
    byId("review-board").choose(id);
    const side = now.sideOf(disc);
    const answer = await askDisc({
      disc: now.discs.find((one) => one.id === id),
      reading,
      marks: marks(),
      side,
      decision: now.decisions.get(id),
      why,
    });
    byId("review-board").choose(null);
    if (now === asked && answer) decide(disc, answer);
  }

  /** A disc that the photo does not show; `place` is where on the board was tapped, if it was. */
  async function add(place = null) {
    const asked = now;
    if (!asked) return;
    const answer = await askAdded(marks(), asked.fewest, place && regionAt(place, asked.reading.ring_radii_mm));
    if (now !== asked || !answer) return;
    const at = place && [place.x_mm, place.y_mm].map((value) => Math.round(value * 10) / 10);
    now.add({ ...answer, at, who: who() });
    touched();
  }

  function decide(disc, decision) {
    now.decide(disc.id, decision.clear ? decision : { ...decision, who: who() });
    keepWho(who());
    touched();
  }

  function twenty(index, by) {
    const name = now?.names[index];
    if (name === undefined) return;
    now.twenty(name, by);
    touched();
  }

  async function confirm() {
    const button = byId("confirm");
    if (!now || button.disabled) return;
    button.disabled = saving = true;
    const { round, key, body } = now;
    try {
      const action = round ? `rounds/${round.event}/correction` : "rounds";
      const change = round ? { ...body, reason: reason(), who: who() } : body;
      const { id, version } = app.state.match;
      const match = await post(`/matches/${id}/${action}`, change, { version, key });
      saved = round ? saved : now;
      close();
      app.saved(match, round ? round.event : null);
    } catch (problem) {
      now.key = newKey();
      if (problem.body?.current && isTaken(problem.body.current)) close();
      app.tell(problem);
    } finally {
      button.disabled = saving = false;
    }
  }

  function reason() {
    const whys = [...now.decisions.values()].map((decision) => decision.why).filter(Boolean);
    return whys.join("; ").slice(0, 300) || t("correction.looked_again");
  }

  /** Whether the match already has the round that is reviewed as a new one. */
  const isTaken = (match) => !now.round && roundsOf(match).length > now.after;

  /** Somebody else moved on; what this page itself is saving is told by the answer to it. */
  function matchChanged(before, after) {
    if (!now || saving) return;
    if (before.id === after?.id && !isTaken(after)) return void count();
    close();
    toast(t("review.taken"), { seconds: 9 });
  }

  async function seePhoto() {
    const src = `${API}/readings/${now.reading.id}/annotated.png`;
    const photo = () => h("img", { class: "photo-full", src, alt: t("review.photo_alt") });
    await sheet(t("review.photo"), photo, { full: true });
  }

  byId("review-board").addEventListener("disc", (event) => tapped(event.detail));
  byId("review-board").addEventListener("place", (event) => add(event.detail));
  byId("add-disc").addEventListener("click", () => add());
  byId("swap").addEventListener("click", () => (now.swap(), touched()));
  byId("confirm").addEventListener("click", confirm);
  byId("discard").addEventListener("click", () => (close(), app.show()));
  byId("see-photo").addEventListener("click", seePhoto);
  const interrupted = () => sessionStorage.getItem(UNDER_REVIEW);
  return { open, show, interrupted, twenty, matchChanged, busy: () => now !== null, said: saidOf };
}

/** Where people added discs to a round before, by disc, when the table shows that reading. */
function placesOf(board, reading) {
  const added = board?.reading === reading ? board.discs.filter((disc) => !disc.pixel && disc.x_mm !== null) : [];
  return new Map(added.map((disc) => [disc.id, [disc.x_mm, disc.y_mm]]));
}

/** The region that a place on the board lies in. */
function regionAt({ x_mm, y_mm }, rings) {
  const away_mm = Math.hypot(x_mm, y_mm);
  if (away_mm < HOLE_MM) return 20;
  return [15, 10, 5][rings.findIndex((radius_mm) => away_mm < radius_mm)] ?? 5;
}

/** What a saved round is announced as. */
function saidOf(match, event) {
  const all = roundsOf(match);
  const round = event === null ? all.at(-1) : all.find((one) => one.event === event);
  if (!round) return null;
  const words = { round: round.round, result: resultWords(match, round) };
  return t(event === null ? "said.round" : "said.corrected", words) + endWords(match);
}

/** Looking at a reading before it counts: what is touched changes the round under review, until it is confirmed. */
import { API, newKey, post } from "./api.js";
import { byId, h, sheet, toast } from "./dom.js";
import { marksOf } from "./marks.js";
import { ReviewedRound } from "./review_round.js";
import { showReview } from "./review_view.js";
import { endWords, gameOf, resultWords, roundsOf } from "./standing.js";
import { askDisc, keepWho, who } from "./table_disc.js";
import { t } from "./words.js";

const PREVIEW_WAIT_MS = 120;

/** Makes the review work; `open(reading, round)` starts one, for a new round or to correct an old one. */
export function startReview(app) {
  let now = null;
  let timer = null;
  let saving = false;

  function open(reading, round = null) {
    const { match } = app.state;
    if (!match) return toast(t("review.no_match"));
    now = new ReviewedRound(match, reading, round);
    now.after = roundsOf(match).length;
    byId("swap").hidden = match.sides.length < 2;
    byId("review-title").textContent = round
      ? t("review.correct_title", { round: round.round })
      : t("review.title", { round: gameOf(match).rounds.length + 1 });
    return count(0);
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
    const disc = now.reading.discs.find((one) => one.id === id);
    const why = now.doubts.find((doubt) => doubt.disc.id === id)?.why ?? null;
    const { reading, teams } = now;
    byId("review-board").choose(id);
    const side = now.sideOf(disc);
    const answer = await askDisc({
      disc,
      reading,
      marks: marks(),
      teams,
      side,
      decision: now.decisions.get(id),
      why,
    });
    byId("review-board").choose(null);
    if (now === asked && answer) decide(disc, answer);
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
      now = null;
      app.saved(match, round ? round.event : null);
    } catch (problem) {
      now.key = newKey();
      if (problem.body?.current && isTaken(problem.body.current)) now = null;
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
    now = null;
    toast(t("review.taken"), { seconds: 9 });
  }

  async function seePhoto() {
    const src = `${API}/readings/${now.reading.id}/annotated.png`;
    const photo = () => h("img", { class: "photo-full", src, alt: t("review.photo_alt") });
    await sheet(t("review.photo"), photo, { full: true });
  }

  byId("review-board").addEventListener("disc", (event) => tapped(event.detail));
  byId("swap").addEventListener("click", () => (now.swap(), touched()));
  byId("confirm").addEventListener("click", confirm);
  byId("discard").addEventListener("click", () => ((now = null), app.show()));
  byId("see-photo").addEventListener("click", seePhoto);
  return { open, show, twenty, matchChanged, busy: () => now !== null, said: saidOf };
}

/** What a saved round is announced as. */
function saidOf(match, event) {
  const all = roundsOf(match);
  const round = event === null ? all.at(-1) : all.find((one) => one.event === event);
  if (!round) return null;
  const words = { round: round.round, result: resultWords(match, round) };
  return t(event === null ? "said.round" : "said.corrected", words) + endWords(match);
}

/** Looking at a reading before it counts: the board to tap, 20s, doubts, the result, confirming it. */
import { API, newKey, post } from "./api.js";
import { byId, h, icon, sheet, toast } from "./dom.js";
import { assign, chip, marksOf } from "./marks.js";
import { endWords, gameOf, resultWords, roundsOf } from "./standing.js";
import { answersOf, askDisc, discWords, doubtWords, keepWho, who } from "./table_disc.js";
import { t } from "./words.js";

const PREVIEW_WAIT_MS = 120;
const MOST_TWENTIES = 48;

/** Makes the review work; `open(reading, round)` starts one, for a new round or to correct an old one. */
export function startReview(app) {
  let now = null;
  let timer = null;

  function open(reading, round = null) {
    const { match } = app.state;
    if (!match) return toast(t("review.no_match"));
    const teams = assign(reading, match.sides);
    now = { reading, round, teams, swapped: false, twenties: round ? null : told(reading, teams), decisions: new Map(), preview: null, key: newKey() };
    byId("review-title").textContent = round ? t("review.correct_title", { round: round.round }) : t("review.title", { round: gameOf(match).rounds.length + 1 });
    count();
    return null;
  }

  /** The 20s removed during play, as told with the photo. */
  function told(reading, teams) {
    const counts = new Map(reading.sides.map((side) => [teams[side.team], side.twenties ?? 0]));
    return new Map(app.state.match.sides.map((side) => [side.name, counts.get(side.name) ?? 0]));
  }

  /** A new round is the reading with what people decide; a correction only what they change, unless colours were swapped. */
  function body() {
    const decisions = [...now.decisions].map(([disc, decision]) => ({ disc, ...decision }));
    const twenties = now.twenties && Object.fromEntries(now.twenties);
    if (now.round && !now.swapped) return { decisions, ...(twenties ? { twenties } : {}) };
    return { reading: now.reading.id, teams: now.teams, twenties: twenties ?? removed(), decisions };
  }

  /** Asks what the round would count; the service counts, the page only shows. */
  function count() {
    byId("result").classList.add("stale");
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const asked = now;
      const path = asked.round ? `rounds/${asked.round.event}/correction/preview` : "rounds/preview";
      const preview = await post(`/matches/${app.state.match.id}/${path}`, body()).catch((problem) => ({ refused: problem.message }));
      if (now !== asked) return;
      now.preview = preview;
      if (preview?.discs && now.round && !now.swapped) now.teams = { ...now.teams, ...teamsOf(preview.discs) };
      show();
    }, now?.preview ? PREVIEW_WAIT_MS : 0);
  }

  /** Which side each team was counted as: the side of its discs. */
  const teamsOf = (discs) => Object.fromEntries(now.reading.discs.flatMap((disc) => {
    const counted = discs.find((one) => one.id === disc.id && !now.decisions.get(disc.id)?.side);
    return counted ? [[disc.team, counted.side]] : [];
  }));

  /** The 20s that were handed in and lie not on the board any more, by side. */
  function removed() {
    const { totals, discs } = now.preview ?? {};
    return Object.fromEntries(app.state.match.sides.map((side, index) => {
      const lying = (discs ?? []).filter((disc) => disc.side === side.name).reduce((sum, disc) => sum + disc.points, 0);
      return [side.name, totals ? Math.max(0, Math.round((totals[index] - lying) / 20)) : 0];
    }));
  }

  /** A disc as it counts now: as the service counted it, else as it was seen. */
  function counted(disc) {
    const found = now.preview?.discs?.find((one) => one.id === disc.id);
    return found ? { ...disc, points: found.points, region: found.region } : disc;
  }

  function show() {
    if (!now) return;
    const marks = marksOf(app.state.match, now.reading, now.teams);
    const byName = new Map(marks.map((mark) => [mark.name, mark]));
    const byTeam = new Map(Object.entries(now.teams).map(([team, name]) => [team, byName.get(name)]));
    const close = new Set(now.reading.needs_review.map((doubt) => doubt.disc));
    const names = (disc) => discWords(disc, side(disc), now.decisions.get(disc.id));
    const decided = new Map([...now.decisions].map(([id, decision]) => [id, pointsOf(id, decision)]));
    byId("review-board").show({ ...now.reading, discs: now.reading.discs.map(counted) }, byTeam, { close, decided, names });
    showSides(marks);
    showResult();
    showDoubts(byName);
    showList(byName, close);
    byId("swap").hidden = app.state.match.sides.length < 2;
  }

  /** The button says what it does: "Confirm 75 – 60". */
  function confirmWords(preview) {
    const words = now.round ? t("review.save") : t("review.confirm");
    return preview?.totals ? `${words} ${preview.totals.join(" – ")}` : words;
  }

  const pointsOf = (id, decision) => (decision.place === "off" ? 0 : (now.preview?.discs?.find((one) => one.id === id)?.points ?? decision.region));
  const twentiesNow = (name) => (now.twenties ? now.twenties.get(name) : removed()[name]);
  const side = (disc) => now.decisions.get(disc.id)?.side ?? now.teams[disc.team] ?? disc.team;

  function showSides(marks) {
    const focused = document.activeElement?.id;
    byId("sides").replaceChildren(...marks.map((mark, index) => {
      const result = now.preview;
      const twenties = twentiesNow(mark.name);
      const total = result?.totals?.[index];
      const board = total === undefined || total === null ? null : total - 20 * twenties;
      const step = (by, name) => h("button", { type: "button", id: `twenty-${index}-${name}`, "aria-label": t(`twenties.${name}`, { name: mark.name }), disabled: twenties + by < 0, onclick: () => twenty(index, by) }, icon(by > 0 ? "plus" : "minus"));
      return h("li", { class: "side-row" }, chip(mark),
        h("div", { class: "who" }, h("strong", {}, mark.name), h("span", { class: "small quiet" }, board === null ? " " : t("review.board", { n: board }))),
        h("div", { class: "stepper", role: "group", "aria-label": t("twenties.of", { name: mark.name }) }, step(-1, "minus"), h("output", {}, String(twenties), h("small", {}, t("twenties.short"))), step(1, "plus")),
        h("span", { class: "total" }, total ?? "–", h("span", { class: "unseen" }, t("review.total_of", { name: mark.name }))));
    }));
    if (focused?.startsWith("twenty-")) (byId(focused)?.disabled ? byId(focused.replace("minus", "plus")) : byId(focused))?.focus();
  }

  function showResult() {
    const line = byId("result");
    const { preview } = now;
    line.classList.toggle("stale", !preview);
    line.classList.toggle("refused", Boolean(preview?.refused));
    byId("confirm").disabled = !preview || Boolean(preview.refused);
    byId("confirm-words").textContent = confirmWords(preview);
    if (!preview?.totals) {
      line.dataset.says = "";
      return (line.textContent = preview?.refused ?? t("review.counting"));
    }
    const { winner, difference, awarded } = preview;
    const words = winner ? t("result.wins_by", { name: winner, n: difference ?? 0, points: difference }) : t("result.tie");
    const text = awarded ? t("review.awarded", { points: awarded.join(" – ") }) : "";
    if (line.dataset.says !== words + text) line.replaceChildren(words, h("small", {}, text));
    line.dataset.says = words + text;
    return null;
  }

  function showDoubts() {
    const doubts = now.reading.needs_review.map((doubt) => ({ doubt, disc: now.reading.discs.find((disc) => disc.id === doubt.disc) }));
    byId("doubts").replaceChildren(...doubts.filter(({ disc }) => disc).map(({ doubt, disc }) => {
      const decision = now.decisions.get(disc.id);
      const answers = answersOf(disc).slice(0, 2);
      return h("div", { class: `notice${decision ? " settled" : ""}` },
        h("span", { class: "grow" }, h("strong", {}, discWords(disc, side(disc), decision)), h("br"), h("span", { class: "small" }, decision ? decision.why : doubtWords(disc, doubt.why))),
        h("span", { class: "answers", role: "group", "aria-label": t("disc.counts_as", { disc: disc.id }) },
          ...answers.map((answer) => h("button", { type: "button", "aria-pressed": String((decision?.region ?? null) === answer.region), "aria-label": t("disc.count_it", { disc: disc.id, points: answer.region }), onclick: () => decide(disc, { region: answer.region, why: answer.why }) }, String(answer.region)))));
    }));
  }

  function showList(byName, close) {
    const row = (disc) => h("tr", {}, h("td", {}, String(disc.id)), h("td", {}, side(disc)),
      h("td", { class: "points" }, String(counted(disc).points)),
      h("td", { class: "small quiet" }, close.has(disc.id) ? t("disc.look") : t(`place.${disc.place}`)),
      h("td", {}, h("button", { type: "button", class: "button ghost", "aria-label": t("disc.fix", { disc: disc.id }), onclick: () => tapped(disc.id) }, icon("edit"))));
    byId("discs-table").replaceChildren(h("table", {}, h("caption", { class: "unseen" }, t("review.list")),
      h("thead", {}, h("tr", {}, ...["disc", "side", "points", "place"].map((name) => h("th", { scope: "col", class: name === "points" ? "points" : null }, t(`list.${name}`))), h("td", {}))),
      h("tbody", {}, ...now.reading.discs.filter((disc) => disc.place !== "off").map(row))));
  }

  async function tapped(id) {
    const disc = now.reading.discs.find((one) => one.id === id);
    const asked = now;
    byId("review-board").choose(id);
    const marks = marksOf(app.state.match, now.reading, now.teams);
    const doubt = now.reading.needs_review.find((one) => one.disc === id);
    const answer = await askDisc({ disc, reading: now.reading, marks, teams: now.teams, side: side(disc), decision: now.decisions.get(id), why: doubt?.why ?? null });
    byId("review-board").choose(null);
    if (now === asked && answer) decide(disc, answer);
  }

  function decide(disc, decision) {
    const old = now.decisions.get(disc.id);
    if (decision.clear || (old && !decision.side && !decision.place && old.region === decision.region && !old.side)) now.decisions.delete(disc.id);
    else now.decisions.set(disc.id, { ...decision, who: who() });
    keepWho(who());
    show();
    count();
  }

  function twenty(index, by) {
    const name = app.state.match.sides[index]?.name;
    if (!now || name === undefined) return;
    now.twenties ??= new Map(Object.entries(removed()));
    now.twenties.set(name, Math.min(MOST_TWENTIES, Math.max(0, now.twenties.get(name) + by)));
    show();
    count();
  }

  /** Who plays which colour: the next order of the sides. With two it is a swap. */
  function swap() {
    const teams = now.reading.sides.map((one) => one.team);
    const names = teams.map((team) => now.teams[team]).filter(Boolean);
    names.push(names.shift());
    if (new Set(names).size < 2) return;
    now.twenties ??= new Map(Object.entries(removed()));
    now.teams = Object.fromEntries(teams.slice(0, names.length).map((team, index) => [team, names[index]]));
    now.swapped = true;
    show();
    count();
  }

  async function confirm() {
    const button = byId("confirm");
    if (!now || button.disabled) return;
    button.disabled = true;
    const { round } = now;
    try {
      const sent = body();
      const action = round ? `rounds/${round.event}/correction` : "rounds";
      const change = round ? { ...sent, reason: reason(), who: who() } : sent;
      const match = await post(`/matches/${app.state.match.id}/${action}`, change, { version: app.state.match.version, key: now.key });
      now = null;
      app.saved(match, round ? round.event : null);
    } catch (problem) {
      if (now) now.key = newKey();
      app.tell(problem);
    } finally {
      button.disabled = false;
    }
  }

  const reason = () => [...now.decisions.values()].map((decision) => decision.why).filter(Boolean).join("; ") || t("correction.looked_again");

  /** Somebody else moved on: a new round is no longer this one, a corrected one may be gone. */
  function matchChanged(before, after) {
    if (!now || before.id !== after?.id) return void (now && !after ? (now = null) : null);
    const [old, fresh] = [roundsOf(before).length, roundsOf(after).length];
    if (!now.round && fresh > old) {
      now = null;
      toast(t("review.taken"), { seconds: 9 });
    } else count();
  }

  async function seePhoto() {
    const { reading } = now;
    await sheet(t("review.photo"), () => h("img", { class: "photo-full", src: `${API}/readings/${reading.id}/annotated.png`, alt: t("review.photo_alt") }), { full: true });
  }

  byId("review-board").addEventListener("disc", (event) => tapped(event.detail));
  byId("swap").addEventListener("click", swap);
  byId("confirm").addEventListener("click", confirm);
  byId("discard").addEventListener("click", () => ((now = null), app.show()));
  byId("see-photo").addEventListener("click", seePhoto);
  return { open, show, twenty, matchChanged, busy: () => now !== null, said: (match, event) => saidOf(match, event) };
}

/** What a saved round is announced as. */
function saidOf(match, event) {
  const all = roundsOf(match);
  const round = event === null ? all.at(-1) : all.find((one) => one.event === event);
  if (!round) return null;
  return t(event === null ? "said.round" : "said.corrected", { round: round.round, result: resultWords(match, round) }) + endWords(match);
}

/** A round under review: the reading, what people decide about it, and what the service counts of both. */
import { newKey } from "./api.js";
import { assign } from "./marks.js";

const MOST_TWENTIES = 48;

export class ReviewedRound {
  /** `round` is the round to correct, null for a new one. */
  constructor(match, reading, round = null) {
    Object.assign(this, { match: match.id, reading, round, key: newKey(), preview: null, fresh: false, swapped: false });
    this.names = match.sides.map((side) => side.name);
    this.teams = assign(reading, match.sides);
    this.decisions = new Map();
    this.added = new Map();
    this.mine = new Set();
    this.twenties = round ? null : this.#told();
  }

  /** The 20s removed during play, as told with the photo. */
  #told() {
    const counts = new Map(this.reading.sides.map((side) => [this.teams[side.team], side.twenties ?? 0]));
    return new Map(this.names.map((name) => [name, counts.get(name) ?? 0]));
  }

  /** What is sent: a reading with decisions; of a correction only what changes. */
  get body() {
    const decisions = [...this.decisions].map(([disc, decision]) => ({ disc, ...decision }));
    const twenties = this.twenties && Object.fromEntries(this.twenties);
    if (!this.round) return { reading: this.reading.id, teams: this.teams, twenties, decisions };
    return { decisions, ...(twenties ? { twenties } : {}), ...(this.swapped ? { teams: this.teams } : {}) };
  }

  /** Takes what the service counted, or `{refused}` with its words. */
  take(preview) {
    Object.assign(this, { preview, fresh: true });
    if (!preview.discs) return;
    this.#takeAdded();
    this.teams = { ...this.teams, ...preview.teams };
  }

  /** Discs that a person added to the round before, which the reading does not have. */
  #takeAdded() {
    const seen = new Set(this.reading.discs.map((disc) => disc.id));
    const more = this.preview.discs.filter((disc) => !seen.has(disc.id));
    for (const id of this.added.keys())
      if (!this.mine.has(id) && !more.some((disc) => disc.id === id)) this.added.delete(id);
    for (const disc of more) if (!this.added.has(disc.id)) this.#addDisc(disc.id, disc, this.places?.get(disc.id));
  }

  #addDisc(id, { side, region, place = region === 20 ? "hole" : "board" }, at = null) {
    const [x_mm, y_mm] = at ?? [null, null];
    const disc = { id, team: side, colour: null, place, pixel: null, x_mm, y_mm, region, points: region, line: null };
    this.added.set(id, disc);
  }

  /** Every disc of the round: those seen, and those that people added. */
  get discs() {
    return [...this.reading.discs, ...this.added.values()];
  }

  /** Adds a disc that the photo does not show; `at` is where it lies, `[x_mm, y_mm]`, if that was said. */
  add({ side, region, why, who, at = null }) {
    const id = Math.max(0, ...this.discs.map((disc) => disc.id)) + 1;
    this.#addDisc(id, { side, region }, at);
    this.mine.add(id);
    this.decisions.set(id, { side, region, why, who, ...(at ? { at_mm: at } : {}) });
    this.fresh = false;
  }

  /** Side with the fewest discs on the board: most likely the one whose disc was missed. */
  get fewest() {
    const count = (name) =>
      this.discs.filter((disc) => disc.place !== "off" && this.sideOf(disc) === name).length;
    return [...this.names].sort((one, other) => count(one) - count(other))[0];
  }

  #counted(id) {
    return this.preview?.discs?.find((disc) => disc.id === id);
  }

  /** The 20s that were handed in and do not lie on the board any more, by side. */
  #removed() {
    const totals = this.preview?.totals;
    const removed = (name, index) =>
      totals ? Math.max(0, Math.round((totals[index] - this.boardOf(name)) / 20)) : 0;
    return Object.fromEntries(this.names.map((name, index) => [name, removed(name, index)]));
  }

  /** What a side's discs on the board count, null before it was counted. */
  boardOf(name) {
    const discs = this.preview?.discs;
    return discs
      ? discs.filter((disc) => disc.side === name).reduce((sum, disc) => sum + disc.points, 0)
      : null;
  }

  twentiesOf(name) {
    return this.twenties ? this.twenties.get(name) : this.#removed()[name];
  }

  /** A disc as it counts now, its side as its team: as the service counted it, else as it was seen. */
  counted(disc) {
    const team = this.sideOf(disc);
    const found = this.#counted(disc.id);
    if (!found && (!this.preview?.discs || this.mine.has(disc.id))) return { ...disc, team };
    // One that was counted but is not any more is no disc of this round.
    return { ...disc, team, points: found?.points ?? 0, region: found?.region ?? 0 };
  }

  /** What was decided about a disc: in this review, else, of a round to correct, before it. */
  decisionOn(disc) {
    return this.decisions.get(disc.id) ?? this.#before(disc);
  }

  #before(disc) {
    if (!this.round || !this.preview?.discs) return null;
    const found = this.#counted(disc.id);
    if (!found) return { place: "off" };
    const settled = disc.line?.verdict === "too_close" && found.touch_probability === null;
    return settled || found.region !== disc.region ? { region: found.region } : null;
  }

  sideOf(disc) {
    const { side } = this.decisions.get(disc.id) ?? {};
    return side ?? this.#counted(disc.id)?.side ?? this.teams[disc.team] ?? disc.team;
  }

  /** The points of the discs that people decided about, by id. */
  get decided() {
    const points = (id, decision) =>
      decision.place === "off" ? 0 : (this.#counted(id)?.points ?? decision.region);
    return new Map([...this.decisions].map(([id, decision]) => [id, points(id, decision)]));
  }

  /** The discs to look at again, each with why. */
  get doubts() {
    const disc = (id) => this.reading.discs.find((one) => one.id === id);
    return this.reading.needs_review
      .map((doubt) => ({ disc: disc(doubt.disc), why: doubt.why }))
      .filter((doubt) => doubt.disc);
  }

  /** Sets a decision; the same answer a second time takes it back. */
  decide(id, decision) {
    const old = this.decisions.get(id);
    this.fresh = false;
    if (this.mine.has(id)) return this.#decideMine(id, { ...old, ...decision });
    const isPlain = (one) => !one.side && !one.place;
    const again = old && isPlain(old) && isPlain(decision) && old.region === decision.region;
    if (decision.clear || again) this.decisions.delete(id);
    else this.decisions.set(id, decision);
  }

  /** One that was added in this review is changed, or not there after all. */
  #decideMine(id, decision) {
    if (decision.place !== "off" && !decision.clear) return void this.decisions.set(id, decision);
    for (const kept of [this.added, this.mine, this.decisions]) kept.delete(id);
  }

  /** Adds to a side's 20s. */
  twenty(name, by) {
    this.twenties ??= new Map(Object.entries(this.#removed()));
    this.twenties.set(name, Math.min(MOST_TWENTIES, Math.max(0, this.twenties.get(name) + by)));
    this.fresh = false;
  }

  /** Gives the colours to the sides in the next order; with two it is a swap. Every disc goes with its colour. */
  swap() {
    const teams = this.reading.sides.map((side) => side.team).filter((team) => this.teams[team]);
    const names = teams.map((team) => this.teams[team]);
    if (names.length < 2) return;
    this.twenties ??= new Map(Object.entries(this.#removed()));
    const next = new Map(names.map((name, index) => [name, names[(index + 1) % names.length]]));
    const give = (one, key) => one[key] && (one[key] = next.get(one[key]) ?? one[key]);
    for (const team of teams) give(this.teams, team);
    for (const disc of this.added.values()) give(disc, "team");
    for (const disc of this.preview?.discs ?? []) give(disc, "side");
    for (const decision of this.decisions.values()) give(decision, "side");
    Object.assign(this, { swapped: true, fresh: false });
  }
}

/** What a match's JSON says, in the forms the pages show; nothing here decides or counts a score. */
import { listed, t } from "./words.js";

/** The game being played, or the last one. */
export const gameOf = (match) => match.state.games[match.state.games.length - 1];

/** The rounds of all games, each with its game's number. */
export const roundsOf = (match) =>
  match.state.games.flatMap((game, index) => game.rounds.map((round) => ({ ...round, game: index + 1 })));

/** A side's 20s over the game's rounds where they are known, or null. */
export function twentiesOf(game, index) {
  const known = game.rounds.filter((round) => round.twenties);
  return known.length ? known.reduce((sum, round) => sum + round.twenties[index], 0) : null;
}

/** "Round 2 of 4", "Shoot-out", "Final". */
export function roundWords(match) {
  const { state, rules } = match;
  if (state.over || match.finished_at) return t("bug.final");
  if (state.next === "shoot_out") return t("bug.shoot_out");
  const game = gameOf(match);
  const n = game.rounds.length + 1;
  const of = rules.format?.rounds;
  const words = of
    ? t(n > of ? "bug.extra" : "bug.round_of", { round: n, rounds: of })
    : t("bug.round", { round: n });
  return rules.format?.best_of > 1 ? `${t("bug.game", { game: state.games.length })} · ${words}` : words;
}

/** How the game ends, as a short line. */
export function formatWords(match) {
  const { rounds, target, best_of: games } = match.rules.format ?? {};
  const words = target ? t("format.target", { points: target }) : t("format.rounds", { n: rounds ?? 0 });
  return games > 1 ? `${words} · ${t("format.best_of", { games })}` : words;
}

/** A round's result as one line: "Anna 45, Ben 20". */
export function resultWords(match, round) {
  const names = match.sides.map((side) => side.name);
  if (round.totals)
    return names.map((name, index) => t("result.side", { name, total: round.totals[index] })).join(", ");
  if (round.basis === "forfeit") return t("result.forfeit", { name: round.winner ?? "" });
  if (!round.winner) return t("result.tie");
  return round.difference
    ? t("result.wins_by", { name: round.winner, n: round.difference, points: round.difference })
    : t("result.wins", { name: round.winner });
}

/** What changed between two states of a match, as a sentence to say once; null if nothing a watcher would hear. */
export function changeWords(before, after) {
  if (!before || before.id !== after.id) return null;
  const [old, now] = [roundsOf(before), roundsOf(after)];
  if (now.length < old.length) return t("said.undone");
  if (now.length > old.length) {
    const round = now[now.length - 1];
    return t("said.round", { round: round.round, result: resultWords(after, round) }) + endWords(after);
  }
  const changed = now.find((round, index) => JSON.stringify(round) !== JSON.stringify(old[index]));
  if (changed)
    return (
      t("said.corrected", { round: changed.round, result: resultWords(after, changed) }) + endWords(after)
    );
  return after.state.over && !before.state.over ? endWords(after).trim() : null;
}

/** " Anna wins the match." when it is over, else nothing. */
export function endWords(match) {
  if (!match.state.over) return "";
  return ` ${match.state.winner ? t("said.won", { name: match.state.winner }) : t("said.drawn", { names: listed(match.sides.map((side) => side.name)) })}`;
}

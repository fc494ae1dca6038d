"""When a game, a match or a shoot-out is over, and who won it: pure decisions on points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.awards import lead, winner_index
from scoring.formats import Format, TieBreak

#: A shoot-out is on an empty board: 12 discs each, then one each until someone leads (practice shoot-out).
_SHOOT_OUT_DISCS = 12


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether something is over, and the index of the side that won it; None is a tie, or not over."""

    over: bool
    winner: int | None = None


GOES_ON = Decision(False)
TIED = Decision(True)


def shoot_out_discs(stage: int) -> int:
    """Return how many discs a side shoots in one stage of a shoot-out, counted from 0."""
    return _SHOOT_OUT_DISCS if stage == 0 else 1


def shoot_out_winner(stages: Sequence[Sequence[int]]) -> int | None:
    """Return who leads after the last stage; None while level or not begun."""
    return winner_index(stages[-1]) if stages else None


def decide_game(
    points: Sequence[int], rounds: int, form: Format, shoot_out: Sequence[Sequence[int]] = ()
) -> Decision:
    """Decide a game from its points, the number of rounds played, and any shoot-out stages."""
    leader = winner_index(points)
    if form.target is not None:
        # depot 4g, traditional Stroke 1, popular 10a and 10c, practice first to N.
        return Decision(True, leader) if _reached(points, form.target, form.win_by) else GOES_ON
    extra = rounds - (form.rounds or 0)
    if extra < 0:
        return GOES_ON
    size = form.tie.rounds
    if size and extra % size:
        # practice quinte: a tie-break of two rounds is played to its end.
        return GOES_ON
    if leader is not None:
        return Decision(True, leader)
    if form.tie is TieBreak.SHOOT_OUT:
        winner = shoot_out_winner(shoot_out)
        return GOES_ON if winner is None else Decision(True, winner)
    # traditional Match 2: sudden death until someone wins; wcc fifth round: one round; nca: 4-4 stands.
    more = form.tie.repeats or (size > 0 and extra == 0)
    return GOES_ON if more else TIED


def wants_shoot_out(points: Sequence[int], rounds: int, form: Format) -> bool:
    """Return whether a game that goes on is waiting for a shoot-out and not for a round."""
    return form.tie is TieBreak.SHOOT_OUT and rounds >= (form.rounds or 0)


def decide_match(games_won: Sequence[int], games: int, form: Format) -> Decision:
    """Decide a match from the games each side won and the number of games over, tied ones included.

    It is over as soon as the leader cannot be caught. A level match with a tie-break goes on: its decider
    is one more game (`Format.decider`).
    """
    ahead = lead(games_won)
    remaining = max(form.best_of - games, 0)
    if ahead > remaining:
        return Decision(True, winner_index(games_won))
    if remaining:
        return GOES_ON
    return TIED if form.match_tie is TieBreak.STANDS or games > form.best_of else GOES_ON


def _reached(points: Sequence[int], target: int, win_by: int) -> bool:
    return max(points) >= target and lead(points) >= win_by

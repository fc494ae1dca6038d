"""Short ways to lay out boards, shots and matches in tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.events import Event, OutcomeRound, RoundScored, TypedRound
from scoring.lineup import Lineup, Side
from scoring.record import Record, append, replay
from scoring.regions import Lie
from scoring.rounds import RoundDisc
from scoring.rules import Rules
from scoring.shot_facts import Shot
from scoring.shots import Ruling, judge
from scoring.state import MatchState

HOLE = Lie.in_hole()
LEANER = Lie.in_hole(flat=False)
DITCH = Lie.in_ditch()
IN_15, IN_10, IN_5 = Lie.clear(15), Lie.clear(10), Lie.clear(5)
ON_15, ON_10, ON_5 = Lie.touching(15), Lie.touching(10), Lie.touching(5)

#: The id every shot in these tests gives to the disc that is shot.
SHOOTER = 100


def discs(side: str, *lies: Lie, start: int = 1) -> tuple[RoundDisc, ...]:
    return tuple(RoundDisc(start + index, side, lie) for index, lie in enumerate(lies))


def shoot(
    rules: Rules,
    ends: Lie,
    *,
    mine: dict[int, tuple[Lie, Lie]] | None = None,
    theirs: dict[int, tuple[Lie, Lie]] | None = None,
    **facts: Any,
) -> Ruling:
    """Judge a shot of "me": where it ends, and each other disc as (before, after)."""
    lies = [("me", mine or {}), ("them", theirs or {})]
    before = tuple(RoundDisc(key, side, was) for side, group in lies for key, (was, _) in group.items())
    after = tuple(RoundDisc(key, side, now) for side, group in lies for key, (_, now) in group.items())
    return judge(Shot("me", SHOOTER, before, (RoundDisc(SHOOTER, "me", ends), *after), **facts), rules)


def singles(rules: Rules, *events: Event, first: int = 0) -> Record:
    return Record(Lineup.single("A", "B"), rules, first, events)


def doubles(rules: Rules, *events: Event) -> Record:
    return Record(Lineup.doubles(Side("X", ("X1", "X2")), Side("Y", ("Y1", "Y2"))), rules, 0, events)


def typed(a: int, b: int) -> RoundScored:
    return RoundScored(TypedRound.of({"A": a, "B": b}))


def won(winner: str) -> RoundScored:
    """A round "A" or "B" won, or "=" for a tie, of which nothing else is known."""
    return RoundScored(OutcomeRound.of({side: 1 if winner in ("=", side) else 2 for side in "AB"}))


def play(record: Record, *events: Event) -> Record:
    for event in events:
        record = append(record, event)
    return record


def after_rounds(rules: Rules, winners: Sequence[str]) -> MatchState:
    """The state after rounds won as in "AAB="."""
    return replay(play(singles(rules), *(won(winner) for winner in winners)))

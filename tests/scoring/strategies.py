"""Hypothesis strategies for rules, lies, rounds and matches."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from scoring.events import (
    Correction,
    Event,
    Forfeit,
    HornSounded,
    MeasuredRound,
    OutcomeRound,
    Penalty,
    RoundScored,
    Scope,
    ShootOutScored,
    ShotTaken,
    TypedRound,
    Undo,
)
from scoring.formats import Format, TieBreak
from scoring.presets import option_names, preset, preset_names
from scoring.regions import Lie, Place, Touch
from scoring.rounds import RoundDisc
from scoring.rules import Rules
from scoring.shots import Verdict
from scoring.tally import Tally

#: Deterministic and without a deadline, for machines that are busy with other things.
steady = settings(derandomize=True, deadline=None, max_examples=60)

ALL_RULES: list[Rules] = [preset(name) for name in preset_names()] + [
    preset(name, option) for name in preset_names() for option in option_names(name)
]

any_rules = st.sampled_from(ALL_RULES)

decided_lies = st.one_of(
    st.sampled_from(
        [Lie.in_hole(), Lie.in_hole(flat=False), Lie.in_ditch(), Lie(Place.OFF, None, Touch.NO, 0.0)]
    ),
    st.builds(Lie.clear, st.sampled_from([15, 10, 5])),
    st.builds(Lie.touching, st.sampled_from([15, 10, 5])),
)
open_lies = st.builds(Lie.unsure, st.sampled_from([15, 10, 5]), st.floats(0.0, 1.0))
lies = st.one_of(decided_lies, open_lies)


@st.composite
def rounds(
    draw: st.DrawFn, sides: tuple[str, ...], most: int = 8
) -> tuple[tuple[RoundDisc, ...], dict[str, int]]:
    """Discs and handed-in 20s that ``sides`` with ``most`` discs each can have."""
    discs: list[RoundDisc] = []
    twenties = {}
    for side in sides:
        seen = draw(st.integers(0, min(most, 4)))
        twenties[side] = draw(st.integers(0, most - seen))
        discs += [RoundDisc(len(discs) + number, side, draw(lies)) for number in range(seen)]
    return tuple(discs), twenties


@st.composite
def formats(draw: st.DrawFn) -> Format:
    """Any format that can be played."""
    if draw(st.booleans()):
        return Format(target=draw(st.integers(1, 200)), win_by=draw(st.integers(1, 3)))
    tie = draw(st.sampled_from(TieBreak))
    best_of = draw(st.sampled_from([1, 1, 3]))
    match_tie = draw(st.sampled_from(TieBreak)) if best_of > 1 else TieBreak.STANDS
    return Format(rounds=draw(st.integers(1, 6)), tie=tie, best_of=best_of, match_tie=match_tie)


def _tally(sides: tuple[str, ...], numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Tally]:
    return st.tuples(*(st.tuples(st.just(side), numbers) for side in sides))


@st.composite
def entries(draw: st.DrawFn, sides: tuple[str, ...]) -> MeasuredRound | TypedRound | OutcomeRound:
    """A round of any kind, mostly possible."""
    kind = draw(st.sampled_from(["measured", "typed", "bare", "outcome"]))
    if kind == "measured":
        discs, twenties = draw(rounds(sides))
        return MeasuredRound(discs, tuple(twenties.items()))
    if kind == "outcome":
        winner = draw(st.sampled_from([None, *sides]))
        order = {side: 1 if winner in (None, side) else 2 for side in sides}
        return OutcomeRound.of(order, draw(st.sampled_from([None, 0 if winner is None else 15])))
    twenties = draw(_tally(sides, st.integers(0, 4)))
    totals = tuple((side, count * 20 + 5 * draw(st.integers(0, 12))) for side, count in twenties)
    return TypedRound(totals, twenties if kind == "typed" else None)


def events(sides: tuple[str, ...], players: tuple[str, ...]) -> st.SearchStrategy[Event]:
    """Any event, legal or not at the moment it comes."""
    number = st.integers(0, 12)
    reason = st.just("looked again")
    side = st.sampled_from(sides)
    return st.one_of(
        st.builds(RoundScored, entries(sides)),
        st.builds(RoundScored, entries(sides)),
        st.builds(
            ShotTaken, st.sampled_from(players), st.sampled_from(Verdict), _tally(sides, st.integers(0, 1))
        ),
        st.builds(Correction, number, entries(sides), reason),
        st.builds(Penalty, side, st.integers(1, 3), reason),
        st.builds(Forfeit, side, st.sampled_from(Scope), reason),
        st.builds(Undo, number),
        st.just(HornSounded()),
        st.builds(ShootOutScored, _tally(sides, st.integers(0, 12))),
    )

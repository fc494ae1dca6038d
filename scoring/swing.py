"""The swing of a round: which undecided calls change its result, so that a referee looks only at those.

The outcomes of all combinations are counted over the sides' board points and not over the combinations, so
twenty open calls cost little more than two. Contacts of different discs are taken as independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.awards import awarded, lead, raw_totals, winner_index
from scoring.regions import Contact
from scoring.rules import Rules

#: With more deciding calls than this, only single calls and pairs are told as cases; outcomes stay complete.
_ALL_COMBINATIONS = 6

_Boards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round can end: winner (None is a tie), the winner's lead, the points awarded by side."""

    winner: str | None
    difference: int
    awarded: tuple[int, ...]

    @property
    def text(self) -> str:
        """A person's words."""
        return "the round is a tie" if self.winner is None else f"{self.winner} wins by {self.difference}"


@dataclass(frozen=True, slots=True)
class Likely:
    """An outcome with its probability."""

    outcome: Outcome
    probability: float


@dataclass(frozen=True, slots=True)
class OpenCall:
    """One undecided contact: the likely answer, and what a touch takes from each side's board."""

    disc: int
    contact: Contact
    likely_touching: bool
    change: tuple[int, ...]

    def shift(self, touching: bool) -> tuple[int, ...]:
        """Return what an answer changes against the likely one."""
        step = int(touching) - int(self.likely_touching)
        return tuple(step * points for points in self.change)

    def words(self, touching: bool) -> str:
        """Say one answer."""
        return f"disc {self.disc} is {'on' if touching else 'clear of'} the {self.contact.line} line"


@dataclass(frozen=True, slots=True)
class Call:
    """One undecided contact and what it does to the round.

    ``decides``: some answer of the other calls makes this one change the winner or the points awarded.
    ``if_touching`` and ``if_clear`` are the outcomes still possible after that answer.
    """

    disc: int
    contact: Contact
    decides: bool
    if_touching: tuple[Likely, ...]
    if_clear: tuple[Likely, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """Answers, as (disc, touching), that against the likely reading lead to another outcome."""

    answers: tuple[tuple[int, bool], ...]
    outcome: Outcome
    text: str


@dataclass(frozen=True, slots=True)
class Swing:
    """All outcomes still possible, most probable first; every open call; the cases that change the result."""

    outcomes: tuple[Likely, ...]
    calls: tuple[Call, ...]
    cases: tuple[Case, ...]

    @property
    def look_at(self) -> tuple[int, ...]:
        """The discs a referee has to look at."""
        return tuple(call.disc for call in self.calls if call.decides)


@dataclass(frozen=True, slots=True)
class Standing:
    """Board points without 20s, and 20s, of each side by the likely answers."""

    sides: tuple[str, ...]
    boards: _Boards
    twenties: tuple[int, ...]
    rules: Rules

    def outcome(self, shift: Sequence[int]) -> Outcome:
        """Return how the round ends with the boards shifted by some answers."""
        boards = _plus(self.boards, shift)
        totals = raw_totals(boards, self.twenties)
        index = winner_index(totals)
        winner = None if index is None else self.sides[index]
        return Outcome(winner, lead(totals), awarded(boards, self.twenties, self.rules))


def swing_of(standing: Standing, calls: Sequence[OpenCall]) -> Swing:
    """Return the swing of a round with these calls open."""
    told = []
    for call in calls:
        others = _shifts(standing, [other for other in calls if other is not call])
        told.append(
            Call(
                call.disc,
                call.contact,
                _decides(standing, call, others),
                _outcomes(standing, others, call.shift(True)),
                _outcomes(standing, others, call.shift(False)),
            )
        )
    deciding = [call for call, seen in zip(calls, told, strict=True) if seen.decides]
    everything = _outcomes(standing, _shifts(standing, calls), (0,) * len(standing.sides))
    return Swing(everything, tuple(told), _cases(standing, deciding))


def _plus(first: Sequence[int], second: Sequence[int]) -> _Boards:
    return tuple(one + other for one, other in zip(first, second, strict=True))


def _shifts(standing: Standing, calls: Iterable[OpenCall]) -> dict[_Boards, float]:
    """Return every sum of shifts the calls can make, with its probability."""
    shifts: dict[_Boards, float] = {(0,) * len(standing.sides): 1.0}
    for call in calls:
        grown: dict[_Boards, float] = {}
        for touching in (True, False):
            chance = call.contact.touch_probability if touching else 1.0 - call.contact.touch_probability
            for shift, probability in shifts.items():
                key = _plus(shift, call.shift(touching))
                grown[key] = grown.get(key, 0.0) + probability * chance
        shifts = grown
    return shifts


def _outcomes(standing: Standing, shifts: dict[_Boards, float], extra: Sequence[int]) -> tuple[Likely, ...]:
    chances: dict[Outcome, float] = {}
    for shift, probability in shifts.items():
        outcome = standing.outcome(_plus(shift, extra))
        chances[outcome] = chances.get(outcome, 0.0) + probability
    likely = [Likely(outcome, probability) for outcome, probability in chances.items()]
    return tuple(sorted(likely, key=lambda each: (-each.probability, each.outcome.text)))


def _result(outcome: Outcome) -> tuple[str | None, tuple[int, ...]]:
    """Return what counts: a lead that changes neither winner nor points changes nothing."""
    return outcome.winner, outcome.awarded


def _decides(standing: Standing, call: OpenCall, others: Iterable[_Boards]) -> bool:
    return any(
        _result(standing.outcome(_plus(shift, call.shift(True))))
        != _result(standing.outcome(_plus(shift, call.shift(False))))
        for shift in others
    )


def _cases(standing: Standing, calls: Sequence[OpenCall]) -> tuple[Case, ...]:
    """Return the smallest sets of answers that lead somewhere their own parts do not."""
    nothing = (0,) * len(standing.sides)
    reached: dict[frozenset[int], set[object]] = {frozenset(): {_result(standing.outcome(nothing))}}
    cases = []
    sizes = len(calls) if len(calls) <= _ALL_COMBINATIONS else 2
    for size in range(1, sizes + 1):
        for chosen in combinations(calls, size):
            shift: _Boards = nothing
            for call in chosen:
                shift = _plus(shift, call.shift(not call.likely_touching))
            outcome = standing.outcome(shift)
            ids = frozenset(call.disc for call in chosen)
            known = set().union(*(reached[ids - {disc}] for disc in ids))
            reached[ids] = known | {_result(outcome)}
            if _result(outcome) not in known:
                answers = tuple((call.disc, not call.likely_touching) for call in chosen)
                words = " and ".join(call.words(not call.likely_touching) for call in chosen)
                cases.append(Case(answers, outcome, f"if {words} {outcome.text}"))
    return tuple(cases)

"""From what was handed in for a round (measured, typed in, or an outcome only) to its result."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.awards import awarded, awarded_by_outcome, lead, raw_totals, winner_index
from scoring.errors import BadFact
from scoring.events import Entry, MeasuredRound, OutcomeRound, TypedRound
from scoring.rounds import standing_of
from scoring.rules import Award, Rules
from scoring.state import Basis, Result
from scoring.tally import Tally, in_order


def result_of(entry: Entry, sides: tuple[str, ...], discs: int, rules: Rules) -> Result:
    """Return the result of a round in which each side had ``discs`` discs.

    Raises `BadFact` for numbers those discs cannot give, and for an award that needs what is not known.
    """
    if isinstance(entry, MeasuredRound):
        return _measured(entry, sides, discs, rules)
    if isinstance(entry, TypedRound):
        return _typed(entry, sides, discs, rules)
    return outcome_result(entry, sides, discs, rules, Basis.OUTCOME)


def outcome_result(
    entry: OutcomeRound, sides: tuple[str, ...], discs: int, rules: Rules, basis: Basis
) -> Result:
    """Return the result of a round of which only the outcome is known."""
    places = in_order(entry.places, sides, "places")
    twenties = _known_twenties(entry.twenties, sides, discs)
    winner = _named(winner_index([-place for place in places]), sides)
    points = awarded_by_outcome(places, entry.difference, rules)
    return Result(basis, winner, entry.difference, points, None, twenties)


def _measured(entry: MeasuredRound, sides: tuple[str, ...], discs: int, rules: Rules) -> Result:
    handed_in = in_order(entry.twenties, sides, "20s")
    standing = standing_of(entry.discs, sides, dict(entry.twenties), rules)
    owners = [disc.side for disc in entry.discs]
    for side, count in zip(sides, handed_in, strict=True):
        if owners.count(side) + count > discs:
            raise BadFact(
                f"{side} has {discs} discs, not {owners.count(side)} seen and {count} handed in as 20s"
            )
    return _scored(Basis.MEASURED, sides, standing.boards, standing.twenties, rules)


def _typed(entry: TypedRound, sides: tuple[str, ...], discs: int, rules: Rules) -> Result:
    totals = in_order(entry.totals, sides, "totals")
    twenties = _known_twenties(entry.twenties, sides, discs)
    if twenties is None:
        if rules.award is Award.DIFFERENCE_THEN_TWENTIES and len(sides) == 2:
            # popular 9 cancels the board before the 20s are added, so a bare total does not do.
            raise BadFact("these rules need the number of 20s besides the total")
        for side, total in zip(sides, totals, strict=True):
            if total > 20 * discs:
                raise BadFact(f"{side} cannot have {total}: {discs} discs give {20 * discs} at most")
        # Every other award looks at totals only, so the unknown split does not matter.
        points = awarded(totals, [0] * len(sides), rules)
        return Result(Basis.TYPED, _named(winner_index(totals), sides), lead(totals), points, totals)
    boards = [total - 20 * count for total, count in zip(totals, twenties, strict=True)]
    for side, board, count in zip(sides, boards, twenties, strict=True):
        if not 0 <= board <= 15 * (discs - count):
            raise BadFact(f"{side} cannot have {board + 20 * count} with {count} 20s and {discs} discs")
    return _scored(Basis.TYPED, sides, boards, twenties, rules)


def _scored(
    basis: Basis, sides: Sequence[str], boards: Sequence[int], twenties: Sequence[int], rules: Rules
) -> Result:
    totals = raw_totals(boards, twenties)
    winner = _named(winner_index(totals), sides)
    points = awarded(boards, twenties, rules)
    return Result(basis, winner, lead(totals), points, totals, tuple(twenties))


def _known_twenties(given: Tally | None, sides: tuple[str, ...], discs: int) -> tuple[int, ...] | None:
    if given is None:
        return None
    twenties = in_order(given, sides, "20s")
    for side, count in zip(sides, twenties, strict=True):
        if count > discs:
            raise BadFact(f"{side} has {discs} discs, not {count} 20s")
    return twenties


def _named(index: int | None, sides: Sequence[str]) -> str | None:
    return None if index is None else sides[index]

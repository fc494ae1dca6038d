"""From the sides' boards and 20s to what the round gives each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoring.errors import BadFact
from scoring.rules import Award, Rules

Points = tuple[int, ...]


def winner_index(totals: Sequence[int]) -> int | None:
    """Return who has the highest total, or None when the best two are level."""
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None


def lead(totals: Sequence[int]) -> int:
    """Return how far the best is ahead of the second."""
    first, second = sorted(totals, reverse=True)[:2]
    return first - second


def awarded(boards: Sequence[int], twenties: Sequence[int], rules: Rules) -> Points:
    """Return what a round gives each side.

    ``boards`` are points on the board without any 20, ``twenties`` the number of 20s, removed or still in
    the hole. Two sides are scored by ``rules.award``, three and four by ``rules.award_many``.
    """
    award = rules.award if len(boards) == 2 else rules.award_many
    return _AWARDS[award](boards, twenties, rules)


def awarded_by_outcome(places: Sequence[int], difference: int | None, rules: Rules) -> Points:
    """Return what a round gives when only the places (1 is best, ties share) are known.

    Raises `BadFact` when the award needs a score nobody has: points are never invented.
    """
    award = rules.award if len(places) == 2 else rules.award_many
    ranks = tuple(-place for place in places)
    if award is Award.MATCH_POINTS:
        return match_points(ranks)
    if award is Award.PLACINGS:
        return placing_points(ranks, rules.placings)
    if award is Award.DIFFERENCE and difference is not None:
        winner = winner_index(ranks)
        return tuple(difference if side == winner else 0 for side in range(len(places)))
    wanted = "the difference" if award is Award.DIFFERENCE else "each side's score"
    raise BadFact(f"an outcome alone gives no points here: {wanted} is needed")


def match_points(totals: Sequence[int]) -> Points:
    """Two for the winner, one each for a tie (depot 4f, traditional Match 1, popular 10c, nca award)."""
    winner = winner_index(totals)
    return tuple(1 if winner is None else 2 * (side == winner) for side in range(len(totals)))


def difference_points(totals: Sequence[int]) -> Points:
    """The higher total scores the difference (depot 4g, traditional Stroke 1, printable Objective 2)."""
    return tuple(total - min(totals) for total in totals)


def placing_points(totals: Sequence[int], placings: Sequence[int]) -> Points:
    """Each place has its points; tied sides add theirs up and divide (depot 7d)."""
    points = []
    for total in totals:
        better = sum(other > total for other in totals)
        level = totals.count(total)
        points.append(sum(placings[better : better + level]) // level)
    return tuple(points)


def raw_totals(boards: Sequence[int], twenties: Sequence[int]) -> Points:
    """Board and 20s added up, 20 for each (depot 2c, traditional Scoring 1 and 3, printable Scoring 1)."""
    return tuple(board + 20 * count for board, count in zip(boards, twenties, strict=True))


def _match_points(boards: Sequence[int], twenties: Sequence[int], rules: Rules) -> Points:
    return match_points(raw_totals(boards, twenties))


def _difference(boards: Sequence[int], twenties: Sequence[int], rules: Rules) -> Points:
    return difference_points(raw_totals(boards, twenties))


def _difference_then_twenties(boards: Sequence[int], twenties: Sequence[int], rules: Rules) -> Points:
    # popular 9: cancel what lies on the board, then add the 20s to each side.
    return raw_totals(difference_points(boards), twenties)


def _total(boards: Sequence[int], twenties: Sequence[int], rules: Rules) -> Points:
    return raw_totals(boards, twenties)


def _placings(boards: Sequence[int], twenties: Sequence[int], rules: Rules) -> Points:
    return placing_points(raw_totals(boards, twenties), rules.placings)


_AWARDS: dict[Award, Callable[[Sequence[int], Sequence[int], Rules], Points]] = {
    Award.MATCH_POINTS: _match_points,
    Award.DIFFERENCE: _difference,
    Award.DIFFERENCE_THEN_TWENTIES: _difference_then_twenties,
    Award.TOTAL: _total,
    Award.PLACINGS: _placings,
}

"""One round: from discs and 20s to totals, the winner, the points awarded, and what is still open.

``board`` is what the discs seen at the end are worth, a disc still flat in the hole included with its 20.
``twenties`` is the number of 20s removed during play and handed in, so nothing is counted twice;
``twenties_made`` is both. ``total`` is ``board + 20 * twenties``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.errors import BadFact
from scoring.regions import Lie, contact_of, points_of
from scoring.rules import Rules
from scoring.swing import OpenCall, Standing, Swing, swing_of
from scoring.tally import check_counts

#: The regions a disc is counted in under the rules in force, best first; 0 is out of play.
REGIONS = (20, 15, 10, 5, 0)


@dataclass(frozen=True, slots=True)
class RoundDisc:
    """A disc at the end of a round. ``on`` is the disc it is stacked on, lying flat, if any."""

    id: int
    side: str
    lie: Lie
    on: int | None = None


@dataclass(frozen=True, slots=True)
class SideScore:
    """What one side has in a round; ``counts`` are its discs in each of `REGIONS`."""

    side: str
    board: int
    twenties: int
    counts: tuple[int, ...]
    awarded: int

    @property
    def total(self) -> int:
        """The raw total."""
        return self.board + 20 * self.twenties

    @property
    def regions(self) -> dict[int, int]:
        """Discs by region."""
        return dict(zip(REGIONS, self.counts, strict=True))

    @property
    def twenties_made(self) -> int:
        """20s removed during play and 20s still lying in the hole."""
        return self.twenties + self.counts[0]


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A scored round. ``winner`` is None when the best sides tie; ``difference`` is the winner's lead."""

    sides: tuple[SideScore, ...]
    winner: str | None
    difference: int
    swing: Swing

    def of(self, side: str) -> SideScore:
        """Return one side's score."""
        return next(score for score in self.sides if score.side == side)


def score_round(
    discs: Iterable[RoundDisc], sides: Sequence[str], twenties: Mapping[str, int], rules: Rules
) -> RoundScore:
    """Score a round by the more probable answers, with the swing of the undecided ones.

    ``twenties`` are those removed during play; a side left out made none. Raises `BadFact` for discs,
    sides or counts that cannot be.
    """
    discs, sides = tuple(discs), tuple(sides)
    _check_sides(sides)
    bases = base_lies(discs)
    standing = standing_of(discs, sides, twenties, rules)
    outcome = standing.outcome((0,) * len(sides))
    scores = []
    for index, side in enumerate(sides):
        points = [points_of(bases[disc.id].lie, rules) for disc in discs if disc.side == side]
        counts = tuple(points.count(region) for region in REGIONS)
        board = standing.boards[index] + 20 * counts[0]
        scores.append(SideScore(side, board, twenties.get(side, 0), counts, outcome.awarded[index]))
    calls = _open_calls(discs, sides, bases, rules)
    return RoundScore(tuple(scores), outcome.winner, outcome.difference, swing_of(standing, calls))


def standing_of(
    discs: Sequence[RoundDisc], sides: Sequence[str], twenties: Mapping[str, int], rules: Rules
) -> Standing:
    """Return board points without 20s and the number of 20s of each side, by the more probable answers.

    Raises `BadFact` for a disc or a count of a side that does not play.
    """
    check_counts(twenties.values(), "20s")
    boards = dict.fromkeys(sides, 0)
    counts = {side: twenties.get(side, 0) for side in sides}
    bases = base_lies(discs)
    for side in {*twenties, *(disc.side for disc in discs)} - set(sides):
        raise BadFact(f"no side {side!r} in this round; there are {', '.join(sides)}")
    for disc in discs:
        points = points_of(bases[disc.id].lie, rules)
        if points == 20:
            counts[disc.side] += 1
        else:
            boards[disc.side] += points
    return Standing(tuple(sides), tuple(boards.values()), tuple(counts.values()), rules)


def base_lies(discs: Sequence[RoundDisc]) -> dict[int, RoundDisc]:
    """Return, for each disc, the disc whose lie it scores by: itself, or the one at the bottom of its stack.

    nca stacked: a stacked disc lying flat scores as the disc under it; the books say nothing else.
    Raises `BadFact` for ids that repeat or stacks that stand on nothing.
    """
    by_id = {disc.id: disc for disc in discs}
    if len(by_id) != len(discs):
        raise BadFact("two discs have the same id")
    bases = dict(by_id)
    for disc in (each for each in discs if each.on is not None):
        base, seen = disc, {disc.id}
        while base.on is not None:
            if base.on not in by_id or base.on in seen:
                raise BadFact(f"disc {disc.id} is stacked on {base.on}, which carries nothing")
            seen.add(base.on)
            base = by_id[base.on]
        bases[disc.id] = base
    return bases


def _check_sides(sides: tuple[str, ...]) -> None:
    if not 2 <= len(sides) <= 4 or len(set(sides)) != len(sides):
        raise BadFact(f"a round has two to four different sides, not {', '.join(sides) or 'none'}")


def _open_calls(
    discs: Sequence[RoundDisc], sides: tuple[str, ...], bases: Mapping[int, RoundDisc], rules: Rules
) -> tuple[OpenCall, ...]:
    """Return one call for each undecided contact; discs stacked on it move with it."""
    calls = []
    for disc in discs:
        contact = contact_of(disc.lie, rules)
        riders = [other.side for other in discs if bases[other.id].id == disc.id]
        if contact is None or not riders:
            continue
        loss = contact.touching_points - contact.clear_points
        change = tuple(loss * riders.count(side) for side in sides)
        calls.append(OpenCall(disc.id, contact, disc.lie.likely_touching, change))
    return tuple(calls)

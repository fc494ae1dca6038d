"""What was seen, scored: from a photo's reading and the rules to points, winner and what to look at twice.

Nothing is measured here and no rule is decided here: ``vision`` hands over gaps, ``scoring`` gives points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.regions import Lie, Place, Touch, contact_of, points_of, region_of
from scoring.rounds import RoundDisc, RoundScore, score_round
from scoring.rules import Rules
from service.sides import Sides
from vision.draw_words import gap_words
from vision.reading import BoardReading, SeenDisc, Verdict
from vision.reading import Place as SeenPlace

NO_TWENTIES = "no 20s given: those removed during play are not in the picture; add --twenties"
NO_DISCS = "no disc was seen on this board; if there are some, take the photo again in better light"

_TOUCH_OF = {Verdict.CLEAR: Touch.NO, Verdict.TOUCHING: Touch.YES, Verdict.TOO_CLOSE: Touch.UNSURE}
_LEANS = "leans on the hole's edge"


@dataclass(frozen=True, slots=True)
class Review:
    """A disc a person should look at, and why, in plain words; ``decides`` when the round hangs on it."""

    disc: int
    why: str
    decides: bool = False


@dataclass(frozen=True, slots=True)
class ScoredPhoto:
    """One photo read and scored. ``regions`` and ``points`` are by disc id, ``review`` has each disc once.

    ``twenties_given`` is False when nobody said how many 20s were removed during play.
    """

    seen: BoardReading
    score: RoundScore
    regions: Mapping[int, int]
    points: Mapping[int, int]
    names: Mapping[str, str]
    twenties_given: bool
    review: tuple[Review, ...]
    warnings: tuple[str, ...]

    def called(self, team: str) -> str:
        """A side as people know it: ``Anna (dark)``, or the team's word where no name was given."""
        return _called(team, self.names)

    @property
    def result_words(self) -> str:
        """Who won, without a full stop, and what that rests on."""
        if self.score.winner is None:
            words = "The round is a tie"
        else:
            words = f"{self.called(self.score.winner)} wins the round by {self.score.difference}"
        return words if self.twenties_given else f"{words} if no 20s were removed during play"


def compose(seen: BoardReading, rules: Rules, sides: Sides) -> ScoredPhoto:
    """Score what was seen. Raises :class:`~service.errors.UsageError` for a team that is not in the photo."""
    table = _Table(seen, {disc.id: _lie_of(disc) for disc in seen.discs}, sides, rules)
    score = table.score(table.lies)
    twenties_given = bool(sides.twenties)
    warnings = [*seen.warnings]
    if not seen.discs:
        warnings.append(NO_DISCS)
    if not twenties_given:
        warnings.append(NO_TWENTIES)
    return ScoredPhoto(
        seen=seen,
        score=score,
        regions={id: region_of(lie) for id, lie in table.lies.items()},
        points={id: points_of(lie, rules) for id, lie in table.lies.items()},
        names=sides.names,
        twenties_given=twenties_given,
        review=_reviews(table, score),
        warnings=tuple(warnings),
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """All that a round is scored from; ``lies`` are by disc id."""

    seen: BoardReading
    lies: Mapping[int, Lie]
    sides: Sides
    rules: Rules

    def score(self, lies: Mapping[int, Lie]) -> RoundScore:
        """The round, had the discs lain so."""
        # A disc beside the board belongs to no round: it may not even be one of the sides' own.
        discs = [
            RoundDisc(disc.id, disc.team, lies[disc.id])
            for disc in self.seen.discs
            if disc.place is not SeenPlace.OFF
        ]
        return score_round(discs, self.sides.teams(self.seen.teams), self.sides.twenties, self.rules)


def _lie_of(disc: SeenDisc) -> Lie:
    place = Place(disc.place)
    if place is not Place.BOARD or disc.gap is None:
        return Lie(place, None, Touch.NO, 0.0, disc.flat)
    gap = disc.gap
    return Lie(place, gap.line, _TOUCH_OF[gap.verdict], gap.touch_probability, disc.flat)


def _reviews(table: _Table, score: RoundScore) -> tuple[Review, ...]:
    """Every disc that deserves a second look; those that decide the round come first."""
    reviews = []
    for disc in table.seen.discs:
        why, decides = [], False
        if disc.gap is not None and disc.gap.verdict is Verdict.TOO_CLOSE:
            words, decides = _contact_stake(disc.id, table, score)
            why += [f"too close to the {disc.gap.line} line: {gap_words(disc.gap.clearance_mm)}", words]
        if disc.doubt is not None:
            why.append(disc.doubt)
        if disc.place is SeenPlace.HOLE and not disc.flat:
            words, decides = _leaner_stake(disc.id, table, score)
            why += [words] if disc.doubt is not None else [_LEANS, words]
        if why:
            reviews.append(Review(disc.id, "; ".join(why), decides))
    return tuple(sorted(reviews, key=lambda review: (not review.decides, review.disc)))


def _contact_stake(disc: int, table: _Table, score: RoundScore) -> tuple[str, bool]:
    """What a close disc counts, what it would count otherwise, and whether the round hangs on it."""
    lie = table.lies[disc]
    contact = contact_of(lie, table.rules)
    if contact is None:
        return f"counted {points_of(lie, table.rules)} either way", False
    if lie.likely_touching:
        words = f"counted {contact.touching_points}, or {contact.clear_points} if it is clear"
    else:
        words = f"counted {contact.clear_points}, or {contact.touching_points} if it touches"
    call = next(call for call in score.swing.calls if call.disc == disc)
    if not call.decides:
        return words, False
    otherwise = (call.if_clear if lie.likely_touching else call.if_touching)[0].outcome
    if (otherwise.winner, otherwise.awarded) == _result(score):
        return f"{words}, which with another close disc decides the round", True
    return f"{words}, and then {_outcome_words(otherwise.winner, otherwise.difference, table)}", True


def _leaner_stake(disc: int, table: _Table, score: RoundScore) -> tuple[str, bool]:
    """The same for a disc that leans on the hole's edge, had it lain flat."""
    flat = replace(table.lies[disc], flat=True)
    counted, otherwise_counted = (points_of(lie, table.rules) for lie in (table.lies[disc], flat))
    words = f"counted {counted}, or {otherwise_counted} if it lies flat in the hole"
    otherwise = table.score({**table.lies, disc: flat})
    if _result(otherwise) == _result(score):
        return words, False
    return f"{words}, and then {_outcome_words(otherwise.winner, otherwise.difference, table)}", True


def _result(score: RoundScore) -> tuple[str | None, tuple[int, ...]]:
    return score.winner, tuple(side.awarded for side in score.sides)


def _outcome_words(winner: str | None, difference: int, table: _Table) -> str:
    if winner is None:
        return "the round is a tie"
    return f"{_called(winner, table.sides.names)} wins by {difference}"


def _called(team: str, names: Mapping[str, str]) -> str:
    return f"{names[team]} ({team})" if team in names else team

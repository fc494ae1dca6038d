"""What was seen, scored: from a photo's reading and the rules to points, winner and what to look at twice.

Nothing is measured here and no rule is decided here: ``vision`` hands over gaps, ``scoring`` gives points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from calibration.measured import Measured
from scoring.regions import Lie, Place, Touch, contact_of, points_of, region_of
from scoring.rounds import RoundDisc, RoundScore, score_round
from scoring.rules import Rules
from service.sides import Sides
from vision.reading import BoardReading, SeenDisc, Verdict
from vision.reading import Place as SeenPlace

NO_TWENTIES = "no 20s given: those removed during play are not in the picture; add --twenties"

_TOUCH_OF = {Verdict.CLEAR: Touch.NO, Verdict.TOUCHING: Touch.YES, Verdict.TOO_CLOSE: Touch.UNSURE}


@dataclass(frozen=True, slots=True)
class Review:
    """A disc a person should look at, and why, in plain words."""

    disc: int
    why: str


@dataclass(frozen=True, slots=True)
class ScoredPhoto:
    """One photo read and scored. ``regions`` and ``points`` are by disc id, ``names`` by team word."""

    seen: BoardReading
    score: RoundScore
    regions: Mapping[int, int]
    points: Mapping[int, int]
    names: Mapping[str, str]
    review: tuple[Review, ...]
    warnings: tuple[str, ...]


def compose(seen: BoardReading, rules: Rules, sides: Sides) -> ScoredPhoto:
    """Score what was seen. Raises :class:`~service.errors.UsageError` for a team that is not in the photo."""
    lies = {disc.id: _lie_of(disc) for disc in seen.discs}
    # A disc beside the board belongs to no round: it may not even be one of the sides' own.
    in_round = [disc for disc in seen.discs if disc.place is not SeenPlace.OFF]
    score = score_round(
        [RoundDisc(disc.id, disc.team, lies[disc.id]) for disc in in_round],
        sides.teams(seen.teams),
        sides.twenties,
        rules,
    )
    return ScoredPhoto(
        seen=seen,
        score=score,
        regions={id: region_of(lie) for id, lie in lies.items()},
        points={id: points_of(lie, rules) for id, lie in lies.items()},
        names=sides.names,
        review=_reviews(seen.discs, lies, rules, score),
        warnings=seen.warnings if sides.twenties else (*seen.warnings, NO_TWENTIES),
    )


def _lie_of(disc: SeenDisc) -> Lie:
    place = Place(disc.place)
    if place is not Place.BOARD or disc.gap is None:
        return Lie(place, None, Touch.NO, 0.0, disc.flat)
    gap = disc.gap
    return Lie(place, gap.line, _TOUCH_OF[gap.verdict], gap.touch_probability, disc.flat)


def _reviews(
    discs: tuple[SeenDisc, ...], lies: Mapping[int, Lie], rules: Rules, score: RoundScore
) -> tuple[Review, ...]:
    """Every reason for a second look; the discs that decide the round come first."""
    reviews = []
    for disc in discs:
        if disc.gap is not None and disc.gap.verdict is Verdict.TOO_CLOSE:
            gap = _gap_words(disc.gap.clearance_mm)
            stake = _stake_words(disc.id, lies[disc.id], rules, score)
            reviews.append(Review(disc.id, f"too close to the {disc.gap.line} line: {gap}; {stake}"))
        if disc.place is SeenPlace.HOLE and not disc.flat:
            counted = points_of(lies[disc.id], rules)
            reviews.append(
                Review(disc.id, f"leans on the hole's edge: counted {counted}, 20 only if it lies flat")
            )
        if disc.doubt is not None:
            reviews.append(Review(disc.id, disc.doubt))
    deciding = score.swing.look_at
    return tuple(sorted(reviews, key=lambda review: (review.disc not in deciding, review.disc)))


def _gap_words(gap_mm: Measured) -> str:
    if math.isinf(gap_mm.sigma):
        return "the gap cannot be measured"
    # One digit more where the doubt itself is below a tenth; adding zero turns "-0.0" into "0.0".
    places = 1 if gap_mm.sigma >= 0.1 else 2
    return f"{round(gap_mm.mean, places) + 0.0:.{places}f} ± {gap_mm.sigma:.{places}f} mm"


def _stake_words(disc: int, lie: Lie, rules: Rules, score: RoundScore) -> str:
    """What the disc counts, what it would count otherwise, and what that would do to the round."""
    contact = contact_of(lie, rules)
    if contact is None:
        return f"counted {points_of(lie, rules)} either way"
    if lie.likely_touching:
        words = f"counted {contact.touching_points}, or {contact.clear_points} if it is clear"
    else:
        words = f"counted {contact.clear_points}, or {contact.touching_points} if it touches"
    call = next(call for call in score.swing.calls if call.disc == disc)
    if not call.decides:
        return words
    otherwise = (call.if_clear if lie.likely_touching else call.if_touching)[0].outcome
    if (otherwise.winner, otherwise.awarded) == (score.winner, tuple(side.awarded for side in score.sides)):
        return f"{words}, which with another close disc decides the round"
    return f"{words}, and then {otherwise.text}"

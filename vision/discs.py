"""Which circles are discs.

All discs of a set are one size, do not overlap, and have few colours. So the circles that are borne out all
the way round give the size and the colours, and with these known weaker ones are let in: half hidden by a
neighbour or by a hand, or of nearly the colour of what they lie on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.circles import Circles, find_circles, leaning, reach_on_surface_mm, trace, upright
from vision.evidence import log_odds
from vision.rectify import Rectified

#: Disc radii in the scale of a 24-inch 5 line: from 1 1/8 inch discs to standard ones on a small board.
RADII_MM = (12.6, 23.0)
_SAME_SIZE = 0.12  # light discs look larger on dark wood than dark ones
_SURFACE_MM = 330.0
_DITCH_ENDS_MM = 400.0
_ELSEWHERE_WEIGHT = 0.3  # in the common radius, of discs in the ditch and beyond
_LOWER_LOOKS = 0.96
_SIZE_SIGMA = 0.05
_ASLANT_PREFERRED = 0.05  # of coverage
_APART = 1.75  # radii between centres: discs touch at 2, and those in the ditch lie lower
_SIDE_HEIGHT = 0.5  # of the radius: between the circles that make the outline, bulge and bevels taken off
_HOLE_REACH_MM = 23.0  # what is seen in a hole ends here at the latest
_HOPELESS_ODDS = -10.0
_LARGER = 1.17
_PLAINLY_ROUND = 0.75
_SURE_ODDS_OF_SIZE = 1.0
_MOST_ODDS = 6.0  # more is no better a measure of size
_SURE_ODDS = 0.0  # log-odds
_SURE_ODDS_ELSEWHERE = 2.5
_WEAK_ODDS = -2.6
_VOTED = 0.28
_VOTED_COVERAGE = 0.4
_VOTED_CONTRAST = 12.0
_FAINT_ODDS = -3.5
_FAINT_NEAR = 7.0
_FAINT_CONTRAST = 9.0
_OWN_SHARE = 0.5  # a weak circle's colour is at least twice as near to a disc's as to its surroundings'
_COLOUR_NEAR = 18.0  # Lab units (8 bit) between a weak circle and a colour that the discs have


@dataclass(frozen=True)
class FoundDiscs:
    """Discs in the straight-down picture: ``circles`` and ``xy_mm`` (n, 2), on the plane of the discs' tops.

    ``radius_mm`` is the set's common radius, None when no disc was sure enough to tell.
    """

    circles: Circles
    xy_mm: Array
    radius_mm: float | None

    def without(self, which: NDArray[np.bool_]) -> FoundDiscs:
        """These discs less those at ``which`` (n,)."""
        return replace(self, circles=self.circles.take(~which), xy_mm=self.xy_mm[~which])


def find_discs(picture: Rectified, view: View, radii_mm: tuple[float, float] = RADII_MM) -> FoundDiscs:
    """The discs in a straight-down picture of what ``view`` sees."""
    lab = np.asarray(cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2LAB), dtype=np.uint8)
    circles = candidates(lab, picture, view, radii_mm)
    if circles is None or not len(circles):
        return FoundDiscs(Circles.none(), np.zeros((0, 2)), None)
    radius_px = float(np.median(circles.radius_px))
    right = reach_on_surface_mm(circles, picture, view) > _HOLE_REACH_MM
    far_off = np.linalg.norm(picture.mm_from_px(circles.xy_px), axis=1) > _DITCH_ENDS_MM
    right &= _believed(circles, _on_surface(circles, picture), far_off)
    kept = _apart(circles.take(right), radius_px)
    return FoundDiscs(kept, picture.mm_from_px(kept.xy_px), radius_px / picture.px_per_mm)


def candidates(
    lab: NDArray[np.uint8], picture: Rectified, view: View, radii_mm: tuple[float, float] = RADII_MM
) -> Circles | None:
    """All circles of the discs' common size, believed or not; None when no disc is sure enough to tell it."""
    lean = leaning(picture, view, _SIDE_HEIGHT)
    circles = find_circles(picture, lab, radii_mm, lean)
    circles = circles.take(reach_on_surface_mm(circles, picture, view) > _HOLE_REACH_MM)
    on_surface = _on_surface(circles, picture)
    radius_mm = _common_radius(circles, picture, on_surface)
    if radius_mm is None:
        return None
    hopeful = log_odds(circles) > _HOPELESS_ODDS
    # a circle of the discs' size can be laid into anything round that is a little larger
    larger = circles.radius_px > _LARGER * radius_mm * picture.px_per_mm
    hopeful &= ~(larger & (circles.coverage > _PLAINLY_ROUND))
    circles, on_surface = circles.take(hopeful), on_surface[hopeful]
    # what lies lower is farther from the camera and looks smaller
    expected = np.where(on_surface, 1.0, _LOWER_LOOKS) * radius_mm * picture.px_per_mm
    aslant = trace(lab, circles.xy_px, expected, circles.votes, lean, size_sigma=_SIZE_SIGMA)
    straight = trace(lab, circles.xy_px, expected, circles.votes, upright, size_sigma=_SIZE_SIGMA)
    better = straight.coverage > aslant.coverage + _ASLANT_PREFERRED
    again = aslant.replaced(np.nonzero(better)[0], straight.take(better))
    return again.take(np.abs(again.radius_px / expected - 1) < _SAME_SIZE)


def _on_surface(circles: Circles, picture: Rectified) -> NDArray[np.bool_]:
    return np.asarray(np.linalg.norm(picture.mm_from_px(circles.xy_px), axis=1) < _SURFACE_MM)


def _common_radius(circles: Circles, picture: Rectified, on_surface: NDArray[np.bool_]) -> float | None:
    """The radius that most of the well-seen circles share, in mm."""
    odds = log_odds(circles)
    sure = odds > _SURE_ODDS_OF_SIZE
    if not sure.any():
        return None
    radius = circles.radius_px[sure] / picture.px_per_mm
    weight = np.minimum(odds[sure], _MOST_ODDS) * np.where(on_surface[sure], 1.0, _ELSEWHERE_WEIGHT)
    agreement = [(weight * (np.abs(radius / r - 1) < _SAME_SIZE / 1.5)).sum() for r in radius]
    near = np.abs(radius / radius[int(np.argmax(agreement))] - 1) < _SAME_SIZE / 1.5
    return float(np.median(radius[near]))


def _believed(
    circles: Circles, on_surface: NDArray[np.bool_], far_off: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Sure circles, and weaker ones of a colour that the sure ones have and their surroundings have not."""
    odds = log_odds(circles)
    sure = odds > np.where(on_surface, _SURE_ODDS, _SURE_ODDS_ELSEWHERE)
    near = ~far_off
    if not (sure & near).any():
        return sure & near
    own = np.linalg.norm(circles.inside[:, None] - circles.inside[sure & near][None], axis=-1).min(1)
    # on the frame and the table much is round: there a disc must look like one on the board or in the ditch
    sure &= near | (own < _COLOUR_NEAR)
    stands_out = circles.step
    weak = (odds > _WEAK_ODDS) & (own < _COLOUR_NEAR) & (own < _OWN_SHARE * stands_out)
    faint = (
        (odds > _FAINT_ODDS)
        & (own < _FAINT_NEAR)
        & (own < _OWN_SHARE * stands_out)
        & (stands_out > _FAINT_CONTRAST)
    )
    # in the ditch discs lie against each other and the wall, in shadow: the votes for the centre tell most
    voted = (circles.votes > _VOTED) & (circles.coverage > _VOTED_COVERAGE) & (stands_out > _VOTED_CONTRAST)
    return np.asarray(sure | (weak & near) | np.where(on_surface, faint, voted & near))


def _apart(circles: Circles, radius_px: float) -> Circles:
    """The best circles, no two nearer than discs can lie."""
    kept: list[int] = []
    for k in np.argsort(-log_odds(circles), kind="stable"):
        if all(np.hypot(*(circles.xy_px[k] - circles.xy_px[j])) > _APART * radius_px for j in kept):
            kept.append(int(k))
    return circles.take(np.array(kept, dtype=np.intp))

"""Which circles are discs.

All discs of a set are one size, do not overlap, and have few colours. So the circles that are borne out all
the way round give the size and the colours. For that size the edges vote once more, finely, and with the
colours known weaker circles are let in: half hidden by a neighbour or by a hand, or of nearly the colour of
what they lie on.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.circles import Circles, distances_px, reach_on_surface_mm
from vision.edges import EdgePoints, Edges, Rings, edge_points, edges_of, voted_circles
from vision.evidence import log_odds
from vision.rectify import Rectified
from vision.trace import Lean, leaning, trace

#: Disc radii in the scale of a 24-inch 5 line: from 1 1/8 inch discs to standard ones on a small board.
RADII_MM = (12.6, 23.0)
#: The standard's ring lines, where a board's own are not known.
LINES_MM = (101.6, 203.2, 304.8)
_LINE_REACH_MM = 2.2  # from a line's middle: half its width, and how far an outline may be off
_PEAKS = 90
_COARSE_PX = 2  # of the votes while the size is not known
_PEAKS_OF_SIZE = 60
_SAME_START = 0.06  # of the radius
_SIDE_SHOWS = 0.08  # of the radius
_SAME_PLACE = 0.15  # of the radius
_SAME_SIZE = 0.12  # light discs look larger on dark wood than dark ones
SURFACE_MM = 330.0
_DITCH_ENDS_MM = 400.0
#: A disc that comes to rest on the 5 line or beyond it is out of play and taken off at once (docs/rules.md):
#: what is seen there must be plain.
_BARRED_MM = (296.0, 335.0)
_SURE_ODDS_BARRED = 2.2
_ELSEWHERE_WEIGHT = 0.3  # in the common radius, of discs in the ditch and beyond
_LOWER_LOOKS = 0.96
_SIZE_SIGMA = 0.05
_ASLANT_PREFERRED = 0.05  # of coverage
_APART = 1.85  # radii between centres: discs touch at 2, and those in the ditch lie lower
_SIDE_PLAIN, _BESIDE_BOTTOM, _APART_FROM_TOP = 0.8, 0.3, 2.3
_SIDE_HEIGHT = 0.5  # of the radius: between the circles that make the outline, bulge and bevels taken off
_HOLE_REACH_MM = 23.0  # what is seen in a hole ends here at the latest
_HOPELESS_ODDS = -10.0
_LARGER = 1.25
_PLAINLY_ROUND = 0.9
_WITHIN_LARGER = 0.5
_SURE_ODDS_OF_SIZE = 2.0
_MOST_ODDS = 6.0  # more is no better a measure of size
_SURE_ODDS = 0.0  # log-odds; weaker ones are let in by their colour
_WEAK_ODDS = -2.0
_OWN_SHARE = 0.5  # a weak circle's colour is at least twice as near to a disc's as to its surroundings'
_COLOUR_NEAR = 18.0  # Lab units (8 bit) between a weak circle and a colour that the discs have


@dataclass(frozen=True)
class FoundDiscs:
    """Discs in the straight-down picture: ``circles`` and ``xy_mm`` (n, 2), on the plane of the discs' tops.

    ``log_odds`` (n,) is how likely each is a disc by its looks alone. ``radius_mm`` is the set's common
    radius, None when no disc was sure enough to tell.
    """

    circles: Circles
    xy_mm: Array
    log_odds: Array
    radius_mm: float | None

    def without(self, which: NDArray[np.bool_]) -> FoundDiscs:
        """These discs less those at ``which`` (n,)."""
        return replace(
            self, circles=self.circles.take(~which), xy_mm=self.xy_mm[~which], log_odds=self.log_odds[~which]
        )


def find_discs(
    picture: Rectified,
    view: View,
    radii_mm: tuple[float, float] = RADII_MM,
    lines_mm: tuple[float, float, float] = LINES_MM,
) -> FoundDiscs:
    """The discs in a straight-down picture of what ``view`` sees; ``lines_mm`` are the ring lines' radii."""
    edges = edges_of(picture.rgb, rings_in(picture, view, lines_mm))
    circles = candidates(edges, picture, view, radii_mm)
    if circles is None or not len(circles):
        return FoundDiscs(Circles.none(), np.zeros((0, 2)), np.zeros(0), None)
    radius_px = float(np.median(circles.radius_px))
    right = reach_on_surface_mm(circles, picture, view) > _HOLE_REACH_MM
    right &= _believed(circles, np.linalg.norm(picture.mm_from_px(circles.xy_px), axis=1))
    kept = _apart(circles.take(right), radius_px, leaning(picture, view, _SIDE_HEIGHT))
    at_mm = picture.mm_from_px(kept.xy_px)
    return FoundDiscs(kept, at_mm, log_odds(kept), radius_px / picture.px_per_mm)


def rings_in(picture: Rectified, view: View, lines_mm: tuple[float, float, float]) -> Rings:
    """Where the ring lines and the surface's edge appear in the straight-down picture."""
    eye = view.eye_mm
    share = (eye[2] - picture.height_mm) / eye[2]
    x, y = picture.px_from_mm(eye[:2] * (1.0 - share))
    radii = tuple(radius * share * picture.px_per_mm for radius in (*lines_mm, SURFACE_MM))
    return Rings((float(x), float(y)), radii, _LINE_REACH_MM * picture.px_per_mm)


def candidates(
    edges: Edges, picture: Rectified, view: View, radii_mm: tuple[float, float] = RADII_MM
) -> Circles | None:
    """All circles of the discs' common size, believed or not; None when no disc is sure enough to tell it."""
    lean = leaning(picture, view, _SIDE_HEIGHT)
    points = edge_points(edges, picture.px_per_mm)
    free = _free_circles(edges, points, picture, lean, radii_mm)
    free = free.take(reach_on_surface_mm(free, picture, view) > _HOLE_REACH_MM)
    radius_mm = _common_radius(free, picture, _on_surface(free, picture))
    if radius_mm is None:
        return None
    starts, votes = _starts_of_size(points, free, radius_mm * picture.px_per_mm, picture.px_per_mm, lean)
    # what lies lower is farther from the camera and looks smaller
    lower = np.where(np.linalg.norm(picture.mm_from_px(starts), axis=1) < SURFACE_MM, 1.0, _LOWER_LOOKS)
    expected = lower * radius_mm * picture.px_per_mm
    aslant, straight = _both_ways(edges, starts, expected, votes, lean)
    better = straight.coverage > aslant.coverage + _ASLANT_PREFERRED
    again = _either(better, straight, aslant)
    again = again.take(np.abs(again.radius_px / expected - 1) < _SAME_SIZE)
    return again.take(reach_on_surface_mm(again, picture, view) > _HOLE_REACH_MM)


def _free_circles(
    edges: Edges, points: EdgePoints, picture: Rectified, lean: Lean, radii_mm: tuple[float, float]
) -> Circles:
    """The strongest circles with a radius in that range.

    Aslant a peak may be the top's circle or the bottom edge's: the top then lies the other way.
    """
    peaks, votes = voted_circles(points, picture.px_per_mm, radii_mm, _PEAKS, _COARSE_PX)
    xy, radius = peaks[:, :2], peaks[:, 2]
    axis = lean(xy, radius)
    shown = np.linalg.norm(axis, axis=1) > _SIDE_SHOWS * radius
    side = np.concatenate([np.zeros(len(xy)), np.ones(2 * int(shown.sum()))])[:, None]
    xy = np.concatenate([xy, xy[shown], xy[shown] - axis[shown]])
    radius = np.concatenate([radius, radius[shown], radius[shown]])
    votes = np.concatenate([votes, votes[shown], votes[shown]])
    return trace(edges, xy, radius, votes, lambda top, r: side * lean(top, r))


def _starts_of_size(
    points: EdgePoints, free: Circles, radius_px: float, px_per_mm: float, lean: Lean
) -> tuple[Array, Array]:
    """Where discs of a known size may lie: top centres (n, 2), and their votes (n,)."""
    # a circle of the discs' size can be laid into anything round that is a little larger
    larger = (free.radius_px > _LARGER * radius_px) & (free.coverage > _PLAINLY_ROUND)
    hopeful = _distinct(free.take((log_odds(free) > _HOPELESS_ODDS) & ~larger), _SAME_PLACE * radius_px)
    one_size = (radius_px / px_per_mm, radius_px / px_per_mm)
    peaks, votes = voted_circles(points, px_per_mm, one_size, _PEAKS_OF_SIZE)
    xy = peaks[:, :2]
    axis = lean(xy, peaks[:, 2])
    shown = np.linalg.norm(axis, axis=1) > _SIDE_SHOWS * radius_px
    xy = np.concatenate([xy, xy[shown] - axis[shown], hopeful.xy_px])
    votes = np.concatenate([votes, votes[shown], hopeful.votes])
    reach = free.radius_px[larger] - _WITHIN_LARGER * radius_px
    within = distances_px(xy, free.xy_px[larger]) < reach
    fresh = ~within.any(1) & ~np.tril(distances_px(xy, xy) < _SAME_START * radius_px, -1).any(1)
    return xy[fresh], votes[fresh]


def _both_ways(edges: Edges, xy: Array, radius: Array, votes: Array, lean: Lean) -> tuple[Circles, Circles]:
    """Circles of a known size with their side seen, and without; the same where hardly any is."""
    count = len(xy)
    shown = np.flatnonzero(np.linalg.norm(lean(xy, radius), axis=1) > _SIDE_SHOWS * radius)
    which = np.concatenate([np.arange(count), shown])
    side = (np.arange(len(which)) < count).astype(np.float64)[:, None]
    both = trace(
        edges, xy[which], radius[which], votes[which],
        lambda top, r: side * lean(top, r), size_sigma=_SIZE_SIGMA,
    )  # fmt: skip
    straight = np.arange(count)
    straight[shown] = count + np.arange(len(shown))
    return both.take(np.arange(count)), both.take(straight)


def _either(which: NDArray[np.bool_], one: Circles, other: Circles) -> Circles:
    """Each circle from ``one`` where ``which`` (n,), else from ``other``."""
    parts = []
    for field in fields(Circles):
        a, b = getattr(one, field.name), getattr(other, field.name)
        parts.append(np.where(which.reshape(-1, *[1] * (a.ndim - 1)), a, b))
    return Circles(*parts)


def _distinct(circles: Circles, near_px: float) -> Circles:
    """The likeliest of all circles that lie in one place."""
    circles = circles.take(np.argsort(-log_odds(circles), kind="stable"))
    near = np.tril(distances_px(circles.xy_px, circles.xy_px) < near_px, -1)
    return circles.take(np.asarray(~near.any(1)))


def _on_surface(circles: Circles, picture: Rectified) -> NDArray[np.bool_]:
    return np.asarray(np.linalg.norm(picture.mm_from_px(circles.xy_px), axis=1) < SURFACE_MM)


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


def _believed(circles: Circles, distance_mm: Array) -> NDArray[np.bool_]:
    """Sure circles, and weaker ones of a colour that the sure ones have and their surroundings have not.

    ``distance_mm`` (n,) is how far from the board's centre each lies.
    """
    odds = log_odds(circles)
    near = distance_mm < _DITCH_ENDS_MM
    barred = (distance_mm > _BARRED_MM[0]) & (distance_mm < _BARRED_MM[1])
    sure = odds > np.where(barred, _SURE_ODDS_BARRED, _SURE_ODDS)
    alike = near & (odds > _SURE_ODDS_OF_SIZE)
    if not alike.any():
        return sure & near
    own = np.linalg.norm(circles.inside[:, None] - circles.inside[alike][None], axis=-1).min(1)
    # on the frame and the table much is round: there a disc must look like one on the board or in the ditch
    sure &= near | (own < _COLOUR_NEAR)
    weak = (odds > _WEAK_ODDS) & (own < _COLOUR_NEAR) & (own < _OWN_SHARE * circles.step)
    return np.asarray(sure | (weak & near & ~barred))


def _apart(circles: Circles, radius_px: float, lean: Lean) -> Circles:
    """The best circles, no two nearer than discs can lie; a bottom seen below its own top is none."""
    axis = lean(circles.xy_px, circles.radius_px)
    down = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    odds = log_odds(circles)
    away = (circles.xy_px[:, None] - circles.xy_px) / radius_px
    below = away[..., 0] * down[:, 0] + away[..., 1] * down[:, 1]
    beside = np.sqrt(np.maximum(np.square(away).sum(2) - np.square(below), 0.0))
    bottom = (circles.side_seen > _SIDE_PLAIN) & (below > 0.0) & (beside < _BESIDE_BOTTOM)
    bottom &= ((circles.side_seen == 0.0) & (odds < _SURE_ODDS_OF_SIZE))[:, None]
    in_the_way = np.hypot(below, beside) <= np.where(bottom, _APART_FROM_TOP, _APART)
    kept: list[int] = []
    for k in np.argsort(-odds, kind="stable").tolist():
        if not in_the_way[k, kept].any():
            kept.append(k)
    return circles.take(np.array(kept, dtype=np.intp))

"""The 20 hole: empty, a disc flat in it, or a disc leaning on its edge.

An empty hole is a circle too, often a coloured one, and may have a side's colour. But it is wider than a
disc, which has to fit. And where a disc's centre lies settles how it lies: with its centre of gravity beyond
what its bottom rests on it tips in. So a disc nearer to the centre than ``sqrt(R² - r²)`` (R the hole's, r
the bottom's radius: the edge points where both circles cross) lies in the hole or leans on its edge, and a
farther one lies flat on the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.pixels import AtHand
from vision.circles import Circles, reach_on_surface_mm
from vision.described import sampled_round
from vision.edges import Edges, edges_of
from vision.rectify import rectify
from vision.solid import Solid
from vision.trace import trace, upright

_SIZE_SIGMA = 0.02
_SAME_SIZE = 0.06  # an empty hole's rim is a tenth wider than a disc
_COVERAGE = 0.5
_COVERAGE_UNKNOWN = 0.8  # of a colour that no other disc has
_COLOUR_NEAR, _COLOUR_AS_NEAR = 13.0, 8.0  # 8-bit Lab units to the colour of a disc elsewhere
_OTHER_LIGHT, _SAME_HUE = 40.0, 0.035  # the hole's edge and the ditch's wall take light away, not the hue
_EVEN = 10.0  # a disc's top is of one colour; an empty hole shows floor, wall and shadow
_MORE_UNEVEN, _EVEN_MORE = 1.3, 2.5  # than the discs of that colour elsewhere
_WITHIN, _IN_GAP = 0.86, 1.06  # of the radius: the top, and the gap around it
_GAP_STEP = 8.0  # Lab units
_FURTHER_WITHIN, _NOISE_QUANTILE, _OVER_NOISE = 0.72, 0.5, 1.0
_GAP_SHARE = 0.86
_GAP_PLAINLY = 0.97
_FLAT_WITHIN_MM = 2.2  # a disc has 1.6 mm of play in the hole
_SHIFTED_WITHIN_MM = 4.5
_FLAT_PREFERRED = 0.1  # of coverage
_BEYOND_MM = 1.6
_FITS = 1.06  # of the disc's radius: no hole is narrower
_SEEN_EMPTY = 0.92  # of the disc's radius: the outline of no disc
_HALF_MM = 42.0
_PX_PER_MM = (1.25, 2.5)
_DEPTH_MM = 6.0
_LEANS_MM = 7.0
_BLACK = 16 * 2.55  # L = -16, in 8 bit: where Lab's colours meet
_AROUND = np.arange(8) / 8 * 2 * np.pi


@dataclass(frozen=True)
class InHole:
    """A disc in or on the hole: its centre, its 8-bit Lab colour, and whether it lies flat or leans.

    ``around_lab`` is the colour of what is around it.
    """

    xy_mm: Array
    lab: Array
    around_lab: Array
    flat: bool
    coverage: float


def supported_from_mm(hole_radius_mm: float, solid: Solid) -> float:
    """How far from the hole's centre a disc's centre must be for it to lie flat on the board."""
    wide_mm = _wide_enough_mm(hole_radius_mm, solid)
    return float(np.sqrt(max(wide_mm**2 - solid.bottom_radius_mm**2, 0.0)))


def _wide_enough_mm(hole_radius_mm: float, solid: Solid) -> float:
    """The hole's radius; where a disc hides its rim, the disc's own outline is easily taken for it."""
    return max(hole_radius_mm, _FITS * solid.widest_radius_mm)


def disc_in_hole(
    rgb: NDArray[np.uint8],
    view: View,
    solid: Solid,
    hole_radius_mm: float,
    tops: Circles,
    *,
    all_sides_seen: bool,
) -> InHole | None:
    """The disc in the hole, None when it is empty.

    ``tops`` are the discs elsewhere. With ``all_sides_seen`` a disc looks like one of them; else it may be
    the only one of its side, and only size and outline tell.
    """
    if hole_radius_mm < _SEEN_EMPTY * solid.widest_radius_mm:
        return None
    top_mm = solid.thickness_mm - _DEPTH_MM
    native = view.scale_px_per_mm()
    picture = rectify(AtHand(rgb), view, _HALF_MM, float(np.clip(0.8 * native, *_PX_PER_MM)), top_mm)
    edges = edges_of(picture.rgb)
    starts = np.array([[0.0, 0.0], *(_LEANS_MM * np.stack([np.cos(_AROUND), np.sin(_AROUND)], 1))])
    xy = picture.px_from_mm(starts)
    radius = np.full(len(xy), solid.widest_radius_mm * picture.px_per_mm)
    circles = trace(edges, xy, radius, np.ones(len(xy)), upright, size_sigma=_SIZE_SIGMA, rough=True)
    at_mm = picture.mm_from_px(circles.xy_px)
    far = np.linalg.norm(at_mm, axis=1)
    known, even = _like_one_of(circles, tops, _COLOUR_NEAR)
    surely_known, _ = _like_one_of(circles, tops, _COLOUR_AS_NEAR)
    relit = _in_other_light(circles, tops)
    right_size = np.abs(circles.radius_px / radius - 1) < _SAME_SIZE
    rim_mm = _wide_enough_mm(hole_radius_mm, solid)
    beyond = reach_on_surface_mm(circles, picture, view) > rim_mm + _BEYOND_MM
    alone = (circles.coverage > _COVERAGE_UNKNOWN) & (not all_sides_seen)
    gap = _gap_share(edges, circles)
    ringed = gap > _GAP_PLAINLY
    central = far < _FLAT_WITHIN_MM
    own_colour = known | alone | (ringed & relit)
    flat = even & right_size & central & own_colour & (gap > _GAP_SHARE)
    # in a dark hole the wall's shade shifts a disc's outline, but what does not reach over the rim lies in it
    shifted = ~beyond & (far < _SHIFTED_WITHIN_MM) & (circles.coverage > _COVERAGE)
    flat |= even & right_size & ringed & surely_known & shifted
    leans = ~central & (far < supported_from_mm(hole_radius_mm, solid))
    leans &= beyond | (right_size & surely_known & (far > _SHIFTED_WITHIN_MM) & (gap > _GAP_SHARE))
    plain = circles.coverage > np.where(surely_known, _COVERAGE, _COVERAGE_UNKNOWN)
    plain &= known | (not all_sides_seen)
    good = flat | (even & plain & leans)
    if not good.any():
        return None
    best = int(np.where(good, circles.coverage + _FLAT_PREFERRED * flat, -1.0).argmax())
    return InHole(
        at_mm[best],
        circles.inside[best],
        circles.outside[best],
        bool(flat[best]),
        float(circles.coverage[best]),
    )


def _like_one_of(
    circles: Circles, tops: Circles, near_lab: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each circle has the colour of a disc elsewhere, and is as even as that one."""
    if not len(tops):
        return np.zeros(len(circles), dtype=bool), circles.texture < _EVEN
    apart = np.linalg.norm(circles.inside[:, None] - tops.inside[None], axis=-1)
    near = apart < near_lab
    usual = np.array([float(np.median(tops.texture[row])) if row.any() else _EVEN for row in near])
    known = near.any(1)
    return known, circles.texture < np.where(known, _MORE_UNEVEN * usual + _EVEN_MORE, _EVEN)


def _in_other_light(circles: Circles, tops: Circles) -> NDArray[np.bool_]:
    """Whether each circle has the colour of a disc elsewhere in less or more light."""
    if not len(tops):
        return np.zeros(len(circles), dtype=bool)
    light, hue = _light_and_hue(circles.inside)
    tops_light, tops_hue = _light_and_hue(tops.inside)
    same = np.linalg.norm(hue[:, None] - tops_hue, axis=-1) < _SAME_HUE
    return np.asarray((same & (np.abs(tops_light - light[:, None]) < _OTHER_LIGHT)).any(1))


def _light_and_hue(lab: Array) -> tuple[Array, Array]:
    """Lightness (n,) above Lab's black, and colour (n, 2) in its measure, which less light leaves alone."""
    light = lab[:, 0] + _BLACK
    return light, (lab[:, 1:] - 128.0) / light[:, None]


def _gap_share(edges: Edges, circles: Circles) -> Array:
    """In what share of directions the colour of each circle's inside ends before the hole's rim; shape (n,).

    Between a disc and the rim there is a gap, in shade; what lines an empty hole goes on to the rim.
    """
    within, inner, gap = sampled_round(edges, circles, np.array([_FURTHER_WITHIN, _WITHIN, _IN_GAP]))
    # what a noisy picture shows as a step is no more than what the top shows of itself
    noise = np.quantile(np.linalg.norm(inner - within, axis=-1), _NOISE_QUANTILE, axis=1, keepdims=True)
    step = np.linalg.norm(gap - inner, axis=-1)
    return np.asarray((step > np.maximum(_GAP_STEP, _OVER_NOISE * noise)).mean(1))

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
from vision.edges import Edges, edges_of
from vision.rectify import rectify
from vision.solid import Solid
from vision.trace import sampled_round, trace, upright

_SIZE_SIGMA = 0.02
_SAME_SIZE = 0.06  # an empty hole's rim is a tenth wider than a disc
_COVERAGE = 0.5
_COVERAGE_UNKNOWN = 0.8  # of a colour that no other disc has
_COLOUR_NEAR, _COLOUR_AS_NEAR = 13.0, 8.0  # 8-bit Lab units to the colour of a disc elsewhere
_EVEN = 10.0  # a disc's top is of one colour; an empty hole shows floor, wall and shadow
_MORE_UNEVEN, _EVEN_MORE = 1.3, 2.5  # than the discs of that colour elsewhere
_WITHIN, _IN_GAP = 0.86, 1.06  # of the radius: the top, and the gap around it
_GAP_STEP = 8.0  # Lab units
_GAP_SHARE = 0.86
_FLAT_WITHIN_MM = 2.2  # a disc has 1.6 mm of play in the hole
_BEYOND_MM = 2.2
_HALF_MM = 42.0
_PX_PER_MM = (1.25, 2.5)
_DEPTH_MM = 6.0
_LEANS_MM = 7.0
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
    return float(np.sqrt(max(hole_radius_mm**2 - solid.bottom_radius_mm**2, 0.0)))


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
    top_mm = solid.thickness_mm - _DEPTH_MM
    native = view.scale_px_per_mm()
    picture = rectify(AtHand(rgb), view, _HALF_MM, float(np.clip(0.8 * native, *_PX_PER_MM)), top_mm)
    edges = edges_of(picture.rgb)
    starts = np.array([[0.0, 0.0], *(_LEANS_MM * np.stack([np.cos(_AROUND), np.sin(_AROUND)], 1))])
    xy = picture.px_from_mm(starts)
    radius = np.full(len(xy), solid.widest_radius_mm * picture.px_per_mm)
    circles = trace(edges, xy, radius, np.ones(len(xy)), upright, size_sigma=_SIZE_SIGMA)
    at_mm = picture.mm_from_px(circles.xy_px)
    far = np.linalg.norm(at_mm, axis=1)
    known, even = _like_one_of(circles, tops, _COLOUR_NEAR)
    surely_known, _ = _like_one_of(circles, tops, _COLOUR_AS_NEAR)
    right_size = np.abs(circles.radius_px / radius - 1) < _SAME_SIZE
    beyond = reach_on_surface_mm(circles, picture, view) > hole_radius_mm + _BEYOND_MM
    alone = (circles.coverage > _COVERAGE_UNKNOWN) & (not all_sides_seen)
    ringed = _ends_early(edges, circles)
    flat = even & (known | alone) & right_size & ringed & (far < _FLAT_WITHIN_MM)
    leans = (far >= _FLAT_WITHIN_MM) & (far < supported_from_mm(hole_radius_mm, solid))
    plain = circles.coverage > np.where(surely_known, _COVERAGE, 2.0 if all_sides_seen else _COVERAGE_UNKNOWN)
    aslant = even & plain & leans & (beyond | (right_size & surely_known))
    good = flat if flat.any() else aslant
    if not good.any():
        return None
    best = int(np.where(good, circles.coverage, -1.0).argmax())
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


def _ends_early(edges: Edges, circles: Circles) -> NDArray[np.bool_]:
    """Whether the colour of each circle's inside ends before the hole's rim, nearly all round; shape (n,).

    Between a disc and the rim there is a gap, in shade; what lines an empty hole goes on to the rim.
    """
    inner, gap = sampled_round(edges, circles, np.array([_WITHIN, _IN_GAP]))
    return np.asarray((np.linalg.norm(gap - inner, axis=-1) > _GAP_STEP).mean(1) > _GAP_SHARE)

"""The 20 hole: empty, a disc flat in it, or a disc leaning on its edge.

An empty hole is a circle too, often a coloured one, and may have a side's colour. But it is wider than a
disc, which has to fit. And where a disc's centre lies settles how it lies: with its centre of gravity beyond
what its bottom rests on it tips in. So a disc nearer to the centre than ``sqrt(R² - r²)`` (R the hole's, r
the bottom's radius: the edge points where both circles cross) lies in the hole or leans on its edge, and a
farther one lies flat on the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.circles import reach_on_surface_mm, trace, upright
from vision.rectify import rectify
from vision.solid import Solid

_SIZE_SIGMA = 0.02
_SAME_SIZE = 0.06  # an empty hole's rim is a tenth wider than a disc
_COVERAGE = 0.4
_COVERAGE_UNKNOWN = 0.8  # of a colour that no other disc has
_COLOUR_NEAR = 14.0  # 8-bit Lab units to the colour of a disc elsewhere
_EVEN = 13.0  # a disc's top is of one colour; an empty hole shows floor, wall and shadow
_FLAT_WITHIN_MM = 2.8  # a disc has 1.6 mm of play in the hole
_BEYOND_MM = 2.2
_HALF_MM = 42.0
_PX_PER_MM = (1.25, 2.5)
_DEPTH_MM = 6.0
_LEANS_MM = 7.0
_AROUND = np.arange(8) / 8 * 2 * np.pi


@dataclass(frozen=True)
class InHole:
    """A disc in or on the hole: its centre, its 8-bit Lab colour, and whether it lies flat or leans."""

    xy_mm: Array
    lab: Array
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
    colours: Array,
    *,
    all_sides_seen: bool,
) -> InHole | None:
    """The disc in the hole, None when it is empty.

    ``colours`` (k, 3) are the 8-bit Lab colours of discs elsewhere. With ``all_sides_seen`` a disc has one of
    them; else it may be the only one of its side, and only size and outline tell.
    """
    top_mm = solid.thickness_mm - _DEPTH_MM
    native = view.scale_px_per_mm()
    picture = rectify(rgb, view, _HALF_MM, float(np.clip(0.8 * native, *_PX_PER_MM)), top_mm)
    lab = np.asarray(cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2LAB), dtype=np.uint8)
    starts = np.array([[0.0, 0.0], *(_LEANS_MM * np.stack([np.cos(_AROUND), np.sin(_AROUND)], 1))])
    xy = picture.px_from_mm(starts)
    radius = np.full(len(xy), solid.widest_radius_mm * picture.px_per_mm)
    circles = trace(lab, xy, radius, np.ones(len(xy)), upright, size_sigma=_SIZE_SIGMA)
    at_mm = picture.mm_from_px(circles.xy_px)
    far = np.linalg.norm(at_mm, axis=1)
    even = circles.texture < _EVEN
    known = np.zeros(len(circles), dtype=bool)
    if len(colours):
        known = np.linalg.norm(circles.inside[:, None] - colours[None], axis=-1).min(1) < _COLOUR_NEAR
    plain = circles.coverage > np.where(known, _COVERAGE, 2.0 if all_sides_seen else _COVERAGE_UNKNOWN)
    right_size = np.abs(circles.radius_px / radius - 1) < _SAME_SIZE
    beyond = reach_on_surface_mm(circles, picture, view) > hole_radius_mm + _BEYOND_MM
    flat = even & plain & right_size & (far < _FLAT_WITHIN_MM)
    leans = (far >= _FLAT_WITHIN_MM) & (far < supported_from_mm(hole_radius_mm, solid))
    aslant = even & plain & leans & (beyond | (right_size & known))
    good = flat if flat.any() else aslant
    if not good.any():
        return None
    best = int(np.where(good, circles.coverage, -1.0).argmax())
    return InHole(at_mm[best], circles.inside[best], bool(flat[best]), float(circles.coverage[best]))

"""The 20 hole: empty, a disc flat in it, or a disc leaning on its edge.

An empty hole is a circle too, often a coloured one, and may have a side's colour. But it is wider than a disc, which
has to fit. And where a disc's centre lies settles how it lies: with its centre of gravity beyond what its bottom rests
on it tips in. So a disc nearer to the centre than ``sqrt(R² - r²)`` (R the hole's, r the bottom's radius: the edge
points where both circles cross) lies in the hole or leans on its edge, and a farther one lies flat on the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.circles import Circles, trace
from vision.rectify import rectify
from vision.solid import Solid

_HALF_MM = 42.0
_PX_PER_MM = (1.25, 4.0)
_DEPTH_MM = 6.0
_COVERAGE = 0.55
_SAME_SIZE = 0.055
_COLOUR_NEAR = 40.0
_FLAT_WITHIN_MM = 3.2
_STARTS_MM = 5.0


@dataclass(frozen=True)
class InHole:
    """A disc in or on the hole: its centre, 8-bit Lab colour, and whether it lies flat in it (else it leans)."""

    xy_mm: Array
    lab: Array
    flat: bool
    coverage: float


def supported_from_mm(hole_radius_mm: float, solid: Solid) -> float:
    """How far from the hole's centre a disc's centre must be for it to lie flat on the board."""
    return float(np.sqrt(max(hole_radius_mm**2 - solid.bottom_radius_mm**2, 0.0)))


def disc_in_hole(
    rgb: NDArray[np.uint8], view: View, solid: Solid, hole_radius_mm: float, colours: Array
) -> InHole | None:
    """The disc in the hole, None when it is empty.

    ``colours`` (k, 3) are the sides' 8-bit Lab colours, empty when no disc was seen elsewhere: then only the size tells.
    """
    top_mm = solid.thickness_mm - _DEPTH_MM
    native = float(np.sqrt(np.abs(np.linalg.det(view.px_per_mm(np.zeros(2))))))
    picture = rectify(rgb, view, _HALF_MM, float(np.clip(native, *_PX_PER_MM)), top_mm)
    lab = np.asarray(cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2LAB), dtype=np.uint8)
    shifts = np.array([-1.0, 0.0, 1.0]) * _STARTS_MM
    starts = np.stack(np.meshgrid(shifts, shifts), -1).reshape(-1, 2)
    xy = picture.px_from_mm(starts)
    radius = np.full(len(xy), solid.widest_radius_mm * picture.px_per_mm)
    circles = trace(lab, xy, radius, np.ones(len(xy)), radius_free=True)
    at_mm = picture.mm_from_px(circles.xy_px)
    good = _disc_like(circles, at_mm, solid, hole_radius_mm, picture.px_per_mm, colours)
    if not good.any():
        return None
    best = int(np.where(good, circles.coverage, -1.0).argmax())
    flat = float(np.hypot(*at_mm[best])) < _FLAT_WITHIN_MM
    return InHole(at_mm[best], circles.inside[best], flat, float(circles.coverage[best]))


def _disc_like(
    circles: Circles, at_mm: Array, solid: Solid, hole_radius_mm: float, px_per_mm: float, colours: Array
) -> NDArray[np.bool_]:
    size = circles.radius_px / px_per_mm / solid.widest_radius_mm
    near = np.linalg.norm(at_mm, axis=1) < supported_from_mm(hole_radius_mm, solid)
    good = (circles.coverage > _COVERAGE) & (np.abs(size - 1) < _SAME_SIZE) & near
    if len(colours):
        good &= np.linalg.norm(circles.inside[:, None] - colours[None], axis=-1).min(1) < _COLOUR_NEAR
    return np.asarray(good)

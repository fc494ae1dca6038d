"""Discs as solids on a drawn board: each a top, a side and a shadow where the view sees them.

Every face is the convex hull of its circles in the picture, filled at sub-pixels, so that its edge is where
it should be to a small part of a pixel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import View
from tests.drawn import Colour, Drawing, drawn, photographed
from vision.solid import Solid

SOLID = Solid(15.875, 14.6, 10.0)
DARK, PALE, RED, BLUE = (40, 42, 48), (232, 222, 196), (170, 35, 40), (40, 70, 160)
SUNK_MM = -6.0
_FINE = 4
_CIRCLE = np.arange(180) / 180 * 2 * np.pi
_AROUND = np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE), np.zeros(180)], 1)
_BULGE = ((0.0, 1.0), (0.25, 0.0), (0.5, 0.0), (0.75, 0.0), (1.0, 1.0))  # height, and share of the bevel
_SIDE = 0.8
_SHADOW_MM = (3.0, 2.0)
_SHADOW = 0.55


@dataclass(frozen=True)
class Disc:
    """A disc whose bottom's centre is over ``xy_mm`` at ``base_mm``; what lies under the surface is hidden.

    ``lean_deg`` lifts the side that is farther from the board's centre.
    """

    xy_mm: tuple[float, float]
    colour: Colour = DARK
    base_mm: float = 0.0
    lean_deg: float = 0.0
    solid: Solid = SOLID
    shadow: bool = True

    def circle(self, share: float) -> np.ndarray:
        """The circle at a share of the thickness, (180, 3) in mm."""
        radius = self.solid.widest_radius_mm - self.solid.bevel_mm * np.interp(
            share, *zip(*_BULGE, strict=True)
        )
        points = radius * _AROUND + np.array([0.0, 0.0, share * self.solid.thickness_mm])
        out = math.atan2(self.xy_mm[1], self.xy_mm[0])
        axis = math.radians(self.lean_deg) * np.array([math.sin(out), -math.cos(out), 0.0])
        turned = points @ cv2.Rodrigues(axis)[0].T + np.array([*self.xy_mm, self.base_mm])
        turned[:, 2] = np.maximum(turned[:, 2], 0.0)
        return turned

    def side(self) -> np.ndarray:
        return np.concatenate([self.circle(share) for share, _ in _BULGE])


def board_with(
    view: View,
    discs: list[Disc],
    what: Drawing | None = None,
    size_px: tuple[int, int] = (640, 640),
    *,
    hole: Colour | None = None,
) -> np.ndarray:
    """The picture, (h, w, 3) uint8; ``hole`` is the colour of an empty hole's floor, its wall is darker."""
    what = what or Drawing()
    picture = drawn(view, replace(what, blur_px=0.0, noise=0.0), size_px).astype(float)
    if hole is not None and what.hole_mm is not None:
        rim, floor = what.hole_mm * _AROUND, what.hole_mm * _AROUND + np.array([0.0, 0.0, SUNK_MM])
        fill(picture, hull_px(view, rim), tuple(0.6 * c for c in hole))
        shown = cv2.intersectConvexConvex(hull_px(view, rim), hull_px(view, floor))[1][:, 0]
        fill(picture, shown, hole)
    for disc in discs:
        if disc.shadow and disc.base_mm == 0.0:
            at = np.concatenate([disc.circle(0.0), disc.circle(0.0) + np.array([*_SHADOW_MM, 0.0])])
            fill(picture, hull_px(view, at), None)
    for disc in sorted(discs, key=lambda one: -np.linalg.norm(view.eye_mm[:2] - one.xy_mm)):
        fill(picture, hull_px(view, disc.side()), tuple(_SIDE * c for c in disc.colour))
        fill(picture, hull_px(view, disc.circle(1.0)), disc.colour)
    return photographed(picture, what.blur_px, what.noise)


def hull_px(view: View, points_mm: np.ndarray) -> np.ndarray:
    return cv2.convexHull(view.px_from_mm(points_mm).astype(np.float32))[:, 0]


def fill(picture: np.ndarray, hull: np.ndarray, colour: tuple[float, ...] | None) -> None:
    """Fill a convex outline (n, 2) in px in place; with no colour it is darkened as by a shadow."""
    low = np.floor(hull.min(0)).astype(int) - 1
    width, height = np.ceil(hull.max(0)).astype(int) + 2 - low
    fine = np.zeros((height * _FINE, width * _FINE), np.float32)
    corners = np.round(((hull - low + 0.5) * _FINE - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(fine, corners, 1.0, shift=4)
    share = fine.reshape(height, _FINE, width, _FINE).mean((1, 3))[..., None]
    top, left = max(0, -low[1]), max(0, -low[0])
    part = picture[max(0, low[1]) : low[1] + height, max(0, low[0]) : low[0] + width]
    share = share[top : top + part.shape[0], left : left + part.shape[1]]
    target = part * _SHADOW if colour is None else np.array(colour, float)
    part[...] = part * (1 - share) + target * share

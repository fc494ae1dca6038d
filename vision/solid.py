"""The disc as the solid it is, and the outline a camera sees of it.

A disc is a solid of revolution: the flat bottom that decides every call, the widest circle, the top, and a
side between them that is the same upside down. The outline of a convex body is its support function: for each
direction in the picture the farthest of all its circles' pictures, so the top rim makes the far side of the
outline and the bottom edge the near side, without cases. As the side is symmetric, both sides together give
the height half way up, whatever the profile; that is what makes a position exact although nobody tells the
profile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array, View

#: How the side runs, of the half height: 0 half way up, 1 at the top. Denser where it turns.
_LEVELS = np.array(
    [-1.0, -0.97, -0.91, -0.83, -0.74, -0.5, -0.25, 0.0, 0.25, 0.5, 0.74, 0.83, 0.91, 0.97, 1.0]
)
_ROUNDED = 0.26  # of the half height: how far a rounded edge reaches
_BARREL = 1.0 - np.square(_LEVELS)
_WALL = np.sqrt(1.0 - np.square(np.maximum(np.abs(_LEVELS) - 1.0 + _ROUNDED, 0.0) / _ROUNDED))
_STEP_MM = 0.05

#: The columns of a silhouette's design; x and y come before them.
RADIUS, THICKNESS, BEVEL, FULLNESS = range(2, 6)


@dataclass(frozen=True, slots=True)
class Solid:
    """Radii and thickness of a disc in mm; ``base_mm`` is the height of its bottom above the surface.

    ``fullness`` is the side's profile: 0 a barrel (a parabola from bottom to top), 1 an upright wall with
    rounded edges.
    """

    widest_radius_mm: float
    bottom_radius_mm: float
    thickness_mm: float
    base_mm: float = 0.0
    fullness: float = 0.9

    @property
    def bevel_mm(self) -> float:
        """How far the widest circle stands out over the bottom."""
        return self.widest_radius_mm - self.bottom_radius_mm


@dataclass(frozen=True)
class Silhouettes:
    """The outlines of n discs in d directions.

    ``support`` (n, d) in px, ``direction . point``; ``points`` (n, d, 2) in px; ``per_mm`` (n, d) px along
    the direction per mm of radius; ``design`` (n, d, 6) the support's derivatives by x, y, radius, thickness,
    bevel (px/mm) and fullness (px), the widest radius held where the bevel changes. ``share`` (n, d) is the
    height that makes the outline, 0 the bottom and 1 the top.
    """

    support: Array
    points: Array
    per_mm: Array
    design: Array
    share: Array


def silhouettes(view: View, xy_mm: Array, solids: list[Solid], directions: Array) -> Silhouettes:
    """Outlines of the discs standing at ``xy_mm`` (n, 2), in unit picture directions (d, 2).

    A circle's picture is, to second order, the Jacobian's image of it: that tells which circle is the
    farthest and which of its points; the point itself is then projected exactly.
    """
    sizes = [(s.widest_radius_mm, s.bevel_mm, s.thickness_mm, s.base_mm, s.fullness) for s in solids]
    widest, bevel, thickness, base, fullness = (row[:, None] for row in np.array(sizes).T)
    shape = (1.0 - fullness) * _BARREL + fullness * _WALL
    radius = widest - bevel * (1.0 - shape)
    share = (_LEVELS + 1.0) / 2.0
    height = base + share * thickness
    at = np.concatenate([np.broadcast_to(xy_mm[:, None], (*radius.shape, 2)), height[..., None]], -1)
    centres = view.px_from_mm(at)
    lift = (view.px_from_mm(at + np.array([0.0, 0.0, _STEP_MM])) - centres) / _STEP_MM
    spread = directions @ view.px_per_mm(at)
    reach = np.hypot(spread[..., 0], spread[..., 1])
    top = (centres @ directions.T + radius[..., None] * reach).argmax(1)
    n = np.arange(len(solids))[:, None]
    d = np.arange(len(directions))
    spread, reach, radius = spread[n, top, d], reach[n, top, d], radius[n, top]
    rim = xy_mm[:, None] + radius[..., None] * spread / reach[..., None]
    points = view.px_from_mm(np.concatenate([rim, height[n, top][..., None]], -1))
    design = np.empty((*reach.shape, 6))
    design[..., :2] = spread
    design[..., RADIUS] = reach
    design[..., THICKNESS] = (lift[n, top] * directions).sum(-1) * share[top]
    design[..., BEVEL] = (shape[n, top] - 1.0) * reach
    design[..., FULLNESS] = bevel * (_WALL - _BARREL)[top] * reach
    return Silhouettes((points * directions).sum(-1), points, reach, design, share[top])


def outline(view: View, xy_mm: Array, solid: Solid, directions: Array) -> tuple[Array, Array]:
    """The outline of one disc standing at ``xy_mm`` (2,), in unit picture directions (n, 2).

    Returns the support (n,) in px, ``direction . point``, and the outline points (n, 2) in px.
    """
    seen = silhouettes(view, xy_mm[None], [solid], directions)
    return seen.support[0], seen.points[0]


def rim(view: View, xy_mm: Array, radius_mm: float, height_mm: float, count: int = 90) -> Array:
    """Pixels of one circle of the disc, for drawing; shape (count, 2)."""
    angle = np.arange(count) / count * 2 * np.pi
    circle = xy_mm + radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1)
    return view.px_from_mm(np.concatenate([circle, np.full((count, 1), height_mm)], 1))

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

#: Where the side is looked at: within each edge's reach, 0 where it begins and 1 at the face, and between.
_EDGE = np.array([0.0, 0.15, 0.35, 0.6, 0.85, 1.0])
_BETWEEN = np.linspace(-1.0, 1.0, 11)[1:-1]
_STEP_MM = 0.05
_EDGE_MIDDLE = 0.35  # of the bevel

#: The columns of a silhouette's design; x and y come before them.
RADIUS, THICKNESS, BEVEL, FULLNESS, CHAMFER = range(2, 7)
UNKNOWNS = 7


@dataclass(frozen=True, slots=True)
class Solid:
    """Radii and thickness of a disc in mm; ``base_mm`` is the height of its bottom above the surface.

    The side's profile is between three: ``fullness`` 0 is a barrel (a parabola from bottom to top), 1 an
    upright wall with its edges taken off as high as deep: rounded where ``chamfer`` is 0, cut straight at 1.
    """

    widest_radius_mm: float
    bottom_radius_mm: float
    thickness_mm: float
    base_mm: float = 0.0
    fullness: float = 0.9
    chamfer: float = 0.0

    @property
    def bevel_mm(self) -> float:
        """How far the widest circle stands out over the bottom."""
        return self.widest_radius_mm - self.bottom_radius_mm


@dataclass(frozen=True)
class Silhouettes:
    """The outlines of n discs in d directions.

    ``support`` (n, d) in px, ``direction . point``; ``points`` (n, d, 2) in px; ``per_mm`` (n, d) px along
    the direction per mm of radius; ``design`` (n, d, 7) the support's derivatives by x, y, radius, thickness,
    bevel (px/mm), fullness and chamfer (px), the widest radius held where the bevel changes.
    ``share`` (n, d) is the height that makes the outline, 0 the bottom and 1 the top.
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
    side = _side(solids)
    base = np.array([[s.base_mm] for s in solids])
    height = base + side.share * np.array([[s.thickness_mm] for s in solids])
    radius = side.radius_mm
    at = np.concatenate([np.broadcast_to(xy_mm[:, None], (*radius.shape, 2)), height[..., None]], -1)
    centres = view.px_from_mm(at)
    lift = (view.px_from_mm(at + np.array([0.0, 0.0, _STEP_MM])) - centres) / _STEP_MM
    jacobian = view.px_per_mm(at)
    gram = jacobian @ np.swapaxes(jacobian, 2, 3)
    dx, dy = directions.T
    # a direction's reach by all circles is the root of a quadratic form, which is cheap to have
    form = np.stack([gram[..., 0, 0], gram[..., 0, 1], gram[..., 1, 1]], -1)
    reaches = np.sqrt(np.maximum(form @ np.stack([dx * dx, 2.0 * dx * dy, dy * dy]), 0.0))
    top = (centres @ directions.T + radius[..., None] * reaches).argmax(1)
    n = np.arange(len(solids))[:, None]
    farthest, radius, share = jacobian[n, top], radius[n, top], side.share[n, top]
    spread = dx[:, None] * farthest[..., 0, :] + dy[:, None] * farthest[..., 1, :]
    reach = np.hypot(spread[..., 0], spread[..., 1])
    rim = xy_mm[:, None] + radius[..., None] * spread / reach[..., None]
    points = view.px_from_mm(np.concatenate([rim, height[n, top][..., None]], -1))
    design = np.empty((*reach.shape, UNKNOWNS))
    design[..., :2] = spread
    design[..., RADIUS:] = side.by_size[n, top] * reach[..., None]
    design[..., THICKNESS] += (lift[n, top] * directions).sum(-1) * share
    return Silhouettes((points * directions).sum(-1), points, reach, design, share)


@dataclass(frozen=True)
class _Side:
    """The sides of n solids at l levels: ``share`` (n, l) of the height from the bottom and ``radius_mm``.

    ``by_size`` (n, l, 5) are the radius' derivatives by the unknowns from :data:`RADIUS` on.
    """

    share: Array
    radius_mm: Array
    by_size: Array


def _side(solids: list[Solid]) -> _Side:
    sizes = [(s.widest_radius_mm, s.bevel_mm, s.thickness_mm, s.fullness, s.chamfer) for s in solids]
    widest, bevel, thickness, fullness, chamfer = (row[:, None] for row in np.array(sizes).T)
    cut = np.clip(np.abs(bevel), 0.02, 0.98 * thickness / 2)
    reach = cut / (thickness / 2)
    upper = 1.0 - reach * (1.0 - _EDGE)
    level = np.concatenate([-upper[:, ::-1], (1.0 - reach) * _BETWEEN, upper], 1)
    into = np.clip((np.abs(level) - 1.0) / reach + 1.0, 0.0, 1.0)
    barrel, straight = np.square(level), into
    rounded = 1.0 - np.sqrt(1.0 - np.square(into))
    edge = (1.0 - chamfer) * rounded + chamfer * straight
    taken = (1.0 - fullness) * barrel + fullness * edge  # of the bevel, at each level
    # an edge reaches as far down as it goes in, so a larger bevel begins lower, and a thicker disc higher
    grows = np.where(
        into > 0.0, chamfer + (1.0 - chamfer) * into / np.sqrt(np.maximum(1.0 - into**2, 1e-9)), 0.0
    )
    grows = fullness * grows * (1.0 - into)
    by_size = np.stack(
        [
            np.ones_like(taken),
            grows * cut / thickness,
            -taken - grows,
            bevel * (barrel - edge),
            bevel * fullness * (rounded - straight),
        ],
        -1,
    )
    return _Side((level + 1.0) / 2.0, widest - bevel * taken, by_size)


def levels(solid: Solid) -> tuple[Array, Array]:
    """A side's heights (l,) above the bottom, rising, and its radii (l,) there, mm."""
    side = _side([solid])
    return side.share[0] * solid.thickness_mm, side.radius_mm[0]


@dataclass(frozen=True)
class Creases:
    """Where the flat tops of n discs end, in d directions.

    ``points`` (n, d, 2) in px and ``per_mm`` (n, d) as in :class:`Silhouettes`; ``design`` (n, d, 5) the
    support's derivatives by x, y, radius, thickness and bevel (px/mm); ``near`` (n, d) the share with which a
    direction is on the side towards the camera, where the wall begins to be seen.
    """

    points: Array
    per_mm: Array
    design: Array
    near: Array


def creases(
    view: View, xy_mm: Array, solids: list[Solid], directions: Array, outward_mm: Array | float = 0.0
) -> Creases:
    """The edges of the discs' tops; where an edge is rounded, about its middle, and ``outward_mm`` of it."""
    radius = np.array([s.bottom_radius_mm + _EDGE_MIDDLE * s.bevel_mm for s in solids]) + outward_mm
    top = np.array([s.base_mm + s.thickness_mm for s in solids])
    centre = np.concatenate([xy_mm, top[:, None]], 1)
    spread = directions @ view.px_per_mm(centre)
    reach = np.hypot(spread[..., 0], spread[..., 1])
    rim = xy_mm[:, None] + radius[:, None, None] * spread / reach[..., None]
    points = view.px_from_mm(
        np.concatenate([rim, np.broadcast_to(top[:, None, None], (*reach.shape, 1))], -1)
    )
    lift = view.px_from_mm(centre) - view.px_from_mm(centre - np.array([0.0, 0.0, 1.0]))
    higher = lift @ directions.T
    near = np.clip(-higher / np.maximum(np.linalg.norm(lift, axis=1, keepdims=True), 1e-9), 0.0, 1.0)
    by_size = np.stack([reach, higher, (_EDGE_MIDDLE - 1.0) * reach], -1)
    return Creases(points, reach, np.concatenate([spread, by_size], -1), near)


def rim(view: View, xy_mm: Array, radius_mm: float, height_mm: float, count: int = 90) -> Array:
    """Pixels of one circle of the disc, for drawing; shape (count, 2)."""
    angle = np.arange(count) / count * 2 * np.pi
    circle = xy_mm + radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1)
    return view.px_from_mm(np.concatenate([circle, np.full((count, 1), height_mm)], 1))

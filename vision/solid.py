"""The disc as the solid it is, and the outline a camera sees of it.

A disc is a solid of revolution: the flat bottom that decides every call, the widest circle at half height, the top. The
outline of a convex body is its support function: for each direction in the picture the farthest of all its circles'
pictures, so the top rim makes the far side of the outline and the bottom edge the near side, without cases.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array, View


@dataclass(frozen=True, slots=True)
class Solid:
    """Radii and thickness of a disc in mm; ``base_mm`` is the height of its bottom above the surface."""

    widest_radius_mm: float
    bottom_radius_mm: float
    thickness_mm: float
    base_mm: float = 0.0

    def circles(self) -> Array:
        """Heights and radii of the circles that make the outline; shape (k, 2).

        The side is taken as an arc through bottom, widest and top circle.
        """
        part = np.linspace(0.0, 1.0, 7)
        bulge = self.widest_radius_mm - self.bottom_radius_mm
        radius = self.bottom_radius_mm + bulge * np.sqrt(np.maximum(1.0 - np.square(2 * part - 1), 0.0)) ** 0.8
        return np.stack([self.base_mm + part * self.thickness_mm, radius], 1)


def outline(view: View, xy_mm: Array, solid: Solid, directions: Array) -> tuple[Array, Array]:
    """The outline of a disc standing at ``xy_mm`` (2,), in unit picture directions (n, 2).

    Returns the support (n,) in px, ``direction . point``, and the outline points (n, 2) in px.
    """
    circles = solid.circles()
    centres_mm = np.concatenate([np.broadcast_to(xy_mm, (len(circles), 2)), circles[:, :1]], 1)
    centres = view.px_from_mm(centres_mm)
    # per height: the circle's picture is, to second order, an ellipse: the Jacobian's image of it
    spread = np.einsum("kij,ni->knj", view.px_per_mm(centres_mm), directions)
    reach = np.linalg.norm(spread, axis=2)
    support = centres @ directions.T + circles[:, 1:] * reach
    top = support.argmax(0)
    n = np.arange(len(directions))
    rim = circles[top, 1:] * spread[top, n] / reach[top, n][:, None]
    points = view.px_from_mm(np.concatenate([xy_mm + rim, circles[top, :1]], 1))
    return np.asarray((points * directions).sum(1)), points


def rim(view: View, xy_mm: Array, radius_mm: float, height_mm: float, count: int = 90) -> Array:
    """Pixels of one circle of the disc, for drawing; shape (count, 2)."""
    angle = np.arange(count) / count * 2 * np.pi
    circle = xy_mm + radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1)
    return view.px_from_mm(np.concatenate([circle, np.full((count, 1), height_mm)], 1))

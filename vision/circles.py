"""Circles of a disc's size in the straight-down picture, and what each shows of itself."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.rectify import Rectified

RAYS = 48


@dataclass(frozen=True)
class Circles:
    """n circles: ``xy_px`` (n, 2) of the top and ``radius_px`` (n,) in the rectified picture, ``votes`` (n,).

    ``coverage`` (n,) is the share of directions with an edge on the outline, weak edges counted in part.
    ``step`` (n,) is the typical difference in colour between the top and what lies beyond the outline, in Lab
    units, ``weak_step`` (n,) what all but a quarter of the directions exceed, ``agreement`` (n,) how far all
    directions differ alike, 0 to 1. ``inside`` (n, 3) and ``outside`` (n, 3) are the median Lab colours on
    either side; ``texture`` (n,) the inside's own spread; ``edge_on`` (n, rays) where the edge is seen.
    ``side_seen`` (n,) is how much of its side a disc there shows, 0 to 1, and ``crease`` (n,) the share of
    the directions that face the camera in which an edge parts the side from the top.
    """

    xy_px: Array
    radius_px: Array
    votes: Array
    coverage: Array
    step: Array
    weak_step: Array
    agreement: Array
    inside: Array
    outside: Array
    texture: Array
    side_seen: Array
    crease: Array
    edge_on: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.votes)

    @classmethod
    def none(cls) -> Circles:
        """No circles at all."""
        shapes = {"xy_px": (0, 2), "inside": (0, 3), "outside": (0, 3), "edge_on": (0, RAYS)}
        made = {field.name: np.zeros(shapes.get(field.name, (0,))) for field in fields(cls)}
        return cls(**{**made, "edge_on": made["edge_on"].astype(bool)})

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Circles:
        """Some of these circles, by a mask or by their numbers."""
        return Circles(*(getattr(self, field.name)[which] for field in fields(self)))


def reach_on_surface_mm(circles: Circles, picture: Rectified, view: View) -> Array:
    """How far from the board's centre, on the surface's plane, each circle's seen edge reaches; shape (n,).

    What is seen through the hole, its floor and its wall, never reaches beyond the hole's rim.
    """
    angle = np.arange(RAYS) / RAYS * 2 * np.pi
    # planes apart, a circle stays one
    larger = _larger_on_surface(picture, view)
    centre = on_surface_mm(picture.mm_from_px(circles.xy_px), picture, view)
    radius = (circles.radius_px * larger / picture.px_per_mm)[:, None]
    distance = np.hypot(centre[:, :1] + radius * np.cos(angle), centre[:, 1:] - radius * np.sin(angle))
    distance = np.sort(np.where(circles.edge_on, distance, np.inf), axis=1)
    seen = circles.edge_on.sum(1)
    far = distance[np.arange(len(circles)), np.minimum((0.9 * seen).astype(np.intp), RAYS - 1)]
    return np.asarray(np.where(seen > 0, far, np.inf))


def on_surface_mm(xy_mm: Array, picture: Rectified, view: View) -> Array:
    """Where on the surface the lines of sight through points (..., 2) of the picture's plane end."""
    below = view.eye_mm[:2]
    return np.asarray(below + (xy_mm - below) * _larger_on_surface(picture, view))


def _larger_on_surface(picture: Rectified, view: View) -> float:
    """How much farther apart lines of sight are on the surface than on the picture's plane."""
    height_mm = float(view.eye_mm[2])
    return height_mm / (height_mm - picture.height_mm)


def distances_px(one: Array, other: Array) -> Array:
    """How far (n, m) points (n, 2) are from points (m, 2); numpy's own norm is slow over so short an axis."""
    across, down = (one[:, None, k] - other[:, k] for k in (0, 1))
    return np.asarray(np.sqrt(across * across + down * down))

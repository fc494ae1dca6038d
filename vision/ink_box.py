"""Rectangles: where things lie on a canvas, and whether they are in each other's way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in px."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> Array:
        """Its corners, (4, 2), clockwise from the top left one."""
        (l, t), (r, b) = (self.left, self.top), (self.right, self.bottom)  # noqa: E741
        return np.array([(l, t), (r, t), (r, b), (l, b)], dtype=np.float64)

    def overlap(self, other: Box) -> float:
        """The area shared with another box, in px²."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)

    def grown(self, by: float) -> Box:
        """The box with a margin round it."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def rounded(self, radius: float) -> Array:
        """The polygon of the box with round corners."""
        radius = min(radius, self.width / 2, self.height / 2)
        turn = np.linspace(0.0, np.pi / 2, 9)
        arcs = [
            centre + radius * np.stack([np.cos(start + turn), np.sin(start + turn)], 1)
            for centre, start in zip(
                self.grown(-radius).corners, np.pi * np.array([1, 1.5, 0, 0.5]), strict=True
            )
        ]
        return np.concatenate(arcs)


def box_around(points: Array) -> Box:
    """The smallest box that holds the points (n, 2)."""
    (left, top), (right, bottom) = points.min(0), points.max(0)
    return Box(float(left), float(top), float(right), float(bottom))

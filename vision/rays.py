"""Rays from the middles of discs' outlines, and what a straight-down picture shows along them.

Samples come first and rays last, (samples, n, rays), and x and y are apart: numpy and OpenCV go through long
rows and single channels several times faster than through short ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from vision.circles import RAYS
from vision.edges import Edges

Floats = NDArray[np.float32]
_Depth = TypeVar("_Depth", np.uint8, np.float32)

_ANGLE = np.arange(RAYS) / RAYS * 2 * np.pi
COS, SIN = np.cos(_ANGLE).astype(np.float32), np.sin(_ANGLE).astype(np.float32)


@dataclass(frozen=True)
class Outlines:
    """n outlines in pixels: ``middle`` (n, 2), and where the rays from it meet them, each (n, rays).

    ``x`` and ``y`` lead from the middle to the outline; ``normal_x`` and ``normal_y`` are its unit normal
    there.
    """

    middle: Floats
    x: Floats
    y: Floats
    normal_x: Floats
    normal_y: Floats

    @property
    def clearance(self) -> Floats:
        """How far (n, rays) the middle lies within the outline's tangents."""
        return np.asarray(self.x * self.normal_x + self.y * self.normal_y)

    @property
    def points(self) -> tuple[Floats, Floats]:
        """Where the outlines lie: x and y, each (n, rays)."""
        return self.middle[:, :1] + self.x, self.middle[:, 1:] + self.y

    def thinned(self, every: int) -> Outlines:
        """With each ``every``-th ray alone."""
        parts = (self.x, self.y, self.normal_x, self.normal_y)
        return Outlines(self.middle, *(part[:, ::every] for part in parts))

    def take(self, which: NDArray[np.bool_]) -> Outlines:
        """Some of them."""
        parts = (self.x, self.y, self.normal_x, self.normal_y)
        return Outlines(self.middle[which], *(part[which] for part in parts))


def rounds(centre: Array, radius: Array) -> Outlines:
    """Circles with these centres (n, 2) and radii (n,)."""
    r = radius.astype(np.float32)[:, None]
    across, down = (np.broadcast_to(part, (len(r), RAYS)) for part in (COS, SIN))
    return Outlines(centre.astype(np.float32), r * COS, r * SIN, across, down)


def capsules(middle: Array, axis: Array, radius: Array) -> Outlines:
    """The common outlines of two equal circles each, ``axis`` (n, 2) apart, about their ``middle`` (n, 2)."""
    axis, r = axis.astype(np.float32), radius.astype(np.float32)[:, None]
    length = np.linalg.norm(axis, axis=1, keepdims=True)
    half = length / 2
    direction = np.where(length > 1e-6, axis / np.maximum(length, 1e-6), np.array([1.0, 0.0], np.float32))
    to_x, to_y = direction[:, :1], direction[:, 1:]
    along, across = to_x * COS + to_y * SIN, to_x * SIN - to_y * COS
    side = r / np.maximum(np.abs(across), 1e-6)
    cap = half * np.abs(along) + np.sqrt(np.maximum(r**2 - np.square(half * across), 0.0))
    reach = np.where(side * np.abs(along) <= half, side, cap)
    foot: Floats = np.clip(reach * along, -half, half)  # on the axis: the outline lies a radius off it
    x, y = reach * COS, reach * SIN
    return Outlines(middle.astype(np.float32), x, y, (x - foot * to_x) / r, (y - foot * to_y) / r)


def colours(edges: Edges, outlines: Outlines, share: Floats) -> NDArray[np.uint8]:
    """Lab colours (samples, n, rays, 3) at shares of the way to the outlines."""
    return _sampled(edges.lab, _places(outlines, share))[..., :3]


def rise(edges: Edges, outlines: Outlines, share: Floats) -> Floats:
    """How steeply the picture changes across outlines (samples, n, rays), in Lab units a pixel.

    It is looked at on each ray at shares of the way to the outline.
    """
    places = _places(outlines, share)
    across, down = _sampled(edges.slope_x, places), _sampled(edges.slope_y, places)
    across *= outlines.normal_x
    down *= outlines.normal_y
    across += down
    return np.abs(across, out=across)


def _places(outlines: Outlines, share: Floats) -> tuple[Floats, Floats]:
    """Pixels x and y (samples, n, rays) at shares of the way to the outlines."""
    x, y = np.multiply.outer(share, outlines.x), np.multiply.outer(share, outlines.y)
    x += outlines.middle[:, :1]
    y += outlines.middle[:, 1:]
    return x, y


def _sampled(picture: NDArray[_Depth], places: tuple[Floats, Floats]) -> NDArray[_Depth]:
    x, y = (part.reshape(-1, part.shape[-1]) for part in places)
    values = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values.reshape(*places[0].shape, *picture.shape[2:]), dtype=picture.dtype)

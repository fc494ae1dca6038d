"""Where the straight-down picture changes, and the centres that its edges vote for.

Every edge point votes a radius away to both sides: a gradient Hough transform for a handful of radii (Kimme,
Ballard & Sklansky, 1975).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array

_SMOOTH_PX = 0.6
_LEAST_SLOPE = 1.2  # Lab units a pixel, below which nothing is told from noise
_LEAST_RELATIVE = 1.25  # of the neighbourhood's mean
_PLAIN_SLOPE = 5.0  # Lab units a pixel
_NEIGHBOURHOOD_MM = 48.0
_MOST_EDGES = 30_000
_VOTE_RANGE = 3.0
_BLUR_MM = 1.3
_RADIUS_STEP = 1.12
_BORDER_PX = 3
_ALONG = 0.8  # cosine between an outline's normal and a ring's


@dataclass(frozen=True)
class Rings:
    """Concentric circles in a picture: ``centre_px`` (x, y), ``radii_px``, and ``half_width_px`` of each."""

    centre_px: tuple[float, float] = (0.0, 0.0)
    radii_px: tuple[float, ...] = ()
    half_width_px: float = 0.0

    def along(
        self,
        points_px: tuple[NDArray[np.float32], NDArray[np.float32]],
        normals: tuple[NDArray[np.float32], NDArray[np.float32]],
    ) -> NDArray[np.bool_]:
        """Whether an outline with these points and normals, each x and y of one shape, runs along a ring."""
        x, y = (part - np.float32(middle) for part, middle in zip(points_px, self.centre_px, strict=True))
        far = np.hypot(x, y)
        same_way = np.abs(x * normals[0] + y * normals[1]) > _ALONG * far
        on = np.zeros(far.shape, dtype=bool)
        for radius in self.radii_px:
            on |= np.abs(far - np.float32(radius)) < self.half_width_px
        return np.asarray(on & same_way)


@dataclass(frozen=True)
class Edges:
    """A picture prepared for finding outlines.

    ``lab`` (h, w, 4) is its 8-bit Lab copy, lightly smoothed, and an empty channel: OpenCV samples four twice
    as fast as three. ``slope_x`` and ``slope_y`` (h, w) are the gradient of whichever channel changes most,
    ``slope`` (h, w) is its length, in Lab units a pixel. ``rings`` are the circles that are known to be
    drawn there.
    """

    lab: NDArray[np.uint8]
    slope_x: NDArray[np.float32]
    slope_y: NDArray[np.float32]
    slope: NDArray[np.float32]
    rings: Rings = field(default_factory=lambda: Rings())


@dataclass(frozen=True)
class EdgePoints:
    """m points on edges, each field (m,): ``x``, ``y``, the unit direction across (x, y), ``weight``.

    ``shape`` is the picture's, in rows and columns.
    """

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    unit_x: NDArray[np.float32]
    unit_y: NDArray[np.float32]
    weight: NDArray[np.float32]
    shape: tuple[int, int]


def edges_of(rgb: NDArray[np.uint8], rings: Rings | None = None) -> Edges:
    """The edges of a picture (h, w, 3) in which these rings are known."""
    lab = cv2.GaussianBlur(cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB), (0, 0), _SMOOTH_PX)
    best: NDArray[np.float32] | None = None
    for channel in cv2.split(lab):
        gx = np.asarray(cv2.Scharr(channel, cv2.CV_32F, 1, 0, scale=1 / 32), np.float32)
        gy = np.asarray(cv2.Scharr(channel, cv2.CV_32F, 0, 1, scale=1 / 32), np.float32)
        square = np.square(gx)
        cv2.accumulateSquare(gy, square)
        if best is None:
            best, slope_x, slope_y = square, gx, gy
            continue
        better = cv2.compare(square, best, cv2.CMP_GT)
        for mine, theirs in ((best, square), (slope_x, gx), (slope_y, gy)):
            cv2.copyTo(theirs, better, mine)
    assert best is not None
    four = np.asarray(cv2.cvtColor(lab, cv2.COLOR_RGB2RGBA), np.uint8)
    return Edges(four, slope_x, slope_y, np.sqrt(best, out=best), rings or Rings())


def voted_circles(
    points: EdgePoints, px_per_mm: float, radii_mm: tuple[float, float], most: int, grid_px: int = 1
) -> tuple[Array, Array]:
    """The ``most`` strongest peaks over all radii: x, y, radius (n, 3) in pixels, and votes (n,).

    They are counted in cells of ``grid_px`` pixels, per pixel of radius and relative to how much else changes
    in the neighbourhood.
    """
    height, width = (-(-side // grid_px) for side in points.shape)
    low, high = radii_mm
    count = int(np.ceil(np.log(high / low) / np.log(_RADIUS_STEP))) + 1
    radii = np.geomspace(low, high, count) * px_per_mm / grid_px
    middle = np.float32((grid_px - 1) / (2 * grid_px))  # of a cell's first pixel, from the cell's centre
    margin = int(np.ceil(radii[-1])) + 1  # no vote falls farther out
    wide = (height + 2 * margin, width + 2 * margin)
    within = (slice(margin, margin + height), slice(margin, margin + width))
    # votes to one side and to the other; half a cell more, as whole numbers are had by cutting off
    x, y = (
        np.tile(at / np.float32(grid_px) - middle + np.float32(margin + 0.5), 2)
        for at in (points.x, points.y)
    )
    across_x, across_y = (np.concatenate([unit, -unit]) for unit in (points.unit_x, points.unit_y))
    weights = np.tile(points.weight, 2).astype(np.float64)
    sigma = _BLUR_MM * px_per_mm / grid_px
    best = np.zeros((height, width), np.float32)
    which = np.zeros((height, width), np.uint8)
    for k, radius in enumerate(radii):
        r = np.float32(radius)
        cell = (y + r * across_y).astype(np.int32) * np.int32(wide[1]) + (x + r * across_x).astype(np.int32)
        pile = np.bincount(cell, weights / (radius * grid_px**3), wide[0] * wide[1]).reshape(wide)
        votes = cv2.GaussianBlur(pile[within].astype(np.float32), (0, 0), sigma)
        better = cv2.compare(votes, best, cv2.CMP_GT)
        cv2.copyTo(votes, better, best)
        np.maximum(which, np.minimum(better, k), out=which)  # k grows, so that the last better one stays
    apart = int(0.6 * radii[0]) | 1
    at = np.flatnonzero((best >= cv2.dilate(best, np.ones((apart, apart), np.uint8))) & (best > 0))
    at = at[np.argsort(-best.ravel()[at], kind="stable")[:most]]
    rows, columns = np.divmod(at, width)
    xy_px = (np.stack([columns, rows], 1) + middle) * grid_px
    peaks = np.concatenate([xy_px, radii[which[rows, columns]][:, None] * grid_px], axis=1)
    return peaks.astype(np.float64), best[rows, columns].astype(np.float64)


def edge_points(edges: Edges, px_per_mm: float) -> EdgePoints:
    """The thinned edge points of a picture with ``px_per_mm``."""
    strength = edges.slope
    side = int(_NEIGHBOURHOOD_MM * px_per_mm) | 1
    # a strong edge nearby must not silence a weak one: it counts no more than a plain one
    usual = cv2.blur(np.minimum(strength, np.float32(_PLAIN_SLOPE)), (side, side))
    take = strength > np.maximum(_LEAST_RELATIVE * (usual + np.float32(0.5)), np.float32(_LEAST_SLOPE))
    take[:_BORDER_PX] = take[-_BORDER_PX:] = False
    take[:, :_BORDER_PX] = take[:, -_BORDER_PX:] = False
    at = np.flatnonzero(take)
    flat, width = strength.ravel(), strength.shape[1]
    here = flat[at]
    ux, uy = edges.slope_x.ravel()[at] / here, edges.slope_y.ravel()[at] / here
    beside = np.rint(uy).astype(np.intp) * width + np.rint(ux).astype(np.intp)
    thin = np.flatnonzero((here >= flat[at + beside]) & (here >= flat[at - beside]))
    at, ux, uy, here = at[thin], ux[thin], uy[thin], here[thin]
    weight = np.minimum(here / (usual.ravel()[at] + np.float32(0.5)), np.float32(_VOTE_RANGE))
    if len(at) > _MOST_EDGES:
        keep = np.argpartition(-weight, _MOST_EDGES)[:_MOST_EDGES]
        at, ux, uy, weight = at[keep], ux[keep], uy[keep], weight[keep]
    y, x = np.divmod(at, width)
    return EdgePoints(x.astype(np.float32), y.astype(np.float32), ux, uy, weight, strength.shape[:2])

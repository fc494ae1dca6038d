"""The Hough transform for concentric circles, under every way the board may face.

Each thin-line point votes for all points on its normal; the common centre of the rings gets the votes of all
of them. In a photo taken by hand the rings are ellipses whose normals do not meet, so the points are first
turned, for a guessed focal length, into the view that a camera facing the board would have: then rings are
circles again (the rotation homography ``K R K⁻¹``, Hartley & Zisserman, 2nd ed., 8.4.2). The facings are
tried on a grid over the hemisphere and the best are refined.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Array, Camera
from calibration.ridges import Ridges

_CELLS = 112  # of the accumulator, along its longer side
_VOTERS = 1000
_SMALLEST_RADIUS = 4.0  # cells
_LARGEST_RADIUS = 0.62  # of the accumulator's side
_REACH = np.arange(_SMALLEST_RADIUS, _LARGEST_RADIUS * _CELLS)
_REACH = np.concatenate([-_REACH[::-1], _REACH]).astype(np.float32)
_OUTLYING = 0.03  # share of the points at either end that may lie outside the accumulator
_GRID = ((0, 1), (18, 8), (36, 14), (52, 18), (62, 22))  # tilt in degrees, directions at that tilt
_REFINE_DEG = (8.0, 4.0, 2.0)
_LEAST_VOTES = 0.3  # a board's three rings gather 0.7 and more; grain, print and foliage up to 0.5
_LEAST_RAY = 0.15  # cosine below which a pixel is too near the horizon to vote


@dataclass(frozen=True)
class Facing:
    """A guess: the board's normal in the camera frame and the common centre of the circles on it.

    ``rotation`` (3, 3) turns camera rays so that the board's normal is the axis; ``centre`` (2,) is in the
    plane at unit distance along it. ``votes`` is the share of points whose normal passes the centre.
    """

    rotation: Array
    centre: Array
    votes: float
    tilt_deg: float


def facing_ridges(ridges: Ridges, camera: Camera, rotation: Array) -> tuple[Array, Array]:
    """Ridge points and unit normals, (n, 2) each, as a camera facing the board would see them.

    The plane is at unit distance.

    Points at or beyond the horizon come back as NaN.
    """
    rays = np.concatenate([camera.undistort(ridges.xy_px), np.ones((len(ridges), 1))], axis=1)
    along = np.stack([-ridges.normal[:, 1], ridges.normal[:, 0], np.zeros(len(ridges))], axis=1)
    turned, moved = rays @ rotation.T, along @ rotation.T
    depth = np.where(turned[:, 2:] > _LEAST_RAY, turned[:, 2:], np.nan)
    xy = turned[:, :2] / depth
    step = moved[:, :2] - xy * moved[:, 2:]
    normal = np.stack([-step[:, 1], step[:, 0]], axis=1)
    return xy, normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)


def vote(ridges: Ridges, camera: Camera, rotation: Array) -> Facing:
    """The best common centre for one facing."""
    xy, normal = facing_ridges(ridges, camera, rotation)
    seen = np.isfinite(xy[:, 0])
    tilt = math.degrees(math.acos(min(1.0, float(rotation[2, 2]))))
    if seen.sum() < 20:
        return Facing(rotation, np.zeros(2), 0.0, tilt)
    xy, normal = xy[seen], normal[seen]
    ordered, end = np.sort(xy, axis=0), round(_OUTLYING * (len(xy) - 1))
    low, high = ordered[end], ordered[-1 - end]
    cell = float((high - low).max()) / _CELLS or 1.0
    # half a cell on top, so that cutting off rounds
    start, step = ((xy - low) / cell + 0.5).astype(np.float32), normal.astype(np.float32)
    column = (start[:, :1] + step[:, :1] * _REACH).astype(np.int32)
    row = (start[:, 1:] + step[:, 1:] * _REACH).astype(np.int32)
    # seen as unsigned, a negative number is too large as well
    inside = (column.view(np.uint32) < _CELLS) & (row.view(np.uint32) < _CELLS)
    row *= _CELLS
    row += column
    row[~inside] = _CELLS * _CELLS
    votes = np.bincount(row.ravel(), minlength=_CELLS * _CELLS + 1)[:-1]
    pile = cv2.blur(votes.reshape(_CELLS, _CELLS).astype(np.float32), (3, 3)) * 9.0
    peak = int(pile.argmax())
    centre = low + np.array([peak % _CELLS, peak // _CELLS]) * cell
    return Facing(rotation, centre, float(pile.max()) / len(ridges), tilt)


def likely_facings(ridges: Ridges, camera: Camera, most: int = 4) -> Iterator[Facing]:
    """Facings with a strong common centre, best first.

    The first is from near straight above, the others from all around. The caller stops when one of them turns
    out to be a board.
    """
    voters = ridges.some(_VOTERS)
    first = vote(voters, camera, _rotation(0.0, 0.0))
    yield _refined(voters, camera, first)
    grid = [
        vote(voters, camera, _rotation(tilt, 360.0 * (k + 0.5 * (ring % 2)) / count))
        for ring, (tilt, count) in enumerate(_GRID[1:])
        for k in range(count)
    ]
    tried: list[Array] = [first.rotation[2]]
    for facing in sorted(grid, key=lambda f: -f.votes):
        if len(tried) > most:
            return
        if all(float(facing.rotation[2] @ other) < math.cos(math.radians(15.0)) for other in tried):
            tried.append(facing.rotation[2])
            refined = _refined(voters, camera, facing)
            if refined.votes < _LEAST_VOTES:
                return
            yield refined


def _refined(ridges: Ridges, camera: Camera, facing: Facing) -> Facing:
    """The best facing in the neighbourhood, by ever smaller steps."""
    for step_deg in _REFINE_DEG:
        here = facing.rotation
        for direction in range(6):
            lean = _rotation(step_deg, 60.0 * direction)
            candidate = vote(ridges, camera, lean @ here)
            if candidate.votes > facing.votes:
                facing = candidate
    return facing


def _rotation(tilt_deg: float, direction_deg: float) -> Array:
    """The smallest rotation that turns an axis leaning that way to the optical axis."""
    tilt, direction = math.radians(tilt_deg), math.radians(direction_deg)
    axis = np.array([math.sin(direction), -math.cos(direction), 0.0]) * tilt
    return np.asarray(cv2.Rodrigues(axis)[0], dtype=np.float64)

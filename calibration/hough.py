"""The Hough transform for concentric circles, under every way the board may face.

Each thin-line point has a normal, and the normals of concentric circles meet in their centre. In a photo
taken by hand the rings are ellipses whose normals do not meet, so the points are first turned, for a guessed
focal length, into the view that a camera facing the board would have: then rings are circles again (the
rotation homography ``K R K⁻¹``, Hartley & Zisserman, 2nd ed., 8.4.2). Pairs of points vote for where their
normals cross (a randomised Hough transform, Xu, Oja and Kultanen 1990): clutter scatters its votes over the
whole picture. The facings are tried on a grid over the hemisphere, and the best are brought to where the
normals meet best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import Array, Camera
from calibration.ridges import Ridges

_CELLS = 80  # of the accumulator, along its longer side
_VOTERS = 900
_PARTNERS = (1, 7, 31, 101)  # places on in the shuffled order
_LEAST_ANGLE = 0.35  # sine of the angle at which two normals cross: nearly parallel ones cross anywhere
_TOWARDS = 0.087  # sine of the angle by which a normal may miss the centre that it votes for
_LEAST_VOTERS = 20
_OUTLYING = 0.03  # share of the points at either end that may lie outside the accumulator
_GRID = ((30, 6), (48, 10), (62, 14))  # tilt in degrees, directions at that tilt; straight above comes first
_REFINED = 8  # of the grid
_PLAIN_VOTES = 0.4  # enough to try a facing before any other
_ALIKE_DEG = 4.0
_MOST_TILT = math.cos(math.radians(74.0))
#: For each step of the refinement: the sigma of a normal's direction, and how much of the focal length's own
#: sigma is left to it. At first the facing is far off, and a wrong focal length would make up for that.
_STEPS = ((0.12, 0.05), (0.08, 0.2), (0.05, 1.0), (0.05, 1.0), (0.05, 1.0))
_DIFFERENCE = 1e-4
_BESIDE = np.diag([_DIFFERENCE] * 5)
_LONGEST_STEP = 0.15
_LEAST_VOTES = 0.12
_LEAST_RAY = 0.15  # cosine below which a pixel is too near the horizon to vote


@dataclass(frozen=True)
class Facing:
    """A guess: the board's normal in the frame of a camera, and the common centre of the circles on it.

    ``rotation`` (3, 3) turns camera rays so that the board's normal is the axis; ``centre`` (2,) is in the
    plane at unit distance along it. ``votes`` is the share of points whose normal points at the centre.
    """

    camera: Camera
    rotation: Array
    centre: Array
    votes: float

    @property
    def tilt_deg(self) -> float:
        """Angle between the board's normal and the optical axis."""
        return math.degrees(math.acos(min(1.0, float(self.rotation[2, 2]))))


def facing_ridges(ridges: Ridges, camera: Camera, rotation: Array) -> tuple[Array, Array]:
    """Ridge points and unit normals, (n, 2) each, as a camera facing the board would see them.

    The plane is at unit distance.

    Points at or beyond the horizon come back as NaN.
    """
    x, y, nx, ny = _Voters.of(ridges, camera, 0.0).turned(rotation)
    return np.stack([x, y], 1), np.stack([nx, ny], 1)


def vote(ridges: Ridges, camera: Camera, rotation: Array) -> Facing:
    """The best common centre for one facing."""
    return _vote(_Voters.of(ridges, camera, 0.0), rotation)


def likely_facings(
    ridges: Ridges, camera: Camera, f_relative_sigma: float = 0.2, most: int = 4
) -> Iterator[Facing]:
    """Facings with a strong common centre, best first.

    What is found from straight above comes at once when it is plain: it usually is, and the caller stops when
    it turns out to be a board.
    """
    voters = _Voters.of(ridges.some(_VOTERS), camera, f_relative_sigma)
    above = _settled(voters, _vote(voters, _rotation(0.0, 0.0)))
    yielded = []
    if above.votes > _PLAIN_VOTES:
        yielded.append(above)
        yield above
    aslant = [
        _vote(voters, _rotation(tilt, 360.0 * (k + 0.5 * (ring % 2)) / count))
        for ring, (tilt, count) in enumerate(_GRID)
        for k in range(count)
    ]
    best = sorted(aslant, key=lambda facing: -facing.votes)[:_REFINED]
    found = [above, *(_settled(voters, facing) for facing in best)]
    for facing in sorted(found, key=lambda facing: -facing.votes):
        if len(yielded) > most or facing.votes < _LEAST_VOTES:
            return
        if all(_apart_deg(facing, other) > _ALIKE_DEG for other in yielded):
            yielded.append(facing)
            yield facing


@dataclass(frozen=True)
class _Voters:
    """Points with the camera expected, and the sigma of its focal length's logarithm.

    ``rays`` (2, 3, n) are each point's ray and the direction along its line, in the camera's frame.
    """

    camera: Camera
    f_relative_sigma: float
    rays: Array

    @classmethod
    def of(cls, ridges: Ridges, camera: Camera, f_relative_sigma: float) -> _Voters:
        rays = np.zeros((2, 3, len(ridges)))
        rays[0, :2], rays[0, 2] = camera.undistort(ridges.xy_px).T, 1.0
        rays[1, 0], rays[1, 1] = -ridges.normal[:, 1], ridges.normal[:, 0]
        return cls(camera, f_relative_sigma, rays)

    def turned(self, rotation: Array, log_f: Array | float = 0.0) -> Array:
        """Places x, y and unit normals x, y (..., 4, n) on the plane of each facing; NaN beyond the horizon.

        ``rotation`` is (..., 3, 3), and ``log_f`` (...) how much longer the camera is than expected.
        """
        turn = rotation.copy()
        turn[..., :2] *= np.exp(-np.asarray(log_f))[..., None, None]
        there = turn[..., None, :, :] @ self.rays
        x, y, depth = (there[..., 0, k, :] for k in range(3))
        ux, uy, uz = (there[..., 1, k, :] for k in range(3))
        per_depth = 1.0 / np.where(depth > _LEAST_RAY, depth, np.nan)
        x, y = x * per_depth, y * per_depth
        nx, ny = y * uz - uy, ux - x * uz
        per_length = 1.0 / np.maximum(np.sqrt(nx * nx + ny * ny), 1e-12)
        return np.stack([x, y, nx * per_length, ny * per_length], axis=-2)

    def facing(self, rotation: Array, centre: Array, log_f: float, here: Array) -> Facing:
        """The facing with its votes, of points as ``turned``."""
        with np.errstate(invalid="ignore"):
            votes = float((np.abs(_sines(here, centre)) < _TOWARDS).sum()) / self.rays.shape[2]
        return Facing(replace(self.camera, f_px=self.camera.f_px * math.exp(log_f)), rotation, centre, votes)


def _apart_deg(facing: Facing, other: Facing) -> float:
    """The angle between two facings' normals."""
    return math.degrees(math.acos(min(1.0, float(facing.rotation[2] @ other.rotation[2]))))


def _vote(voters: _Voters, rotation: Array, log_f: float = 0.0) -> Facing:
    here = voters.turned(rotation, log_f)
    x, y, nx, ny = seen = here[:, np.isfinite(here[0])]
    if len(x) < _LEAST_VOTERS:
        return Facing(voters.camera, rotation, np.zeros(2), 0.0)
    ends = round(_OUTLYING * (len(x) - 1)), round((1 - _OUTLYING) * (len(x) - 1))
    low, high = np.partition(seen[:2], ends, axis=1)[:, ends].T
    cell = float((high - low).max()) / _CELLS or 1.0
    columns, rows = (np.ceil((high - low) / cell).astype(int) + 1).tolist()
    cells = np.zeros(columns * rows)
    for partner in _PARTNERS:
        other_x, other_y, mx, my = np.roll(seen, partner, axis=1)
        sine = nx * my - ny * mx
        with np.errstate(divide="ignore", invalid="ignore"):
            along = ((other_x - x) * my - (other_y - y) * mx) / sine
            column, row = (x + along * nx - low[0]) / cell, (y + along * ny - low[1]) / cell
        met = (np.abs(sine) > _LEAST_ANGLE) & (column > 0) & (row > 0) & (column < columns) & (row < rows)
        at = row[met].astype(np.intp) * columns + column[met].astype(np.intp)
        cells += np.bincount(at, minlength=len(cells))
    peak = int(cv2.blur(cells.reshape(rows, columns), (3, 3)).argmax())
    centre = low + (np.array([peak % columns, peak // columns]) + 0.5) * cell
    return voters.facing(rotation, centre, log_f, here)


def _sines(here: Array, centre: Array) -> Array:
    """By the sine of which angle each of ``turned``'s normals (..., 4, n) misses the centre (..., 2)."""
    x, y, nx, ny = (here[..., k, :] for k in range(4))
    dx, dy = x - centre[..., :1], y - centre[..., 1:]
    return np.asarray((dx * ny - dy * nx) / np.maximum(np.sqrt(dx * dx + dy * dy), 1e-9))


def _settled(voters: _Voters, facing: Facing) -> Facing:
    """The facing refined, and once more from the centre that most normals then vote for."""
    refined = _refined(voters, facing)
    again = _vote(voters, refined.rotation, math.log(refined.camera.f_px / voters.camera.f_px))
    return _refined(voters, again) if again.votes > refined.votes else refined


def _refined(voters: _Voters, facing: Facing) -> Facing:
    """The facing brought to where the normals meet best: robust least squares on their directions.

    From aslant the focal length shows in them too, and a wrong one moves the centre.
    """
    log_f = math.log(facing.camera.f_px / voters.camera.f_px)
    here = _Meeting(facing.rotation, facing.rotation.T @ np.array([*facing.centre, 1.0]), log_f)
    for sigma, left in _STEPS:
        focal_sigma = left * voters.f_relative_sigma
        missed, *beside = _missed(voters, [here, *(here.moved(step) for step in _BESIDE)])
        slopes = np.stack(beside) - missed
        seen = np.isfinite(missed) & np.isfinite(slopes).all(0)
        missed, slopes = missed[seen] / sigma, slopes[:, seen] / (_DIFFERENCE * sigma)
        weight = 1.0 / (1.0 + np.square(missed))
        normal = (slopes * weight) @ slopes.T
        normal[np.diag_indices(5)] = np.diag(normal) * 1.01 + 1e-6
        gradient = slopes @ (weight * missed)
        normal[4, 4] += 1.0 / focal_sigma**2
        gradient[4] += here.log_f / focal_sigma**2
        step = -np.linalg.solve(normal, gradient)
        shorter = min(1.0, _LONGEST_STEP / max(float(np.abs(step).max()), 1e-12))
        here = here.moved(np.asarray(step * shorter, np.float64))
    if here.rotation[2, 2] < _MOST_TILT:
        return facing
    better = voters.facing(here.rotation, here.centre, here.log_f, voters.turned(here.rotation, here.log_f))
    return better if better.votes >= facing.votes else facing


@dataclass(frozen=True)
class _Meeting:
    """A facing as it is refined: its rotation, the ray to the centre, and how much longer the camera is."""

    rotation: Array
    ray: Array
    log_f: float

    @property
    def centre(self) -> Array:
        away = self.rotation @ self.ray
        return np.asarray(away[:2] / away[2])

    def moved(self, step: Array) -> _Meeting:
        """Leant by the first two of ``step`` (5,), with the centre moved by the next two and log f."""
        leant = np.asarray(cv2.Rodrigues(np.array([step[0], step[1], 0.0]))[0]) @ self.rotation
        ray = self.ray * np.array([math.exp(-step[4]), math.exp(-step[4]), 1.0])
        return _Meeting(leant, ray + np.array([step[2], step[3], 0.0]) * ray[2], self.log_f + float(step[4]))


def _missed(voters: _Voters, meetings: list[_Meeting]) -> Array:
    """By the sine of which angle each normal misses the centre, in each of some facings; (m, n)."""
    rotation, log_f = np.stack([one.rotation for one in meetings]), np.array([one.log_f for one in meetings])
    return _sines(voters.turned(rotation, log_f), np.stack([one.centre for one in meetings]))


def _rotation(tilt_deg: float, direction_deg: float) -> Array:
    """The smallest rotation that turns an axis leaning that way to the optical axis."""
    tilt, direction = math.radians(tilt_deg), math.radians(direction_deg)
    axis = np.array([math.sin(direction), -math.cos(direction), 0.0]) * tilt
    return np.asarray(cv2.Rodrigues(axis)[0], dtype=np.float64)

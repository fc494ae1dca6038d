"""Which of the concentric circles are the board's three lines.

Seen from the facing of :mod:`calibration.hough` every ring is a circle about one centre, so the thin-line
points are counted by radius: a ring covers most directions, grain and numerals few. Three coverings whose
radii stand to each other like a crokinole board's are a candidate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from calibration.camera import Array, View
from calibration.hough import Facing, facing_ridges
from calibration.ridges import Ridges

_DIRECTIONS = 72
RADIUS_STEP = 0.012  # relative
_ALIGNED = 0.92  # cosine between a ring's normal and the radius
_RANGE = (0.06, 6.0)  # of the usual point's radius: rings are looked for there
_LEAST_COVERAGE = 0.22
_LEAST_SUM = 1.1
#: Boards in people's homes measure up to 1 : 2.14 : 2.97 and down to 1 : 1.94 : 2.82 (standard: 1 : 2 : 3).
RATIO_10_TO_5 = (0.62, 0.76)
RATIO_15_TO_5 = (0.29, 0.385)


_FLIP = np.diag([1.0, -1.0, -1.0])  # the board's y is up and its z towards the camera


@dataclass(frozen=True)
class RingTriple:
    """Three radii at unit distance in a facing, the 15 line first, and how many directions each covers."""

    facing: Facing
    radii: tuple[float, float, float]
    coverage: tuple[float, float, float]

    @property
    def score(self) -> float:
        """Sum of the shares, less where one ring shows in less than half its directions."""
        return sum(self.coverage) * min(1.0, min(self.coverage) / 0.5)

    def view(self, r5_mm: float) -> View:
        """The view that this guess means, if the 5 line has that radius."""
        return view_of(self.facing, r5_mm / self.radii[2])


def has_proportions(radii_mm: Array) -> bool:
    """Whether three radii (3,), the 15 line's first, stand to each other like a board's.

    The surface's rim is 8 % outside the 5 line, just enough to tell it by once the rings are fitted.
    """
    ratios = radii_mm[:2] / radii_mm[2]
    least, most = np.transpose([RATIO_15_TO_5, RATIO_10_TO_5])
    return bool(((ratios > least) & (ratios < most)).all())


def view_of(facing: Facing, distance_mm: float) -> View:
    """The view of a board that faces so, its plane at that distance along its normal."""
    away = np.array([*facing.centre, 1.0]) * distance_mm
    return View(facing.camera, facing.rotation.T @ _FLIP, facing.rotation.T @ away)


def facing_of(view: View) -> Facing:
    """The facing that a fitted view has."""
    rotation = (view.rotation @ _FLIP).T
    away = rotation @ view.translation_mm
    return Facing(view.camera, rotation, away[:2] / away[2], 0.0)


def ring_triples(
    ridges: Ridges,
    facing: Facing,
    size_px: tuple[int, int],
    *,
    most: int = 3,
    smear_steps: int = 2,
) -> list[RingTriple]:
    """The likeliest triples of rings about a facing's centre, best first; empty when there is none.

    A facing that is known to a degree or two only smears a ring over some radii: ``smear_steps`` of 1.2 %
    each.
    """
    xy, normal = facing_ridges(ridges, facing.camera, facing.rotation)
    offset = xy - facing.centre
    radius = np.linalg.norm(offset, axis=1)
    aligned = np.abs((offset * normal).sum(1)) > _ALIGNED * radius
    radius, offset = radius[aligned & (radius > 0)], offset[aligned & (radius > 0)]
    if len(radius) < 30:
        return []
    # not of the outermost: from far aslant a point near the horizon is many boards away
    usual = float(np.median(radius))
    low, high = math.log(usual * _RANGE[0]), math.log(usual * _RANGE[1])
    edges = np.arange(low, high, RADIUS_STEP)
    at = ((np.log(radius) - low) / RADIUS_STEP).astype(int)
    direction = ((np.arctan2(offset[:, 1], offset[:, 0]) / (2 * np.pi) + 0.5) * _DIRECTIONS).astype(
        int
    ) % _DIRECTIONS
    hit = np.zeros((_DIRECTIONS, len(edges) + 1), dtype=bool)
    inside = (at >= 0) & (at < len(edges))
    hit[direction[inside], at[inside]] = True
    for _ in range(smear_steps):
        hit[:, 1:-1] |= hit[:, :-2] | hit[:, 2:]
    seen = _directions_in_picture(
        facing, np.exp(low + (np.arange(len(edges) + 1) + 0.5) * RADIUS_STEP), size_px
    )
    coverage = (hit & seen).sum(0) / np.maximum(seen.sum(0), _DIRECTIONS // 4)
    return choose(facing, coverage, low)[:most]


def _directions_in_picture(facing: Facing, radii: Array, size_px: tuple[int, int]) -> Array:
    """Whether the point at each direction and radius lies inside the picture; shape (directions, radii)."""
    angle = (np.arange(_DIRECTIONS) + 0.5) / _DIRECTIONS * 2 * np.pi - np.pi
    rays = np.ones((3, _DIRECTIONS, len(radii)))
    for row, towards, middle in zip(rays[:2], (np.cos(angle), np.sin(angle)), facing.centre, strict=True):
        np.add(np.multiply.outer(towards, radii), middle, out=row)
    x, y, depth = facing.rotation.T @ rays.reshape(3, -1)
    camera, per_depth = facing.camera, 1.0 / np.maximum(depth, 1e-6)
    x, y = x * per_depth, y * per_depth
    lens = camera.f_px * (1.0 + camera.k1 * (x * x + y * y)) if camera.k1 else camera.f_px
    x, y = x * lens, y * lens
    width, height = size_px
    inside = (
        (depth > 0)
        & (x > -camera.cx_px)
        & (x < width - 1 - camera.cx_px)
        & (y > -camera.cy_px)
        & (y < height - 1 - camera.cy_px)
    )
    return np.asarray(inside.reshape(_DIRECTIONS, -1))


def choose(facing: Facing, coverage: Array, low: float) -> list[RingTriple]:
    """Every local maximum as the 5 line, with the best inner two; no two triples share their 5 line."""
    found = []
    peaks = np.nonzero(
        (coverage[1:-1] >= coverage[:-2])
        & (coverage[1:-1] >= coverage[2:])
        & (coverage[1:-1] >= _LEAST_COVERAGE)
    )[0]
    for outer in (peaks + 1).tolist():
        windows = [_between(outer, *ratios) for ratios in (RATIO_15_TO_5, RATIO_10_TO_5)]
        most = [coverage[window].max() for window in windows]
        if min(most) < _LEAST_COVERAGE or sum(most) + coverage[outer] < _LEAST_SUM:
            continue
        steps = (*(_best_in(coverage, window) for window in windows), outer)
        shares = tuple(float(coverage[s]) for s in steps)
        radii = tuple(float(np.exp(low + (s + 0.5) * RADIUS_STEP)) for s in steps)
        found.append(RingTriple(facing, (radii[0], radii[1], radii[2]), (shares[0], shares[1], shares[2])))
    found.sort(key=lambda t: -t.score)
    distinct: list[RingTriple] = []
    for triple in found:
        if all(abs(np.log(triple.radii[2] / other.radii[2])) > 2.5 * RADIUS_STEP for other in distinct):
            distinct.append(triple)
    return distinct


def _between(outer: int, least: float, most: float) -> slice:
    """The steps of the radii that stand in such a ratio to the outer one."""
    first = max(0, outer + math.floor(math.log(least) / RADIUS_STEP))
    return slice(first, max(first + 1, outer + math.ceil(math.log(most) / RADIUS_STEP)))


def _best_in(coverage: Array, window: slice) -> int:
    """The step with most coverage in a window; on a plateau, its middle."""
    inside = coverage[window]
    flat = np.nonzero(inside >= inside.max() - 1e-9)[0]
    run = [int(flat[0])]
    for a, b in pairwise(flat):
        if b != a + 1:
            break
        run.append(int(b))
    return int(window.start) + run[len(run) // 2]

"""Places and sizes of all discs of a photo, from where their edges lie: the linear algebra of a fit.

The unknowns of a disc are its place, and what it has in common with the others, up to a little: the sizes
and profile of a set's discs, and four ways in which edges lie off the solid. All are linear in the edges'
offsets; a redescending M-estimator (Geman-McClure) lets a direction with another thing's edge go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Array, View
from vision.outline_edges import UNIT, Edges
from vision.solid import CHAMFER, FULLNESS, Creases, Silhouettes, Solid

#: The unknowns after the solid's (:mod:`vision.solid`): all of a disc's edges lie outward by as much (blur,
#: sharpening; px), the near ones by as much more (shadow under the foot; mm), and those in full shade. The
#: last is where on its rounded edge the top seems to end.
HALO, FOOT, SHADE, CREASE = 7, 8, 9, 10
UNKNOWNS = 11
SHARED = slice(2, UNKNOWNS)
_SIZES = slice(2, 7)

#: Their mean, its sigma in one photo, and by how much (sigma) discs of one photo differ.
_HALO_PX, _FOOT_MM, _SHADE_MM = (-0.05, 0.08, 0.05), (0.1, 0.25, 0.1), (0.3, 0.15, 0.15)
_CREASE_MM = (0.0, 0.3, 0.15)
#: The wall of a disc of the board's colour is dark like the shadow that it stands in: they end together.
_FAINT_FOOT_MM = (0.5, 0.5, 0.3)
_PROFILE_SIGMA = (0.3, 0.4)  # fullness and chamfer, about the profile that most outlines agree with
_ANY_PROFILE_SIGMA = (0.5, 0.4)  # about the middle, where they do not tell
_SET = (
    0.03,
    0.03,
    0.015,
    0.05,
    0.05,
)  # discs of one set differ by so much; one that is wider is so at its foot too
_FULLNESS_RANGE, _CHAMFER_RANGE = (-0.1, 1.1), (0.0, 1.0)
_HELD = 0.01
_MOST_TELLING = 4.0  # discs: what misleads the edges of one misleads those of all alike
#: Where the near side begins and is complete: the cosine to the direction away from the camera.
_NEAR_FROM, _NEAR_FULL = 0.2, -0.7
_START_MM = 2.5  # how far off the start may be
_REWEIGHTINGS = 4
_SHARED_ERROR = 16.0  # light from a side moves edges alike: one in so many is independent
_LEAST_SCALE_MM = 0.03
_TOP_SHARED_ERROR, _TOP_SCALE_MM = 16.0, 0.25  # light from a side moves where a rounded edge seems to be
_MOST_STEP = 1.5


@dataclass(frozen=True)
class Shared:
    """What the discs of a photo share: ``mean`` (9,), its ``spread`` (9, 9) and their own ``varied``.

    Sizes count from the solid that was tried. ``bounds`` are those of fullness and chamfer.
    """

    mean: Array
    spread: Array
    varied: Array
    bounds: tuple[tuple[float, float], tuple[float, float]]

    @classmethod
    def known(
        cls, solid: Solid, size_sigma_mm: tuple[float, float, float], *, profile_told: bool = True
    ) -> Shared:
        """Before the picture: a solid, and sigmas of its radius, thickness and bevel.

        Where votes have not told the ``profile``, it may be any.
        """
        moved = np.array([_HALO_PX, _FOOT_MM, _SHADE_MM, _CREASE_MM])
        bounds = (
            (_FULLNESS_RANGE[0] - solid.fullness, _FULLNESS_RANGE[1] - solid.fullness),
            (_CHAMFER_RANGE[0] - solid.chamfer, _CHAMFER_RANGE[1] - solid.chamfer),
        )
        profile_sigma = _PROFILE_SIGMA if profile_told else _ANY_PROFILE_SIGMA
        sigma = np.array([*size_sigma_mm, *profile_sigma, *moved[:, 1]])
        return cls(
            np.array([0.0] * 5 + [*moved[:, 0]]),
            np.diag(np.square(sigma)),
            np.array([*_SET, *moved[:, 2]]),
            bounds,
        )

    def faint(self) -> Shared:
        """The same of discs that hardly differ from the board: the shadow's end passes for their foot."""
        mean, spread, varied = self.mean.copy(), self.spread.copy(), self.varied.copy()
        mean[FOOT - 2], sigma_mm, varied[FOOT - 2] = _FAINT_FOOT_MM
        spread[FOOT - 2] = spread[:, FOOT - 2] = 0.0
        spread[FOOT - 2, FOOT - 2] = sigma_mm**2
        return replace(self, mean=mean, spread=spread, varied=varied)

    @property
    def of_one(self) -> Array:
        """The spread (9, 9) of one disc about the mean."""
        return np.asarray(self.spread + np.diag(np.square(self.varied)))

    def learned(self, fit: Fit) -> Shared:
        """With what all discs of the photo say.

        Its place taken out of each disc's information (Schur complement), it is one measurement of what is
        shared.
        """
        cross = fit.data[:, SHARED, :2]
        out = cross @ np.linalg.inv(fit.data[:, :2, :2] + np.eye(2) / _START_MM**2)
        own = fit.data[:, SHARED, SHARED] - out @ np.swapaxes(cross, 1, 2)
        told = fit.told[:, SHARED] - (out @ fit.told[:, :2, None])[..., 0]
        # (own^-1 + varied)^-1 = shrink @ own
        shrink = np.linalg.inv(np.eye(len(self.mean)) + own * np.square(self.varied))
        shrink *= min(1.0, _MOST_TELLING / len(own))
        before = np.linalg.inv(self.spread)
        common = np.linalg.inv(before + (shrink @ own).sum(0))
        mean = common @ (before @ self.mean + (shrink @ told[..., None])[..., 0].sum(0))
        return replace(self, mean=mean, spread=common)._within()

    def _within(self) -> Shared:
        """The profile held at its bound where the discs would have it beyond: conditioned as a normal is."""
        mean, spread = self.mean, self.spread
        for k, (low, high) in zip((FULLNESS - 2, CHAMFER - 2), self.bounds, strict=True):
            beyond = mean[k] - min(max(mean[k], low), high)
            if beyond != 0.0:
                pull = spread[:, k] / spread[k, k]
                mean, spread = mean - pull * beyond, spread - np.outer(pull, spread[k])
                spread[k, k] = _HELD**2
        return replace(self, mean=mean, spread=spread)


@dataclass(frozen=True)
class Fit:
    """A step, and what the edges say.

    ``change`` (n, 11) is to be added to the unknowns. ``data`` (n, 11, 11) is the edges' information without
    any prior, ``told`` (n, 11) its product with the unknowns that they would have; ``information`` is that of
    data and prior. ``left_px``, one (n, d) for each evidence, is how far each edge lies off, infinite where
    there is none; ``rms_px`` (n,) of those of the last evidence that count.
    """

    change: Array
    data: Array
    told: Array
    information: Array
    left_px: tuple[Array, ...]
    rms_px: Array


def grown(solid: Solid, unknown: Array) -> list[Solid]:
    """The solids with what is unknown (n, 11) of them added."""
    return [
        replace(
            solid,
            widest_radius_mm=solid.widest_radius_mm + radius,
            bottom_radius_mm=solid.bottom_radius_mm + radius - bevel,
            thickness_mm=solid.thickness_mm + thickness,
            fullness=solid.fullness + fullness,
            chamfer=solid.chamfer + chamfer,
        )
        for radius, thickness, bevel, fullness, chamfer in unknown[:, _SIZES].tolist()
    ]


@dataclass(frozen=True)
class Evidence:
    """Edges of n discs in d directions, and what they say of the unknowns.

    ``found_px`` (n, d) is how far each lies outward of where it was expected, NaN without one; ``design``
    (n, d, 11) its derivatives. ``least_px`` (n, 1) is the least that edges scatter by; of so many that err
    together, ``error_shared``, one is independent.
    """

    found_px: Array
    design: Array
    least_px: Array
    error_shared: float


def outline_evidence(view: View, seen: Silhouettes, edges: Edges, unknown: Array) -> Evidence:
    """What the outlines' edges say of discs with these unknowns (n, 11)."""
    near = np.clip((_NEAR_FROM - farness(view, unknown[:, :2])) / (_NEAR_FROM - _NEAR_FULL), 0.0, 1.0)
    moved = [np.ones_like(near), near * seen.per_mm, edges.shade * seen.per_mm, np.zeros_like(near)]
    design = np.concatenate([seen.design, np.stack(moved, -1)], 2)
    # the expected outline is the solid's: what edges lie off it by is still in their offsets
    found = edges.offset_px - (design[..., HALO:] @ unknown[:, HALO:, None])[..., 0]
    return Evidence(found, design, _LEAST_SCALE_MM * seen.per_mm.mean(1, keepdims=True), _SHARED_ERROR)


def top_evidence(tops: Creases, edges: Edges) -> Evidence:
    """What the edges of the tops say, expected where the unknowns have them."""
    design = np.zeros((*tops.per_mm.shape, UNKNOWNS))
    design[..., :FULLNESS] = tops.design
    design[..., CREASE] = tops.per_mm
    least_px = _TOP_SCALE_MM * tops.per_mm.mean(1, keepdims=True)
    return Evidence(edges.offset_px, design, least_px, _TOP_SHARED_ERROR)


def solved(evidence: Sequence[Evidence], unknown: Array, shared: Shared) -> Fit:
    """A robust Gauss-Newton step from the unknowns (n, 11), under the prior of what is shared."""
    prior = np.zeros((len(unknown), UNKNOWNS, UNKNOWNS))
    prior[:, [0, 1], [0, 1]] = 1.0 / _START_MM**2
    prior[:, SHARED, SHARED] = np.linalg.inv(shared.of_one)
    toward = np.zeros_like(unknown)
    toward[:, SHARED] = shared.mean - unknown[:, SHARED]
    pulled = (prior @ toward[..., None])[..., 0]
    change = np.zeros_like(unknown)
    for _ in range(_REWEIGHTINGS):
        parts = [_normal(one, change) for one in evidence]
        data, pull = np.sum([part[0] for part in parts], 0), np.sum([part[1] for part in parts], 0)
        change = np.linalg.solve(data + prior, (pull + pulled)[..., None])[..., 0]
    change = np.clip(change, -_MOST_STEP, _MOST_STEP)
    left = tuple(_left(one, change) for one in evidence)
    weight = parts[-1][2]
    square = weight * np.square(np.where(np.isfinite(left[-1]), left[-1], 0.0))
    rms = np.sqrt(square.sum(1) / np.maximum(weight.sum(1), 1e-9))
    told = pull + (data @ unknown[..., None])[..., 0]
    told[:, :2] += unknown[:, :2] / _START_MM**2
    return Fit(change, data, told, data + prior, left, rms)


def _left(one: Evidence, change: Array) -> Array:
    """How far off (n, d) the edges lie after a change, infinite where there is none."""
    residual = one.found_px - (one.design @ change[..., None])[..., 0]
    return np.where(np.isfinite(residual), residual, np.inf)


def _normal(one: Evidence, change: Array) -> tuple[Array, Array, Array]:
    """Normal matrices (n, 11, 11), right sides (n, 11) and robust weights (n, d) after a change."""
    has = np.isfinite(one.found_px)
    found = np.where(has, one.found_px, 0.0)
    residual = found - (one.design @ change[..., None])[..., 0]
    size = np.sort(np.where(has, np.abs(residual), np.inf), axis=1)
    median = np.take_along_axis(size, has.sum(1, keepdims=True) // 2, axis=1)
    sigma = np.maximum(1.4826 * np.where(np.isfinite(median), median, 0.0), one.least_px)
    weight = has / np.square(1.0 + np.square(residual / (2.0 * sigma)))
    half = np.swapaxes(one.design * (weight / (np.square(sigma) * one.error_shared))[..., None], 1, 2)
    return half @ one.design, (half @ found[..., None])[..., 0], weight


def farness(view: View, xy_mm: Array) -> Array:
    """Cosines (n, d) of the picture's directions to that away from the camera: 1 on a disc's far side."""
    away = np.einsum("nij,nj->ni", view.px_per_mm(xy_mm), xy_mm - view.eye_mm[:2])
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    return np.asarray(away @ UNIT.T)

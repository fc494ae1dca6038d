"""One gap from several photos of it, with what the photos share kept in common.

The disc's profile and the line's paint err alike in every photo: no number of photos averages them away. So
do the errors of one lens, and what is not known of the disc's size, which shows outward from one side and
inward from the other. The weights are those of generalised least squares (Aitken), never negative: a
negative weight would rest on the correlation being known better than it is (D'Agostini, NIM A 346, 1994).
Where the photos scatter more than their sigmas allow, what they do not share is widened (Birge ratio, as the
Particle Data Group does).
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from calibration.camera import Array
from calibration.measured import Measured
from vision.clearance import GapBudget

MOST_SCATTER = 3.5  # Birge ratio: beyond, the photos contradict each other
_LEAST_SIGMA_MM = 1e-3
_LENS, _POSE, _PROFILE, _PAINT, _EDGES = range(5)


@dataclass(frozen=True, slots=True)
class Told:
    """The gap as one photo tells it.

    Photos of the same ``lens`` share the lens' error. ``size_mm`` is the part of the edges' share that comes
    from the disc's own size, by cause (radius, thickness) and with its sign: those errors are the same in
    every photo.
    """

    gap_mm: Measured
    budget: GapBudget
    lens: str
    size_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Combined:
    """The gap of all photos together, what its sigma is made of, and the ``weights`` (n,) of each photo.

    ``scatter`` is the Birge ratio, 1 where the photos agree as well as they should.
    """

    gap_mm: Measured
    budget: GapBudget
    weights: Array
    scatter: float

    @property
    def contradictory(self) -> bool:
        """Whether no widening explains how far the photos are apart."""
        return self.scatter > MOST_SCATTER


def combined(told: list[Told]) -> Combined:
    """The gap that all photos together tell."""
    means = np.array([one.gap_mm.mean for one in told])
    shares = np.array([astuple(one.budget) for one in told])
    size = np.array([one.size_mm for one in told])
    # the size's part is within that of the edges
    within = np.minimum(1.0, shares[:, _EDGES] / np.maximum(np.linalg.norm(size, axis=1), _LEAST_SIGMA_MM))
    size = size * within[:, None]
    edges = np.square(shares[:, _EDGES]) - np.square(size).sum(1)
    scatter = _scatter(means, np.square(shares[:, [_LENS, _POSE, _PROFILE, _EDGES]]).sum(1))
    parts = {
        _LENS: _alike(shares[:, _LENS], [one.lens for one in told]),
        _POSE: np.diag(np.square(scatter * shares[:, _POSE])),
        _PROFILE: np.outer(shares[:, _PROFILE], shares[:, _PROFILE]),
        _PAINT: np.outer(shares[:, _PAINT], shares[:, _PAINT]),
        _EDGES: np.diag(scatter**2 * np.maximum(edges, 0.0)) + size @ size.T,
    }
    # what the scatter shows beyond the photos' own errors comes from the others: it counts as the photos' own
    beyond = (scatter**2 - 1.0) * np.square(shares[:, [_LENS, _PROFILE]]).sum(1)
    parts[_EDGES] = parts[_EDGES] + np.diag(beyond)
    weights = _weights(sum(parts.values(), np.zeros((len(told), len(told)))))
    budget = GapBudget(*(float(np.sqrt(max(weights @ parts[k] @ weights, 0.0))) for k in range(5)))
    return Combined(Measured(float(weights @ means), budget.sigma_mm), budget, weights, scatter)


def _alike(sigma: Array, of: list[str]) -> Array:
    """Covariance (n, n) of errors that are wholly shared by all that are of the same."""
    same = np.array([[a == b for a in of] for b in of])
    return np.asarray(np.where(same, np.outer(sigma, sigma), 0.0))


def _weights(covariance: Array) -> Array:
    """The weights (n,), none negative, of the mean with the least variance."""
    used = np.arange(len(covariance))
    while True:
        part = covariance[np.ix_(used, used)] + np.eye(len(used)) * _LEAST_SIGMA_MM**2
        raw = np.linalg.solve(part, np.ones(len(used)))
        if (raw >= 0).all():
            break
        used = np.delete(used, raw.argmin())
    weights = np.zeros(len(covariance))
    weights[used] = raw / raw.sum()
    return weights


def _scatter(means: Array, variance: Array) -> float:
    """The Birge ratio, at least 1.

    A profile's or a lens' error shows differently from every side, so it may explain scatter; paint may not.
    """
    if len(means) < 2:
        return 1.0
    weight = 1.0 / (variance + _LEAST_SIGMA_MM**2)
    middle = (means * weight).sum() / weight.sum()
    return float(max(1.0, np.sqrt((np.square(means - middle) * weight).sum() / (len(means) - 1))))

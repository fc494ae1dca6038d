"""One gap from several photos of it, with what the photos share kept in common.

The disc's size and the line's paint err alike in every photo: no number of photos averages them away. So do
the errors of one lens. What is not known of the disc's height and side shows outward from one side and inward
from the other. And one lamp throws one shadow, wherever the camera stands. The weights are those of
generalised least squares (Aitken), never negative: a negative weight would rest on the correlation being
known better than it is (D'Agostini, NIM A 346, 1994).

Where the photos differ by more than their sigmas allow, one of them is misread, and which one its sigma does
not say. So all get the same further variance, as much as makes them agree (Mandel and Paule, Anal. Chem. 42,
1970): of two photos that contradict each other it is nearly the plain mean that counts, half of their
difference off from each.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
from scipy.optimize import brentq

from calibration.camera import Array
from calibration.measured import Measured
from vision.clearance import GapBudget

MOST_SCATTER = 3.5  # Birge ratio: beyond, the photos contradict each other
_LIGHT = 0.25  # of the edges' variance: shadow and gloss, alike in all photos (docs/decisions/032)
_LEAST_SIGMA_MM = 1e-3
_LENS, _POSE, _PROFILE, _PAINT, _EDGES = range(5)


@dataclass(frozen=True, slots=True)
class Told:
    """The gap as one photo tells it.

    Photos of the same ``lens`` share the lens' error. ``size_mm`` is the part of the profile's share that
    comes from the disc's bottom radius, and the part that comes from what moves the disc along the line of
    sight (thickness, shape of the side), each with its sign: those errors are the same in every photo.
    """

    gap_mm: Measured
    budget: GapBudget
    lens: str
    size_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Combined:
    """The gap of all photos together, what its sigma is made of, and the ``weights`` (n,) of each photo.

    ``scatter`` is the Birge ratio, 1 where the photos agree as well as they should. ``contradictory`` photos
    cannot all be right, even if none of their errors (but the paint's) were shared.
    """

    gap_mm: Measured
    budget: GapBudget
    weights: Array
    scatter: float
    contradictory: bool


def combined(told: list[Told]) -> Combined:
    """The gap that all photos together tell."""
    means = np.array([one.gap_mm.mean for one in told])
    shares = np.array([astuple(one.budget) for one in told])
    size = np.array([one.size_mm for one in told])
    # the size's part is within that of the profile
    length = np.maximum(np.linalg.norm(size, axis=1), _LEAST_SIGMA_MM)
    size = size * np.minimum(1.0, shares[:, _PROFILE] / length)[:, None]
    rest = np.sqrt(np.maximum(np.square(shares[:, _PROFILE]) - np.square(size).sum(1), 0.0))
    own = np.diag(np.square(shares[:, [_LENS, _POSE, _EDGES]]).sum(1) + np.square(rest))
    scatter, further = _scatter(means, own + size @ size.T)
    apart = _ratio(means, np.diag(np.square(shares[:, [_LENS, _POSE, _PROFILE, _EDGES]]).sum(1)))
    light, edges = (np.sqrt(share) * shares[:, _EDGES] for share in (_LIGHT, 1.0 - _LIGHT))
    parts = {
        _LENS: _alike(shares[:, _LENS], [one.lens for one in told]),
        _POSE: np.diag(np.square(shares[:, _POSE])),
        _PROFILE: size @ size.T + np.outer(rest, rest),
        _PAINT: np.outer(shares[:, _PAINT], shares[:, _PAINT]),
        _EDGES: np.diag(np.square(edges) + further) + np.outer(light, light),
    }
    weights = _weights(sum(parts.values(), np.zeros((len(told), len(told)))))
    budget = GapBudget(*(float(np.sqrt(max(weights @ parts[k] @ weights, 0.0))) for k in range(5)))
    return Combined(
        Measured(float(weights @ means), budget.sigma_mm), budget, weights, scatter, apart > MOST_SCATTER
    )


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


def _scatter(means: Array, covariance: Array) -> tuple[float, float]:
    """The Birge ratio, at least 1, and the variance that each photo needs on top for it to be 1.

    A lens' error or a shadow show differently from every side, so they may explain scatter; paint may not.
    """
    scatter = _ratio(means, covariance)
    if scatter <= 1.0:
        return 1.0, 0.0
    on_top = np.eye(len(means))
    enough = float(np.square(means - means.mean()).sum())
    return scatter, float(brentq(lambda more: _ratio(means, covariance + more * on_top) - 1.0, 0.0, enough))


def _ratio(means: Array, covariance: Array) -> float:
    """The Birge ratio of values (n,) about their mean with the least variance; 0 of a single one."""
    if len(means) < 2:
        return 0.0
    inverse = np.linalg.inv(covariance + _LEAST_SIGMA_MM**2 * np.eye(len(means)))
    off = means - inverse.sum(0) @ means / inverse.sum()
    return float(np.sqrt(max(off @ inverse @ off, 0.0) / (len(means) - 1)))

"""Robust nonlinear least squares for small problems.

Gauss-Newton on the normal equations with Cauchy weights on the data and Gaussian priors, and a step that is
shortened until it helps. MINPACK's general solvers spend most of a photo's time budget on the same problems,
because they converge fully between two reweightings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calibration.camera import Array

#: Residuals beyond this many sigmas count less and less.
CAUCHY = 2.0
_SHORTENINGS = 6


@dataclass(frozen=True)
class Prior:
    """What is known of each unknown beforehand: ``mean`` (n,) and ``weight`` (n,), 1/sigma, 0 for nothing."""

    mean: Array
    weight: Array

    def residual(self, p: Array) -> Array:
        """How many sigmas each unknown is off; shape (n,)."""
        return np.asarray((p - self.mean) * self.weight)


@dataclass(frozen=True)
class Step:
    """A step taken: the unknowns ``p`` (n,) after it, and how many sigmas it ``moved`` them."""

    p: Array
    moved: float


def information(residual: Array, jacobian: Array) -> Array:
    """Weighted normal matrix (n, n) of data residuals (m,) in sigmas with their Jacobian (m, n)."""
    return np.asarray(jacobian.T @ (jacobian * _weight(residual)[:, None]))


def robust_step(p: Array, here: Array, jacobian: Array, data: Callable[[Array], Array], prior: Prior) -> Step:
    """One step from p (n,), unknowns scaled to about 1.

    ``here`` (m,) are the data's residuals at p in sigmas, ``jacobian`` (m, n) their derivatives; ``data``
    gives the residuals elsewhere.
    """
    normal = information(here, jacobian) + np.diag(np.square(prior.weight))
    gradient = jacobian.T @ (here * _weight(here)) + prior.weight * prior.residual(p)
    change = -np.linalg.lstsq(normal, gradient, rcond=None)[0]
    moved = float(np.sqrt(max(0.0, -change @ gradient)))
    before = _cost(here, prior.residual(p))
    for _ in range(_SHORTENINGS):
        if _cost(data(p + change), prior.residual(p + change)) <= before:
            return Step(p + change, moved)
        change, moved = change * 0.4, moved * 0.4
    return Step(p, 0.0)


def covariance(data_information: Array, prior: Prior, spread: float) -> Array:
    """Covariance (n, n) of the unknowns, when the data's residuals spread by ``spread`` sigmas."""
    return np.asarray(
        np.linalg.pinv(data_information / spread**2 + np.diag(np.square(prior.weight)), hermitian=True)
    )


def _weight(residual: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.square(residual / CAUCHY)))


def _cost(data: Array, prior: Array) -> float:
    return float(np.log1p(np.square(data / CAUCHY)).sum() * CAUCHY**2 + np.square(prior).sum())

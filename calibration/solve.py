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
Linearised = Callable[[Array], tuple[Array, Array]]
_SHORTENINGS = 6
_SHORTER = 0.4
_DAMPING = 1e-9  # of each unknown's own information
_FIRST_DAMPING, _DAMPED, _EASED = 1e-5, 10.0, 5.0


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
    change, moved = _change(p, here, jacobian, prior)
    before = _cost(here, prior.residual(p))
    for _ in range(_SHORTENINGS):
        if _cost(data(p + change), prior.residual(p + change)) <= before:
            return Step(p + change, moved)
        change, moved = change * _SHORTER, moved * _SHORTER
    return Step(p, 0.0)


def minimised(
    p: Array, linearised: Linearised, prior: Prior, rounds: int, settled: float
) -> tuple[Array, Array, Array]:
    """Steps from p (n,) until one moves it by less than ``settled`` sigmas; at most so many ``rounds``.

    ``linearised`` gives residuals (m,) in sigmas and Jacobian (m, n) at unknowns; both are returned as they
    are at the end, after the unknowns. One evaluation a round tells whether a step helped and begins the
    next; where it did not, the next is damped (Levenberg and Marquardt), as it must be along a bent valley.
    """
    here, jacobian = linearised(p)
    cost, damping = _cost(here, prior.residual(p)), _DAMPING
    for _ in range(rounds):
        change, moved = _change(p, here, jacobian, prior, damping)
        there = linearised(p + change)
        after = _cost(there[0], prior.residual(p + change))
        if after <= cost:
            p, (here, jacobian), cost = p + change, there, after
            damping = max(damping / _EASED, _DAMPING)
        else:
            damping = max(damping * _DAMPED, _FIRST_DAMPING)
        if moved < settled:
            break
    return p, here, jacobian


def log_evidence(p: Array, here: Array, jacobian: Array, prior: Prior) -> float:
    """How well data and prior together foretold what is seen, as a logarithm, up to what all priors share.

    Of residuals (m,) in sigmas with their Jacobian (m, n) at the minimum p (n,), by Laplace's approximation
    (MacKay, Information Theory, Inference, and Learning Algorithms, 27 and 28): a prior that leaves more open
    pays for it, unless the data needed that.
    """
    known = information(here, jacobian) + np.diag(np.square(prior.weight))
    fits = -0.5 * _cost(here, prior.residual(p))
    return (
        fits - 0.5 * float(np.linalg.slogdet(known)[1]) + float(np.log(prior.weight[prior.weight > 0]).sum())
    )


def _change(
    p: Array, here: Array, jacobian: Array, prior: Prior, damping: float = _DAMPING
) -> tuple[Array, float]:
    """The Gauss-Newton step (n,) and how many sigmas it is."""
    weight = _weight(here)
    normal = jacobian.T @ (jacobian * weight[:, None])
    normal[np.diag_indices_from(normal)] += np.square(prior.weight)
    gradient = jacobian.T @ (here * weight) + prior.weight * prior.residual(p)
    # each unknown in its own units, and a trace of damping: one that nothing is known of stays where it is
    unit = 1.0 / np.sqrt(np.maximum(np.diag(normal), 1e-30))
    scaled = normal * np.outer(unit, unit)
    scaled[np.diag_indices_from(scaled)] += damping
    change = -unit * np.linalg.solve(scaled, gradient * unit)
    return change, float(np.sqrt(max(0.0, float(-change @ gradient))))


def covariance(data_information: Array, prior: Prior, spread: float) -> Array:
    """Covariance (n, n) of the unknowns, when the data's residuals spread by ``spread`` sigmas."""
    return np.asarray(
        np.linalg.pinv(data_information / spread**2 + np.diag(np.square(prior.weight)), hermitian=True)
    )


def _weight(residual: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.square(residual / CAUCHY)))


def _cost(data: Array, prior: Array) -> float:
    return float(np.log1p(np.square(data / CAUCHY)).sum() * CAUCHY**2 + np.square(prior).sum())

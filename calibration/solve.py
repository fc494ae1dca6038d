"""Robust nonlinear least squares for small problems.

Gauss-Newton with Cauchy weights on the data, plain weights on the priors, numeric derivatives, and a step
that is shortened until it helps. MINPACK's general solvers spend most of a photo's time budget on the same
problems, because they converge fully between two reweightings.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.camera import Array

#: Residuals beyond this many sigmas count less and less.
CAUCHY = 2.0
_DIFFERENCE = 1e-6
_SHORTENINGS = 6


def robust_step(
    p: Array, data: Callable[[Array], Array], prior: Callable[[Array], Array]
) -> tuple[Array, Array]:
    """One step from p (n,), unknowns scaled to about 1.

    ``data`` and ``prior`` give residuals in sigmas. Returns the new p and the Jacobian (m, n) of the weighted
    residuals at the old one, data first.
    """
    here = data(p)
    weight = 1.0 / np.sqrt(1.0 + np.square(here / CAUCHY))
    residual = np.concatenate([here * weight, prior(p)])
    jacobian = np.empty((len(residual), len(p)))
    for k in range(len(p)):
        q = p.copy()
        q[k] += _DIFFERENCE
        jacobian[:, k] = (np.concatenate([data(q) * weight, prior(q)]) - residual) / _DIFFERENCE
    change = -np.linalg.lstsq(jacobian, residual, rcond=None)[0]
    before = _cost(here, prior(p))
    for _ in range(_SHORTENINGS):
        if _cost(data(p + change), prior(p + change)) <= before:
            return p + change, jacobian
        change = change * 0.4
    return p, jacobian


def covariance(jacobian: Array, n_data: int, spread: float) -> Array:
    """Covariance of the unknowns, when the data's residuals turn out to spread by ``spread`` sigmas."""
    scaled = jacobian.copy()
    scaled[:n_data] /= spread
    return np.asarray(np.linalg.pinv(scaled.T @ scaled))


def _cost(data: Array, prior: Array) -> float:
    return float(np.log1p(np.square(data / CAUCHY)).sum() * CAUCHY**2 + np.square(prior).sum())

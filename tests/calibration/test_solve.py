"""Robust least squares for small problems."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.solve import CAUCHY, covariance, robust_step

TRUTH = np.array([0.4, -1.1])


def straight(n: int = 60, sigma: float = 0.01, outliers: float = 0.0, seed: int = 5):
    """Design (n, 2) and values (n,) of a straight line; the outliers all pull the same way."""
    rng = np.random.default_rng(seed)
    design = np.stack([np.ones(n), np.linspace(-1, 1, n)], 1)
    values = design @ TRUTH + rng.normal(0, sigma, n)
    bad = rng.choice(n, int(outliers * n), replace=False)
    values[bad] += rng.uniform(1.0, 4.0, len(bad))
    return design, values


def solved(data, prior, p: np.ndarray, steps: int = 40):
    for _ in range(steps):
        p, jacobian = robust_step(p, data, prior)
    return p, jacobian


def no_prior(p: np.ndarray) -> np.ndarray:
    return np.zeros(0)


def test_small_residuals_are_plain_least_squares():
    design, values = straight()
    p, _ = solved(lambda q: (design @ q - values) / 1.0, no_prior, np.zeros(2))
    assert p == pytest.approx(np.linalg.lstsq(design, values, rcond=None)[0], abs=1e-4)


def test_a_third_of_outliers_on_one_side_hardly_matters():
    design, values = straight(200, outliers=0.3)
    plain = np.linalg.lstsq(design, values, rcond=None)[0]
    p, _ = solved(lambda q: (design @ q - values) / 0.01, no_prior, plain)
    assert np.abs(plain - TRUTH).max() > 0.5
    assert np.abs(p - TRUTH).max() < 0.01


def test_no_step_makes_it_worse():
    """A Gauss-Newton step that overshoots is shortened, and one that cannot help is not taken."""
    rng = np.random.default_rng(9)

    def data(q: np.ndarray) -> np.ndarray:
        return np.array([np.sin(3 * q[0]) * 5, q[0] ** 2 - q[1] * 3 + 1, np.exp(q[1]) - 0.3])

    def prior(q: np.ndarray) -> np.ndarray:
        return q / 10.0

    def cost(q: np.ndarray) -> float:
        return float(CAUCHY**2 * np.log1p((data(q) / CAUCHY) ** 2).sum() + (prior(q) ** 2).sum())

    for start in rng.uniform(-3, 3, (40, 2)):
        p = start
        for _ in range(5):
            after, _ = robust_step(p, data, prior)
            assert cost(after) <= cost(p) + 1e-12
            p = after


def test_at_the_minimum_it_stays():
    design, values = straight(sigma=0.0)
    p, _ = robust_step(TRUTH.copy(), lambda q: design @ q - values, no_prior)
    assert p == pytest.approx(TRUTH, abs=1e-9)


def test_what_the_data_do_not_tell_comes_from_the_prior_and_the_covariance_says_so():
    design, values = straight(sigma=0.01)

    def data(q: np.ndarray) -> np.ndarray:
        return (design @ q[:2] - values) / 0.01

    p, jacobian = solved(data, lambda q: np.array([(q[2] - 0.7) / 0.3]), np.zeros(3))
    assert p[2] == pytest.approx(0.7, abs=1e-4)
    assert np.sqrt(covariance(jacobian, len(values), 1.0)[2, 2]) == pytest.approx(0.3, rel=1e-3)


def test_the_covariance_is_least_squares_own_and_grows_with_the_spread():
    design, _ = straight()
    exact = design @ TRUTH
    _, jacobian = robust_step(TRUTH.copy(), lambda q: (design @ q - exact) / 0.02, no_prior)
    expected = 0.02**2 * np.linalg.inv(design.T @ design)
    assert covariance(jacobian, len(exact), 1.0) == pytest.approx(expected, rel=1e-4, abs=1e-9)
    assert covariance(jacobian, len(exact), 3.0) == pytest.approx(9 * expected, rel=1e-4, abs=1e-9)


def test_one_column_nobody_knows_anything_about_is_no_trouble():
    design, values = straight()
    p, jacobian = robust_step(np.zeros(3), lambda q: design @ q[:2] - values, no_prior)
    assert p[2] == 0.0
    assert np.isfinite(covariance(jacobian, len(values), 1.0)).all()

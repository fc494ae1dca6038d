"""Robust least squares for small problems."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.solve import CAUCHY, Prior, covariance, information, log_evidence, minimised, robust_step

TRUTH = np.array([0.4, -1.1])


def straight(n: int = 60, sigma: float = 0.01, outliers: float = 0.0, seed: int = 5):
    """Design (n, 2) and values (n,) of a straight line; the outliers all pull the same way."""
    rng = np.random.default_rng(seed)
    design = np.stack([np.ones(n), np.linspace(-1, 1, n)], 1)
    values = design @ TRUTH + rng.normal(0, sigma, n)
    bad = rng.choice(n, int(outliers * n), replace=False)
    values[bad] += rng.uniform(1.0, 4.0, len(bad))
    return design, values


def solved(data, slopes: np.ndarray, prior: Prior, p: np.ndarray, steps: int = 40) -> np.ndarray:
    for _ in range(steps):
        p = robust_step(p, data(p), slopes, data, prior).p
    return p


def no_prior(n: int) -> Prior:
    return Prior(np.zeros(n), np.zeros(n))


def test_small_residuals_are_plain_least_squares():
    design, values = straight()
    p = solved(lambda q: design @ q - values, design, no_prior(2), np.zeros(2))
    assert p == pytest.approx(np.linalg.lstsq(design, values, rcond=None)[0], abs=1e-4)


def test_a_third_of_outliers_on_one_side_hardly_matters():
    design, values = straight(200, outliers=0.3)
    plain = np.linalg.lstsq(design, values, rcond=None)[0]
    p = solved(lambda q: (design @ q - values) / 0.01, design / 0.01, no_prior(2), plain)
    assert np.abs(plain - TRUTH).max() > 0.5
    assert np.abs(p - TRUTH).max() < 0.01


def test_no_step_makes_it_worse():
    """A Gauss-Newton step that overshoots is shortened, and one that cannot help is not taken."""
    rng = np.random.default_rng(9)
    prior = Prior(np.zeros(2), np.full(2, 0.1))

    def data(q: np.ndarray) -> np.ndarray:
        return np.array([np.sin(3 * q[0]) * 5, q[0] ** 2 - q[1] * 3 + 1, np.exp(q[1]) - 0.3])

    def slopes(q: np.ndarray) -> np.ndarray:
        return np.array([[15 * np.cos(3 * q[0]), 0.0], [2 * q[0], -3.0], [0.0, np.exp(q[1])]])

    def cost(q: np.ndarray) -> float:
        return float(CAUCHY**2 * np.log1p((data(q) / CAUCHY) ** 2).sum() + (prior.residual(q) ** 2).sum())

    for start in rng.uniform(-3, 3, (40, 2)):
        p = start
        for _ in range(5):
            after = robust_step(p, data(p), slopes(p), data, prior).p
            assert cost(after) <= cost(p) + 1e-12
            p = after


def test_at_the_minimum_it_stays_and_says_that_it_did_not_move():
    design, values = straight(sigma=0.0)

    def data(q: np.ndarray) -> np.ndarray:
        return design @ q - values

    step = robust_step(TRUTH.copy(), data(TRUTH), design, data, no_prior(2))
    assert step.p == pytest.approx(TRUTH, abs=1e-9)
    assert step.moved == pytest.approx(0.0, abs=1e-6)


def test_how_far_a_step_moved_is_in_sigmas():
    design, values = straight(sigma=0.0)

    def data(q: np.ndarray) -> np.ndarray:
        return (design @ q - values) / 0.02

    one_sigma = np.sqrt(covariance(information(data(TRUTH), design / 0.02), no_prior(2), 1.0)[0, 0])
    start = TRUTH + np.array([one_sigma, 0.0])
    step = robust_step(start, data(start), design / 0.02, data, no_prior(2))
    assert step.moved == pytest.approx(1.0, rel=0.01)


def test_what_the_data_do_not_tell_comes_from_the_prior_and_the_covariance_says_so():
    design, values = straight(sigma=0.01)
    slopes = np.concatenate([design, np.zeros((len(design), 1))], 1) / 0.01
    prior = Prior(np.array([0.0, 0.0, 0.7]), np.array([0.0, 0.0, 1 / 0.3]))

    def data(q: np.ndarray) -> np.ndarray:
        return (design @ q[:2] - values) / 0.01

    p = solved(data, slopes, prior, np.zeros(3))
    assert p[2] == pytest.approx(0.7, abs=1e-4)
    spread = covariance(information(data(p), slopes), prior, 1.0)
    assert np.sqrt(spread[2, 2]) == pytest.approx(0.3, rel=1e-3)


def test_the_covariance_is_least_squares_own_and_grows_with_the_spread():
    design, _ = straight()
    known = information(np.zeros(len(design)), design / 0.02)
    expected = 0.02**2 * np.linalg.inv(design.T @ design)
    assert covariance(known, no_prior(2), 1.0) == pytest.approx(expected, rel=1e-4, abs=1e-9)
    assert covariance(known, no_prior(2), 3.0) == pytest.approx(9 * expected, rel=1e-4, abs=1e-9)


def test_one_column_nobody_knows_anything_about_is_no_trouble():
    design, values = straight()
    slopes = np.concatenate([design, np.zeros((len(design), 1))], 1)

    def data(q: np.ndarray) -> np.ndarray:
        return design @ q[:2] - values

    step = robust_step(np.zeros(3), data(np.zeros(3)), slopes, data, no_prior(3))
    assert step.p[2] == pytest.approx(0.0, abs=1e-12)
    assert np.isfinite(covariance(information(data(step.p), slopes), no_prior(3), 1.0)).all()


def test_along_a_bent_valley():
    """Rosenbrock's valley, scaled to where no residual counts as an outlier."""

    def linearised(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        here = np.array([10 * (q[1] - q[0] ** 2), 1 - q[0]]) / 20
        return here, np.array([[-20 * q[0], 10.0], [-1.0, 0.0]]) / 20

    p, here, _ = minimised(np.array([-1.2, 1.0]), linearised, no_prior(2), 60, 1e-9)
    assert p == pytest.approx([1.0, 1.0], abs=1e-4)
    assert here == pytest.approx([0.0, 0.0], abs=1e-4)


def test_the_evidence_of_a_straight_problem_is_its_closed_form():
    """Data that are normal about a straight line of unknowns that are normal themselves (MacKay, 28)."""
    rng = np.random.default_rng(4)
    slopes, values = rng.normal(0.0, 1.0, (20, 3)), rng.normal(0.0, 0.05, 20)
    found = []
    for sigma in (0.02, 0.3):
        prior = Prior(np.zeros(3), np.full(3, 1.0 / sigma))
        p = np.linalg.solve(slopes.T @ slopes + np.eye(3) / sigma**2, slopes.T @ values)
        together = np.eye(20) + sigma**2 * slopes @ slopes.T
        expected = -0.5 * (values @ np.linalg.solve(together, values) + np.linalg.slogdet(together)[1])
        found.append((log_evidence(p, slopes @ p - values, slopes, prior), expected))
    (narrow, expected_narrow), (wide, expected_wide) = found
    assert narrow - wide == pytest.approx(expected_narrow - expected_wide, rel=0.02)
    assert narrow > wide

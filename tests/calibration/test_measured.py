"""A quantity with its uncertainty."""

from __future__ import annotations

import dataclasses
import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.measured import Measured
from tests.strategies import finite

measured = st.builds(Measured, finite(-1e3, 1e3), finite(0.0, 1e2))


@given(measured, measured)
def test_independent_variances_add(a: Measured, b: Measured):
    """GUM (JCGM 100:2008) 5.1.2."""
    for together in (a + b, a - b):
        assert together.sigma**2 == pytest.approx(a.sigma**2 + b.sigma**2)
    assert (a + b).mean == pytest.approx(a.mean + b.mean)
    assert (a - b).mean == pytest.approx(a.mean - b.mean)


@given(measured, finite(-50.0, 50.0))
def test_a_number_has_no_uncertainty(a: Measured, b: float):
    for together in (a + b, b + a, a - b):
        assert together.sigma == a.sigma
    assert (b + a) == (a + b)
    assert (a - b).mean == pytest.approx(a.mean - b)


@given(measured, finite(-50.0, 50.0))
def test_a_factor_is_a_change_of_units(a: Measured, factor: float):
    """GUM 5.1.3: ``u(cX) = |c| u(X)``."""
    assert a * factor == factor * a
    assert (a * factor).mean == pytest.approx(a.mean * factor)
    assert (a * factor).sigma == pytest.approx(a.sigma * abs(factor))
    assert -a == a * -1.0


@pytest.mark.parametrize(
    ("mean", "sigma"), [(math.nan, 1.0), (math.inf, 1.0), (-math.inf, 0.0), (0.0, -1e-9), (0.0, math.nan)]
)
def test_what_is_no_measurement_cannot_be_built(mean: float, sigma: float):
    with pytest.raises(ValueError, match=r"finite|sigma"):
        Measured(mean, sigma)


def test_it_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Measured(1.0, 1.0).mean = 2.0  # type: ignore[misc]


@given(finite(-20.0, 20.0), finite(0.01, 10.0), finite(-20.0, 20.0))
def test_probability_is_the_normal_distributions(mean: float, sigma: float, limit: float):
    below = Measured(mean, sigma).probability_below(limit)
    assert below == pytest.approx(NormalDist().cdf((limit - mean) / sigma), abs=1e-12)
    assert below + (-Measured(mean, sigma)).probability_below(-limit) == pytest.approx(1.0)


@given(measured, finite(-1e3, 1e3), finite(0.0, 1e3))
def test_a_higher_limit_is_no_less_likely(a: Measured, limit: float, more: float):
    assert a.probability_below(limit + more) >= a.probability_below(limit)


def test_without_sigma_it_is_a_step():
    assert Measured(1.0, 0.0).probability_below(1.0) == 0.0
    assert Measured(1.0, 0.0).probability_below(math.nextafter(1.0, 2.0)) == 1.0


def test_where_nothing_is_known_either_is_as_likely():
    assert Measured(1e6, math.inf).probability_below(0.0) == 0.5
    assert (Measured(0.0, math.inf) + Measured(3.0, 1.0)).sigma == math.inf


def test_it_reads_like_a_measurement():
    assert str(Measured(0.8361, 0.2149)) == "0.84 ± 0.21"
    assert eval(repr(Measured(0.25, 0.5))) == Measured(0.25, 0.5)

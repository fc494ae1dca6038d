from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import finite
from vision.circles import RAYS, Circles
from vision.evidence import features, log_odds

LAB = st.tuples(finite(0.0, 255.0), finite(0.0, 255.0), finite(0.0, 255.0))
SHARES = finite(0.0, 1.0)


@st.composite
def circles(draw: st.DrawFn) -> Circles:
    """One circle with anything that tracing can say of it."""
    one = [np.array([draw(finite(0.0, 440.0))]) for _ in range(3)]
    return Circles(
        xy_px=np.zeros((1, 2)),
        radius_px=np.array([20.0]),
        votes=np.array([draw(finite(0.0, 8.0))]),
        coverage=np.array([draw(SHARES)]),
        step=one[0],
        weak_step=one[1],
        agreement=np.array([draw(SHARES)]),
        inside=np.array([draw(LAB)]),
        outside=np.array([draw(LAB)]),
        texture=one[2],
        side_seen=np.array([draw(SHARES)]),
        crease=np.array([draw(SHARES)]),
        edge_on=np.ones((1, RAYS), dtype=bool),
    )


@given(circles())
def test_it_is_always_a_number(circle: Circles) -> None:
    assert np.isfinite(log_odds(circle)).all()
    assert features(circle).shape == (1, 7)


@given(circles(), SHARES, SHARES)
def test_more_of_the_outline_speaks_for_a_disc(circle: Circles, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assume(high - low > 1e-6)
    less, more = (replace(circle, coverage=np.array([share])) for share in (low, high))
    assert log_odds(less)[0] < log_odds(more)[0]


@given(circles(), finite(0.0, 8.0), finite(0.0, 8.0))
def test_more_votes_speak_for_a_disc(circle: Circles, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assume(high - low > 1e-6)
    less, more = (replace(circle, votes=np.array([votes])) for votes in (low, high))
    assert log_odds(less)[0] < log_odds(more)[0]


@given(circles(), finite(0.0, 200.0), finite(1.0, 200.0))
def test_an_uneven_top_speaks_against_one(circle: Circles, texture: float, more: float) -> None:
    even, uneven = (replace(circle, texture=np.array([t])) for t in (texture, texture + more))
    assert log_odds(even)[0] > log_odds(uneven)[0]


@given(circles(), finite(0.1, 1.0), finite(0.0, 0.9))
def test_where_a_side_is_seen_its_edge_speaks_for_a_disc(circle: Circles, side: float, crease: float) -> None:
    aslant = replace(circle, side_seen=np.array([side]))
    less, more = (replace(aslant, crease=np.array([share])) for share in (crease, crease + 0.1))
    assert log_odds(less)[0] < log_odds(more)[0]


@given(circles(), SHARES, SHARES)
def test_where_no_side_is_seen_a_crease_says_nothing(circle: Circles, one: float, other: float) -> None:
    flat = replace(circle, side_seen=np.zeros(1))
    odds = [log_odds(replace(flat, crease=np.array([share])))[0] for share in (one, other)]
    assert odds[0] == odds[1]


def test_a_clear_disc_is_likely_and_plain_wood_is_not() -> None:
    wood, dark = np.array([[180.0, 135.0, 160.0]]), np.array([[40.0, 128.0, 128.0]])
    edges = np.ones((1, RAYS), dtype=bool)
    none = np.zeros(1)
    at, even = (np.zeros((1, 2)), np.array([20.0])), np.array([4.0])
    high, low, all_round, little = np.array([130.0]), np.array([3.0]), np.array([0.95]), np.array([0.1])
    disc = Circles(
        *at, np.array([1.5]), all_round, high, high, all_round, dark, wood, even, none, none, edges
    )
    plain = Circles(*at, little, little, low, little, little, wood, wood, even, none, none, ~edges)
    assert log_odds(disc)[0] > 3.0
    assert log_odds(plain)[0] < -3.0

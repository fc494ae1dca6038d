"""Which of the concentric circles are the board's three lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from calibration.hough import Facing
from calibration.ridges import Ridges, find_ridges
from calibration.rings import RATIO_10_TO_5, RATIO_15_TO_5, RingTriple, facing_of, ring_triples
from tests.drawn import SQUARE, STANDARD_MM, Drawing, drawn, view_of
from tests.strategies import finite, home_radii

#: A triple's radii are steps of 1.2 %, smeared by two of them on either side.
STEP = 0.035
HOME_MM = (304.8 / 2.95, 304.8 / 2.95 * 2.12, 304.8)


def triples(tilt_deg: float, radii_mm: tuple[float, ...], **seen: float) -> list[RingTriple]:
    view = view_of(tilt_deg, azimuth_deg=20.0, **{"seen_mm": 850.0, **seen})
    ridges = find_ridges(drawn(view, Drawing(radii_mm=radii_mm, quadrants=False)))
    return ring_triples(ridges, facing_of(view), SQUARE)


@pytest.mark.parametrize("radii_mm", [STANDARD_MM, HOME_MM], ids=["standard", "home"])
@pytest.mark.parametrize("tilt_deg", [0.0, 40.0])
def test_three_rings_of_a_boards_proportions(tilt_deg: float, radii_mm: tuple[float, float, float]):
    best = triples(tilt_deg, radii_mm)[0]
    ratios = np.array(best.radii) / best.radii[2]
    assert ratios == pytest.approx(np.array(radii_mm) / radii_mm[2], rel=STEP)
    assert min(best.coverage) > 0.5


def test_points_near_the_horizon_do_not_hide_the_inner_rings():
    """From far aslant what lies behind the board is many boards away in its plane."""
    eye_mm = view_of(60.0, azimuth_deg=20.0, seen_mm=1600.0).eye_mm
    best = triples(60.0, STANDARD_MM, seen_mm=1600.0)[0]
    assert np.array(best.radii[:2]) * eye_mm[2] == pytest.approx(STANDARD_MM[:2], rel=STEP)


def test_the_radius_is_at_unit_distance():
    """So the 5 line's radius in millimetres over it is the distance from the eye to the board's plane."""
    best = triples(30.0, STANDARD_MM)[0]
    view = view_of(30.0, azimuth_deg=20.0, seen_mm=850.0)
    assert STANDARD_MM[2] / best.radii[2] == pytest.approx(view.eye_mm[2], rel=STEP)
    guess = best.view(STANDARD_MM[2])
    assert guess.px_from_mm(np.zeros(2)) == pytest.approx(view.px_from_mm(np.zeros(2)), abs=0.5)
    assert guess.tilt_deg == pytest.approx(view.tilt_deg, abs=1e-6)


@pytest.mark.parametrize(
    "radii_mm",
    [(304.8,), (152.4, 304.8), (203.2, 304.8), (280.0, 290.0, 304.8), (60.0, 120.0, 304.8)],
    ids=["one", "half", "two", "narrow", "small"],
)
def test_other_rings_are_no_triple(radii_mm: tuple[float, ...]):
    view = view_of(0.0, seen_mm=850.0)
    picture = drawn(
        view, Drawing(radii_mm=(*radii_mm, 1e4), quadrants=False, surface_mm=None, hole_mm=None, grain=0.0)
    )
    found = ring_triples(find_ridges(picture), facing_of(view), SQUARE)
    assert found == []


def test_half_of_the_board_outside_the_picture_covers_as_many_directions_as_are_in_it():
    whole = triples(0.0, STANDARD_MM)[0]
    view = view_of(0.0, seen_mm=850.0, aim_mm=(320.0, 0.0))
    picture = drawn(view, Drawing(quadrants=False))
    half = ring_triples(find_ridges(picture), facing_of(view), SQUARE)[0]
    assert np.array(half.radii) == pytest.approx(np.array(whole.radii), rel=STEP)
    assert half.coverage[2] > 0.6


def test_no_two_triples_share_their_5_line():
    found = triples(0.0, (*STANDARD_MM, 315.0))
    outer = np.log([triple.radii[2] for triple in found])
    assert len(found) <= 3
    assert all(abs(a - b) > 0.024 for k, a in enumerate(outer) for b in outer[:k])
    assert [t.score for t in found] == sorted((t.score for t in found), reverse=True)


def test_too_few_points_have_no_triple():
    few = Ridges(np.zeros((5, 2)), np.tile([1.0, 0.0], (5, 1)), np.ones(5))
    assert ring_triples(few, facing_of(view_of()), SQUARE) == []


def test_a_ring_that_hardly_shows_costs_more_than_its_share():
    facing = Facing(view_of().camera, np.eye(3), np.zeros(2), 1.0)
    even = RingTriple(facing, (1, 2, 3), (0.6, 0.6, 0.6))
    uneven = RingTriple(facing, (1, 2, 3), (0.8, 0.8, 0.2))
    assert even.score == pytest.approx(uneven.score * 2.5)


@given(home_radii())
def test_every_board_seen_in_a_home_is_within_the_ratios(radii_mm: tuple[float, float, float]):
    inner, middle, outer = radii_mm
    assert RATIO_15_TO_5[0] < inner / outer < RATIO_15_TO_5[1]
    assert RATIO_10_TO_5[0] < middle / outer < RATIO_10_TO_5[1]


@given(finite(0.0, 65.0), finite(-180.0, 180.0), finite(-180.0, 180.0), finite(0.1, 0.8))
def test_facing_and_view_are_each_others_inverse(tilt: float, azimuth: float, roll: float, radius: float):
    view = view_of(tilt, azimuth_deg=azimuth, roll_deg=roll, aim_mm=(40.0, -70.0))
    triple = RingTriple(facing_of(view), (radius / 3, radius * 2 / 3, radius), (1.0, 1.0, 1.0))
    back = triple.view(radius * view.eye_mm[2])
    assert back.rotation == pytest.approx(view.rotation, abs=1e-9)
    assert back.translation_mm == pytest.approx(view.translation_mm, rel=1e-6, abs=1e-6)

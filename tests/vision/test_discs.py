from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.camera import View
from calibration.pixels import AtHand
from tests.drawn import Drawing, view_of
from tests.vision.drawn_discs import DARK, PALE, RED, SOLID, Disc, board_with
from vision.circles import RAYS, Circles
from vision.discs import FoundDiscs, _apart, _believed, find_discs
from vision.evidence import WEIGHTS, log_odds
from vision.read import PLAN_HALF_MM, PLAN_PX_PER_MM, TOP_MM
from vision.rectify import Rectified, rectify
from vision.solid import Solid

SIZE_PX = (900, 900)
SPREAD = ((0.0, 160.0), (-120.0, 40.0), (150.0, -30.0), (60.0, -180.0), (-220.0, -120.0))
MIXED = tuple(Disc(xy, (DARK, PALE)[k % 2]) for k, xy in enumerate(SPREAD))


@cache
def found(tilt_deg: float, discs: tuple[Disc, ...], what: Drawing | None = None) -> FoundDiscs:
    view = view_of(tilt_deg, azimuth_deg=35.0, size_px=SIZE_PX, seen_mm=800.0)
    seen = board_with(view, list(discs), what, SIZE_PX, hole=(60, 45, 35))
    return find_discs(rectify(AtHand(seen), view, PLAN_HALF_MM, PLAN_PX_PER_MM, TOP_MM), view)


@cache
def grainy() -> tuple[View, Rectified]:
    view = view_of(0.0, azimuth_deg=35.0, size_px=SIZE_PX, seen_mm=800.0)
    seen = board_with(view, list(MIXED), Drawing(grain=6.0, seed=3), SIZE_PX, hole=(60, 45, 35))
    return view, rectify(AtHand(seen), view, PLAN_HALF_MM, PLAN_PX_PER_MM, TOP_MM)


def assert_places(seen: FoundDiscs, places: list[tuple[float, float]], within_mm: float = 3.0) -> None:
    assert len(seen.xy_mm) == len(places), seen.xy_mm
    for xy in places:
        assert np.linalg.norm(seen.xy_mm - xy, axis=1).min() < within_mm, xy


@pytest.mark.parametrize("tilt_deg", [0.0, 50.0])
def test_every_disc_and_nothing_else(tilt_deg: float) -> None:
    assert_places(found(tilt_deg, MIXED), list(SPREAD))


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_way_the_photo_is_held_does_not_matter(turns: int) -> None:
    """Grain and shadows of the discs put some of the evidence near its limits."""
    view, seen = grainy()
    turned = find_discs(replace(seen, rgb=np.ascontiguousarray(np.rot90(seen.rgb, turns))), view)
    angle = turns * np.pi / 2
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    assert_places(turned, [tuple(xy) for xy in np.array(SPREAD) @ turn])


@pytest.mark.parametrize("tilt_deg", [0.0, 40.0])
def test_an_empty_board_has_none(tilt_deg: float) -> None:
    seen = found(tilt_deg, ())
    assert len(seen.circles) == len(seen.xy_mm) == 0
    assert seen.radius_mm is None


@pytest.mark.parametrize("tilt_deg", [0.0, 40.0])
def test_discs_that_touch_are_two(tilt_deg: float) -> None:
    apart = 2 * SOLID.widest_radius_mm
    places = [(80.0, 100.0), (80.0 + apart, 100.0), (-120.0, 60.0), (-120.0, 60.0 + apart), (30.0, -180.0)]
    assert_places(found(tilt_deg, tuple(Disc(xy, RED) for xy in places)), places)


def test_no_two_overlap() -> None:
    for seen in (found(0.0, MIXED), found(50.0, MIXED)):
        between = np.linalg.norm(seen.xy_mm[:, None] - seen.xy_mm[None], axis=-1) + 1e3 * np.eye(
            len(seen.xy_mm)
        )
        assert seen.radius_mm is not None
        assert between.min() > 1.75 * seen.radius_mm * 0.99


def test_the_common_size_is_the_discs() -> None:
    for radius_mm in (13.5, 19.0):
        solid = Solid(radius_mm, radius_mm - 1.0, 10.0)
        seen = found(0.0, tuple(replace(disc, solid=solid) for disc in MIXED))
        assert_places(seen, list(SPREAD))
        # between the top's edge, which lies a bevel within, and the widest circle
        assert radius_mm - 1.0 < seen.radius_mm < radius_mm + 0.2


@pytest.mark.parametrize("radius_mm", [9.0, 26.0])
def test_a_round_thing_of_another_size_is_no_disc(radius_mm: float) -> None:
    token = Disc((-150.0, 180.0), DARK, solid=Solid(radius_mm, radius_mm, 10.0))
    seen = found(0.0, (*MIXED, token))
    assert np.linalg.norm(seen.xy_mm - token.xy_mm, axis=1).min() > 10.0
    assert len(seen.xy_mm) == len(MIXED)


def test_a_round_thing_a_quarter_larger_is_no_disc() -> None:
    token = Disc((-150.0, 180.0), DARK, solid=Solid(20.5, 20.5, 10.0))
    assert len(found(0.0, (*MIXED, token)).xy_mm) == len(MIXED)


def test_some_can_be_taken_away() -> None:
    seen = found(0.0, MIXED)
    less = seen.without(np.array([True, False, False, False, True]))
    assert len(less.circles) == len(less.xy_mm) == 3
    assert less.xy_mm.tolist() == seen.xy_mm[1:4].tolist()
    assert less.radius_mm == seen.radius_mm


def made(odds_up: list[float], side_seen: list[float], xy_px: list[tuple[float, float]]) -> Circles:
    """Circles of one colour with plain outlines: the more votes, the likelier."""
    n = len(odds_up)
    ones, dark, wood = np.ones(n), np.full((n, 3), 40.0), np.full((n, 3), 170.0)
    plain = Circles(
        np.array(xy_px), 20 * ones, 0 * ones, 0 * ones, 130 * ones, 130 * ones, ones, dark, wood, 4 * ones,
        np.array(side_seen), 0 * ones, np.ones((n, RAYS), dtype=bool),
    )  # fmt: skip
    # coverage brings each to its odds
    return replace(plain, coverage=(np.array(odds_up) - log_odds(plain)) / WEIGHTS[0])


def test_what_is_seen_beyond_the_5_line_must_be_plain() -> None:
    """A disc that ends up on or beyond the 5 line is taken off at once, so hardly any disc lies there."""
    circles = made([6.0, 1.0, 1.0, 6.0, 1.0], [0.0] * 5, [(100.0 * k, 0.0) for k in range(5)])
    distance_mm = np.array([100.0, 200.0, 318.0, 318.0, 360.0])
    assert _believed(circles, distance_mm).tolist() == [True, True, False, True, True]


def test_the_bottom_of_a_disc_seen_aslant_is_no_disc() -> None:
    below = [(100.0, 100.0), (100.0, 139.0), (139.0, 100.0)]  # a disc, its bottom, and another one beside it

    def lean(top: np.ndarray, radius: np.ndarray) -> np.ndarray:
        return np.tile([0.0, 20.0], (len(top), 1))

    kept = _apart(made([6.0, 1.0, 1.0], [1.0, 0.0, 0.0], below), 20.0, lean)
    assert sorted(map(tuple, kept.xy_px)) == [below[0], below[2]]
    # a disc there would show its own side
    assert len(_apart(made([6.0, 1.0, 1.0], [1.0, 1.0, 1.0], below), 20.0, lean)) == 3

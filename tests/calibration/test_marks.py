"""Quadrant lines, pegs and the hole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import View
from calibration.marks import Marks, find_marks
from tests.drawn import SQUARE, STANDARD_MM, Drawing, band, board_px, covered, drawn, paint, view_of

#: The turn is looked for in steps of a quarter of a degree.
TURN_WITHIN_DEG = 0.3
HOLE_WITHIN_MM = 1.0
DARKER = -np.ones(3) / np.sqrt(3)
VIEW = view_of(30.0, azimuth_deg=10.0, seen_mm=800.0)
PEGS_MM = tuple((101.6 * np.cos(a), 101.6 * np.sin(a)) for a in np.radians(22.5 + 45.0 * np.arange(8)))


def marks(what: Drawing, view: View = VIEW) -> Marks:
    return find_marks(drawn(view, what), view, np.array(what.radii_mm), DARKER)


def quarter_turn(angle_deg: float) -> float:
    """How far from a multiple of 90 degrees."""
    return abs((angle_deg + 45.0) % 90.0 - 45.0)


@pytest.mark.parametrize("turn_deg", [0.0, 0.25, 17.0, 45.0, 63.4, 89.9])
@pytest.mark.parametrize("tilt_deg", [0.0, 50.0])
def test_the_quadrant_lines_give_the_turn(tilt_deg: float, turn_deg: float):
    view = view_of(tilt_deg, azimuth_deg=10.0, seen_mm=800.0)
    found = marks(Drawing(turn_deg=turn_deg), view)
    assert found.turn_rad is not None
    assert quarter_turn(np.degrees(found.turn_rad) - turn_deg) < TURN_WITHIN_DEG
    assert found.quadrants > 12.0


def test_the_turn_leans_to_neither_side():
    """The line is several steps wide; its middle counts, not the first step of it."""
    off = []
    for turn_deg in (10.0, 25.0, 40.0, 70.0):
        turn_rad = marks(Drawing(turn_deg=turn_deg), view_of()).turn_rad
        assert turn_rad is not None
        off.append((np.degrees(turn_rad) - turn_deg + 45.0) % 90.0 - 45.0)
    assert abs(np.mean(off)) < 0.13


def test_without_quadrant_lines_there_is_no_turn():
    found = marks(Drawing(quadrants=False))
    assert found.turn_rad is None
    assert found.quadrants < 6.0


def test_one_of_four_quadrant_lines_may_be_hidden():
    along = tuple((r, 0.0) for r in range(210, 310, 15))
    found = marks(Drawing(discs_mm=along))
    assert found.turn_rad is not None
    assert quarter_turn(np.degrees(found.turn_rad)) < TURN_WITHIN_DEG


def test_discs_are_no_quadrant_lines():
    rng = np.random.default_rng(2)
    spots = tuple(
        (r * np.cos(a), r * np.sin(a))
        for r, a in zip(rng.uniform(215, 290, 12), rng.uniform(0, 2 * np.pi, 12), strict=True)
    )
    assert marks(Drawing(quadrants=False, discs_mm=spots)).turn_rad is None


def test_grain_is_no_quadrant_line():
    assert marks(Drawing(quadrants=False, grain=8.0)).quadrants < 12.0


@pytest.mark.parametrize("hole_mm", [15.9, 17.45, 20.0])
@pytest.mark.parametrize("seen_mm", [400.0, 800.0])
def test_the_hole(hole_mm: float, seen_mm: float):
    found = marks(Drawing(hole_mm=hole_mm), view_of(25.0, seen_mm=seen_mm))
    assert found.hole > 0.95
    assert found.hole_radius_mm == pytest.approx(hole_mm, abs=HOLE_WITHIN_MM)


@pytest.mark.parametrize("grain", [0.0, 4.0])
def test_no_hole(grain: float):
    assert marks(Drawing(hole_mm=None, grain=grain)).hole < 0.4


def test_something_larger_in_the_middle_is_no_hole():
    assert marks(Drawing(hole_mm=45.0)).hole < 0.4


def test_eight_pegs_stand_out():
    without = marks(Drawing())
    assert marks(Drawing(discs_mm=PEGS_MM, disc_mm=4.0)).pegs > 3 * without.pegs
    assert without.pegs < 6.0


def test_an_even_picture_has_no_marks():
    flat = find_marks(np.full((640, 640, 3), 90, np.uint8), VIEW, np.array(STANDARD_MM), DARKER)
    assert (flat.quadrants, flat.pegs, flat.hole, flat.turn_rad) == (0.0, 0.0, 0.0, None)


def test_light_lines_on_dark_paint():
    light = Drawing(line=(235, 230, 215), wood=(30, 30, 60), turn_deg=20.0)
    found = find_marks(drawn(VIEW, light), VIEW, np.array(STANDARD_MM), -DARKER)
    assert found.turn_rad is not None
    assert quarter_turn(np.degrees(found.turn_rad) - 20.0) < TURN_WITHIN_DEG
    dark = replace(light, line=(10, 10, 20))
    assert find_marks(drawn(VIEW, dark), VIEW, np.array(STANDARD_MM), -DARKER).turn_rad is None


def test_spokes_are_more_lines_than_a_boards_and_a_cross_runs_through():
    board = marks(Drawing())
    assert board.more_lines < 0.3
    assert abs(board.through) < 0.3
    picture = drawn(VIEW, Drawing(hole_mm=None)).astype(float)
    xy = board_px(VIEW, SQUARE)
    within = covered(np.hypot(xy[..., 0], xy[..., 1]) - STANDARD_MM[2])
    for angle in np.radians([0.0, 90.0, 30.0, 120.0]):
        aside = xy[..., 0] * np.sin(angle) - xy[..., 1] * np.cos(angle)
        picture = paint(picture, band(aside, 1.6) * within, (60, 40, 30))
    target = find_marks(np.rint(picture).astype(np.uint8), VIEW, np.array(STANDARD_MM), DARKER)
    assert target.more_lines > 0.5
    assert target.through > 0.5


def test_a_board_hardly_in_the_picture_has_no_marks_and_is_no_trouble():
    outside = find_marks(np.full((64, 64, 3), 90, np.uint8), VIEW, np.array(STANDARD_MM), DARKER)
    assert (outside.turn_rad, outside.through) == (None, 0.0)


def test_a_boards_surface_ends_beyond_the_5_line_and_its_lines_before():
    board = marks(Drawing())
    assert board.ends > 0.9
    assert abs(board.beyond) < 0.2
    assert marks(Drawing(surface_mm=None)).ends < 0.2


def test_lines_that_go_on_outside_the_5_line():
    picture = drawn(VIEW, Drawing(surface_mm=None)).astype(float)
    xy = board_px(VIEW, SQUARE)
    for aside in (xy[..., 0], xy[..., 1]):
        picture = paint(picture, band(aside, 1.6), (60, 40, 30))
    house = find_marks(np.rint(picture).astype(np.uint8), VIEW, np.array(STANDARD_MM), DARKER)
    assert house.beyond > 0.5
    assert house.through > 0.5


def test_a_pointed_ray_runs_through_though_only_its_tip_is_a_line():
    picture = drawn(VIEW, Drawing(quadrants=False)).astype(float)
    xy = board_px(VIEW, SQUARE)
    radius = np.hypot(xy[..., 0], xy[..., 1])
    for along, aside in ((xy[..., 0], xy[..., 1]), (xy[..., 1], xy[..., 0])):
        half = np.maximum(0.8, 0.12 * (STANDARD_MM[2] - np.abs(along)) * (np.abs(along) < 220))
        picture = paint(picture, covered(np.abs(aside) - half) * covered(radius - 300.0), (60, 40, 30))
    rose = find_marks(np.rint(picture).astype(np.uint8), VIEW, np.array(STANDARD_MM), DARKER)
    assert rose.quadrants > 12.0
    assert rose.through > 0.5


def test_what_is_cut_off_says_nothing_of_where_the_surface_ends():
    assert np.isnan(marks(Drawing(), view_of(10.0, seen_mm=560.0)).ends)

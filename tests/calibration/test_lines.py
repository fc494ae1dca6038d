"""Sub-pixel points on the painted lines, and the lines' looks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import View
from calibration.line_spots import LineSpots
from calibration.lines import RingLine, measure_ring, sample
from calibration.measured import Measured
from tests.drawn import (
    DARK_LINE,
    DITCH,
    FRAME,
    LIGHT_LINE,
    SQUARE,
    STANDARD_MM,
    WOOD,
    Drawing,
    board_px,
    covered,
    drawn,
    paint,
    photographed,
    view_of,
)

R15 = STANDARD_MM[0]
HERE = np.zeros(2)
NEAR = view_of(25.0, azimuth_deg=30.0, seen_mm=270.0)  # 2.4 px/mm
FAR = view_of(25.0, azimuth_deg=30.0, seen_mm=800.0)  # 0.8 px/mm
BARE = Drawing(quadrants=False)
#: Where a ring is, from a whole circle of points on a drawn line.
PLACE_WITHIN_PX = 0.02


def measured(view: View, what: Drawing, radius_mm: float = R15, half_mm: float = 6.0) -> RingLine:
    return measure_ring(drawn(view, what), view, radius_mm, HERE, half_mm)


@pytest.mark.parametrize("colour", [DARK_LINE, LIGHT_LINE], ids=["dark", "light"])
@pytest.mark.parametrize("width_mm", [1.0, 2.0, 3.0])
def test_a_lines_width(width_mm: float, colour: tuple[int, int, int]):
    line = measured(NEAR, replace(BARE, line_mm=width_mm, line=colour))
    assert abs(line.width_mm.mean - width_mm) < 2.0 * line.width_mm.sigma
    assert line.width_mm.sigma < 0.3
    assert line.found > 0.98


@pytest.mark.parametrize("width_mm", [1.0, 2.0, 3.0])
def test_where_the_blur_is_wider_than_the_line_the_sigma_says_so(width_mm: float):
    line = measured(FAR, replace(BARE, line_mm=width_mm))
    assert abs(line.width_mm.mean - width_mm) < 2.0 * line.width_mm.sigma
    assert line.width_mm.sigma > 2.0 * measured(NEAR, replace(BARE, line_mm=width_mm)).width_mm.sigma


@pytest.mark.parametrize("view", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("off_mm", [-0.4, 0.0, 0.37])
def test_a_line_is_found_to_a_fraction_of_a_pixel(view: View, off_mm: float):
    """Photogrammetric practice is 1/20 to 1/50 px on good targets; a whole ring averages its points."""
    line = measured(view, replace(BARE, radii_mm=(R15 + off_mm, *STANDARD_MM[1:])))
    px_per_mm = float(np.sqrt(np.abs(np.linalg.det(view.px_per_mm(HERE)))))
    assert float(np.nanmean(line.offset_mm)) == pytest.approx(off_mm, abs=PLACE_WITHIN_PX / px_per_mm)
    error = line.offset_mm[line.seen] - off_mm
    assert np.sqrt(np.mean(np.square(error))) * px_per_mm < 0.1
    assert 0.3 < np.sqrt(np.mean(np.square(error / line.sigma_mm[line.seen]))) < 1.5


@pytest.mark.parametrize("view", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("off_mm", [-2.3, 1.9])
def test_a_line_far_from_where_it_was_expected_is_found_to_a_tenth_of_a_millimetre(view: View, off_mm: float):
    """Good enough to be expected at the right place the second time."""
    line = measured(view, replace(BARE, radii_mm=(R15 + off_mm, *STANDARD_MM[1:])))
    assert float(np.nanmean(line.offset_mm)) == pytest.approx(off_mm, abs=0.1)
    assert line.found > 0.97


def test_a_ring_painted_off_centre_shows_as_a_wave():
    """``offset(angle) = d · (cos, sin)`` to first order."""
    off = np.array([0.8, -0.5])
    moved = View(NEAR.camera, NEAR.rotation, NEAR.translation_mm + NEAR.rotation[:, :2] @ off)
    line = measure_ring(drawn(moved, BARE), NEAR, R15, HERE, 6.0)
    expected = np.cos(line.angle) * off[0] + np.sin(line.angle) * off[1]
    assert np.nanmax(np.abs(line.offset_mm - expected)) < 0.1
    found = measure_ring(drawn(moved, BARE), NEAR, R15, off, 6.0)
    assert np.nanmax(np.abs(found.offset_mm)) < 0.1


@pytest.mark.parametrize("colour", [DARK_LINE, LIGHT_LINE, (150, 40, 40)], ids=["dark", "light", "red"])
def test_the_paint_is_the_colour_from_wood_to_line(colour: tuple[int, int, int]):
    line = measured(FAR, replace(BARE, line=colour))
    expected = np.array(colour, float) - np.array(WOOD)
    assert float(line.paint @ expected) / np.linalg.norm(expected) > 0.99
    assert np.linalg.norm(line.mix) == pytest.approx(1.0)
    assert line.contrast > 10 * line.noise
    assert line.step < 0.2


def test_a_rim_is_a_step():
    rim = measured(FAR, replace(BARE, radii_mm=STANDARD_MM), radius_mm=330.2)
    assert rim.step > 0.7
    between = measured(FAR, BARE, radius_mm=STANDARD_MM[2])
    assert between.step < 0.3


@pytest.mark.parametrize("grain", [2.0, 8.0])
def test_where_there_is_only_wood_there_is_no_line(grain: float):
    wood = measured(FAR, replace(BARE, grain=grain), radius_mm=150.0)
    assert wood.found < 0.5
    assert wood.contrast < 0.3 * measured(FAR, replace(BARE, grain=grain)).contrast


def test_an_even_picture_has_no_line_and_no_warning():
    flat = measure_ring(np.full((*SQUARE, 3), 90, np.uint8), FAR, R15, HERE, 6.0)
    assert not flat.seen.any()
    assert flat.found == 0.0


def test_discs_hide_the_line_and_only_there():
    at = tuple((R15 * np.cos(a), R15 * np.sin(a)) for a in (0.5, 2.0, 4.0))
    line = measured(NEAR, replace(BARE, discs_mm=at))
    hidden = np.min([np.abs(np.angle(np.exp(1j * (line.angle - a)))) for a in (0.5, 2.0, 4.0)], axis=0)
    assert not line.seen[hidden < 11.0 / R15].any()
    assert line.seen[hidden > 35.0 / R15].all()
    assert np.nanmax(np.abs(line.offset_mm)) < 0.5
    open_to_view = line.offset_mm[hidden > 35.0 / R15]
    assert np.abs(open_to_view).max() < 0.15


def test_what_is_outside_the_picture_is_neither_found_nor_missed():
    view = view_of(0.0, seen_mm=270.0, aim_mm=(135.0, 0.0))
    line = measured(view, BARE)
    inside = R15 * np.cos(line.angle) > 3.0
    assert line.visible == pytest.approx(inside.mean(), abs=0.08)
    assert line.found > 0.98
    assert not line.seen[R15 * np.cos(line.angle) < -8.0].any()


def test_a_ring_outside_the_picture_is_nothing():
    nothing = measured(view_of(0.0, aim_mm=(3000.0, 0.0)), BARE)
    assert (nothing.found, nothing.visible) == (0.0, 0.0)
    assert not nothing.seen.any()
    assert nothing.xy_mm().shape == (0, 2)


def test_points_go_back_to_the_pixels_they_were_seen_at():
    moved = replace(BARE, radii_mm=(R15 + 0.7, *STANDARD_MM[1:]))
    lines = tuple(measured(FAR, moved, radius) for radius in STANDARD_MM)
    points = LineSpots.of(lines, FAR).weighed(0.3)
    on_board = np.linalg.norm(FAR.mm_from_px(points.xy_px), axis=1)
    expected = np.array([R15 + 0.7, *STANDARD_MM[1:]])[points.ring]
    assert np.abs(on_board - expected).max() < 0.3
    assert len(points) == sum(int(line.seen.sum()) for line in lines)


def test_a_points_sigma_is_across_the_line_in_pixels_and_never_below_the_paints():
    lines = tuple(measured(FAR, BARE, radius) for radius in STANDARD_MM)
    few, more = LineSpots.of(lines, FAR).weighed(0.1), LineSpots.of(lines, FAR).weighed(1.0)
    assert (more.sigma_px > few.sigma_px).all()
    far_side, near_side = FAR.px_from_mm(np.array([[0.0, 304.8], [0.0, -304.8]]))
    assert np.isfinite([far_side, near_side]).all()
    scale = np.sqrt(np.abs(np.linalg.det(FAR.px_per_mm(HERE))))
    assert more.sigma_px.min() > 0.5 * scale
    assert more.sigma_px.max() < 2.0 * scale


def test_sampling_is_bilinear_at_pixel_centres():
    rows, columns = np.mgrid[0:40, 0:50]
    ramp = np.stack([rows * 3 + columns * 2] * 3, -1).astype(np.uint8)
    at = np.random.default_rng(4).uniform(0, 39, (6, 7, 2))
    values, inside = sample(ramp, at)
    assert values[..., 0] == pytest.approx(
        at[..., 1] * 3 + at[..., 0] * 2, abs=0.6
    )  # whole grey levels, 1/32 px
    assert inside.all()


@pytest.mark.parametrize(
    ("x", "y", "inside"), [(0, 0, True), (49, 39, True), (-0.1, 5, False), (5, 39.1, False)]
)
def test_the_picture_ends_at_its_last_pixels_centre(x: float, y: float, inside: bool):
    _, seen = sample(np.zeros((40, 50, 3), np.uint8), np.array([[x, y]], float))
    assert bool(seen[0]) == inside


def test_a_border_between_two_colours_is_a_step_whichever_way():
    for inner, outer in ((WOOD, FRAME), (DITCH, WOOD)):
        radius = np.hypot(*np.moveaxis(board_px(FAR, SQUARE), -1, 0))
        picture = paint(np.ones((*SQUARE, 3)) * outer, covered(radius - R15), inner)
        border = measure_ring(photographed(picture, 0.6, 1.0), FAR, R15, HERE, 6.0)
        assert border.step > 0.7


def test_a_width_told_beforehand_and_the_one_seen_count_by_their_variances():
    seen = replace(measured(FAR, BARE), width_mm=Measured(1.8, 0.1))
    both = seen.of_known_width(1.6).width_mm
    assert both.mean == pytest.approx(1.7)
    assert both.sigma == pytest.approx(0.1 / 2**0.5)

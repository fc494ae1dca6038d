"""The board in a picture, from pixels to a fitted view: found, measured, and not invented."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.board import FittedBoard, _measured_lines, _tightened, find_board
from calibration.camera import View
from calibration.coarse import Guess
from calibration.equipment import Board, Equipment
from calibration.errors import NoBoardError
from calibration.fit import Start
from calibration.prior import camera_prior
from calibration.proof import objection_to_lines
from tests.drawn import (
    DARK_LINE,
    SQUARE,
    STANDARD_MM,
    WOOD,
    Drawing,
    band,
    board_px,
    covered,
    drawn,
    paint,
    photographed,
    view_of,
)

#: Largest radial error along the 5 line, of pictures with 0.8 px/mm.
PLANE_WITHIN_MM = 0.15
#: The inner lines' radii where the picture is their only source: a lens' distortion may pass for 0.3 %.
MEASURED_WITHIN_MM = 0.9
HOME_MM = (304.8 / 2.95, 304.8 / 2.95 * 2.12, 304.8)
NO_RINGS = "no concentric rings of a board's proportions"


def found_in(picture: np.ndarray, equipment: Equipment | None = None) -> FittedBoard:
    height, width = picture.shape[:2]
    return find_board(picture, camera_prior(width, height, None, None), equipment)


def off_mm(board: FittedBoard, view: View, radius_mm: float = STANDARD_MM[2]) -> np.ndarray:
    """How far from a true ring the fitted view puts its points, (n,)."""
    angle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    px = view.px_from_mm(radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1))
    return np.linalg.norm(board.view.mm_from_px(px), axis=1) - radius_mm


def tilted(tilt_deg: float) -> View:
    """From about 75 cm, farther off where it is steep: nobody holds a phone a hand above the table."""
    return view_of(tilt_deg, azimuth_deg=17.0, roll_deg=5.0, seen_mm=800.0 if tilt_deg < 50.0 else 950.0)


@cache
def plain(tilt_deg: float) -> FittedBoard:
    return found_in(drawn(tilted(tilt_deg)))


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0, 45.0, 60.0])
def test_a_board_is_fitted(tilt_deg: float):
    board, view = plain(tilt_deg), tilted(tilt_deg)
    assert np.abs(off_mm(board, view)).max() < PLANE_WITHIN_MM
    assert board.geometry == "preset"
    assert board.radii_mm == pytest.approx(STANDARD_MM, abs=0.15)
    assert board.view.tilt_deg == pytest.approx(tilt_deg, abs=1.5)
    assert min(line.found for line in board.lines) > 0.9
    assert board.fit.rms_px < 0.15


@pytest.mark.parametrize("tilt_deg", [20.0, 45.0])
def test_the_quadrant_lines_are_the_axes(tilt_deg: float):
    """Up to the board's own symmetry: a quarter turn."""
    view = tilted(tilt_deg)
    at = plain(tilt_deg).view.mm_from_px(view.px_from_mm(np.array([250.0, 0.0])))
    angle_deg = np.degrees(np.arctan2(at[1], at[0]))
    assert abs((angle_deg + 45.0) % 90.0 - 45.0) < 0.4


def test_the_x_axis_is_the_quadrant_line_that_points_most_to_the_right():
    for azimuth_deg in (100.0, 200.0):
        view = view_of(20.0, azimuth_deg=azimuth_deg, seen_mm=800.0)
        to_px = found_in(drawn(view)).view.px_from_mm(np.array([[0.0, 0.0], [250.0, 0.0]]))
        right, down = to_px[1] - to_px[0]
        assert right > abs(down)


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0, 45.0])
def test_another_boards_own_ratios_are_measured(tilt_deg: float):
    view = tilted(tilt_deg)
    board = found_in(drawn(view, Drawing(radii_mm=HOME_MM)))
    assert board.geometry == "measured"
    assert board.radii_mm == pytest.approx(HOME_MM, abs=MEASURED_WITHIN_MM)
    assert np.abs(off_mm(board, view)).max() < 0.5


def test_given_equipment_is_believed():
    own = Equipment("own", Board(ring_diameters_mm=tuple(2 * r for r in HOME_MM)))
    view = tilted(30.0)
    board = found_in(drawn(view, Drawing(radii_mm=HOME_MM)), own)
    assert board.geometry == "file"
    assert board.radii_mm == pytest.approx(HOME_MM, abs=0.15)
    assert np.abs(off_mm(board, view)).max() < PLANE_WITHIN_MM


def test_where_the_focal_length_comes_from():
    """From the rings where they show it; from straight above it stays what it was believed to be."""
    assert plain(45.0).camera == "fitted"
    assert plain(45.0).fit.focal_relative.sigma < 0.1
    above = plain(0.0)
    assert above.camera == "assumed"
    assert above.fit.focal_relative.sigma > 0.8 * above.fit.prior.f_relative_sigma


def test_exif_is_told():
    size = (800, 600)
    view = view_of(0.0, size_px=size, f_px=26.0 / np.hypot(36, 24) * 1000, seen_mm=800.0)
    board = find_board(drawn(view, size_px=size), camera_prior(*size, 26.0, None))
    assert board.camera == "exif"
    assert np.linalg.norm(board.view.eye_mm) == pytest.approx(np.linalg.norm(view.eye_mm), rel=0.05)


def test_a_webcams_barrel_is_fitted():
    view = view_of(30.0, k1=-0.2, seen_mm=800.0)
    board = found_in(drawn(view))
    assert board.view.camera.k1 == pytest.approx(-0.2, abs=0.02)
    assert np.abs(off_mm(board, view)).max() < PLANE_WITHIN_MM
    assert board.geometry == "preset"


def test_a_crop_is_noticed():
    """A third of the frame's width cut away: the axis is not where a whole frame has it."""
    view = view_of(40.0, principal_px=(150.0, 40.0), f_px=850.0, seen_mm=800.0, aim_mm=(120.0, 0.0))
    board = found_in(drawn(view))
    assert np.abs(off_mm(board, view)).max() < 2 * PLANE_WITHIN_MM
    assert board.view.camera.cx_px - 319.5 == pytest.approx(150.0, abs=50.0)
    assert board.fit.prior.source in ("crop", "assumed")


def test_the_covariance_of_the_plane_is_honest():
    """Error over sigma of eight places on the 5 line, over noisy pictures: its rms is below 2."""
    size = (480, 480)
    view, pulls = view_of(30.0, azimuth_deg=17.0, seen_mm=800.0, size_px=size), []
    places = view.px_from_mm(
        304.8 * np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], 1)
    )
    clean = drawn(view, Drawing(noise=0.0), size)
    for seed in range(10):
        fit = found_in(photographed(clean, 0.0, 4.0, np.random.default_rng(seed))).fit
        here = np.linalg.norm(fit.view.mm_from_px(places), axis=1)
        step = 1e-6 * np.eye(len(fit.parameters))
        slope = [
            (np.linalg.norm(fit.perturbed(fit.parameters + d)[0].mm_from_px(places), axis=1) - here) / 1e-6
            for d in step
        ]
        sigma = np.sqrt(np.einsum("ki,kl,li->i", np.stack(slope), fit.covariance, np.stack(slope)))
        pulls.append((here - 304.8) / sigma)
    assert float(np.sqrt(np.mean(np.square(pulls)))) < 2.0


def test_half_of_the_board_outside_the_picture():
    view = view_of(25.0, seen_mm=700.0, aim_mm=(300.0, 0.0), azimuth_deg=10.0)
    board = found_in(drawn(view))
    assert max(line.visible for line in board.lines) < 0.75
    inside = view.px_from_mm(STANDARD_MM[1] * np.array([[0.7, 0.7], [0.7, -0.7], [0.9, 0.0]]))
    radii = np.linalg.norm(board.view.mm_from_px(inside), axis=1)
    assert radii == pytest.approx(np.linalg.norm(view.mm_from_px(inside), axis=1), abs=0.5)


def test_an_arm_across_the_board():
    view = tilted(35.0)
    picture = drawn(view)
    cv2.line(picture, (640, 640), (380, 330), (190, 140, 120), 110)
    cv2.circle(picture, (370, 320), 80, (200, 150, 130), -1)
    board = found_in(picture)
    assert np.abs(off_mm(board, view)).max() < 2 * PLANE_WITHIN_MM
    assert board.geometry == "preset"


def test_discs_over_the_lines():
    rng = np.random.default_rng(6)
    angle, radius = rng.uniform(0, 2 * np.pi, 12), np.repeat(STANDARD_MM, 4) + rng.uniform(-10, 10, 12)
    discs = tuple((r * np.cos(a), r * np.sin(a)) for r, a in zip(radius, angle, strict=True))
    view = tilted(30.0)
    board = found_in(drawn(view, Drawing(discs_mm=discs)))
    assert np.abs(off_mm(board, view)).max() < 2 * PLANE_WITHIN_MM
    assert board.geometry == "preset"


@pytest.mark.parametrize(
    "what",
    [
        Drawing(line=(225, 220, 205), wood=(40, 40, 60)),
        Drawing(grain=7.0),
        Drawing(line_mm=3.0),
        Drawing(line=(150, 110, 75)),
        Drawing(noise=10.0, blur_px=1.2),
    ],
    ids=["light on dark", "figured wood", "broad", "faint", "dim light"],
)
def test_boards_of_many_looks(what: Drawing):
    view = tilted(30.0)
    assert np.abs(off_mm(found_in(drawn(view, what)), view)).max() < 2 * PLANE_WITHIN_MM


def test_a_shadow_across_it():
    view = tilted(25.0)
    picture = drawn(view).astype(float)
    picture[:, :300] *= 0.45
    board = found_in(picture.astype(np.uint8))
    assert np.abs(off_mm(board, view)).max() < 2 * PLANE_WITHIN_MM


def test_a_large_picture_is_the_same_board():
    """Guesses come from a copy of at most 900 px, the fit from the picture itself."""
    size = (1500, 1200)
    view = view_of(30.0, size_px=size, seen_mm=800.0)
    board = found_in(drawn(view, size_px=size))
    assert np.abs(off_mm(board, view)).max() < PLANE_WITHIN_MM
    assert board.view.px_from_mm(np.zeros(2)) == pytest.approx(view.px_from_mm(np.zeros(2)), abs=0.3)


def test_two_runs_are_equal():
    one, two = plain(45.0), found_in(drawn(tilted(45.0)))
    assert np.array_equal(one.fit.parameters, two.fit.parameters)
    assert np.array_equal(one.fit.covariance, two.fit.covariance)
    assert one.marks == two.marks


def reason_against(picture: np.ndarray) -> str:
    with pytest.raises(NoBoardError) as refused:
        found_in(picture)
    assert str(refused.value) == f"no crokinole board in the picture: {refused.value.reason}"
    return refused.value.reason


def on_wood(*rings_mm: tuple[float, float]) -> np.ndarray:
    """Dark rings of a radius and a width, on a wooden plane that fills the picture."""
    radius = np.hypot(*np.moveaxis(board_px(tilted(20.0), SQUARE), -1, 0))
    picture = np.ones((*SQUARE, 3)) * np.array(WOOD, float)
    for radius_mm, width_mm in rings_mm:
        picture = paint(picture, band(radius - radius_mm, width_mm), DARK_LINE)
    return photographed(picture, 0.6, 1.5)


def bands(view: View, *radii_mm: float, colours: tuple[tuple[int, int, int], ...]) -> np.ndarray:
    """Filled discs, the largest first."""
    radius = np.hypot(*np.moveaxis(board_px(view, SQUARE), -1, 0))
    picture = np.ones((*SQUARE, 3)) * 150.0
    for radius_mm, colour in zip(sorted(radii_mm, reverse=True), colours, strict=True):
        picture = paint(picture, covered(radius - radius_mm), colour)
    return photographed(picture, 0.6, 1.5)


def test_nothing_in_the_picture():
    assert reason_against(np.full((500, 600, 3), 200, np.uint8)) == NO_RINGS


def test_noise():
    """Rings are found in it, but they show nowhere near all the way round."""
    noise = np.random.default_rng(3).integers(0, 256, (500, 600, 3), dtype=np.uint8)
    assert reason_against(noise) in (NO_RINGS, "the rings are not lines all the way round")


@pytest.mark.parametrize(
    "rings_mm", [((304.8, 2.0),), ((203.2, 2.0), (304.8, 2.0)), ((101.6, 2.0), (203.2, 2.0))], ids=str
)
def test_one_circle_or_two(rings_mm: tuple[tuple[float, float], ...]):
    assert reason_against(on_wood(*rings_mm))


def test_three_line_circles_without_quadrant_lines():
    """The right proportions and the right lines: a drawing of three circles is no board."""
    assert "quadrant lines" in reason_against(on_wood(*((r, 2.0) for r in STANDARD_MM)))


def test_three_filled_discs():
    colours = ((60, 90, 150), (220, 220, 210), (170, 50, 50))
    assert reason_against(bands(tilted(20.0), *STANDARD_MM, colours=colours)) != NO_RINGS


def test_archery_rings():
    """World Archery's target: ten equal zones, five colours, with borders of 1 : 2 : 3 many times over."""
    white, black, blue, red, gold = (
        (240, 240, 240),
        (30, 30, 30),
        (60, 150, 210),
        (210, 60, 60),
        (240, 210, 60),
    )
    view = tilted(20.0)
    rings = tuple(30.48 * k for k in range(1, 11))
    colours = (white, white, black, black, blue, blue, red, red, gold, gold)
    assert reason_against(bands(view, *rings, colours=colours))


def test_a_dart_board():
    """BDO proportions: bulls 6.35 and 15.9, treble 99 to 107, double 162 to 170 of 225 mm; twenty sectors."""
    view = tilted(20.0)
    xy = board_px(view, SQUARE) * (170.0 / 304.8)
    radius, sector = (
        np.hypot(xy[..., 0], xy[..., 1]),
        np.floor(np.arctan2(xy[..., 1], xy[..., 0]) * 10 / np.pi),
    )
    picture = np.ones((*SQUARE, 3)) * 150.0
    picture = paint(picture, covered(radius - 225.0), (20, 20, 20))
    odd = (sector % 2 == 0)[..., None]
    picture = np.where((radius < 170.0)[..., None], np.where(odd, (225, 205, 160), (25, 25, 25)), picture)
    for inner, outer in ((99.0, 107.0), (162.0, 170.0)):
        within = ((radius > inner) & (radius < outer))[..., None]
        picture = np.where(within, np.where(odd, (180, 40, 40), (30, 120, 60)), picture)
    for edge_mm in (15.9, 99.0, 107.0, 162.0, 170.0):
        picture = paint(picture, band(radius - edge_mm, 1.2), (190, 190, 190))
    assert reason_against(photographed(picture, 0.6, 1.5))


@pytest.mark.parametrize("shape", [(1, 1, 3), (8, 8, 3), (40, 30, 3), (64, 64, 3)])
def test_a_tiny_picture_is_refused_and_no_trouble(shape: tuple[int, int, int]):
    assert reason_against(np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)) == NO_RINGS


def test_a_small_picture_of_a_board_is_enough():
    size = (320, 320)
    view = view_of(20.0, size_px=size, seen_mm=720.0)
    board = found_in(drawn(view, replace(Drawing(), line_mm=3.0), size))
    assert np.abs(off_mm(board, view)).max() < 0.6


def test_lines_hold_to_the_picture():
    """Measured again through the fit, no ring is off by a fifth of a millimetre."""
    board = plain(45.0)
    for line in board.lines:
        assert abs(float(np.nanmedian(line.offset_mm))) < 0.2
        assert line.width_mm.mean == pytest.approx(1.6, abs=2 * line.width_mm.sigma)


@pytest.mark.parametrize("off_mm", [(3.5, 0.0), (0.0, -3.5), (-2.5, 2.5)])
def test_a_guess_that_misses_half_of_the_lines_is_fitted_to_the_rest_and_looked_at_again(
    off_mm: tuple[float, float],
) -> None:
    picture, board = drawn(tilted(20.0)), plain(20.0)
    prior = camera_prior(picture.shape[1], picture.shape[0], None, None)
    start = Start.at(board.fit)
    off = replace(start, centres_mm=start.centres_mm + off_mm)
    lines = _measured_lines(picture, off, 60, profile=False)
    assert objection_to_lines(lines) == "the rings are not lines all the way round"
    found = _tightened(picture, Guess(off, prior))
    there = found.view.px_from_mm(found.centres_mm[2])
    assert np.hypot(*(board.view.mm_from_px(there) - board.fit.centres_mm[2])) < 0.5

"""One's own board, measured: drawn boards of which every length is known."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.board import FittedBoard, find_board
from calibration.camera import View
from calibration.equipment import PRESETS, EquipmentError, equipment_from_toml
from calibration.measured import Measured
from calibration.own_board import OwnBoard, measure_own_board
from calibration.own_board_edges import longer_mm, mean_radius_mm, round_edge, view_sigma_mm
from calibration.own_board_file import equipment_of, own_board_toml
from calibration.own_board_pegs import breaks, pegs_seen
from calibration.prior import camera_prior
from tests.drawn import DARK_LINE, WOOD, Drawing, band, board_px, covered, drawn, paint, photographed, view_of

SIZE_PX = (900, 900)
VIEWS = {"above": view_of(6, size_px=SIZE_PX), "aslant": view_of(24, azimuth_deg=50, size_px=SIZE_PX)}
RADII_MM = (104.0, 214.0, 304.8)
WIDTH_MM = 2.2
OWN = Drawing(radii_mm=RADII_MM, line_mm=WIDTH_MM, hole_mm=17.0, surface_mm=334.0)
STANDARD = Drawing()
OFF_MM, LONGER_MM = (0.9, -0.5), 1.2


def fitted(rgb: np.ndarray, view: View) -> FittedBoard:
    focal_35mm = view.camera.f_px / np.hypot(*SIZE_PX) * np.hypot(36, 24)
    prior = replace(camera_prior(*SIZE_PX, focal_35mm, None), camera=view.camera, source="exif")
    return find_board(rgb, replace(prior, f_relative_sigma=0.02))


@cache
def measured(name: str, what: Drawing = OWN) -> OwnBoard:
    rgb = drawn(VIEWS[name], what, SIZE_PX)
    return measure_own_board(rgb, fitted(rgb, VIEWS[name]))


def within(found: Measured | None, true: float, sigmas: float = 3.5) -> bool:
    assert found is not None
    return abs(found.mean - true) < sigmas * max(found.sigma, 0.03)


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("what", [OWN, STANDARD], ids=["own", "standard"])
def test_every_length_is_found_within_what_is_stated(name: str, what: Drawing):
    own = measured(name, what)
    assert own.surface_mm is not None
    assert own.hole_mm is not None
    for ring, radius_mm in zip(own.rings, what.radii_mm, strict=True):
        assert within(ring.diameter_mm, 2 * radius_mm)
        assert ring.width_mm.mean == pytest.approx(what.line_mm, abs=0.35)
        assert ring.found > 0.95
    assert within(own.hole_mm, 2 * (what.hole_mm or 0))
    assert within(own.surface_mm, 2 * (what.surface_mm or 0))
    assert own.hole_mm.sigma < 0.5
    assert own.surface_mm.sigma < 2.0


def test_a_board_painted_true_is_said_to_be():
    for ring in measured("above").rings:
        assert ring.ellipse_mm.mean < 0.25
        assert max(abs(part.mean) for part in ring.centre_mm) < 0.25


def odd_board(view: View) -> np.ndarray:
    """A board of which the 10 line is an ellipse about a centre of its own."""
    what = replace(STANDARD, blur_px=0.0, noise=0.0, grain=0.0)
    xy = board_px(view, SIZE_PX)
    radius, middle_mm = np.hypot(xy[..., 0], xy[..., 1]), STANDARD.radii_mm[1]
    picture = drawn(view, what, SIZE_PX).astype(float)
    picture = paint(picture, band(radius - middle_mm, 3.0), WOOD)
    own = xy - np.array(OFF_MM)
    angle = np.arctan2(own[..., 1], own[..., 0])
    path = middle_mm + LONGER_MM / 4 * np.cos(2 * angle)
    picture = paint(picture, band(np.hypot(own[..., 0], own[..., 1]) - path, what.line_mm), DARK_LINE)
    return photographed(picture, 0.6, 1.0)


def test_each_ring_keeps_its_own_centre_and_shape():
    view = VIEWS["above"]
    rgb = odd_board(view)
    board = fitted(rgb, view)
    ring = measure_own_board(rgb, board).rings[1]
    # the fitted frame is turned by a quarter at most
    turn = board.view.mm_from_px(view.px_from_mm(np.array([100.0, 0.0]))) / 100.0
    own = np.array([[turn[0], -turn[1]], [turn[1], turn[0]]]) @ np.array(OFF_MM)
    found = np.array([part.mean for part in ring.centre_mm])
    assert np.hypot(*(found - own)) < 0.3
    # the pose takes up a part of one ring's ellipse
    assert ring.ellipse_mm.mean == pytest.approx(LONGER_MM, abs=0.4)
    assert abs(ring.ellipse_mm.mean - LONGER_MM) < 3 * ring.ellipse_mm.sigma < 1.2


def test_pegs_are_breaks_of_the_line_at_eighths():
    view = VIEWS["above"]
    rgb = drawn(view, replace(STANDARD, blur_px=0.0, noise=0.0), SIZE_PX).astype(float)
    assert pegs_seen(photographed(rgb, 0.6, 1.0), fitted(photographed(rgb, 0.6, 1.0), view)) == 0
    xy = board_px(view, SIZE_PX)
    for k in range(8):
        at = 101.6 * np.array([np.cos(np.pi / 8 + k * np.pi / 4), np.sin(np.pi / 8 + k * np.pi / 4)])
        rgb = paint(rgb, covered(np.hypot(*np.moveaxis(xy - at, -1, 0)) - 4.0), WOOD)
    shown = photographed(rgb, 0.6, 1.0)
    assert pegs_seen(shown, fitted(shown, view)) == 8


def test_breaks_of_a_closed_line_run_over_its_end():
    hidden = np.zeros(20, dtype=bool)
    hidden[[0, 1, 7, 8, 19]] = True
    assert sorted(run.tolist() for run in breaks(hidden)) == [[7, 8], [19, 20, 21]]
    assert breaks(np.ones(9, dtype=bool)) == breaks(np.zeros(9, dtype=bool)) == []


def test_an_edge_that_is_not_there_is_not_found():
    bare = replace(OWN, surface_mm=None, hole_mm=None)
    rgb = drawn(VIEWS["above"], bare, SIZE_PX)
    fit = fitted(drawn(VIEWS["above"], OWN, SIZE_PX), VIEWS["above"]).fit
    assert round_edge(rgb, fit, 11.0, 24.0, outermost=True) is None
    assert round_edge(rgb, fit, 320.0, 380.0, outermost=False) is None
    # and past the picture's border there is nothing to see
    assert round_edge(rgb, fit, 900.0, 950.0, outermost=False) is None


def test_the_scale_s_own_circle_has_no_doubt_of_the_view():
    """Radii are in the scale of the 5 line, so the view's doubt is least there."""
    fit = fitted(drawn(VIEWS["aslant"], OWN, SIZE_PX), VIEWS["aslant"]).fit
    assert view_sigma_mm(fit, 304.8) < view_sigma_mm(fit, 420.0)


def test_a_circle_and_an_ellipse_are_told_by_their_points():
    angle = np.arange(48) / 48 * 2 * np.pi
    circle = np.stack([np.cos(angle), np.sin(angle)], 1)
    assert longer_mm(200.0 * circle + 3.0) == pytest.approx(0.0, abs=1e-9)
    assert mean_radius_mm(200.0 * circle + 3.0) == pytest.approx(200.0)
    assert longer_mm(circle * np.array([200.5, 199.5])) == pytest.approx(2.0, rel=0.01)


def test_the_file_reads_back_and_says_what_is_not_a_key():
    own = measured("above")
    equipment = equipment_of(own, 'Anna\'s "board"')
    text = own_board_toml(own, equipment, "board.jpg")
    assert equipment_from_toml(text) == equipment
    assert equipment.board.ring_diameters_mm == pytest.approx([208.0, 428.0, 609.6], abs=1.2)
    assert equipment.disc == PRESETS["standard"].disc
    comments = [line for line in text.splitlines() if line.startswith("#")]
    for word in ("board.jpg", "±", "longest less shortest", "own centre", "calliper", "24 inches"):
        assert any(word in line for line in comments)


def test_one_length_scales_all():
    own = measured("above")
    twice = own.scaled(0.5, "half")
    assert twice.rings[2].diameter_mm.mean == pytest.approx(304.8)
    assert twice.rings[0].diameter_mm.sigma == pytest.approx(own.rings[0].diameter_mm.sigma / 2)
    assert own.hole_mm is not None
    assert twice.hole_mm == own.hole_mm * 0.5
    assert twice.scaled_by == "half"


def test_what_is_not_seen_is_the_standard_s_in_the_board_s_scale():
    blind = replace(measured("above").scaled(0.9, "given"), hole_mm=None, surface_mm=None)
    board = equipment_of(blind, "x").board
    assert board.hole_diameter_mm == pytest.approx(34.9 * 0.9, abs=0.1)
    assert board.surface_diameter_mm == pytest.approx(660.4 * 0.9, abs=0.1)
    assert "does not show" in own_board_toml(blind, equipment_of(blind, "x"), "a.jpg")


def test_discs_are_of_a_preset_that_fits_the_hole():
    small = replace(measured("above"), hole_mm=Measured(31.7, 0.2))
    assert equipment_of(small, "x").disc == PRESETS["traditional"].disc
    with pytest.raises(EquipmentError):
        equipment_of(replace(small, hole_mm=Measured(12.0, 0.2)), "x")


@pytest.mark.parametrize(("seen", "stand"), [(8, 8), (5, 8), (3, 3), (0, 0)])
def test_half_of_the_pegs_mean_all_of_them(seen: int, stand: int):
    assert equipment_of(replace(measured("above"), pegs=seen), "x").board.peg_count == stand

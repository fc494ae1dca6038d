"""Errors against a made-up scene whose truth is known by construction."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from benchmarks.scene_truth import Call, board_error, compare, frame_turn_rad, refused_scene, true_view
from benchmarks.scenes_report import ERROR_HEAD, bands, call_row, disc_row, error_row, scene_row, summary
from calibration.camera import View
from calibration.measured import Measured
from scoring.presets import preset
from service.compose import compose
from service.sides import Sides
from vision.reading import BoardReading, LineGap, Place, SeenBoard, SeenDisc, Verdict


def a_disc(id, x_mm, y_mm, truth, *, place="board", points=10, share=1.0, team="dark"):
    pixel = true_view(truth).px_from_mm(np.array([x_mm, y_mm, 10.0]))
    return {
        "id": id, "team": team, "place": place, "x_mm": x_mm, "y_mm": y_mm, "z_mm": 0.0,
        "pixel": pixel.tolist(), "region": points, "points": points, "visible": share >= 0.35,
        "visible_share": share,
    }  # fmt: skip


@pytest.fixture
def truth():
    tilt = math.radians(20)
    flip = np.array([[1, 0, 0], [0, -math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), -math.cos(tilt)]])
    scene = {
        "picture": "a.jpg", "tilt_deg": 20.0, "quadrant_phase_deg": 0.0,
        "camera": {"K": [[1500, 0, 800], [0, 1500, 600], [0, 0, 1]], "dist_k1": 0.0, "R": flip.tolist(),
                   "t_mm": [0.0, 0.0, 1200.0]},
        "equipment": {"ring_radii_mm": [101.6, 203.2, 304.8], "line_width_mm": 2.0, "disc_diameter_mm": 31.75,
                      "disc_bottom_diameter_mm": 29.2, "disc_thickness_mm": 10.0},
        "totals": {"dark": 10, "light": 0},
    }  # fmt: skip
    scene["discs"] = [a_disc(1, 150.0, 0.0, scene)]
    return json.loads(json.dumps(scene))


def reading(discs, geometry="preset"):
    board = SeenBoard((800.0, 600.0), 20.0, 0.1, "assumed", {})
    return compose(
        BoardReading(
            "a.jpg",
            1600,
            1200,
            "standard",
            (101.6, 203.2, 304.8),
            geometry,
            board,
            discs,
            ("dark", "light"),
            (),
        ),
        preset(),
        Sides(),
    )


def seen(truth, x_mm, y_mm, clearance_mm, verdict=Verdict.CLEAR):
    gap = LineGap(10, Measured(clearance_mm, 0.1), 0.0, verdict)
    pixel = tuple(truth["discs"][0]["pixel"])
    return SeenDisc(1, "dark", "#202020", Place.BOARD, pixel, x_mm, y_mm, 0.1, gap, (), ())


CLEARANCE_MM = 203.2 - 1.0 - 150.0 - 14.6


def test_the_true_view_has_no_error(truth):
    error = board_error(truth, true_view(truth), "preset")
    assert max(*error.surface_mm, *error.above_mm) < 1e-3
    assert error.turn_deg == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("turn_deg", [90.0, -180.0, 33.0])
def test_a_turned_frame_is_aligned_and_the_rest_of_the_turn_told(truth, turn_deg):
    view = true_view(truth).turned(math.radians(turn_deg))
    error = board_error(truth, view, "preset")
    assert max(error.surface_mm) < 1e-3
    assert abs(error.turn_deg) == pytest.approx(abs((turn_deg + 45) % 90 - 45), abs=1e-6)


def test_a_shifted_view_is_off_by_the_shift_and_a_wrong_height_shows_above(truth):
    exact = true_view(truth)
    shifted = View(
        exact.camera, exact.rotation, exact.translation_mm + exact.rotation @ np.array([0.5, 0.0, 0.0])
    )
    assert np.median(board_error(truth, shifted, "preset").surface_mm) == pytest.approx(0.5, abs=0.02)


def test_measured_rings_are_compared_in_true_millimetres(truth):
    exact = true_view(truth)
    truth["equipment"]["ring_radii_mm"] = [101.6, 190.0, 280.0]
    scale = 304.8 / 280.0
    ours = View(exact.camera, exact.rotation, exact.translation_mm * scale)
    assert max(board_error(truth, ours, "measured").above_mm) < 1e-3
    assert min(board_error(truth, ours, "preset").surface_mm) > 5.0


def test_a_disc_read_where_it_lies(truth):
    result = compare("a", truth, reading((seen(truth, 150.0, 0.0, CLEARANCE_MM),)), true_view(truth))
    assert result.exact and result.totals_counted
    assert result.position_mm == pytest.approx((0.0,), abs=1e-6)
    assert result.calls[0].error_mm == pytest.approx(0.0, abs=1e-9)
    assert (result.regions_right, result.regions, result.counts.found) == (1, 1, 1)


def test_position_is_compared_in_the_aligned_frame(truth):
    view = true_view(truth).turned(math.pi / 2)
    assert abs(frame_turn_rad(truth, view)) == pytest.approx(math.pi / 2)
    turned = compare("a", truth, reading((seen(truth, 0.0, -150.0, CLEARANCE_MM),)), view)
    assert turned.position_mm == pytest.approx((0.0,), abs=1e-6)


def test_clearance_errors_keep_their_sign_and_calls_are_judged_by_the_truth():
    assert Call(1.0, 0.1, 1.4, "clear").error_mm == pytest.approx(-0.4)
    assert Call(0.3, 0.1, -0.2, "clear").wrong
    assert Call(-0.3, 0.1, 0.2, "touching").wrong
    assert not Call(-0.3, 0.1, -0.2, "touching").wrong
    assert not Call(0.0, 0.1, -0.2, "too_close").wrong


def test_a_hidden_scoring_disc_takes_the_scene_out_of_the_totals(truth):
    truth["discs"].append(a_disc(2, 0.0, 250.0, truth, points=5, share=0.2))
    result = compare("a", truth, reading((seen(truth, 150.0, 0.0, CLEARANCE_MM),)), true_view(truth))
    assert not result.totals_counted
    assert result.counts.missed == 0
    assert summary([result])["totals_counted"] == 0


def test_a_refused_scene_misses_its_discs(truth):
    result = refused_scene("a", truth, "no board")
    assert (result.counts.missed, result.exact) == (1, False)
    assert "no board" in scene_row(result)


def test_scenes_are_grouped_by_tilt_and_rows_fit_their_head(truth):
    steep = refused_scene("b", {**truth, "tilt_deg": 50.0}, "no board")
    mild = compare("a", truth, reading((seen(truth, 150.0, 0.0, CLEARANCE_MM + 0.2),)), true_view(truth))
    assert [(name, len(part)) for name, part in bands([steep, mild])] == [
        ("15-40 deg", 1),
        ("40-60 deg", 1),
        ("all", 2),
    ]
    figures = summary([steep, mild])
    assert (figures["scenes"], figures["read"], figures["calls_wrong"]) == (2, 1, 0)
    assert figures["clearance_mm"]["bias"] == pytest.approx(0.2)
    assert len(error_row("all", figures)) == len(ERROR_HEAD)
    assert disc_row("all", figures)[1] == "1/2"
    assert call_row("all", figures)[3] == "+0.200"

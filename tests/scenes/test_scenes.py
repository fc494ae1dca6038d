"""The renderer's geometry and truth, without rendering."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.scenes import near_lines, rounds, samples
from benchmarks.scenes.describe import BoardLook, Disc, Equipment, Material
from benchmarks.scenes.lay import Layout
from benchmarks.scenes.optics import (
    back_to_plane,
    intrinsics_of,
    project,
    rotation_of,
    translation_of,
    undistort_radius,
)
from benchmarks.scenes.paint import TABLE, surface_texture
from benchmarks.scenes.solids import disc_profile, lean_rotation
from benchmarks.scenes.truth import inner_edges_mm, line_of, region_of, truth


def test_projection_is_opencv_s():
    camera = near_lines.near_lines(0, 1, "webcam").camera
    points = np.random.default_rng(1).uniform(-300, 300, (40, 3)) * [1, 1, 0.05]
    rotation, _ = cv2.Rodrigues(rotation_of(camera))
    theirs, _ = cv2.projectPoints(
        points, rotation, translation_of(camera), intrinsics_of(camera), np.array([camera.dist_k1, 0, 0, 0])
    )
    assert np.abs(theirs.reshape(-1, 2) - project(camera, points)).max() < 1e-6


@pytest.mark.parametrize("number", range(6))
def test_sight_lines_meet_the_plane_where_they_came_from(number):
    camera = rounds.photo(number, 4).camera
    points = np.random.default_rng(number).uniform(-250, 250, (30, 3)) * [1, 1, 0]
    back = back_to_plane(camera, project(camera, points), 0.0)
    assert np.abs(back - points).max() < 1e-6


@pytest.mark.parametrize("number", range(8))
def test_barrel_distortion_does_not_fold_inside_the_picture(number):
    camera = near_lines.near_lines(number, 3, "webcam").camera
    corners = np.array([[0, 0], [camera.width_px - 1, 0], [0, camera.height_px - 1]], dtype=float)
    warped = (corners - np.array(camera.centre_px)) / camera.focal_px
    far = undistort_radius(np.linalg.norm(warped, axis=1), camera.dist_k1)
    assert (1 + 3 * camera.dist_k1 * far**2 > 0.1).all()


def test_tilt_is_the_angle_of_the_axis_to_the_normal():
    camera = rounds.photo(2, 1).camera
    assert math.degrees(math.acos(-rotation_of(camera)[2, 2])) == pytest.approx(camera.tilt_deg)
    assert np.linalg.det(rotation_of(camera)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("gap", "line", "region"),
    [(0.01, 0, 15), (-0.01, 0, 10), (0.01, 1, 10), (-0.01, 1, 5), (0.01, 2, 5), (-0.01, 2, 0)],
)
def test_the_outermost_bottom_point_decides(gap, line, region):
    equipment = Equipment(peg_count=0)
    radius = inner_edges_mm(equipment)[line] - equipment.disc_bottom_diameter_mm / 2 - gap
    disc = Disc(0, 0.6 * radius, 0.8 * radius)
    assert region_of(equipment, disc) == region
    name, clearance = line_of(equipment, disc)
    assert name == ("15", "10", "5")[line]
    assert clearance == pytest.approx(gap)


def test_hole_ditch_and_table():
    equipment = Equipment()
    assert region_of(equipment, Disc(0, 1, 1, -6, "hole")) == 20
    assert region_of(equipment, Disc(0, 4, 1, -3, "hole", 15.0)) == 15
    assert region_of(equipment, Disc(0, 370, 1, -19, "ditch")) == 0
    assert line_of(equipment, Disc(0, 370, 1, -19, "ditch")) is None


@pytest.mark.parametrize("profile", ["barrel", "chamfer", "fillet"])
def test_disc_profiles_have_the_dimensions_they_claim(profile):
    equipment = Equipment(disc_profile=profile, disc_dish_mm=0.5)
    shape = disc_profile(equipment)
    assert shape[:, 0].max() == pytest.approx(equipment.disc_diameter_mm / 2)
    assert shape[:, 1].max() == pytest.approx(equipment.disc_thickness_mm)
    assert shape[shape[:, 1] == 0.0, 0].max() == pytest.approx(equipment.disc_bottom_diameter_mm / 2)


@pytest.mark.parametrize("seed", range(8))
def test_discs_do_not_overlap_each_other_or_the_pegs(seed):
    scene = near_lines.near_lines(seed, 2, "phone") if seed % 2 else rounds.photo(seed, 2)
    e = scene.equipment
    layout = Layout(e, np.random.default_rng(0))
    for k, one in enumerate(scene.discs):
        for other in scene.discs[:k]:
            assert math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > e.disc_diameter_mm
        if one.place == "board":
            reach = (e.disc_diameter_mm + e.peg_diameter_mm) / 2
            assert all(math.hypot(one.x_mm - x, one.y_mm - y) >= reach for x, y in layout.pegs)


def test_a_leaner_rests_on_the_rim_and_the_floor_of_the_hole():
    equipment = Equipment(peg_count=0)
    for seed in range(10):
        layout = Layout(equipment, np.random.default_rng(seed))
        assert layout.leaning(0)
        disc = layout.discs[0]
        turn = np.linspace(0, 2 * np.pi, 20000)
        edge = (
            np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1) * equipment.disc_bottom_diameter_mm / 2
        )
        edge = edge @ lean_rotation(disc.lean_deg, disc.lean_azimuth_deg).T
        edge = edge + np.array([disc.x_mm, disc.y_mm, disc.z_mm])
        assert edge[:, 2].min() == pytest.approx(-equipment.hole_depth_mm, abs=1e-3)
        outside = np.hypot(edge[:, 0], edge[:, 1]) >= equipment.hole_diameter_mm / 2
        assert outside.any()
        assert abs(edge[outside, 2].min()) < 0.02


def test_painted_lines_lie_where_the_equipment_says():
    equipment = Equipment(line_width_mm=2.0)
    white = Material("paint", (0.9, 0.9, 0.9))
    look = BoardLook(
        white, line_colour=(0.0, 0.0, 0.0), line_opacity=1.0, numerals=False, quadrant_phase_deg=45.0
    )
    size = 2048
    picture = surface_texture(equipment, look, np.random.default_rng(0), size)
    extent = equipment.surface_diameter_mm + 4
    texel = extent / size
    row = 1 - TABLE[picture[size // 2, :, 1]].astype(float) / TABLE[230]
    x = ((np.arange(size) + 0.5) / size - 0.5) * extent
    y = (0.5 / size) * extent
    for ring in equipment.ring_radii_mm:
        near = np.abs(x - ring) < 4
        dark = np.where(row[near] > 0.12, row[near], 0)
        assert (dark * np.hypot(x[near], y)).sum() / dark.sum() == pytest.approx(ring, abs=0.02)
        assert dark.sum() * texel == pytest.approx(2.0, rel=0.1)


def test_near_line_clearances_fill_the_span_evenly():
    gaps = []
    for number in range(40):
        scene = near_lines.near_lines(number, 5, "phone")
        gaps += [line_of(scene.equipment, d)[1] for d in scene.discs]
    assert len(gaps) > 1200
    assert max(map(abs, gaps)) <= near_lines.SPAN_MM
    counts, _ = np.histogram(gaps, bins=6, range=(-3, 3))
    assert counts.min() > 0.85 * len(gaps) / 6


def test_views_of_one_position_share_everything_but_the_camera():
    first, second = (near_lines.near_lines(3, 1, "phone", view) for view in (0, 1))
    assert first.discs == second.discs
    assert first.equipment == second.equipment
    assert first.look == second.look
    assert first.camera != second.camera


def test_scenes_are_determined_by_their_seed():
    assert rounds.photo(5, 9) == rounds.photo(5, 9)
    assert rounds.photo(5, 9) != rounds.photo(5, 10)


def test_truth_is_plain_json_and_adds_up():
    for number in range(len(samples.CHOICES)):
        facts = truth(samples.sample(number))
        json.loads(json.dumps(facts))
        for team, total in facts["totals"].items():
            assert total == sum(d["points"] for d in facts["discs"] if d["team"] == team)
        assert all(d["visible"] or d["visible_share"] < 0.35 for d in facts["discs"])


def test_impossible_equipment_is_refused():
    with pytest.raises(ValueError, match="ring radii"):
        Equipment(ring_radii_mm=(100.0, 90.0, 300.0))
    with pytest.raises(ValueError, match="bottom"):
        replace(Equipment(), disc_bottom_diameter_mm=40.0)


def test_describing_scenes_needs_no_renderer():
    code = "import sys, benchmarks.scenes.cli; raise SystemExit('mitsuba' in sys.modules)"
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.chart import corners_mm
from calibration.chart_advice import require_settled, warnings
from calibration.chart_view import ChartError, ChartView, find_chart
from calibration.solve_camera import CameraSolution, solve_camera
from tests.calibration.charts import Pose, good_poses, photograph

WEBCAM = Camera(1400.0, 965.0, 545.0, -0.15)
WEBCAM_PX = (1920, 1080)
PHONE = Camera(3050.0, 2030.0, 1500.0, 0.02)
PHONE_PX = (4032, 3024)
NOISE_PX = 0.05


def measured_views(
    camera: Camera,
    size_px: tuple[int, int],
    poses: list[Pose],
    *,
    seed: int = 0,
    k2: float = 0.0,
    stretch: float = 1.0,
    bow_mm: float = 0.0,
) -> list[ChartView]:
    """Views whose corners are exact but for noise, without the pictures."""
    rng = np.random.default_rng(seed)
    flat = corners_mm() * [1.0, stretch]
    points = np.column_stack([flat, bow_mm * (1 - (corners_mm()[:, 1] / 108 - 1) ** 2)])
    matrix = np.array([[camera.f_px, 0, camera.cx_px], [0, camera.f_px, camera.cy_px], [0, 0, 1]])
    views = []
    for at, pose in enumerate(poses):
        view = pose.view(camera)
        lens = np.array([camera.k1, k2, 0, 0])
        xy, _ = cv2.projectPoints(points, cv2.Rodrigues(view.rotation)[0], view.translation_mm, matrix, lens)
        xy = xy.reshape(-1, 2) + rng.normal(0, NOISE_PX, (len(points), 2))
        inside = ((xy > 5) & (xy < np.array(size_px) - 5)).all(1)
        square_px = 24 * camera.f_px / pose.centre_mm[2]
        views.append(ChartView(f"{at}.jpg", np.flatnonzero(inside), xy[inside], square_px, 0.8))
    return views


def standard_scores(solution: CameraSolution, camera: Camera) -> np.ndarray:
    """Errors of f, cx, cy and k1 over their stated sigmas."""
    found = (solution.f_px, solution.cx_px, solution.cy_px, solution.k1)
    true = (camera.f_px, camera.cx_px, camera.cy_px, camera.k1)
    return np.array([(value.mean - truth) / value.sigma for value, truth in zip(found, true, strict=True)])


@pytest.mark.parametrize(
    ("camera", "size_px", "blur_px"),
    [(WEBCAM, WEBCAM_PX, 0.9), (Camera(1020.0, 636.0, 484.0, 0.03), (1280, 960), 0.6)],
    ids=["webcam", "small phone picture"],
)
def test_a_known_camera_is_found_again_from_photographs(camera, size_px, blur_px):
    poses = good_poses(camera, size_px, 520.0 if size_px[0] < 1900 else 600.0)
    views = [
        find_chart(photograph(pose.view(camera), size_px, seed=at, blur_px=blur_px), f"{at}.jpg")
        for at, pose in enumerate(poses)
    ]
    solution = solve_camera(views, *size_px)
    require_settled(solution)
    assert np.abs(standard_scores(solution, camera)).max() < 3
    assert solution.f_px.mean == pytest.approx(camera.f_px, rel=0.003)
    assert solution.f_px.sigma < 0.003 * camera.f_px
    assert solution.rms_px < 0.15
    assert max(solution.photo_rms_px) < 0.25
    assert warnings(solution) == []


@pytest.mark.parametrize("camera", [WEBCAM, PHONE], ids=["webcam", "phone"])
def test_stated_sigmas_hold_over_many_calibrations(camera):
    size_px = WEBCAM_PX if camera is WEBCAM else PHONE_PX
    poses = good_poses(camera, size_px)
    scores = np.stack(
        [
            standard_scores(solve_camera(measured_views(camera, size_px, poses, seed=seed), *size_px), camera)
            for seed in range(5)
        ]
    )
    assert np.abs(scores).max() < 3.5
    assert 0.4 < np.sqrt(np.square(scores).mean()) < 1.3


@pytest.mark.parametrize("sheet", [{"stretch": 1.003}, {"stretch": 0.997}, {"bow_mm": 1.0}, {"bow_mm": -0.6}])
def test_a_stretched_or_bent_print_does_not_move_the_camera(sheet):
    views = measured_views(WEBCAM, WEBCAM_PX, good_poses(WEBCAM, WEBCAM_PX), **sheet)
    solution = solve_camera(views, *WEBCAM_PX)
    assert np.abs(standard_scores(solution, WEBCAM)).max() < 3
    assert solution.f_px.mean == pytest.approx(WEBCAM.f_px, rel=0.003)
    assert 1 + solution.stretch == pytest.approx(sheet.get("stretch", 1.0), abs=3e-4)
    assert solution.bow_mm[1] == pytest.approx(sheet.get("bow_mm", 0.0), abs=0.1)
    # Up to half a millimetre, or a stretch of two thousandths, is everyday and not worth a word.
    worth_a_word = abs(sheet.get("bow_mm", 0.0)) > 0.7 or "stretch" in sheet
    assert ("allowed for" in " ".join(warnings(solution))) == worth_a_word


def test_a_lens_that_one_term_does_not_describe_widens_the_sigmas():
    camera = replace(WEBCAM, k1=-0.3)
    poses = good_poses(camera, WEBCAM_PX)
    plain = solve_camera(measured_views(camera, WEBCAM_PX, poses), *WEBCAM_PX)
    lens = solve_camera(measured_views(camera, WEBCAM_PX, poses, k2=0.1), *WEBCAM_PX)
    assert plain.second_term_px == 0.0
    assert lens.second_term_px > 0.1
    assert np.abs(standard_scores(lens, camera)).max() < 3
    assert lens.f_px.sigma > 3 * plain.f_px.sigma
    assert any("more than k1" in words for words in warnings(lens))


def test_a_wrong_corner_is_left_out():
    views = measured_views(WEBCAM, WEBCAM_PX, good_poses(WEBCAM, WEBCAM_PX))
    views[3].xy_px[7] += [6.0, -4.0]
    solution = solve_camera(views, *WEBCAM_PX)
    assert len(solution.views[3]) == len(views[3]) - 1
    assert np.abs(standard_scores(solution, WEBCAM)).max() < 3


def test_the_squares_size_is_the_distance_and_nothing_else():
    views = measured_views(WEBCAM, WEBCAM_PX, good_poses(WEBCAM, WEBCAM_PX, 520.0))
    plain, larger = (solve_camera(views, *WEBCAM_PX, square_mm=side) for side in (24.0, 26.4))
    assert plain.distance_mm == pytest.approx(530, abs=20)
    assert larger.distance_mm == pytest.approx(1.1 * plain.distance_mm)
    assert larger.f_px.mean == pytest.approx(plain.f_px.mean)


def settle(
    poses: list[Pose], camera: Camera = WEBCAM, size_px: tuple[int, int] = WEBCAM_PX
) -> CameraSolution:
    solution = solve_camera(measured_views(camera, size_px, poses), *size_px)
    require_settled(solution)
    return solution


def test_too_few_photos_are_refused():
    with pytest.raises(ChartError, match="5 photos with the chart are too few: take at least 6"):
        settle(good_poses(WEBCAM, WEBCAM_PX)[:5])


@pytest.mark.parametrize("lean_deg", [0.0, 3.0, 35.0])
def test_photos_from_one_angle_are_refused(lean_deg):
    poses = [replace(pose, lean_x_deg=lean_deg, lean_y_deg=0.0) for pose in good_poses(WEBCAM, WEBCAM_PX)]
    with pytest.raises(ChartError, match=r"same angle|do not settle"):
        settle(poses)


def test_a_chart_far_away_is_refused():
    poses = good_poses(PHONE, PHONE_PX, 3500.0)
    with pytest.raises(ChartError, match="too small"):
        settle([replace(pose, lean_x_deg=0.5 * pose.lean_x_deg) for pose in poses][:6], PHONE, PHONE_PX)


def test_photos_with_another_zoom_are_refused():
    views = measured_views(WEBCAM, WEBCAM_PX, good_poses(WEBCAM, WEBCAM_PX))
    zoomed = replace(WEBCAM, f_px=2100.0)
    views[6:] = measured_views(zoomed, WEBCAM_PX, good_poses(zoomed, WEBCAM_PX))[6:]
    with pytest.raises(ChartError, match="lens and zoom"):
        require_settled(solve_camera(views, *WEBCAM_PX))


def test_unseen_corners_of_the_frame_and_few_photos_are_told():
    poses = good_poses(WEBCAM, WEBCAM_PX, 600.0)
    middle = [replace(pose, centre_mm=(0.0, 0.0, 700.0)) for pose in poses]
    words = warnings(settle(middle[:9]))
    assert any("9 photos are few" in word for word in words)
    assert any("top left, top right, bottom left, bottom right" in word for word in words)


def test_a_photo_that_fits_badly_is_named():
    views = measured_views(WEBCAM, WEBCAM_PX, good_poses(WEBCAM, WEBCAM_PX))
    rng = np.random.default_rng(3)
    shaken = rng.choice([-0.42, 0.42], views[5].xy_px.shape)
    views[5] = replace(views[5], xy_px=views[5].xy_px + shaken)
    views = [replace(view, xy_px=view.xy_px + rng.normal(0, 0.12, view.xy_px.shape)) for view in views]
    solution = solve_camera(views, *WEBCAM_PX)
    assert any(word.startswith("5.jpg fits worse") for word in warnings(solution))

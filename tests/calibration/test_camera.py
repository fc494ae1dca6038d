"""The camera and the view: board millimetres to pixels and back."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibration.camera import Camera, View
from tests.drawn import STANDARD_MM, view_of
from tests.strategies import STEEPEST_DEG, cameras, finite, fold_of, on_the_board, views


def within_the_fold(view: View, xyz_mm: np.ndarray) -> bool:
    """Whether the lens shows a point at all: a barrel lens' polynomial turns back beyond its fold."""
    cam = xyz_mm @ view.rotation.T + view.translation_mm
    return bool(cam[2] > 1.0 and np.hypot(*cam[:2]) / cam[2] < 0.9 * fold_of(view.camera))


@given(cameras(), finite(0.0, 0.9), finite(-math.pi, math.pi))
def test_bending_a_ray_and_straightening_it_is_identity(camera: Camera, share: float, angle: float):
    radius = share * min(1.2, fold_of(camera))
    ray = radius * np.array([math.cos(angle), math.sin(angle)])
    assert camera.undistort(camera.distort(ray)) == pytest.approx(ray, abs=1e-6)


@given(views(), on_the_board(), finite(0.0, 20.0))
def test_projecting_and_back_is_identity(view: View, xy_mm: np.ndarray, z_mm: float):
    point = np.array([*xy_mm, z_mm])
    assume(within_the_fold(view, point))
    assert view.mm_from_px(view.px_from_mm(point), z_mm) == pytest.approx(xy_mm, abs=1e-4)


@given(views(), on_the_board())
def test_two_coordinates_are_a_point_on_the_surface(view: View, xy_mm: np.ndarray):
    expected = view.px_from_mm(np.array([*xy_mm, 0.0]))
    assert view.px_from_mm(xy_mm) == pytest.approx(expected, abs=1e-9)


@given(views(), on_the_board(), finite(0.0, 20.0))
def test_the_lens_is_opencvs(view: View, xy_mm: np.ndarray, z_mm: float):
    """Pinhole with k1 alone, as ``cv2.projectPoints`` has it: every other tool can use the numbers."""
    point = np.array([*xy_mm, z_mm])
    matrix = np.array(
        [[view.camera.f_px, 0, view.camera.cx_px], [0, view.camera.f_px, view.camera.cy_px], [0, 0, 1]]
    )
    lean = cv2.Rodrigues(view.rotation)[0]
    theirs, _ = cv2.projectPoints(
        point[None], lean, view.translation_mm, matrix, np.array([view.camera.k1, 0, 0, 0.0])
    )
    assert view.px_from_mm(point) == pytest.approx(theirs[0, 0], abs=1e-4)


def test_shapes_are_kept():
    view = view_of(30.0)
    grid = np.zeros((4, 5, 3))
    assert view.px_from_mm(grid).shape == (4, 5, 2)
    assert view.mm_from_px(np.full((4, 5, 2), 320.0)).shape == (4, 5, 2)
    assert view.px_per_mm(grid[..., :2]).shape == (4, 5, 2, 2)


@pytest.mark.parametrize(("above_horizon_deg", "meets"), [(-2.0, True), (2.0, False)])
def test_a_ray_above_the_horizon_meets_no_board(above_horizon_deg: float, meets: bool):
    """The horizon stands ``90° - tilt`` above the axis."""
    view = view_of(65.0)
    rise = math.tan(math.radians(90.0 - 65.0 + above_horizon_deg))
    pixel = np.array([view.camera.cx_px, view.camera.cy_px - rise * view.camera.f_px])
    assert np.isfinite(view.mm_from_px(pixel)).all() == meets
    assert np.isnan(view.mm_from_px(pixel)).all() != meets


def test_a_plane_above_the_eye_is_not_seen():
    view = view_of(20.0)
    assert np.isnan(view.mm_from_px(np.array([320.0, 320.0]), z_mm=view.eye_mm[2] + 1.0)).all()


@pytest.mark.parametrize("k1", [-0.3, -0.1])
def test_beyond_the_fold_the_fold_is_returned(k1: float):
    camera = Camera(500.0, 0.0, 0.0, k1)
    fold = fold_of(camera)
    reached_px = 500.0 * fold * (1.0 + k1 * fold**2)
    for beyond in (1.01, 1.5, 10.0):
        found = camera.undistort(np.array([0.6, 0.8]) * reached_px * beyond)
        assert np.hypot(*found) == pytest.approx(fold, rel=2e-3)
        assert found[1] / found[0] == pytest.approx(0.8 / 0.6)


def test_the_principal_point_is_not_bent():
    camera = Camera(500.0, 320.5, 239.5, -0.25)
    assert camera.undistort(np.array([320.5, 239.5])) == pytest.approx([0.0, 0.0], abs=1e-12)


@given(views(), on_the_board())
def test_the_jacobian_is_the_pinholes_own(view: View, xy_mm: np.ndarray):
    """By hand for a lens without distortion: ``d(X/Z) = (dX - x dZ) / Z``."""
    view = View(
        Camera(view.camera.f_px, view.camera.cx_px, view.camera.cy_px), view.rotation, view.translation_mm
    )
    cam = view.rotation[:, :2] @ xy_mm + view.translation_mm
    assume(cam[2] > 50.0)
    normalised = cam[:2] / cam[2]
    expected = (
        view.camera.f_px * (view.rotation[:2, :2] - np.outer(normalised, view.rotation[2, :2])) / cam[2]
    )
    assert view.px_per_mm(xy_mm) == pytest.approx(expected, rel=1e-4, abs=1e-5)


@given(views(), on_the_board(), st.sampled_from([0, 1]))
def test_the_jacobian_is_what_a_step_of_a_millimetre_does(view: View, xy_mm: np.ndarray, axis: int):
    assume(within_the_fold(view, np.array([*xy_mm, 0.0])))
    ahead, behind = xy_mm + 0.5 * np.eye(2)[axis], xy_mm - 0.5 * np.eye(2)[axis]
    expected = view.px_from_mm(ahead) - view.px_from_mm(behind)
    assert view.px_per_mm(xy_mm)[:, axis] == pytest.approx(expected, rel=1e-3, abs=1e-3)


@given(views(), on_the_board(), finite(-math.pi, math.pi))
def test_turning_the_frame_moves_nothing_in_the_picture(view: View, xy_mm: np.ndarray, angle: float):
    c, s = math.cos(angle), math.sin(angle)
    before = np.array([c * xy_mm[0] - s * xy_mm[1], s * xy_mm[0] + c * xy_mm[1]])
    assume(within_the_fold(view, np.array([*before, 0.0])))
    turned = view.turned(angle)
    assert turned.px_from_mm(xy_mm) == pytest.approx(view.px_from_mm(before), abs=1e-6)
    assert turned.tilt_deg == pytest.approx(view.tilt_deg, abs=1e-6)
    assert turned.eye_mm[2] == pytest.approx(view.eye_mm[2])


def test_what_lay_at_the_angle_lies_on_the_x_axis():
    view, angle = view_of(35.0, azimuth_deg=12.0), 0.7
    pixel = view.px_from_mm(200.0 * np.array([math.cos(angle), math.sin(angle)]))
    assert view.turned(angle).mm_from_px(pixel) == pytest.approx([200.0, 0.0], abs=1e-9)


@given(finite(0.1, STEEPEST_DEG), finite(-180.0, 180.0), finite(-180.0, 180.0))
def test_tilt_and_eye(tilt: float, azimuth: float, roll: float):
    """Tilt is between axis and normal; the eye stands ``cos tilt`` of its distance above the board."""
    view = view_of(tilt, azimuth_deg=azimuth, roll_deg=roll, f_px=600.0, seen_mm=640.0)
    assert view.tilt_deg == pytest.approx(tilt, abs=1e-5)
    assert np.linalg.norm(view.eye_mm) == pytest.approx(600.0)
    assert view.eye_mm[2] == pytest.approx(600.0 * math.cos(math.radians(tilt)))


@pytest.mark.parametrize("tilt_deg", [5.0, 30.0, 60.0])
def test_two_rings_have_the_pencil_of_concentric_circles(tilt_deg: float):
    """Images of concentric circles: ``C2⁻¹ C1 ~ diag(1, 1, (r1/r2)²)``.

    Kim, Gurdjos & Kweon, PAMI 27(4), 2005. The conics are fitted to projected points, so the identity is of
    the view and not of its algebra.
    """
    view = view_of(tilt_deg, azimuth_deg=25.0, roll_deg=10.0)
    inner, _, outer = (conic(view, radius) for radius in STANDARD_MM)
    values, vectors = np.linalg.eig(np.linalg.solve(outer, inner))
    values, vectors = values.real, vectors.real
    alone = int(np.abs(values - np.median(values)).argmax())
    double = np.delete(values, alone)
    assert double[0] == pytest.approx(double[1], rel=1e-6)
    assert values[alone] / double.mean() == pytest.approx((STANDARD_MM[0] / STANDARD_MM[2]) ** 2, rel=1e-6)
    centre = vectors[:2, alone] / vectors[2, alone] * 100.0 + 320.0
    assert centre == pytest.approx(view.px_from_mm(np.zeros(2)), abs=1e-4)


def conic(view: View, radius_mm: float) -> np.ndarray:
    """The symmetric matrix of a ring's picture, in hundreds of pixels from the middle: well conditioned."""
    angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    px = view.px_from_mm(radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1))
    x, y = (px - 320.0).T / 100.0
    design = np.stack([x * x, x * y, y * y, x, y, np.ones_like(x)], 1)
    a, b, c, d, e, f = np.linalg.svd(design)[2][-1]
    matrix = np.array([[a, b / 2, d / 2], [b / 2, c, e / 2], [d / 2, e / 2, f]])
    return np.asarray(matrix / np.cbrt(np.linalg.det(matrix)))


@pytest.mark.parametrize(("tilt_deg", "off_mm"), [(5.0, 9.5), (15.0, 28.0), (30.0, 55.0)])
def test_an_ellipses_centre_is_not_the_rings_centre(tilt_deg: float, off_mm: float):
    """Ahn, Warnecke & Kotowski 1999; for the 5 line at 850 mm and f = 2900 px it is off by centimetres."""
    size = (4032, 3024)
    view = view_of(tilt_deg, size_px=size, f_px=2900.0, seen_mm=850.0 * 3024 / 2900.0)
    angle = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    ring_px = view.px_from_mm(STANDARD_MM[2] * np.stack([np.cos(angle), np.sin(angle)], 1))
    middle_px = (ring_px.max(0) + ring_px.min(0)) / 2
    off = np.linalg.norm(view.mm_from_px(middle_px))
    assert off == pytest.approx(off_mm, rel=0.05)

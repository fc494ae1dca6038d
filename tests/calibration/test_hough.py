"""The concentric vote: the board's facing and the centre of its rings."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.hough import facing_ridges, likely_facings, vote
from calibration.prior import camera_prior
from calibration.ridges import Ridges, find_ridges
from calibration.rings import facing_of
from tests.drawn import SQUARE, STANDARD_MM, Drawing, drawn, view_of

#: How far off the best facing may be, degrees; the fit that follows needs about four.
FACING_WITHIN_DEG = 3.5
CENTRE_WITHIN_MM = 12.0


@pytest.mark.parametrize("azimuth_deg", [0.0, 130.0])
@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 55.0])
def test_the_vote_finds_centre_and_facing(tilt_deg: float, azimuth_deg: float):
    view = view_of(tilt_deg, azimuth_deg=azimuth_deg, roll_deg=25.0, seen_mm=850.0)
    ridges = find_ridges(drawn(view))
    best = max(likely_facings(ridges, view.camera), key=lambda facing: facing.votes)
    true = facing_of(view)
    off_deg = np.degrees(np.arccos(min(1.0, float(best.rotation[2] @ true.rotation[2]))))
    assert off_deg < FACING_WITHIN_DEG
    assert best.tilt_deg == pytest.approx(tilt_deg, abs=FACING_WITHIN_DEG)
    ray = best.rotation.T @ np.array([*best.centre, 1.0])
    centre_px = view.camera.distort(ray[:2] / ray[2])
    assert np.linalg.norm(view.mm_from_px(centre_px)) < CENTRE_WITHIN_MM


def test_a_wrong_focal_length_still_votes_for_the_centre():
    """What is assumed of a stranger's camera is off by a fifth; the centre hardly moves."""
    view = view_of(35.0, f_px=520.0, seen_mm=850.0)
    ridges = find_ridges(drawn(view))
    camera = camera_prior(*SQUARE, None, None).camera
    assert camera.f_px > 1.15 * view.camera.f_px
    best = max(likely_facings(ridges, camera), key=lambda facing: facing.votes)
    ray = best.rotation.T @ np.array([*best.centre, 1.0])
    assert np.linalg.norm(view.mm_from_px(camera.distort(ray[:2] / ray[2]))) < 20.0


def ring_ridges(view, radius_mm: float, n: int = 300) -> Ridges:
    """Exact points and normals of one ring."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    along = np.einsum("nij,nj->ni", view.px_per_mm(radius_mm * unit), np.stack([-unit[:, 1], unit[:, 0]], 1))
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    return Ridges(
        view.px_from_mm(radius_mm * unit), normal / np.linalg.norm(normal, axis=1, keepdims=True), np.ones(n)
    )


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 60.0])
def test_seen_from_its_own_facing_a_ring_is_a_circle_and_its_normals_meet(tilt_deg: float):
    """The rotation homography ``K R K⁻¹`` (Hartley & Zisserman, 2nd ed., 8.4.2)."""
    view = view_of(tilt_deg, azimuth_deg=40.0, seen_mm=900.0)
    true = facing_of(view)
    for radius_mm in STANDARD_MM:
        xy, normal = facing_ridges(ring_ridges(view, radius_mm), view.camera, true.rotation)
        offset = xy - true.centre
        radius = np.linalg.norm(offset, axis=1)
        assert np.ptp(radius) / radius.mean() < 1e-6
        assert np.abs((offset * normal).sum(1)) / radius == pytest.approx(np.ones(len(xy)), abs=1e-5)


def test_a_circle_gets_all_votes_from_its_own_facing_and_few_from_another():
    view = view_of(40.0, seen_mm=900.0)
    ridges = ring_ridges(view, STANDARD_MM[2], 1000)
    own, other = vote(ridges, view.camera, facing_of(view).rotation), vote(ridges, view.camera, np.eye(3))
    assert np.linalg.norm(own.centre - facing_of(view).centre) < 0.02
    assert own.votes > 2 * other.votes


def test_what_is_beyond_the_horizon_has_no_place():
    view = view_of(65.0)
    sky = Ridges(np.array([[320.0, -400.0], [320.0, 320.0]]), np.array([[0.0, 1.0], [0.0, 1.0]]), np.ones(2))
    xy, _ = facing_ridges(sky, view.camera, facing_of(view).rotation)
    assert np.isnan(xy[0]).all()
    assert np.isfinite(xy[1]).all()


def test_too_few_points_have_no_votes():
    few = Ridges(np.zeros((10, 2)), np.tile([1.0, 0.0], (10, 1)), np.ones(10))
    assert vote(few, view_of().camera, np.eye(3)).votes == 0.0


def test_what_is_plain_from_straight_above_comes_first_and_no_two_are_alike():
    ridges = find_ridges(drawn(view_of(20.0, seen_mm=850.0), Drawing(grain=4.0)))
    facings = list(likely_facings(ridges, view_of().camera, most=3))
    assert 1 < len(facings) <= 4
    assert facings[0].tilt_deg == pytest.approx(20.0, abs=FACING_WITHIN_DEG)
    for k, facing in enumerate(facings):
        for other in facings[:k]:
            assert float(facing.rotation[2] @ other.rotation[2]) < np.cos(np.radians(4.0))
    again = list(likely_facings(ridges, view_of().camera, most=3))
    assert [f.votes for f in facings] == [f.votes for f in again]


@pytest.mark.parametrize("f_px", [450.0, 750.0])
def test_from_aslant_the_focal_length_shows_in_the_normals(f_px: float):
    """Expected at 576 px; the vote brings it nearer to the truth, and the facing with it."""
    view = view_of(50.0, f_px=f_px, seen_mm=850.0)
    best = max(
        likely_facings(find_ridges(drawn(view)), view_of().camera, 0.3), key=lambda facing: facing.votes
    )
    assert abs(np.log(best.camera.f_px / f_px)) < 0.6 * abs(np.log(view_of().camera.f_px / f_px))
    assert best.tilt_deg == pytest.approx(50.0, abs=FACING_WITHIN_DEG)

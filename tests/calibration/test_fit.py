"""The joint fit of the rings, on exact points: what it recovers, what it cannot, and whether it says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import Camera, View
from calibration.errors import FitError
from calibration.fit import CameraPrior, LinePoints, RadiusPrior, RingFit, fit_rings, trust
from tests.drawn import STANDARD_MM, view_of

SIZE = (800, 600)
PRESET = RadiusPrior(STANDARD_MM, (0.25, 0.25))
UNKNOWN = RadiusPrior(STANDARD_MM, (10.0, 20.0))
HOME_MM = (304.8 / 2.95, 304.8 / 2.95 * 2.12, 304.8)
NOISE_PX = 0.05
#: Largest radial error on the 5 line after a fit to points of 0.05 px.
PLANE_WITHIN_MM = 0.08


def prior_of(
    view: View, f_relative_sigma: float = 0.2, principal_px: float = 10.0, k1: float = 0.05
) -> CameraPrior:
    """What a stranger knows: the picture's middle, and a focal length 10 % off."""
    middle = Camera(view.camera.f_px * 1.1, (SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2)
    return CameraPrior(middle, f_relative_sigma, principal_px, k1, "assumed")


def points_on(
    view: View,
    radii_mm: tuple[float, float, float] = STANDARD_MM,
    *,
    n: int = 90,
    noise_px: float = NOISE_PX,
    seed: int = 1,
    arc: tuple[float, float] = (0.0, 2 * np.pi),
) -> LinePoints:
    rng = np.random.default_rng(seed)
    angle = np.linspace(*arc, n, endpoint=False)
    ring = np.repeat([0, 1, 2], n)
    unit = np.tile(np.stack([np.cos(angle), np.sin(angle)], 1), (3, 1))
    px = view.px_from_mm(np.array(radii_mm)[ring][:, None] * unit)
    return LinePoints(ring, px + rng.normal(0, noise_px, px.shape), np.full(len(ring), noise_px))


def nearby(view: View) -> View:
    """A start some degrees and centimetres off, as the coarse search leaves it."""
    off = view_of(4.0, azimuth_deg=70.0).rotation @ view_of(0.0, azimuth_deg=70.0).rotation.T
    return View(
        replace(view.camera, k1=0.0), off @ view.rotation, view.translation_mm * [0.9, 1.1, 1.05] + 8.0
    )


def around(radius_mm: float = STANDARD_MM[2], n: int = 60) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1)


def off_mm(fit: RingFit, view: View, radius_mm: float = STANDARD_MM[2]) -> np.ndarray:
    """How far from the true ring the fit thinks its points are; the rings know no turn."""
    return np.linalg.norm(fit.view.mm_from_px(view.px_from_mm(around(radius_mm))), axis=1) - radius_mm


@pytest.mark.parametrize("k1", [0.0, -0.15])
@pytest.mark.parametrize("tilt_deg", [0.0, 20.0, 45.0, 60.0])
def test_pose_and_radii_come_back(tilt_deg: float, k1: float):
    view = view_of(tilt_deg, azimuth_deg=33.0, roll_deg=12.0, size_px=SIZE, k1=k1)
    fit = fit_rings(points_on(view), nearby(view), PRESET, prior_of(view, k1=0.2), rounds=20)
    assert np.abs(off_mm(fit, view)).max() < PLANE_WITHIN_MM
    assert fit.radii_mm == pytest.approx(STANDARD_MM, abs=0.1)
    assert fit.rms_px == pytest.approx(NOISE_PX, rel=0.25)
    assert fit.inliers > 0.98


@pytest.mark.parametrize("tilt_deg", [15.0, 30.0, 60.0])
def test_a_tilted_board_shows_the_focal_length(tilt_deg: float):
    """Cramér-Rao bound of a 1080p webcam, axis known to 10 px: 2.7 % at 15 degrees, 1.2 % at 30."""
    view = view_of(tilt_deg, size_px=SIZE)
    fit = fit_rings(points_on(view), nearby(view), PRESET, prior_of(view), rounds=20)
    assert fit.focal_relative.sigma < 0.1
    error = np.log(fit.view.camera.f_px / view.camera.f_px)
    assert abs(error) < 3 * fit.focal_relative.sigma
    assert abs(fit.view.tilt_deg - tilt_deg) < 1.5


def test_from_straight_above_the_focal_length_is_not_in_the_rings_and_the_fit_does_not_pretend():
    """Distance and focal length trade for each other there: a free focal length would run away."""
    view = view_of(0.0, size_px=SIZE)
    prior = prior_of(view)
    fit = fit_rings(points_on(view), nearby(view), PRESET, prior, rounds=20)
    assert fit.focal_relative.sigma > 0.9 * prior.f_relative_sigma
    assert np.abs(off_mm(fit, view)).max() < PLANE_WITHIN_MM


def test_a_narrower_prior_is_kept_from_straight_above():
    view = view_of(0.0, size_px=SIZE)
    prior = prior_of(view, f_relative_sigma=0.05)
    fit = fit_rings(points_on(view), nearby(view), PRESET, prior, rounds=20)
    assert fit.focal_relative.sigma == pytest.approx(0.05, rel=0.1)


@pytest.mark.parametrize("tilt_deg", [0.0, 40.0])
def test_two_rings_give_their_own_ratio(tilt_deg: float):
    """The pencil's eigenvalues are the ratio squared (Kim, Gurdjos & Kweon 2005), whatever the board."""
    view = view_of(tilt_deg, size_px=SIZE)
    fit = fit_rings(points_on(view, HOME_MM), nearby(view), UNKNOWN, prior_of(view, k1=0.01), rounds=20)
    assert fit.radii_mm == pytest.approx(HOME_MM, abs=0.5)
    assert fit.radii_mm[2] == STANDARD_MM[2], "the scale is the 5 line's"


def test_a_ring_painted_off_centre_is_measured_where_it_is():
    view = view_of(30.0, size_px=SIZE)
    seen = points_on(view)
    off = np.array([0.3, -0.2])
    own = points_on(View(view.camera, view.rotation, view.translation_mm + view.rotation[:, :2] @ off))
    px = np.where((seen.ring == 0)[:, None], own.xy_px, seen.xy_px)
    fit = fit_rings(LinePoints(seen.ring, px, seen.sigma_px), nearby(view), PRESET, prior_of(view), rounds=20)
    assert fit.centres_mm[0] - fit.centres_mm[1] == pytest.approx(off, abs=0.1)
    assert fit.centres_mm[2] == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("tilt_deg", [15.0, 45.0])
def test_the_covariance_is_honest(tilt_deg: float):
    """Over noisy draws the error of a radius at the 5 line, in the sigmas that the covariance gives it."""
    view = view_of(tilt_deg, size_px=SIZE)
    prior = replace(prior_of(view), camera=view.camera)
    pulls = []
    for seed in range(12):
        fit = fit_rings(points_on(view, n=60, seed=seed), view, PRESET, prior, rounds=6)
        places = view.px_from_mm(around(n=8))

        def radius(p: np.ndarray, fit: RingFit = fit, places: np.ndarray = places) -> np.ndarray:
            return np.linalg.norm(fit.perturbed(p)[0].mm_from_px(places), axis=1)

        here = radius(fit.parameters)
        slope = np.stack(
            [(radius(fit.parameters + d) - here) / 1e-6 for d in np.eye(len(fit.parameters)) * 1e-6]
        )
        sigma = np.sqrt(np.einsum("ki,kl,li->i", slope, fit.covariance, slope))
        pulls.append((here - STANDARD_MM[2]) / sigma)
    rms = float(np.sqrt(np.mean(np.square(pulls))))
    assert 0.3 < rms < 2.0


def test_worse_points_give_a_larger_covariance():
    """Points that scatter more than they claim: the residuals speak, where points count and not priors."""
    view, radii = view_of(30.0, size_px=SIZE), slice(9, 11)
    honest = fit_rings(points_on(view), view, UNKNOWN, prior_of(view), rounds=10)
    worse = points_on(view, noise_px=4 * NOISE_PX)
    claimed = LinePoints(worse.ring, worse.xy_px, np.full(len(worse), NOISE_PX))
    fit = fit_rings(claimed, view, UNKNOWN, prior_of(view), rounds=10)
    assert (np.diag(fit.covariance)[radii] > 4.0 * np.diag(honest.covariance)[radii]).all()


def test_the_principal_point_of_a_crop_is_found_if_the_prior_lets_it():
    """120 px off the middle, twelve sigmas of a whole frame's prior."""
    off_px = (120.0, 60.0)
    view = view_of(35.0, size_px=SIZE, principal_px=off_px)
    prior = replace(
        prior_of(view, f_relative_sigma=0.05), camera=replace(prior_of(view).camera, f_px=view.camera.f_px)
    )
    narrow = fit_rings(points_on(view), view, PRESET, prior, rounds=20)
    wide = fit_rings(points_on(view), view, PRESET, prior.of_a_crop(max(SIZE)), rounds=20)
    assert wide.view.camera.cx_px - prior.camera.cx_px == pytest.approx(off_px[0], abs=5.0)
    true = view.camera
    off = [
        np.hypot(f.view.camera.cx_px - true.cx_px, f.view.camera.cy_px - true.cy_px) for f in (wide, narrow)
    ]
    assert off[0] < 0.5 * off[1]
    assert max(np.abs(off_mm(fit, view)).max() for fit in (narrow, wide)) < PLANE_WITHIN_MM


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_outliers(share: float):
    view = view_of(30.0, size_px=SIZE)
    good = points_on(view, n=180)
    rng = np.random.default_rng(8)
    bad = rng.choice(len(good), int(share * len(good)), replace=False)
    px = good.xy_px.copy()
    px[bad] += rng.uniform(2.0, 15.0, (len(bad), 2))
    fit = fit_rings(LinePoints(good.ring, px, good.sigma_px), nearby(view), PRESET, prior_of(view), rounds=30)
    assert np.abs(off_mm(fit, view)).max() < PLANE_WITHIN_MM
    assert fit.inliers == pytest.approx(1.0 - share, abs=0.05)


@pytest.mark.parametrize("n", [0, 4, 14])
def test_too_few_points(n: int):
    view = view_of(30.0, size_px=SIZE)
    few = points_on(view)
    with pytest.raises(FitError, match=f"only {n} points"):
        fit_rings(LinePoints(few.ring[:n], few.xy_px[:n], few.sigma_px[:n]), view, PRESET, prior_of(view))


def test_points_on_one_straight_line_determine_little_and_the_covariance_says_so():
    """Where all rings are seen in one direction only, nothing holds the tilt across it."""
    view = view_of(20.0, size_px=SIZE)
    narrow = fit_rings(points_on(view, arc=(0.0, 0.01)), view, PRESET, prior_of(view))
    whole = fit_rings(points_on(view), view, PRESET, prior_of(view))
    assert np.isfinite(narrow.parameters).all()
    assert np.isfinite(narrow.covariance).all()
    assert np.sqrt(np.diag(narrow.covariance)[:2].max()) > 5 * np.sqrt(np.diag(whole.covariance)[:2].max())


def test_half_of_the_rings_is_enough():
    view = view_of(30.0, size_px=SIZE)
    fit = fit_rings(points_on(view, arc=(0.0, np.pi)), nearby(view), PRESET, prior_of(view), rounds=20)
    assert np.abs(off_mm(fit, view)[:30]).max() < PLANE_WITHIN_MM
    assert np.abs(off_mm(fit, view)).max() < 1.0


@pytest.mark.parametrize("scale", [0.08, 8.0], ids=["64 px", "6400 px"])
def test_the_pictures_size_does_not_matter(scale: float):
    size = (round(SIZE[0] * scale), round(SIZE[1] * scale))
    view = view_of(30.0, size_px=size)
    prior = prior_of(view_of(30.0, size_px=SIZE)).scaled(scale)
    fit = fit_rings(points_on(view, noise_px=NOISE_PX * scale), nearby(view), PRESET, prior, rounds=20)
    assert np.abs(off_mm(fit, view)).max() < PLANE_WITHIN_MM


def test_a_board_far_from_the_middle():
    view = view_of(30.0, size_px=SIZE, aim_mm=(500.0, 300.0), seen_mm=1800.0)
    fit = fit_rings(points_on(view, noise_px=0.02), nearby(view), PRESET, prior_of(view), rounds=25)
    assert np.abs(off_mm(fit, view)).max() < 3 * PLANE_WITHIN_MM


def test_points_beyond_the_horizon_do_not_stop_it():
    view = view_of(65.0, size_px=SIZE, seen_mm=900.0)
    good = points_on(view)
    px = np.concatenate([good.xy_px, [[400.0, -2000.0]] * 5])
    seen = LinePoints(np.r_[good.ring, [2] * 5], px, np.r_[good.sigma_px, [NOISE_PX] * 5])
    with np.errstate(all="ignore"):
        fit = fit_rings(seen, view, PRESET, prior_of(view), rounds=10)
    assert np.abs(off_mm(fit, view)).max() < PLANE_WITHIN_MM


def test_two_runs_are_equal():
    view = view_of(30.0, size_px=SIZE)
    one, two = (fit_rings(points_on(view), nearby(view), PRESET, prior_of(view)) for _ in range(2))
    assert np.array_equal(one.parameters, two.parameters)
    assert np.array_equal(one.covariance, two.covariance)


def test_its_own_parameters_are_its_own_view():
    view = view_of(30.0, size_px=SIZE)
    fit = fit_rings(points_on(view), nearby(view), PRESET, prior_of(view))
    again, radii_mm, centres_mm = fit.perturbed(fit.parameters)
    assert again.px_from_mm(around()) == pytest.approx(fit.view.px_from_mm(around()))
    assert radii_mm == pytest.approx(fit.radii_mm)
    assert centres_mm == pytest.approx(fit.centres_mm)


def test_a_turned_frame_is_the_same_fit():
    view = view_of(35.0, size_px=SIZE)
    fit = fit_rings(points_on(view), nearby(view), PRESET, prior_of(view))
    turned = fit.turned(0.7)
    c, s = np.cos(0.7), np.sin(0.7)
    places = np.array([[200.0, 0.0], [0.0, 150.0], [-80.0, 90.0]])
    before = places @ np.array([[c, s], [-s, c]])  # the new frame's x axis lies at 0.7 in the old one
    assert turned.view.px_from_mm(places) == pytest.approx(fit.view.px_from_mm(before), abs=1e-6)

    def sigma(one: RingFit, at: np.ndarray) -> np.ndarray:
        here = one.perturbed(one.parameters)[0].px_from_mm(at).ravel()
        step = 1e-6 * np.eye(len(one.parameters))
        slope = np.stack(
            [(one.perturbed(one.parameters + d)[0].px_from_mm(at).ravel() - here) / 1e-6 for d in step]
        )
        return np.sqrt(np.einsum("ki,kl,li->i", slope, one.covariance, slope))

    assert sigma(turned, places) == pytest.approx(sigma(fit, before), rel=1e-3)


def test_the_rings_tell_a_crop_from_a_whole_frame():
    """Where the principal point is far off, a prior that allows for that foretells the points better."""
    off = view_of(35.0, size_px=SIZE, principal_px=(120.0, 60.0))
    for view, cropped in ((off, True), (view_of(35.0, size_px=SIZE), False)):
        prior = replace(prior_of(view), camera=view_of(35.0, size_px=SIZE).camera, principal_sigma_px=2.0)
        points = points_on(view)
        whole = fit_rings(points, view, PRESET, prior)
        crop = fit_rings(points, view, PRESET, prior.of_a_crop(max(SIZE)))
        here, there = trust(points, whole, PRESET), trust(points, crop, PRESET)
        assert (there.log_evidence > here.log_evidence + 1.5) == cropped
        assert (here.strain > 2.0) == cropped


def test_evidence_does_not_depend_on_where_the_prior_counts_from():
    """The same knowledge of the camera, counted from another focal length."""
    view = view_of(35.0, size_px=SIZE)
    prior, points = prior_of(view), points_on(view)
    longer = replace(prior, camera=replace(prior.camera, f_px=prior.camera.f_px * 1.001))
    values = [
        trust(points, fit_rings(points, view, PRESET, each), PRESET).log_evidence for each in (prior, longer)
    ]
    assert abs(values[0] - values[1]) < 0.05


def test_a_board_behind_the_camera_is_no_fit():
    view = view_of(20.0, size_px=SIZE)
    behind = View(view.camera, view.rotation, view.translation_mm * [1.0, 1.0, -1.0])
    with pytest.raises(FitError, match="behind the camera"):
        fit_rings(points_on(view), behind, PRESET, prior_of(view))

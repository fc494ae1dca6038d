"""What a photo's own data say of its camera."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from calibration.camera import Camera
from calibration.fit import CameraPrior
from calibration.prior import camera_prior
from tests.strategies import finite

PHONE = (4032, 3024)


def test_exif_is_in_millimetres_of_film():
    """CIPA DC-008 FocalLengthIn35mmFilm: the same diagonal field of view as that lens on 36 x 24 mm film."""
    prior = camera_prior(*PHONE, 26.0, PHONE)
    field = 2 * math.atan(math.hypot(*PHONE) / 2 / prior.camera.f_px)
    assert field == pytest.approx(2 * math.atan(math.hypot(36, 24) / 2 / 26.0))
    assert prior.source == "exif"
    assert prior.camera.k1 == 0.0


def test_exif_is_good_to_some_per_cent():
    """A whole number of millimetres, and 4 % between makers' readings of "equivalent" on a 4:3 sensor."""
    assert 0.02 <= camera_prior(*PHONE, 26.0, PHONE).f_relative_sigma <= 0.1


@pytest.mark.parametrize("size_px", [PHONE, PHONE[::-1], (1200, 1200), (1919, 1079)])
def test_the_principal_point_is_the_middle_of_the_pixels(size_px: tuple[int, int]):
    """Pixel centres are whole numbers: the middle of two pixels is 0.5."""
    camera = camera_prior(*size_px, None, None).camera
    assert (camera.cx_px, camera.cy_px) == ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)


def test_a_turned_photo_has_the_same_camera():
    lying, standing = camera_prior(*PHONE, 26.0, PHONE), camera_prior(*PHONE[::-1], 26.0, PHONE)
    assert lying.camera.f_px == standing.camera.f_px
    assert lying.source == standing.source == "exif"
    assert lying.principal_sigma_px == standing.principal_sigma_px


@pytest.mark.parametrize("size_px", [(4032, 3024), (3000, 2000), (1920, 1080)])
def test_the_shapes_of_sensors_are_whole_frames(size_px: tuple[int, int]):
    assert camera_prior(*size_px, 26.0, None).source == "exif"


@pytest.mark.parametrize(
    ("size_px", "stated_px"), [((3024, 3024), None), ((3024, 3024), PHONE), ((4032, 3024), (4032, 2268))]
)
def test_a_crop_makes_exif_lie(size_px: tuple[int, int], stated_px: tuple[int, int] | None):
    prior = camera_prior(*size_px, 26.0, stated_px)
    whole = camera_prior(*PHONE, 26.0, PHONE)
    assert prior.source == "assumed"
    assert prior.f_relative_sigma > 3 * whole.f_relative_sigma
    assert prior.principal_sigma_px / max(size_px) > 3 * whole.principal_sigma_px / max(PHONE)


def test_a_photo_made_smaller_is_no_crop():
    assert camera_prior(1024, 768, 26.0, PHONE).source == "exif"


@pytest.mark.parametrize("field_deg", [60.0, 70.0, 77.0])
def test_a_strangers_camera_is_within_two_sigmas(field_deg: float):
    """Webcams are 60 to 80 degrees across the frame's longer side, phones' main cameras 65 to 75."""
    prior = camera_prior(1920, 1080, None, None)
    f_px = 1920 / 2 / math.tan(math.radians(field_deg / 2))
    assert abs(math.log(f_px / prior.camera.f_px)) < 2 * prior.f_relative_sigma
    assert prior.k1_sigma >= 0.1, "webcams reach a k1 of -0.3"


@given(finite(0.1, 4.0), finite(0.0, 1.0), finite(0.0, 1.0))
def test_a_resized_picture_has_a_resized_camera(factor: float, x: float, y: float):
    """A resized picture's corners, not its first pixels' centres, fall on each other."""
    prior = camera_prior(1920, 1080, None, None)
    small = prior.scaled(factor)
    ray = [(x - 0.5) * 0.8, (y - 0.5) * 0.5]
    expected = (prior.camera.distort(ray) + 0.5) * factor - 0.5
    assert small.camera.distort(ray) == pytest.approx(expected, abs=1e-6)
    assert small.principal_sigma_px == pytest.approx(prior.principal_sigma_px * factor)
    assert small.f_relative_sigma == prior.f_relative_sigma


def test_of_a_crop_less_is_known():
    prior = camera_prior(*PHONE, 26.0, PHONE)
    crop = prior.of_a_crop(4032)
    assert crop.source == "crop"
    assert crop.camera.f_px > prior.camera.f_px, "the smaller frame is a narrower field of view"
    assert crop.f_relative_sigma > prior.f_relative_sigma
    assert crop.principal_sigma_px > prior.principal_sigma_px
    assert crop.of_a_crop(4032) is crop


def test_of_a_crop_nothing_is_known_better():
    wide = CameraPrior(Camera(1000.0, 500.0, 500.0), 0.9, 900.0, 0.12, "assumed")
    crop = wide.of_a_crop(1000)
    assert (crop.f_relative_sigma, crop.principal_sigma_px, crop.k1_sigma) == (0.9, 900.0, 0.12)

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera import Camera
from calibration.camera_file import (
    FOCUS_F_SIGMA,
    STABILISER_SIGMA,
    CameraFile,
    camera_file_from_toml,
    load_camera_file,
)
from calibration.errors import CameraFileError
from calibration.measured import Measured

PHONE = CameraFile(
    4032,
    3024,
    Measured(3050.0, 3.0),
    Measured(2030.0, 2.0),
    Measured(1500.0, 4.0),
    Measured(0.02, 0.001),
    name="Anna's phone",
    camera_model="Maker Model 8",
    rms_px=0.21,
    photos=12,
    distance_mm=610.0,
)


@st.composite
def camera_files(draw: st.DrawFn) -> CameraFile:
    def number(low: float, high: float) -> float:
        return draw(st.floats(low, high, allow_nan=False))

    width, height = draw(st.integers(64, 9000)), draw(st.integers(64, 9000))
    line = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=' "\\#'), max_size=20)
    return CameraFile(
        width,
        height,
        Measured(max(width, height) * number(0.3, 5.0), number(0, 20)),
        Measured(width * number(0.3, 0.7), number(0, 20)),
        Measured(height * number(0.3, 0.7), number(0, 20)),
        Measured(number(-0.5, 0.5), number(0, 0.1)),
        name=draw(line),
        camera_model=draw(line),
        rms_px=number(0, 5),
        photos=draw(st.integers(0, 100)),
        distance_mm=number(0, 5000),
    )


@given(camera_files())
def test_a_file_is_read_back_as_it_was(camera):
    assert camera_file_from_toml(camera.to_toml()) == camera


@given(camera_files())
def test_the_same_size_gets_the_camera_itself(camera):
    prior = camera.prior_for(camera.width_px, camera.height_px)
    assert prior.source == "file"
    assert prior.camera == Camera(camera.f_px.mean, camera.cx_px.mean, camera.cy_px.mean, camera.k1.mean)
    assert prior.f_relative_sigma >= max(camera.f_px.sigma / camera.f_px.mean, FOCUS_F_SIGMA)
    assert prior.principal_sigma_px >= STABILISER_SIGMA * max(camera.width_px, camera.height_px)
    assert prior.k1_sigma >= camera.k1.sigma


@given(camera_files(), st.integers(2, 4))
def test_a_resized_picture_sees_the_same_rays(camera, factor):
    """The ray of a pixel of the large picture is the ray of the same place in the small one."""
    large = camera.prior_for(camera.width_px * factor, camera.height_px * factor)
    own = camera.prior_for(camera.width_px, camera.height_px)
    at = np.array([[0.0, 0.0], [camera.width_px / 2, camera.height_px / 3]])
    # Edges of pixels scale, their centres lie half a pixel inside.
    there = (at + 0.5) * factor - 0.5
    assert np.allclose(large.camera.undistort(there), own.camera.undistort(at), atol=1e-9)
    assert large.principal_sigma_px == pytest.approx(own.principal_sigma_px * factor)
    assert large.f_relative_sigma == own.f_relative_sigma


@given(camera_files().filter(lambda camera: abs(camera.width_px - camera.height_px) > 3))
def test_a_turned_picture_covers_the_principal_point_of_both_turns(camera):
    prior = camera.prior_for(camera.height_px, camera.width_px)
    right = np.array([camera.height_px - 1 - camera.cy_px.mean, camera.cx_px.mean])
    left = np.array([camera.cy_px.mean, camera.width_px - 1 - camera.cx_px.mean])
    middle = np.array([prior.camera.cx_px, prior.camera.cy_px])
    assert np.allclose((right + left) / 2, middle)
    for point in (right, left):
        assert np.linalg.norm(point - middle) <= prior.principal_sigma_px * (1 + 1e-9)
    assert prior.camera.f_px == camera.f_px.mean
    assert prior.camera.k1 == camera.k1.mean


def test_a_turned_picture_is_exact_where_the_principal_point_is_in_the_middle():
    centred = replace(PHONE, cx_px=Measured(2015.5, 2.0), cy_px=Measured(1511.5, 4.0))
    upright, turned = centred.prior_for(4032, 3024), centred.prior_for(3024, 4032)
    assert turned.principal_sigma_px == pytest.approx(upright.principal_sigma_px)
    assert (turned.camera.cx_px, turned.camera.cy_px) == (1511.5, 2015.5)


def test_sizes_rounded_to_whole_pixels_are_the_same_frame():
    small = PHONE.prior_for(1000, 750)
    assert small.camera.f_px == pytest.approx(3050 * 1000 / 4032)
    assert PHONE.prior_for(1023, 767).camera.f_px == pytest.approx(3050 * 1023 / 4032)
    assert PHONE.prior_for(750, 1000).camera.f_px == pytest.approx(3050 * 750 / 3024)


@pytest.mark.parametrize("size_px", [(1920, 1080), (3024, 3024), (4032, 2268), (3900, 3024), (3024, 3900)])
def test_a_crop_or_another_camera_is_refused(size_px):
    with pytest.raises(CameraFileError, match=r"4032 x 3024 .* crop, or from another camera"):
        PHONE.prior_for(*size_px)


def changed(**values: object) -> str:
    table = {**tomllib.loads(PHONE.to_toml()), **values}
    lines = [f"{key} = {value if isinstance(value, str) else repr(value)}" for key, value in table.items()]
    return "\n".join(
        line for line in lines if "name" not in line and "model" not in line and "None" not in line
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not toml", "not a camera file"),
        (changed(f_px=None), "f_px is missing"),
        (changed(k1_sigma=None), "k1_sigma is missing"),
        (changed(f_mm=4.2), "f_mm is not a key"),
        (changed(f_px='"long"'), "f_px must be a number"),
        (changed(f_px="true"), "f_px must be a number"),
        (changed(f_px="nan"), "f_px and f_sigma_px cannot be"),
        (changed(f_px=3.0), "f_px cannot be 3"),
        (changed(f_px=-3000.0), "f_px cannot be"),
        (changed(f_sigma_px=-1.0), "f_sigma_px"),
        (changed(f_sigma_px="inf"), "f_sigma_px cannot be"),
        (changed(width_px=4032.5), "width_px must be a whole number"),
        (changed(width_px=0), "width_px cannot be 0"),
        (changed(cx_px=-9000.0), "cx_px cannot be"),
        (changed(k1=40.0), "k1 cannot be 40"),
        (changed(photos=-1), "photos cannot be"),
        ("name = 3\n" + changed(), "name must be text"),
        ('name = "two\\nlines"\n' + changed(), "name must be a line"),
    ],
)
def test_what_is_not_a_camera_is_refused_by_its_key(text, words):
    with pytest.raises(CameraFileError, match=words):
        camera_file_from_toml(text)


def test_notes_may_be_missing():
    text = changed(rms_px=None, photos=None, distance_mm=None)
    bare = camera_file_from_toml(text)
    assert (bare.name, bare.photos, bare.rms_px) == ("", 0, 0.0)
    assert math.isclose(bare.f_px.mean, 3050.0)


def test_files_are_loaded_and_their_faults_carry_their_name(tmp_path: Path):
    good, bad, blob = (tmp_path / name for name in ("good.toml", "bad.toml", "blob.toml"))
    good.write_text(PHONE.to_toml(), encoding="utf-8")
    bad.write_text("width_px = 3", encoding="utf-8")
    blob.write_bytes(b"\xff\xfe\x00")
    assert load_camera_file(good) == PHONE
    for path, words in (
        (bad, "is missing"),
        (blob, "cannot be read as text"),
        (tmp_path, "cannot be read as text"),
        (tmp_path / "none.toml", "there is no camera file"),
    ):
        with pytest.raises(CameraFileError, match=words) as caught:
            load_camera_file(path)
        assert str(path) in str(caught.value)

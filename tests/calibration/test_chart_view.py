from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.chart import CORNERS
from calibration.chart_view import ChartError, find_chart
from tests.calibration.charts import Pose, good_poses, photograph, seen_corners

CAMERA = Camera(940.0, 645.0, 475.0, -0.12)
SIZE_PX = (1280, 960)
STRAIGHT = Pose(0, 0, 0, (0, 0, 420.0))


@pytest.mark.parametrize("pose", good_poses(CAMERA, SIZE_PX, 420.0)[::2])
def test_corners_are_where_they_are(pose):
    view = pose.view(CAMERA)
    seen = find_chart(photograph(view, SIZE_PX), "a")
    errors = seen.xy_px - seen_corners(view)[seen.numbers]
    assert len(seen) > 30
    assert np.sqrt(np.square(errors).mean()) < 0.09
    assert np.abs(errors.mean(0)).max() < 0.03


def test_size_and_blur_are_measured():
    view = STRAIGHT.view(CAMERA)
    sharp, soft = (find_chart(photograph(view, SIZE_PX, blur_px=blur), "a") for blur in (0.5, 1.2))
    assert sharp.square_px == pytest.approx(24 * CAMERA.f_px / 420, rel=0.03)
    assert 0.4 < sharp.blur_px < 0.8
    assert 1.0 < soft.blur_px < 1.4


def test_a_part_of_the_chart_will_do():
    view = Pose(10, 20, 0, (245, 120, 420.0)).view(CAMERA)
    seen = find_chart(photograph(view, SIZE_PX), "a")
    assert 12 <= len(seen) < CORNERS
    assert np.abs(seen.xy_px - seen_corners(view)[seen.numbers]).max() < 0.3


def shaken(rgb: np.ndarray, length_px: int) -> np.ndarray:
    return cv2.blur(rgb, (length_px, 1))


@pytest.mark.parametrize(
    ("picture", "word"),
    [
        (np.full((480, 640, 3), 120, np.uint8), "no chart"),
        (photograph(Pose(0, 0, 0, (0, 0, 1750.0)).view(CAMERA), SIZE_PX, blur_px=0.0), "too small"),
        (photograph(STRAIGHT.view(CAMERA), SIZE_PX, blur_px=2.2), "blurred"),
        (shaken(photograph(STRAIGHT.view(CAMERA), SIZE_PX), 9), "blurred"),
        (photograph(Pose(0, 0, 0, (310, 180, 420.0)).view(CAMERA), SIZE_PX), "corners are seen"),
        (photograph(STRAIGHT.view(CAMERA), SIZE_PX)[:, ::-1].copy(), "no chart"),
    ],
    ids=["nothing", "far", "unfocused", "shaken", "mostly outside", "mirrored"],
)
def test_what_cannot_be_measured_is_refused_in_plain_words(picture, word):
    with pytest.raises(ChartError, match=word):
        find_chart(picture, "a")

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.pixels import AtHand
from tests.drawn import WOOD, Drawing, drawn, view_of
from tests.strategies import finite
from vision.rectify import Rectified, rectify

PLAIN = Drawing(radii_mm=(), quadrants=False, hole_mm=None, surface_mm=None, grain=0.0, noise=0.0)
TOP_MM = 10.0


def plane(px_per_mm: float, half_mm: float) -> Rectified:
    return Rectified(np.zeros((1, 1, 3), np.uint8), px_per_mm, half_mm, 0.0)


@given(st.builds(plane, finite(0.5, 4.0), finite(50.0, 600.0)), finite(-600.0, 600.0), finite(-600.0, 600.0))
def test_millimetres_to_pixels_and_back_are_the_same(picture: Rectified, x_mm: float, y_mm: float) -> None:
    at = np.array([x_mm, y_mm])
    assert picture.mm_from_px(picture.px_from_mm(at)) == pytest.approx(at, abs=1e-9)


def test_x_runs_right_and_y_up() -> None:
    picture = plane(2.0, 100.0)
    assert picture.px_from_mm(np.zeros(2)).tolist() == [200.0, 200.0]
    assert picture.px_from_mm(np.array([[10.0, 0.0], [0.0, 10.0]])).tolist() == [
        [220.0, 200.0],
        [200.0, 180.0],
    ]


@pytest.mark.parametrize("tilt_deg", [0.0, 45.0])
@pytest.mark.parametrize("seen_mm", [300.0, 700.0])
def test_a_disc_is_round_at_its_own_height(tilt_deg: float, seen_mm: float) -> None:
    at_mm, disc_mm = np.array([40.0, -25.0]), 15.9
    view = view_of(tilt_deg, azimuth_deg=30.0, seen_mm=seen_mm, k1=-0.1)
    seen = drawn(view, Drawing(**{**vars(PLAIN), "discs_mm": (tuple(at_mm),), "disc_mm": disc_mm}))
    picture = rectify(AtHand(seen), view, 90.0, 1.25, TOP_MM)
    angle = np.arange(72) / 72 * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    wood = np.array(WOOD).sum()
    # the top's far edge, seen against the wood; the near edge is against the disc's own side
    away = (at_mm - view.eye_mm[:2]) / np.linalg.norm(at_mm - view.eye_mm[:2])
    far = unit @ away > 0.3
    mid = (picture.rgb[tuple(np.rint(picture.px_from_mm(at_mm)).astype(int)[::-1])].sum() + wood) / 2
    edges = []
    for one in unit[far]:
        along = np.arange(10.0, 22.0, 0.1)
        px = np.rint(picture.px_from_mm(at_mm + along[:, None] * one) * 1).astype(int)
        bright = picture.rgb[px[:, 1], px[:, 0]].sum(-1).astype(float)
        edges.append(along[int((bright > mid).argmax())])
    assert np.median(edges) == pytest.approx(disc_mm, abs=0.5)
    assert np.ptp(edges) < 1.4  # of a pixel 0.8 mm wide, read to the nearest


def test_beyond_the_photo_its_border_goes_on() -> None:
    view = view_of(0.0, seen_mm=200.0)
    picture = rectify(AtHand(drawn(view, PLAIN)), view, 150.0, 1.0, 0.0)
    assert picture.rgb.shape == (300, 300, 3)
    assert np.abs(picture.rgb[:20].astype(int) - picture.rgb[40:60]).max() <= 1

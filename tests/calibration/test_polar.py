"""The board unrolled."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.lines import sample
from calibration.polar import unrolled
from tests.drawn import drawn, view_of


@pytest.mark.parametrize("k1", [0.0, -0.15])
@pytest.mark.parametrize("tilt_deg", [0.0, 45.0])
def test_it_samples_where_the_view_says(tilt_deg: float, k1: float):
    view = view_of(tilt_deg, azimuth_deg=20.0, k1=k1, seen_mm=700.0)
    picture, radii_mm, directions = drawn(view), np.array([40.0, 203.2, 390.0]), 48
    values, inside = unrolled(picture, view, radii_mm, directions)
    angle = np.arange(directions) / directions * 2 * np.pi
    px = view.px_from_mm(radii_mm[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], -1))
    expected, within = sample(picture, px)
    assert np.array_equal(inside, within)
    assert np.abs(values - expected)[inside].max() <= 2.0  # float32 places, a bilinear weight in 1/32
    assert not inside.all()

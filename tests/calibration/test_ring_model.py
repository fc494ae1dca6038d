"""The analytic derivatives of the ring model against finite differences."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from calibration.camera import Camera, View
from calibration.ring_model import UNKNOWNS, RingModel

RADII_MM = np.array([101.6, 203.2, 304.8])


def _model(tilt: float, direction: float, k1: float) -> RingModel:
    lean = cv2.Rodrigues(np.array([np.cos(direction), np.sin(direction), 0.0]) * tilt)[0]
    rotation = lean @ np.diag([1.0, -1.0, -1.0])
    return RingModel(View(Camera(900.0, 610.0, 440.0, k1), rotation, np.array([40.0, -25.0, 900.0])), 304.8)


@given(
    tilt=st.floats(0.0, 0.9),
    direction=st.floats(0.0, 6.2),
    k1=st.sampled_from([-0.15, -0.01, 0.0, 0.08]),
    seed=st.integers(0, 1000),
)
def test_derivatives_are_those_of_the_residuals(tilt: float, direction: float, k1: float, seed: int) -> None:
    model = _model(tilt, direction, k1)
    rng = np.random.default_rng(seed)
    p = rng.normal(0.0, 0.03, UNKNOWNS)
    p[6] = k1
    p[9:11] += np.log([1 / 3, 2 / 3])
    view, radii_mm, _ = model.unpack(p)
    ring = rng.integers(0, 3, 60)
    angle = rng.uniform(0, 2 * np.pi, 60)
    xy_px = view.px_from_mm((radii_mm[ring] * [np.cos(angle), np.sin(angle)]).T) + rng.normal(0, 2.0, (60, 2))
    here, columns = model.linearised(p, ring, xy_px)
    far = view.mm_from_px(xy_px) - model.unpack(p)[2][ring]
    assert_allclose(here, np.linalg.norm(far, axis=1) - radii_mm[ring], atol=1e-9)
    for k in range(UNKNOWNS):
        step = np.zeros(UNKNOWNS)
        step[k] = 1e-6
        by_difference = (
            model.linearised(p + step, ring, xy_px)[0] - model.linearised(p - step, ring, xy_px)[0]
        ) / 2e-6
        assert_allclose(columns[k], by_difference, rtol=1e-5, atol=2e-3, err_msg=f"unknown {k}")


@given(tilt=st.floats(0.0, 0.9), direction=st.floats(0.0, 6.2), angle=st.floats(0.0, 6.2))
def test_a_millimetre_outward_is_as_many_pixels_across_the_line(
    tilt: float, direction: float, angle: float
) -> None:
    model = _model(tilt, direction, -0.03)
    p = model.unknowns(model.base.camera, RADII_MM, np.zeros((3, 2)))
    view = model.unpack(p)[0]
    outward = np.array([np.cos(angle), np.sin(angle)])
    at = 203.2 * outward
    jacobian = view.px_per_mm(at)
    tangent = jacobian @ [-outward[1], outward[0]]
    across = abs(np.linalg.det(jacobian)) / np.linalg.norm(tangent)
    columns = model.linearised(p, np.array([1]), view.px_from_mm(at)[None])[1]
    assert_allclose(1 / np.linalg.norm(model.mm_per_px(columns)), across, rtol=1e-6)


def test_pixels_beyond_the_horizon_have_no_residual() -> None:
    model = _model(1.2, 0.3, 0.0)
    p = np.zeros(UNKNOWNS)
    residual = model.linearised(
        p, np.zeros(2000, int), np.random.default_rng(2).uniform(-5e3, 5e3, (2000, 2))
    )[0]
    assert np.isnan(residual).any() and np.isfinite(residual).any()

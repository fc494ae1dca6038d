"""Hypothesis strategies for cameras, views and boards; a new feature's strategy joins them here."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from calibration.camera import Camera, View
from tests.drawn import view_of

STEEPEST_DEG = 65.0
STRONGEST_BARREL = -0.3


def finite(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False, allow_infinity=False)


def fold_of(camera: Camera) -> float:
    """The normalised radius at which a barrel lens turns back: ``d/dr r (1 + k1 r²) = 0``."""
    return math.sqrt(-1.0 / (3.0 * camera.k1)) if camera.k1 < 0 else math.inf


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    """Phones, webcams and crops: a focal length of 0.5 to 3 widths, barrel or pincushion or neither."""
    width = draw(st.integers(300, 8000))
    height = draw(st.integers(300, 8000))
    k1 = draw(st.one_of(st.just(0.0), finite(STRONGEST_BARREL, 0.1)))
    return Camera(width * draw(finite(0.5, 3.0)), width * draw(finite(0.3, 0.7)), height / 2, k1)


@st.composite
def views(draw: st.DrawFn) -> View:
    """Any photo of a board taken by hand, up to the steepest that is read."""
    return view_of(
        draw(finite(0.0, STEEPEST_DEG)),
        azimuth_deg=draw(finite(-180.0, 180.0)),
        roll_deg=draw(finite(-180.0, 180.0)),
        f_px=draw(finite(300.0, 4000.0)),
        k1=draw(st.one_of(st.just(0.0), finite(STRONGEST_BARREL, 0.1))),
        seen_mm=draw(finite(760.0, 2500.0)),
        aim_mm=(draw(finite(-150.0, 150.0)), draw(finite(-150.0, 150.0))),
        principal_px=(draw(finite(-80.0, 80.0)), draw(finite(-80.0, 80.0))),
    )


@st.composite
def on_the_board(draw: st.DrawFn) -> np.ndarray:
    """A point of the playing surface, (2,) in mm."""
    radius_mm, angle = draw(finite(0.0, 330.0)), draw(finite(-math.pi, math.pi))
    return radius_mm * np.array([math.cos(angle), math.sin(angle)])


@st.composite
def home_radii(draw: st.DrawFn) -> tuple[float, float, float]:
    """Line radii of the standard and of boards in people's homes, 1 : 1.94 : 2.82 to 1 : 2.14 : 2.97."""
    r5_mm = draw(finite(250.0, 340.0))
    inner = r5_mm / draw(finite(2.82, 3.02))
    return inner, inner * draw(finite(1.94, 2.14)), r5_mm

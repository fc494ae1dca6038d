from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Camera
from calibration.faint import faint_triples
from calibration.hough import Facing

SIZE_PX = (900, 600)
CENTRE_PX = np.array([455.0, 290.0])
CAMERA = Camera(800.0, (SIZE_PX[0] - 1) / 2, (SIZE_PX[1] - 1) / 2)
RADII_PX = (70.0, 140.0, 210.0)
#: A facing from straight above, with its centre known to a pixel.
FACING = Facing(
    CAMERA,
    np.eye(3),
    (CENTRE_PX + np.array([0.7, -0.5]) - np.array([CAMERA.cx_px, CAMERA.cy_px])) / CAMERA.f_px,
    0.5,
)


def from_centre() -> np.ndarray:
    x, y = np.meshgrid(np.arange(SIZE_PX[0]), np.arange(SIZE_PX[1]))
    return np.hypot(x - CENTRE_PX[0], y - CENTRE_PX[1])


def picture(level: np.ndarray, noise: float = 10.0) -> np.ndarray:
    """Grey levels in three channels with a camera's noise."""
    rng = np.random.default_rng(2)
    return np.clip(level[..., None] + rng.normal(0, noise, (*level.shape, 3)), 0, 255).astype(np.uint8)


def with_lines(contrast: float, radii_px: tuple[float, ...] = RADII_PX) -> np.ndarray:
    off = np.abs(from_centre()[..., None] - np.array(radii_px)).min(-1)
    return np.asarray(150.0 + contrast * (off < 0.6))


@pytest.mark.parametrize("contrast", [-12.0, 12.0])
def test_lines_hardly_above_the_noise_are_found_and_where_they_are(contrast: float) -> None:
    triple = faint_triples(picture(with_lines(contrast)), FACING)[0]
    assert np.array(triple.radii) * CAMERA.f_px == pytest.approx(RADII_PX, rel=0.02)
    assert min(triple.coverage) > 0.5


def test_noise_alone_covers_little() -> None:
    found = faint_triples(picture(np.full(SIZE_PX[::-1], 150.0)), FACING)
    assert all(sum(triple.coverage) < 1.5 for triple in found)


def test_borders_between_two_colours_are_no_lines() -> None:
    """A target's rings differ from one side alone."""
    step = 110.0 + 30.0 * (np.searchsorted(np.array(RADII_PX), from_centre()) % 2)
    found = faint_triples(picture(step, noise=4.0), FACING)
    for triple in found:
        assert (
            np.abs(np.array(triple.radii) * CAMERA.f_px / RADII_PX - 1).max() > 0.02
            or min(triple.coverage) < 0.4
        )


def test_rings_of_no_board_are_left() -> None:
    found = faint_triples(picture(with_lines(12.0, (120.0, 150.0, 210.0))), FACING)
    assert all(
        np.abs(triple.radii[2] * CAMERA.f_px - 210.0) > 5 or sum(triple.coverage) < 2.0 for triple in found
    )

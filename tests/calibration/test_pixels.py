from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from calibration.pixels import RGB, AtHand, shrunk

WHOLE = np.random.default_rng(3).integers(0, 256, (600, 800, 3), dtype=np.uint8)


@dataclass
class Late:
    """A picture with a copy at hand; ``asked`` counts how often the whole was waited for."""

    copy: RGB
    asked: int = 0
    size_px = (800, 600)

    def whole(self) -> RGB:
        self.asked += 1
        return WHOLE

    def reduced(self) -> RGB:
        return self.copy


def halved() -> RGB:
    return WHOLE.reshape(300, 2, 400, 2, 3).mean((1, 3)).round().astype(np.uint8)


def test_a_copy_is_as_large_as_asked_and_says_its_scale() -> None:
    small, scale = shrunk(AtHand(WHOLE), 200)
    assert small.shape == (150, 200, 3)
    assert scale == 0.25
    blocks = WHOLE.reshape(150, 4, 200, 4, 3).mean((1, 3))
    assert np.abs(small - blocks).max() <= 1.0


def test_a_picture_that_is_small_enough_stays() -> None:
    same, scale = shrunk(AtHand(WHOLE), 900)
    assert scale == 1.0
    assert np.array_equal(same, WHOLE)


def test_nothing_is_waited_for_where_the_reduced_copy_will_do() -> None:
    late = Late(halved())
    small, scale = shrunk(late, 400)
    assert np.array_equal(small, halved())
    assert (late.asked, scale) == (0, 0.5)
    assert shrunk(late, 300)[0].shape == (225, 300, 3)
    assert late.asked == 0


def test_a_reduced_copy_that_is_too_coarse_is_not_used_unless_that_is_enough() -> None:
    late = Late(halved())
    assert shrunk(late, 500)[0].shape == (375, 500, 3)
    assert late.asked == 1
    small, scale = shrunk(late, 500, 400)
    assert (small.shape, scale, late.asked) == ((300, 400, 3), 0.5, 1)


@pytest.mark.parametrize("shape", [(4, 4), (4, 4, 4)])
def test_pixels_are_rgb(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="height, width, 3"):
        AtHand(np.zeros(shape, np.uint8))

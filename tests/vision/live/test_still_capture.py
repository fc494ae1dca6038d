"""Several frames into one picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.live.frames import Frame
from vision.live.small import SmallBoard
from vision.live.still_capture import CHECK_WIDTH_PX, CaptureError, Refused, median, still_picture


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7])
def test_the_median_is_that_of_each_pixel(n: int) -> None:
    pictures = [np.random.default_rng(k).integers(0, 256, (9, 11, 3), dtype=np.uint8) for k in range(n)]
    assert (median(pictures) == np.sort(np.stack(pictures), axis=0)[(n - 1) // 2]).all()


def whole(shape: tuple[int, int]) -> SmallBoard:
    height = round(shape[0] * CHECK_WIDTH_PX / shape[1])
    return SmallBoard(np.ones((height, CHECK_WIDTH_PX), bool), np.zeros((height, CHECK_WIDTH_PX), bool), 1.0)


def of(*pictures: np.ndarray) -> list[Frame]:
    return [Frame(picture.copy(), k / 10, k) for k, picture in enumerate(pictures)]


def refusal(frames: list[Frame]) -> Refused:
    with pytest.raises(CaptureError) as error:
        still_picture(frames, whole((540, 960)))
    assert str(error.value)
    return error.value.code


def test_a_disc_that_slid_by_a_pixel_between_the_first_and_the_last_frame_is_refused() -> None:
    rest = np.full((540, 960, 3), 150, np.uint8)
    first, last = rest.copy(), rest.copy()
    first[200:240, 300:340] = 60
    last[200:240, 302:342] = 60
    assert refusal(of(first, first, first, first, last)) is Refused.NOT_STILL
    assert still_picture(of(first, first, first), whole((540, 960))).shape == rest.shape


def test_two_frames_or_frames_of_two_sizes_are_not_enough() -> None:
    picture = np.full((540, 960, 3), 150, np.uint8)
    assert refusal(of(picture, picture)) is Refused.NOT_STILL
    assert refusal(of(picture, picture, picture[:500])) is Refused.NOT_STILL

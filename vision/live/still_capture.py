"""One good picture out of several still frames.

The median of frames in which nothing moved has less noise than any of them and shows nothing that only one
of them shows. That nothing moved is checked again here, on a larger copy than the gate's: a score must not
rest on a disc that was still sliding.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.frames import Frame
from vision.live.small import SmallBoard, small_grey
from vision.live.stillness import changed

MOST_FRAMES = 7
LEAST_FRAMES = 3
CHECK_WIDTH_PX = 960
_CHECK_LEVELS = 14.0
_CHECK_PX = 9


class Refused(StrEnum):
    """Why no picture was taken."""

    NO_FRAMES = "no_frames"
    SOURCE_LOST = "source_lost"
    NO_BOARD = "no_board"
    NOT_STILL = "not_still"
    HAND = "hand"


_WORDS = {
    Refused.NO_FRAMES: "no picture has come from the camera yet: check that it is on and try again",
    Refused.SOURCE_LOST: "the camera does not answer: check its power and cable; it is tried again by itself",
    Refused.NO_BOARD: "the camera does not see the board: turn it towards it, or clear what covers the board",
    Refused.NOT_STILL: "something on the board moves: wait until all discs lie still and try again",
    Refused.HAND: "a hand or something else covers part of the board: clear it and try again",
}


class CaptureError(Exception):
    """No picture was taken; ``code`` says why and the message what to do."""

    def __init__(self, code: Refused) -> None:
        super().__init__(_WORDS[code])
        self.code = code


def still_picture(frames: Sequence[Frame], board: SmallBoard) -> NDArray[np.uint8]:
    """The median (h, w, 3) of at least three frames, oldest first, in which nothing on the board moved.

    ``board`` has the masks at :data:`CHECK_WIDTH_PX`. Raises :class:`CaptureError`, ``NOT_STILL``, when
    something did, or when the frames are too few or of different sizes.
    """
    frames = frames[-MOST_FRAMES:]
    if len(frames) < LEAST_FRAMES or len({frame.rgb.shape for frame in frames}) > 1:
        raise CaptureError(Refused.NOT_STILL)
    picture = median([frame.rgb for frame in frames])
    reference = small_grey(picture, CHECK_WIDTH_PX)
    for frame in (frames[0], frames[-1]):
        grey = small_grey(frame.rgb, CHECK_WIDTH_PX)
        if changed(grey, reference, board.surface, _CHECK_PX, _CHECK_LEVELS):
            raise CaptureError(Refused.NOT_STILL)
    return picture


def median(pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """The median picture (h, w, 3) of an odd number of them; of an even number the lower one.

    By a sorting network of whole pictures: for these few, tens of times faster than sorting each pixel.
    """
    ordered: list[cv2.typing.MatLike] = list(pictures)
    for first in range(len(ordered)):
        for k in range(first % 2, len(ordered) - 1, 2):
            ordered[k], ordered[k + 1] = (
                cv2.min(ordered[k], ordered[k + 1]),
                cv2.max(ordered[k], ordered[k + 1]),
            )
    return np.asarray(ordered[(len(ordered) - 1) // 2], dtype=np.uint8)

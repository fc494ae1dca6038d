"""What of the photo is shown, and how large: the board with all discs and a margin, sized for a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from vision.ink_box import Box, box_around
from vision.reading import BoardReading

_LONGEST_PX = 2000
"""Of the photo's part of the drawing; with the strips above and below, at most about 2400."""
_SMALLEST_LONG_SIDE_PX = 1600
_MOST_ENLARGED = 2.0
_ROUND_THE_BOARD = 1.42
"""The frame's outside by the outer ring's radius; boards have 1.2 to 1.35."""
_ROUND_A_DISC = 0.04


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of a photo, ``size_px`` (width, height) from its first pixel, shown ``scale`` times as large."""

    left_px: int
    top_px: int
    size_px: tuple[int, int]
    scale: float

    @property
    def shown_px(self) -> tuple[int, int]:
        """Width and height as shown."""
        return round(self.size_px[0] * self.scale), round(self.size_px[1] * self.scale)

    def shown(self, points_px: Array) -> Array:
        """Where points of the photo lie in what is shown; shape (..., 2) to (..., 2)."""
        corner = np.array([self.left_px, self.top_px])
        zoom = np.array(self.shown_px) / np.array(self.size_px)
        return np.asarray((points_px - corner + 0.5) * zoom - 0.5)

    def cut(self, rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The part of the photo, as large as it is shown."""
        part = rgb[self.top_px : self.top_px + self.size_px[1], self.left_px : self.left_px + self.size_px[0]]
        how = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_CUBIC
        return cv2.resize(part, self.shown_px, interpolation=how).astype(np.uint8, copy=False)


def frame_of(reading: BoardReading) -> Frame:
    """The part of the photo that holds the board and all discs."""
    centre = np.array(reading.board.centre_px)
    shapes = [centre + _ROUND_THE_BOARD * (polygon(reading.board.lines_px[5]) - centre)]
    shapes += [polygon(disc.outline_px) for disc in reading.discs]
    margin_px = _ROUND_A_DISC * max(box_around(shapes[0]).width, box_around(shapes[0]).height)
    discs = [box_around(shape).grown(margin_px).corners for shape in shapes[1:]]
    box = box_around(np.concatenate([shapes[0], *discs]))
    return _frame(box, reading.width_px, reading.height_px)


def polygon(points_px: Sequence[tuple[float, float]]) -> Array:
    """Points as an array (n, 2)."""
    return np.array(points_px, dtype=np.float64).reshape(-1, 2)


def _frame(box: Box, width_px: int, height_px: int) -> Frame:
    left, right = (int(np.clip(round(x), 0, width_px)) for x in (box.left, box.right))
    top, bottom = (int(np.clip(round(y), 0, height_px)) for y in (box.top, box.bottom))
    longest = max(right - left, bottom - top)
    scale = min(_LONGEST_PX / longest, max(1.0, min(_MOST_ENLARGED, _SMALLEST_LONG_SIDE_PX / longest)))
    return Frame(left, top, (right - left, bottom - top), scale)

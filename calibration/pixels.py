"""A picture's pixels, and the smaller copies of it that are looked at first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.shrink import shrink

RGB = NDArray[np.uint8]


class Pixels(Protocol):
    """Pixels, uint8 RGB (h, w, 3), of which a smaller copy may be at hand before the whole."""

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the whole."""

    def whole(self) -> RGB:
        """All pixels, waited for if need be."""

    def reduced(self) -> RGB | None:
        """A copy averaged down by a whole factor that is at hand now; None where there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class AtHand:
    """All pixels of a picture that is in memory already."""

    rgb: RGB

    def __post_init__(self) -> None:
        if self.rgb.dtype != np.uint8 or self.rgb.ndim != 3 or self.rgb.shape[2] != 3:
            raise ValueError(f"rgb must be uint8 (height, width, 3), not {self.rgb.dtype} {self.rgb.shape}")

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return int(self.rgb.shape[1]), int(self.rgb.shape[0])

    def whole(self) -> RGB:
        """The pixels."""
        return self.rgb

    def reduced(self) -> RGB | None:
        """None: nothing is waited for, so nothing was made meanwhile."""
        return None


def shrunk(pixels: Pixels, side_px: float, least_px: float | None = None) -> tuple[RGB, float]:
    """A copy of which the longer side is at most ``side_px``, and its scale.

    The reduced copy is preferred, where it has that size or at least ``least_px``.
    """
    width_px, height_px = pixels.size_px
    longer_px = max(width_px, height_px)
    source = pixels.reduced()
    if source is None or max(source.shape) < min(longer_px, least_px or side_px):
        source = pixels.whole()
    factor = min(1.0, side_px / longer_px, max(source.shape) / longer_px)
    size_px = max(1, round(width_px * factor)), max(1, round(height_px * factor))
    return shrink(source, *size_px), size_px[0] / width_px

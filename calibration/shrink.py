"""Smaller copies of a picture without aliasing."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def shrink(rgb: NDArray[np.uint8], width_px: int, height_px: int) -> NDArray[np.uint8]:
    """The picture (h, w, 3) at a smaller size, every source pixel counted.

    OpenCV averages areas several times faster by whole factors, so most of the shrinking is by one.
    """
    height, width = rgb.shape[:2]
    whole = min(width // width_px, height // height_px)
    if whole > 1:
        size = (width // whole, height // whole)
        rgb = np.asarray(
            cv2.resize(rgb[: size[1] * whole, : size[0] * whole], size, interpolation=cv2.INTER_AREA),
            np.uint8,
        )
    if rgb.shape[:2] == (height_px, width_px):
        return rgb
    return np.asarray(cv2.resize(rgb, (width_px, height_px), interpolation=cv2.INTER_AREA), dtype=np.uint8)

"""The board unrolled: the picture sampled at radii and directions of the board.

Straight lines through the centre stay straight in a pinhole's homogeneous coordinates, so every place is
``r`` times its direction's vector plus the centre's.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import View

Floats = NDArray[np.float32]


def unrolled(
    rgb: NDArray[np.uint8], view: View, radii_mm: NDArray[np.floating], directions: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Colours (radii, directions, 3) around the board, bilinear, and which lie inside the picture.

    The directions divide the full turn evenly, beginning at the board's x axis.
    """
    camera = view.camera
    angle = np.arange(directions) * (2 * np.pi / directions)
    along = view.rotation[:, :2] @ np.stack([np.cos(angle), np.sin(angle)])
    x, y, depth = (
        np.multiply.outer(radii_mm, along[k]).astype(np.float32) + np.float32(view.translation_mm[k])
        for k in range(3)
    )
    per_depth = 1.0 / np.maximum(depth, np.float32(1e-6))
    x, y = x * per_depth, y * per_depth
    lens = np.float32(camera.f_px)
    if camera.k1:
        lens = lens * (1.0 + np.float32(camera.k1) * (x * x + y * y))
    x, y = x * lens + np.float32(camera.cx_px), y * lens + np.float32(camera.cy_px)
    height, width = rgb.shape[:2]
    inside = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
    x, y = np.clip(x, -10, 32000), np.clip(y, -10, 32000)
    values = cv2.remap(rgb, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.astype(np.float32), inside

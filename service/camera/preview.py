"""What a table's camera sees, small, with the fitted lines on it: shows that the board is seen, and where."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import FittedBoard
from calibration.shrink import shrink

_WIDTH_PX = 960
_QUALITY = 80
_POINTS = 180
_LINE = (60, 220, 90)
_EDGE = (0, 0, 0)


def preview_jpeg(rgb: NDArray[np.uint8], board: FittedBoard | None) -> bytes:
    """A JPEG of the picture (h, w, 3), at most 960 pixels wide; without a board it is bare."""
    width = min(_WIDTH_PX, rgb.shape[1])
    factor = width / rgb.shape[1]
    small = np.ascontiguousarray(shrink(rgb, width, max(1, round(rgb.shape[0] * factor)))).copy()
    if board is not None:
        angle = np.linspace(0.0, 2 * np.pi, _POINTS, endpoint=False)
        unit = np.stack([np.cos(angle), np.sin(angle)], 1)
        for radius_mm, centre_mm in zip(board.radii_mm, board.fit.centres_mm, strict=True):
            px = (board.view.px_from_mm(centre_mm + radius_mm * unit) + 0.5) * factor - 0.5
            ring = np.clip(px * 16, -(2**20), 2**20).round().astype(np.int32)
            for colour, thickness in ((_EDGE, 4), (_LINE, 2)):
                cv2.polylines(small, [ring], True, colour, thickness, cv2.LINE_AA, shift=4)
    _, jpeg = cv2.imencode(
        ".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
    )
    return jpeg.tobytes()

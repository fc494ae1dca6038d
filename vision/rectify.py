"""The board seen straight down: a picture whose pixels are board millimetres on a plane at one height."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.pixels import Pixels, shrunk

_KNOT_PX = 16  # the map is smooth: it is computed on a coarse grid and interpolated
_OVERSAMPLING = 1.3  # source pixels kept per rectified pixel, so that shrinking does not alias


@dataclass(frozen=True)
class Rectified:
    """``rgb`` (n, n, 3) uint8, board x to the right and y up, centred on the board.

    The plane lies ``height_mm`` above the surface. What the photo does not have is as its border is.
    """

    rgb: NDArray[np.uint8]
    px_per_mm: float
    half_mm: float
    height_mm: float

    def mm_from_px(self, xy_px: Array) -> Array:
        """Board millimetres of rectified pixels; shape (..., 2)."""
        return np.asarray((np.asarray(xy_px) / self.px_per_mm - self.half_mm) * np.array([1.0, -1.0]))

    def px_from_mm(self, xy_mm: Array) -> Array:
        """Rectified pixels of board millimetres; shape (..., 2)."""
        return np.asarray((np.asarray(xy_mm) * np.array([1.0, -1.0]) + self.half_mm) * self.px_per_mm)


def rectify(pixels: Pixels, view: View, half_mm: float, px_per_mm: float, height_mm: float) -> Rectified:
    """The square of side ``2 half_mm`` about the board's centre, on the plane at ``height_mm``."""
    n = int(2 * half_mm * px_per_mm)
    native = view.scale_px_per_mm(height_mm)
    if native > _OVERSAMPLING * 1.2 * px_per_mm:
        as_fine_px = max(pixels.size_px) * px_per_mm / native
        source, _ = shrunk(pixels, _OVERSAMPLING * as_fine_px, as_fine_px)
    else:
        source = pixels.whole()
    knots = n // _KNOT_PX + 2
    along = np.arange(knots) * _KNOT_PX / px_per_mm - half_mm
    x, y = np.meshgrid(along, -along)
    px = view.px_from_mm(np.stack([x, y, np.full_like(x, height_mm)], -1))
    size = np.array([source.shape[1], source.shape[0]])
    ratio = size / np.array(pixels.size_px)
    px = np.clip((px + 0.5) * ratio - 0.5, -1e4, 3e4)
    finer = np.array([[1.0 / _KNOT_PX, 0.0, 0.0], [0.0, 1.0 / _KNOT_PX, 0.0]])
    where = cv2.warpAffine(
        px.astype(np.float32), finer, (n, n), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    out = cv2.remap(source, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Rectified(np.asarray(out, dtype=np.uint8), px_per_mm, half_mm, height_mm)

"""The board seen straight down: a picture whose pixels are board millimetres on a plane at one height."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.shrink import shrink

_KNOT_PX = 16  # the map is smooth: it is computed on a coarse grid and interpolated
_OVERSAMPLING = 1.3  # source pixels kept per rectified pixel, so that shrinking does not alias


@dataclass(frozen=True)
class Rectified:
    """``rgb`` (n, n, 3) uint8, board x to the right and y up, centred on the board.

    ``inside`` (n, n) is where the photo has it. The plane lies ``height_mm`` above the surface.
    """

    rgb: NDArray[np.uint8]
    inside: NDArray[np.bool_]
    px_per_mm: float
    half_mm: float
    height_mm: float

    def mm_from_px(self, xy_px: Array) -> Array:
        """Board millimetres of rectified pixels; shape (..., 2)."""
        return np.asarray((np.asarray(xy_px) / self.px_per_mm - self.half_mm) * np.array([1.0, -1.0]))

    def px_from_mm(self, xy_mm: Array) -> Array:
        """Rectified pixels of board millimetres; shape (..., 2)."""
        return np.asarray((np.asarray(xy_mm) * np.array([1.0, -1.0]) + self.half_mm) * self.px_per_mm)


def rectify(
    rgb: NDArray[np.uint8], view: View, half_mm: float, px_per_mm: float, height_mm: float
) -> Rectified:
    """The square of side ``2 half_mm`` about the board's centre, on the plane at ``height_mm``."""
    n = int(2 * half_mm * px_per_mm)
    native = view.scale_px_per_mm(height_mm)
    source = rgb
    if native > _OVERSAMPLING * 1.2 * px_per_mm:
        factor = _OVERSAMPLING * px_per_mm / native
        source = shrink(rgb, max(1, round(rgb.shape[1] * factor)), max(1, round(rgb.shape[0] * factor)))
    knots = n // _KNOT_PX + 2
    along = np.arange(knots) * _KNOT_PX / px_per_mm - half_mm
    x, y = np.meshgrid(along, -along)
    px = view.px_from_mm(np.stack([x, y, np.full_like(x, height_mm)], -1))
    size = np.array([source.shape[1], source.shape[0]])
    ratio = size / np.array([rgb.shape[1], rgb.shape[0]])
    px = np.clip((px + 0.5) * ratio - 0.5, -1e4, 3e4)
    step = (np.arange(n) / _KNOT_PX).astype(np.float32)
    where = cv2.remap(px.astype(np.float32), *np.meshgrid(step, step), cv2.INTER_LINEAR)
    out = cv2.remap(source, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = np.asarray(((where >= 0) & (where <= size - 1)).all(-1))
    return Rectified(np.asarray(out, dtype=np.uint8), inside, px_per_mm, half_mm, height_mm)

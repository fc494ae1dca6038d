"""The small grey copy of a frame on which motion is looked for, and how two of them are compared.

At 320 pixels' width a change is found a hundred times faster than in the frame, and averaging has taken the
sensor's noise away. Cameras set their exposure anew when a hand comes in, so one copy is first brought to
the other's brightness and contrast, fitted on what agrees.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.shrink import shrink

WIDTH_PX = 320
_TRIMS = 2
_AGREES = 25.0  # grey levels
_LEAST_SPREAD = 8.0  # of a surface on which contrast can be measured
_LEAST_STD = 3.0
_MOST_GAIN = 3.0
_CIRCLE_POINTS = 90

Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]


def small_grey(rgb: NDArray[np.uint8], width_px: int = WIDTH_PX) -> Grey:
    """A grey copy (h, ``width_px``) of a picture (h, w, 3), lightly smoothed; never a larger one."""
    width_px = min(width_px, rgb.shape[1])
    small = shrink(rgb, width_px, max(1, round(rgb.shape[0] * width_px / rgb.shape[1])))
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (3, 3), 0.8), dtype=np.float32)


def difference(now: Grey, before: Grey, where: Mask) -> Grey:
    """What changed, in grey levels of ``now``, everywhere, once exposure is evened out over ``where``."""
    gain, offset = _exposure(now[where], before[where])
    return np.abs(now - (gain * before + offset))


def _exposure(now: Grey, before: Grey) -> tuple[float, float]:
    """Gain and offset that bring ``before`` to ``now``, by least squares over the pixels that agree."""
    if not len(now):
        return 1.0, 0.0
    spread = float(np.percentile(before, 90) - np.percentile(before, 10))
    gain = 1.0
    if spread > _LEAST_SPREAD:
        gain = float(np.percentile(now, 90) - np.percentile(now, 10)) / spread
        gain = float(np.clip(gain, 1 / _MOST_GAIN, _MOST_GAIN))
    offset = float(np.median(now) - gain * np.median(before))
    for _ in range(_TRIMS):
        agrees = np.abs(now - (gain * before + offset)) < _AGREES
        x, y = before[agrees].astype(np.float64), now[agrees].astype(np.float64)
        if len(x) < len(now) // 4 or float(x.std()) < _LEAST_STD:
            break
        gain = float(np.clip(np.cov(x, y)[0, 1] / x.var(ddof=1), 1 / _MOST_GAIN, _MOST_GAIN))
        offset = float(y.mean() - gain * x.mean())
    return gain, offset


@dataclass(frozen=True)
class SmallBoard:
    """Where the board is in the small copy.

    ``surface`` is the playing surface, ``beyond`` all that is well outside it.
    ``px_per_mm`` is the scale at the board's centre.
    """

    surface: Mask
    beyond: Mask
    px_per_mm: float


def small_board(
    view: View, outer_line_mm: float, size_px: tuple[int, int], width_px: int = WIDTH_PX
) -> SmallBoard:
    """The masks for frames of ``size_px`` (width, height), from the fitted view and the 5 line's radius."""
    width_px = min(width_px, size_px[0])
    factor = width_px / size_px[0]
    shape = (max(1, round(size_px[1] * factor)), width_px)
    return SmallBoard(
        surface=_disc(view, 1.06 * outer_line_mm, factor, shape),
        beyond=~_disc(view, 1.15 * outer_line_mm, factor, shape),
        px_per_mm=view.scale_px_per_mm() * factor,
    )


def _disc(view: View, radius_mm: float, factor: float, shape: tuple[int, int]) -> Mask:
    angle = np.linspace(0.0, 2 * np.pi, _CIRCLE_POINTS, endpoint=False)
    px: Array = view.px_from_mm(radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1))
    corners = np.clip((px + 0.5) * factor - 0.5, -1e4, 1e4).round().astype(np.int32)
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [corners], 1)
    return np.asarray(mask, dtype=bool)

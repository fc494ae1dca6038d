"""The chart in one picture: which of its corners are seen, and where to a small part of a pixel.

Markers name the corners (OpenCV's ChArUco detector); each corner is then placed again by ``cornerSubPix``, which finds
the point that all gradients around it turn about (Förstner and Gülch, 1987), in a window that keeps clear of the markers.
Positions are pixels with their centres at whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.chart import COLUMNS, CORNERS, ROWS, charuco_board
from calibration.errors import CalibrationError

Gray = NDArray[np.uint8]

MIN_CORNERS = 12
MIN_SQUARE_PX = 12.0
"""Below this a marker's module is less than two pixels, and its window less than the corner's own blur."""
MAX_BLUR_SHARE = 0.032
"""Blur (sigma of the edge) that is too much, as a share of a square's side: the markers' codes begin to be lost."""
MIN_BLUR_PX = 1.0
"""Every lens blurs by about as much; less is never too much."""

_WINDOW_SHARE = 0.11  # half window over the square's side; the marker begins at 0.15 along either side
_PROFILE_STEPS = 41


class ChartError(CalibrationError):
    """Photos of the chart that cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class ChartView:
    """The chart's corners in one picture.

    ``numbers`` (n,) index :func:`calibration.chart.corners_mm`; ``xy_px`` (n, 2). ``square_px`` is the median side of a
    square; ``blur_px`` the sigma of its edges along the blurrier direction.
    """

    name: str
    numbers: NDArray[np.intp]
    xy_px: Array
    square_px: float
    blur_px: float

    def __len__(self) -> int:
        return len(self.numbers)

    def without(self, bad: NDArray[np.bool_]) -> ChartView:
        """The same view with some corners left out."""
        keep = ~bad
        return ChartView(self.name, self.numbers[keep], self.xy_px[keep], self.square_px, self.blur_px)


def find_chart(gray: Gray, name: str) -> ChartView:
    """The chart in a picture; ``gray`` (height, width). Raises :class:`ChartError` when it cannot be measured there."""
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(gray)
    seen = np.zeros(0, np.intp) if numbers is None else np.asarray(numbers, dtype=np.intp).ravel()
    pairs = _neighbours(seen)
    if len(pairs) == 0:
        raise ChartError("no chart is seen: show all of it, large and sharp, in even light")
    start = np.asarray(corners, dtype=np.float32).reshape(-1, 2)
    sides = np.linalg.norm(start[pairs[:, 1]] - start[pairs[:, 0]], axis=1)
    square_px = float(np.median(sides))
    if square_px < MIN_SQUARE_PX:
        raise ChartError(f"the chart is too small in the picture ({square_px:.0f} pixels a square): go closer")
    blur_px = _blur_px(gray, start.astype(np.float64), seen, pairs)
    if blur_px > max(MAX_BLUR_SHARE * square_px, MIN_BLUR_PX):
        raise ChartError("the picture is blurred: hold still and let it focus")
    if len(seen) < MIN_CORNERS:
        raise ChartError(f"only {len(seen)} of the chart's {CORNERS} corners are seen: show more of it, sharp and even")
    half = int(np.clip(np.quantile(sides, 0.1) * _WINDOW_SHARE, 2, 15))
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-3)
    placed = cv2.cornerSubPix(gray, start.reshape(-1, 1, 2).copy(), (half, half), (-1, -1), stop)
    return ChartView(name, seen, np.asarray(placed, dtype=np.float64).reshape(-1, 2), square_px, blur_px)


def _neighbours(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Pairs of corners one square apart, along rows and columns; shape (m, 2), as places in ``numbers``."""
    place = {int(number): at for at, number in enumerate(numbers)}
    across, down = COLUMNS - 1, ROWS - 1
    pairs = []
    for number, at in place.items():
        row, column = divmod(number, across)
        if column + 1 < across and number + 1 in place:
            pairs.append((at, place[number + 1]))
        if row + 1 < down and number + across in place:
            pairs.append((at, place[number + across]))
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _blur_px(gray: Gray, xy_px: Array, numbers: NDArray[np.intp], pairs: NDArray[np.intp]) -> float:
    """Sigma of the edges between squares, the larger of rows' and columns' medians: a shake blurs one of them.

    Across the middle of each edge, up to where the marker begins, the brightness climbs by its contrast C; a Gaussian
    edge's steepest slope is ``C / (sigma sqrt(2 pi))``.
    """
    sigmas: dict[bool, list[float]] = {True: [], False: []}
    for first, second in pairs:
        along = xy_px[second] - xy_px[first]
        reach = 0.14 * float(np.linalg.norm(along))
        normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        steps = np.linspace(-reach, reach, _PROFILE_STEPS)
        at = (xy_px[first] + xy_px[second]) / 2 + steps[:, None] * normal
        x, y = at[:, :1].astype(np.float32), at[:, 1:].astype(np.float32)
        profile = cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel().astype(np.float64)
        slope = np.abs(np.convolve(profile, [0.5, 0.0, -0.5], "valid")).max() / (steps[1] - steps[0])
        contrast = abs(float(np.median(profile[:6]) - np.median(profile[-6:])))
        if slope > 0:
            sigmas[abs(int(numbers[second]) - int(numbers[first])) == 1].append(
                contrast / slope / float(np.sqrt(2 * np.pi))
            )
    return max((float(np.median(of_one)) for of_one in sigmas.values() if of_one), default=0.0)

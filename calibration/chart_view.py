"""The chart in one picture: which of its corners are seen, and where to a small part of a pixel.

Markers name the corners (OpenCV's ChArUco detector); each corner is then placed again by ``cornerSubPix``,
which finds the point that all gradients around it turn about (Förstner and Gülch, 1987), in a window that
keeps clear of the markers. Positions are pixels with their centres at whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.chart import COLUMNS, CORNERS, MARKER_MM, ROWS, SQUARE_MM, charuco_board, dictionary
from calibration.errors import CalibrationError

Gray = NDArray[np.uint8]

MIN_CORNERS = 12
MIN_SQUARE_PX = 14.0
"""Below this a marker's module is hardly more than a pixel and a half, and the markers fall silent."""
MAX_BLUR_SHARE = 0.028
"""Blur (sigma of an edge) that is too much, as a share of a square's side: codes begin to be lost."""
MIN_BLUR_PX = 1.0
"""Every lens blurs by about as much; less is never too much."""

_WINDOW_SHARE = 0.11  # half window over the square's side; the marker begins at 0.15 along either side
_PROFILE_STEPS = 41


class ChartError(CalibrationError):
    """Photos of the chart that cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class ChartView:
    """The chart's corners in one picture.

    ``numbers`` (n,) index :func:`calibration.chart.corners_mm`; ``xy_px`` (n, 2). ``square_px`` is the
    median side of a square; ``blur_px`` the sigma of its edges along the blurrier direction.
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


def find_chart(rgb: NDArray[np.uint8], name: str) -> ChartView:
    """The chart in a picture (height, width, 3). Raises :class:`ChartError` with what is wrong."""
    gray: Gray = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    seen, start = _detect(gray)
    pairs = _neighbours(seen)
    if len(pairs) == 0:
        raise ChartError("no chart is seen: show all of it, large and sharp, in even light")
    sides = np.linalg.norm(start[pairs[:, 1]] - start[pairs[:, 0]], axis=1)
    square_px = float(np.median(sides))
    if square_px < MIN_SQUARE_PX:
        raise ChartError(
            f"the chart is too small in the picture ({square_px:.0f} pixels a square): go closer"
        )
    blur_px = _blur_px(gray, start.astype(np.float64), seen, pairs)
    if blur_px > max(MAX_BLUR_SHARE * square_px, MIN_BLUR_PX):
        raise ChartError("the picture is blurred: hold still and let it focus")
    if len(seen) < MIN_CORNERS:
        raise ChartError(
            f"only {len(seen)} of the chart's {CORNERS} corners are seen: show more of it, large and sharp"
        )
    half = int(np.clip(np.quantile(sides, 0.1) * _WINDOW_SHARE, 2, 15))
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-3)
    placed = cv2.cornerSubPix(gray, start.reshape(-1, 1, 2).copy(), (half, half), (-1, -1), stop)
    return ChartView(name, seen, np.asarray(placed, dtype=np.float64).reshape(-1, 2), square_px, blur_px)


def _detect(gray: Gray) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Numbers (n,) and rough places (n, 2) in px of the corners between markers that agree with each other.

    One false marker in the room's clutter would make OpenCV give up the whole chart, so markers that do not
    lie where a plane chart has them, to half a square, are put aside first.
    """
    settings = cv2.aruco.DetectorParameters()
    # A marker's outline over the picture's longer side; OpenCV's own limit loses small charts in large
    # pictures.
    settings.minMarkerPerimeterRate = 0.008
    board = charuco_board()
    outlines, numbers, _ = cv2.aruco.ArucoDetector(dictionary(), settings).detectMarkers(gray)
    on_board = dict(zip(np.ravel(board.getIds()).tolist(), board.getObjPoints(), strict=True))
    found = [
        (number, np.asarray(outline, np.float32).reshape(4, 2))
        for number, outline in zip(
            [] if numbers is None else np.ravel(numbers).tolist(), outlines, strict=True
        )
        if number in on_board
    ]
    nothing = np.zeros(0, np.intp), np.zeros((0, 2), np.float32)
    if not found:
        return nothing
    in_picture = np.concatenate([outline for _, outline in found])
    on_chart = np.concatenate([np.asarray(on_board[number], np.float32)[:, :2] for number, _ in found])
    side_px = float(np.median(np.linalg.norm(in_picture[1::4] - in_picture[::4], axis=1)))
    half_square_px = 0.5 * side_px * SQUARE_MM / MARKER_MM
    plane, fits = cv2.findHomography(on_chart, in_picture, cv2.RANSAC, half_square_px)
    if plane is None:
        return nothing
    good = np.asarray(fits).reshape(-1, 4).min(axis=1) > 0
    kept = [marker for marker, fit in zip(found, good, strict=True) if fit]
    corners, corner_numbers, _, _ = cv2.aruco.CharucoDetector(
        board, cv2.aruco.CharucoParameters(), settings
    ).detectBoard(
        gray,
        markerCorners=[outline.reshape(1, 4, 2) for _, outline in kept],
        markerIds=np.array([number for number, _ in kept], dtype=np.int32),
    )
    if corner_numbers is None:
        return nothing
    return np.asarray(corner_numbers, np.intp).ravel(), np.asarray(corners, np.float32).reshape(-1, 2)


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
    """Sigma of the edges between squares, the larger of rows' and columns' medians: a shake blurs one.

    Across the middle of each edge, up to where the marker begins, the brightness climbs by its contrast C;
    a Gaussian edge's steepest slope is ``C / (sigma sqrt(2 pi))``.
    """
    sigmas: dict[bool, list[float]] = {True: [], False: []}
    for first, second in pairs:
        along = xy_px[second] - xy_px[first]
        reach = 0.14 * float(np.linalg.norm(along))
        normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        steps = np.linspace(-reach, reach, _PROFILE_STEPS)
        at = (xy_px[first] + xy_px[second]) / 2 + steps[:, None] * normal
        x, y = at[:, :1].astype(np.float32), at[:, 1:].astype(np.float32)
        profile = (
            cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            .ravel()
            .astype(np.float64)
        )
        slope = np.abs(np.convolve(profile, [0.5, 0.0, -0.5], "valid")).max() / (steps[1] - steps[0])
        contrast = abs(float(np.median(profile[:6]) - np.median(profile[-6:])))
        if slope > 0:
            sigmas[abs(int(numbers[second]) - int(numbers[first])) == 1].append(
                contrast / slope / float(np.sqrt(2 * np.pi))
            )
    return max((float(np.median(of_one)) for of_one in sigmas.values() if of_one), default=0.0)

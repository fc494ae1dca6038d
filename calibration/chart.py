"""The calibration chart: a ChArUco board, the same one on every paper.

Nine rows of seven squares, black in the corners; each white square holds a marker of the ``DICT_4X4_50``
dictionary, so every inner corner has a number even where part of the chart is out of the picture
(Garrido-Jurado et al., Pattern Recognition 47, 2014; OpenCV's ``CharucoBoard``). The chart's frame: origin
at its top left corner, x to the right and y down, as one reads it.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.camera import Array

COLUMNS = 7
ROWS = 9
SQUARE_MM = 24.0
MARKER_MM = 16.8
"""Seven tenths of a square: six modules of 2.8 mm, and 3.6 mm of white around them for the corners."""
CORNERS = (COLUMNS - 1) * (ROWS - 1)
WIDTH_MM = COLUMNS * SQUARE_MM
HEIGHT_MM = ROWS * SQUARE_MM

_MODULES = 6  # across a marker: four of code, and a black border


def dictionary() -> cv2.aruco.Dictionary:
    """The markers' dictionary."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def charuco_board() -> cv2.aruco.CharucoBoard:
    """The chart as OpenCV's detector knows it."""
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary())


def corners_mm() -> Array:
    """The inner corners by their number, row by row; shape (48, 2), in mm of the chart's frame."""
    return np.array(
        [(x * SQUARE_MM, y * SQUARE_MM) for y in range(1, ROWS) for x in range(1, COLUMNS)], dtype=np.float64
    )


def black_mm() -> Array:
    """Everything that is printed black, as rectangles that do not overlap.

    Shape (n, 4): left, top, width and height in mm of the chart's frame. A marker's modules are joined
    along its rows.
    """
    black: list[tuple[float, float, float, float]] = []
    marker = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            left, top = column * SQUARE_MM, row * SQUARE_MM
            if (row + column) % 2 == 0:
                black.append((left, top, SQUARE_MM, SQUARE_MM))
                continue
            margin = (SQUARE_MM - MARKER_MM) / 2
            black += [(left + margin + x, top + margin + y, w, h) for x, y, w, h in _marker_mm(marker)]
            marker += 1
    return np.array(black)


def _marker_mm(number: int) -> list[tuple[float, float, float, float]]:
    """The black runs of one marker: left, top, width, height in mm from its top left corner."""
    dark = cv2.aruco.generateImageMarker(dictionary(), number, _MODULES) == 0
    module = MARKER_MM / _MODULES
    runs = []
    for row in range(_MODULES):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], dark[row], [False]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            runs.append((start * module, row * module, (end - start) * module, module))
    return runs

"""One least-squares fit of a camera to views of the chart, by OpenCV's calibration (Zhang, TPAMI 22, 2000).

Unknown are the focal length (the same in x and y), the principal point, the radial terms asked for and each
photo's pose; no tangential terms. A sheet of paper is not what was sent to the printer: the feed stretches
it by up to some thousandths, which looks like a moved principal point, and it bows by some tenths of a
millimetre, which looks like another focal length (2 % for 1 mm). Both show in the residuals, so both are
estimated, by Gauss-Newton steps around OpenCV's solution (variable projection: Golub and Pereyra, SIAM J.
Numer. Anal. 10, 1973).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import Array, Camera
from calibration.chart import HEIGHT_MM, WIDTH_MM, corners_mm
from calibration.chart_view import ChartView

#: The sheet: its length over its width, less 1, as printed; then its bow across and down the page in mm,
#: middle over edges. Sigmas of what is known before the photos are looked at, and the steps that
#: derivatives are taken with.
_SHEET_SIGMAS = np.array([0.003, 1.0, 1.0])
_SHEET_STEPS = np.array([0.001, 0.2, 0.2])
_PLAIN_SHEET = np.zeros(3)
#: Focal lengths to start from, in longer sides of the picture: wide phones to long lenses.
_STARTS = (0.7, 1.2, 2.5)
_BASE = (
    cv2.CALIB_USE_INTRINSIC_GUESS
    | cv2.CALIB_FIX_ASPECT_RATIO
    | cv2.CALIB_ZERO_TANGENT_DIST
    | cv2.CALIB_FIX_K3
)


@dataclass(frozen=True, slots=True, eq=False)
class ChartFit:
    """The camera that fits a set of views.

    ``sigmas`` (4,) of f, cx, cy in px and k1, from the residuals' size; ``errors_px`` a (n, 2) array a
    view, seen minus fitted; ``rotations`` and ``translations_mm``, (photos, 3, 3) and (photos, 3), take
    chart to camera. ``sheet`` (3,) is the print's length over its width, less 1, and its bow across and
    down in mm.
    """

    size_px: tuple[int, int]
    camera: Camera
    k2: float
    sigmas: Array
    sheet: Array
    errors_px: tuple[Array, ...]
    rotations: Array
    translations_mm: Array

    @property
    def values(self) -> Array:
        """f, cx, cy in px, and k1; shape (4,)."""
        return np.array([self.camera.f_px, self.camera.cx_px, self.camera.cy_px, self.camera.k1])

    @property
    def squares(self) -> float:
        """The sum of squared residuals, in px²."""
        return float(sum(np.square(errors).sum() for errors in self.errors_px))

    @property
    def variance(self) -> float:
        """Squared residuals for each degree of freedom, in px²."""
        return self.squares / self.freedom

    @property
    def freedom(self) -> int:
        """Residuals less unknowns."""
        return 2 * sum(map(len, self.errors_px)) - 6 * len(self.errors_px) - 4 - len(self.sheet)


def first_fit(views: Sequence[ChartView], width_px: int, height_px: int) -> ChartFit:
    """The fit from nothing, on a plain sheet: the best of several starts. Raises ``cv2.error``."""
    centre = ((width_px - 1) / 2, (height_px - 1) / 2)
    longer = max(width_px, height_px)
    fits = (
        _fit(views, (width_px, height_px), Camera(share * longer, *centre), _PLAIN_SHEET) for share in _STARTS
    )
    return min(fits, key=lambda fit: fit.squares)


def fit_chart(views: Sequence[ChartView], start: ChartFit, *, with_k2: bool = False) -> ChartFit:
    """The fit with its own sheet, from one that is near. Raises ``cv2.error``."""
    here = _fit(views, start.size_px, start.camera, start.sheet, with_k2=with_k2)
    there = [
        _fit(views, start.size_px, here.camera, start.sheet + step, with_k2=with_k2)
        for step in np.diag(_SHEET_STEPS)
    ]
    by_sheet = np.stack([_flat(fit) - _flat(here) for fit in there], axis=1) / _SHEET_STEPS
    moves = np.stack([fit.values - here.values for fit in there], axis=1) / _SHEET_STEPS
    spread = np.linalg.inv(by_sheet.T @ by_sheet / here.variance + np.diag(_SHEET_SIGMAS**-2.0))
    step = -spread @ (by_sheet.T @ _flat(here) / here.variance + start.sheet / _SHEET_SIGMAS**2)
    fit = _fit(
        views,
        start.size_px,
        here.camera,
        start.sheet + np.clip(step, -_SHEET_SIGMAS, _SHEET_SIGMAS),
        with_k2=with_k2,
    )
    return replace(fit, sigmas=np.sqrt(fit.sigmas**2 + np.diag(moves @ spread @ moves.T)))


def _flat(fit: ChartFit) -> Array:
    return np.concatenate(fit.errors_px).ravel()


def _on_sheet(sheet: Array) -> Array:
    """Where the corners are on a sheet stretched and bowed; shape (48, 3), in mm."""
    flat = corners_mm()
    across, down = (flat / [WIDTH_MM, HEIGHT_MM] * 2 - 1).T
    bow = sheet[1] * (1 - across**2) + sheet[2] * (1 - down**2)
    return np.column_stack([flat * [1.0, 1.0 + sheet[0]], bow])


def _fit(
    views: Sequence[ChartView],
    size_px: tuple[int, int],
    start: Camera,
    sheet: Array,
    *,
    with_k2: bool = False,
) -> ChartFit:
    chart = _on_sheet(sheet)
    on_chart = [chart[view.numbers].astype(np.float32).reshape(-1, 1, 3) for view in views]
    in_picture = [view.xy_px.astype(np.float32).reshape(-1, 1, 2) for view in views]
    matrix = np.array(
        [[start.f_px, 0, start.cx_px], [0, start.f_px, start.cy_px], [0, 0, 1]], dtype=np.float64
    )
    flags = _BASE if with_k2 else _BASE | cv2.CALIB_FIX_K2
    lens = np.array([start.k1, 0.0, 0.0, 0.0, 0.0])
    _, matrix_out, lens_out, turns, shifts, sigmas, _, _ = cv2.calibrateCameraExtended(
        on_chart, in_picture, size_px, matrix, lens, flags=flags
    )
    matrix, lens = np.asarray(matrix_out, np.float64), np.asarray(lens_out, np.float64).ravel()
    errors = tuple(
        np.asarray(seen - cv2.projectPoints(points, turn, shift, matrix, lens)[0], dtype=np.float64).reshape(
            -1, 2
        )
        for points, seen, turn, shift in zip(on_chart, in_picture, turns, shifts, strict=True)
    )
    # With the aspect fixed, OpenCV gives f's sigma as that of f_y; after f_y come cx, cy, k1.
    return ChartFit(
        size_px=size_px,
        camera=Camera(float(matrix[1, 1]), float(matrix[0, 2]), float(matrix[1, 2]), float(lens[0])),
        k2=float(lens[1]),
        sigmas=np.asarray(sigmas, dtype=np.float64).ravel()[1:5],
        sheet=sheet,
        errors_px=errors,
        rotations=np.stack([cv2.Rodrigues(np.asarray(turn))[0] for turn in turns]),
        translations_mm=np.stack([np.asarray(shift, dtype=np.float64).ravel() for shift in shifts]),
    )

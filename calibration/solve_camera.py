"""A camera from photos of the chart, with sigmas that hold.

The covariance of one fit takes every corner's error as its own. Errors of one photo hang together (a bent
sheet, an odd focus), so each sigma is the larger of the covariance's and the jackknife's over photos (Efron
and Stein, Annals of Statistics 9, 1981), which sees whatever differs from photo to photo. Where the photos
prove that one radial term is too few, what a second one changes is added to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Array
from calibration.chart import HEIGHT_MM, SQUARE_MM, WIDTH_MM
from calibration.chart_fit import ChartFit, first_fit, fit_chart
from calibration.chart_view import MIN_CORNERS, ChartError, ChartView
from calibration.measured import Measured

MIN_PHOTOS = 6

_ALIKE_DEG = 20.0  # between the two charts that differ most; below this the focal length is a guess
_OUTLIER_SIGMAS = 5.0
_OUTLIER_LEAST_PX = 0.25
_OUTLIER_ROUNDS = 6
_GROUPS = 12  # of the jackknife; with more photos, several are left out at once
_PROOF_OF_K2 = 15.0  # F(1, many): by chance once in 10,000


@dataclass(frozen=True, slots=True, eq=False)
class CameraSolution:
    """What the photos say of their camera.

    ``rms_px`` and ``photo_rms_px`` are root mean square distances of corners from where the camera puts
    them; ``second_term_px`` is the part of ``rms_px`` that k2 would remove, 0 when that is not proven.
    ``spread_deg`` is the largest angle between any two photos' charts; ``stretch`` is the print's length
    over its width, less 1, and ``bow_mm`` how far the sheet's middle stands out from its edges, across and
    down; ``distance_mm`` is the median from camera to chart.
    """

    width_px: int
    height_px: int
    f_px: Measured
    cx_px: Measured
    cy_px: Measured
    k1: Measured
    views: tuple[ChartView, ...]
    rms_px: float
    photo_rms_px: tuple[float, ...]
    second_term_px: float
    stretch: float
    bow_mm: tuple[float, float]
    spread_deg: float
    distance_mm: float


def solve_camera(
    views: Sequence[ChartView], width_px: int, height_px: int, *, square_mm: float = SQUARE_MM
) -> CameraSolution:
    """The camera that took these views of one size. Raises :class:`ChartError` when none fits.

    ``square_mm`` is a printed square's measured side; only ``distance_mm`` depends on it.
    """
    if len(views) < MIN_PHOTOS:
        raise ChartError(
            f"{len(views)} photos with the chart are too few: take at least {MIN_PHOTOS}, better 10 or more"
        )
    try:
        start = first_fit(views, width_px, height_px)
        if _spread_deg(start.rotations) < _ALIKE_DEG:
            raise ChartError(
                "all photos look at the chart from nearly the same angle: "
                "take some from each side, tilted by 30 to 45 degrees"
            )
        views, fit = _without_outliers(views, start)
        sigmas = np.maximum(fit.sigmas, _jackknife(views, fit))
        richer = fit_chart(views, fit, with_k2=True)
    except cv2.error as error:
        raise ChartError(
            "no camera fits these photos: take them from different angles, all with the same lens and zoom"
        ) from error
    gain = fit.squares - richer.squares
    proven = gain > _PROOF_OF_K2 * richer.variance
    if proven:
        sigmas = np.hypot(sigmas, richer.values - fit.values)
    points = sum(map(len, views))
    f_px, cx_px, cy_px, k1 = map(Measured, fit.values.tolist(), sigmas.tolist())
    return CameraSolution(
        width_px,
        height_px,
        f_px,
        cx_px,
        cy_px,
        k1,
        views=tuple(views),
        rms_px=float(np.sqrt(fit.squares / points)),
        photo_rms_px=tuple(float(np.sqrt(np.square(errors).sum(1).mean())) for errors in fit.errors_px),
        second_term_px=float(np.sqrt(gain / points)) if proven else 0.0,
        stretch=float(fit.sheet[0]),
        bow_mm=(float(fit.sheet[1]), float(fit.sheet[2])),
        spread_deg=_spread_deg(fit.rotations),
        distance_mm=_distance_mm(fit) * square_mm / SQUARE_MM,
    )


def _without_outliers(views: Sequence[ChartView], start: ChartFit) -> tuple[list[ChartView], ChartFit]:
    """The views without corners that lie far from the fit (a glare, a finger), and the fit to the others."""
    kept, fit = list(views), fit_chart(views, start)
    for _ in range(_OUTLIER_ROUNDS):
        distances = [np.linalg.norm(errors, axis=1) for errors in fit.errors_px]
        # The median length of a vector of two normal errors is 1.18 of their sigma.
        sigma = float(np.median(np.concatenate(distances))) / 1.1774
        limit = max(_OUTLIER_SIGMAS * sigma, _OUTLIER_LEAST_PX)
        # A wrong corner pulls its neighbours off too, so only the worst of each photo go at a time.
        bad = [far > max(limit, 0.6 * far.max()) for far in distances]
        if not any(marks.any() for marks in bad):
            break
        kept = [view.without(marks) for view, marks in zip(kept, bad, strict=True)]
        for view in kept:
            if len(view) < MIN_CORNERS:
                raise ChartError(
                    f"{view.name} does not fit the other photos: "
                    "was it taken with the same lens and zoom, the chart flat?"
                )
        fit = fit_chart(kept, fit)
    return kept, fit


def _jackknife(views: Sequence[ChartView], fit: ChartFit) -> Array:
    """Sigmas of f, cx, cy, k1 from fits that each leave out one photo, or a group; shape (4,)."""
    groups = min(len(views), _GROUPS)
    values = np.stack(
        [
            fit_chart([view for at, view in enumerate(views) if at % groups != left_out], fit).values
            for left_out in range(groups)
        ]
    )
    return np.asarray(np.sqrt((groups - 1) * values.var(axis=0)))


def _spread_deg(rotations: Array) -> float:
    """The largest angle between the charts' normals in the camera's frame; ``rotations`` (n, 3, 3)."""
    normals = rotations[:, :, 2]
    return float(np.degrees(np.arccos(np.clip(normals @ normals.T, -1.0, 1.0)).max()))


def _distance_mm(fit: ChartFit) -> float:
    centres = fit.rotations @ np.array([WIDTH_MM / 2, HEIGHT_MM / 2, 0.0]) + fit.translations_mm
    return float(np.median(np.linalg.norm(centres, axis=1)))

"""Whether a camera solved from the chart may be used, and what its photos should have shown and did not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.chart_view import ChartError, ChartView
from calibration.solve_camera import CameraSolution

MAX_F_SIGMA = 0.015
MAX_PRINCIPAL_SIGMA = 0.02
MAX_RMS = 0.0015
"""Limits beyond which a solution is refused: shares of f, and of the picture's longer side."""

_FEW_PHOTOS = 10
_SMALL_SHARE = 0.15  # the chart's diagonal over the frame's
_STRETCH_WORTH_A_WORD = 0.002
_BOW_WORTH_A_WORD_MM = 0.7
_SECOND_TERM_WORTH_A_WORD_PX = 0.1
_CORNERS = {(0, 0): "top left", (0, 2): "top right", (2, 0): "bottom left", (2, 2): "bottom right"}


def require_settled(solution: CameraSolution) -> None:
    """Raise :class:`ChartError` when the photos do not settle the camera, with the likeliest reason."""
    longer = max(solution.width_px, solution.height_px)
    if solution.rms_px > MAX_RMS * longer:
        raise ChartError(
            f"the photos do not fit one camera (they are {solution.rms_px:.1f} pixels off): "
            "keep the chart flat, use the same lens and zoom for all, and leave out shaken photos"
        )
    f_share = solution.f_px.sigma / solution.f_px.mean
    centre_share = max(solution.cx_px.sigma, solution.cy_px.sigma) / longer
    if f_share <= MAX_F_SIGMA and centre_share <= MAX_PRINCIPAL_SIGMA:
        return
    if _share_of_frame(solution) < _SMALL_SHARE:
        raise ChartError(
            f"the chart is too small in the photos ({100 * _share_of_frame(solution):.0f} % of the picture): "
            "go closer"
        )
    raise ChartError(
        f"the photos do not settle the camera (focal length ± {100 * f_share:.1f} %): take more of them, "
        "all with the same lens and zoom, tilted by 30 to 45 degrees to every side"
    )


def warnings(solution: CameraSolution) -> list[str]:
    """What would make the camera file better, one sentence each."""
    said = []
    if len(solution.views) < _FEW_PHOTOS:
        said.append(f"{len(solution.views)} photos are few: with 10 or more the camera is better known")
    empty = [_CORNERS[cell] for cell in _empty_corners(solution.views, solution.width_px, solution.height_px)]
    if empty:
        said.append(
            f"no photo shows the chart at the {', '.join(empty)} of the picture: "
            "the lens is not measured there"
        )
    middle = float(np.median(solution.photo_rms_px))
    for view, rms_px in zip(solution.views, solution.photo_rms_px, strict=True):
        if rms_px > max(2.0 * middle, 0.3):
            said.append(f"{view.name} fits worse than the others ({rms_px:.2f} pixels): better leave it out")
    if solution.second_term_px > _SECOND_TERM_WORTH_A_WORD_PX:
        said.append(
            f"this lens bends more than k1 can say: {solution.second_term_px:.2f} pixels are left, "
            "and the uncertainties are widened for it"
        )
    if abs(solution.stretch) > _STRETCH_WORTH_A_WORD:
        said.append(
            f"the print is stretched by {100 * solution.stretch:+.2f} % along its length; this is allowed for"
        )
    bow_mm = max(map(abs, solution.bow_mm))
    if bow_mm > _BOW_WORTH_A_WORD_MM:
        said.append(f"the chart is bent by {bow_mm:.1f} mm; this is allowed for, but a flat one is better")
    return said


def _share_of_frame(solution: CameraSolution) -> float:
    diagonals = [np.linalg.norm(np.ptp(view.xy_px, axis=0)) for view in solution.views]
    return float(np.median(diagonals) / np.hypot(solution.width_px, solution.height_px))


def _empty_corners(views: Sequence[ChartView], width_px: int, height_px: int) -> list[tuple[int, int]]:
    """The corner cells, (row, column) of three by three over the frame, where no chart was seen."""
    xy = np.concatenate([view.xy_px for view in views])
    columns = np.clip(xy[:, 0] * 3 // width_px, 0, 2).astype(int)
    rows = np.clip(xy[:, 1] * 3 // height_px, 0, 2).astype(int)
    seen = set(zip(rows.tolist(), columns.tolist(), strict=True))
    return [cell for cell in _CORNERS if cell not in seen]

"""From a line call to its picture: what of each photo is shown, and where in it each edge was measured."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.clearance import inner_edge
from vision.draw_linecall import LineCallPicture, Patch, PhotoCrop, ViewPicture
from vision.linecall_values import DiscView, LineCall
from vision.picture import Picture

MOST_VIEWS = 3
"""Photos shown in one picture: those that count most."""

_CROP = 2.2  # of the disc's widest diameter
_PATCH_MM = 18.0
_PATCH_PX = 900
_ARC_MM = 70.0
_ARC_POINTS = 121
_CAMERAS = {
    "file": "from the camera file",
    "exif": "focal length from the photo's EXIF",
    "fitted": "focal length fitted to the rings",
    "assumed": "a usual focal length assumed",
}


def picture_of(call: LineCall) -> LineCallPicture:
    """All that the picture of a call shows."""
    shown = sorted(call.views, key=lambda view: -view.weight)[:MOST_VIEWS]
    reading = call.views[0].photo.read.reading
    geometry = {"preset": "a preset", "file": "as given", "measured": "rings measured in the photo"}
    taken = [view.photo.picture.taken for view in call.views]
    cameras = dict.fromkeys(_camera_words(view) for view in call.views)
    return LineCallPicture(
        views=tuple(
            ViewPicture(view.photo.short_name, _crop(view), _patch(view), view.gap.clearance_mm)
            for view in shown
        ),
        gap_mm=call.gap_mm,
        touch_probability=call.gap.touch_probability,
        verdict=call.gap.verdict,
        line_name=f"the {call.gap.line} line",
        disc=f"{call.disc.id}, {call.disc.team}",
        taken="; ".join(time or "not stated in the photo" for time in dict.fromkeys(taken)),
        equipment=f"{reading.equipment} ({geometry[reading.geometry]})",
        camera="; ".join(cameras),
        advice="" if call.advice is None else call.advice.words,
    )


def _camera_words(view: DiscView) -> str:
    model = view.photo.picture.camera
    how = _CAMERAS[view.photo.board.camera]
    return f"{model}, {how}" if model else how


def _crop(view: DiscView) -> PhotoCrop:
    """The photo about the place between disc and line, with the line's edges as measured there."""
    board = view.photo.board
    line, seen = board.lines[view.ring], board.view
    solid, at = view.standing.solid, view.standing.xy_mm
    middle = seen.px_from_mm(at + 0.35 * solid.widest_radius_mm * view.outward)
    scale = float(np.sqrt(np.abs(np.linalg.det(seen.px_per_mm(at)))))
    half = max(24, round(_CROP * solid.widest_radius_mm * scale))
    cut, offset = _cut(view.photo.picture, middle, half)
    away = at - line.centre_mm
    from_rad = float(np.arctan2(away[1], away[0]))
    angle = from_rad + np.linspace(-_ARC_MM, _ARC_MM, _ARC_POINTS) / line.radius_mm
    radius = np.array([inner_edge(line, float(one)).mean for one in angle])
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    inner, outer = (
        seen.px_from_mm(line.centre_mm + (radius + width)[:, None] * unit)
        for width in (0.0, line.width_mm.mean)
    )
    return PhotoCrop(cut, offset, inner, outer, np.array(view.disc.outline_px), np.array(view.disc.bottom_px))


def _cut(picture: Picture, middle_px: Array, half: int) -> tuple[NDArray[np.uint8], tuple[int, int]]:
    """A square of the photo, moved inside it where it would stick out."""
    side = min(2 * half, picture.width_px, picture.height_px)
    left, top = (
        int(np.clip(round(float(m)) - side // 2, 0, size - side))
        for m, size in zip(middle_px, (picture.width_px, picture.height_px), strict=True)
    )
    return picture.rgb[top : top + side, left : left + side], (left, top)


def _patch(view: DiscView) -> Patch:
    """The surface from above about the gap, turned so that up in the photo is up here."""
    board = view.photo.board
    line, solid = board.lines[view.ring], view.standing.solid
    at = view.standing.xy_mm - line.centre_mm
    from_rad = float(np.arctan2(at[1], at[0]))
    edge_mm = inner_edge(line, from_rad).mean
    gap = view.gap.clearance_mm
    span_mm = _PATCH_MM + 2.4 * abs(gap.mean) + 4.0 * min(gap.sigma, 5.0)
    middle = (edge_mm - 0.5 * gap.mean - 0.08 * span_mm) * view.outward
    turn = _upright_rad(board.view, line.centre_mm + middle)
    c, s = np.cos(turn), np.sin(turn)
    to_board = np.array([[c, -s], [s, c]])  # columns: the patch's right and up on the board
    steps = (np.arange(_PATCH_PX) + 0.5) / _PATCH_PX * span_mm - span_mm / 2
    right, up = np.meshgrid(steps, -steps)
    xy = line.centre_mm + middle + np.stack([right, up], -1) @ to_board.T
    px = board.view.px_from_mm(xy).astype(np.float32)
    rgb = cv2.remap(
        view.photo.picture.rgb, px[..., 0], px[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    centre, bottom = middle @ to_board, at @ to_board
    return Patch(
        np.asarray(rgb, dtype=np.uint8),
        _PATCH_PX / span_mm,
        (float(centre[0]), float(centre[1])),
        edge_mm,
        edge_mm + line.width_mm.mean,
        (float(bottom[0]), float(bottom[1])),
        solid.bottom_radius_mm,
    )


def _upright_rad(view: View, xy_mm: Array) -> float:
    """The board direction that points to the right in the photo, there."""
    right = np.linalg.solve(view.px_per_mm(xy_mm), np.array([1.0, 0.0]))
    return float(np.arctan2(right[1], right[0]))

"""The two views of a line call: the photo's own pixels, and the board straight from above.

What is what shows by form as well as by colour: the edge that decides is a full line, the other one is
dashed, the bottom of the disc is thick with a band of uncertainty round it, what is seen of the disc is thin.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.measured import Measured
from vision.draw_words import gap_words
from vision.ink import Canvas
from vision.ink_box import Box
from vision.ink_colours import BLACK, ORANGE, SKY, WHITE, Rgb
from vision.ink_letters import cap_height, text_width

EDGE: Rgb = SKY
BOTTOM: Rgb = ORANGE
SEEN: Rgb = WHITE
STROKE_PX = 3.6
CASING_PX = 1.6
DASH_PX = 12.0
BAND_SIGMAS = 2.0
BAND_OPACITY = 0.4
_TEXT_PX = 38.0
_CIRCLE_POINTS = 2000
_SCALES_MM = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
_BAR_PX = 9.0
_HIDDEN = 90  # of 255: how much ink the line has where the disc hides it


@dataclass(frozen=True, slots=True, eq=False)
class PhotoCrop:
    """A part of the photo, and what was fitted in it, in pixels of the whole photo.

    ``offset_px`` is where the part's top left pixel lies in the photo. The edges of the line are open
    polylines, the disc's outline and its bottom circle closed polygons, all (n, 2).
    """

    rgb: NDArray[np.uint8]
    offset_px: tuple[int, int]
    inner_edge_px: Array
    outer_edge_px: Array
    outline_px: Array
    bottom_px: Array


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """The board straight from above, and the circles measured on it.

    Its frame is in millimetres with the origin at the line's own centre, x to the right and y upwards;
    ``centre_mm`` is the middle of the array. ``inner_mm`` and ``outer_mm`` are the radii of the line's edges.
    """

    rgb: NDArray[np.uint8]
    px_per_mm: float
    centre_mm: tuple[float, float]
    inner_mm: float
    outer_mm: float
    bottom_centre_mm: tuple[float, float]
    bottom_radius_mm: float


def draw_crop(crop: PhotoCrop, side_px: int) -> NDArray[np.uint8]:
    """The photo's part in a square of ``side_px``, with the line's edges and the disc as a solid."""
    canvas, zoom, corner = _enlarged(crop.rgb, side_px)

    def shown(points_px: Array) -> Array:
        return np.asarray((points_px - np.array(crop.offset_px) + 0.5) * zoom + corner - 0.5)

    outline = shown(crop.outline_px)
    hidden = np.full(canvas.rgb.shape[:2], 255, np.uint8)
    cv2.fillPoly(hidden, [np.rint(outline).astype(np.int32)], _HIDDEN)
    canvas.stroke(outline, SEEN, STROKE_PX / 2, casing=CASING_PX)
    _draw_edges(canvas, shown(crop.inner_edge_px), shown(crop.outer_edge_px), closed=False, shade=hidden)
    canvas.stroke(shown(crop.bottom_px), BOTTOM, 1.5 * STROKE_PX, casing=CASING_PX)
    return canvas.rgb


def draw_patch(patch: Patch, gap_mm: Measured, side_px: int) -> NDArray[np.uint8]:
    """The view from above in a square of ``side_px``, with the bottom's band of uncertainty and the gap."""
    canvas, zoom, corner = _enlarged(patch.rgb, side_px)
    middle_px = np.array([patch.rgb.shape[1], patch.rgb.shape[0]]) / 2 * zoom + corner - 0.5
    scale = zoom * patch.px_per_mm

    def shown(points_mm: Array) -> Array:
        return np.asarray(middle_px + (points_mm - np.array(patch.centre_mm)) * np.array([scale, -scale]))

    centre, radius = np.array(patch.bottom_centre_mm), patch.bottom_radius_mm
    reach = min(BAND_SIGMAS * gap_mm.sigma, radius)
    band = [_circle(centre, radius + reach), _circle(centre, radius - reach)[::-1]]
    canvas.fill(
        shown(np.concatenate([np.concatenate([ring, ring[:1]]) for ring in band])), BOTTOM, BAND_OPACITY
    )
    for ring in band:
        canvas.stroke(shown(ring), BOTTOM, STROKE_PX / 2, dash=DASH_PX / 2)
    _draw_edges(canvas, *(shown(_circle(np.zeros(2), edge)) for edge in (patch.inner_mm, patch.outer_mm)))
    canvas.stroke(shown(_circle(centre, radius)), BOTTOM, 1.5 * STROKE_PX, casing=CASING_PX)
    away = centre / max(float(np.linalg.norm(centre)), 1e-9)
    ends = shown(np.stack([centre + radius * away, patch.inner_mm * away]))
    _draw_gap(canvas, ends, away * np.array([1.0, -1.0]), gap_words(gap_mm), side_px)
    _draw_scale_bar(canvas, scale, side_px)
    return canvas.rgb


def _enlarged(rgb: NDArray[np.uint8], side_px: int) -> tuple[Canvas, float, Array]:
    """A square with the picture as large as fits in its middle, its zoom, and its left top corner there."""
    zoom = side_px / max(rgb.shape[:2])
    size = (max(1, round(rgb.shape[1] * zoom)), max(1, round(rgb.shape[0] * zoom)))
    how = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA
    square = np.full((side_px, side_px, 3), BLACK, np.uint8)
    left, top = (side_px - size[0]) // 2, (side_px - size[1]) // 2
    square[top : top + size[1], left : left + size[0]] = cv2.resize(rgb, size, interpolation=how)
    return Canvas(square), zoom, np.array([left, top], dtype=np.float64)


def _draw_edges(
    canvas: Canvas,
    inner: Array,
    outer: Array,
    *,
    closed: bool = True,
    shade: NDArray[np.uint8] | None = None,
) -> None:
    canvas.stroke(inner, EDGE, STROKE_PX, casing=CASING_PX, closed=closed, shade=shade)
    canvas.stroke(outer, EDGE, STROKE_PX, casing=CASING_PX, closed=closed, dash=DASH_PX, shade=shade)


def _draw_gap(canvas: Canvas, ends: Array, along: Array, words: str, side_px: int) -> None:
    """A dimension from the bottom's nearest point to the edge that decides, its number beside it.

    ``along`` is the unit vector outward, whichever of both ends lies farther out.
    """
    across = np.array([-along[1], along[0]])
    tick = 0.035 * side_px
    for end in ends:
        canvas.stroke(
            np.stack([end - tick * across, end + tick * across]),
            WHITE,
            STROKE_PX,
            casing=CASING_PX,
            closed=False,
        )
    canvas.stroke(ends, WHITE, STROKE_PX, casing=CASING_PX, closed=False)
    width, height = text_width(words, _TEXT_PX) + _TEXT_PX, cap_height(_TEXT_PX) + _TEXT_PX
    # On the disc, where it hides neither edge.
    away = tick + abs(along[0]) * width / 2 + abs(along[1]) * height / 2
    at = ends[0] - along * away
    x, y = (
        float(np.clip(v, half, side_px - half)) for v, half in zip(at, (width / 2, height / 2), strict=True)
    )
    plate = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    canvas.fill(plate.rounded(0.4 * _TEXT_PX), BLACK, 0.85)
    canvas.text((x, y), words, _TEXT_PX, WHITE, align="middle")


def _draw_scale_bar(canvas: Canvas, px_per_mm: float, side_px: int) -> None:
    """A bar of a round length, at most a third of the picture, on a plate of its own."""
    length_mm = max((mm for mm in _SCALES_MM if mm * px_per_mm <= side_px / 3), default=_SCALES_MM[0])
    words, length, cap = f"{length_mm:g} mm", length_mm * px_per_mm, cap_height(_TEXT_PX)
    left, bottom = 0.04 * side_px, 0.96 * side_px
    width = max(length, text_width(words, _TEXT_PX))
    plate = Box(left, bottom - 1.7 * cap, left + width, bottom).grown(0.45 * _TEXT_PX)
    canvas.fill(plate.rounded(0.4 * _TEXT_PX), BLACK, 0.85)
    canvas.fill(Box(left, bottom - _BAR_PX, left + length, bottom).corners, WHITE)
    canvas.text((left, bottom - 1.2 * cap), words, _TEXT_PX, WHITE)


def _circle(centre: Array, radius: float) -> Array:
    angle = np.arange(_CIRCLE_POINTS) * (2 * np.pi / _CIRCLE_POINTS)
    return np.asarray(centre + radius * np.stack([np.cos(angle), np.sin(angle)], 1))

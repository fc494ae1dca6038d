"""The fitted lines, the discs and their points, drawn on the part of the photo that is shown."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.draw_frame import Frame, polygon
from vision.draw_labels import Label
from vision.draw_marks import LINE_SPACING, Mark
from vision.ink import Canvas
from vision.ink_colours import BLACK, SKY, WHITE, YELLOW, Rgb, mixed, opposite
from vision.reading import BoardReading

LINE: Rgb = mixed(SKY, WHITE, 0.6)
CLOSE: Rgb = YELLOW
_LINES_ON_DISCS = 90
"""Of 255: how much of a fitted line shows through a disc that lies on it."""


def draw_lines(canvas: Canvas, reading: BoardReading, marks: Iterable[Mark], frame: Frame) -> None:
    """The fitted middle of each painted line, fainter where a disc hides it."""
    unit = _thin_px(frame)
    shade = np.full(canvas.rgb.shape[:2], 255, np.uint8)
    for mark in marks:
        cv2.fillPoly(shade, [np.rint(mark.outline).astype(np.int32)], _LINES_ON_DISCS, cv2.LINE_AA)
    for line in reading.board.lines_px.values():
        canvas.stroke(frame.shown(polygon(line)), LINE, 1.5 * unit, casing=0.8 * unit, shade=shade)


def draw_discs(canvas: Canvas, marks: Iterable[Mark], frame: Frame) -> None:
    """The discs' edges, then all labels on top of them."""
    unit = _thin_px(frame)
    for mark in marks:
        _draw_edges(canvas, mark, unit)
    for mark in marks:
        _draw_points(canvas, mark, unit)
        if mark.callout is not None:
            _draw_plate(canvas, mark.callout, mark.called, CLOSE, unit)


def _draw_edges(canvas: Canvas, mark: Mark, unit: float) -> None:
    if mark.in_play:
        canvas.stroke(mark.outline, opposite(mark.colour), 1.2 * unit, alpha=0.45)
        dash = 5 * unit if mark.ring is not None else 0.0
        canvas.stroke(mark.bottom, mark.colour, 2.6 * unit, casing=1.1 * unit, dash=dash)
    else:
        canvas.fill(mark.outline, BLACK, 0.4)
        canvas.stroke(mark.outline, mark.colour, 1.6 * unit, casing=0.6 * unit, alpha=0.6)
    if mark.ring is not None:
        canvas.stroke(mark.ring, CLOSE, 2.9 * unit, casing=1.0 * unit, dash=7 * unit)


def _draw_points(canvas: Canvas, mark: Mark, unit: float) -> None:
    label = mark.label
    if label.leader is not None:
        _draw_plate(canvas, label, (mark.points,), mark.colour, unit)
        return
    ink, alpha = (opposite(mark.colour), 1.0) if mark.in_play else (WHITE, 0.8)
    canvas.text(
        label.box.centre,
        mark.points,
        label.size,
        ink,
        align="middle",
        bold=0.02 * label.size,
        casing=0.07 * label.size,
        alpha=alpha,
    )


def _draw_plate(canvas: Canvas, label: Label, lines: tuple[str, ...], colour: Rgb, unit: float) -> None:
    """A dark plate with light text, the first of several lines in the plate's colour, and its leader."""
    if label.leader is not None:
        canvas.stroke(label.leader, colour, 1.8 * unit, casing=0.8 * unit, closed=False)
    plate = label.box.rounded(0.45 * label.size)
    canvas.fill(plate, BLACK, 0.88)
    canvas.stroke(plate, colour, 2.0 * unit)
    x, y = label.box.centre
    for row, line in enumerate(lines):
        at = (x, y + (row - (len(lines) - 1) / 2) * LINE_SPACING * label.size)
        ink = colour if row == 0 and len(lines) > 1 else WHITE
        canvas.text(at, line, label.size, ink, align="middle", bold=0.015 * label.size)


def _thin_px(frame: Frame) -> float:
    """The width of a thin stroke: about one pixel of a screen that shows the whole drawing."""
    return max(frame.shown_px) / 1400

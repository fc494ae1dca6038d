"""The fitted lines, the discs and their points, drawn on the part of the photo that is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Array
from vision.draw_frame import Frame, polygon
from vision.draw_labels import Label, beside, inside, label_size
from vision.draw_words import gap_words
from vision.ink import Box, Canvas, box_around
from vision.ink_colours import BLACK, SKY, WHITE, YELLOW, Rgb, mixed, opposite
from vision.ink_letters import cap_height, text_width
from vision.reading import BoardReading, Place, SeenDisc, Verdict

LINE: Rgb = mixed(SKY, WHITE, 0.6)
CLOSE: Rgb = YELLOW
_LINES_ON_DISCS = 90
"""Of 255: how much of a fitted line shows through a disc that lies on it."""
_LEAST_TEXT = 0.011
"""The smallest text by the longer side of the drawing: what still reads on a phone."""
_PADDING = 0.5
"""Round the text of a plate, by its size."""
_LINE_SPACING = 1.3
_CLOSE_RING = 1.28
"""The dashed ring round a disc to look at again, by the disc's own outline."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One disc as it is drawn, in px of the drawing; ``callout`` is what stands beside one to look at again."""

    disc: SeenDisc
    colour: Rgb
    points: str
    outline: Array
    bottom: Array
    label: Label
    callout: Label | None


def is_close(disc: SeenDisc) -> bool:
    """Whether a person should look at the disc again."""
    too_close = disc.gap is not None and disc.gap.verdict is Verdict.TOO_CLOSE
    return too_close or disc.doubt is not None or (disc.place is Place.HOLE and not disc.flat)


def callout_lines(disc: SeenDisc) -> list[str]:
    """What stands beside a disc to look at again."""
    head = f"? disc {disc.id}"
    if disc.gap is not None and disc.gap.verdict is Verdict.TOO_CLOSE:
        return [head, gap_words(disc.gap.clearance_mm)]
    return [head]


def marks_of(
    reading: BoardReading, points: Mapping[int, int], colours: Mapping[str, Rgb], frame: Frame
) -> list[Mark]:
    """All discs with a place for each label; those to look at again are last, so that they lie on top."""
    width, height = frame.shown_px
    least = _LEAST_TEXT * max(width, height)
    within = Box(0.0, 0.0, width, height).grown(-least / 2)
    outlines = {disc.id: frame.shown(polygon(disc.outline_px)) for disc in reading.discs}
    size = max(label_size(list(outlines.values())), least)
    taken = [box_around(outline) for outline in outlines.values()]
    marks = []
    for disc in sorted(reading.discs, key=lambda disc: (not is_close(disc), disc.id)):
        outline, text = outlines[disc.id], str(points[disc.id])
        own = size if _in_play(disc) else max(0.7 * size, least)
        label = inside(text, frame.shown(np.array(disc.pixel)), outline, own, least)
        if label is None:
            label = beside(*_plate([text], own), own, outline, taken, within)
            taken.append(label.box)
        callout = None
        if is_close(disc):
            small = max(0.75 * size, least)
            ring = _around(outline, _CLOSE_RING)
            callout = beside(*_plate(callout_lines(disc), small), small, ring, taken, within)
            taken.append(callout.box)
        bottom = frame.shown(polygon(disc.bottom_px))
        marks.append(Mark(disc, colours[disc.team], text, outline, bottom, label, callout))
    return marks[::-1]


def draw_lines(canvas: Canvas, reading: BoardReading, marks: list[Mark], frame: Frame) -> None:
    """The fitted middle of each painted line, fainter where a disc hides it."""
    unit = _stroke_unit(frame)
    shade = np.full(canvas.rgb.shape[:2], 255, np.uint8)
    for mark in marks:
        cv2.fillPoly(shade, [np.rint(mark.outline).astype(np.int32)], _LINES_ON_DISCS, cv2.LINE_AA)
    for line in reading.board.lines_px.values():
        canvas.stroke(frame.shown(polygon(line)), LINE, 1.1 * unit, casing=0.8 * unit, shade=shade)


def draw_discs(canvas: Canvas, marks: list[Mark], frame: Frame) -> None:
    """The discs' edges, then all labels on top of them."""
    unit = _stroke_unit(frame)
    for mark in marks:
        _draw_edges(canvas, mark, unit)
    for mark in marks:
        _draw_points(canvas, mark, unit)
        if mark.callout is not None:
            _draw_plate(canvas, mark.callout, callout_lines(mark.disc), CLOSE, unit)


def _draw_edges(canvas: Canvas, mark: Mark, unit: float) -> None:
    if not _in_play(mark.disc):
        canvas.fill(mark.outline, BLACK, 0.4)
        canvas.stroke(mark.outline, mark.colour, 1.2 * unit, casing=0.6 * unit, alpha=0.6)
    else:
        canvas.stroke(mark.outline, opposite(mark.colour), unit, alpha=0.45)
        dash = 5 * unit if is_close(mark.disc) else 0.0
        canvas.stroke(mark.bottom, mark.colour, 2.2 * unit, casing=1.1 * unit, dash=dash)
    if is_close(mark.disc):
        ring = _around(mark.outline, _CLOSE_RING)
        canvas.stroke(ring, CLOSE, 2.4 * unit, casing=0.9 * unit, dash=7 * unit)


def _draw_points(canvas: Canvas, mark: Mark, unit: float) -> None:
    label = mark.label
    if label.leader is not None:
        _draw_plate(canvas, label, [mark.points], mark.colour, unit)
        return
    # The colour that reads on the disc itself, which may be lit otherwise than its side's others.
    dim = 1.0 if _in_play(mark.disc) else 0.75
    ink = opposite(mark.colour)
    canvas.text(
        label.box.centre,
        mark.points,
        label.size,
        ink,
        align="middle",
        bold=0.035 * label.size,
        casing=0.07 * label.size,
        alpha=dim,
    )


def _draw_plate(canvas: Canvas, label: Label, lines: list[str], colour: Rgb, unit: float) -> None:
    """A dark plate with light text and a rim in a colour, and its leader."""
    if label.leader is not None:
        canvas.stroke(label.leader, colour, 1.6 * unit, casing=0.8 * unit, closed=False)
    plate = label.box.rounded(0.45 * label.size)
    canvas.fill(plate, BLACK, 0.88)
    canvas.stroke(plate, colour, 1.6 * unit)
    x, y = label.box.centre
    step = _LINE_SPACING * label.size
    for row, line in enumerate(lines):
        at = (x, y + (row - (len(lines) - 1) / 2) * step)
        ink = CLOSE if row == 0 and len(lines) > 1 else WHITE
        canvas.text(at, line, label.size, ink, align="middle", bold=0.02 * label.size)


def _plate(lines: list[str], size: float) -> tuple[float, float]:
    """Width and height of a plate for lines of text."""
    width = max(text_width(line, size) for line in lines)
    height = cap_height(size) + (len(lines) - 1) * _LINE_SPACING * size
    return width + 2 * _PADDING * size, height + 2 * _PADDING * size


def _in_play(disc: SeenDisc) -> bool:
    return disc.place in (Place.BOARD, Place.HOLE)


def _around(outline: Array, share: float) -> Array:
    centre = outline.mean(0)
    return np.asarray(centre + share * (outline - centre))


def _stroke_unit(frame: Frame) -> float:
    """The width of a thin stroke in px: about one on a screen that shows the whole drawing."""
    return max(frame.shown_px) / 1400

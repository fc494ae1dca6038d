"""What is drawn of each disc, and where: its edges in the drawing's pixels, and places for its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Array
from vision.draw_frame import Frame, polygon
from vision.draw_labels import Label, beside, inside, label_size
from vision.draw_words import gap_words
from vision.ink_box import Box, box_around
from vision.ink_colours import Rgb
from vision.ink_letters import cap_height, text_width
from vision.reading import BoardReading, Place, SeenDisc, Verdict

LINE_SPACING = 1.3
"""Between the lines of a plate, by the size of its text."""
_LEAST_TEXT = 0.011
"""The smallest text by the longer side of the drawing: what still reads on a phone."""
_PADDING = 0.5
"""Round the text of a plate, by its size."""
_DOWN_THE_DISC = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Where on a disc its points may stand, from its top to its bottom."""
_RING = 1.28
"""The ring round a disc to look at again, by the disc's own outline."""


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One disc as it is drawn, in px of the drawing.

    ``ring`` and ``callout``, of the lines ``called``, are there for a disc to look at again.
    """

    colour: Rgb
    in_play: bool
    points: str
    outline: Array
    bottom: Array
    label: Label
    ring: Array | None = None
    callout: Label | None = None
    called: tuple[str, ...] = ()


def reasons(disc: SeenDisc) -> list[str]:
    """Why a person should look at the disc again; mostly nothing."""
    why = []
    if disc.gap is not None and disc.gap.verdict is Verdict.TOO_CLOSE:
        why.append(f"too close to the {disc.gap.line} line: {gap_words(disc.gap.clearance_mm)}")
    if disc.doubt is not None:
        why.append(disc.doubt)
    elif disc.place is Place.HOLE and not disc.flat:
        why.append("leans on the hole's edge")
    return why


def marks_of(
    reading: BoardReading, points: Mapping[int, int], colours: Mapping[str, Rgb], frame: Frame
) -> list[Mark]:
    """All discs with a place for each label; those to look at again are last, so that they lie on top."""
    width, height = frame.shown_px
    least = _LEAST_TEXT * max(width, height)
    within = Box(0.0, 0.0, width, height).grown(-least / 2)
    outlines = {disc.id: frame.shown(polygon(disc.outline_px)) for disc in reading.discs}
    size = max(label_size(list(outlines.values())), least)
    small = max(0.75 * size, least)
    taken = [box_around(outline) for outline in outlines.values()]
    marks = []
    for disc in sorted(reading.discs, key=lambda disc: (not reasons(disc), disc.id)):
        outline, bottom = outlines[disc.id], frame.shown(polygon(disc.bottom_px))
        text, in_play = str(points[disc.id]), disc.place in (Place.BOARD, Place.HOLE)
        top = frame.shown(np.array(disc.pixel))
        # The drawn bottom edge must not cross the points: seen from the side they move down the disc.
        shapes = [outline, bottom] if in_play else [outline]
        centres = [top + share * (bottom.mean(0) - top) for share in _DOWN_THE_DISC]
        own = size if in_play else small
        label = inside(text, own, least, centres, shapes)
        if label is None:
            label = beside(*plate_size((text,), own), own, outline, taken, within)
            taken.append(label.box)
        mark = Mark(colours[disc.team], in_play, text, outline, bottom, label)
        if reasons(disc):
            ring = np.asarray(outline.mean(0) + _RING * (outline - outline.mean(0)))
            called = _called(disc)
            callout = beside(*plate_size(called, small), small, ring, taken, within)
            taken.append(callout.box)
            mark = replace(mark, ring=ring, callout=callout, called=called)
        marks.append(mark)
    return marks[::-1]


def plate_size(lines: tuple[str, ...], size: float) -> tuple[float, float]:
    """Width and height of a plate for lines of text."""
    width = max(text_width(line, size) for line in lines)
    height = cap_height(size) + (len(lines) - 1) * LINE_SPACING * size
    return width + 2 * _PADDING * size, height + 2 * _PADDING * size


def _called(disc: SeenDisc) -> tuple[str, ...]:
    """What stands beside a disc to look at again."""
    head = f"? disc {disc.id}"
    if disc.gap is not None and disc.gap.verdict is Verdict.TOO_CLOSE:
        return head, gap_words(disc.gap.clearance_mm)
    return (head,)

"""Where labels go: inside a disc where they fit, else beside it, clear of all discs and other labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Array
from vision.ink_box import Box, box_around
from vision.ink_letters import cap_height, text_width

_OF_A_DISC = 0.5
"""The size of the points by a disc's diameter."""
_SHRINK = (1.0, 0.85, 0.7)
_MARGIN = 0.1
"""Between a text and the edge of what it lies on, by its size."""
_DIRECTIONS = 24
_REACHES = (0.2, 0.5, 1.0, 1.6, 2.4)
"""How far beside a disc a label may lie, in disc diameters."""


@dataclass(frozen=True, slots=True)
class Label:
    """A place for a text: ``leader`` runs from the disc to a label that lies beside it."""

    box: Box
    size: float
    leader: Array | None = None


def label_size(outlines: Sequence[Array]) -> float:
    """One size for all points, in px, by the discs' middle size."""
    if not outlines:
        return 1.0
    return _OF_A_DISC * float(np.median([np.sqrt(4 / np.pi * area(outline)) for outline in outlines]))


def inside(
    text: str, size: float, least: float, centres: Sequence[Array], shapes: Sequence[Array]
) -> Label | None:
    """The text at one of the centres, clear of the edges of all shapes; None where it does not fit.

    It is as large as it can be, at most ``size`` and at least ``least`` px; earlier centres are better.
    """
    edges = [shape.astype(np.float32).reshape(-1, 1, 2) for shape in shapes]
    for share in _SHRINK:
        for centre in centres:
            own = share * size
            label = Label(_centred(centre, text_width(text, own), cap_height(own)), own)
            corners = [(float(x), float(y)) for x, y in label.box.corners]
            room = min(cv2.pointPolygonTest(edge, corner, True) for edge in edges for corner in corners)
            if own >= least and room >= _MARGIN * own:
                return label
    return None


def beside(
    width: float, height: float, size: float, outline: Array, avoid: Sequence[Box], within: Box
) -> Label:
    """A place for a plate near a disc: the one that covers least of ``avoid``, then the nearest.

    Outwards from the middle of ``within`` comes first among equals, so that labels fan out.
    """
    disc = box_around(outline)
    centre, diameter = np.array(disc.centre), np.sqrt(4 / np.pi * area(outline))
    outwards = centre - np.array(within.centre)
    best: tuple[float, Box] | None = None
    for reach in _REACHES:
        for angle in np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS):
            ray = np.array([np.cos(angle), np.sin(angle)])
            half = np.array([disc.width + width, disc.height + height]) / 2 + reach * diameter
            box = _centred(centre + ray * (half / np.maximum(np.abs(ray), 1e-9)).min(), width, height)
            outside = box.width * box.height - box.overlap(within)
            covered = sum(box.overlap(other) for other in avoid) + 4 * outside
            inwards = -float(ray @ outwards) / (1 + float(np.linalg.norm(outwards)))
            cost = covered * 100 / (width * height) + 4 * reach + inwards
            if best is None or cost < best[0]:
                best = cost, box
    assert best is not None
    return Label(best[1], size, _leader(centre, outline, best[1]))


def area(outline: Array) -> float:
    """What a polygon covers, in px²."""
    x, y = outline.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def _leader(centre: Array, outline: Array, box: Box) -> Array:
    """From the disc's edge to the nearest point of a box."""
    end = np.clip(centre, box.corners[0], box.corners[2])
    start = outline[np.linalg.norm(outline - end, axis=1).argmin()]
    return np.stack([start, end])


def _centred(centre: Array, width: float, height: float) -> Box:
    x, y = float(centre[0]), float(centre[1])
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

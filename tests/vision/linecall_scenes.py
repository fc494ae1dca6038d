"""One position of discs near the lines, photographed from three sides."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from calibration.camera import View
from calibration.equipment import Equipment
from calibration.pixels import AtHand
from tests.drawn import Drawing, view_of
from tests.vision.drawn_discs import DARK, PALE, SOLID, Disc, board_with
from vision.linecall import read_for_linecall
from vision.linecall_values import ReadPhoto
from vision.picture import Picture

SIZE_PX = (850, 850)
LINE_MM = 1.6
VIEWS: dict[str, View] = {
    "a": view_of(8, azimuth_deg=10, size_px=SIZE_PX),
    "b": view_of(30, azimuth_deg=100, size_px=SIZE_PX),
    "c": view_of(34, azimuth_deg=230, roll_deg=20, size_px=SIZE_PX, f_px=930),
}


def beside(line_mm: float, gap_mm: float, degrees: float) -> tuple[float, float]:
    """Where a disc stands that has this gap to the inner edge of a line of that radius."""
    radius = line_mm - LINE_MM / 2 - gap_mm - SOLID.bottom_radius_mm
    return radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))


#: Each close disc's gap, by where it is.
GAPS_MM = {beside(203.2, 0.4, 20): 0.4, beside(203.2, -1.0, 140): -1.0, beside(304.8, 2.0, 250): 2.0}
AWAY = ((39.0, 145.0), (164.0, -195.0), (-56.0, -20.0))
DISCS = (
    *(Disc(xy, colour) for xy, colour in zip(GAPS_MM, (DARK, PALE, DARK), strict=True)),
    *(Disc(xy, colour) for xy, colour in zip(AWAY, (PALE, DARK, PALE), strict=True)),
)


def photographed(name: str, discs: tuple[Disc, ...] = DISCS, what: Drawing | None = None) -> Picture:
    return Picture(AtHand(board_with(VIEWS[name], list(discs), what, SIZE_PX)), f"shots/{name}.jpg", "PNG")


@cache
def read(name: str) -> ReadPhoto:
    """One of the three photos, read with the equipment known."""
    return read_for_linecall(photographed(name), Equipment())


def true_gap_mm(photo: ReadPhoto, index: int) -> float:
    """The gap of the disc that was drawn where this one is seen."""
    at = photo.read.standing[index].xy_mm
    shown = VIEWS[photo.short_name[0]].mm_from_px(photo.board.view.px_from_mm(at))
    apart = [math.dist(shown, xy) for xy in GAPS_MM]
    assert min(apart) < 3.0
    return list(GAPS_MM.values())[int(np.argmin(apart))]

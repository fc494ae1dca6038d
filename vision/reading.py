"""What is seen in one photo: the values that vision hands on. No rules, no points.

Frames: ``*_px`` in the photo as a person sees it (OpenCV convention, pixel centres at whole numbers);
``*_mm`` in the board frame (origin at the hole's centre, playing surface at z = 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from calibration.measured import Measured


class Place(StrEnum):
    """Where a disc lies."""

    BOARD = "board"
    HOLE = "hole"
    DITCH = "ditch"
    OFF = "off"


class Verdict(StrEnum):
    """What the measured gap proves about a disc and a line."""

    CLEAR = "clear"
    TOUCHING = "touching"
    TOO_CLOSE = "too_close"


@dataclass(frozen=True, slots=True)
class LineGap:
    """The gap between a disc's bottom circle and the painted band of one line.

    ``line`` is the region the line bounds from outside: 15, 10 or 5.
    ``clearance_mm`` is positive for daylight, negative for a disc over the line's inner edge.
    """

    line: int
    clearance_mm: Measured
    touch_probability: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class SeenDisc:
    """One disc as it lies.

    ``pixel`` is the centre of the visible top face; ``x_mm, y_mm`` the centre of the *bottom* face on the
    surface (for a disc in the ditch or off the board: where it would be, to a few millimetres only).
    ``sigma_mm`` is the one-sigma uncertainty of that centre, each axis. ``gap`` is set for discs on the
    board. ``bottom_px`` is the closed polygon of its bottom edge in the photo, hidden parts included, and
    ``outline_px`` that of what is seen of it. ``flat`` is False for a disc that leans on the hole's edge;
    ``doubt`` says in plain words what a person should look at. ``team`` is a plain colour word. ``colour`` is
    the top face's colour as ``#rrggbb``.
    """

    id: int
    team: str
    colour: str
    place: Place
    pixel: tuple[float, float]
    x_mm: float
    y_mm: float
    sigma_mm: float
    gap: LineGap | None
    bottom_px: tuple[tuple[float, float], ...]
    outline_px: tuple[tuple[float, float], ...]
    flat: bool = True
    doubt: str | None = None


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """The fitted board: ``lines_px`` are closed polygons along the middle of each painted line."""

    centre_px: tuple[float, float]
    tilt_deg: float
    fit_rms_px: float
    camera: str
    lines_px: dict[int, tuple[tuple[float, float], ...]]


@dataclass(frozen=True, slots=True)
class BoardReading:
    """All that was read from one photo.

    ``teams`` lists every team told apart, also one with no scoring disc.
    """

    photo: str
    width_px: int
    height_px: int
    equipment: str
    ring_radii_mm: tuple[float, float, float]
    geometry: str
    board: SeenBoard
    discs: tuple[SeenDisc, ...]
    teams: tuple[str, ...]
    warnings: tuple[str, ...]

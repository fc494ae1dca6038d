"""What readings and line calls look like, for the interface's description."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from service.http.schemas import Shown

PointPx = Annotated[list[float | None], Field(min_length=2, max_length=2)]


class LineShown(Shown):
    """The gap of a disc's bottom to the painted band of a line; negative is over the line."""

    name: Literal["15", "10", "5"]
    clearance_mm: float | None
    sigma_mm: float | None
    touch_probability: float | None
    verdict: Literal["clear", "touching", "too_close"]


class DiscShown(Shown):
    """A disc as it lies; `pixel` is its top's centre, `x_mm`, `y_mm` its bottom's on the board."""

    id: int
    team: str
    colour: str
    place: Literal["board", "hole", "ditch", "off"]
    pixel: PointPx
    x_mm: float | None
    y_mm: float | None
    sigma_mm: float | None
    region: int
    points: int
    line: LineShown | None


class BoardShown(Shown):
    """The fitted board; `lines_px` are closed polygons along the painted lines in the photo."""

    centre_px: PointPx
    tilt_deg: float | None
    fit_rms_px: float | None
    camera: str
    lines_px: dict[str, list[PointPx]]


class SideShown(Shown):
    """What a side has."""

    team: str
    name: str | None
    board: int
    twenties: int
    total: int


class RoundShown(Shown):
    """Who won the round by how much."""

    winner: str | None
    difference: int


class ReviewShown(Shown):
    """A disc to look at again, and why."""

    disc: int
    why: str


class ReadingShown(Shown):
    """One photo read, and where it is kept."""

    id: str
    photo_sha256: str
    table: str | None
    created_at: str
    photo: str
    width_px: int
    height_px: int
    equipment: str
    ring_radii_mm: list[float | None]
    geometry: Literal["preset", "file", "measured"]
    board: BoardShown
    discs: list[DiscShown]
    sides: list[SideShown]
    round: RoundShown
    needs_review: list[ReviewShown]
    warnings: list[str]


class LineCallShown(Shown):
    """The calls on the discs of some photos of one position."""

    id: str
    created_at: str
    photo_sha256s: list[str]
    photos: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    warnings: list[str]


EXAMPLE_READING: dict[str, Any] = {
    "id": "r_8fK2mQ0aZx1L",
    "photo_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "table": "1",
    "created_at": "2026-03-14T19:05:00.000000Z",
    "photo": "IMG_2031.jpg",
    "width_px": 4032,
    "height_px": 3024,
    "equipment": "standard",
    "ring_radii_mm": [101.6, 203.2, 304.8],
    "geometry": "preset",
    "board": {
        "centre_px": [2010.2, 1490.7],
        "tilt_deg": 14.2,
        "fit_rms_px": 0.31,
        "camera": "exif",
        "lines_px": {
            "15": [[2512.0, 1490.1], [2010.5, 1011.9], [1508.3, 1491.2]],
            "10": [[3010.2, 1489.8], [2010.9, 533.0], [1006.1, 1492.0]],
            "5": [[3506.4, 1489.4], [2011.4, 55.2], [503.9, 1492.9]],
        },
    },
    "discs": [
        {
            "id": 1,
            "team": "dark",
            "colour": "#3a2f2b",
            "place": "board",
            "pixel": [1711.0, 1320.5],
            "x_mm": -61.2,
            "y_mm": 33.8,
            "sigma_mm": 0.12,
            "region": 15,
            "points": 15,
            "line": {
                "name": "15",
                "clearance_mm": 0.84,
                "sigma_mm": 0.21,
                "touch_probability": 0.0001,
                "verdict": "clear",
            },
        }
    ],
    "sides": [
        {"team": "dark", "name": "Anna", "board": 15, "twenties": 1, "total": 35},
        {"team": "light", "name": "Ben", "board": 0, "twenties": 0, "total": 0},
    ],
    "round": {"winner": "dark", "difference": 35},
    "needs_review": [],
    "warnings": [],
}

EXAMPLE_LINE_CALL: dict[str, Any] = {
    "id": "l_5tR8vB1cYw2N",
    "created_at": "2026-03-14T19:06:00.000000Z",
    "photo_sha256s": ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    "photos": [
        {
            "photo": "IMG_2032.jpg",
            "width_px": 4032,
            "height_px": 3024,
            "taken": None,
            "equipment": "standard",
            "geometry": "preset",
            "camera": "exif",
            "tilt_deg": 31.0,
            "px_per_mm": 5.1,
        }
    ],
    "calls": [
        {
            "disc": 4,
            "team": "dark",
            "pixel": [1520.0, 840.2],
            "line": {
                "name": "10",
                "clearance_mm": 0.42,
                "sigma_mm": 0.11,
                "touch_probability": 0.0001,
                "verdict": "clear",
            },
            "budget_mm": {"lens": 0.03, "pose": 0.05, "profile": 0.07, "paint": 0.05, "edges": 0.02},
            "scatter": 1.0,
            "contradictory": False,
            "views": [],
            "advice": None,
        }
    ],
    "warnings": [],
}

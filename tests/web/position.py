"""A table with a match and a reading on it, made without a camera or a photo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks import web_stage
from service.photos import records
from service.photos.files import IncomingPhoto
from service.store.moments import new_id
from tests.service.running import Running


def disc(id: int, team: str, x_mm: float, y_mm: float, region: int, gap_mm: float = 20.0) -> dict[str, Any]:
    """A disc of a reading; one whose gap is below a millimetre is too close to its line."""
    place = "hole" if region == 20 else "ditch" if region == 0 else "board"
    verdict = "too_close" if abs(gap_mm) < 1.0 else "clear"
    line = {
        "name": str(region),
        "clearance_mm": gap_mm,
        "sigma_mm": 0.4,
        "touch_probability": 0.05,
        "verdict": verdict,
    }
    return {
        "id": id,
        "team": team,
        "colour": {"dark": "#3f2f28", "light": "#e2c38f"}[team],
        "place": place,
        "pixel": [1000 + 2 * x_mm, 800 - 2 * y_mm],
        "x_mm": x_mm,
        "y_mm": y_mm,
        "sigma_mm": 0.1,
        "region": region,
        "points": region,
        "line": line if place == "board" else None,
    }


def reading_body(*discs: dict[str, Any]) -> dict[str, Any]:
    """A Reading of these discs, dark and light, no 20s handed in."""
    sides = []
    for team in ("dark", "light"):
        board = sum(one["points"] for one in discs if one["team"] == team)
        sides.append({"team": team, "name": None, "board": board, "twenties": 0, "total": board})
    return {
        "photo": "a.jpg",
        "width_px": 2000,
        "height_px": 1600,
        "equipment": "standard",
        "ring_radii_mm": [101.6, 203.2, 304.8],
        "geometry": "preset",
        "board": {
            "centre_px": [1000, 800],
            "tilt_deg": 5.0,
            "fit_rms_px": 0.2,
            "camera": "exif",
            "lines_px": {"15": [], "10": [], "5": []},
        },
        "discs": list(discs),
        "sides": sides,
        "round": {"winner": None, "difference": 0},
        "needs_review": [
            {"disc": one["id"], "why": "too close"}
            for one in discs
            if one["line"] and one["line"]["verdict"] == "too_close"
        ],
        "warnings": [],
    }


#: Dark 20 + 15 + 5 = 40 with disc 4 close to the 15 line, light 10 + 10 + 5 = 25.
POSITION = reading_body(
    disc(1, "dark", 0.0, 0.0, 20),
    disc(2, "light", 140.0, 60.0, 10),
    disc(3, "light", -150.0, 20.0, 10),
    disc(4, "dark", 60.0, -60.0, 15, gap_mm=0.5),
    disc(5, "dark", -180.0, -180.0, 5),
    disc(6, "light", 40.0, 270.0, 5),
    disc(7, "light", 340.0, 90.0, 0),
)


def put_reading(hall: Running, table: str, body: dict[str, Any] = POSITION) -> str:
    """Keep a reading of a table as the photo desk does; watchers hear of it. The reading's id."""
    id = new_id("r")
    sha256 = id.encode().hex().ljust(64, "0")[:64]
    with hall.service.store.write() as connection:
        photo = IncomingPhoto(Path("a.jpg"), "a.jpg", 1, sha256)
        records.add_photo(connection, photo, "image/jpeg", (2000, 1600))
        records.add_reading(connection, id, sha256, table, {}, body)
    return id


def put_match(hall: Running, table: str, rules: str | dict[str, Any] = "nca", **more: Any) -> dict[str, Any]:
    """Begin a match of Anna (dark) and Ben (light) on a table."""
    found: dict[str, Any] = web_stage.put_match(hall.client, table, rules, **more)
    return found


def put_round(hall: Running, match: dict[str, Any], anna: int, ben: int) -> dict[str, Any]:
    """Type a round in, as somebody else at another device does."""
    found: dict[str, Any] = web_stage.put_round(hall.client, match, totals={"Anna": anna, "Ben": ben})
    return found


def match_on(hall: Running, table: str) -> dict[str, Any]:
    """The match of a table as the service has it."""
    found: dict[str, Any] = hall.client.get(f"/api/v1/tables/{table}").json()["match"]
    return found

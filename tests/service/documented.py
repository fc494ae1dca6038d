"""The documented shape of a Reading, field by field, and a check of a JSON line against it."""

from __future__ import annotations

import json
import re
from typing import Any

READING = (
    "photo width_px height_px equipment ring_radii_mm geometry board discs sides round needs_review warnings"
)
BOARD = "centre_px tilt_deg fit_rms_px camera lines_px"
DISC = "id team colour place pixel x_mm y_mm sigma_mm region points line"
LINE = "name clearance_mm sigma_mm touch_probability verdict"
SIDE = "team name board twenties total"


def read_strictly(line: str) -> Any:
    """JSON without the words that are not JSON: NaN and the infinities."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(line, parse_constant=refuse)


def check_reading(line: str) -> dict[str, Any]:
    """The Reading in one line of output, everything in it as documented."""
    made: dict[str, Any] = read_strictly(line)
    has(made, READING)
    text(made["photo"], made["equipment"])
    whole(made["width_px"], made["height_px"])
    assert made["geometry"] in ("preset", "file", "measured")
    assert len(made["ring_radii_mm"]) == 3
    number(*made["ring_radii_mm"])
    assert made["ring_radii_mm"] == sorted(made["ring_radii_mm"])
    check_board(made["board"])
    for disc in made["discs"]:
        check_disc(disc)
    ids = [disc["id"] for disc in made["discs"]]
    assert len(set(ids)) == len(ids)
    check_round(made)
    for review in made["needs_review"]:
        has(review, "disc why")
        assert review["disc"] in ids
        sentence(review["why"])
    for warning in made["warnings"]:
        sentence(warning)
    return made


def check_board(board: dict[str, Any]) -> None:
    has(board, BOARD)
    point(board["centre_px"])
    number(board["tilt_deg"], board["fit_rms_px"])
    assert 0 <= board["tilt_deg"] < 90
    assert board["camera"] in ("file", "exif", "fitted", "assumed")
    assert list(board["lines_px"]) == ["15", "10", "5"]
    for ring in board["lines_px"].values():
        assert len(ring) >= 3
        for each in ring:
            point(each)


def check_disc(disc: dict[str, Any]) -> None:
    has(disc, DISC)
    whole(disc["id"], disc["region"], disc["points"])
    text(disc["team"])
    assert re.fullmatch("#[0-9a-f]{6}", disc["colour"])
    assert disc["place"] in ("board", "hole", "ditch", "off")
    point(disc["pixel"])
    number(disc["x_mm"], disc["y_mm"])
    number_or_unknown(disc["sigma_mm"])
    assert disc["region"] in (20, 15, 10, 5, 0)
    if disc["place"] != "board":
        assert disc["line"] is None
        assert (disc["region"] > 0) is (disc["place"] == "hole")
        return
    line = disc["line"]
    has(line, LINE)
    assert line["name"] in ("15", "10", "5")
    number(line["clearance_mm"], line["touch_probability"])
    number_or_unknown(line["sigma_mm"])
    assert 0 <= line["touch_probability"] <= 1
    assert line["verdict"] in ("clear", "touching", "too_close")
    if line["verdict"] != "too_close":
        assert (line["touch_probability"] > 0.5) is (line["verdict"] == "touching")


def check_round(made: dict[str, Any]) -> None:
    sides = made["sides"]
    assert 2 <= len(sides) <= 4
    for side in sides:
        has(side, SIDE)
        text(side["team"])
        assert side["name"] is None or text(side["name"]) is None
        whole(side["board"], side["twenties"], side["total"])
        assert side["total"] == side["board"] + 20 * side["twenties"]
    has(made["round"], "winner difference")
    whole(made["round"]["difference"])
    best, second, *_ = sorted((side["total"] for side in sides), reverse=True)
    assert made["round"]["difference"] == best - second
    leaders = [side["team"] for side in sides if side["total"] == best]
    assert made["round"]["winner"] == (leaders[0] if len(leaders) == 1 else None)


def has(value: dict[str, Any], keys: str) -> None:
    assert " ".join(value) == keys


def text(*values: Any) -> None:
    assert all(type(value) is str and value for value in values)


def sentence(value: Any) -> None:
    """Plain words on one line: nothing of Python's own."""
    text(value)
    assert "\n" not in value
    assert not re.search(r"None|nan|inf\b|[<{\[]|\w+Error|_", value)


def whole(*values: Any) -> None:
    assert all(type(value) is int and value >= 0 for value in values)


def number(*values: Any) -> None:
    assert all(type(value) in (int, float) for value in values)


def number_or_unknown(value: Any) -> None:
    assert value is None or (number(value) is None and value >= 0)


def point(value: Any) -> None:
    assert len(value) == 2
    number(*value)

"""Worked examples for the interface's description, made by the code that answers, so that they stay true."""

from __future__ import annotations

import json
from typing import Any

from scoring.codec import dump
from scoring.events import MeasuredRound, RoundScored, TypedRound
from scoring.lineup import Lineup
from scoring.presets import preset
from scoring.record import Record, to_json
from scoring.regions import Lie
from scoring.rounds import RoundDisc
from service.http.reading_shown import EXAMPLE_READING
from service.matches.entries import Told
from service.matches.exports import match_csv
from service.matches.match_json import match_json
from service.matches.previews import preview, suggestions
from service.matches.stored import Evidence, Stored

_READING: str = EXAMPLE_READING["id"]
_AT = "2026-03-14T19:05:00.000000Z"

_READ = MeasuredRound(
    (
        RoundDisc(1, "Anna", Lie.in_hole()),
        RoundDisc(2, "Anna", Lie.clear(15)),
        RoundDisc(3, "Ben", Lie.clear(10)),
        RoundDisc(4, "Ben", Lie.unsure(15, 0.31)),
    ),
    (("Anna", 1), ("Ben", 0)),
)
_TYPED = TypedRound.of({"Anna": 45, "Ben": 60}, {"Anna": 1, "Ben": 2})
_STORED = Stored(
    id="m_3kQ9xZ0aBcDe",
    table="1",
    created_at="2026-03-14T18:55:00.000000Z",
    event_name="Tuesday club",
    record=Record(Lineup.single("Anna", "Ben"), preset("nca"), 0, (RoundScored(_READ), RoundScored(_TYPED))),
    colours={"Anna": "dark", "Ben": "light"},
    version=3,
    finished_at=None,
    finish=None,
    evidence={0: Evidence(_READING, {"dark": "Anna", "light": "Ben"})},
)


def answer(description: str, example: Any) -> dict[str, Any]:
    """One answer in a call's ``responses``, with its example."""
    return {"description": description, "content": {"application/json": {"example": example}}}


def asked(**examples: Any) -> dict[str, Any]:
    """``openapi_examples`` of a body: each under a name whose underscores are read as spaces."""
    return {name: {"summary": name.replace("_", " "), "value": value} for name, value in examples.items()}


MATCH = match_json(_STORED)
MATCH_LIST = {"matches": [MATCH], "next": None}
EVENTS = {
    "events": [
        {"number": number, "version": number + 2, "at": _AT, "actor": "operator", "event": dump(event)}
        for number, event in enumerate(_STORED.record.events)
    ]
}
PREVIEW = preview(_STORED, Told(_READ, _STORED.evidence[0]))
SUGGESTIONS = {"suggestions": suggestions(_STORED, _READ, 0)}

NEW_MATCH = asked(
    singles={
        "table": "1",
        "sides": [{"name": "Anna", "colour": "dark"}, {"name": "Ben", "colour": "light"}],
        "rules": "nca",
        "first": "Anna",
        "event_name": "Tuesday club",
    },
    doubles={
        "table": "final",
        "sides": [
            {"name": "Reds", "players": ["Anna", "Cleo"]},
            {"name": "Blues", "players": ["Ben", "Dan"]},
        ],
        "rules": {"preset": "depot", "options": ["line_counts_5"]},
    },
)

_DECISION = {"disc": 4, "region": 10, "why": "looked at from the side: it touches", "who": "Referee"}
_BY_READING = {
    "reading": _READING,
    "teams": {"dark": "Anna", "light": "Ben"},
    "twenties": {"Anna": 1},
    "decisions": [_DECISION],
}
_BY_TOTALS = {"totals": {"Anna": 45, "Ben": 20}, "twenties": {"Anna": 1, "Ben": 0}}
_BY_PLACES = {"places": {"Anna": 1, "Ben": 2}, "difference": 15}
_WHY = {"reason": "Ben's second 20 was forgotten", "who": "Referee"}

ROUNDS = asked(from_a_reading=_BY_READING, typed_in=_BY_TOTALS, the_outcome_only=_BY_PLACES)
AMENDS = asked(one_disc={"decisions": [_DECISION]}, the_20s={"twenties": {"Anna": 1, "Ben": 2}})
CORRECTIONS = asked(
    one_disc={"decisions": [_DECISION], **_WHY},
    the_20s={"twenties": {"Anna": 1, "Ben": 2}, **_WHY},
    the_colours={"teams": {"dark": "Ben", "light": "Anna"}, **_WHY, "reason": "the colours were swapped"},
    typed_in={**_BY_TOTALS, **_WHY},
    another_reading={**_BY_READING, **_WHY},
)
PENALTY = asked(two_points={"side": "Ben", "points": 2, "reason": "leaned on the board again"})
FORFEIT = asked(the_game={"side": "Ben", "scope": "game", "reason": "did not come"})
SHOT = asked(a_20={"player": "Anna", "verdict": "valid", "twenties": {"Anna": 1}})
SHOOT_OUT = asked(one_stage={"twenties": {"Anna": 5, "Ben": 4}})
FINISH = asked(the_hall_closes={"reason": "the hall closes"})

#: What a reading shows that is not in what was read.
_KEPT_BESIDE = ("id", "photo_sha256", "table", "created_at")

_READING_ROW = {
    "id": _READING,
    "photo_sha256": EXAMPLE_READING["photo_sha256"],
    "created_at": _AT,
    "options": {},
    "body": {key: value for key, value in EXAMPLE_READING.items() if key not in _KEPT_BESIDE},
}
MATCH_FILE: dict[str, Any] = {
    "crokinole_match": 1,
    "match": {
        **{key: MATCH[key] for key in ("id", "table", "created_at", "event_name")},
        "colours": dict(_STORED.colours),
        **{key: MATCH[key] for key in ("version", "finished_at", "finish")},
    },
    "record": json.loads(to_json(_STORED.record)),
    "log": [
        {"number": number, "version": number + 2, "at": _AT, "actor": "operator", "request_id": ""}
        for number in range(len(_STORED.record.events))
    ],
    "evidence": [
        {"event_number": 0, "reading_id": _READING, "teams": {"dark": "Anna", "light": "Ben"}},
    ],
    "decisions": [],
    "readings": [_READING_ROW],
    "photos": [
        {
            "sha256": _READING_ROW["photo_sha256"],
            "size": 2_480_112,
            "media_type": "image/jpeg",
            "name": "round1.jpg",
            "width_px": 4032,
            "height_px": 3024,
            "created_at": _AT,
        }
    ],
}
IMPORT = asked(an_exported_match=MATCH_FILE)
MATCH_CSV = match_csv(_STORED)

TABLE = {
    "table": "1",
    "seq": 7,
    "event_name": "Tuesday club",
    "match": MATCH,
    "board": None,
    "camera": None,
}
TABLES = {
    "tables": [{"table": "1", "event_name": "Tuesday club", "match": MATCH["id"], "camera": None, "seq": 7}]
}
SET_TABLE = asked(
    a_name={"event_name": "Tuesday club"},
    a_camera={"camera": {"source": "rtsp://192.168.1.20:8554/board"}},
)

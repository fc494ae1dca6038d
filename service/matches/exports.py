"""A match as a file: its own JSON, a CSV of its rounds, CMN, and the CrokinoleCentre spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from sqlalchemy import Connection, select

from scoring.cmn import write_cmn
from scoring.errors import BadData
from scoring.record import replay, to_json
from scoring.sheet import sheet_game, write_sheet
from service.matches.match_json import match_json
from service.matches.refusals import NotNow, Unknown
from service.matches.stored import Stored
from service.store.tables import decisions, events, photos, readings, round_evidence

#: What stands under ``crokinole_match``.
VERSION = 1

_COLUMNS = (
    *("match", "table", "event_name", "created_at", "game", "round", "basis", "corrected", "starter"),
    *("winner", "difference", "side", "total", "twenties", "awarded"),
)


def match_file(connection: Connection, stored: Stored) -> dict[str, Any]:
    """All that is known of a match but the pictures; `service.matches.imports` reads it back."""
    head = {
        "id": stored.id,
        "table": stored.table,
        "created_at": stored.created_at,
        "event_name": stored.event_name,
        "colours": dict(stored.colours),
        "version": stored.version,
        "finished_at": stored.finished_at,
        "finish": dict(stored.finish) if stored.finish else None,
    }
    of_match = events.c.match_id == stored.id
    log = select(events.c.number, events.c.version, events.c.at, events.c.actor, events.c.request_id).where(
        of_match
    )
    evidence = select(
        round_evidence.c.event_number, round_evidence.c.reading_id, round_evidence.c.teams
    ).where(round_evidence.c.match_id == stored.id)
    names = [column for column in decisions.c if column.name != "match_id"]
    decided = select(*names).where(decisions.c.match_id == stored.id)
    return {
        "crokinole_match": VERSION,
        "match": head,
        "record": json.loads(to_json(stored.record)),
        "log": _rows(connection, log.order_by(events.c.number)),
        "evidence": _rows(connection, evidence.order_by(round_evidence.c.event_number)),
        "decisions": _rows(connection, decided.order_by(decisions.c.at, decisions.c.id)),
        **readings_file(connection, {each.reading for each in stored.evidence.values()}),
    }


def readings_file(connection: Connection, ids: set[str]) -> dict[str, Any]:
    """Readings with their photos' names and sizes, as they stand in a match's file."""
    wanted = select(
        readings.c.id, readings.c.photo_sha256, readings.c.created_at, readings.c.options, readings.c.body
    ).where(readings.c.id.in_(sorted(ids)))
    found = _rows(connection, wanted.order_by(readings.c.id))
    shas = {row["photo_sha256"] for row in found}
    seen = select(photos).where(photos.c.sha256.in_(sorted(shas))).order_by(photos.c.sha256)
    return {"readings": found, "photos": _rows(connection, seen)}


def match_csv(stored: Stored) -> str:
    """Each side of each round in a row, with a header; an empty cell is a number nobody knows."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    match = match_json(stored)
    for number, game in enumerate(match["state"]["games"], 1):
        for each in game["rounds"]:
            head = [match[key] for key in ("id", "table", "event_name", "created_at")]
            shared = [each[key] for key in ("round", "basis", "corrected", "starter", "winner", "difference")]
            for index, side in enumerate(stored.record.lineup.names):
                told = [_at(each[key], index) for key in ("totals", "twenties", "awarded")]
                writer.writerow([*head, number, *shared, side, *told])
    return out.getvalue()


def match_cmn(stored: Stored, game: int) -> str:
    """One game, counted from 1, as CMN. Raises `Unknown` or `NotNow`."""
    if not 1 <= game <= len(replay(stored.record).games):
        raise Unknown(f"There is no game {game} in this match.")
    try:
        return write_cmn(stored.record, stored.created_at[:10], game - 1)
    except BadData as error:
        raise NotNow(f"This match has no CMN form: {error}.") from error


def match_sheet(stored: Stored) -> str:
    """Every game as rows of the CrokinoleCentre spreadsheet. Raises `NotNow`."""
    labels = (stored.created_at[:10], stored.event_name, "", "", "", "")
    try:
        games = [
            sheet_game(stored.record, (*labels, str(number + 1), stored.table), number)
            for number in range(len(replay(stored.record).games))
        ]
    except BadData as error:
        raise NotNow(f"The spreadsheet cannot hold this match: {error}.") from error
    return write_sheet(games)


def _rows(connection: Connection, wanted: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(wanted).mappings()]


def _at(numbers: list[int] | None, index: int) -> int | str:
    return "" if numbers is None else numbers[index]

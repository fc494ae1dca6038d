"""A match's own JSON file taken in again: under its own id, with its events, evidence and decisions."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from sqlalchemy import Connection, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from scoring.codec import dump
from scoring.errors import ScoringError
from scoring.record import Record, from_json
from service.matches.exports import match_file, readings_file
from service.matches.lies import seen_discs
from service.matches.matches import insert_match
from service.matches.refusals import Exists, Impossible, Unknown
from service.matches.stored import Evidence, Stored, load_match
from service.matches.tables import ensure_table
from service.matches.words import News
from service.matches.writing import MOST_EVENTS, tell
from service.store.tables import decisions, events, photos, readings, round_evidence

_DEEPEST = 20
_LONGEST = 5000

#: More discs a side than any book knows; the figures of a round grow with it.
_MOST_DISCS = 48


def import_match(connection: Connection, file: Mapping[str, Any]) -> tuple[Stored, bool]:
    """Store the match of a file, and return it and whether it is new.

    One that is here already, and the same, is left alone. ``file`` has the keys and kinds of
    `service.http.imports`; what they say is checked here. Raises `Impossible` or `Exists`.
    """
    check_plain(file)
    head = file["match"]
    try:
        here = load_match(connection, head["id"], lock=True)
    except Unknown:
        here = None
    if here is not None:
        if match_file(connection, here) != file:
            raise Exists(f"There is already a match {head['id']}, and it is another one.")
        return here, False
    stored = _stored(file)
    ensure_table(connection, stored.table)
    try:
        insert_match(connection, stored)
        _insert_readings(connection, file, stored.table)
        _insert_events(connection, file, stored)
    except IntegrityError as error:
        raise Exists("The file has a decision twice, or one that is here in another match.") from error
    tell(connection, stored, News("imported"))
    return stored, True


def check_plain(data: object, depth: int = 0) -> None:
    """Raise `Impossible` for data that no database or JSON text could hold."""
    match data:
        case Mapping() | list() if depth >= _DEEPEST:
            raise Impossible("The file is nested too deeply.")
        case Mapping():
            for key, value in data.items():
                check_plain(key, depth + 1)
                check_plain(value, depth + 1)
        case list():
            for value in data:
                check_plain(value, depth + 1)
        case str() if len(data) > _LONGEST or any(
            letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in data
        ):
            raise Impossible("The file holds letters that cannot be kept, or a text that is too long.")
        case float() if not math.isfinite(data):
            raise Impossible("The file holds a number that is none.")
        case int() if abs(data) >= 2**53:
            raise Impossible("The file holds a number that is too large.")


def _stored(file: Mapping[str, Any]) -> Stored:
    head, record = file["match"], _record(file["record"])
    log = file["log"]
    if [row["number"] for row in log] != list(range(len(record.events))):
        raise Impossible("The file's log does not fit its events.")
    versions = [1, *(row["version"] for row in log), head["version"] + 1]
    if any(later <= earlier for earlier, later in pairwise(versions)):
        raise Impossible("The file's versions do not grow.")
    if set(head["colours"]) - set(record.lineup.names):
        raise Impossible("The file has a colour for a side that does not play.")
    evidence = {row["event_number"]: Evidence(row["reading_id"], row["teams"]) for row in file["evidence"]}
    told = {row["event_number"] for row in (*file["evidence"], *file["decisions"])}
    if any(number >= len(log) for number in told) or len(evidence) < len(file["evidence"]):
        raise Impossible("The file's evidence does not fit its events.")
    return Stored(
        id=head["id"],
        table=head["table"],
        created_at=head["created_at"],
        event_name=head["event_name"],
        record=record,
        colours=head["colours"],
        version=head["version"],
        finished_at=head["finished_at"],
        finish=head["finish"],
        evidence=evidence,
    )


def _record(given: Mapping[str, Any]) -> Record:
    happened = given.get("events")
    if isinstance(happened, list) and len(happened) > MOST_EVENTS:
        raise Impossible(f"A match holds {MOST_EVENTS} events at most.")
    try:
        record = from_json(json.dumps(given))
    except ScoringError as error:
        raise Impossible(f"The file's record cannot be: {error}."[:300]) from error
    if not 1 <= record.lineup.discs_a_side(record.rules) <= _MOST_DISCS:
        raise Impossible(f"A side has {_MOST_DISCS} discs at most.")
    return record


def _insert_readings(connection: Connection, file: Mapping[str, Any], table: str) -> None:
    known = {row["id"] for row in file["readings"]}
    if {row["reading_id"] for row in (*file["evidence"], *file["decisions"]) if row["reading_id"]} - known:
        raise Impossible("The file does not hold every reading it rests on.")
    if {row["photo_sha256"] for row in file["readings"]} - {row["sha256"] for row in file["photos"]}:
        raise Impossible("The file does not name every photo it rests on.")
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    for row in file["photos"]:
        connection.execute(dialect.insert(photos).values(**row).on_conflict_do_nothing())
    here = set(connection.execute(select(readings.c.id).where(readings.c.id.in_(known))).scalars())
    for row in file["readings"]:
        if row["id"] in here:
            if readings_file(connection, {row["id"]})["readings"] != [row]:
                raise Exists(f"There is already a reading {row['id']}, and it is another one.")
            continue
        _check_reading(row["body"])
        connection.execute(insert(readings).values(**row, table_name=table))


def _check_reading(body: Mapping[str, Any]) -> None:
    try:
        teams = {disc["team"]: disc["team"] for disc in body["discs"]}
        teams |= {side["team"]: str(int(side["twenties"])) for side in body["sides"]}
    except (KeyError, TypeError, ValueError) as error:
        raise Impossible("A reading in the file does not have the form of a reading.") from error
    seen_discs(body, teams)


def _insert_events(connection: Connection, file: Mapping[str, Any], stored: Stored) -> None:
    for row, event in zip(file["log"], stored.record.events, strict=True):
        connection.execute(insert(events).values(**row, match_id=stored.id, body=dump(event)))
    for table, rows in ((round_evidence, file["evidence"]), (decisions, file["decisions"])):
        for row in rows:
            connection.execute(insert(table).values(**row, match_id=stored.id))

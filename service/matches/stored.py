"""A match loaded whole: its line-up, its rules as they were, its events, and what those rest on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row, select

from scoring.codec import load
from scoring.events import Event
from scoring.lineup import Lineup
from scoring.record import Record
from scoring.rules import Rules
from service.matches.refusals import Unknown
from service.store.tables import events, matches, round_evidence

#: Sides' colours on the board, by side; a side without one is not listed.
Colours = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The reading an event rests on; ``teams`` says which side each team word of the reading is."""

    reading: str
    teams: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stored:
    """A match. ``finish`` is set when people ended it; ``evidence`` is by event number."""

    id: str
    table: str
    created_at: str
    event_name: str
    record: Record
    colours: Colours
    version: int
    finished_at: str | None
    finish: Mapping[str, Any] | None
    evidence: Mapping[int, Evidence]


def load_match(connection: Connection, id: str, *, lock: bool = False) -> Stored:
    """Return a match; with ``lock``, nobody else changes it until the transaction ends. Raises `Unknown`."""
    wanted = select(matches).where(matches.c.id == id)
    row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none()
    if row is None:
        raise Unknown(f"There is no match {id}.")
    return _stored(connection, row)


def load_matches(connection: Connection, *, table: str | None, limit: int, after: str | None) -> list[Stored]:
    """Return matches, newest first, of one table or all; ``after`` is the last one seen. Raises `Unknown`."""
    wanted = select(matches).order_by(matches.c.created_at.desc(), matches.c.id.desc()).limit(limit)
    if table is not None:
        wanted = wanted.where(matches.c.table_name == table)
    if after is not None:
        seen = connection.execute(select(matches.c.created_at).where(matches.c.id == after)).scalar()
        if seen is None:
            raise Unknown(f"There is no match {after}.")
        older = matches.c.created_at < seen
        wanted = wanted.where(older | ((matches.c.created_at == seen) & (matches.c.id < after)))
    return [_stored(connection, row) for row in connection.execute(wanted).all()]


def load_events(connection: Connection, id: str, *, after_version: int = 0) -> list[dict[str, Any]]:
    """Return what happened in a match, oldest first, as plain data: what is newer than a version."""
    wanted = (
        select(events)
        .where(events.c.match_id == id, events.c.version > after_version)
        .order_by(events.c.number)
    )
    return [
        {
            "number": row.number,
            "version": row.version,
            "at": row.at,
            "actor": row.actor,
            "event": row.body,
        }
        for row in connection.execute(wanted)
    ]


def _stored(connection: Connection, row: Row[Any]) -> Stored:
    bodies = connection.execute(
        select(events.c.body).where(events.c.match_id == row.id).order_by(events.c.number)
    ).scalars()
    rested = connection.execute(select(round_evidence).where(round_evidence.c.match_id == row.id))
    record = Record(
        load(Lineup, row.lineup, "lineup"),
        _rules(json.dumps(row.rules)),
        row.first,
        tuple(load(Event, body, "event") for body in bodies),  # type: ignore[arg-type]
    )
    return Stored(
        id=row.id,
        table=row.table_name,
        created_at=row.created_at,
        event_name=row.event_name,
        record=record,
        colours=row.colours,
        version=row.version,
        finished_at=row.finished_at,
        finish=row.finish,
        evidence={each.event_number: Evidence(each.reading_id, each.teams) for each in rested},
    )


@lru_cache(maxsize=64)
def _rules(text: str) -> Rules:
    """Rules from their stored form; a hall plays by few, and they are the largest part of a match."""
    return load(Rules, json.loads(text), "rules")

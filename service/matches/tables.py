"""The playing tables: made when first named, listed, set up, and shown whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, select, update
from sqlalchemy.dialects import postgresql, sqlite

from service.matches.camera_shown import shown_camera, told_camera
from service.matches.match_json import match_json
from service.matches.refusals import Unknown
from service.matches.shown import newest_board
from service.matches.stored import load_match
from service.store.feed import publish
from service.store.tables import tables


def ensure_table(connection: Connection, name: str) -> str:
    """Have a table of that name, and return its event's name."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    added = dialect.insert(tables).values(name=name, event_name="", feed_seq=0)
    connection.execute(added.on_conflict_do_nothing())
    found: str = connection.execute(select(tables.c.event_name).where(tables.c.name == name)).scalar_one()
    return found


def set_table(
    connection: Connection,
    name: str,
    *,
    event_name: str | None,
    camera: Mapping[str, Any] | None,
    keeps_camera: bool,
) -> dict[str, Any]:
    """Set a table up and tell those who watch; what is None stays, and the camera with ``keeps_camera``."""
    ensure_table(connection, name)
    values: dict[str, Any] = {} if event_name is None else {"event_name": event_name}
    if not keeps_camera:
        values["camera"] = None if camera is None else told_camera(camera, _row(connection, name).camera)
    if values:
        connection.execute(update(tables).where(tables.c.name == name).values(**values))
    row = _row(connection, name)
    told = {"table": name, "event_name": row.event_name, "camera": shown_camera(row.camera)}
    publish(connection, name, "table", told)
    return snapshot(connection, name)


def list_tables(connection: Connection) -> list[dict[str, Any]]:
    """Return every table with what stands on it."""
    rows = connection.execute(select(tables).order_by(tables.c.name))
    return [
        {
            "table": row.name,
            "event_name": row.event_name,
            "match": row.match_id,
            "camera": shown_camera(row.camera),
            "seq": row.feed_seq,
        }
        for row in rows
    ]


def snapshot(connection: Connection, name: str) -> dict[str, Any]:
    """Return a table as it is, and the number of the last message that is in it. Raises `Unknown`."""
    row = _row(connection, name)
    stored = None if row.match_id is None else load_match(connection, row.match_id)
    return {
        "table": row.name,
        "seq": row.feed_seq,
        "event_name": row.event_name,
        "match": None if stored is None else match_json(stored),
        "board": newest_board(connection, name, stored),
        "camera": shown_camera(row.camera),
    }


def _row(connection: Connection, name: str) -> Row[Any]:
    row = connection.execute(select(tables).where(tables.c.name == name)).one_or_none()
    if row is None:
        raise Unknown(f"There is no table {name}.")
    return row

"""The board a table shows: the newest reading of it, as watchers get it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from service.matches.stored import Stored
from service.store.feed import publish
from service.store.tables import readings, round_evidence

#: What of a reading is shown on a table.
_SHOWN = ("discs", "ring_radii_mm", "sides", "needs_review")


def board_json(id: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored reading as a table shows it."""
    return {"reading": id, **{key: body.get(key) for key in _SHOWN}}


def newest_board(connection: Connection, table: str, match: str | None, since: str) -> dict[str, Any] | None:
    """Return the board of the newest reading that belongs to a table's match, or None.

    It belongs when it was made for this table after ``since``, or when a round of ``match`` rests on it.
    """
    rested = select(round_evidence.c.reading_id).where(round_evidence.c.match_id == match)
    made = (readings.c.table_name == table) & (readings.c.created_at >= since)
    row = connection.execute(
        select(readings.c.id, readings.c.body)
        .where(made | readings.c.id.in_(rested))
        .order_by(readings.c.created_at.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else board_json(row.id, row.body)


def show_reading(connection: Connection, stored: Stored, id: str) -> None:
    """Have a match's table show a reading that was made without naming a table."""
    body = connection.execute(
        update(readings)
        .where(readings.c.id == id, readings.c.table_name.is_(None))
        .values(table_name=stored.table)
        .returning(readings.c.body)
    ).scalar()
    if body is not None:
        publish(connection, stored.table, "reading", board_json(id, body))

"""A table as watchers first see it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from service.matches.refusals import Unknown
from service.matches.tables import snapshot


def watched(connection: Connection, table: str) -> dict[str, Any]:
    """The table as it is; an empty one when nobody has named it yet.

    An overlay is set up before the first match, and its address may be opened before that: it waits.
    """
    try:
        return snapshot(connection, table)
    except Unknown:
        return {
            "table": table,
            "seq": 0,
            "event_name": "",
            "match": None,
            "board": None,
            "camera": None,
        }

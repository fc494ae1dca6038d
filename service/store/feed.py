"""Messages for the watchers of a table, written in the transaction of what they tell.

A message's number is counted in the row of its table. Writers of one table therefore wait for each other, and
messages become visible in the order of their numbers: a watcher who has seen 6 has seen 5.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from service.store.moments import now
from service.store.tables import feed, tables

#: What PostgreSQL's NOTIFY is sent on; the payload is the table's name.
CHANNEL = "crokinole_feed"

#: Where a connection notes the tables that were published to, and how many messages to keep.
PUBLISHED = "crokinole_published"
KEEP = "crokinole_feed_keep"

#: Old messages are dropped once in so many, not at every one.
_SWEEP_EVERY = 100


def publish(connection: Connection, table: str, type: str, body: dict[str, Any]) -> int:
    """Write one message in the transaction under way and return its number.

    ``body`` is the message without ``seq``, ``t_s`` and ``type``, which are put in front of it here. Watchers
    are woken when the transaction is committed. Raises `LookupError` for a table that does not exist.
    """
    seq = connection.execute(
        update(tables)
        .where(tables.c.name == table)
        .values(feed_seq=tables.c.feed_seq + 1)
        .returning(tables.c.feed_seq)
    ).scalar_one_or_none()
    if seq is None:
        raise LookupError(f"no table {table!r}")
    message = {"seq": seq, "t_s": round(time.time(), 3), "type": type, **body}
    connection.execute(insert(feed).values(table_name=table, seq=seq, at=now(), type=type, body=message))
    if seq % _SWEEP_EVERY == 0:
        keep: int = connection.get_execution_options()[KEEP]
        connection.execute(delete(feed).where(feed.c.table_name == table, feed.c.seq <= seq - keep))
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_notify(CHANNEL, table)))
    connection.info.setdefault(PUBLISHED, set()).add(table)
    return int(seq)


def messages_after(connection: Connection, table: str, since: int, limit: int = 500) -> list[dict[str, Any]]:
    """The messages of a table numbered above ``since``, oldest first."""
    wanted = (
        select(feed.c.body)
        .where(feed.c.table_name == table, feed.c.seq > since)
        .order_by(feed.c.seq)
        .limit(limit)
    )
    return list(connection.execute(wanted).scalars())


def last_seq(connection: Connection, table: str) -> int | None:
    """The number of the last message of a table, 0 before the first, or None for an unknown table."""
    found: int | None = connection.execute(
        select(tables.c.feed_seq).where(tables.c.name == table)
    ).scalar_one_or_none()
    return found

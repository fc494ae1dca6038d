"""An engine for SQLite or PostgreSQL whose transactions begin as the store needs them.

SQLite: write-ahead log, every commit on the disc (``synchronous=FULL``: what was acknowledged survives a
power cut), foreign keys held, and ``BEGIN IMMEDIATE`` for writers, so that a transaction never finds out
half-way that somebody else has written. PostgreSQL: a writer waits for a row as long as a SQLite writer for
the file.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection

#: The execution option that marks an engine's transactions as writing ones.
WRITES = "crokinole_writes"

#: How long a writer waits for another before it gives up.
WAIT_S = 10.0

#: A thread of the server's pool each, and a few for what runs beside requests.
_CONNECTIONS = 48


def engine_for(url: str) -> Engine:
    """Return an engine for an address that `service.settings` has accepted."""
    if make_url(url).get_backend_name() == "sqlite":
        return _sqlite(url)
    wait_ms = int(WAIT_S * 1000)
    return create_engine(
        url,
        pool_size=_CONNECTIONS // 4,
        max_overflow=_CONNECTIONS * 3 // 4,
        pool_timeout=WAIT_S,
        # People's names and tokens' hashes have no place in a log.
        hide_parameters=True,
        # A server that was restarted must not cost the first request after it.
        pool_pre_ping=True,
        connect_args={
            "application_name": "crokinole",
            "connect_timeout": int(WAIT_S),
            "options": f"-c lock_timeout={wait_ms} -c timezone=UTC",
        },
    )


def _sqlite(url: str) -> Engine:
    engine = create_engine(
        url,
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_timeout=WAIT_S,
        hide_parameters=True,
        # isolation_level None: the driver leaves BEGIN to `_begin` below.
        connect_args={"timeout": WAIT_S, "check_same_thread": False, "isolation_level": None},
    )
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(raw: DBAPIConnection, _record: Any) -> None:
    cursor = raw.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

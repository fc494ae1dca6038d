"""The database: reading and writing transactions, migrations, and a call after what was told is committed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, make_url, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.store.engine import WAIT_S, WRITES, engine_for
from service.store.feed import KEEP, PUBLISHED

#: Told the names of the tables that were published to, after the commit, in the writer's thread.
OnCommit = Callable[[frozenset[str]], None]

log = logging.getLogger(__name__)

#: PostgreSQL's lock under which processes that start together migrate one after the other.
_MIGRATION_LOCK = 0x63726F6B


class StoreBusy(Exception):
    """The database could not be reached or locked in time; trying again later may work."""


class Store:
    """One database. Safe to use from many threads; transactions of one thread must not be nested."""

    def __init__(self, url: str, *, feed_keep: int = 5000) -> None:
        """Open nothing yet; a SQLite file's folder is made."""
        parsed = make_url(url)
        self.url = url
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        if self.is_sqlite:
            Path(parsed.database or "").parent.mkdir(parents=True, exist_ok=True)
        self._engine: Engine = engine_for(url)
        # What is read in several steps must fit together: on SQLite it does by itself.
        self._reading = (
            self._engine
            if self.is_sqlite
            else self._engine.execution_options(isolation_level="REPEATABLE READ")
        )
        self._writing = self._engine.execution_options(**{WRITES: True, KEEP: feed_keep})
        # SQLite's own waiting is a sleep and a try: within one process a queue is quicker and fair.
        self._turn = threading.Lock() if self.is_sqlite else None
        self._told: list[OnCommit] = []

    def on_commit(self, callback: OnCommit) -> None:
        """Have ``callback`` called after every commit that published something. It must be quick."""
        self._told.append(callback)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads. Raises `StoreBusy`."""
        with _busy_said(), self._reading.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may write: committed at the end, rolled back when anything is raised.

        There is one policy for a busy database: waiting `WAIT_S`, then `StoreBusy`.
        """
        with _busy_said(), self._my_turn(), self._writing.connect() as connection:
            connection.info.pop(PUBLISHED, None)
            with connection.begin():
                yield connection
            published = frozenset(connection.info.pop(PUBLISHED, ()))
        if published:
            for callback in self._told:
                callback(published)

    def migrate(self) -> None:
        """Bring the database to this version's tables. Safe when several processes start at once."""
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", "service.store:migrations")
        with self.write() as connection:
            if not self.is_sqlite:
                connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    @contextmanager
    def _my_turn(self) -> Iterator[None]:
        if self._turn is None:
            yield
            return
        if not self._turn.acquire(timeout=WAIT_S):
            raise StoreBusy("the database is busy")
        try:
            yield
        finally:
            self._turn.release()


@contextmanager
def _busy_said() -> Iterator[None]:
    try:
        yield
    except (OperationalError, PoolTimeout) as error:
        log.warning("the database is busy or out of reach: %s", type(error).__name__)
        raise StoreBusy("the database is busy or out of reach") from error

"""Hears PostgreSQL's NOTIFY, so that what one process publishes wakes the feeds of all the others at once.

What it says may be lost, for NOTIFY is not kept for those who are away: whenever the connection is new, every
table is looked at.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator

from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from service.store.feed import CHANNEL

#: How long the thread takes to see that it should stop.
_LOOK_UP_S = 0.5

_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 5.0

log = logging.getLogger(__name__)


class PostgresListener:
    """A thread with a connection of its own that connects again for as long as it runs."""

    def __init__(self, url: str, woken: Callable[[frozenset[str] | None], None]) -> None:
        """``woken`` is called in the thread with the tables that changed, or None for all of them."""
        # The driver is asked for a bare connection: LISTEN must outlive transactions and never be pooled.
        self._engine = create_engine(
            url,
            poolclass=NullPool,
            connect_args={
                "application_name": "crokinole feed",
                "connect_timeout": 5,
                # A database that vanished without a word is noticed in half a minute, not in hours.
                "keepalives_idle": 10,
                "keepalives_interval": 5,
                "keepalives_count": 3,
            },
        )
        self._woken = woken
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feed-listener", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop and wait for the thread."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        from psycopg import Error
        from sqlalchemy.exc import SQLAlchemyError

        pause_s = _FIRST_PAUSE_S
        while not self._stop.is_set():
            try:
                for heard in self._notices():
                    pause_s = _FIRST_PAUSE_S
                    self._woken(heard)
            except (Error, SQLAlchemyError) as error:
                log.warning("the feed lost the database: %s", type(error).__name__)
                self._stop.wait(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    def _notices(self) -> Iterator[frozenset[str] | None]:
        """Yield tables that changed, until told to stop; first None, for all of them."""
        with self._engine.connect() as held:
            connection = held.connection.driver_connection
            assert connection is not None
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            yield None
            while not self._stop.is_set():
                for notice in connection.notifies(timeout=_LOOK_UP_S):
                    yield frozenset((notice.payload,))

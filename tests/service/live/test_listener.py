"""PostgreSQL's NOTIFY wakes another process's feed, and a lost connection is made again."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import make_url

from service.live.listener import PostgresListener
from service.matches.tables import ensure_table
from service.store import Store
from service.store.feed import publish
from tests.service.postgres import Postgres
from tests.service.running import PATIENCE_S

Woken = queue.Queue[frozenset[str] | None]


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = Store(url)
    opened.migrate()
    with opened.write() as connection:
        ensure_table(connection, "A")
    yield opened
    opened.close()


@pytest.fixture
def woken(url: str) -> Iterator[Woken]:
    calls: Woken = queue.Queue()
    listener = PostgresListener(url, calls.put)
    listener.start()
    yield calls
    listener.stop()


def test_a_commit_wakes_and_a_rollback_does_not(store: Store, woken: Woken) -> None:
    assert woken.get(timeout=PATIENCE_S) is None, "a new connection may have missed something"
    with pytest.raises(ZeroDivisionError), store.write() as connection:
        publish(connection, "A", "shot", {})
        raise ZeroDivisionError
    with store.write() as connection:
        ensure_table(connection, "B")
        publish(connection, "B", "shot", {})
    assert woken.get(timeout=PATIENCE_S) == {"B"}


def test_after_a_lost_connection_every_table_is_looked_at(url: str, store: Store, woken: Woken) -> None:
    assert woken.get(timeout=PATIENCE_S) is None
    parts = make_url(url)
    with psycopg.connect(host=parts.query["host"], dbname=parts.database, user=parts.username) as admin:
        admin.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'crokinole feed'"
        )
    assert woken.get(timeout=PATIENCE_S) is None
    with store.write() as connection:
        publish(connection, "A", "shot", {})
    assert woken.get(timeout=PATIENCE_S) == {"A"}

"""Transactions, migrations, the feed and answers given once, on both databases (decision 040)."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, insert, select

from service.store import Store, feed
from service.store.once import Answer, KeyReused, Once, once
from service.store.tables import feed as feed_rows
from service.store.tables import idempotency, metadata, tables
from service.store.tables import matches as match_rows


def _table(store: Store, name: str = "1") -> None:
    with store.write() as connection:
        connection.execute(insert(tables).values(name=name))


def _publish(store: Store, table: str, **body: Any) -> int:
    with store.write() as connection:
        return feed.publish(connection, table, "test", body)


def test_the_migrations_make_the_tables_the_program_uses(store: Store) -> None:
    with store.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_migrating_twice_and_at_once_changes_nothing(database_url: str) -> None:
    stores = [Store(database_url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Store.migrate, stores))
    _table(stores[0])
    stores[1].migrate()
    with stores[2].read() as connection:
        assert connection.execute(select(tables.c.name)).scalars().all() == ["1"]
    for each in stores:
        each.close()


def test_what_is_raised_takes_everything_back(store: Store) -> None:
    _table(store)
    with pytest.raises(RuntimeError), store.write() as connection:
        feed.publish(connection, "1", "test", {})
        raise RuntimeError
    with store.read() as connection:
        assert feed.last_seq(connection, "1") == 0
        assert feed.messages_after(connection, "1", 0) == []


def test_messages_are_numbered_without_gaps_and_seen_in_order(store: Store) -> None:
    # decision 040: a watcher who has seen 6 must have been able to see 5.
    for name in ("1", "2"):
        _table(store, name)
    holes = []
    done = threading.Event()

    def watch() -> None:
        seen = 0
        while not done.is_set():
            with store.read() as connection:
                for message in feed.messages_after(connection, "1", seen):
                    if message["seq"] != seen + 1:
                        holes.append((seen, message["seq"]))
                    seen = message["seq"]

    watcher = threading.Thread(target=watch)
    watcher.start()
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda each: _publish(store, "1" if each % 4 else "2"), range(80)))
    done.set()
    watcher.join()
    assert holes == []
    assert sorted(numbers) == sorted([*range(1, 61), *range(1, 21)])


def test_a_message_begins_with_its_number_time_and_kind(store: Store) -> None:
    _table(store)
    _publish(store, "1", match="m_1")
    with store.read() as connection:
        (message,) = feed.messages_after(connection, "1", 0)
    assert list(message) == ["seq", "t_s", "type", "match"]
    assert (message["seq"], message["type"]) == (1, "test")


def test_publishing_to_a_table_nobody_named_is_an_error(store: Store) -> None:
    with pytest.raises(LookupError), store.write() as connection:
        feed.publish(connection, "nowhere", "test", {})


def test_old_messages_are_dropped_and_the_last_kept(database_url: str) -> None:
    store = Store(database_url, feed_keep=150)
    store.migrate()
    _table(store)
    with store.write() as connection:
        for _ in range(300):
            feed.publish(connection, "1", "test", {})
    with store.read() as connection:
        assert [each["seq"] for each in feed.messages_after(connection, "1", 0)] == list(range(151, 301))
    store.close()


def test_watchers_are_woken_after_the_commit_and_only_then(store: Store) -> None:
    _table(store)
    _table(store, "2")
    woken: list[tuple[frozenset[str], int | None]] = []

    def look(names: frozenset[str]) -> None:
        with store.read() as connection:
            woken.append((names, feed.last_seq(connection, "1")))

    store.on_commit(look)
    with pytest.raises(RuntimeError), store.write() as connection:
        feed.publish(connection, "1", "test", {})
        raise RuntimeError
    with store.write() as connection:
        feed.publish(connection, "1", "test", {})
        feed.publish(connection, "2", "test", {})
    with store.write() as connection:
        connection.execute(select(func.count()).select_from(match_rows))
    assert woken == [(frozenset({"1", "2"}), 1)]


ASKED = Once("operator:Ann", "key-1", "POST /matches", "0" * 64)


def _once(store: Store, asked: Once | None, made: list[str], answer: str) -> Answer:
    def do() -> Answer:
        made.append(answer)
        return Answer({"id": answer}, 201, {"ETag": '"v1"'})

    with store.write() as connection:
        return once(connection, asked, do)


def test_a_request_that_comes_twice_is_done_once(store: Store) -> None:
    made: list[str] = []
    first = _once(store, ASKED, made, "first")
    second = _once(store, ASKED, made, "second")
    assert (second.status, second.body, second.headers) == (first.status, first.body, first.headers)
    assert made == ["first"]


def test_the_same_request_sent_at_the_same_moment_is_done_once(store: Store) -> None:
    made: list[str] = []
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda each: _once(store, ASKED, made, str(each)), range(8)))
    assert len(made) == 1
    assert {answer.body["id"] for answer in answers} == set(made)


def test_a_key_is_one_persons_and_one_requests(store: Store) -> None:
    made: list[str] = []
    _once(store, ASKED, made, "a")
    with pytest.raises(KeyReused):
        _once(store, Once(ASKED.actor, ASKED.key, ASKED.route, "1" * 64), made, "b")
    with pytest.raises(KeyReused):
        _once(store, Once(ASKED.actor, ASKED.key, "POST /other", ASKED.request_hash), made, "c")
    _once(store, Once("operator:Ben", ASKED.key, ASKED.route, ASKED.request_hash), made, "d")
    _once(store, None, made, "e")
    assert made == ["a", "d", "e"]


def test_a_refused_request_keeps_no_answer(store: Store) -> None:
    def refuse() -> Answer:
        raise ValueError

    with pytest.raises(ValueError), store.write() as connection:
        once(connection, ASKED, refuse)
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(idempotency)).scalar() == 0


def test_what_is_read_in_two_steps_fits_together(store: Store) -> None:
    _table(store)
    with store.read() as connection:
        before = feed.last_seq(connection, "1")
        _publish(store, "1")
        assert connection.execute(select(func.count()).select_from(feed_rows)).scalar() == before == 0

"""The feed without a network: what happens when something is lost, slow or out of reach."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from service.live import hub
from service.live.channel import TAIL, Channel
from service.live.following import followed
from service.live.hub import Feed, TooManyWatchers
from service.live.message import Message, message
from service.live.watched import watched
from service.matches.tables import ensure_table
from service.store import Store, StoreBusy
from service.store.feed import publish
from tests.service.running import PATIENCE_S


def in_a_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a test in an event loop of its own."""

    def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        asyncio.run(asyncio.wait_for(test(tmp_path, monkeypatch), PATIENCE_S))  # type: ignore[arg-type]

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@asynccontextmanager
async def feed_on(folder: Path) -> AsyncIterator[tuple[Feed, Store]]:
    store = Store(f"sqlite:///{folder / 'crokinole.db'}")
    store.migrate()
    with store.write() as connection:
        ensure_table(connection, "A")
    feed = Feed(store, watched)
    await feed.start()
    try:
        yield feed, store
    finally:
        await feed.stop()
        store.close()


def tell(store: Store, count: int = 1, table: str = "A") -> None:
    with store.write() as connection:
        for n in range(count):
            publish(connection, table, "shot", {"n": n})


def numbers(messages: Sequence[Message] | None) -> list[int]:
    return [each.seq for each in messages or ()]


@in_a_loop
async def test_one_read_serves_every_watcher_with_the_same_letters(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def counted(body: dict[str, Any]) -> Message:
        made.append(body["seq"])
        return message(body)

    monkeypatch.setattr(hub, "message", counted)
    async with feed_on(folder) as (feed, store):
        with feed.watch("A") as one, feed.watch("A") as two:
            await one.next(1), await two.next(1)
            tell(store)
            (first,), (second,) = await one.next(9), await two.next(9)  # type: ignore[misc]
    assert first is second
    assert made == [1]


@in_a_loop
async def test_a_crowd_that_comes_at_once_shares_one_snapshot(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []

    async with feed_on(folder) as (feed, _store):
        take = feed._take_snapshot
        monkeypatch.setattr(feed, "_take_snapshot", lambda c, t: taken.append(t) or take(c, t))
        with ExitStack() as crowd:
            watchers = [crowd.enter_context(feed.watch("A")) for _ in range(200)]
            got = await asyncio.gather(*(watcher.next(1) for watcher in watchers))
    assert {each[0].seq for each in got if each} == {0}
    assert taken == ["A"]


@in_a_loop
async def test_a_slow_watcher_gets_a_snapshot_and_holds_up_nobody(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 3 * TAIL
    async with feed_on(folder) as (feed, store):
        with feed.watch("A") as quick, feed.watch("A") as slow:
            await quick.next(1), await slow.next(1)
            got: list[int] = []
            for told in range(8, count + 1, 8):
                tell(store, 8)
                while not got or got[-1] < told:
                    got += numbers(await quick.next(9))
            assert got == list(range(1, count + 1))
            (snapshot,) = await slow.next(9) or ()
            assert (snapshot.seq, '"type":"snapshot"' in snapshot.text) == (count, True)
            assert feed.fallen_behind == 1
            tell(store)
            assert numbers(await slow.next(9)) == [count + 1]


@in_a_loop
async def test_a_change_nobody_was_woken_for_is_found_by_looking(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "POLL_S", 0.02)
    async with feed_on(folder) as (feed, store):
        monkeypatch.setattr(store, "_told", [])
        with feed.watch("A") as watcher:
            await watcher.next(1)
            tell(store)
            assert numbers(await watcher.next(9)) == [1]


@in_a_loop
async def test_a_message_between_the_first_look_and_the_snapshot_is_not_told_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with feed_on(folder) as (feed, store):
        take = feed._take_snapshot

        def late(connection: Any, table: str) -> Any:
            # Committed by another while this snapshot is under way: its number says whether it is in it.
            tell(store)
            return take(connection, table)

        monkeypatch.setattr(feed, "_take_snapshot", late)
        with feed.watch("A") as watcher:
            (snapshot,) = await watcher.next(1) or ()
            seen = [snapshot.seq]
            monkeypatch.setattr(feed, "_take_snapshot", take)
            tell(store)
            while seen[-1] < 2:
                seen += numbers(await watcher.next(9))
    assert seen in ([0, 1, 2], [1, 2])


@in_a_loop
async def test_the_feed_outlives_a_database_that_does_not_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "RETRY_S", 0.01)
    async with feed_on(folder) as (feed, store):
        with feed.watch("A") as watcher:
            await watcher.next(1)
            failures = iter([StoreBusy("busy"), RuntimeError("a bug"), StoreBusy("busy")])
            read = hub.messages_after

            def failing(*given: Any) -> Any:
                for failure in failures:
                    raise failure
                return read(*given)

            monkeypatch.setattr(hub, "messages_after", failing)
            tell(store)
            assert numbers(await watcher.next(9)) == [1]
            assert feed.alive


@in_a_loop
async def test_one_who_leaves_while_all_wait_does_not_take_the_snapshot_along(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with feed_on(folder) as (feed, _store):
        with feed.watch("A") as one, feed.watch("A") as two:
            leaving = asyncio.create_task(one.next(9))
            staying = asyncio.create_task(two.next(9))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            leaving.cancel()
            assert numbers(await staying) == [0]


@in_a_loop
async def test_a_flood_of_watchers_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "MAX_WATCHERS", 2)
    async with feed_on(folder) as (feed, _store):
        with feed.watch("A"), feed.watch("B"):
            with pytest.raises(TooManyWatchers), feed.watch("A"):
                pass
            assert feed.watchers == 2
        assert feed.watchers == 0 and not feed._channels


@in_a_loop
async def test_a_quiet_table_gives_a_sign_of_life_with_its_number(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def allowed() -> bool:
        return True

    async with feed_on(folder) as (feed, store):
        tell(store, 3)
        with feed.watch("A") as watcher:
            sent = followed(watcher, allowed, 0.01)
            assert numbers(await anext(sent)) == [3]
            (quiet,) = await anext(sent)
    assert (quiet.seq, '"type":"heartbeat"' in quiet.text) == (3, True)


def test_rows_dropped_before_they_were_read_leave_no_gap_unseen() -> None:
    channel = Channel("A")
    channel.open_at(5)
    channel.extend([_message(6), _message(7)])
    channel.extend([_message(20)])
    assert numbers(channel.after(20)) == []
    assert numbers(channel.after(19)) == [20]
    assert channel.after(7) is None, "8 to 19 were never here"


def _message(seq: int) -> Message:
    return message({"seq": seq, "t_s": 0.0, "type": "shot"})


def test_a_message_is_one_line_of_json_whatever_names_are_in_it() -> None:
    # The HTML standard ends a data line at CR, LF or both, and nowhere else.
    odd = message({"seq": 1, "t_s": 0.0, "type": "table", "event_name": "a\r\nb\u2028c\N{PILE OF POO}"})
    assert odd.event.count(b"\n") == 3 and b"\r" not in odd.event

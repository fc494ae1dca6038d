"""The feed: reads what was published once, and hands it to everyone in this process who watches that table.

The rows of the database are the truth (`service.store.feed`); three things only say that it is time to look:
a commit in this process, PostgreSQL's NOTIFY from another, and a slow poll for whatever those two missed.

::

    commit ── wake ──┐
    NOTIFY ── wake ──┼─► _follow: one read for all tables that changed ─► Channel ─► every Watcher's place in
    it poll   ──────────┘
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection

from service.live.channel import TAIL, Channel
from service.live.listener import PostgresListener
from service.live.message import Message, message, snapshot_message
from service.live.watcher import Watcher
from service.store.feed import last_seq, messages_after
from service.store.store import Store, StoreBusy

#: How long a change can stay unseen when every call to look was lost.
POLL_S = 2.0

#: How long to leave a database alone that did not answer.
RETRY_S = 0.5

#: More than a hall needs, and few enough that a flood of connections cannot take the memory.
MAX_WATCHERS = 5000

#: Gives a table as it is, with the ``seq`` of its last message.
Snapshot = Callable[[Connection, str], Mapping[str, Any]]

log = logging.getLogger(__name__)

T = TypeVar("T")


class TooManyWatchers(Exception):
    """No more watchers fit into this process."""


class Feed:
    """The live feed of one process. `wake` may be called from any thread, all else from the loop's."""

    def __init__(
        self, store: Store, snapshot: Snapshot, *, on_lag: Callable[[float], None] = lambda _lag_s: None
    ) -> None:
        """Do nothing yet; ``on_lag`` is told how many seconds after publication each message was here."""
        self._store = store
        self._take_snapshot = snapshot
        self._on_lag = on_lag
        self._channels: dict[str, Channel] = {}
        self._changed: set[str] = set()
        self._awake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._following: asyncio.Task[None] | None = None
        # Threads of its own: a pool full of slow requests must not hold up the feed, nor a crowd that
        # comes back and wants snapshots those who follow.
        self._reader = ThreadPoolExecutor(1, "feed")
        self._helper = ThreadPoolExecutor(1, "feed-snapshots")
        self._listener = None if store.is_sqlite else PostgresListener(store.url, self._woken)
        self._is_ending = False
        self.fallen_behind = 0
        store.on_commit(self.wake)

    async def start(self) -> None:
        """Begin to follow the database."""
        self._loop = asyncio.get_running_loop()
        self._following = asyncio.create_task(self._follow(), name="feed")
        if self._listener is not None:
            self._listener.start()

    async def stop(self) -> None:
        """Send every watcher away and stop."""
        self.end()
        if self._listener is not None:
            await asyncio.to_thread(self._listener.stop)
        if self._following is not None:
            self._following.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._following
        self._loop = None
        self._reader.shutdown(wait=True)
        self._helper.shutdown(wait=True)

    def end(self) -> None:
        """Let watchers take what is there and then go: called when the server begins to stop."""
        self._is_ending = True
        for channel in self._channels.values():
            channel.wake()

    @property
    def ending(self) -> bool:
        """Whether watchers are being sent away."""
        return self._is_ending

    @property
    def alive(self) -> bool:
        """Whether changes are being followed."""
        return self._following is not None and not self._following.done()

    @property
    def watchers(self) -> int:
        """How many watch through this process."""
        return sum(channel.watchers for channel in self._channels.values())

    @contextlib.contextmanager
    def watch(self, table: str, since: int | None = None) -> Iterator[Watcher]:
        """A watcher of a table: from the message after ``since`` if that is still kept, else from a snapshot.

        Raises `TooManyWatchers`.
        """
        if self.watchers >= MAX_WATCHERS:
            raise TooManyWatchers
        channel = self._channels.setdefault(table, Channel(table))
        channel.watchers += 1
        try:
            yield Watcher(self, channel, since)
        finally:
            channel.watchers -= 1
            if not channel.watchers:
                self._channels.pop(table, None)

    def wake(self, tables: Iterable[str]) -> None:
        """Look at these tables now. From any thread; when the feed does not run, nothing happens."""
        self._woken(frozenset(tables))

    def _woken(self, tables: frozenset[str] | None) -> None:
        loop = self._loop
        if loop is not None:
            # The loop may be closed between the two lines, when the process ends.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._look_at, tables)

    def _look_at(self, tables: frozenset[str] | None) -> None:
        wanted = self._channels.keys() if tables is None else tables & self._channels.keys()
        if wanted:
            self._changed |= wanted
            self._awake.set()

    async def _follow(self) -> None:
        while True:
            try:
                async with asyncio.timeout(POLL_S):
                    await self._awake.wait()
            except TimeoutError:
                self._changed |= self._channels.keys()
            self._awake.clear()
            changed, self._changed = self._changed, set()
            if not await self._read_on(changed):
                self._changed |= changed
                await asyncio.sleep(RETRY_S)
                self._awake.set()

    async def _read_on(self, tables: Iterable[str]) -> bool:
        """Take what is new in these tables; False when the database did not answer."""
        open_channels = [self._channels[name] for name in tables if name in self._channels]
        places = {channel.table: channel.seq for channel in open_channels if channel.seq is not None}
        if not places:
            return True
        try:
            found = await self._in(self._reader, self._read, places)
        except StoreBusy:
            return False
        except Exception:
            # Whatever it was, the watchers of all tables depend on this task.
            log.exception("the feed could not be read")
            return False
        now_s = time.time()
        for table, messages in found.items():
            for each in messages:
                self._on_lag(max(0.0, now_s - each.t_s))
            channel = self._channels.get(table)
            if channel is not None and channel.seq == places[table]:
                channel.extend(messages)
            if len(messages) == TAIL:
                self._look_at(frozenset((table,)))
        return True

    def _read(self, places: Mapping[str, int]) -> dict[str, Sequence[Message]]:
        with self._store.read() as connection:
            rows = {table: messages_after(connection, table, seq, TAIL) for table, seq in places.items()}
        return {table: [message(body) for body in bodies] for table, bodies in rows.items()}

    async def opened(self, channel: Channel) -> None:
        """Return when the channel knows the number of its table's last message. Raises `StoreBusy`."""
        if channel.seq is None:
            if channel.opening is None or channel.opening.done():
                channel.opening = asyncio.create_task(self._open(channel))
            # Shielded: the others who wait for the same answer must not go with one who leaves.
            await asyncio.shield(channel.opening)

    async def _open(self, channel: Channel) -> None:
        channel.open_at(await self._in(self._helper, self._last_seq, channel.table))
        # What was published since that look woke nobody here.
        self._look_at(frozenset((channel.table,)))

    def _last_seq(self, table: str) -> int:
        with self._store.read() as connection:
            return last_seq(connection, table) or 0

    async def snapshot(self, channel: Channel) -> Message:
        """The whole of the table, taken once for all who want it at the same time. Raises `StoreBusy`."""
        task = channel.snapshot
        if task is None or _is_stale(task, channel):
            task = channel.snapshot = asyncio.create_task(self._snapshot_now(channel.table))
        return await asyncio.shield(task)

    async def _snapshot_now(self, table: str) -> Message:
        return await self._in(self._helper, self._snapshot, table)

    def _snapshot(self, table: str) -> Message:
        with self._store.read() as connection:
            return snapshot_message(self._take_snapshot(connection, table))

    async def kept(self, channel: Channel, since: int) -> Sequence[Message]:
        """The first messages above ``since`` from the database; none when it no longer has them all."""
        found = (await self._in(self._helper, self._read, {channel.table: since}))[channel.table]
        return found if found and found[0].seq == since + 1 else ()

    def fell_behind(self) -> None:
        """Count a watcher that was too slow."""
        self.fallen_behind += 1

    async def _in(self, pool: ThreadPoolExecutor, work: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work, *given)


def _is_stale(task: asyncio.Task[Message], channel: Channel) -> bool:
    """Whether a snapshot, taken or under way, may not be used for one who comes now."""
    if not task.done():
        # It began before now and may miss the last messages, but it says so by its number.
        return False
    return task.cancelled() or task.exception() is not None or task.result().seq != channel.seq

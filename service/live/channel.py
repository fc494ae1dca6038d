"""The last messages of one table, shared by all who watch it in this process.

There is no queue for each watcher: a watcher is a place in this list. So a slow one costs nobody anything,
and when the list no longer reaches back to its place it starts again from a snapshot.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from service.live.message import Message

#: How far behind a watcher may fall before it is given a snapshot instead.
TAIL = 128


class Channel:
    """One table's messages from some number on. For one event loop alone.

    ``seq`` is the number of the last message known here, None until the table was first looked at.
    """

    def __init__(self, table: str) -> None:
        self.table = table
        self.seq: int | None = None
        self.watchers = 0
        self.snapshot: asyncio.Task[Message] | None = None
        self.opening: asyncio.Task[None] | None = None
        self._tail: list[Message] = []
        self._changed = asyncio.Event()

    def open_at(self, seq: int) -> None:
        """Start with nothing but the number of the table's last message."""
        self.seq = seq

    def extend(self, messages: Sequence[Message]) -> None:
        """Add what came after ``seq`` and wake everyone who waits."""
        if not messages or self.seq is None:
            return
        if messages[0].seq != self.seq + 1:
            # Some were dropped from the database before they were read here: nobody can follow on from
            # before.
            self._tail.clear()
        self._tail.extend(messages)
        self.seq = messages[-1].seq
        if len(self._tail) > 2 * TAIL:
            del self._tail[:-TAIL]
        self.wake()

    def after(self, seq: int) -> Sequence[Message] | None:
        """The messages above ``seq``, or None when they are not all here."""
        if self.seq is None or seq > self.seq:
            return ()
        behind = self.seq - seq
        if behind > len(self._tail):
            return None
        return self._tail[len(self._tail) - behind :]

    def wake(self) -> None:
        """Have everyone who waits look again."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self, timeout_s: float) -> None:
        """Wait until something is new, but no longer than ``timeout_s``."""
        event = self._changed
        try:
            async with asyncio.timeout(timeout_s):
                await event.wait()
        except TimeoutError:
            return

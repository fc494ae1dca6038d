"""One who watches a table: where it is in the table's messages, and how it gets on from there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from service.live.channel import Channel
from service.live.message import Message


class Source(Protocol):
    """What a watcher needs of the feed beside its channel."""

    async def snapshot(self, channel: Channel) -> Message:
        """The whole of the table, at the channel's number or later."""

    async def kept(self, channel: Channel, since: int) -> Sequence[Message]:
        """The first messages above ``since`` from the database; none when it no longer has them all."""

    async def opened(self, channel: Channel) -> None:
        """Return when the channel knows the number of its table's last message."""

    @property
    def ending(self) -> bool:
        """Whether the server stops and every watcher has to go."""

    def fell_behind(self) -> None:
        """Count a watcher that was too slow."""


class Watcher:
    """Takes messages in order and without a gap; what cannot be had in order comes as a snapshot."""

    def __init__(self, source: Source, channel: Channel, since: int | None) -> None:
        self._source = source
        self._channel = channel
        self._resumes = since is not None
        self._since = since

    @property
    def seq(self) -> int:
        """The number of the last message taken."""
        return self._since or 0

    async def next(self, timeout_s: float) -> Sequence[Message] | None:
        """The messages after the last ones; none when nothing came in time, None when the server stops."""
        await self._source.opened(self._channel)
        if self._is_ahead():
            # That number is of another database, or of a copy of this one that had lived longer.
            self._since = None
        taken = await self._ready()
        if not taken and not self._source.ending:
            await self._channel.changed(timeout_s)
            taken = await self._ready()
        if taken:
            self._since = taken[-1].seq
        return None if self._source.ending and not taken else taken

    async def _ready(self) -> Sequence[Message]:
        if self._since is None:
            return await self._snapshot()
        here = self._channel.after(self._since)
        if here is not None:
            self._resumes = False
            return here
        if self._resumes:
            kept = await self._source.kept(self._channel, self._since)
            if kept:
                return kept
        else:
            self._source.fell_behind()
        return await self._snapshot()

    async def _snapshot(self) -> Sequence[Message]:
        self._resumes = False
        return (await self._source.snapshot(self._channel),)

    def _is_ahead(self) -> bool:
        last = self._channel.seq
        return self._resumes and self._since is not None and last is not None and self._since > last

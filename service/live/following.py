"""What is sent to one who watches, either way: messages, and a sign of life when there are none."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from service.live.message import Message, heartbeat
from service.live.watcher import Watcher

#: A quiet table says so as often; a page that hears nothing for twice as long connects again.
HEARTBEAT_S = 15.0

#: How long a connection may take no bytes at all before it is closed.
STALLED_S = 30.0


async def followed(
    watcher: Watcher, still_allowed: Callable[[], Awaitable[bool]], heartbeat_s: float = HEARTBEAT_S
) -> AsyncIterator[Sequence[Message]]:
    """Yield what to send, in order, until the server stops or the watcher's token is taken back."""
    loop = asyncio.get_running_loop()
    # Each at another moment: hundreds who asked in the midst of one message would hold it up.
    checked_s = loop.time() - heartbeat_s * random.random()
    while True:
        messages = await watcher.next(heartbeat_s)
        if messages is None:
            return
        if loop.time() - checked_s >= heartbeat_s:
            if not await still_allowed():
                return
            checked_s = loop.time()
        yield messages or (heartbeat(watcher.seq),)

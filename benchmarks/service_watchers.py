"""Watchers that cost next to nothing, so that what is measured is the server and not its many clients.

In a hall each watcher is a device of its own; here hundreds share what the server leaves of the machine. So a
frame is looked at just far enough to know its message's number and moment, at the time its bytes arrive.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import time
from collections.abc import Callable

#: The start of every message: `service.live.message` puts these two first.
_HEAD = re.compile(rb'\{"seq":(\d+),"t_s":([\d.]+),"type":"(\w+)"')

#: Told of each message: its type, number, and how many seconds late it came.
Told = Callable[[str, int, float], None]


class Watcher(asyncio.Protocol):
    """A WebSocket by RFC 6455, as little of it as a server needs to see."""

    def __init__(self, address: str, told: Told, ready: asyncio.Future[None]) -> None:
        self._address = address
        self._told = told
        self._ready = ready
        self._bytes = b""
        self._is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._address} HTTP/1.1\r\nHost: localhost\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take every whole frame."""
        now_s = time.time()
        self._bytes += data
        if not self._is_open:
            head, end, rest = self._bytes.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head[:200]
            self._is_open, self._bytes = True, rest
        while (frame := self._frame()) is not None:
            if frame[0] & 0x0F == 0x9:
                # A pong carries what its ping did (5.5.3); the mask is all zeros.
                self._transport.write(bytes((0x8A, 0x80 | len(frame[1]))) + bytes(4) + frame[1])
            elif (found := _HEAD.match(frame[1])) is not None:
                self._told(found[3].decode(), int(found[1]), now_s - float(found[2]))
                if not self._ready.done():
                    self._ready.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever waits for this one need not wait any more."""
        if not self._ready.done():
            self._ready.set_exception(exc or ConnectionError("closed"))

    def _frame(self) -> tuple[int, bytes] | None:
        """The next whole frame: its first byte and what it carries. Servers do not mask."""
        if len(self._bytes) < 2:
            return None
        start, length = 2, self._bytes[1]
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(self._bytes[2:start], "big")
        if len(self._bytes) < start + length:
            return None
        first, carried = self._bytes[0], self._bytes[start : start + length]
        self._bytes = self._bytes[start + length :]
        return first, carried


async def watch(port: int, table: str, told: Told) -> asyncio.Transport:
    """Watch a table; returns when the first message, the snapshot, has come."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    address = f"/api/v1/tables/{table}/live"
    transport, _ = await loop.create_connection(lambda: Watcher(address, told, ready), "127.0.0.1", port)
    await ready
    return transport

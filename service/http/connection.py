"""Connections that must come to the point: the head of a request in time, and of a sane size.

The web server waits for ever for a request that is sent a letter at a time, and keeps all of its head; some
hundred such connections would be all it can have.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: How long the head of a request may take from the connection, or from its first letter on an old connection.
HEAD_S = 10.0

#: As much as other servers take: nginx 32 KB, Apache 8 KB a line.
HEAD_BYTES = 64 * 1024


class PromptHttp(HttpToolsProtocol):
    """The web server's protocol with an end to its patience."""

    _late: asyncio.TimerHandle | None = None
    _received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A caller is there; the head has to follow."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The caller is gone."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something came; close when it is too much for a head and still not all of one."""
        self._received += len(data)
        super().data_received(data)
        if self._late is not None and self._received > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of this request is too large.")

    def on_message_begin(self) -> None:
        """The first letter of a request came."""
        super().on_message_begin()
        if self._late is None:
            self._expect_head()

    def on_headers_complete(self) -> None:
        """The head is all there."""
        self._stop_clock()
        super().on_headers_complete()

    def _expect_head(self) -> None:
        self._received = 0
        self._late = self.loop.call_later(HEAD_S, self._too_late)

    def _too_late(self) -> None:
        self._late = None
        self.transport.close()

    def _stop_clock(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

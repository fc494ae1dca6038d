"""``/tables/{table}/live``: a table's messages as they come, over a WebSocket or as server-sent events.

Both say the same. First a ``snapshot`` of the table, unless the watcher says with ``since`` (or a browser
with ``Last-Event-ID``) what it has seen and the rest is still kept; then every message, numbered by ``seq``
without a gap; and a ``heartbeat`` when nothing happens. One who is too slow gets a new snapshot.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from service.http.problem_docs import Known, refusals
from service.http.problems import Problem, invalid, response
from service.http.security import Acting, let_in, require
from service.http.state import Svc, service_of
from service.live.following import STALLED_S, followed
from service.live.hub import TooManyWatchers
from service.live.watcher import Watcher
from service.store import Store, StoreBusy

router = APIRouter(tags=["live"])

log = logging.getLogger(__name__)

_TABLE = r"^[A-Za-z0-9_-]{1,32}$"

#: Why a WebSocket is closed (IANA's registry): the service restarts; its database is busy; the token was
#: taken back.
_GOING_AWAY, _TRY_LATER, _NOT_ALLOWED = 1012, 1013, 1008

#: What sending raises to one who is not there any more, or takes nothing.
_GONE = (WebSocketDisconnect, OSError, StoreBusy)

#: What a browser waits before it connects again, in milliseconds.
_RETRY = b"retry: 1000\n\n"

_EXAMPLE = 'id: 7\ndata: {"seq":7,"t_s":1790000000.123,"type":"match","match":{},"announce":null}\n\n'


@router.get(
    "/tables/{table}/live",
    response_class=Response,
    responses={
        200: {
            "description": "Server-sent events; a WebSocket when the request asks for the upgrade.",
            "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _EXAMPLE}},
        },
        **refusals(Known(503, "too_many_watchers", "As many watch as can be served", "Try again shortly.")),
    },
)
async def follow_events(
    request: Request,
    table: Annotated[str, Path(pattern=_TABLE)],
    service: Svc,
    _acting: Annotated[Acting, Depends(require("overlay"))],
    since: Annotated[int | None, Query(ge=0, le=2**53, description="The last `seq` seen.")] = None,
    last_event_id: Annotated[str | None, Header(description="The same, as browsers send it.")] = None,
) -> Response:
    """Follow a table as server-sent events."""
    seen = _seq(last_event_id) if last_event_id is not None else since
    leaving = contextlib.ExitStack()
    try:
        watcher = leaving.enter_context(service.feed.watch(table, seen))
    except TooManyWatchers:
        raise _full() from None
    return _EventStream(watcher, leaving, partial(_still_allowed, request, service.store))


@router.websocket("/tables/{table}/live")
async def follow_socket(socket: WebSocket, table: str) -> None:
    """Follow a table over a WebSocket. What the watcher sends is not looked at."""
    service = service_of(socket)
    with contextlib.ExitStack() as leaving:
        try:
            if not re.fullmatch(_TABLE, table):
                raise invalid([{"where": "path.table", "message": "not the name of a table"}])
            await run_in_threadpool(let_in, "overlay", socket, service.store)
            watcher = leaving.enter_context(service.feed.watch(table, _seq(socket.query_params.get("since"))))
        except TooManyWatchers:
            await socket.send_denial_response(response(_full()))
            return
        except Problem as problem:
            await socket.send_denial_response(response(problem))
            return
        await socket.accept()
        await _until_either(
            _send(socket, watcher, service.store), _gone(socket.receive, "websocket.disconnect")
        )


async def _send(socket: WebSocket, watcher: Watcher, store: Store) -> None:
    code = _GOING_AWAY

    async def still_allowed() -> bool:
        nonlocal code
        if not await _still_allowed(socket, store):
            code = _NOT_ALLOWED
        return code == _GOING_AWAY

    try:
        async for messages in followed(watcher, still_allowed):
            async with asyncio.timeout(STALLED_S):
                for message in messages:
                    await _send_text(socket, message.text)
    except StoreBusy:
        code = _TRY_LATER
    await socket.close(code)


async def _send_text(socket: WebSocket, text: str) -> None:
    try:
        await socket.send_text(text)
    except RuntimeError:
        # The server's word for a connection that it closed itself, for one that answered no ping.
        raise WebSocketDisconnect from None


class _EventStream(Response):
    """Writes one watcher's messages until it goes or is sent away."""

    media_type = "text/event-stream"

    def __init__(
        self, watcher: Watcher, leaving: contextlib.ExitStack, still_allowed: Callable[[], Awaitable[bool]]
    ) -> None:
        # No buffering by a proxy in front, and nothing kept.
        super().__init__(headers={"X-Accel-Buffering": "no", "Cache-Control": "no-store"})
        del self.headers["content-length"]
        self._watcher = watcher
        self._leaving = leaving
        self._still_allowed = still_allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._leaving:
            await _until_either(self._send(send), _gone(receive, "http.disconnect"))

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": _RETRY, "more_body": True})
        async for messages in followed(self._watcher, self._still_allowed):
            body = b"".join(message.event for message in messages)
            async with asyncio.timeout(STALLED_S):
                await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_either(sending: Coroutine[Any, Any, None], gone: Coroutine[Any, Any, None]) -> None:
    """Send until that is done or the watcher has gone, whichever comes first."""
    tasks = [asyncio.create_task(sending), asyncio.create_task(gone)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            # One who went away in the middle of a message or took nothing is no failure of ours.
            if isinstance(ended, Exception) and not isinstance(ended, _GONE):
                log.error("the live feed of one watcher failed", exc_info=ended)


async def _gone(receive: Receive, how: str) -> None:
    while (await receive())["type"] != how:
        pass


async def _still_allowed(connection: HTTPConnection, store: Store) -> bool:
    try:
        await run_in_threadpool(let_in, "overlay", connection, store)
    except Problem:
        return False
    return True


def _seq(text: str | None) -> int | None:
    """A number that was seen; anything else is as good as having seen nothing."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) <= 16 else None


def _full() -> Problem:
    detail = "As many watch as this process can serve. Try again shortly."
    return Problem(503, "too_many_watchers", "Full", detail, headers={"Retry-After": "5"})

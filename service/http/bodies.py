"""No body but a photo's is larger than a large match file: what is longer is refused unread."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.http.problems import Problem, response
from service.settings import Settings

#: Where photos come in; what takes them counts for itself.
UPLOADS = ("/api/v1/readings", "/api/v1/linecalls")

#: A match of every shot with a reading for every round, several times over.
MOST_BYTES = 4_000_000

_WORDS = f"The body is larger than {MOST_BYTES // 1_000_000} MB."


def install(app: FastAPI, settings: Settings) -> None:
    """Hold the bodies of every request of ``app`` to a size; uploads have a limit of their own."""
    app.add_middleware(_Bodies)


class _Bodies:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UPLOADS:
            await self._app(scope, receive, send)
            return
        length = _header(scope, b"content-length")
        if length.isdigit() and (len(length) > 12 or int(length) > MOST_BYTES):
            problem = Problem(413, "too_large", "The body is too large", _WORDS)
            await response(problem)(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > MOST_BYTES:
                # FastAPI lets this one kind of error out of its reading of bodies.
                raise HTTPException(413)
            return message

        await self._app(scope, counted, send)


def _header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")

"""Logs: one JSON object a line, each with the id of its request, and nothing in them that should stay inside.

A bug is told by its kind and by the functions it went through. File paths, exception texts and the query part
of addresses are left out: they are where paths, tokens and people's names would come from.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.settings import Settings
from service.store.moments import iso, new_id

#: What a caller may choose as a request's id.
_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")

#: Anything that looks like a token of ours, and what follows ``token=``.
_SECRETS = re.compile(r"t_[A-Za-z0-9_-]{12}\.[A-Za-z0-9_-]{43}|(?<=token=)[^&\s\"']+|(?<=[Bb]earer )\S+")

_FIELDS = ("method", "path", "status", "ms", "client", "request_id")
_FILE_BYTES = 1_000_000
_FILES = 3

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request under way, also in the thread that serves it."""

access = logging.getLogger("service.access")


def install(app: FastAPI, settings: Settings) -> None:
    """Give every request of ``app`` an id and a line in the log."""
    app.add_middleware(_Logs)


def log_file(settings: Settings) -> Path:
    """Where the last lines are kept for ``crokinole diagnostics``; each port has its own file."""
    return settings.data_dir / "logs" / f"serve-{settings.port}.jsonl"


def set_up(settings: Settings) -> None:
    """Send the log to standard error and to the file of `log_file`. For a process that serves."""
    file = log_file(settings)
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = RotatingFileHandler(file, maxBytes=_FILE_BYTES, backupCount=_FILES, encoding="utf-8", delay=True)
    logging.captureWarnings(True)
    root = logging.getLogger()
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    # Libraries' talk for those who debug them repeats requests whole, with their tokens.
    root.setLevel(max(level, logging.INFO))
    logging.getLogger("service").setLevel(level)
    for handler in (logging.StreamHandler(sys.stderr), kept):
        handler.setFormatter(JsonLines())
        handler.addFilter(_is_wanted)
        root.addHandler(handler)
    # Alembic tells every migration it looks at; httpx every request, with its address.
    for chatty in ("alembic", "httpx", "multipart", "python_multipart", "watchfiles", "PIL"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line: moment, level, who says it, what, and the request's id."""
        line: dict[str, Any] = {
            "at": iso(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        for name in _FIELDS:
            if (value := getattr(record, name, None)) is not None:
                line[name] = masked(value) if isinstance(value, str) else value
        line.setdefault("request_id", request_id.get())
        if line["request_id"] is None:
            del line["request_id"]
        if record.exc_info and record.exc_info[1] is not None:
            line |= _told(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def masked(text: str) -> str:
    """``text`` without tokens."""
    return _SECRETS.sub("***", text)


def _told(error: BaseException) -> dict[str, Any]:
    """An exception's kind, and where it came from as ``module.function:line``, the outermost first."""
    steps = [
        f"{frame.f_globals.get('__name__', '?')}.{frame.f_code.co_name}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    told: dict[str, Any] = {"error": type(error).__qualname__, "where": steps[-12:]}
    cause = error.__cause__ or error.__context__
    if cause is not None:
        told["because"] = type(cause).__qualname__
    return told


def _is_wanted(record: logging.LogRecord) -> bool:
    """Not the web server's own words on requests: they hold addresses with tokens and bugs with paths."""
    if record.name != "uvicorn.error":
        return record.name != "uvicorn.access"
    text = str(record.msg)
    return "WebSocket" not in text and "ASGI application" not in text and text != "connection open"


class _Logs:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        this_id = given if _ID.fullmatch(given) else new_id("q")
        scope.setdefault("state", {})["request_id"] = this_id
        held = request_id.set(this_id)
        began_s = time.perf_counter()
        status: int | None = None

        async def send_with(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = this_id
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        try:
            await self._app(scope, receive, send_with)
        finally:
            _say(scope, status or 500, began_s)
            request_id.reset(held)


def _say(scope: Scope, status: int, began_s: float) -> None:
    client = scope.get("client")
    access.log(
        logging.WARNING if status >= 500 else logging.INFO,
        "request",
        extra={
            "method": scope.get("method", "WEBSOCKET"),
            "path": scope["path"],
            "status": status,
            "ms": round(1000 * (time.perf_counter() - began_s), 1),
            "client": client[0] if client else None,
        },
    )

"""How often one caller may send photos or change things: a bucket of permissions that fills at a steady rate.

It is asked before anything of the body is read, by the caller's network address: a token is worth nothing
here, since somebody who floods can invent a new one for each request.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from service.http.problems import Problem, response
from service.settings import Settings

#: Callers remembered; of more the one unheard for longest is forgotten, so that a flood cannot take the
#: memory.
_CALLERS = 10_000

_API = "/api/"
_PHOTOS = ("/readings", "/linecalls", "/capture")
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(slots=True)
class _Bucket:
    left: float
    at_s: float


class Rate:
    """A rate for each caller; a whole minute's worth may come at once after a quiet minute."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._per_s = per_minute / 60
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait_s(self, caller: str) -> float:
        """Take one permission: 0 when there is one, else the seconds until there is."""
        now_s = self._clock()
        bucket = self._buckets.setdefault(caller, _Bucket(self._most, now_s))
        self._buckets.move_to_end(caller)
        if len(self._buckets) > _CALLERS:
            self._buckets.popitem(last=False)
        bucket.left = min(self._most, bucket.left + (now_s - bucket.at_s) * self._per_s)
        bucket.at_s = now_s
        if bucket.left < 1:
            return (1 - bucket.left) / self._per_s
        bucket.left -= 1
        return 0.0


def install(app: FastAPI, settings: Settings) -> None:
    """Hold every caller of ``app`` to the settings' rates."""
    app.add_middleware(
        _Limits, photos=Rate(settings.uploads_per_minute), changes=Rate(settings.changes_per_minute)
    )


class _Limits:
    """For one event loop: the buckets are touched there alone."""

    def __init__(self, app: ASGIApp, photos: Rate, changes: Rate) -> None:
        self._app = app
        self._photos = photos
        self._changes = changes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait_s = self._wait_s(scope)
        if wait_s > 0:
            await response(_too_many(wait_s))(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _wait_s(self, scope: Scope) -> float:
        if scope["type"] != "http" or scope["method"] in _READING or not scope["path"].startswith(_API):
            return 0.0
        rate = self._photos if scope["path"].rstrip("/").endswith(_PHOTOS) else self._changes
        client = scope.get("client")
        return rate.wait_s(client[0] if client else "")


def _too_many(wait_s: float) -> Problem:
    seconds = math.ceil(wait_s)
    return Problem(
        429,
        "too_many_requests",
        "Too many requests",
        f"That is more than one caller may send. Try again in {seconds} s.",
        headers={"Retry-After": str(seconds)},
    )

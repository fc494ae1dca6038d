"""What every answer says to browsers, and which host a request must have been meant for.

Other sites get nothing: there are no CORS headers at all, so their pages can neither read an answer nor send
what is not a plain form, and plain forms are stopped in `service.http.security`.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.http.problems import Problem, response
from service.http.security import Gate, is_loopback_host
from service.http.strict import POLICY, STRICT
from service.settings import Settings

#: The overlay may stand in anybody's page: there is nothing on it that could be clicked.
_FRAMED = {name: value for name, value in STRICT.items() if name != "X-Frame-Options"} | {
    "Content-Security-Policy": POLICY.format(framed_by="*")
}

_OVERLAY = "/overlay/"
_API = "/api/"


def install(app: FastAPI, settings: Settings) -> None:
    """Put the headers on every answer of ``app`` and refuse requests for another host."""
    app.add_middleware(_Headers, gate=Gate(settings))


class _Headers:
    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._is_local = gate.is_local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        strict = _FRAMED if path.startswith(_OVERLAY) else STRICT

        async def send_with(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in strict.items():
                    headers.setdefault(name, value)
                if path.startswith(_API):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        if self._is_local and not _is_this_machine(Headers(scope=scope).get("host", "")):
            await response(_wrong_host())(scope, receive, send_with)
            return
        await self._app(scope, receive, send_with)


def _is_this_machine(host: str) -> bool:
    """Whether a Host header means this machine by a name that only this machine has.

    A page of another site can have its own name lead to 127.0.0.1 and then speak to us as if we were that
    site (DNS rebinding); its name in the Host header gives it away.
    """
    try:
        name = urlsplit(f"//{host}").hostname
        return name is not None and is_loopback_host(name)
    except (ValueError, ipaddress.AddressValueError):
        return False


def _wrong_host() -> Problem:
    detail = (
        "This service answers to localhost and 127.0.0.1 only; set host or public_url to open it to others."
    )
    return Problem(421, "wrong_host", "Not the host of this service", detail)

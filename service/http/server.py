"""The web server: set up for this service, and stopped so that what was accepted is finished.

On the first signal no new connection is taken, watchers are told to come back to whoever serves next, and
requests under way are answered; then the parts of the service end, in the order in which they need each
other.
"""

from __future__ import annotations

import gc
import socket
import sys

import uvicorn
from fastapi import FastAPI

from service.http import logs
from service.http.connection import PromptHttp
from service.http.security import Gate
from service.settings import Settings

#: How long what was accepted may take to finish after the first signal to stop.
GRACE_S = 30

#: What watchers send is not looked at, so a kilobyte is plenty.
_SOCKET_BYTES = 1024

#: A watcher is a file to the system, and many systems give a program 1024 unless it asks for more.
_FILES = 16_384


def serve(app: FastAPI, settings: Settings) -> None:
    """Serve ``app`` until a signal comes."""
    logs.set_up(settings)
    _want_files()
    _say_where(app.state.gate, settings)
    Server(app, settings).run()


def _configured(app: FastAPI, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=PromptHttp,
        log_config=None,
        access_log=False,
        server_header=False,
        # A table's messages are short; compressing them costs more memory for each watcher than all the rest.
        ws_per_message_deflate=False,
        ws_max_size=_SOCKET_BYTES,
        timeout_graceful_shutdown=GRACE_S,
    )


#: New objects before the youngest are searched, such searches before the middle ones are, and before all are.
_GARBAGE = (5_000, 20, 50)


class Server(uvicorn.Server):
    """The web server of one application."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        super().__init__(_configured(app, settings))
        self._app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, and see that the search for garbage seldom looks through all there is.

        Hundreds of watchers and the loaded modules are 300,000 objects: 100 to 200 ms in which nobody hears
        anything, and it was due every 15 s. What is loaded now stays for good and is looked at no more.
        """
        await super().startup(sockets)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GARBAGE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Send the watchers away first: their connections would otherwise never be done."""
        self._app.state.service.feed.end()
        await super().shutdown(sockets)


def _say_where(gate: Gate, settings: Settings) -> None:
    """Print where the pages are; with the token that was made because none was set: once, not to the log."""
    if gate.made_token is None:
        print(f"Open {_address(settings)}/ in a browser; Ctrl-C stops.", file=sys.stderr, flush=True)
    else:
        print(
            f"The operator's token until this program stops: {gate.made_token}\n"
            f"Sign in: {_address(settings)}/login#token={gate.made_token}\n"
            "Set CROKINOLE_TOKEN to have one that stays.",
            file=sys.stderr,
            flush=True,
        )


def _address(settings: Settings) -> str:
    """Where to find the service from another machine, as well as that can be known here."""
    if settings.public_url is not None:
        return settings.public_url.rstrip("/")
    # "Every address" is no address anybody could open.
    host = socket.gethostname() if settings.host in ("0.0.0.0", "::") else settings.host
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def _want_files() -> None:
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

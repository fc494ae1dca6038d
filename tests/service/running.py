"""The real web server with the real application on a free port of this machine, in a thread of the test."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from service.http.app import create_app
from service.http.server import Server
from service.http.state import Service
from service.settings import Settings

#: Long enough for a machine that does many other things, and never waited for when all is well.
PATIENCE_S = 20.0


@dataclass(frozen=True)
class Running:
    """A running service: its address, a client, and its inside."""

    app: FastAPI
    server: Server
    port: int
    client: httpx.Client

    @property
    def service(self) -> Service:
        found: Service = self.app.state.service
        return found

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def watching(
        self, table: str, query: str = "", headers: dict[str, str] | None = None
    ) -> Iterator[ClientConnection]:
        """A WebSocket that watches a table."""
        url = f"ws://127.0.0.1:{self.port}/api/v1/tables/{table}/live{query}"
        with connect(url, additional_headers=headers, open_timeout=PATIENCE_S, proxy=None) as socket:
            yield socket


def heard(socket: ClientConnection) -> dict[str, Any]:
    """The next message on a socket."""
    message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE_S))
    return message


@contextmanager
def running(folder: Path, **given: Any) -> Iterator[Running]:
    """A service with its data in ``folder``; ``given`` are settings. Stopped gracefully at the end."""
    settings = Settings(data_dir=folder, port=0, **given)
    app = create_app(settings)
    server = Server(app, settings)
    thread = threading.Thread(target=asyncio.run, args=(server.serve(),))
    thread.start()
    try:
        ends = time.monotonic() + PATIENCE_S
        while not server.started:
            assert thread.is_alive() and time.monotonic() < ends, "the service did not start"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S, trust_env=False) as client:
            yield Running(app, server, port, client)
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the service did not stop"

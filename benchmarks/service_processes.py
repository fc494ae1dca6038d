"""Real servers in processes of their own that can be killed at any moment and started again."""

from __future__ import annotations

import http.client
import multiprocessing
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from typing import Any

#: Long enough for a busy machine; never waited for when all is well.
PATIENCE_S = 60.0

# A process that has imported the service once and forks a server from itself each time: a life takes a
# fraction of a second to begin instead of several.
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["service.http.app", "service.http.server", "psycopg"])


def free_port(kind: socket.SocketKind = socket.SOCK_STREAM) -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket(type=kind) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@dataclass
class ServerProcess:
    """One server: ``settings`` by name. It may be started and killed many times."""

    settings: dict[str, Any]
    port: int = field(default_factory=free_port)
    process: BaseProcess | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None and self.process.pid is not None
        return self.process.pid

    def start(self) -> None:
        """Start it and return when it answers."""
        self.process = _context.Process(target=_serve, args=({**self.settings, "port": self.port},))
        self.process.start()
        ends_s = time.monotonic() + PATIENCE_S
        while not self._answers():
            if self.process.exitcode is not None or time.monotonic() > ends_s:
                raise RuntimeError(f"the server did not start: exit status {self.process.exitcode}")
            time.sleep(0.005)

    def kill(self) -> None:
        """End it as a power cut would: SIGKILL, no warning, nothing finished."""
        assert self.process is not None
        self.process.kill()
        self.process.join()

    def stop(self) -> int | None:
        """End it gracefully; its exit status."""
        assert self.process is not None
        self.process.terminate()
        self.process.join(PATIENCE_S)
        return self.process.exitcode

    def _answers(self) -> bool:
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            asking.request("GET", "/readyz")
            return asking.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            asking.close()


@contextmanager
def server(**settings: Any) -> Iterator[ServerProcess]:
    """A started server, stopped at the end if it is still there."""
    one = ServerProcess(settings)
    one.start()
    try:
        yield one
    finally:
        if one.process is not None and one.process.is_alive():
            one.stop()


def _serve(settings: dict[str, Any]) -> None:
    """Run as the server's process."""
    from service.http.app import create_app
    from service.http.server import serve
    from service.settings import Settings

    # What the settings of the person who runs this say must not change what is measured.
    for name in [name for name in os.environ if name.startswith("CROKINOLE_")]:
        del os.environ[name]
    given = Settings(**settings)
    serve(create_app(given), given)

"""One table's camera as the service holds it: its process, the pipe to it, and who waits for which answer."""

from __future__ import annotations

import itertools
import logging
import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING

from service.camera import agent
from service.camera.messages import Answer, Capture, Command, Preview, Refusal, SourceIs

if TYPE_CHECKING:
    from vision.live.address import SourceAddress

log = logging.getLogger(__name__)

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0
_BEGINS_S = 3.0
_GONE = "the camera's process had to be started anew: try again in a moment"


class TableCamera:
    """A camera that is watched until it is closed. Thread-safe.

    ``told`` hears, in a thread of this camera, whether it is live, whenever that changes.
    """

    def __init__(self, address: SourceAddress, told: Callable[[bool], None]) -> None:
        self.address = address
        self._told = told
        self._numbers = itertools.count(1)
        self._lock = threading.Condition()
        self._waiting: dict[int, Future[Answer]] = {}
        self._line: Connection | None = None
        self._process: SpawnProcess | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def capture(self, path: Path) -> Future[Answer]:
        """Have a picture of the position written to ``path``. May wait for the process to begin."""
        return self._ask(lambda number: Capture(number, path))

    def preview(self) -> Future[Answer]:
        """Have a JPEG of what the camera sees. May wait for the process to begin."""
        return self._ask(Preview)

    def close(self) -> None:
        """Let the camera go."""
        self._closed.set()
        with self._lock:
            self._lock.notify_all()
            if self._process is not None:
                # Its end of the line closes with it, which is what our thread hears.
                self._process.kill()
        self._thread.join()

    def _ask(self, command: Callable[[int], Command]) -> Future[Answer]:
        number = next(self._numbers)
        future: Future[Answer] = Future()
        with self._lock:
            self._lock.wait_for(lambda: self._line is not None or self._closed.is_set(), _BEGINS_S)
            if self._line is None:
                future.set_result(Refusal(number, "source_lost", _GONE))
                return future
            self._waiting[number] = future
            try:
                self._line.send(command(number))
            except OSError:
                del self._waiting[number]
                future.set_result(Refusal(number, "source_lost", _GONE))
        return future

    def _run(self) -> None:
        wait_s = _FIRST_WAIT_S
        while not self._closed.is_set():
            try:
                if self._one_process():
                    wait_s = _FIRST_WAIT_S
            except OSError as error:
                # The system had no room for one more process; it may have later.
                log.warning("a camera's process could not be started: %s", error)
            self._closed.wait(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def _one_process(self) -> bool:
        """Start a process and hear it until it ends; whether the camera was ever live."""
        process, line = _started(self.address)
        with self._lock:
            self._process, self._line = process, line
            self._lock.notify_all()
            if self._closed.is_set():
                process.kill()
        was_live = False
        try:
            while True:
                said = line.recv()
                if isinstance(said, SourceIs):
                    was_live = was_live or said.live
                    self._told(said.live)
                else:
                    self._answer(said)
        except (EOFError, OSError):
            return was_live
        finally:
            with self._lock:
                self._process = self._line = None
            line.close()
            process.kill()
            process.join()
            process.close()
            self._give_up_waiting()
            if was_live and not self._closed.is_set():
                self._told(False)

    def _answer(self, answer: Answer) -> None:
        with self._lock:
            future = self._waiting.pop(answer.number, None)
        if future is not None and future.set_running_or_notify_cancel():
            future.set_result(answer)

    def _give_up_waiting(self) -> None:
        with self._lock:
            left, self._waiting = self._waiting, {}
        for number, future in left.items():
            if future.set_running_or_notify_cancel():
                future.set_result(Refusal(number, "source_lost", _GONE))


def _started(address: SourceAddress) -> tuple[SpawnProcess, Connection]:
    # Not forked: this process has threads, and a fork would carry their locks.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=agent.main, args=(theirs, address), name="camera", daemon=True)
    process.start()
    theirs.close()
    return process, ours

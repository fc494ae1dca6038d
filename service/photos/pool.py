"""A bounded pool of worker processes with a bounded queue before them.

Not the standard library's: a worker here may be killed over one photo without losing the others, and a full
queue says so instead of growing.
"""

from __future__ import annotations

import logging
import multiprocessing
import queue
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from service.photos import worker
from service.photos.jobs import Called, Done, Failed, Job, Read

#: Far more than any photo takes; what runs longer is a picture made to do so, or a machine out of memory.
TIMEOUT_S = 60.0

TOO_LONG = Failed(
    "took_too_long", "reading this photo took too long: take a plainer one, nearer to the board"
)
GAVE_UP = Failed("gave_up", "this photo could not be read: take it again, or save it as JPEG")

log = logging.getLogger(__name__)


class QueueFull(Exception):
    """No more jobs are taken now."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    job: Job
    future: Future[Done]


class _Starts:
    """Starts worker processes, the first of them ahead when somebody says that it will be needed."""

    def __init__(self, memory_bytes: int) -> None:
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._ahead: _Worker | None = None
        self._is_first = True

    def ahead(self) -> None:
        """Start the first worker, if there was none yet."""
        with self._lock:
            if self._is_first:
                self._ahead = self._started()

    def take(self) -> _Worker:
        """The worker that was started ahead, or a new one."""
        with self._lock:
            taken, self._ahead = self._ahead, None
            return taken or self._started()

    def end(self) -> None:
        """End what nobody took; nothing is started ahead any more."""
        with self._lock:
            self._is_first = False
            if self._ahead is not None:
                self._ahead.end()
            self._ahead = None

    def _started(self) -> _Worker:
        self._is_first = False
        # Not forked: this process has threads, and a fork would carry their locks.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=worker.main, args=(theirs, self._memory_bytes), name="photos", daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)


@dataclass(frozen=True, slots=True)
class _Worker:
    """A worker process and the line to it."""

    process: SpawnProcess
    line: Connection

    def end(self) -> None:
        """End it, whatever it does."""
        self.line.close()
        self.process.kill()
        self.process.join()
        self.process.close()


class WorkerPool:
    """``workers`` processes, started when first needed. Thread-safe."""

    def __init__(
        self,
        workers: int,
        queue_size: int,
        *,
        timeout_s: float = TIMEOUT_S,
        memory_bytes: int = worker.MEMORY_BYTES,
    ) -> None:
        self._most = workers + queue_size
        self._timeout_s, self._starts = timeout_s, _Starts(memory_bytes)
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._taken = 0
        self._is_stopping = False
        self._threads = [
            threading.Thread(target=self._run, name=f"photos-{k + 1}", daemon=True) for k in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def taken(self) -> int:
        """Jobs under way and waiting."""
        return self._taken

    @property
    def is_full(self) -> bool:
        """Whether another job would be refused."""
        return self._taken >= self._most

    @property
    def is_alive(self) -> bool:
        """Whether every worker's thread is there to take a job."""
        return all(thread.is_alive() for thread in self._threads)

    def expect(self) -> None:
        """A job is on its way: have a worker load what it needs while the photo comes in."""
        self._starts.ahead()

    def submit(self, job: Job) -> Future[Done]:
        """Have a job done. Cancelling the future drops it while it waits. Raises :class:`QueueFull`."""
        with self._lock:
            if self._is_stopping or self._taken >= self._most:
                raise QueueFull
            self._taken += 1
        future: Future[Done] = Future()
        # Whatever becomes of it, its place is free again; a job that was dropped frees it at once.
        future.add_done_callback(self._leave)
        self._queue.put(_Waiting(job, future))
        return future

    def stop(self, patience_s: float) -> None:
        """Finish what was taken, for that long, then end the workers."""
        with self._lock:
            self._is_stopping = True
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join(patience_s)
        self._starts.end()

    def _leave(self, _future: Future[Done]) -> None:
        with self._lock:
            self._taken -= 1

    def _run(self) -> None:
        """One worker's life, and that of those who take its place."""
        hand = _Hand(self._timeout_s, self._starts)
        try:
            while (waiting := self._queue.get()) is not None:
                if waiting.future.set_running_or_notify_cancel():
                    hand.do(waiting.job, waiting.future)
        finally:
            hand.end()


class _Hand:
    """One worker process at a time; a new one when it had to be killed."""

    def __init__(self, timeout_s: float, starts: _Starts) -> None:
        self._timeout_s, self._starts = timeout_s, starts
        self._worker: _Worker | None = None

    def do(self, job: Job, future: Future[Done]) -> None:
        """Have the job done and tell the future, then wait until the worker can take the next."""
        future.set_result(self._answer(job))
        if self._worker is None:
            return
        try:
            self._said(self._worker)
        except (OSError, EOFError):
            self.end()

    def end(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.end()
        self._worker = None

    def _answer(self, job: Job) -> Done:
        """The worker's answer; a failure, and no worker any more, when it gave none."""
        try:
            living = self._alive()
            living.line.send(job)
            answer = self._said(living)
        except TimeoutError:
            failed = TOO_LONG
        except (OSError, EOFError):
            failed = GAVE_UP
        else:
            assert isinstance(answer, (Read, Called, Failed))
            return answer
        log.warning("a worker was ended over a photo: %s", failed.code)
        self.end()
        return failed

    def _said(self, living: _Worker) -> object:
        """What the worker says next. Raises ``TimeoutError``, or ``EOFError`` when it died."""
        if not living.line.poll(self._timeout_s):
            raise TimeoutError
        return living.line.recv()

    def _alive(self) -> _Worker:
        """A living worker."""
        if self._worker is None or not self._worker.process.is_alive():
            self.end()
            self._worker = self._starts.take()
        return self._worker

"""A worker: a process of its own that reads one photo after another.

It is where strangers' files are decoded. So its memory is limited, it may be killed at any moment, and
nothing is in it that anybody would miss.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import sys
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from service.photos.jobs import Called, Done, Failed, Job, LineCallJob, Read, ReadJob
from service.photos.orders import http_words

if TYPE_CHECKING:
    from service.compose import ScoredPhoto
    from vision.linecall_values import ReadPhoto
    from vision.picture import Picture

#: Address space of a worker. Reading a picture of 50 megapixels takes 0.9 to 1.5 GB of it, by format; as much
#: again is for what the libraries set aside and never use.
MEMORY_BYTES = 3_000_000_000

#: How far a worker stands back for the server's own process.
_NICE = 5

#: Sent when a worker has finished what follows an answer, and can take the next job.
READY = "ready"

OUT_OF_MEMORY = Failed(
    "too_large", "this picture needs more memory than a photo may take: scale it down and send it again"
)
_UNKNOWN_TYPE = "application/octet-stream"
_MEDIA_TYPES = {
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "WebP": "image/webp",
    "HEIC": "image/heic",
    "AVIF": "image/avif",
}


def main(jobs: Connection, memory_bytes: int) -> None:
    """Do jobs until the other end is closed: for each an answer, then :data:`READY`."""
    # Ctrl-C in a terminal goes to every process of the program; the server stops its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        # A photo may take a second; what everybody watches must not wait for it.
        os.nice(_NICE)
    # Read by the numerical libraries when they are loaded: their threads only fight over the same cores.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    limit_memory(memory_bytes)
    import cv2

    cv2.setNumThreads(1)
    _load()
    while True:
        try:
            job: Job = jobs.recv()
            _do(job, jobs)
            jobs.send(READY)
        except (EOFError, OSError):
            return


def limit_memory(limit: int) -> None:
    """Have this process refused memory beyond so many bytes of address space, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    # A crash is told by the exit; a picture of the memory beside it would hold somebody's photo.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _load() -> None:
    """Load what reading takes, which needs longer than many a photo: the first may still be on its way."""
    for name in ("service.compose", "service.reading_json", "vision.read", "vision.draw"):
        importlib.import_module(name)


def _do(job: Job, jobs: Connection) -> None:
    """Answer first, draw afterwards: nobody waits for the drawing."""
    import cv2

    from service.errors import FAILURES, failure_of

    drawn = None
    try:
        if isinstance(job, ReadJob):
            answer, drawn = _read(job)
        else:
            answer = _call_lines(job)
    except FAILURES as error:
        failure = failure_of(error)
        answer = Failed(failure.code, http_words(failure.message))
    except MemoryError:
        answer = OUT_OF_MEMORY
    except cv2.error as error:
        if error.code != cv2.Error.StsNoMem:
            raise
        answer = OUT_OF_MEMORY
    jobs.send(answer)
    if drawn is not None and isinstance(job, ReadJob):
        _draw(job, *drawn)


def _read(job: ReadJob) -> tuple[Done, tuple[Picture, ScoredPhoto]]:
    from service.compose import compose
    from service.photos.orders import order_of
    from service.reading_json import reading_json
    from vision.picture import open_picture
    from vision.read import read_picture

    order = order_of(job.options)
    picture = open_picture(job.photo, job.name)
    board = None if job.board is None else pickle.loads(job.board)
    seen = read_picture(picture, order.equipment, sides=order.sides.expected, board=board)
    scored = compose(seen, order.rules, order.sides)
    reading = reading_json(scored)
    reading["warnings"] = [http_words(warning) for warning in reading["warnings"]]
    return Read(reading, _MEDIA_TYPES.get(picture.format, _UNKNOWN_TYPE)), (picture, scored)


def _call_lines(job: LineCallJob) -> Done:
    from service.linecall import LineCallOrder, call_lines
    from service.linecall_json import linecalls_json
    from service.photos.orders import equipment_of

    job.report.parent.mkdir(parents=True, exist_ok=True)
    order = LineCallOrder(
        at_px=job.options.at_px, equipment=equipment_of(job.options.equipment), report=job.report
    )
    made = call_lines([str(photo) for photo in job.photos], order, job.names)
    if made.refusal is not None:
        return Failed(made.refusal.code, http_words(made.refusal.message))
    return Called(linecalls_json(made), tuple(_file(read) for _, read, _ in made.photos))


def _file(read: ReadPhoto | None) -> tuple[str, tuple[int, int]]:
    """A photo's media type and size; what could not be read has none."""
    if read is None:
        return _UNKNOWN_TYPE, (0, 0)
    picture = read.picture
    return _MEDIA_TYPES.get(picture.format, _UNKNOWN_TYPE), (picture.width_px, picture.height_px)


def _draw(job: ReadJob, picture: Picture, scored: ScoredPhoto) -> None:
    from service.scoreboard import scoreboard_of
    from vision.draw import annotate

    unfinished = job.drawing.with_suffix(".part.png")
    try:
        job.drawing.parent.mkdir(parents=True, exist_ok=True)
        annotate(picture, scored.seen, scored.points, unfinished, scoreboard_of(scored))
        unfinished.replace(job.drawing)
    except (OSError, MemoryError):
        # Without its drawing a reading is still a reading.
        unfinished.unlink(missing_ok=True)

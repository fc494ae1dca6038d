"""Where photos come in and readings go out: the files, the workers and the records, put together.

::

    photo ─► incoming file ─► worker process ─► file kept ─► reading stored and published, in one transaction
                                    └─► drawing, a little later
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from service.photos import records
from service.photos.files import IncomingPhoto, PhotoFiles
from service.photos.jobs import Called, Done, LineCallJob, LineCallOptions, Options, Read, ReadJob
from service.photos.pool import QueueFull, WorkerPool
from service.settings import Settings
from service.store import Store, StoreBusy
from service.store.moments import new_id
from service.store.once import Answer, Once, once

#: Uploads under way at once, for each photo that may wait for a worker: they are slower than reading, and
#: only cost room on the disc.
_UPLOADS_PER_PLACE = 4

#: How long the service waits for its workers when it is stopped.
_STOP_S = 25.0

_PURGE_EVERY_S = 3600.0

log = logging.getLogger(__name__)


class Busy(Exception):
    """No more photos are taken now; ``wait_s`` is when it is worth trying again."""

    def __init__(self, wait_s: int) -> None:
        super().__init__("no more photos are taken now")
        self.wait_s = wait_s


class PhotoDesk:
    """Takes photos, has workers read them, keeps both."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._days = settings.photo_days
        self.files = PhotoFiles(settings.data_dir)
        self.upload_bytes = settings.upload_mb * 1_000_000
        self._workers = settings.workers
        self._most_uploads = _UPLOADS_PER_PLACE * (settings.workers + settings.queue)
        self._uploads = 0
        self._lock = threading.Lock()
        self._pool = WorkerPool(settings.workers, settings.queue)
        self._purging: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin; called in the server's event loop."""
        await asyncio.to_thread(self.files.prepare)
        if self._days:
            self._purging = asyncio.create_task(self._purge_now_and_then(), name="photo-purge")

    async def stop(self) -> None:
        """Finish what was accepted, then end the workers."""
        if self._purging is not None:
            self._purging.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._purging
        await asyncio.to_thread(self._pool.stop, _STOP_S)

    @property
    def queued(self) -> int:
        """Photos being read and waiting."""
        return self._pool.taken

    @property
    def alive(self) -> bool:
        """Whether photos are being read."""
        return self._pool.is_alive

    @contextmanager
    def receiving(self) -> Iterator[None]:
        """While one upload is taken in. Raises :class:`Busy`, before anything of it is read."""
        with self._lock:
            if self._pool.is_full or self._uploads >= self._most_uploads:
                raise self._busy()
            self._uploads += 1
        # Not here: this may be the event loop, and starting a process takes some milliseconds.
        threading.Thread(target=self._pool.expect, name="photos-ahead", daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                self._uploads -= 1

    def read(
        self, photo: IncomingPhoto, options: Options, id: str, board: bytes | None = None
    ) -> Future[Done]:
        """Have a photo read; its drawing will be that of ``id``. Raises :class:`Busy`."""
        return self._submit(ReadJob(photo.path, photo.name, self.files.drawing(id), options, board))

    def call_lines(self, photos: Sequence[IncomingPhoto], options: LineCallOptions, id: str) -> Future[Done]:
        """Have photos of one position ruled on; the report will be that of ``id``. Raises :class:`Busy`."""
        job = LineCallJob(
            tuple(photo.path for photo in photos),
            tuple(photo.name for photo in photos),
            self.files.drawing(id),
            options,
        )
        return self._submit(job)

    def keep_reading(
        self,
        id: str,
        photo: IncomingPhoto,
        read: Read,
        options: Options,
        table: str | None,
        asked: Once | None = None,
    ) -> Answer:
        """Keep a photo and what was read in it, or find that it was done before. Raises ``KeyReused``."""

        def keep() -> Answer:
            size_px = (read.reading["width_px"], read.reading["height_px"])
            records.add_photo(connection, photo, read.media_type, size_px)
            shown = records.add_reading(connection, id, photo.sha256, table, options.as_json(), read.reading)
            return Answer(shown, 201, {"Location": f"/api/v1/readings/{id}"})

        # The file first: a reading in the database must have its evidence.
        self.files.keep(photo)
        with self._store.write() as connection:
            return once(connection, asked, keep)

    def keep_line_call(
        self,
        id: str,
        photos: Sequence[IncomingPhoto],
        called: Called,
        options: LineCallOptions,
        asked: Once | None = None,
    ) -> Answer:
        """The same for a line call."""

        def keep() -> Answer:
            for photo, (media_type, size_px) in zip(photos, called.files, strict=True):
                records.add_photo(connection, photo, media_type, size_px)
            shown = records.add_line_call(
                connection, id, [photo.sha256 for photo in photos], options.as_json(), called.calls
            )
            return Answer(shown, 201, {"Location": f"/api/v1/linecalls/{id}"})

        for photo in photos:
            self.files.keep(photo)
        with self._store.write() as connection:
            return once(connection, asked, keep)

    def done_before(self, asked: Once | None) -> Answer | None:
        """The answer to the same request sent earlier, if any. Raises ``KeyReused``."""
        if asked is None:
            return None
        with contextlib.suppress(_NotYet), self._store.read() as connection:
            return once(connection, asked, _not_yet)
        return None

    def reading(self, id: str) -> dict[str, Any] | None:
        """The Reading of that id."""
        with self._store.read() as connection:
            return records.find_reading(connection, id)

    def line_call(self, id: str) -> dict[str, Any] | None:
        """The line call of that id."""
        with self._store.read() as connection:
            return records.find_line_call(connection, id)

    def photo(self, sha256: str) -> tuple[records.KeptPhoto, Path] | None:
        """A photo and where its file is, or was."""
        with self._store.read() as connection:
            found = records.find_photo(connection, sha256)
        return None if found is None else (found, self.files.photo(sha256))

    def purge(self, days: int) -> int:
        """Remove the files of photos older than that, and their drawings; the readings stay."""
        removed = 0
        with self._store.write() as connection:
            for sha256 in records.photos_older_than(connection, days):
                place = self.files.photo(sha256)
                removed += place.exists()
                place.unlink(missing_ok=True)
        self.files.drop_drawings(time.time() - days * 86_400)
        return removed

    def _submit(self, job: ReadJob | LineCallJob) -> Future[Done]:
        try:
            return self._pool.submit(job)
        except QueueFull:
            raise self._busy() from None

    def _busy(self) -> Busy:
        # A photo takes a worker a few seconds.
        return Busy(max(1, 2 * self._pool.taken // self._workers))

    async def _purge_now_and_then(self) -> None:
        while True:
            try:
                removed = await asyncio.to_thread(self.purge, self._days)
                if removed:
                    log.info("removed %d photos older than %d days", removed, self._days)
            except (StoreBusy, OSError) as error:
                log.warning("old photos could not be removed: %s", type(error).__name__)
            await asyncio.sleep(_PURGE_EVERY_S)


class _NotYet(Exception):
    """It was not done before."""


def _not_yet() -> Answer:
    raise _NotYet


def new_reading_id() -> str:
    """An id for a reading."""
    return new_id("r")


def new_line_call_id() -> str:
    """An id for a line call."""
    return new_id("l")

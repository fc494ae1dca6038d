"""The tables' cameras: which there are, each in its process, and what a tap on one does."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from sqlalchemy import select

from service.camera.messages import Answer as CameraAnswer
from service.camera.messages import Captured, Previewed, Refusal
from service.camera.table_camera import TableCamera
from service.photos.desk import PhotoDesk, new_reading_id
from service.photos.jobs import Failed, Options, Read
from service.settings import Settings
from service.store import Store, StoreBusy
from service.store.feed import publish
from service.store.once import Answer, Once
from service.store.tables import tables
from vision.live.address import SourceAddress, SourceError, source_address

_LOOK_S = 2.0
_ANSWER_S = 10.0

log = logging.getLogger(__name__)


class CameraRefused(Exception):
    """The camera did not give what was asked for; ``code`` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class PhotoRefused(Exception):
    """The camera's picture could not be read."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.message)
        self.failed = failed


class CameraDesk:
    """Watches the cameras of all tables that have one. For the event loop's thread."""

    def __init__(self, store: Store, settings: Settings, photos: PhotoDesk) -> None:
        self._store, self._photos = store, photos
        self._cameras: dict[str, TableCamera] = {}
        self._changing = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin; called in the server's event loop."""
        self._looking = asyncio.create_task(self._look_now_and_then(), name="cameras")

    async def stop(self) -> None:
        """Let every camera go."""
        if self._looking is not None:
            self._looking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._looking
        async with self._changing:
            cameras, self._cameras = self._cameras, {}
            await asyncio.gather(*(asyncio.to_thread(camera.close) for camera in cameras.values()))

    async def capture(self, table: str, options: Options, asked: Once | None = None) -> Answer:
        """Score the position on a table: its reading, kept and published like that of a photo.

        Raises :class:`CameraRefused`, :class:`PhotoRefused`, :class:`~service.photos.desk.Busy`, and
        ``KeyReused``.
        """
        before = await asyncio.to_thread(self._photos.done_before, asked)
        if before is not None:
            return before
        camera = await self._camera(table)
        path = self._photos.files.new_incoming()
        try:
            said = await self._said(await asyncio.to_thread(camera.capture, path))
            assert isinstance(said, Captured)
            photo = await asyncio.to_thread(self._photos.files.adopt, path, f"{table}.png")
            # Other equipment than the eye took for granted: then the board is fitted once more.
            board = said.board if options.equipment is None else None
            id = new_reading_id()
            done = await asyncio.wrap_future(self._photos.read(photo, options, id, board))
            if isinstance(done, Failed):
                raise PhotoRefused(done)
            assert isinstance(done, Read)
            return await asyncio.to_thread(self._photos.keep_reading, id, photo, done, options, table, asked)
        finally:
            path.unlink(missing_ok=True)

    async def preview(self, table: str) -> bytes:
        """A JPEG of what a table's camera sees. Raises :class:`CameraRefused`."""
        camera = await self._camera(table)
        said = await self._said(await asyncio.to_thread(camera.preview))
        assert isinstance(said, Previewed)
        return said.jpeg

    async def look(self) -> None:
        """Start and stop cameras so that each table has the one it is set up with."""
        async with self._changing:
            wanted = await asyncio.to_thread(self._wanted)
            for table, camera in list(self._cameras.items()):
                if wanted.get(table) != camera.address:
                    del self._cameras[table]
                    await asyncio.to_thread(camera.close)
            for table, address in wanted.items():
                if table not in self._cameras:
                    log.info("table %s has the camera %s", table, address.shown)
                    self._cameras[table] = TableCamera(address, self._teller(table))

    async def _camera(self, table: str) -> TableCamera:
        """The table's camera as it is set up at this moment."""
        await self.look()
        camera = self._cameras.get(table)
        if camera is None:
            raise CameraRefused("no_camera", "this table has no camera: set one up, or send a photo")
        return camera

    async def _said(self, future: Future[CameraAnswer]) -> Captured | Previewed:
        try:
            said = await asyncio.wait_for(asyncio.wrap_future(future), _ANSWER_S)
        except TimeoutError:
            raise CameraRefused("source_lost", "the camera hangs: check it, and try again") from None
        if isinstance(said, Refusal):
            raise CameraRefused(said.code, said.message)
        return said

    def _wanted(self) -> dict[str, SourceAddress]:
        with self._store.read() as connection:
            rows = connection.execute(select(tables.c.name, tables.c.camera)).all()
        found = {row.name: _address(row.camera) for row in rows if row.camera}
        return {table: address for table, address in found.items() if address is not None}

    def _teller(self, table: str) -> Callable[[bool], None]:
        def told(live: bool) -> None:
            try:
                with self._store.write() as connection:
                    publish(connection, table, "source", {"state": "back" if live else "lost"})
            except (StoreBusy, LookupError) as error:
                log.warning("a camera's state could not be told: %s", type(error).__name__)

        return told

    async def _look_now_and_then(self) -> None:
        while True:
            try:
                await self.look()
            except StoreBusy:
                log.warning("the cameras' settings could not be read")
            await asyncio.sleep(_LOOK_S)


def _address(camera: Mapping[str, Any]) -> SourceAddress | None:
    try:
        return source_address(str(camera.get("source", "")))
    except SourceError:
        return None

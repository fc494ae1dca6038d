"""Uploads: photos and a few words, taken in with a limit on bytes, on time and on how many at once.

The body is written to the disc as it comes; little of it is held in memory, and none of it is looked at here.
"""

from __future__ import annotations

import asyncio
import errno
import time
from collections.abc import AsyncGenerator, AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import Request
from python_multipart.exceptions import FormParserError
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect

from service.http.problems import Problem, invalid
from service.photos.desk import Busy, PhotoDesk
from service.photos.files import IncomingPhoto, PhotoFiles
from service.photos.jobs import Done

_FIELD_BYTES = 4096
_MOST_FIELDS = 12
_OVERHEAD_BYTES = 65_536
_LOOK_S = 0.25


@dataclass(frozen=True, slots=True)
class Patience:
    """How slowly a body may come: without a byte for ``idle_s`` its sender is taken for dead.

    In all it may take ``least_s``, and what a slow telephone line needs for what has come.
    """

    idle_s: float = 15.0
    least_s: float = 30.0
    slowest_bytes_per_s: float = 50_000.0


@dataclass(frozen=True, slots=True)
class Upload:
    """What was sent: ``fields`` by name, each in the order sent, and the photos."""

    fields: dict[str, tuple[str, ...]]
    photos: tuple[IncomingPhoto, ...]


@asynccontextmanager
async def received(
    request: Request, desk: PhotoDesk, field: str, *, most: int, allowed: frozenset[str]
) -> AsyncIterator[Upload]:
    """The photos under ``field``, at most so many, and the fields of the names ``allowed``.

    Photos that were not kept are gone afterwards. Raises `Problem`.
    """
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        detail = f"Send a form (multipart/form-data) with the photo as {field}."
        raise Problem(415, "wrong_media_type", "This is no form", detail)
    limit = desk.upload_bytes * most + _OVERHEAD_BYTES
    taken: list[IncomingPhoto] = []
    try:
        with desk.receiving():
            parser = _parser(request, limit, most)
            try:
                form = await _form(parser)
                fields = _fields(form, field, allowed)
                for file in _files(form, field):
                    taken.append(await asyncio.to_thread(_taken, desk.files, file, desk.upload_bytes))
            finally:
                parser.close_files()
        yield Upload(fields, tuple(taken))
    except Busy as busy:
        raise too_busy(busy) from None
    finally:
        for photo in taken:
            desk.files.drop(photo)


async def answer_of(request: Request, future: Future[Done]) -> Done:
    """Wait for a worker's answer; when the sender leaves before it began, it is not begun.

    Raises `Problem` when nobody waits any more.
    """
    waiting = asyncio.wrap_future(future)
    while True:
        finished, _ = await asyncio.wait({waiting}, timeout=_LOOK_S)
        if finished:
            return waiting.result()
        if await request.is_disconnected():
            waiting.cancel()
            raise _client_left()


def too_busy(busy: Busy) -> Problem:
    """The refusal when no more photos are taken."""
    return Problem(
        503,
        "too_busy",
        "Too many photos at once",
        f"Other photos are being read. Send this one again in {busy.wait_s} s.",
        headers={"Retry-After": str(busy.wait_s)},
    )


class _Parser(MultiPartParser):
    """The web framework's parser, which also lets go of files of parts that never ended."""

    def close_files(self) -> None:
        """Close every file that was begun."""
        for file in self._files_to_close_on_error:
            file.close()


def _parser(request: Request, limit: int, most: int) -> _Parser:
    claimed = request.headers.get("content-length", "0")
    if not claimed.isdigit() or len(claimed) > 12 or int(claimed) > limit:
        raise _too_large(limit)
    return _Parser(
        request.headers,
        in_time(request.stream(), limit, Patience()),
        max_files=most,
        max_fields=_MOST_FIELDS,
        max_part_size=_FIELD_BYTES,
    )


async def _form(parser: _Parser) -> FormData:
    try:
        return await parser.parse()
    except MultiPartException as error:
        raise Problem(400, "bad_request", "The form cannot be read", error.message) from None
    except FormParserError:
        detail = "The form is damaged, or has more in its heads than a form needs."
        raise Problem(400, "bad_request", "The form cannot be read", detail) from None
    except ClientDisconnect:
        raise _client_left() from None


async def in_time(
    chunks: AsyncGenerator[bytes, None], limit: int, patience: Patience
) -> AsyncGenerator[bytes, None]:
    """A body's ``chunks``; raises `Problem` when it is more than ``limit`` bytes or comes too slowly."""
    began_s, size = time.monotonic(), 0
    while True:
        left_s = patience.least_s + size / patience.slowest_bytes_per_s - (time.monotonic() - began_s)
        try:
            async with asyncio.timeout(max(0.0, min(patience.idle_s, left_s))):
                chunk = await anext(chunks, None)
        except TimeoutError:
            detail = "The photo came too slowly. Send it again over a better connection."
            raise Problem(408, "too_slow", "Too slow", detail, headers={"Connection": "close"}) from None
        if chunk is None:
            return
        size += len(chunk)
        if size > limit:
            raise _too_large(limit)
        yield chunk


def _client_left() -> Problem:
    """For the log alone: there is nobody to read it."""
    return Problem(499, "client_left", "The sender left", "The sender did not wait for the answer.")


def _too_large(limit: int) -> Problem:
    return Problem(
        413,
        "too_large",
        "Too large",
        f"At most {limit // 1_000_000} MB are taken. Scale the photo down and send it again.",
        headers={"Connection": "close"},
    )


def _fields(form: FormData, field: str, allowed: frozenset[str]) -> dict[str, tuple[str, ...]]:
    fields: dict[str, tuple[str, ...]] = {}
    for name in form:
        if name == field:
            continue
        values = form.getlist(name)
        if name not in allowed:
            shown = "".join(letter for letter in name[:40] if letter.isprintable())
            raise invalid([{"where": f"body.{shown}", "message": "there is no such field"}])
        words = tuple(value for value in values if isinstance(value, str))
        if len(words) < len(values) or not all(word.isprintable() for word in words):
            raise invalid([{"where": f"body.{name}", "message": "should be a line of text"}])
        # An empty field of a page's form was left out by its user.
        fields[name] = tuple(word for word in words if word)
    return fields


def _files(form: FormData, field: str) -> list[UploadFile]:
    files = [each for each in form.getlist(field) if isinstance(each, UploadFile)]
    if not files or len(files) < len(form.getlist(field)):
        raise invalid([{"where": f"body.{field}", "message": "should be a photo"}])
    return files


def _taken(files: PhotoFiles, file: UploadFile, limit: int) -> IncomingPhoto:
    if (file.size or 0) > limit:
        raise _too_large(limit)
    file.file.seek(0)
    try:
        return files.receive(file.file, file.filename)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        detail = "The service's disc is full: make room on it, then send the photo again."
        raise Problem(507, "no_room", "No room for the photo", detail) from None

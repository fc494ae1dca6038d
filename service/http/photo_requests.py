"""What requests about photos have in common: who sends them, under which key, and how they are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import JSONResponse

from service.http.keys import key_reused, under_key
from service.http.problems import invalid
from service.http.security import Acting, require
from service.http.state import Service
from service.http.uploads import Upload
from service.store.once import Answer, KeyReused, Once

#: A camera sends photos, too.
Sender = Annotated[Acting, Depends(require("camera"))]

#: Files here never change, but only who may see them may keep them.
KEPT = {"Cache-Control": "private, max-age=31536000, immutable"}


def asked_once(acting: Acting, key: str | None, request: Request, upload: Upload) -> Once | None:
    """The request under its sender's key; its hash is over the photos' content and the fields."""
    sent = repr(([photo.sha256 for photo in upload.photos], sorted(upload.fields.items())))
    return under_key(key, acting, f"POST {request.url.path}", sent.encode())


async def done_before(service: Service, asked: Once | None) -> Answer | None:
    """The answer to the same request sent earlier. Raises `Problem` when its key was used for another."""
    try:
        return await asyncio.to_thread(service.photos.done_before, asked)
    except KeyReused:
        raise key_reused() from None


async def kept_once(keep: Callable[..., Answer], *what: object) -> Answer:
    """Keep what was read, in a thread. Raises `Problem` when the key was used for another meanwhile."""
    try:
        return await asyncio.to_thread(keep, *what)
    except KeyReused:
        raise key_reused() from None


def answered(given: Answer) -> JSONResponse:
    """The answer of a transaction."""
    return JSONResponse(given.body, given.status, headers=given.headers)


def one_field(upload: Upload, name: str) -> str | None:
    """A field that may be given once. Raises `Problem`."""
    given = upload.fields.get(name, ())
    if len(given) > 1:
        raise invalid([{"where": f"body.{name}", "message": "should be given once"}])
    return given[0] if given else None

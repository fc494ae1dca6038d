"""Readings over HTTP: a photo in, what lies on the board out."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import TypeAdapter, ValidationError

from service.http.deps import Actor, Operator
from service.http.examples import answer
from service.http.keys import Key
from service.http.photo_problems import READING, problem_of
from service.http.photo_requests import (
    KEPT,
    Sender,
    answered,
    asked_once,
    done_before,
    kept_once,
    one_field,
)
from service.http.problem_docs import NOT_FOUND, refusals
from service.http.problems import Problem, invalid
from service.http.reading_shown import EXAMPLE_READING, ReadingShown
from service.http.schemas import TableName
from service.http.state import Service, Svc
from service.http.uploads import Upload, answer_of, received, too_busy
from service.photos.desk import Busy, new_reading_id
from service.photos.jobs import Done, Failed, Options, Read
from service.store.moments import iso

router = APIRouter(tags=["readings"])

_FIELDS = frozenset({"sides", "twenties", "rules", "equipment", "table"})
_TABLE: TypeAdapter[str] = TypeAdapter(TableName)
#: A drawing follows its reading at once; later there is nothing to wait for.
_DRAWN_WITHIN = timedelta(seconds=60)
_LOOKS = 200
_LOOK_S = 0.1

_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["photo"],
                    "additionalProperties": False,
                    "properties": {
                        "photo": {
                            "type": "string",
                            "format": "binary",
                            "description": "JPEG, PNG, WebP, HEIC or AVIF.",
                        },
                        "sides": {"type": "string", "examples": ["dark=Anna,light=Ben"]},
                        "twenties": {
                            "type": "string",
                            "description": "20s removed during play; may be given for each side.",
                            "examples": ["dark=2"],
                        },
                        "rules": {"type": "string", "examples": ["nca"]},
                        "equipment": {"type": "string", "examples": ["standard"]},
                        "table": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$", "examples": ["1"]},
                    },
                }
            }
        },
    }
}

ReadingInPath = Annotated[
    str,
    Path(pattern=r"^r_[A-Za-z0-9_-]{1,30}$", description="The reading's id.", examples=["r_8fK2mQ0aZx1L"]),
]
Sha256InPath = Annotated[
    str, Path(pattern=r"^[0-9a-f]{64}$", description="The photo's SHA-256.", examples=["9f86d0" + "0" * 58])
]


@router.post(
    "/readings",
    status_code=201,
    response_model=ReadingShown,
    openapi_extra=_FORM,
    responses={201: answer("The reading", EXAMPLE_READING), **READING},
)
async def post_reading(request: Request, service: Svc, acting: Sender, key: Key = None) -> Response:
    """Read a photo of a board at the end of a round. With `table`, that table shows it from now on."""
    async with received(request, service.photos, "photo", most=1, allowed=_FIELDS) as upload:
        options, table = _options(upload), _table(upload)
        acting.check_table(table)
        asked = asked_once(acting, key, request, upload)
        before = await done_before(service, asked)
        if before is not None:
            return answered(before)
        id, [photo] = new_reading_id(), upload.photos
        try:
            done = await answer_of(request, service.photos.read(photo, options, id))
        except Busy as busy:
            raise too_busy(busy) from None
        kept = await kept_once(service.photos.keep_reading, id, photo, read_of(done), options, table, asked)
        return answered(kept)


@router.get(
    "/readings/{reading_id}",
    response_model=ReadingShown,
    responses={200: answer("The reading", EXAMPLE_READING), **refusals(NOT_FOUND)},
)
def get_reading(reading_id: ReadingInPath, service: Svc, _actor: Actor) -> JSONResponse:
    """Return a reading as it was made; what people decided about it is in the match."""
    return JSONResponse(_found(service, reading_id))


@router.get(
    "/readings/{reading_id}/annotated.png",
    response_class=FileResponse,
    responses={
        200: {"description": "The photo with what was read drawn on it", "content": {"image/png": {}}},
        **refusals(NOT_FOUND),
    },
)
async def get_annotated(reading_id: ReadingInPath, service: Svc, _actor: Actor) -> FileResponse:
    """Return the drawing of a reading. It is made right after the reading; until then this waits for it."""
    reading = await asyncio.to_thread(_found, service, reading_id)
    path = service.photos.files.drawing(reading_id)
    for _ in range(_LOOKS):
        if path.is_file():
            return FileResponse(path, media_type="image/png", headers=KEPT)
        if reading["created_at"] < iso(datetime.now(UTC) - _DRAWN_WITHIN):
            break
        await asyncio.sleep(_LOOK_S)
    raise Problem(404, "not_found", "Not there", "This reading's drawing is not kept any more.")


@router.get(
    "/photos/{sha256}",
    response_class=FileResponse,
    responses={
        200: {"description": "The photo as it was sent", "content": {"image/*": {}}},
        **refusals(NOT_FOUND),
    },
)
def get_photo(sha256: Sha256InPath, service: Svc, _operator: Operator) -> FileResponse:
    """Return the untouched photo that a reading or line call rests on."""
    found = service.photos.photo(sha256)
    if found is None:
        raise Problem(404, "not_found", "Not there", "There is no such photo.")
    photo, path = found
    if not path.is_file():
        raise Problem(404, "not_found", "Not there", "This photo is not kept any more.")
    return FileResponse(path, media_type=photo.media_type, headers=KEPT)


def _table(upload: Upload) -> str | None:
    given = one_field(upload, "table")
    try:
        return None if given is None else _TABLE.validate_python(given)
    except ValidationError:
        message = "should be 1 to 32 letters, digits, - or _"
        raise invalid([{"where": "body.table", "message": message}]) from None


def _options(upload: Upload) -> Options:
    return Options(
        sides=one_field(upload, "sides"),
        twenties=upload.fields.get("twenties", ()),
        rules=one_field(upload, "rules"),
        equipment=one_field(upload, "equipment"),
    )


def read_of(done: Done) -> Read:
    """What was read. Raises `Problem` for a failure."""
    if isinstance(done, Failed):
        raise problem_of(done)
    assert isinstance(done, Read)
    return done


def _found(service: Service, id: str) -> dict[str, Any]:
    reading = service.photos.reading(id)
    if reading is None:
        raise Problem(404, "not_found", "Not there", f"There is no reading {id}.")
    return reading

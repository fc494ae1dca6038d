"""Line calls over HTTP: one or more photos of a close disc in, the ruling out."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import FileResponse, JSONResponse, Response

from service.http.deps import Actor
from service.http.examples import answer
from service.http.keys import Key
from service.http.photo_problems import LINE_CALL, problem_of
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
from service.http.reading_shown import EXAMPLE_LINE_CALL, LineCallShown
from service.http.state import Service, Svc
from service.http.uploads import Upload, answer_of, received, too_busy
from service.photos.desk import Busy, new_line_call_id
from service.photos.jobs import Called, Done, Failed, LineCallOptions

router = APIRouter(tags=["line calls"])

_MOST_PHOTOS = 4
_FIELDS = frozenset({"at", "equipment"})
_POINT = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?),(-?\d{1,6}(?:\.\d{1,6})?)")

_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["photos"],
                    "additionalProperties": False,
                    "properties": {
                        "photos": {
                            "type": "array",
                            "minItems": 1,
                            "maxItems": _MOST_PHOTOS,
                            "items": {"type": "string", "format": "binary"},
                            "description": "Photos of one position: JPEG, PNG, WebP, HEIC or AVIF.",
                        },
                        "at": {
                            "type": "string",
                            "pattern": f"^{_POINT.pattern}$",
                            "description": "The disc, as a point of the first photo in pixels.",
                            "examples": ["1520,840"],
                        },
                        "equipment": {"type": "string", "examples": ["standard"]},
                    },
                },
                "encoding": {"photos": {"style": "form", "explode": True}},
            }
        },
    }
}

LineCallInPath = Annotated[
    str,
    Path(pattern=r"^l_[A-Za-z0-9_-]{1,30}$", description="The line call's id.", examples=["l_5tR8vB1cYw2N"]),
]
OneDisc = Annotated[
    int | None, Query(ge=1, le=999, description="Of several calls, the one on this disc; else the first.")
]


@router.post(
    "/linecalls",
    status_code=201,
    response_model=LineCallShown,
    openapi_extra=_FORM,
    responses={201: answer("The line call", EXAMPLE_LINE_CALL), **LINE_CALL},
)
async def post_line_call(request: Request, service: Svc, acting: Sender, key: Key = None) -> Response:
    """Rule on the disc at a point, or on every close one; several photos of one position are combined."""
    async with received(request, service.photos, "photos", most=_MOST_PHOTOS, allowed=_FIELDS) as upload:
        options = LineCallOptions(_point(upload), one_field(upload, "equipment"))
        asked = asked_once(acting, key, request, upload)
        before = await done_before(service, asked)
        if before is not None:
            return answered(before)
        id = new_line_call_id()
        try:
            done = await answer_of(request, service.photos.call_lines(upload.photos, options, id))
        except Busy as busy:
            raise too_busy(busy) from None
        called = _called_of(done)
        keep = service.photos.keep_line_call
        return answered(await kept_once(keep, id, upload.photos, called, options, asked))


@router.get(
    "/linecalls/{call_id}",
    response_model=LineCallShown,
    responses={200: answer("The line call", EXAMPLE_LINE_CALL), **refusals(NOT_FOUND)},
)
def get_line_call(call_id: LineCallInPath, service: Svc, _actor: Actor) -> JSONResponse:
    """Return a line call as it was made."""
    return JSONResponse(_found(service, call_id))


@router.get(
    "/linecalls/{call_id}/report.png",
    response_class=FileResponse,
    responses={
        200: {"description": "The ruling as a picture", "content": {"image/png": {}}},
        **refusals(NOT_FOUND),
    },
)
async def get_report(
    call_id: LineCallInPath, service: Svc, _actor: Actor, disc: OneDisc = None
) -> FileResponse:
    """Return the report of a line call, to be shown to the players."""
    call = await asyncio.to_thread(_found, service, call_id)
    discs = [each["disc"] for each in call["calls"]]
    one = disc if disc is not None else next(iter(discs), None)
    if one in discs:
        name = call_id if len(discs) == 1 else f"{call_id}-{one}"
        path = service.photos.files.drawing(name)
        if path.is_file():
            return FileResponse(path, media_type="image/png", headers=KEPT)
    raise Problem(
        404, "not_found", "Not there", "There is no report of that call, or it is not kept any more."
    )


def _point(upload: Upload) -> tuple[float, float] | None:
    given = one_field(upload, "at")
    if given is None:
        return None
    found = _POINT.fullmatch(given.replace(" ", ""))
    if found is None:
        raise invalid([{"where": "body.at", "message": "should be a point in pixels, like 1520,840"}])
    x, y = float(found[1]), float(found[2])
    return x, y


def _called_of(done: Done) -> Called:
    if isinstance(done, Failed):
        raise problem_of(done)
    assert isinstance(done, Called)
    return done


def _found(service: Service, id: str) -> dict[str, Any]:
    call = service.photos.line_call(id)
    if call is None:
        raise Problem(404, "not_found", "Not there", f"There is no line call {id}.")
    return call

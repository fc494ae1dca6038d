"""A table's camera over HTTP: one tap scores the position, and a preview shows what the camera sees."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from fastapi import Body as Sent
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from service.camera.desk import CameraDesk, CameraRefused, PhotoRefused
from service.http.deps import Actor
from service.http.examples import answer, asked
from service.http.keys import Key, key_reused, under_key
from service.http.photo_problems import CAPTURE, problem_of
from service.http.photo_requests import Sender, answered
from service.http.problem_docs import Known, refusals
from service.http.problems import Problem
from service.http.reading_shown import EXAMPLE_READING, ReadingShown
from service.http.schemas import Body, TableInPath, Text
from service.http.state import Service, Svc
from service.http.uploads import too_busy
from service.photos.desk import Busy
from service.photos.jobs import Options
from service.store.once import KeyReused

router = APIRouter(tags=["cameras"])


class CaptureBody(Body):
    """What is asked of the picture, as of a photo that is sent."""

    sides: Text | None = None
    twenties: Annotated[tuple[Text, ...], Field(max_length=4, strict=False)] = ()
    rules: Text | None = None
    equipment: Text | None = None


_TITLES = {
    "no_camera": "No camera",
    "cameras_elsewhere": "No cameras here",
    "no_frames": "No picture yet",
    "source_lost": "The camera is lost",
    "no_board": "No board in sight",
    "not_still": "The board is not at rest",
    "hand": "Something covers the board",
}
_REFUSALS = tuple(Known(409, code, title, f"{title}.") for code, title in _TITLES.items())
#: Why there is not even a preview.
_UNSEEN = ("no_camera", "cameras_elsewhere", "no_frames", "source_lost")
_EXAMPLES = asked(as_it_lies={}, with_names={"sides": "dark=Anna,light=Ben", "twenties": ["dark=1"]})


@router.post(
    "/tables/{table}/capture",
    status_code=201,
    response_model=ReadingShown,
    responses={201: answer("The reading", EXAMPLE_READING), **refusals(*CAPTURE, *_REFUSALS)},
)
async def capture(
    table: TableInPath,
    service: Svc,
    acting: Sender,
    body: Annotated[CaptureBody | None, Sent(openapi_examples=_EXAMPLES)] = None,
    key: Key = None,
) -> JSONResponse:
    """Read the position on the table from several still pictures of its camera."""
    wish = body or CaptureBody()
    once = under_key(key, acting, f"POST /api/v1/tables/{table}/capture", wish.model_dump_json().encode())
    options = Options(wish.sides, wish.twenties, wish.rules, wish.equipment)
    try:
        return answered(await _cameras(service).capture(table, options, once))
    except CameraRefused as refused:
        raise _problem(refused) from None
    except PhotoRefused as refused:
        raise problem_of(refused.failed) from None
    except Busy as busy:
        raise too_busy(busy) from None
    except KeyReused:
        raise key_reused() from None


@router.get(
    "/tables/{table}/preview.jpg",
    response_class=Response,
    responses={
        200: {"description": "What the camera sees, with the fitted lines", "content": {"image/jpeg": {}}},
        **refusals(*(each for each in _REFUSALS if each.code in _UNSEEN)),
    },
)
async def preview(table: TableInPath, service: Svc, _actor: Actor) -> Response:
    """Return what the table's camera sees now."""
    try:
        jpeg = await _cameras(service).preview(table)
    except CameraRefused as refused:
        raise _problem(refused) from None
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def _cameras(service: Service) -> CameraDesk:
    if service.cameras is None:
        words = "this process of the service opens no cameras: ask the one that does"
        raise _problem(CameraRefused("cameras_elsewhere", words))
    return service.cameras


def _problem(refused: CameraRefused) -> Problem:
    words = str(refused)
    return Problem(409, refused.code, _TITLES[refused.code], f"{words[:1].upper()}{words[1:]}.")

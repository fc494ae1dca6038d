"""The playing tables over HTTP: listed, set up, shown whole."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Body as Sent
from fastapi.responses import JSONResponse
from pydantic import Field

from service.http import examples
from service.http.changing import Changing, change
from service.http.deps import Actor
from service.http.match_shown import MatchShown
from service.http.problem_docs import NOT_FOUND, refusals
from service.http.schemas import Body, Shown, TableInPath, Text
from service.http.state import Svc
from service.matches.tables import list_tables, set_table, snapshot

router = APIRouter(tags=["tables"])


class CameraBody(Body):
    """A table's camera: a device's number, an RTSP or HTTP address, or a video file."""

    source: Annotated[
        str, Field(min_length=1, max_length=500, pattern=r"^[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$")
    ]


class TableBody(Body):
    """What to set up; what is left out stays. A camera of null takes the camera away."""

    event_name: Text | None = None
    camera: CameraBody | None = None


class BoardShown(Shown):
    """The newest reading of a table; see the reading itself for all of it.

    Once a round rests on it, the discs are as people decided: ``event`` is that round's, and ``teams`` says
    which side each team word is.
    """

    reading: str
    event: int | None
    teams: dict[str, str] | None
    discs: list[dict[str, Any]] | None
    ring_radii_mm: list[float] | None
    sides: list[dict[str, Any]] | None
    needs_review: list[dict[str, Any]] | None


class TableShown(Shown):
    """A table as it is; ``seq`` is the number of the last live message that is in it."""

    table: str
    seq: int
    event_name: str
    match: MatchShown | None
    board: BoardShown | None
    camera: dict[str, Any] | None


class TableRow(Shown):
    """A table in the list; ``match`` is the id of the one it shows."""

    table: str
    event_name: str
    match: str | None
    camera: dict[str, Any] | None
    seq: int


class TableList(Shown):
    """Every table, by name."""

    tables: list[TableRow]


@router.get(
    "/tables",
    response_model=TableList,
    responses={200: examples.answer("Every table, by name", examples.TABLES)},
)
def read_tables(service: Svc, _actor: Actor) -> dict[str, Any]:
    """Every table that was ever named."""
    with service.store.read() as connection:
        return {"tables": list_tables(connection)}


@router.get(
    "/tables/{table}",
    response_model=TableShown,
    responses={200: examples.answer("The table", examples.TABLE), **refusals(NOT_FOUND)},
)
def read_table(table: TableInPath, service: Svc, _actor: Actor) -> JSONResponse:
    """Return a table with its match and the board as last seen: what a page starts from before it follows."""
    with service.store.read() as connection:
        return JSONResponse(snapshot(connection, table))


@router.put(
    "/tables/{table}",
    response_model=TableShown,
    responses={200: examples.answer("The table", examples.TABLE)},
)
def put_table(
    table: TableInPath,
    body: Annotated[TableBody, Sent(openapi_examples=examples.SET_TABLE)],
    service: Svc,
    asked: Changing,
) -> JSONResponse:
    """Name a table, its event, its camera."""
    camera = None if body.camera is None else body.camera.model_dump()
    return change(
        service,
        asked,
        lambda connection: set_table(
            connection,
            table,
            event_name=body.event_name,
            camera=camera,
            keeps_camera="camera" not in body.model_fields_set,
        ),
    )

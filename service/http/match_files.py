"""Matches as files over HTTP: out in four forms, in again from the service's own."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Query
from fastapi.responses import JSONResponse, Response
from sqlalchemy import Connection

from service.http import examples
from service.http.changing import Changing, change
from service.http.deps import Actor
from service.http.imports import MatchFileBody
from service.http.match_shown import MatchShown
from service.http.problem_docs import EXISTS, IMPOSSIBLE, NOT_FOUND, NOT_NOW, refusals
from service.http.schemas import MatchId
from service.http.state import Svc
from service.matches.exports import match_cmn, match_csv, match_file, match_sheet
from service.matches.imports import import_match
from service.matches.match_json import match_json
from service.matches.stored import load_match

router = APIRouter()

Form = Literal["json", "csv", "cmn", "sheet"]
_ENDINGS: dict[Form, str] = {"json": "json", "csv": "csv", "cmn": "cmn.json", "sheet": "sheet.csv"}

_FILES = {
    200: {
        "description": "The file",
        "content": {
            "application/json": {"schema": {"type": "object"}, "example": examples.MATCH_FILE},
            "text/csv": {"schema": {"type": "string"}, "example": examples.MATCH_CSV},
        },
    },
    **refusals(NOT_FOUND, NOT_NOW),
}


@router.get("/matches/{match_id}/export", response_class=Response, responses=_FILES)
def export_match(
    match_id: MatchId,
    service: Svc,
    _actor: Actor,
    form: Annotated[
        Form,
        Query(
            alias="format",
            description="`json` is the service's own and can be sent in again; `csv` has a row for each side "
            "of each round; `cmn` is one game as CMN 1.0-draft; `sheet` is CrokinoleCentre's spreadsheet.",
        ),
    ] = "json",
    game: Annotated[int, Query(ge=1, le=1000, description="Which game, for `cmn`.")] = 1,
) -> Response:
    """Return a match as a file."""
    with service.store.read() as connection:
        stored = load_match(connection, match_id)
        own = match_file(connection, stored) if form == "json" else None
    name = {"Content-Disposition": f'attachment; filename="{match_id}.{_ENDINGS[form]}"'}
    match form:
        case "json":
            return JSONResponse(own, headers=name)
        case "cmn":
            return Response(match_cmn(stored, game), media_type="application/json", headers=name)
        case "csv":
            return Response(match_csv(stored), media_type="text/csv", headers=name)
        case "sheet":
            return Response(match_sheet(stored), media_type="text/csv", headers=name)


@router.post(
    "/matches/import",
    status_code=201,
    response_model=MatchShown,
    responses={201: examples.answer("The match", examples.MATCH), **refusals(EXISTS, IMPOSSIBLE)},
)
def take_in_match(
    body: Annotated[MatchFileBody, Body(openapi_examples=examples.IMPORT)], service: Svc, asked: Changing
) -> JSONResponse:
    """Take in a match from its own JSON file, under its own id; one that is here already is left alone."""
    file = body.model_dump(mode="json")

    def take_in(connection: Connection) -> dict[str, object]:
        stored, _ = import_match(connection, file)
        return match_json(stored)

    return change(service, asked, take_in, created="/api/v1/matches")

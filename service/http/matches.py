"""Matches over HTTP: begun, scored, looked at. What else happens in one is in `service.http.match_events`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from fastapi.responses import JSONResponse

from service.http import examples, match_events, match_files
from service.http.changing import Changing, change, etag
from service.http.deps import Actor
from service.http.match_bodies import NewMatchBody
from service.http.match_shown import (
    EventList,
    MatchList,
    MatchShown,
    PreviewShown,
    SuggestionList,
)
from service.http.problem_docs import CHANGED, IMPOSSIBLE, NOT_FOUND, NOT_NOW, refusals
from service.http.round_bodies import AmendPreview, CorrectionBody, RoundBody
from service.http.schemas import EventNumber, MatchId
from service.http.state import Svc

router = APIRouter(tags=["matches"])

_TABLE = Query(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="Of this table only.", examples=["1"])
_CHANGE = refusals(NOT_FOUND, CHANGED, NOT_NOW, IMPOSSIBLE)
_AFTER = Query(pattern=r"^m_[A-Za-z0-9_-]{1,30}$", description="`next` of the last answer.")


@router.post(
    "/matches",
    status_code=201,
    response_model=MatchShown,
    responses={201: examples.answer("The match", examples.MATCH), **refusals(IMPOSSIBLE)},
)
def create_match(
    body: Annotated[NewMatchBody, Body(openapi_examples=examples.NEW_MATCH)], service: Svc, asked: Changing
) -> JSONResponse:
    """Begin a match; from now on its table shows it."""
    new = body.plain()
    return change(
        service, asked, lambda c: service.matches.create(c, new, asked.by), created="/api/v1/matches"
    )


@router.get(
    "/matches",
    response_model=MatchList,
    responses={200: examples.answer("Matches, newest first", examples.MATCH_LIST), **refusals(NOT_FOUND)},
)
def list_matches(
    service: Svc,
    _actor: Actor,
    table: Annotated[str | None, _TABLE] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    after: Annotated[str | None, _AFTER] = None,
) -> dict[str, Any]:
    """Matches, newest first."""
    found = service.matches.listed(table=table, limit=limit, after=after)
    return {"matches": found, "next": found[-1]["id"] if len(found) == limit else None}


@router.get(
    "/matches/{match_id}",
    response_model=MatchShown,
    responses={200: examples.answer("The match", examples.MATCH), **refusals(NOT_FOUND)},
)
def read_match(match_id: MatchId, service: Svc, _actor: Actor) -> JSONResponse:
    """Return a match and where it stands. Its `ETag` is what `If-Match` wants."""
    match = service.matches.get(match_id)
    return JSONResponse(match, headers={"ETag": etag(match)})


@router.get(
    "/matches/{match_id}/events",
    response_model=EventList,
    responses={200: examples.answer("The events", examples.EVENTS), **refusals(NOT_FOUND)},
)
def read_events(match_id: MatchId, service: Svc, _actor: Actor) -> dict[str, Any]:
    """What happened in a match, oldest first, exactly as it is kept."""
    return {"events": service.matches.events(match_id)}


@router.post(
    "/matches/{match_id}/rounds",
    status_code=201,
    response_model=MatchShown,
    responses={
        201: examples.answer("The match with the round", examples.MATCH),
        **_CHANGE,
    },
)
def score_round(
    match_id: MatchId,
    body: Annotated[RoundBody, Body(openapi_examples=examples.ROUNDS)],
    service: Svc,
    asked: Changing,
) -> JSONResponse:
    """Score a round: from a reading with what people decided about it, from totals, or by places."""
    return change(
        service,
        asked,
        lambda c: service.matches.score(c, match_id, body.facts(), asked.by),
        created="/api/v1/matches",
    )


@router.post(
    "/matches/{match_id}/rounds/preview",
    response_model=PreviewShown,
    responses={
        200: examples.answer("The round as it would count", examples.PREVIEW),
        **refusals(NOT_FOUND, IMPOSSIBLE),
    },
)
def preview_round(
    match_id: MatchId,
    body: Annotated[RoundBody, Body(openapi_examples=examples.ROUNDS)],
    service: Svc,
    _actor: Actor,
) -> dict[str, Any]:
    """What a round would count; nothing is stored."""
    return service.matches.preview(match_id, body.facts())


@router.get(
    "/matches/{match_id}/rounds/{event}/suggestions",
    response_model=SuggestionList,
    responses={200: examples.answer("Likeliest first", examples.SUGGESTIONS), **refusals(NOT_FOUND)},
)
def suggest_corrections(match_id: MatchId, event: EventNumber, service: Svc, _actor: Actor) -> dict[str, Any]:
    """What a scored round may have been instead, likeliest first, from its close calls."""
    return {"suggestions": service.matches.suggestions(match_id, event)}


@router.post(
    "/matches/{match_id}/rounds/{event}/correction/preview",
    response_model=PreviewShown,
    responses={
        200: examples.answer("The round as it would count", examples.PREVIEW),
        **refusals(NOT_FOUND, NOT_NOW, IMPOSSIBLE),
    },
)
def preview_correction(
    match_id: MatchId,
    event: EventNumber,
    body: Annotated[AmendPreview, Body(openapi_examples=examples.AMENDS)],
    service: Svc,
    _actor: Actor,
) -> dict[str, Any]:
    """What a corrected round would count; nothing is stored."""
    return service.matches.preview(match_id, body.facts(), event)


@router.post(
    "/matches/{match_id}/rounds/{event}/correction",
    response_model=MatchShown,
    responses={200: examples.answer("The match, corrected", examples.MATCH), **_CHANGE},
)
def correct_round(
    match_id: MatchId,
    event: EventNumber,
    body: Annotated[CorrectionBody, Body(openapi_examples=examples.CORRECTIONS)],
    service: Svc,
    asked: Changing,
) -> JSONResponse:
    """Say that a round was something else, and why. It is announced once to those who watch."""
    return change(
        service,
        asked,
        lambda c: service.matches.correct(c, match_id, event, body.facts(), body.reason, body.who, asked.by),
    )


router.include_router(match_events.router)
router.include_router(match_files.router)

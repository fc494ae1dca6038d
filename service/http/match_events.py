"""What happens in a match besides rounds: undo, penalty, forfeit, horn, shots, shoot-out, an early end."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from fastapi.responses import JSONResponse

from service.http import examples
from service.http.changing import Changing, change
from service.http.match_bodies import FinishBody, ForfeitBody, PenaltyBody, ShootOutBody, ShotBody
from service.http.match_shown import MatchShown
from service.http.problem_docs import CHANGED, IMPOSSIBLE, NOT_FOUND, NOT_NOW, Answers, refusals
from service.http.schemas import MatchId
from service.http.state import Svc

router = APIRouter()

_AFTER: Answers = {200: examples.answer("The match after it", examples.MATCH)}
_ANSWERS: Answers = {**_AFTER, **refusals(NOT_FOUND, CHANGED, NOT_NOW)}
_EVENT_ANSWERS: Answers = {**_AFTER, **refusals(NOT_FOUND, CHANGED, NOT_NOW, IMPOSSIBLE)}


@router.post("/matches/{match_id}/undo", response_model=MatchShown, responses=_ANSWERS)
def undo(match_id: MatchId, service: Svc, asked: Changing) -> JSONResponse:
    """Take back the last thing that was done; again to go further back."""
    return change(service, asked, lambda c: service.matches.undo(c, match_id, asked.by))


@router.post("/matches/{match_id}/penalty", response_model=MatchShown, responses=_EVENT_ANSWERS)
def give_penalty(
    match_id: MatchId,
    body: Annotated[PenaltyBody, Body(openapi_examples=examples.PENALTY)],
    service: Svc,
    asked: Changing,
) -> JSONResponse:
    """Take points off a side's score in the game being played."""
    return change(
        service,
        asked,
        lambda c: service.matches.penalty(c, match_id, body.side, body.points, body.reason, asked.by),
    )


@router.post("/matches/{match_id}/forfeit", response_model=MatchShown, responses=_EVENT_ANSWERS)
def forfeit(
    match_id: MatchId,
    body: Annotated[ForfeitBody, Body(openapi_examples=examples.FORFEIT)],
    service: Svc,
    asked: Changing,
) -> JSONResponse:
    """Have a side lose a round, a game or the match without play."""
    return change(
        service,
        asked,
        lambda c: service.matches.forfeit(c, match_id, body.side, body.scope, body.reason, asked.by),
    )


@router.post("/matches/{match_id}/horn", response_model=MatchShown, responses=_EVENT_ANSWERS)
def sound_horn(match_id: MatchId, service: Svc, asked: Changing) -> JSONResponse:
    """Say that playing time is over."""
    return change(service, asked, lambda c: service.matches.horn(c, match_id, asked.by))


@router.post("/matches/{match_id}/shots", response_model=MatchShown, responses=_EVENT_ANSWERS)
def take_shot(
    match_id: MatchId,
    body: Annotated[ShotBody, Body(openapi_examples=examples.SHOT)],
    service: Svc,
    asked: Changing,
) -> JSONResponse:
    """Note a shot and the 20s removed after it."""
    return change(
        service,
        asked,
        lambda c: service.matches.shot(c, match_id, body.player, body.verdict, body.twenties, asked.by),
    )


@router.post("/matches/{match_id}/shoot-out", response_model=MatchShown, responses=_EVENT_ANSWERS)
def score_shoot_out(
    match_id: MatchId,
    body: Annotated[ShootOutBody, Body(openapi_examples=examples.SHOOT_OUT)],
    service: Svc,
    asked: Changing,
) -> JSONResponse:
    """Score one stage of a shoot-out."""
    return change(service, asked, lambda c: service.matches.shoot_out(c, match_id, body.twenties, asked.by))


@router.post("/matches/{match_id}/finish", response_model=MatchShown, responses=_ANSWERS)
def finish(
    match_id: MatchId,
    body: Annotated[FinishBody, Body(openapi_examples=examples.FINISH)],
    service: Svc,
    asked: Changing,
) -> JSONResponse:
    """End a match before its rules do; undo has it go on."""
    return change(service, asked, lambda c: service.matches.finish(c, match_id, body.reason, asked.by))

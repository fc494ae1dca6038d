"""Refusals as RFC 9457 problem documents: one shape for every error the service answers with.

Raise `Problem` anywhere in a request. What else goes wrong is turned into one here; only a bug becomes a 500,
which says nothing of the inside but carries the request's id, so that it can be found in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from service.http.openapi import methods_at
from service.http.problem_docs import MEDIA_TYPE
from service.http.strict import STRICT
from service.matches.refusals import Changed, Exists, Impossible, NotNow, Refusal, Unknown
from service.store import StoreBusy

log = logging.getLogger(__name__)

_CODES = {
    400: "bad_request",
    401: "token_missing",
    403: "not_allowed",
    404: "not_found",
    405: "wrong_method",
    413: "too_large",
    415: "wrong_media_type",
    429: "too_many_requests",
}
_DETAILS = {
    400: "The body cannot be read.",
    404: "There is nothing at this address.",
    405: "This address does not know that method.",
    413: "The body is larger than this service accepts.",
}


class Problem(Exception):
    """A refusal. ``code`` is for programs and stays the same, ``detail`` says to people what to do."""

    def __init__(
        self,
        status: int,
        code: str,
        title: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.headers = dict(headers or {})
        self.extra = extra

    def body(self) -> dict[str, Any]:
        """The problem document."""
        return {
            "type": f"/problems/{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **self.extra,
        }


def response(problem: Problem) -> JSONResponse:
    """The answer that tells a problem."""
    return JSONResponse(problem.body(), problem.status, headers=problem.headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Have every failure of ``app`` told as a problem document."""
    app.add_exception_handler(Problem, _of_problem)
    app.add_exception_handler(Refusal, _of_refusal)
    app.add_exception_handler(RequestValidationError, _of_invalid)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(StoreBusy, _of_busy)
    app.add_exception_handler(Exception, _of_bug)


def invalid(errors: list[dict[str, str]], detail: str | None = None) -> Problem:
    """What was sent does not have the right form; each error has ``where`` and ``message``."""
    first = errors[0]
    words = detail or f"{first['where']}: {first['message']}"
    return Problem(422, "invalid", "What was sent has the wrong form", words, errors=errors)


#: What kind of refusal each of the matches' is.
_STATUS: dict[type[Refusal], int] = {Unknown: 404, Impossible: 422, NotNow: 409, Exists: 409, Changed: 409}


async def _of_refusal(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)
    extra: dict[str, Any] = {}
    if isinstance(error, Changed):
        extra = {"current": error.current, "changed": error.events}
    return response(Problem(_STATUS[type(error)], error.code, error.title, error.words[:500], **extra))


async def _of_problem(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    return response(error)


async def _of_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    if (methods := methods_at(request.app, request.url.path)) and request.method not in methods:
        # A route with a name in its path took the address of another one for such a name.
        return await _of_http(request, HTTPException(405))
    # What was sent is not repeated: it may be huge, or hold what JSON cannot carry.
    told = [
        {"where": _printable(".".join(map(str, each["loc"]))), "message": _printable(str(each["msg"]))}
        for each in error.errors()[:20]
    ]
    return response(invalid(told))


async def _of_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = error.status_code
    title = HTTPStatus(status).phrase
    problem = Problem(status, _CODES.get(status, "refused"), title, _DETAILS.get(status, title))
    problem.headers.update(error.headers or {})
    if status == 405 and (methods := methods_at(request.app, request.url.path)):
        # The framework names the methods of the first route it found; RFC 9110 wants all.
        problem.headers["Allow"] = ", ".join(methods)
    return response(problem)


async def _of_busy(_request: Request, _error: Exception) -> JSONResponse:
    detail = "The database is busy or out of reach. Nothing was changed; try again."
    return response(Problem(503, "busy", "Try again shortly", detail, headers={"Retry-After": "1"}))


async def _of_bug(request: Request, error: Exception) -> JSONResponse:
    request_id = getattr(request.state, "request_id", None)
    log.error("a bug: %s", type(error).__name__, exc_info=error, extra={"request_id": request_id})
    detail = "Something went wrong here. It is in the service's log under this request's id."
    # This answer is made outside of everything that `service.http.headers` looks at.
    headers = STRICT | {"X-Request-ID": request_id or ""}
    return response(
        Problem(500, "internal", "Internal error", detail, headers=headers, request_id=request_id)
    )


def _printable(text: str) -> str:
    shown = text.encode("utf-8", "replace").decode("utf-8")[:200]
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in shown)

"""A change as it is asked for over HTTP: who, which version they saw, and a key so that it is done once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from fastapi.responses import JSONResponse
from sqlalchemy import Connection

from service.http.deps import Operator
from service.http.problems import Problem
from service.http.state import Service
from service.matches.writing import By
from service.store.once import Answer, KeyReused, Once, once

#: Does something in a transaction and returns what the answer shows.
Do = Callable[[Connection], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Change:
    """Who asks for a change, and how. ``once`` is None where no ``Idempotency-Key`` was sent."""

    by: By
    once: Once | None


async def _change(
    request: Request,
    acting: Operator,
    key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            pattern=r"^[\x21-\x7e]{1,100}$",
            description="Your own name for this request; sent again under it, nothing is done twice.",
        ),
    ] = None,
    if_match: Annotated[
        str | None,
        Header(
            alias="If-Match",
            pattern=r'^(\*|"?v[0-9]{1,9}"?)$',
            description="The `ETag` of the match as you last saw it. If it has changed since, you get 409.",
        ),
    ] = None,
) -> Change:
    expect = None if if_match is None or if_match == "*" else int(if_match.strip('"').removeprefix("v"))
    by = By(acting.name, getattr(request.state, "request_id", None) or "", expect)
    if key is None:
        return Change(by, None)
    sent = hashlib.sha256(await request.body()).hexdigest()
    route = f"{request.method} {request.url.path}"
    return Change(by, Once(f"{acting.role}:{acting.name}"[:200], key, route, sent))


#: Somebody's wish to change something.
Changing = Annotated[Change, Depends(_change)]


def change(service: Service, asked: Change, do: Do, *, created: str | None = None) -> JSONResponse:
    """Do it in one transaction with the keeping of its answer, or give the kept answer again.

    ``created`` is the address, without the id, of what is made; then the answer is 201.
    """

    def answer() -> Answer:
        body = do(connection)
        headers = {"ETag": etag(body)} if "version" in body else {}
        if created is None:
            return Answer(body, 200, headers)
        return Answer(body, 201, {**headers, "Location": f"{created}/{body['id']}"})

    try:
        with service.store.write() as connection:
            given = once(connection, asked.once, answer)
    except KeyReused:
        detail = "This Idempotency-Key was used for another request. Take a new one for each thing you do."
        raise Problem(422, "key_reused", "The key was used before", detail) from None
    return JSONResponse(given.body, given.status, headers=given.headers)


def etag(match: dict[str, Any]) -> str:
    """The ETag of a match."""
    return f'"v{match["version"]}"'

"""A change as it is asked for over HTTP: who, which version they saw, and a key so that it is done once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from fastapi.responses import JSONResponse
from sqlalchemy import Connection

from service.http.deps import Operator
from service.http.keys import Key, key_reused, under_key
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
    key: Key = None,
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
    sent = b"" if key is None else await request.body()
    return Change(by, under_key(key, acting, f"{request.method} {request.url.path}", sent))


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
        raise key_reused() from None
    return JSONResponse(given.body, given.status, headers=given.headers)


def etag(match: dict[str, Any]) -> str:
    """The ETag of a match."""
    return f'"v{match["version"]}"'

"""A request that may come twice is answered once: its answer is kept in the transaction of what it did.

The second finds the first's answer and does nothing. Refusals are not kept: nothing was done, so nothing is
repeated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from service.store.moments import iso, now
from service.store.tables import idempotency

#: A day and a night after a tournament's weekend, no client still waits for an answer.
KEPT_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Once:
    """A request under the key its sender chose; ``request_hash`` is over all that was sent."""

    actor: str
    key: str
    route: str
    request_hash: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that can be given again: plain data, a status and headers."""

    body: Mapping[str, Any]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class KeyReused(Exception):
    """The key was used before, for another request."""


def once(connection: Connection, asked: Once | None, do: Callable[[], Answer]) -> Answer:
    """Return the kept answer to ``asked``, or do it and keep the answer, in the transaction under way.

    Without a key it is simply done. Raises `KeyReused`.
    """
    if asked is None:
        return do()
    _wait_for_twin(connection, asked)
    kept = connection.execute(
        select(idempotency).where(idempotency.c.actor == asked.actor, idempotency.c.key == asked.key)
    ).one_or_none()
    if kept is not None:
        if (kept.route, kept.request_hash) != (asked.route, asked.request_hash):
            raise KeyReused(asked.key)
        return Answer(json.loads(kept.body), kept.status, kept.headers)
    answer = do()
    connection.execute(
        insert(idempotency).values(
            actor=asked.actor,
            key=asked.key,
            route=asked.route,
            request_hash=asked.request_hash,
            status=answer.status,
            headers=dict(answer.headers),
            body=json.dumps(answer.body, allow_nan=False).encode(),
            created_at=now(),
        )
    )
    old = iso(datetime.now(UTC) - KEPT_FOR)
    connection.execute(delete(idempotency).where(idempotency.c.created_at < old))
    return answer


def _wait_for_twin(connection: Connection, asked: Once) -> None:
    """Let the same request, sent twice at the same moment, finish first; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        lock = func.hashtextextended(f"{asked.actor}\n{asked.key}", 0)
        connection.execute(select(func.pg_advisory_xact_lock(lock)))

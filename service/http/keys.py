"""A request under its sender's own name for it, so that sent again it is not done twice."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import Header

from service.http.problems import Problem
from service.http.security import Acting
from service.store.once import Once

#: The caller's own name for a request.
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[\x21-\x7e]{1,100}$",
        description="Your own name for this request. Sent again under the same name, it is not done twice.",
    ),
]


def under_key(key: str | None, acting: Acting, route: str, sent: bytes) -> Once | None:
    """The request under its sender's key, ``sent`` being all that makes it this one; None without a key."""
    if key is None:
        return None
    return Once(f"{acting.role}:{acting.name}"[:200], key, route, hashlib.sha256(sent).hexdigest())


def key_reused() -> Problem:
    """The refusal of a key that was used for something else."""
    detail = "This Idempotency-Key was used for another request. Take a new one for each thing you do."
    return Problem(422, "key_reused", "The key was used before", detail)

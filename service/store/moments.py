"""Moments and names of things: the forms every table and every answer uses."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


def now() -> str:
    """This moment as ISO 8601 in UTC with microseconds and a Z; sorts as text."""
    return iso(datetime.now(UTC))


def iso(moment: datetime) -> str:
    """An aware moment in the stored form."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def new_id(prefix: str) -> str:
    """A name nobody can guess: ``m`` gives ``m_`` and twelve letters safe in an address."""
    return f"{prefix}_{secrets.token_urlsafe(9)}"

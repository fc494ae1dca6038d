"""Tokens: what a caller shows to say who they are. Only a hash is kept, so a stolen database opens nothing.

A token is ``<id>.<secret>``: the id finds the row, the secret's SHA-256 is compared in constant time. A fast
hash is right here, for the secret is 256 random bits and not a password that could be guessed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, Row, insert, select, update

from service.store.moments import new_id, now
from service.store.tables import tables, tokens

_FORM = re.compile(r"(t_[A-Za-z0-9_-]{12})\.([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is listed: everything but the secret. ``table`` is None for those of no single table."""

    id: str
    role: str
    table: str | None
    name: str
    created_at: str
    revoked_at: str | None


def new_secret() -> str:
    """256 random bits in letters that are safe in an address."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_hash_of(kept: str, secret: str) -> bool:
    """Whether ``secret`` is the one whose hash is kept, in a time that tells nothing of it."""
    return hmac.compare_digest(kept, hash_of(secret))


def make_token(connection: Connection, role: str, table: str | None, name: str) -> tuple[Token, str]:
    """Make a token and return it with its whole text, which is never to be had again.

    Raises `LookupError` for a table that does not exist.
    """
    if table is not None and not _is_table(connection, table):
        raise LookupError(f"no table {table!r}")
    secret = new_secret()
    made = Token(new_id("t"), role, table, name, now(), None)
    connection.execute(
        insert(tokens).values(
            id=made.id,
            role=role,
            table_name=table,
            name=name,
            hash=hash_of(secret),
            created_at=made.created_at,
        )
    )
    return made, f"{made.id}.{secret}"


def find_token(connection: Connection, text: str) -> Token | None:
    """The token in force that ``text`` is, or None."""
    form = _FORM.fullmatch(text)
    if form is None:
        return None
    row = connection.execute(select(tokens).where(tokens.c.id == form[1])).one_or_none()
    # A row that is not there is compared as well, so that time does not tell which ids exist.
    is_right = is_hash_of(row.hash if row is not None else hash_of(""), form[2])
    if row is None or not is_right or row.revoked_at is not None:
        return None
    return _token(row)


def list_tokens(connection: Connection) -> list[Token]:
    """Every token ever made, the oldest first."""
    rows = connection.execute(select(tokens).order_by(tokens.c.created_at, tokens.c.id))
    return [_token(row) for row in rows]


def revoke_token(connection: Connection, token_id: str) -> bool:
    """Take a token out of force; False when there is none by that id. Doing it twice changes nothing."""
    known = connection.execute(select(tokens.c.id).where(tokens.c.id == token_id)).one_or_none()
    connection.execute(
        update(tokens).where(tokens.c.id == token_id, tokens.c.revoked_at.is_(None)).values(revoked_at=now())
    )
    return known is not None


def _is_table(connection: Connection, table: str) -> bool:
    return connection.execute(select(tables.c.name).where(tables.c.name == table)).one_or_none() is not None


def _token(row: Row[tuple[object, ...]]) -> Token:
    return Token(row.id, row.role, row.table_name, row.name, row.created_at, row.revoked_at)

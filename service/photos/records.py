"""What was read, in the database: photos by their content, readings and line calls by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from service.matches.shown import board_json
from service.matches.tables import ensure_table
from service.photos.files import IncomingPhoto
from service.store.feed import publish
from service.store.moments import iso, now
from service.store.tables import line_calls, photos, readings


@dataclass(frozen=True, slots=True)
class KeptPhoto:
    """A photo that is known, whether or not its file is still kept."""

    sha256: str
    media_type: str
    name: str


def add_photo(
    connection: Connection, photo: IncomingPhoto, media_type: str, size_px: tuple[int, int]
) -> None:
    """Write down that a photo is kept; one that came before is kept from now on again."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    at = now()
    row = dialect.insert(photos).values(
        sha256=photo.sha256,
        size=photo.size,
        media_type=media_type,
        name=photo.name,
        width_px=size_px[0],
        height_px=size_px[1],
        created_at=at,
    )
    connection.execute(row.on_conflict_do_update(index_elements=["sha256"], set_={"created_at": at}))


def add_reading(
    connection: Connection,
    id: str,
    sha256: str,
    table: str | None,
    options: Mapping[str, Any],
    body: Mapping[str, Any],
) -> dict[str, Any]:
    """Write down a reading and tell those who watch its table; the Reading as other programs get it."""
    if table is not None:
        ensure_table(connection, table)
    shown = {"id": id, "photo_sha256": sha256, "table": table, "created_at": now(), **body}
    connection.execute(
        insert(readings).values(
            id=id,
            photo_sha256=sha256,
            table_name=table,
            created_at=shown["created_at"],
            options=dict(options),
            body=dict(body),
        )
    )
    if table is not None:
        publish(connection, table, "reading", board_json(id, body))
    return shown


def find_reading(connection: Connection, id: str) -> dict[str, Any] | None:
    """The Reading of that id."""
    row = connection.execute(select(readings).where(readings.c.id == id)).one_or_none()
    if row is None:
        return None
    return {
        "id": row.id,
        "photo_sha256": row.photo_sha256,
        "table": row.table_name,
        "created_at": row.created_at,
        **row.body,
    }


def add_line_call(
    connection: Connection,
    id: str,
    sha256s: Iterable[str],
    options: Mapping[str, Any],
    body: Mapping[str, Any],
) -> dict[str, Any]:
    """Write down a line call; as other programs get it."""
    at, kept = now(), list(sha256s)
    connection.execute(
        insert(line_calls).values(id=id, created_at=at, photos=kept, options=dict(options), body=dict(body))
    )
    return {"id": id, "created_at": at, "photo_sha256s": kept, **body}


def find_line_call(connection: Connection, id: str) -> dict[str, Any] | None:
    """The line call of that id."""
    row = connection.execute(select(line_calls).where(line_calls.c.id == id)).one_or_none()
    if row is None:
        return None
    return {"id": row.id, "created_at": row.created_at, "photo_sha256s": row.photos, **row.body}


def find_photo(connection: Connection, sha256: str) -> KeptPhoto | None:
    """The photo with that content."""
    row = connection.execute(select(photos).where(photos.c.sha256 == sha256)).one_or_none()
    return None if row is None else KeptPhoto(row.sha256, row.media_type, row.name)


def photos_older_than(connection: Connection, days: int) -> list[str]:
    """The SHA-256 of every photo older than that; held until the transaction ends."""
    limit = iso(datetime.now(UTC) - timedelta(days=days))
    wanted = select(photos.c.sha256).where(photos.c.created_at < limit).with_for_update()
    return list(connection.execute(wanted).scalars())

"""The database's tables. What each holds and why: docs/decisions/040-service.md.

Moments are ISO 8601 text in UTC with microseconds, so they sort and read the same on every database.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

#: Every constraint has a name, so that later migrations can change it on either database.
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMING)

_ID = String(40)
_NAME = String(32)
_WHEN = String(27)
_SHA256 = String(64)

#: A playing table in a hall: how many messages it has published, and the match on it.
tables = Table(
    "tables",
    metadata,
    Column("name", _NAME, primary_key=True),
    Column("event_name", Text, nullable=False, default=""),
    Column("feed_seq", Integer, nullable=False, default=0),
    Column("match_id", _ID),
    Column("camera", JSON(none_as_null=True)),
)

#: A match: who plays, by which rules as they were. ``version`` grows with every change.
matches = Table(
    "matches",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("table_name", _NAME, ForeignKey("tables.name"), nullable=False),
    Column("created_at", _WHEN, nullable=False),
    Column("event_name", Text, nullable=False),
    Column("lineup", JSON, nullable=False),
    Column("rules", JSON, nullable=False),
    Column("first", Integer, nullable=False),
    Column("colours", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("finished_at", _WHEN),
    Column("finish", JSON(none_as_null=True)),
    Index(None, "table_name", "created_at"),
    Index(None, "created_at", "id"),
)

#: What happened, in order. Rows are only ever added. ``version`` is the match's after this event.
events = Table(
    "events",
    metadata,
    Column("match_id", _ID, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("at", _WHEN, nullable=False),
    Column("actor", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("body", JSON, nullable=False),
)

#: A photo by its content; the file itself lies in the data folder.
photos = Table(
    "photos",
    metadata,
    Column("sha256", _SHA256, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("width_px", Integer, nullable=False),
    Column("height_px", Integer, nullable=False),
    Column("created_at", _WHEN, nullable=False, index=True),
)

#: What was read from one photo.
readings = Table(
    "readings",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("photo_sha256", _SHA256, ForeignKey("photos.sha256"), nullable=False, index=True),
    Column("table_name", _NAME, ForeignKey("tables.name")),
    Column("created_at", _WHEN, nullable=False),
    Column("options", JSON, nullable=False),
    Column("body", JSON, nullable=False),
    Index(None, "table_name", "created_at"),
)

#: A line call: the photos it rests on, and the ruling.
line_calls = Table(
    "line_calls",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("created_at", _WHEN, nullable=False),
    Column("photos", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("body", JSON, nullable=False),
)

_event = (["match_id", "event_number"], ["events.match_id", "events.number"])

#: Which reading an event rests on, and whose discs each of its teams were.
round_evidence = Table(
    "round_evidence",
    metadata,
    Column("match_id", _ID, primary_key=True),
    Column("event_number", Integer, primary_key=True, autoincrement=False),
    Column("reading_id", _ID, ForeignKey("readings.id"), nullable=False, index=True),
    Column("teams", JSON, nullable=False),
    ForeignKeyConstraint(*_event),
)

#: What people changed about what was seen, apart from both the reading and the event.
decisions = Table(
    "decisions",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("match_id", _ID, nullable=False),
    Column("event_number", Integer, nullable=False),
    Column("reading_id", _ID, ForeignKey("readings.id"), index=True),
    Column("disc", Integer),
    Column("was", JSON, nullable=False),
    Column("now", JSON, nullable=False),
    Column("who", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("at", _WHEN, nullable=False),
    ForeignKeyConstraint(*_event),
    Index(None, "match_id", "event_number"),
)

#: What watchers of a table see; see `service.store.feed`.
feed = Table(
    "feed",
    metadata,
    Column("table_name", _NAME, ForeignKey("tables.name"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", _WHEN, nullable=False),
    Column("type", String(40), nullable=False),
    Column("body", JSON, nullable=False),
)

#: Who may do what; only the token's hash is kept.
tokens = Table(
    "tokens",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("role", String(20), nullable=False),
    Column("table_name", _NAME, ForeignKey("tables.name")),
    Column("name", Text, nullable=False),
    Column("hash", Text, nullable=False, unique=True),
    Column("created_at", _WHEN, nullable=False),
    Column("revoked_at", _WHEN),
)

#: The first answer to a request that may come twice; see `service.store.once`.
idempotency = Table(
    "idempotency",
    metadata,
    Column("actor", String(200), primary_key=True),
    Column("key", String(200), primary_key=True),
    Column("route", Text, nullable=False),
    Column("request_hash", _SHA256, nullable=False),
    Column("status", Integer, nullable=False),
    Column("headers", JSON, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", _WHEN, nullable=False, index=True),
)

"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From an empty database."""
    op.create_table(
        "idempotency",
        sa.Column("actor", sa.String(length=200), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.String(length=27), nullable=False),
        sa.PrimaryKeyConstraint("actor", "key", name=op.f("pk_idempotency")),
    )
    op.create_index(op.f("ix_idempotency_created_at"), "idempotency", ["created_at"], unique=False)

    op.create_table(
        "line_calls",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.String(length=27), nullable=False),
        sa.Column("photos", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_line_calls")),
    )
    op.create_table(
        "photos",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("width_px", sa.Integer(), nullable=False),
        sa.Column("height_px", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=27), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_photos")),
    )
    op.create_index(op.f("ix_photos_created_at"), "photos", ["created_at"], unique=False)

    op.create_table(
        "tables",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("event_name", sa.Text(), nullable=False),
        sa.Column("feed_seq", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.String(length=40), nullable=True),
        sa.Column("camera", sa.JSON(none_as_null=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_tables")),
    )
    op.create_table(
        "feed",
        sa.Column("table_name", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["table_name"], ["tables.name"], name=op.f("fk_feed_table_name_tables")),
        sa.PrimaryKeyConstraint("table_name", "seq", name=op.f("pk_feed")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("table_name", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.String(length=27), nullable=False),
        sa.Column("event_name", sa.Text(), nullable=False),
        sa.Column("lineup", sa.JSON(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("colours", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.String(length=27), nullable=True),
        sa.Column("finish", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["table_name"], ["tables.name"], name=op.f("fk_matches_table_name_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index(op.f("ix_matches_created_at_id"), "matches", ["created_at", "id"], unique=False)
    op.create_index(
        op.f("ix_matches_table_name_created_at"), "matches", ["table_name", "created_at"], unique=False
    )

    op.create_table(
        "readings",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("photo_sha256", sa.String(length=64), nullable=False),
        sa.Column("table_name", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.String(length=27), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["photo_sha256"], ["photos.sha256"], name=op.f("fk_readings_photo_sha256_photos")
        ),
        sa.ForeignKeyConstraint(["table_name"], ["tables.name"], name=op.f("fk_readings_table_name_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_readings")),
    )
    op.create_index(op.f("ix_readings_photo_sha256"), "readings", ["photo_sha256"], unique=False)
    op.create_index(
        op.f("ix_readings_table_name_created_at"), "readings", ["table_name", "created_at"], unique=False
    )

    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("table_name", sa.String(length=32), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(length=27), nullable=False),
        sa.Column("revoked_at", sa.String(length=27), nullable=True),
        sa.ForeignKeyConstraint(["table_name"], ["tables.name"], name=op.f("fk_tokens_table_name_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_tokens_hash")),
    )
    op.create_table(
        "events",
        sa.Column("match_id", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_events_match_id_matches")),
        sa.PrimaryKeyConstraint("match_id", "number", name=op.f("pk_events")),
    )
    op.create_table(
        "decisions",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("match_id", sa.String(length=40), nullable=False),
        sa.Column("event_number", sa.Integer(), nullable=False),
        sa.Column("reading_id", sa.String(length=40), nullable=True),
        sa.Column("disc", sa.Integer(), nullable=True),
        sa.Column("was", sa.JSON(), nullable=False),
        sa.Column("now", sa.JSON(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id", "event_number"],
            ["events.match_id", "events.number"],
            name=op.f("fk_decisions_match_id_event_number_events"),
        ),
        sa.ForeignKeyConstraint(
            ["reading_id"], ["readings.id"], name=op.f("fk_decisions_reading_id_readings")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
    )
    op.create_index(
        op.f("ix_decisions_match_id_event_number"), "decisions", ["match_id", "event_number"], unique=False
    )
    op.create_index(op.f("ix_decisions_reading_id"), "decisions", ["reading_id"], unique=False)

    op.create_table(
        "round_evidence",
        sa.Column("match_id", sa.String(length=40), nullable=False),
        sa.Column("event_number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reading_id", sa.String(length=40), nullable=False),
        sa.Column("teams", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id", "event_number"],
            ["events.match_id", "events.number"],
            name=op.f("fk_round_evidence_match_id_event_number_events"),
        ),
        sa.ForeignKeyConstraint(
            ["reading_id"], ["readings.id"], name=op.f("fk_round_evidence_reading_id_readings")
        ),
        sa.PrimaryKeyConstraint("match_id", "event_number", name=op.f("pk_round_evidence")),
    )
    op.create_index(op.f("ix_round_evidence_reading_id"), "round_evidence", ["reading_id"], unique=False)


def downgrade() -> None:
    """Back to an empty database."""
    for name in (
        "round_evidence",
        "decisions",
        "events",
        "tokens",
        "readings",
        "matches",
        "feed",
        "tables",
        "photos",
        "line_calls",
        "idempotency",
    ):
        op.drop_table(name)

"""Which migrations a database has had, and which this version of the program wants."""

from __future__ import annotations

from sqlalchemy import Connection


def wanted_revision() -> str:
    """The last migration this version knows."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "service.store:migrations")
    return ScriptDirectory.from_config(config).get_current_head() or ""


def revision_of(connection: Connection) -> str:
    """The last migration a database has had; empty for one that has had none."""
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision() or ""

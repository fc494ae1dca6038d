"""Run by Alembic inside the transaction that `Store.migrate` has opened."""

from __future__ import annotations

from alembic import context

from service.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite cannot alter most of a table; in batch mode Alembic copies it instead.
    render_as_batch=True,
)
context.run_migrations()

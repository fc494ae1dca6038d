"""Databases for the tests of the service: SQLite always, and a real PostgreSQL where it is installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from service.store import Store
from service.store.tables import metadata
from tests.service.postgres import Postgres, running_postgres

KINDS = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'crokinole.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Store:
    """A migrated store with nothing in it, of either kind."""
    opened: Store = request.getfixturevalue(f"{request.param}_store")
    return opened


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file to copy: migrating for each test would take most of its time."""
    file = tmp_path_factory.mktemp("migrated") / "crokinole.db"
    made = Store(f"sqlite:///{file}")
    made.migrate()
    made.close()
    return file


@pytest.fixture
def sqlite_store(migrated_file: Path, tmp_path: Path) -> Iterator[Store]:
    file = tmp_path / "copy.db"
    shutil.copy(migrated_file, file)
    opened = Store(f"sqlite:///{file}")
    # Nothing here outlives the test, so nothing needs to reach the disc.
    event.listen(opened._engine, "connect", _without_waiting)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def migrated_postgres(postgres: Postgres) -> Iterator[Store]:
    opened = Store(postgres.new_database())
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def postgresql_store(migrated_postgres: Store) -> Store:
    names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
    with migrated_postgres.write() as connection:
        connection.execute(text(f"truncate {names}"))
    migrated_postgres._told.clear()
    return migrated_postgres


def _without_waiting(raw: Any, _record: Any) -> None:
    raw.execute("PRAGMA synchronous=OFF")

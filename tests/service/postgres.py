"""A real PostgreSQL for the tests that want one: in a folder of its own, gone afterwards."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

PATIENCE_S = 60.0

_INITDB = ("--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")


@dataclass(frozen=True)
class Postgres:
    """A running server; ``new_database`` gives a fresh one's address."""

    sockets: Path
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def new_database(self) -> str:
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self._conninfo("postgres"), autocommit=True) as connection:
            connection.execute(f'create database "{name}"')
        return f"postgresql+psycopg://crokinole@/{name}?host={self.sockets}"

    def answers(self) -> bool:
        try:
            psycopg.connect(self._conninfo("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def _conninfo(self, name: str) -> str:
        return f"host={self.sockets} user=crokinole dbname={name}"


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Start one, or skip the test where PostgreSQL is not installed."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed (no initdb)")
    as_user = _as_user()
    folder = Path(tempfile.mkdtemp(prefix="crokinole-postgres-"))
    try:
        if as_user:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        data = folder / "data"
        subprocess.run(
            [*as_user, binaries / "initdb", "-D", data, "-U", "crokinole", *_INITDB],
            check=True,
            capture_output=True,
            cwd=folder,
        )
        # Nothing here outlives the test, so nothing needs to reach the disc.
        settings = [
            "listen_addresses=",
            "fsync=off",
            "max_connections=200",
            f"unix_socket_directories={folder}",
        ]
        server = subprocess.Popen(
            [*as_user, binaries / "postgres", "-D", data, *(f"--{each}" for each in settings)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        try:
            postgres = Postgres(folder)
            ends = time.monotonic() + PATIENCE_S
            while not postgres.answers():
                assert server.poll() is None and time.monotonic() < ends, "PostgreSQL did not start"
                time.sleep(0.05)
            yield postgres
        finally:
            # PostgreSQL's own tool, for runuser may stand between; immediate, for the data is thrown away.
            subprocess.run(
                [*as_user, binaries / "pg_ctl", "-D", data, "-m", "immediate", "stop"],
                check=False,
                capture_output=True,
                cwd=folder,
            )
            server.wait(PATIENCE_S)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _binaries() -> Path | None:
    """Where initdb is: Debian keeps it out of the path."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    folders = [each.parent for each in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(folders, key=lambda folder: int(folder.parent.name), default=None)


def _as_user() -> list[str]:
    """PostgreSQL refuses to run as root; Debian's package brings a user for it."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    return ["runuser", "-u", "postgres", "--"]

"""``crokinole diagnostics OUT.zip``: what somebody needs who looks into a fault, and nothing else.

In it: versions, the settings with secrets masked, how many rows each table of the database has, how many
photos there are, and the last lines of the log. Not in it: photos, names, matches, tokens, passwords.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import zipfile
from collections import deque
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from service.http.logs import log_file, masked
from service.settings import Settings, shown
from service.store import Store, StoreBusy
from service.store.moments import now
from service.store.revision import revision_of, wanted_revision
from service.store.tables import metadata

#: A few megabytes of log at most.
_LOG_LINES = 5000


def write_bundle(settings: Settings, out: Path) -> None:
    """Write the bundle to ``out``. Raises `OSError` when that cannot be written.

    What cannot be found out, because the database is out of reach say, is told in its place.
    """
    parts = {
        "about.json": _json({"made_at": now(), "versions": versions(), "machine": _machine()}),
        "settings.toml": _without_home(shown(settings)) + "\n",
        "database.json": _json(_database(settings)),
        "photos.json": _json(_photos(settings)),
        "log.jsonl": "".join(_last_lines(settings)),
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in parts.items():
            bundle.writestr(name, text)


def versions() -> dict[str, str]:
    """This program, Python, and every library it stands on."""
    found = {"crokinole": _version("crokinole"), "python": platform.python_version()}
    for wanted in requires("crokinole") or ():
        if "extra" in wanted and "psycopg" not in wanted:
            continue
        name = "".join(letter if letter.isalnum() or letter in "-_." else " " for letter in wanted).split()[0]
        found[name] = _version(name)
    return found | {"sqlite": sqlite3.sqlite_version}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _machine() -> dict[str, Any]:
    return {"system": platform.platform(), "processor": platform.machine(), "cores": os.cpu_count()}


def _database(settings: Settings) -> dict[str, Any]:
    told: dict[str, Any] = {"wants_revision": wanted_revision()}
    try:
        # Opened by hand: a bundle must not make a database where there is none.
        if not _has_database(settings):
            return told | {"error": "there is no database yet"}
        store = Store(settings.database)
        try:
            with store.read() as connection:
                told["kind"] = connection.dialect.name
                told["revision"] = revision_of(connection)
                told["server"] = ".".join(map(str, connection.dialect.server_version_info or ()))
                if told["revision"] == told["wants_revision"]:
                    told["rows"] = {
                        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
                        for table in metadata.sorted_tables
                    }
        finally:
            store.close()
    except StoreBusy:
        told["error"] = "the database is busy or out of reach"
    return told


def _has_database(settings: Settings) -> bool:
    kind, _, path = settings.database.partition(":///")
    return kind != "sqlite" or Path(path).is_file()


def _photos(settings: Settings) -> dict[str, int]:
    sizes = [path.stat().st_size for path in (settings.data_dir / "photos").rglob("*") if path.is_file()]
    return {"files": len(sizes), "bytes": sum(sizes)}


def _last_lines(settings: Settings) -> deque[str]:
    kept: deque[str] = deque(maxlen=_LOG_LINES)
    newest = log_file(settings)
    older = sorted(newest.parent.glob(newest.name + ".*"), reverse=True)
    for path in (*older, newest):
        if path.is_file():
            with path.open(encoding="utf-8", errors="replace") as lines:
                kept.extend(masked(line) for line in lines)
    return kept


def _without_home(text: str) -> str:
    """``text`` without the name of the person whose home folder is in it."""
    home = str(Path.home())
    return text.replace(home, "~") if home not in ("/", "") else text


def _json(told: dict[str, Any]) -> str:
    return json.dumps(told, indent=2) + "\n"

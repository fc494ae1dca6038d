"""Whether the service can start, found out before it does, so that people read a sentence and not a log."""

from __future__ import annotations

import os
import socket
from contextlib import closing

from sqlalchemy import make_url
from sqlalchemy.exc import DatabaseError

from service.errors import UsageError
from service.settings import Settings
from service.store import Store, StoreBusy


def check_can_start(settings: Settings) -> None:
    """Make the data folder, bring the database up to date, and look whether the address is free.

    Raises :class:`~service.errors.UsageError`.
    """
    _check_folder(settings)
    _check_database(settings)
    _check_address(settings)


def _check_folder(settings: Settings) -> None:
    folder = settings.data_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the data folder {folder} cannot be made: {error.strerror}", "bad_data") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"the data folder {folder} cannot be written to", "bad_data")


def _check_database(settings: Settings) -> None:
    from alembic.util import CommandError

    where = make_url(settings.database).render_as_string(hide_password=True)
    try:
        with closing(Store(settings.database)) as store:
            store.migrate()
    except CommandError as error:
        raise UsageError(
            f"the database {where} was made by a newer crokinole: install that one", "bad_database"
        ) from error
    except (StoreBusy, DatabaseError, OSError) as error:
        raise UsageError(f"the database {where} cannot be used: {_reason(error)}", "bad_database") from error


def _reason(error: BaseException) -> str:
    """What the database itself said, in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split()) or type(error).__name__


def _check_address(settings: Settings) -> None:
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as tried:
            # As the server itself binds: a connection that lingers from before is no obstacle.
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror}; "
            "choose another with --host or --port",
            "bad_address",
        ) from error

"""Settings: from the command line, then the environment (``CROKINOLE_PORT``), then one TOML file.

The first that names a setting decides it. `shown` prints what is in force with every secret masked.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import typer
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from service.errors import UsageError

LogLevel = Literal["debug", "info", "warning", "error"]


class Settings(BaseSettings):
    """Everything that can be set. Sizes are in megabytes (10^6 bytes), times in the unit of their name."""

    model_config = SettingsConfigDict(env_prefix="CROKINOLE_", extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    """The address to listen on. Any other than the loopback demands a token."""
    port: int = Field(8020, ge=0, le=65535)
    data_dir: Path = Field(default_factory=lambda: user_data_dir())
    """Where photos are kept, and the SQLite file unless ``database_url`` says otherwise."""
    database_url: SecretStr | None = None
    """``sqlite:///FILE`` or ``postgresql+psycopg://...``; a file in the data folder when not given."""
    token: SecretStr | None = Field(None, min_length=16, max_length=200)
    """The first operator's token."""
    public_url: str | None = Field(None, max_length=200, pattern=r"^https?://[^\s]+$")
    """How others reach the service, for links."""
    workers: int = Field(1, ge=1, le=64)
    """Processes that read photos."""
    queue: int = Field(8, ge=0, le=1000)
    """Photos that may wait for a worker; one more is refused with 503."""
    upload_mb: int = Field(40, ge=1, le=1000)
    cameras: bool = True
    """Whether this process watches the tables' cameras; of several on one database, one should."""
    photo_days: int = Field(0, ge=0, le=36500)
    """How long photos are kept; 0 is for ever."""
    feed_keep: int = Field(5000, ge=100, le=1_000_000)
    """Messages kept for each table, for watchers that come back."""
    uploads_per_minute: int = Field(60, ge=1, le=100_000)
    """Photos one caller may send a minute."""
    changes_per_minute: int = Field(1200, ge=1, le=1_000_000)
    """Other changes one caller may ask for a minute."""
    log_level: LogLevel = "info"

    @property
    def database(self) -> str:
        """The database's address, with its password. Never print it."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.data_dir / 'crokinole.db'}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return self.host in ("127.0.0.1", "::1", "localhost")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Command line, environment, file; no dotenv and no secrets folder."""
        return init_settings, env_settings


def load_settings(config: Path | None = None, **given: Any) -> Settings:
    """The settings in force; ``given`` are those of the command line, None where nothing was said.

    ``config`` is the TOML file, else the one ``CROKINOLE_CONFIG`` names. Raises
    :class:`~service.errors.UsageError` naming the setting that cannot be.
    """
    named = os.environ.get("CROKINOLE_CONFIG")
    path = config if config is not None else Path(named) if named else None
    try:
        settings = _class_for(path)(**{key: value for key, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"setting {where!r}: {first['msg']}", "bad_settings") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}", "bad_settings") from None
    _check_database(settings.database)
    return settings


def shown(settings: Settings) -> str:
    """The settings as TOML, passwords and tokens masked; those that are not set are left out."""
    lines = []
    for key, value in settings.model_dump(mode="json").items():
        if key == "database_url":
            value = make_url(settings.database).render_as_string(hide_password=True)
        if value is None:
            continue
        lines.append(f"{key} = {json.dumps(value) if isinstance(value, int) else _quoted(str(value))}")
    return "\n".join(lines)


def user_data_dir() -> Path:
    """The folder for a program's data of the person who runs it, as the platform has it."""
    if sys.platform in ("win32", "darwin"):
        return Path(typer.get_app_dir("crokinole"))
    # XDG base directories: data does not belong in the folder of settings, which is what typer knows.
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "crokinole"


def _class_for(path: Path | None) -> type[Settings]:
    """The settings' class that reads one file, too: the library takes the file's name from the class."""
    if path is None:
        return Settings
    if not path.is_file():
        raise UsageError(f"there is no settings file {path}", "bad_settings")

    class FromFile(Settings):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], *sources: Any, **named: Any
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            given = super().settings_customise_sources(settings_cls, *sources, **named)
            return *given, TomlConfigSettingsSource(settings_cls, path)

    return FromFile


def _check_database(url: str) -> None:
    try:
        parsed = make_url(url)
    except ArgumentError:
        # The address may hold a password, so it is not repeated.
        raise UsageError("database_url is not an address like sqlite:///FILE", "bad_settings") from None
    if parsed.drivername not in ("sqlite", "postgresql+psycopg"):
        raise UsageError(
            f"database_url starts with sqlite:/// or postgresql+psycopg://, not {parsed.drivername}://",
            "bad_settings",
        )
    if parsed.drivername != "sqlite" and find_spec("psycopg") is None:
        raise UsageError("PostgreSQL needs a driver: pip install 'crokinole[postgres]'", "bad_settings")
    if parsed.drivername == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise UsageError("database_url needs a file: sqlite:///FILE", "bad_settings")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

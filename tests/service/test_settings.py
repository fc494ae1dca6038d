"""Settings from the command line, the environment and a file, and what of them is shown."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from service import serve_command
from service.cli import app
from service.errors import UsageError
from service.settings import Settings, load_settings, shown, user_data_dir


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:

    for name in [name for name in os.environ if name.startswith("CROKINOLE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_setting_it_is_one_machine_with_a_file() -> None:
    settings = load_settings()
    assert (settings.host, settings.port, settings.is_loopback) == ("127.0.0.1", 8020, True)
    assert settings.database == f"sqlite:///{user_data_dir() / 'crokinole.db'}"
    assert settings.token is None


def test_the_command_line_comes_before_the_environment_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = _file(tmp_path, 'host = "10.0.0.1"\nport = 1\nqueue = 2\n')
    monkeypatch.setenv("CROKINOLE_HOST", "10.0.0.2")
    monkeypatch.setenv("CROKINOLE_PORT", "3")
    settings = load_settings(file, host="10.0.0.3", port=None)
    assert (settings.host, settings.port, settings.queue) == ("10.0.0.3", 3, 2)
    assert not settings.is_loopback
    monkeypatch.setenv("CROKINOLE_CONFIG", str(file))
    assert load_settings().queue == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port = 70000", "setting 'port'"),
        ('port = "many"', "setting 'port'"),
        ("colour = 1", "setting 'colour'"),
        ('token = "short"', "setting 'token'"),
        ("port = ", "cannot be read"),
        ('database_url = "mysql://root:hush@host/db"', "starts with sqlite"),
        ('database_url = "sqlite://"', "needs a file"),
        ('database_url = "hush"', "is not an address"),
    ],
)
def test_a_setting_that_cannot_be_is_named_and_its_secret_kept(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as refused:
        load_settings(_file(tmp_path, text))
    assert "hush" not in str(refused.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no settings file"):
        load_settings(tmp_path / "nothing.toml")


def test_what_is_shown_is_toml_without_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROKINOLE_TOKEN", "an-operator-token-of-mine")
    monkeypatch.setenv("CROKINOLE_DATABASE_URL", "postgresql+psycopg://me:hush@db/crokinole")
    monkeypatch.setenv("CROKINOLE_DATA_DIR", 'C:\\a "b"')
    text = shown(load_settings())
    told = tomllib.loads(text)
    assert "hush" not in text and "operator-token" not in text
    assert told["database_url"] == "postgresql+psycopg://me:***@db/crokinole"
    assert (told["port"], told["data_dir"]) == (8020, 'C:\\a "b"')
    assert set(told) == set(Settings.model_fields) - {"public_url"}


def test_what_is_shown_can_be_read_back(tmp_path: Path) -> None:
    settings = load_settings(port=9, data_dir=tmp_path)
    assert load_settings(_file(tmp_path, shown(settings))).model_dump(exclude={"database_url"}) == (
        settings.model_dump(exclude={"database_url"})
    )


def test_serve_prints_its_settings_and_leaves(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["serve", "--port", "9", "--data", str(tmp_path), "--print-settings"])
    assert result.exit_code == 0
    assert tomllib.loads(result.stdout)["port"] == 9


def test_serve_says_what_is_wrong_with_a_setting() -> None:
    result = CliRunner().invoke(app, ["serve", "--port", "70000"])
    assert result.exit_code == 2
    assert "setting 'port'" in result.stderr


def test_serve_opens_the_page_when_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[Any] = []
    served: list[Settings] = []
    monkeypatch.setattr("service.http.server.serve", lambda _app, settings: served.append(settings))

    class Timer:
        def __init__(self, _seconds: float, do: Any, given: Any) -> None:
            opened.append(given)

        def start(self) -> None:
            opened.append("started")

    monkeypatch.setattr(serve_command.threading, "Timer", Timer)
    result = CliRunner().invoke(app, ["serve", "--port", "9", "--data", str(tmp_path), "--open"])
    assert result.exit_code == 0, result.output
    assert [settings.port for settings in served] == [9]
    assert opened == [["http://127.0.0.1:9/"], "started"]


def test_diagnostics_says_where_it_cannot_write(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "bundle.zip"
    result = CliRunner().invoke(app, ["diagnostics", str(out), "--data", str(tmp_path)])
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
    good = tmp_path / "bundle.zip"
    assert CliRunner().invoke(app, ["diagnostics", str(good), "--data", str(tmp_path)]).exit_code == 0
    assert good.stat().st_size > 0

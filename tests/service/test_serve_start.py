"""A service that cannot start says why in one line and leaves with status 2."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from sqlalchemy import text

from service.errors import UsageError
from service.serve_start import check_can_start
from service.settings import Settings, load_settings
from service.store import Store


def test_it_makes_its_folder_and_its_database(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "a" / "b", port=0)
    check_can_start(settings)
    with Store(settings.database).read() as connection:
        assert connection.execute(text("select count(*) from matches")).scalar() == 0


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"data folder .* cannot be made"):
        check_can_start(Settings(data_dir=tmp_path / "file", port=0))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "crokinole.db").write_text("no database at all, but long enough to look at" * 20)
    with pytest.raises(UsageError, match="cannot be used: file is not a database"):
        check_can_start(Settings(data_dir=tmp_path, port=0))


def test_a_database_of_a_newer_program(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, port=0)
    check_can_start(settings)
    with Store(settings.database).write() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(UsageError, match="newer crokinole"):
        check_can_start(settings)


def test_a_server_that_does_not_answer_and_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROKINOLE_DATABASE_URL", f"postgresql+psycopg://me:hush@/db?host={tmp_path}")
    with pytest.raises(UsageError, match="cannot be used") as refused:
        check_can_start(load_settings(data_dir=tmp_path, port=0))
    assert "hush" not in str(refused.value)


def test_postgresql_without_its_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.settings.find_spec", lambda _name: None)
    monkeypatch.setenv("CROKINOLE_DATABASE_URL", "postgresql+psycopg:///db")
    with pytest.raises(UsageError, match="pip install 'crokinole\\[postgres\\]'"):
        load_settings()


def test_an_address_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(data_dir=tmp_path, port=taken.getsockname()[1])
        with pytest.raises(UsageError, match="choose another with --host or --port"):
            check_can_start(settings)

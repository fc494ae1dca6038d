"""Health, figures and logs; and that nothing leaks which should stay inside."""

from __future__ import annotations

import io
import json
import logging
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from service import diagnostics
from service.http import logs
from service.http.logs import JsonLines, masked
from service.matches.tables import ensure_table, set_table
from service.settings import Settings
from service.store import StoreBusy
from service.store.tokens import make_token
from tests.service.running import Running, heard, running

SECRET = "a-secret-that-must-not-be-seen"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The log as a serving process writes it."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    handler.addFilter(logs._is_wanted)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    root.setLevel(before)


@pytest.fixture
def home(tmp_path: Path, log: io.StringIO) -> Iterator[Running]:
    with running(tmp_path) as found:
        yield found


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def figure(home: Running, name: str, **labels: str) -> float:
    for family in text_string_to_metric_families(home.client.get("/metrics").text):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return sample.value
    return 0.0


def test_ready_says_what_is_missing(home: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    assert home.client.get("/healthz").json() == {"status": "ok"}
    ready = home.client.get("/readyz")
    assert (ready.status_code, set(ready.json()["checks"].values())) == (200, {"ok"})
    with home.service.store.write() as connection:
        connection.execute(text("update alembic_version set version_num = 'older'"))
    ready = home.client.get("/readyz")
    assert (ready.status_code, ready.json()["ready"]) == (503, False)
    assert ready.json()["checks"] == {"database": "failed", "feed": "ok", "photos": "ok"}

    def busy() -> None:
        raise StoreBusy("no answer")

    monkeypatch.setattr(type(home.service.store), "read", lambda self: busy())
    assert home.client.get("/readyz").json()["checks"]["database"] == "failed"
    assert home.client.get("/healthz").status_code == 200


def test_a_server_that_stops_is_not_ready(home: Running) -> None:
    home.service.feed.end()
    assert home.client.get("/readyz").json()["checks"]["feed"] == "failed"


def test_metrics_count_requests_by_route_and_not_by_address(home: Running) -> None:
    for n in range(3):
        home.client.delete(f"/api/v1/tokens/t_{n}")
        home.client.get(f"/nowhere/{n}")
    route = "/tokens/{token_id}"
    assert figure(home, "crokinole_requests_total", method="DELETE", route=route, status="404") == 3
    assert figure(home, "crokinole_requests_total", method="GET", route="none", status="404") == 3
    assert figure(home, "crokinole_request_seconds_count", method="DELETE", route=route) == 3


def test_metrics_tell_of_the_feed(home: Running) -> None:
    with home.watching("A") as socket:
        heard(socket)
        with home.service.store.write() as connection:
            set_table(connection, "A", event_name="Open", camera=None, keeps_camera=True)
        heard(socket)
        assert figure(home, "crokinole_watchers") == 1
        assert "crokinole_photos 0.0" in home.client.get("/metrics").text
    assert figure(home, "crokinole_feed_lag_seconds_count") == 1


def test_a_requests_id_is_taken_or_made_and_found_in_the_log(home: Running, log: io.StringIO) -> None:
    given = home.client.get("/healthz", headers={"X-Request-ID": "phone-7:42"})
    assert given.headers["x-request-id"] == "phone-7:42"
    for odd in ("", "with space", "x" * 65, '"quoted"'):
        made = home.client.get("/healthz", headers={"X-Request-ID": odd}).headers["x-request-id"]
        assert re.fullmatch(r"q_[\w-]{12}", made)
    mine = [line for line in lines(log) if line.get("request_id") == "phone-7:42"]
    assert [(line["path"], line["status"], line["method"]) for line in mine] == [("/healthz", 200, "GET")]


def test_a_bug_tells_the_caller_its_id_alone_and_the_log_where_it_was(
    home: Running, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_given: object) -> None:
        raise FileNotFoundError(2, SECRET, str(tmp_path / "inner" / "file.db"))

    monkeypatch.setattr("service.http.tokens.list_tokens", broken)
    answer = home.client.get("/api/v1/tokens", headers={"X-Request-ID": "find-me"})
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["request_id"]) == (500, "internal", "find-me")
    assert answer.headers["content-security-policy"], "the answer to a bug is strict, too"
    told = [line for line in lines(log) if line.get("error") == "FileNotFoundError"]
    assert len(told) == 1, "once"
    assert told[0]["request_id"] == "find-me"
    assert any(step.startswith("service.http.tokens.read_tokens:") for step in told[0]["where"])
    for words in (answer.text, log.getvalue()):
        assert SECRET not in words and str(tmp_path) not in words
        assert "Traceback" not in words and ".py" not in words


def test_no_token_is_ever_in_the_log(tmp_path: Path, log: io.StringIO) -> None:
    with running(tmp_path, host="0.0.0.0", token=SECRET) as hall:
        with hall.service.store.write() as connection:
            ensure_table(connection, "A")
            _made, overlay = make_token(connection, "overlay", "A", "stream")
        hall.client.get("/api/v1/session", headers={"Authorization": f"Bearer {SECRET}"})
        hall.client.get("/api/v1/session", params={"token": SECRET})
        hall.client.get(f"/api/v1/session/{overlay}")
        hall.client.post("/api/v1/session", json={"token": SECRET})
        with hall.watching("A", f"?token={overlay}") as socket:
            heard(socket)
        assert hall.client.get("/overlay/A", params={"token": overlay}).is_success
    # The other lines are of the test's own clients.
    served = "\n".join(str(line) for line in lines(log) if line["logger"].startswith(("service", "uvicorn")))
    assert "'path': '/api/v1/tables/A/live'" in served
    assert SECRET not in served and overlay.partition(".")[2] not in served


def test_words_that_look_like_a_token_are_masked() -> None:
    token = "t_" + "a" * 12 + "." + "b" * 43
    assert masked(f"GET /x?token=abc&y=1 {token} Bearer xyz") == "GET /x?token=***&y=1 *** Bearer ***"


def test_a_line_of_the_log_is_one_object_whatever_was_said() -> None:
    record = logging.LogRecord("n", logging.INFO, "f", 1, "a\nb %s", ("\u2028",), None)
    line = JsonLines().format(record)
    assert "\n" not in line and json.loads(line)["message"] == "a\nb \u2028"


def test_the_log_is_kept_in_a_file_that_does_not_grow_for_ever(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    try:
        logs.set_up(settings)
        logging.getLogger("service.test").info("hello")
        added = [each for each in root.handlers if each not in before]
    finally:
        logging.captureWarnings(False)
        for handler in [each for each in root.handlers if each not in before]:
            root.removeHandler(handler)
            handler.close()
        root.setLevel(level)
    assert json.loads(logs.log_file(settings).read_text())["message"] == "hello"
    rotating = next(each for each in added if isinstance(each, logging.handlers.RotatingFileHandler))
    assert (rotating.maxBytes, rotating.backupCount) == (1_000_000, 3)


def test_a_bundle_for_a_bug_report_has_no_secrets_and_no_pictures(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, token=SECRET) as home, home.service.store.write() as connection:
        ensure_table(connection, "A")
        _made, overlay = make_token(connection, "overlay", "A", "Anna's stream")
    settings = Settings(data_dir=data, token=SECRET)
    (data / "photos").mkdir(exist_ok=True)
    (data / "photos" / "ab").write_bytes(b"\xff\xd8picture")
    file = logs.log_file(settings)
    file.parent.mkdir(exist_ok=True)
    file.with_name(file.name + ".1").write_text('{"message": "older"}\n')
    file.write_text(f'{{"message": "odd {overlay}"}}\n')

    diagnostics.write_bundle(settings, tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as bundle:
        parts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    assert sorted(parts) == ["about.json", "database.json", "log.jsonl", "photos.json", "settings.toml"]
    whole = "".join(parts.values())
    for inner in (SECRET, overlay.partition(".")[2], "Anna", "picture"):
        assert inner not in whole
    assert json.loads(parts["about.json"])["versions"]["python"]
    database = json.loads(parts["database.json"])
    assert database["revision"] == database["wants_revision"]
    assert (database["rows"]["tables"], database["rows"]["tokens"]) == (1, 1)
    assert json.loads(parts["photos.json"]) == {"files": 1, "bytes": 9}
    assert parts["log.jsonl"].splitlines()[0] == '{"message": "older"}'


def test_a_bundle_is_made_also_where_there_is_no_database(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "nothing")
    diagnostics.write_bundle(settings, tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as bundle:
        assert "no database" in json.loads(bundle.read("database.json"))["error"]
    assert not (tmp_path / "nothing").exists()

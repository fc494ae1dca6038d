"""Photos in, readings and line calls out: the real server, its workers, and the typed client."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from service.client import Client, Refused
from service.http.reading_shown import EXAMPLE_LINE_CALL, EXAMPLE_READING, LineCallShown, ReadingShown
from tests.service.documented import check_reading
from tests.service.photos_made import small_photo
from tests.service.running import Running, heard, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("readings"), uploads_per_minute=10_000) as started:
        yield started


@pytest.fixture(scope="module")
def client(service: Running) -> Iterator[Client]:
    with Client(service.address) as made:
        yield made


@pytest.fixture(scope="module")
def reading(client: Client) -> dict[str, Any]:
    return client.read_photo(small_photo(), name="../../a.jpg", table="1")


def post(service: Running, **form: Any) -> httpx.Response:
    return service.client.post("/api/v1/readings", timeout=120, **form)


def test_a_photo_becomes_a_documented_reading_that_is_kept(client: Client, reading: dict[str, Any]) -> None:
    sha256 = hashlib.sha256(small_photo()).hexdigest()
    assert (reading["photo_sha256"], reading["table"], reading["photo"]) == (sha256, "1", "a.jpg")
    extra = {"id", "photo_sha256", "table", "created_at"}
    check_reading(json.dumps({key: value for key, value in reading.items() if key not in extra}))
    for described in (reading, EXAMPLE_READING):
        ReadingShown.model_validate(described, strict=True)
    assert client.reading(reading["id"]) == reading
    assert client.photo(sha256) == small_photo()
    with Image.open(io.BytesIO(client.annotated(reading["id"]))) as drawing:
        assert drawing.format == "PNG"


def test_the_table_and_its_watchers_see_the_board(
    service: Running, client: Client, reading: dict[str, Any]
) -> None:
    assert client.table("1")["board"]["reading"] == reading["id"]
    with service.watching("1", "?since=0") as socket:
        told = heard(socket)
    assert (told["type"], told["reading"], told["discs"]) == ("reading", reading["id"], reading["discs"])
    assert next(client.live("1", since=0))["reading"] == reading["id"]


def test_names_and_twenties_are_counted(client: Client, reading: dict[str, Any]) -> None:
    first, second = (side["team"] for side in reading["sides"])
    named = client.read_photo(
        small_photo(), sides=f"{first}=Anna,{second}=Ben", twenties=[f"{first}=1", f"{second}=2"], rules="nca"
    )
    assert [(side["name"], side["twenties"]) for side in named["sides"]] == [("Anna", 1), ("Ben", 2)]
    assert not any("20s" in warning for warning in named["warnings"])


def test_a_request_sent_again_is_done_once(service: Running, client: Client) -> None:
    sent = {"name": "b.jpg", "table": "once", "key": "a-key-of-mine"}
    first = client.read_photo(small_photo(), **sent)
    assert client.read_photo(small_photo(), **sent) == first
    assert client.table("once")["seq"] == 1
    with pytest.raises(Refused) as refused:
        client.read_photo(small_photo(), **{**sent, "table": "other"})
    assert (refused.value.status, refused.value.code) == (422, "key_reused")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("sides", "Anna", "usage"),
        ("sides", "purple=Anna", "unknown_team"),
        ("twenties", "dark=many", "usage"),
        ("rules", "/etc/passwd", "bad_rules"),
        ("equipment", "/etc/passwd", "bad_equipment"),
        ("table", "no table!", "invalid"),
        ("tabel", "1", "invalid"),
        ("sides", "a\0b", "invalid"),
    ],
)
def test_words_that_cannot_be_are_refused(service: Running, field: str, value: str, code: str) -> None:
    answer = post(service, files={"photo": small_photo()}, data={field: value})
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (422, 422, code)
    assert "root:" not in answer.text and "--" not in problem["detail"]


def test_a_board_that_is_none_is_told_like_on_the_command_line(service: Running) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (400, 300), "white").save(stream, "PNG")
    problem = post(service, files={"photo": stream.getvalue()}).json()
    assert (problem["status"], problem["code"]) == (422, "no_board")


def test_what_is_not_there_is_404(client: Client) -> None:
    asks = [
        lambda: client.reading("r_nothing"),
        lambda: client.annotated("r_nothing"),
        lambda: client.photo("0" * 64),
        lambda: client.line_call("l_nothing"),
        lambda: client.report("l_nothing"),
    ]
    for ask in asks:
        with pytest.raises(Refused) as refused:
            ask()
        assert (refused.value.status, refused.value.code) == (404, "not_found")


def test_a_form_is_wanted_with_one_photo(service: Running) -> None:
    assert post(service, json={}).status_code == 415
    assert post(service, files={"other": b"x"}).json()["code"] == "invalid"
    two = [("photo", small_photo()), ("photo", small_photo())]
    assert post(service, files=two).json()["code"] == "bad_request"
    broken = post(service, content=b"no form", headers={"content-type": "multipart/form-data; boundary=x"})
    assert broken.status_code in (400, 422)


def test_a_line_call_rules_on_the_disc_at_a_point_and_has_its_report(
    client: Client, reading: dict[str, Any]
) -> None:
    disc = next(disc for disc in reading["discs"] if disc["line"] is not None)
    x_px, y_px = (1.5 * each for each in disc["pixel"])
    call = client.call_lines([small_photo(width_px=1200)], at_px=(x_px, y_px))
    assert len(call["calls"]) == 1 and call["calls"][0]["disc"] == disc["id"]
    for described in (call, EXAMPLE_LINE_CALL):
        LineCallShown.model_validate(described, strict=True)
    assert client.line_call(call["id"]) == call
    with Image.open(io.BytesIO(client.report(call["id"]))) as report:
        assert report.format == "PNG"
    with pytest.raises(Refused):
        client.report(call["id"], disc=999)
    with pytest.raises(Refused) as refused:
        client.call_lines([b"no picture"])
    assert refused.value.code == "not_a_picture"


def test_photos_are_removed_after_their_time_and_readings_stay(service: Running, client: Client) -> None:
    photo = small_photo(name="white-board")
    kept = client.read_photo(photo)
    client.annotated(kept["id"])
    assert service.service.photos.purge(days=1) == 0
    drawing = service.service.photos.files.drawing(kept["id"])
    os.utime(drawing, (0, 0))
    with service.service.store.write() as connection:
        connection.exec_driver_sql(
            "update photos set created_at = '2020-01-01T00:00:00.000000Z' where sha256 = ?",
            (kept["photo_sha256"],),
        )
        connection.exec_driver_sql(
            "update readings set created_at = '2020-01-01T00:00:00.000000Z' where id = ?", (kept["id"],)
        )
    assert service.service.photos.purge(days=1) == 1
    for ask in (lambda: client.photo(kept["photo_sha256"]), lambda: client.annotated(kept["id"])):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.code == "not_found"
    assert client.reading(kept["id"])["discs"] == kept["discs"]
    # sent again it is kept again
    client.read_photo(photo)
    assert client.photo(kept["photo_sha256"]) == photo


def test_a_camera_of_one_table_sends_photos_for_that_table_alone(tmp_path: Path) -> None:
    with running(tmp_path, token="an-operators-token-for-tests") as guarded:
        with Client(guarded.address) as nobody, pytest.raises(Refused) as refused:
            nobody.read_photo(small_photo())
        assert refused.value.status in (401, 403)
        operator = {"Authorization": "Bearer an-operators-token-for-tests"}
        guarded.client.put("/api/v1/tables/1", json={}, headers=operator)
        made = guarded.client.post(
            "/api/v1/tokens", json={"role": "camera", "table": "1", "name": "phone"}, headers=operator
        )
        token = made.json()["token"]
        with Client(guarded.address, token) as camera, pytest.raises(Refused) as refused:
            camera.read_photo(small_photo(), table="2")
        assert refused.value.status == 403

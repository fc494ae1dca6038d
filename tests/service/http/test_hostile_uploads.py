"""Uploads that mean harm: refused with a reason, and the next photo is read all the same."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Iterator

import httpx
import pytest

from service.client import Client
from service.http.problems import Problem
from service.http.uploads import Patience, in_time
from tests.service.photos.mutants import misleading, mutants
from tests.service.photos_made import small_photo
from tests.service.running import PATIENCE_S, Running, running
from vision.picture_errors import PictureFault

MUTANTS = 40
CODES = {*(str(fault) for fault in PictureFault), "no_board"}
TRICKS = misleading()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("hostile")
    with running(folder / "data", uploads_per_minute=100_000, upload_mb=2, queue=3) as started:
        yield started
        # whatever was sent, nothing was written anywhere else, and nothing is left that was not kept
        assert sorted(path.name for path in folder.iterdir()) == ["data"]
        assert list((folder / "data" / "incoming").iterdir()) == []


def sent(service: Running, content: bytes, name: str = "a.jpg") -> httpx.Response:
    return service.client.post("/api/v1/readings", files={"photo": (name, content)}, timeout=120)


def still_reads(service: Running) -> None:
    with Client(service.address) as client:
        assert client.read_photo(small_photo(width_px=480))["discs"]


@pytest.mark.parametrize("name", TRICKS)
def test_a_misleading_file_is_refused_or_read_as_the_picture_it_is(service: Running, name: str) -> None:
    answer = sent(service, TRICKS[name], name)
    assert answer.status_code in (201, 422)
    body = answer.json()
    if answer.status_code == 422:
        assert body["code"] in CODES
    else:
        kept = service.client.get(f"/api/v1/photos/{body['photo_sha256']}")
        # whatever else is in it, a browser is told to show a picture and to look no further
        assert kept.headers["content-type"] in ("image/jpeg", "image/png")
        assert kept.headers["x-content-type-options"] == "nosniff"


def test_mutated_photos_never_break_the_service(service: Running) -> None:
    answers = [sent(service, mutant) for mutant in mutants(MUTANTS)]
    assert {answer.status_code for answer in answers} <= {201, 422}
    codes = [answer.json()["code"] for answer in answers if answer.status_code == 422]
    assert "damaged" in codes
    assert not {"gave_up", "took_too_long", "internal"} & set(codes)
    still_reads(service)


@pytest.mark.parametrize(
    "name",
    [
        "../../../tmp/x",
        "/etc/passwd",
        "..\\..\\x",
        "a\0b.jpg",
        "con",
        "x" * 3000,
        "\u202egpj.exe",
        "{{7*7}}",
        "",
    ],
)
def test_a_name_is_only_text(service: Running, name: str) -> None:
    answer = sent(service, small_photo(width_px=480), name)
    # a form's part without a name is no file
    assert answer.status_code in ((201,) if name else (400, 422))
    if answer.status_code == 201:
        shown = answer.json()["photo"]
        assert shown.isprintable() and len(shown) <= 100 and "/" not in shown


def raw(service: Running, *parts: bytes) -> bytes:
    """The answer to bytes sent as they are."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE_S) as line:
        for part in parts:
            try:
                line.sendall(part)
            except OSError:
                break
        answer = b""
        try:
            while not answer.endswith(b"}"):
                more = line.recv(65536)
                if not more:
                    break
                answer += more
        except ConnectionResetError:
            pass
        return answer


HEAD = (
    b"POST /api/v1/readings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
)
PART = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'


def test_ten_gigabytes_claimed_are_refused_before_a_byte_of_them(service: Running) -> None:
    assert b"413" in raw(service, HEAD + b"Content-Length: 10000000000\r\n\r\n").splitlines()[0]


def test_a_body_without_a_length_is_counted(service: Running) -> None:
    chunk = b"10000\r\n" + bytes(65536) + b"\r\n"
    start = b"%x\r\n%b\r\n" % (len(PART), PART)
    answer = raw(service, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", start, *[chunk] * 60)
    # its sender may be cut off while still sending, and then hears nothing
    assert not answer or b"413" in answer.splitlines()[0]
    still_reads(service)


@pytest.mark.parametrize(
    "body",
    [
        PART,
        b"--x\r\nContent-Disposition: form-data\r\n\r\nno name\r\n--x--\r\n",
        b"--x\r\n" + b"A: b\r\n" * 5000 + b"\r\n--x--\r\n",
        b"--x\r\nContent-Disposition: form-data; name=" + b"n" * 100_000 + b"\r\n\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="sides"\r\n\r\n' + b"s" * 100_000 + b"\r\n--x--\r\n",
        (b'--x\r\nContent-Disposition: form-data; name="sides"\r\n\r\n\r\n' * 1000) + b"--x--\r\n",
        b"\xff" * 1000,
        b"",
    ],
    ids=["no end", "no name", "many heads", "long head", "long field", "many fields", "noise", "nothing"],
)
def test_a_form_that_is_none_is_refused(service: Running, body: bytes) -> None:
    answer = raw(service, HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert answer.split()[1] in (b"400", b"422"), answer[:300]
    assert b"application/problem+json" in answer


def test_one_who_sends_a_letter_at_a_time_or_stops_is_sent_away() -> None:
    async def drip(pause_s: float) -> AsyncGenerator[bytes, None]:
        while True:
            yield b"x"
            await asyncio.sleep(pause_s)

    async def taken(pause_s: float, patience: Patience) -> None:
        async for _ in in_time(drip(pause_s), 10**9, patience):
            pass

    for pause_s, patience in ((3600.0, Patience(idle_s=0.02)), (0.001, Patience(least_s=0.05))):
        with pytest.raises(Problem) as refused:
            asyncio.run(taken(pause_s, patience))
        assert (refused.value.status, refused.value.code) == (408, "too_slow")


def test_a_full_queue_says_when_to_come_back(service: Running) -> None:
    async def crowd() -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=service.address, timeout=120, trust_env=False) as client:
            photo = small_photo(width_px=480)
            posts = [client.post("/api/v1/readings", files={"photo": ("a.jpg", photo)}) for _ in range(30)]
            return await asyncio.gather(*posts)

    answers = asyncio.run(crowd())
    refused = [answer for answer in answers if answer.status_code == 503]
    assert refused and {answer.status_code for answer in answers} == {201, 503}
    assert all(
        answer.json()["code"] == "too_busy" and int(answer.headers["retry-after"]) >= 1 for answer in refused
    )
    still_reads(service)

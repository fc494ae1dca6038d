"""Who may do what, against a real server. docs/decisions/040-service.md: decided in one place, by role."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.http import connection as connection_module
from service.http.limits import Rate
from service.http.security import Acting, Gate, is_loopback_host
from service.http.server import _say_where
from service.matches.tables import ensure_table
from service.settings import Settings
from service.store.tables import tokens
from tests.service.running import PATIENCE_S, Running, running

TOKEN = "correct-horse-battery-staple"
OTHER = "https://elsewhere.example"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """What somebody starts at home: this machine alone, no token."""
    with running(tmp_path_factory.mktemp("local")) as found:
        named(found, "A", "B")
        yield found


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """What a club starts: every address, the operator's token set."""
    with running(tmp_path_factory.mktemp("hall"), host="0.0.0.0", token=TOKEN) as found:
        named(found, "A", "B")
        yield found


def named(running: Running, *names: str) -> None:
    with running.service.store.write() as connection:
        for name in names:
            ensure_table(connection, name)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def made(hall: Running, role: str, table: str | None = None) -> dict[str, Any]:
    answer = hall.client.post(
        "/api/v1/tokens", json={"role": role, "name": f"a {role}", "table": table}, headers=bearer(TOKEN)
    )
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def code(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def test_on_this_machine_alone_everybody_is_operator(local: Running) -> None:
    assert local.client.get("/api/v1/session").json() == {"role": "operator", "name": "local", "table": None}
    assert local.client.get("/api/v1/tokens").status_code == 200


def test_with_a_token_set_this_machine_reads_and_the_token_writes(tmp_path: Path) -> None:
    with running(tmp_path, token=TOKEN) as home:
        assert home.client.get("/api/v1/session").json()["role"] == "viewer"
        assert code(home.client.get("/api/v1/tokens")) == (403, "not_allowed")
        assert home.client.get("/api/v1/tokens", headers=bearer(TOKEN)).status_code == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_what_came_through_a_proxy_is_not_of_this_machine(local: Running, header: str) -> None:
    answer = local.client.get("/api/v1/tokens", headers={header: "203.0.113.9"})
    assert code(answer) == (401, "token_missing")


def test_any_other_address_demands_a_token_for_reading_too(hall: Running) -> None:
    for path in ("/api/v1/session", "/api/v1/tokens", "/metrics", "/api/v1/tables/A/live"):
        answer = hall.client.get(path)
        assert code(answer) == (401, "token_missing")
        assert answer.headers["www-authenticate"] == "Bearer"
    assert hall.client.get("/healthz").status_code == 200
    assert hall.client.get("/readyz").status_code == 200


def test_a_public_address_demands_a_token_on_the_loopback_too(tmp_path: Path) -> None:
    # A proxy on this machine need not say that it is one: nginx forwards with the loopback's own name.
    gate = Gate(Settings(data_dir=tmp_path, public_url="https://club.example"))
    assert not gate.is_local and gate.made_token is not None


def test_a_token_is_made_when_one_is_needed_and_none_is_set(tmp_path: Path) -> None:
    with running(tmp_path, host="0.0.0.0") as hall:
        token = hall.app.state.gate.made_token
        assert len(token) >= 43, "256 bits"
        assert hall.client.get("/api/v1/tokens", headers=bearer(token)).status_code == 200
        assert code(hall.client.get("/api/v1/tokens", headers=bearer(token + "x"))) == (401, "token_wrong")
    assert Gate(Settings(data_dir=tmp_path)).made_token is None


@pytest.mark.parametrize(
    "wrong",
    [
        "x",
        TOKEN[:-1],
        TOKEN.upper(),
        "t_" + "a" * 12 + "." + "b" * 43,
        "\N{SNOWMAN}".encode().decode("latin-1"),
    ],
)
def test_a_wrong_token_opens_nothing(hall: Running, wrong: str) -> None:
    answer = hall.client.get(
        "/api/v1/session", headers={"Authorization": f"Bearer {wrong}".encode("latin-1")}
    )
    assert code(answer) == (401, "token_wrong")


# What each role may do: its own table, another table, everything there is to read, everything there is.
@pytest.mark.parametrize(
    ("role", "table", "own", "other", "reads", "operates"),
    [
        ("operator", None, 200, 200, 200, 200),
        ("viewer", None, 200, 200, 200, 403),
        ("camera", "A", 200, 403, 403, 403),
        ("overlay", "A", 200, 403, 403, 403),
    ],
)
def test_each_role_gets_what_is_its_own(
    hall: Running, role: str, table: str | None, own: int, other: int, reads: int, operates: int
) -> None:
    headers = bearer(made(hall, role, table)["token"])
    assert _live_status(hall, "A", headers) == own
    assert _live_status(hall, "B", headers) == other
    assert hall.client.get("/metrics", headers=headers).status_code == reads
    assert hall.client.get("/api/v1/tokens", headers=headers).status_code == operates


def _live_status(hall: Running, table: str, headers: dict[str, str]) -> int:
    with hall.client.stream("GET", f"/api/v1/tables/{table}/live", headers=headers) as answer:
        return answer.status_code


def test_a_camera_is_of_its_own_table_also_where_the_body_names_it() -> None:
    from service.http.problems import Problem

    camera = Acting("camera", "left", "A")
    camera.check_table("A")
    for table in ("B", None):
        with pytest.raises(Problem):
            camera.check_table(table)
    Acting("operator", "anybody").check_table(None)


def test_a_revoked_token_is_refused_from_then_on(hall: Running) -> None:
    token = made(hall, "viewer")
    headers = bearer(token["token"])
    assert hall.client.get("/metrics", headers=headers).status_code == 200
    for _again in range(2):
        gone = hall.client.delete(f"/api/v1/tokens/{token['id']}", headers=bearer(TOKEN))
        assert gone.status_code == 204
    assert code(hall.client.get("/metrics", headers=headers)) == (401, "token_wrong")
    listed = hall.client.get("/api/v1/tokens", headers=bearer(TOKEN)).json()["tokens"]
    assert next(each for each in listed if each["id"] == token["id"])["revoked_at"] is not None
    assert code(hall.client.delete("/api/v1/tokens/t_unknown", headers=bearer(TOKEN))) == (404, "no_token")


def test_of_a_token_only_a_hash_is_kept_and_its_text_is_told_once(hall: Running) -> None:
    token = made(hall, "viewer")
    secret = token["token"].partition(".")[2]
    with hall.service.store.read() as connection:
        kept = json.dumps([list(row) for row in connection.execute(tokens.select())])
    assert token["id"] in kept and secret not in kept
    assert secret not in hall.client.get("/api/v1/tokens", headers=bearer(TOKEN)).text


@pytest.mark.parametrize(
    "body",
    [
        {"role": "overlay", "name": "no table"},
        {"role": "operator", "name": "a table", "table": "A"},
        {"role": "king", "name": "no such role"},
        {"role": "viewer", "name": ""},
        {"role": "viewer", "name": "line\nbreak"},
        {"role": "viewer", "name": "more", "hash": "0" * 64},
    ],
)
def test_a_token_that_makes_no_sense_is_not_made(hall: Running, body: dict[str, str]) -> None:
    assert code(hall.client.post("/api/v1/tokens", json=body, headers=bearer(TOKEN))) == (422, "invalid")


def test_a_token_of_a_table_that_does_not_exist_is_not_made(hall: Running) -> None:
    body = {"role": "overlay", "name": "x", "table": "nowhere"}
    assert code(hall.client.post("/api/v1/tokens", json=body, headers=bearer(TOKEN))) == (404, "no_table")


def test_in_an_address_a_token_may_only_read(hall: Running) -> None:
    overlay, operator = made(hall, "overlay", "A")["token"], made(hall, "operator")["token"]
    assert (
        hall.client.get("/api/v1/session", params={"token": made(hall, "viewer")["token"]}).status_code == 200
    )
    assert hall.client.get("/api/v1/tables/A", params={"token": overlay}).status_code == 200
    assert code(hall.client.get("/api/v1/session", params={"token": operator})) == (403, "not_allowed")
    answer = hall.client.post("/api/v1/tokens?token=" + TOKEN, json={"role": "viewer", "name": "x"})
    assert code(answer) == (401, "token_missing")


def test_a_browser_exchanges_the_token_for_a_cookie_that_pages_cannot_read(hall: Running) -> None:
    with httpx.Client(base_url=hall.address, trust_env=False) as browser:
        assert code(browser.post("/api/v1/session", json={"token": "wrong"})) == (401, "token_wrong")
        answer = browser.post("/api/v1/session", json={"token": TOKEN})
        cookie = answer.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
        assert browser.get("/api/v1/session").json()["role"] == "operator"
        own = {"Origin": hall.address}
        assert browser.post("/api/v1/tokens", json={"role": "viewer", "name": "x"}, headers=own).is_success
        assert browser.delete("/api/v1/session", headers=own).status_code == 204
        assert code(browser.get("/api/v1/session")) == (401, "token_missing")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": OTHER},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1"},
    ],
)
def test_a_page_of_another_site_changes_nothing(
    local: Running, hall: Running, headers: dict[str, str]
) -> None:
    # OWASP's sheet on cross-site request forgery: by the Origin and by fetch metadata, beside the cookie's
    # SameSite.
    body = {"role": "viewer", "name": "x"}
    assert code(local.client.post("/api/v1/tokens", json=body, headers=headers)) == (403, "cross_site")
    cookie = {"Cookie": f"{hall.app.state.gate.cookie}={TOKEN}"}
    assert code(hall.client.post("/api/v1/tokens", json=body, headers=headers | cookie)) == (
        403,
        "cross_site",
    )
    # A token in a header is no cookie: a browser does not add it by itself.
    sent = hall.client.post("/api/v1/tokens", json=body, headers=headers | bearer(TOKEN))
    assert sent.status_code == 201


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8020", "127.0.0.1.evil.example", "", "[::1"])
def test_a_name_that_was_made_to_lead_here_gets_nothing(local: Running, host: str) -> None:
    assert code(local.client.get("/api/v1/session", headers={"Host": host})) == (421, "wrong_host")


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "127.0.0.1:8020", "127.8.8.8", "[::1]:8020", "LOCALHOST"]
)
def test_every_name_of_this_machine_is_answered(local: Running, host: str) -> None:
    assert local.client.get("/healthz", headers={"Host": host}).status_code == 200


def test_what_means_this_machine() -> None:
    assert all(map(is_loopback_host, (None, "localhost", "127.0.0.1", "127.1.2.3", "::1")))
    assert not any(
        map(is_loopback_host, ("", "0.0.0.0", "10.0.0.1", "localhost.example", "127.0.0.1.nip.io"))
    )


def test_every_answer_is_strict_to_browsers(local: Running) -> None:
    for path, status in (("/healthz", 200), ("/nowhere", 404), ("/api/v1/tokens", 200)):
        answer = local.client.get(path)
        assert answer.status_code == status
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert "server" not in answer.headers
    assert local.client.get("/api/v1/tokens").headers["cache-control"] == "no-store"
    preflight = local.client.options(
        "/api/v1/tokens", headers={"Origin": OTHER, "Access-Control-Request-Method": "POST"}
    )
    assert not [name for name in preflight.headers if name.startswith("access-control-")]


def test_only_the_overlay_may_stand_in_another_page(local: Running) -> None:
    answer = local.client.get("/overlay/A")
    assert "frame-ancestors *" in answer.headers["content-security-policy"]
    assert "x-frame-options" not in answer.headers


def test_a_caller_who_asks_too_often_waits(tmp_path: Path) -> None:
    with running(tmp_path, changes_per_minute=2, uploads_per_minute=1) as home:
        body = {"role": "viewer", "name": "x"}
        got = [home.client.post("/api/v1/tokens", json=body) for _ in range(3)]
        assert [answer.status_code for answer in got] == [201, 201, 429]
        assert code(got[2]) == (429, "too_many_requests")
        assert 1 <= int(got[2].headers["retry-after"]) <= 30
        # Photos are counted apart, and asking is never counted.
        assert home.client.post("/api/v1/readings").status_code != 429
        assert home.client.post("/api/v1/readings").status_code == 429
        assert home.client.get("/api/v1/tokens").status_code == 200


def test_a_bucket_fills_at_its_rate_and_no_higher_than_its_brim() -> None:
    now_s = [0.0]
    rate = Rate(60, clock=lambda: now_s[0])
    assert [rate.wait_s("a") for _ in range(60)] == [0.0] * 60
    assert rate.wait_s("a") == pytest.approx(1.0)
    assert rate.wait_s("b") == 0.0, "another caller has a bucket of its own"
    now_s[0] = 2.5
    assert [rate.wait_s("a") for _ in range(3)] == [0.0, 0.0, pytest.approx(0.5)]
    now_s[0] = 10_000.0
    assert [rate.wait_s("a") for _ in range(61)] == [0.0] * 60 + [pytest.approx(1.0)]


def test_callers_without_number_do_not_take_the_memory() -> None:
    rate = Rate(1)
    for caller in range(20_000):
        rate.wait_s(str(caller))
    assert len(rate._buckets) == 10_000


def answered_until_cut_off(raw: socket.socket, sent: bytes) -> bytes:
    """What comes back until the other side closes; it may do so while we still send."""
    got = b""
    with contextlib.suppress(ConnectionError):
        raw.sendall(sent)
        while more := raw.recv(10_000):
            got += more
    return got


def test_a_head_that_does_not_come_to_an_end_is_cut_off(
    local: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    endless = begun + b"".join(b"X-Long: " + b"a" * 8000 + b"\r\n" for _ in range(100))
    with socket.create_connection(("127.0.0.1", local.port), timeout=PATIENCE_S) as raw:
        assert b"200 OK" not in answered_until_cut_off(raw, endless)
    monkeypatch.setattr(connection_module, "HEAD_S", 0.3)
    # Nothing at all, half a head, and half a head after a request that was answered.
    for sent, answers in ((b"", 0), (begun, 0), (begun + b"\r\n" + begun, 1)):
        with socket.create_connection(("127.0.0.1", local.port), timeout=PATIENCE_S) as raw:
            assert answered_until_cut_off(raw, sent).count(b"200 OK") == answers


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ({"host": "0.0.0.0"}, f"http://{socket.gethostname()}:8020"),
        ({"host": "10.0.0.7"}, "http://10.0.0.7:8020"),
        ({"host": "fd00::7"}, "http://[fd00::7]:8020"),
        ({"public_url": "https://club.example/"}, "https://club.example"),
    ],
)
def test_the_token_that_was_made_is_printed_with_an_address_to_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: dict[str, Any], address: str
) -> None:
    settings = Settings(data_dir=tmp_path, **given)
    gate = Gate(settings)
    _say_where(gate, settings)
    printed = capsys.readouterr()
    assert printed.err.count(str(gate.made_token)) == 2 and printed.out == ""
    assert f"{address}/login#token=" in printed.err


def test_no_token_is_printed_where_none_is_needed_or_one_is_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for settings in (Settings(data_dir=tmp_path), Settings(data_dir=tmp_path, host="0.0.0.0", token=TOKEN)):
        _say_where(Gate(settings), settings)
        printed = capsys.readouterr()
        assert printed.out == "" and TOKEN not in printed.err and "token" not in printed.err
        assert printed.err.startswith("Open http://") and ":8020/ " in printed.err

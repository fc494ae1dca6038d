"""Matches over HTTP: once, with versions, with problems; every documented status is reached."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.http import examples
from service.http.bodies import MOST_BYTES
from service.http.problem_docs import MEDIA_TYPE
from service.store import StoreBusy
from tests.service.matches.played import add_reading, reading_body, seen
from tests.service.running import Running, running

API = "/api/v1"
NEW = examples.NEW_MATCH["singles"]["value"]
TOTALS = {"totals": {"Anna": 45, "Ben": 20}}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("served"), changes_per_minute=1_000_000) as service:
        add_reading(
            service.service.store,
            "r_close",
            reading_body(seen(1, "dark", 15), seen(2, "light", 15, verdict="too_close", touch=0.4)),
        )
        yield service


@pytest.fixture
def client(served: Running) -> httpx.Client:
    return served.client


def _begin(client: httpx.Client, **given: Any) -> str:
    answer = client.post(f"{API}/matches", json=NEW | given)
    assert answer.status_code == 201
    return f"{API}/matches/{answer.json()['id']}"


def _refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """An RFC 9457 problem document, with nothing missing."""
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, answer.headers["content-type"]) == (status, MEDIA_TYPE)
    assert (problem["status"], problem["code"], problem["type"]) == (status, code, f"/problems/{code}")
    assert problem["title"] and problem["detail"]
    return problem


def test_a_match_is_begun_played_corrected_and_read(client: httpx.Client) -> None:
    match = _begin(client)
    first = client.post(f"{match}/rounds", json={"reading": "r_close"})
    assert (first.status_code, first.headers["etag"], first.headers["location"]) == (201, '"v2"', match)
    (found,) = client.get(f"{match}/rounds/0/suggestions").json()["suggestions"]
    shown = client.post(
        f"{match}/rounds/0/correction/preview", json={"decisions": found["correction"]["decisions"]}
    )
    corrected = client.post(f"{match}/rounds/0/correction", json=found["correction"])
    assert shown.json()["totals"] == [15, 10]
    assert corrected.json()["state"]["games"][0]["rounds"][0]["totals"] == [15, 10]
    assert client.post(f"{match}/undo").json()["state"]["games"][0]["rounds"][0]["totals"] == [15, 15]
    read = client.get(match)
    assert (read.json()["version"], read.headers["etag"]) == (4, '"v4"')
    happened = client.get(f"{match}/events").json()["events"]
    assert [each["event"]["type"] for each in happened] == ["round_scored", "correction", "undo"]
    table = client.get(f"{API}/tables/1").json()
    assert (table["match"], table["board"]["reading"]) == (read.json(), "r_close")


@pytest.mark.parametrize(
    ("call", "body"),
    [
        ("penalty", {"side": "Ben", "points": 1, "reason": "late"}),
        ("shots", {"player": "Anna", "verdict": "valid", "twenties": {"Anna": 1}}),
        ("horn", None),
        ("forfeit", {"side": "Ben", "scope": "round", "reason": "late"}),
        ("finish", {"reason": "the hall closes"}),
        ("rounds", TOTALS),
        ("rounds", examples.ROUNDS["the_outcome_only"]["value"]),
    ],
)
def test_every_change_is_done_once_and_checks_the_version(client: httpx.Client, call: str, body: Any) -> None:
    match = _begin(client)
    asked = {"Idempotency-Key": f"{match}-{call}", "If-Match": '"v1"'}
    first = client.post(f"{match}/{call}", json=body, headers=asked)
    assert first.is_success and first.headers["etag"] == '"v2"'
    again = client.post(f"{match}/{call}", json=body, headers=asked)
    assert (again.status_code, again.json(), again.headers["etag"]) == (
        first.status_code,
        first.json(),
        first.headers["etag"],
    )
    assert client.get(match).json()["version"] == 2
    late = client.post(f"{match}/{call}", json=body, headers={"If-Match": "v1"})
    problem = _refused(late, 409, "changed")
    assert problem["current"] == first.json()
    assert len(problem["changed"]) == (0 if call == "finish" else 1)
    _refused(client.post(f"{match}/undo", headers=asked), 422, "key_reused")
    assert client.post(f"{match}/undo", headers={"If-Match": "*"}).is_success


def test_a_match_begun_twice_under_one_key_is_one(client: httpx.Client) -> None:
    sent = [client.post(f"{API}/matches", json=NEW, headers={"Idempotency-Key": "begin"}) for _ in range(2)]
    assert sent[0].json() == sent[1].json()
    assert sent[0].headers["location"] == sent[1].headers["location"]


def test_a_shoot_out_is_scored(client: httpx.Client) -> None:
    match = _begin(client, rules={"preset": "nca", "options": ["shoot_out"]})
    answer = client.post(f"{match}/shoot-out", json={"twenties": {"Anna": 5, "Ben": 4}})
    assert answer.json()["state"]["winner"] == "Anna"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/matches/m_nothing", None, 404, "not_found"),
        ("GET", "/matches?after=m_nothing", None, 404, "not_found"),
        ("GET", "/matches/m_nothing/events", None, 404, "not_found"),
        ("GET", "/matches/m_nothing/export", None, 404, "not_found"),
        ("GET", "/matches/m_nothing/rounds/0/suggestions", None, 404, "not_found"),
        ("POST", "/matches/m_nothing/rounds", TOTALS, 404, "not_found"),
        ("POST", "/matches/m_nothing/rounds/preview", TOTALS, 404, "not_found"),
        ("POST", "/matches/m_nothing/undo", None, 404, "not_found"),
        ("GET", "/tables/nowhere", None, 404, "not_found"),
        ("GET", "/nothing", None, 404, "not_found"),
        ("GET", "/matches/a%00b", None, 422, "invalid"),
        ("GET", "/matches?limit=1000", None, 422, "invalid"),
        ("GET", "/matches?limit=99999999999999999999999", None, 422, "invalid"),
        ("DELETE", "/matches", None, 405, "wrong_method"),
        ("GET", "/matches/import", None, 405, "wrong_method"),
        ("POST", "/matches", {}, 422, "invalid"),
        ("POST", "/matches", NEW | {"colour": 1}, 422, "invalid"),
        ("POST", "/matches", NEW | {"rules": "house"}, 422, "impossible"),
        ("POST", "/matches", NEW | {"sides": [{"name": "Anna"}] * 2}, 422, "impossible"),
        ("POST", "/matches", NEW | {"sides": [{"name": "=1+1"}, {"name": "B"}]}, 422, "invalid"),
        ("POST", "/matches", NEW | {"sides": [{"name": "a\0"}, {"name": "B"}]}, 422, "invalid"),
        ("POST", "/matches", NEW | {"sides": [{"name": "Anna", "colour": "red"}] * 2}, 422, "impossible"),
        ("POST", "/matches", NEW | {"first": 10**30}, 422, "invalid"),
        ("POST", "/matches", NEW | {"first": "Carl"}, 422, "impossible"),
        ("POST", "/matches/import", {}, 422, "invalid"),
        ("PUT", "/tables/a%20b", {}, 422, "invalid"),
        ("PUT", "/tables/1", {"camera": {"source": ""}}, 422, "invalid"),
    ],
)
def test_refusals_are_problem_documents(
    client: httpx.Client, method: str, path: str, body: Any, status: int, code: str
) -> None:
    _refused(client.request(method, f"{API}{path}", json=body), status, code)


def test_an_address_says_which_methods_it_knows(client: httpx.Client) -> None:
    # RFC 9110 15.5.6: a 405 lists every method of the resource.
    assert client.delete(f"{API}/matches").headers["allow"] == "GET, POST"
    assert client.delete(f"{API}/matches/import").headers["allow"] == "POST"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"table": ' + b"9" * 5000 + b"}",
        b'{"totals": {"Anna": 1e999, "Ben": 0}}',
        b'{"totals": {"\\ud800": 5, "Ben": 0}}',
        b'{"totals": {"Anna": NaN, "Ben": 0}}',
        b"\xff\xfe",
        b"null",
    ],
)
def test_no_body_is_too_strange(client: httpx.Client, text: bytes) -> None:
    match = _begin(client)
    answer = client.post(f"{match}/rounds", content=text, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    _refused(answer, answer.status_code, "bad_request" if answer.status_code == 400 else "invalid")


def test_a_body_that_is_too_large_is_refused_with_or_without_its_length(client: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(MOST_BYTES // 100_000 + 2):
            yield b" " * 100_000

    with httpx.Client(base_url=client.base_url, trust_env=False) as other:
        _refused(other.post(f"{API}/matches", content=pieces()), 413, "too_large")
    with httpx.Client(base_url=client.base_url, trust_env=False) as other:
        _refused(other.post(f"{API}/matches", content=b" " * (MOST_BYTES + 1)), 413, "too_large")


def test_what_the_rules_refuse_comes_with_their_reason(client: httpx.Client) -> None:
    match = _begin(client)
    problem = _refused(
        client.post(f"{match}/rounds", json={"totals": {"Anna": 400, "Ben": 0}}), 422, "impossible"
    )
    assert "Anna cannot have 400" in problem["detail"]
    _refused(client.post(f"{match}/undo"), 409, "not_now")
    _refused(client.post(f"{match}/shoot-out", json={"twenties": {"Anna": 1}}), 422, "impossible")


def test_a_round_says_what_it_wants_when_it_gets_nothing(client: httpx.Client) -> None:
    match = _begin(client)
    problem = _refused(client.post(f"{match}/rounds", json={"twenties": {}}), 422, "invalid")
    assert "a reading, totals, places" in problem["detail"]


def test_a_busy_database_says_when_to_come_back(
    served: Running, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy() -> None:
        raise StoreBusy

    monkeypatch.setattr(type(served.service.store), "read", lambda _store: busy())
    answer = client.get(f"{API}/tables")
    _refused(answer, 503, "busy")
    assert int(answer.headers["retry-after"]) > 0


def test_a_bug_shows_nothing_of_the_inside(
    served: Running, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: Any, **_named: Any) -> None:
        raise RuntimeError("the secret name of a file")

    monkeypatch.setattr(type(served.service.matches), "listed", broken)
    # The server closes the connection after a bug, so this client is not used again.
    with httpx.Client(base_url=client.base_url, trust_env=False) as other:
        answer = other.get(f"{API}/matches")
    problem = _refused(answer, 500, "internal")
    assert "secret" not in answer.text and problem["request_id"]


def test_matches_come_in_pages(client: httpx.Client) -> None:
    ids = [_begin(client, table="pages").rpartition("/")[2] for _ in range(3)]
    first = client.get(f"{API}/matches", params={"table": "pages", "limit": 2}).json()
    rest = client.get(f"{API}/matches", params={"table": "pages", "limit": 2, "after": first["next"]}).json()
    assert [match["id"] for match in first["matches"] + rest["matches"]] == ids[::-1]
    assert rest["next"] is None


def test_a_match_is_exported_in_four_forms_and_taken_in_again(client: httpx.Client) -> None:
    match = _begin(client, table="files")
    client.post(f"{match}/rounds", json=TOTALS)
    own = client.get(f"{match}/export")
    assert own.headers["content-disposition"].endswith('.json"')
    assert client.post(f"{API}/matches/import", json=own.json()).json() == client.get(match).json()
    changed = own.json()
    changed["match"]["event_name"] = "another"
    _refused(client.post(f"{API}/matches/import", json=changed), 409, "exists")
    sheet, rounds, cmn = (
        client.get(f"{match}/export", params={"format": form}) for form in ("sheet", "csv", "cmn")
    )
    assert sheet.headers["content-type"] == rounds.headers["content-type"] == "text/csv; charset=utf-8"
    assert len(list(csv.reader(io.StringIO(sheet.text)))) == 5
    assert cmn.json()["games"][0]["scores"] == [45, 20]
    _refused(client.get(f"{match}/export", params={"format": "cmn", "game": 2}), 404, "not_found")
    three = [{"name": name} for name in ("Anna", "Ben", "Cleo")]
    other = _begin(client, sides=three, rules="depot")
    _refused(client.get(f"{other}/export", params={"format": "cmn"}), 409, "not_now")


def test_tables_are_set_up_and_listed(client: httpx.Client) -> None:
    source = {"source": "http://127.0.0.1:1/nothing"}
    put = client.put(f"{API}/tables/final", json={"event_name": "Open", "camera": source})
    assert (put.json()["event_name"], put.json()["camera"]) == ("Open", source)
    assert client.put(f"{API}/tables/final", json={"event_name": "Closed"}).json()["camera"] == source
    assert client.put(f"{API}/tables/final", json={"camera": None}).json()["camera"] is None
    row = next(row for row in client.get(f"{API}/tables").json()["tables"] if row["table"] == "final")
    assert (row["event_name"], row["match"]) == ("Closed", None)


def test_rules_and_equipment_are_listed_with_their_sources(client: httpx.Client) -> None:
    presets = client.get(f"{API}/rules").json()["presets"]
    assert presets[0]["name"] == "nca" and presets[0]["default"]
    assert all(preset["sources"].keys() >= {"award", "format"} for preset in presets)
    depot = next(preset for preset in presets if preset["name"] == "depot")
    assert "line_counts_5" in [option["name"] for option in depot["options"]]
    equipment = client.get(f"{API}/equipment").json()["equipment"]
    assert equipment[0]["ring_radii_mm"] == [101.6, 203.2, 304.8]


def test_the_description_can_be_read_without_the_internet(client: httpx.Client) -> None:
    page = client.get("/docs")
    assert "/api/v1/matches/{match_id}/rounds" in page.text
    assert "http://" not in page.text.replace("http://192.168", "") and "<script" not in page.text


def test_every_call_has_worked_examples(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    for path, calls in described["paths"].items():
        for method, call in calls.items():
            if "tags" in call and set(call["tags"]) & {"matches", "tables", "rules"}:
                told = call["responses"].get("200") or call["responses"]["201"]
                content = told["content"].values()
                assert all("example" in each for each in content), f"{method} {path}"
                sent = call.get("requestBody", {}).get("content", {}).values()
                assert all("examples" in each for each in sent), f"{method} {path}"


def test_a_token_of_one_table_reads_that_table_alone(tmp_path: Path) -> None:
    operator = {"Authorization": "Bearer an-operator-token-of-mine"}
    with running(tmp_path, token="an-operator-token-of-mine") as hall:
        for table in ("1", "2"):
            begun = hall.client.post(f"{API}/matches", json=NEW | {"table": table}, headers=operator)
        made = hall.client.post(
            f"{API}/tokens", json={"role": "overlay", "name": "stream", "table": "1"}, headers=operator
        )
        overlay = {"Authorization": f"Bearer {made.json()['token']}"}
        own = hall.client.get(f"{API}/tables/1", headers=overlay)
        assert own.json()["match"]["table"] == "1"
        match = f"/matches/{begun.json()['id']}"
        for path in ("/tables/2", "/tables", "/matches", match, f"{match}/events", f"{match}/export"):
            _refused(hall.client.get(f"{API}{path}", headers=overlay), 403, "not_allowed")
        _refused(hall.client.post(f"{API}{match}/undo", headers=overlay), 403, "not_allowed")

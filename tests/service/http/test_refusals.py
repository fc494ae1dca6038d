"""Every refusal that the interface's description names is reached, for each call, by its status and code."""

from __future__ import annotations

import errno
import http.client
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from service.camera.desk import CameraRefused, PhotoRefused
from service.http import uploads
from service.http.app import create_app
from service.http.examples import MATCH_FILE
from service.http.problem_docs import MEDIA_TYPE
from service.live.hub import TooManyWatchers
from service.photos.desk import Busy
from service.photos.jobs import Done, Failed
from service.settings import Settings
from service.store import StoreBusy
from service.store.once import Answer, Once, once
from tests.service.running import PATIENCE_S, Running, running

TOKEN = "an-operators-token-for-tests"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
UPLOADS = {"/api/v1/readings": "photo", "/api/v1/linecalls": "photos"}
DESCRIBED: dict[str, Any] = create_app(Settings()).openapi()

#: What an address names; what is not told otherwise is of the right form and not there.
IDS = {
    "match_id": "m_none",
    "event": "0",
    "table": "1",
    "token_id": "t_none",
    "reading_id": "r_none",
    "call_id": "l_none",
    "sha256": "0" * 64,
}

#: Bodies of the right form that cannot be, by the end of the call's path.
IMPOSSIBLE: dict[str, Any] = {
    "/matches": {"table": "1", "sides": [{"name": "Anna"}, {"name": "Ben"}], "rules": "house"},
    "/import": MATCH_FILE | {"match": MATCH_FILE["match"] | {"id": "m_other"}, "log": []},
    "/rounds": {"totals": {"Anna": 400, "Ben": 0}},
    "/rounds/preview": {"totals": {"Anna": 400, "Ben": 0}},
    "/correction": {"totals": {"Anna": 400, "Ben": 0}, "reason": "miscounted"},
    "/correction/preview": {"totals": {"Anna": 400, "Ben": 0}},
    "/penalty": {"side": "Carl", "points": 1, "reason": "late"},
    "/forfeit": {"side": "Carl", "scope": "game", "reason": "late"},
    "/horn": None,
    "/shots": {"player": "Carl", "verdict": "valid", "twenties": {}},
    "/shoot-out": {"twenties": {"Anna": 1, "Ben": 0}},
}


@dataclass(frozen=True)
class Hall:
    """A service that wants tokens, with matches that go on, are over, have no rounds, or three sides."""

    running: Running
    open: str
    over: str
    fresh: str
    three: str
    stranger: str

    def send(self, call: Call, **more: Any) -> httpx.Response:
        """A call as an operator, with the first example of its body unless told otherwise."""
        ids = IDS | {"match_id": self.open} | more.pop("ids", {})
        headers = OPERATOR | more.pop("headers", {})
        if not more.keys() & {"json", "content", "files"}:
            more |= call.body
        return self.running.client.request(call.method, call.at(ids), headers=headers, **more)


@dataclass(frozen=True)
class Call:
    """A call of the interface."""

    method: str
    path: str

    @property
    def described(self) -> dict[str, Any]:
        found: dict[str, Any] = DESCRIBED["paths"][self.path][self.method.lower()]
        return found

    def at(self, ids: dict[str, str]) -> str:
        """Its address."""
        return self.path.format_map(ids)

    @property
    def body(self) -> dict[str, Any]:
        if self.path in UPLOADS:
            return {"files": {UPLOADS[self.path]: b"no picture"}}
        content = self.described.get("requestBody", {}).get("content", {}).get("application/json", {})
        if "examples" in content:
            return {"json": next(iter(content["examples"].values()))["value"]}
        if not content:
            return {}
        schema = DESCRIBED["components"]["schemas"][content["schema"]["$ref"].rsplit("/", 1)[1]]
        return {"json": schema["examples"][0]}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with running(tmp_path_factory.mktemp("refusals"), token=TOKEN, uploads_per_minute=100_000) as service:

        def made(path: str, **body: Any) -> Any:
            answer = service.client.post(f"/api/v1{path}", json=body, headers=OPERATOR)
            assert answer.is_success, answer.text
            return answer.json()

        def match(*names: str) -> str:
            sides = [{"name": name} for name in names]
            id: str = made("/matches", table="1", rules="depot", sides=sides)["id"]
            return id

        three, over, fresh, open = match("Anna", "Ben", "Cleo"), *(match("Anna", "Ben") for _ in range(3))
        for id in (open, over):
            made(f"/matches/{id}/rounds", totals={"Anna": 45, "Ben": 20})
        made(f"/matches/{over}/finish", reason="late")
        made("/matches/import", **MATCH_FILE)
        service.client.put("/api/v1/tables/2", json={}, headers=OPERATOR)
        stranger = made("/tokens", role="overlay", name="stream", table="2")["token"]
        yield Hall(service, open, over, fresh, three, stranger)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that takes one request a minute."""
    folder = tmp_path_factory.mktemp("strict")
    with running(folder, uploads_per_minute=1, changes_per_minute=1) as service:
        yield service


Reach = Callable[[Hall, Call, pytest.MonkeyPatch], httpx.Response]
REACH: dict[tuple[int, str], Reach] = {}


def reaches(status: int, *codes: str) -> Callable[[Reach], Reach]:
    def kept(reach: Reach) -> Reach:
        REACH.update({(status, code): reach for code in codes})
        return reach

    return kept


@reaches(401, "token_missing")
def _nobody(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    # Through another machine: this one's own people may read without a token.
    return hall.send(call, headers={"Authorization": "", "X-Forwarded-For": "192.0.2.7"})


@reaches(401, "token_wrong")
def _unknown(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    body = {"json": {"token": "a-wrong-one"}} if call.path.endswith("/session") else {}
    return hall.send(call, headers={"Authorization": "Bearer a-wrong-one"}, **body)


@reaches(403, "not_allowed")
def _stranger(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    return hall.send(call, headers={"Authorization": f"Bearer {hall.stranger}"})


@reaches(403, "cross_site")
def _other_site(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    return hall.send(call, headers={"Authorization": "", "Sec-Fetch-Site": "cross-site"})


@reaches(421, "wrong_host")
def _other_name(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    return hall.send(call, headers={"Host": "evil.example"})


@reaches(503, "busy")
def _busy(hall: Hall, call: Call, patch: pytest.MonkeyPatch) -> httpx.Response:
    @contextmanager
    def busy() -> Iterator[None]:
        raise StoreBusy
        yield

    patch.setattr(hall.running.service.store, "read", busy)
    return hall.send(call, headers={"Authorization": f"Bearer {hall.stranger}"})


@reaches(413, "too_large")
def _too_large(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    kind = "multipart/form-data; boundary=x" if call.path in UPLOADS else "application/json"
    return _raw(hall, call, {"Content-Length": "99999999999", "Content-Type": kind})


@reaches(408, "too_slow")
def _too_slow(hall: Hall, call: Call, patch: pytest.MonkeyPatch) -> httpx.Response:
    patch.setattr(uploads, "Patience", lambda patience=uploads.Patience: patience(idle_s=0.05))
    return _raw(hall, call, {"Content-Length": "999", "Content-Type": "multipart/form-data; boundary=x"})


def _raw(hall: Hall, call: Call, headers: dict[str, str]) -> httpx.Response:
    """A request of which only the head is sent."""
    line = http.client.HTTPConnection("127.0.0.1", hall.running.port, timeout=PATIENCE_S)
    line.putrequest(call.method, call.at(IDS | {"match_id": hall.open}))
    for name, value in (OPERATOR | headers).items():
        line.putheader(name, value)
    line.endheaders()
    answer = line.getresponse()
    found = httpx.Response(answer.status, headers=answer.getheaders(), content=answer.read())
    line.close()
    return found


@reaches(400, "bad_request")
def _unreadable(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    kind = "multipart/form-data; boundary=x" if call.path in UPLOADS else "application/json"
    return hall.send(call, content=b"\xff" * 1000, headers={"Content-Type": kind})


@reaches(415, "wrong_media_type")
def _no_form(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    return hall.send(call, json={})


@reaches(422, "invalid")
def _wrong_form(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    if call.path in UPLOADS:
        return hall.send(call, files={"other": b"x"})
    if "requestBody" in call.described:
        return hall.send(call, json={"no such field": 1})
    if "{" in call.path:
        bad = "no name!"
        names = ("match_id", "reading_id", "call_id", "sha256", "table", "token_id")
        return hall.send(call, ids=dict.fromkeys(names, bad))
    return hall.send(call, params={"limit": 0})


@reaches(422, "key_reused")
def _key_reused(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    asked = Once("operator:operator", f"{call.method}-{call.path}", "another", "another")
    with hall.running.service.store.write() as connection:
        once(connection, asked, lambda: Answer({}))
    return hall.send(call, headers={"Idempotency-Key": asked.key})


@reaches(422, "impossible")
def _impossible(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    end = max((end for end in IMPOSSIBLE if call.path.endswith(end)), key=len)
    return hall.send(call, json=IMPOSSIBLE[end])


@reaches(404, "not_found")
def _not_there(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    return hall.send(call, ids={"match_id": "m_none", "table": "none"}, params={"after": "m_none"})


@reaches(404, "no_table", "no_token")
def _no_such(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    body = {"json": {"role": "overlay", "name": "x", "table": "none"}} if call.method == "POST" else {}
    return hall.send(call, **body)


@reaches(409, "changed")
def _changed(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    return hall.send(call, headers={"If-Match": "v1"})


@reaches(409, "not_now")
def _not_now(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    if "/correction" in call.path:
        reason = {} if call.path.endswith("/preview") else {"reason": "looked again"}
        return hall.send(call, json={"decisions": [{"disc": 1, "region": 5, "why": "x"}], **reason})
    if call.path.endswith("/export"):
        return hall.send(call, ids={"match_id": hall.three}, params={"format": "sheet"})
    return hall.send(call, ids={"match_id": hall.fresh if call.path.endswith("/undo") else hall.over})


@reaches(409, "exists")
def _exists(hall: Hall, call: Call, _patch: pytest.MonkeyPatch) -> httpx.Response:
    other = MATCH_FILE["match"] | {"event_name": "another"}
    return hall.send(call, json=MATCH_FILE | {"match": other})


@reaches(507, "no_room")
def _no_room(hall: Hall, call: Call, patch: pytest.MonkeyPatch) -> httpx.Response:
    def full(*_given: Any) -> None:
        raise OSError(errno.ENOSPC, "no room")

    patch.setattr(hall.running.service.photos.files, "receive", full)
    return hall.send(call)


@reaches(503, "too_many_watchers")
def _full(hall: Hall, call: Call, patch: pytest.MonkeyPatch) -> httpx.Response:
    def full(*_given: Any) -> None:
        raise TooManyWatchers

    patch.setattr(hall.running.service.feed, "watch", full)
    return hall.send(call)


@reaches(503, "too_busy")
def _too_busy(hall: Hall, call: Call, patch: pytest.MonkeyPatch) -> httpx.Response:
    return _worked(hall, call, patch, Busy(2))


def _worked(hall: Hall, call: Call, patch: pytest.MonkeyPatch, ended: Done | Exception) -> httpx.Response:
    """A call whose picture ends so: a worker's answer, or what is raised instead of one."""

    def work(*_given: Any) -> Future[Done]:
        if isinstance(ended, Exception):
            raise ended
        future: Future[Done] = Future()
        future.set_result(ended)
        return future

    async def camera(*_given: Any) -> None:
        raise PhotoRefused(ended) if isinstance(ended, Failed) else ended

    service = hall.running.service
    patch.setattr(service.photos, "read", work)
    patch.setattr(service.photos, "call_lines", work)
    for action in ("capture", "preview"):
        patch.setattr(service.cameras, action, camera)
    return hall.send(call)


def _of_worker(code: str) -> Reach:
    return lambda hall, call, patch: _worked(hall, call, patch, Failed(code, "so it ended"))


def _of_camera(code: str) -> Reach:
    return lambda hall, call, patch: _worked(hall, call, patch, CameraRefused(code, "so it is"))


def _documented() -> list[Any]:
    """Each call with each of its refusals."""
    return [
        pytest.param(Call(method.upper(), path), int(status), code, id=f"{method} {path} {status} {code}")
        for path, calls in DESCRIBED["paths"].items()
        for method, call in calls.items()
        for status, answer in call["responses"].items()
        for code in answer.get("content", {}).get(MEDIA_TYPE, {}).get("examples", ())
    ]


@pytest.mark.parametrize(("call", "status", "code"), _documented())
def test_every_documented_refusal_is_reached(
    hall: Hall, strict: Running, monkeypatch: pytest.MonkeyPatch, call: Call, status: int, code: str
) -> None:
    if code == "too_many_requests":
        for _ in range(2):
            answer = strict.client.request(call.method, call.at(IDS))
    else:
        reach = REACH.get((status, code))
        if reach is None:
            reach = _of_camera(code) if status == 409 else _of_worker(code)
        answer = reach(hall, call, monkeypatch)
    assert (answer.status_code, answer.headers["content-type"]) == (status, MEDIA_TYPE), answer.text
    told = answer.json()
    assert (told["code"], told["status"], told["type"]) == (code, status, f"/problems/{code}")

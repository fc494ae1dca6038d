"""A small typed client of the service's interface, for programs that send photos or follow a table.

    with Client("http://127.0.0.1:8020") as service:
        reading = service.read_photo(Path("board.jpg"), table="1")
        for message in service.live("1"):
            print(message["type"])

Answers are the documented JSON as plain dicts; a refusal is raised as :class:`Refused` with its code.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

Json = dict[str, Any]

_TIMEOUT = httpx.Timeout(10.0, read=120.0, write=60.0)
_SILENCE_S = 45.0  # three of the feed's heartbeats
_FIRST_WAIT_S = 0.2
_LONGEST_WAIT_S = 5.0


class Refused(Exception):
    """The service said no: ``code`` is for programs, the message for people, ``problem`` is all of it."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(str(problem.get("detail") or problem.get("title") or f"status {status}"))
        self.status = status
        self.code = str(problem.get("code") or "unknown")
        self.problem = dict(problem)


class Client:
    """One service. ``token`` is needed where the service is not on this machine.

    Every call raises :class:`Refused`, or ``httpx.TransportError`` when the service cannot be reached.
    """

    def __init__(self, url: str, token: str | None = None, *, http: httpx.Client | None = None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = http or httpx.Client(timeout=_TIMEOUT)
        self._http.base_url = httpx.URL(f"{url.rstrip('/')}/api/v1/")
        self._http.headers.update(headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the connections go."""
        self._http.close()

    def read_photo(
        self,
        photo: Path | bytes,
        *,
        name: str | None = None,
        table: str | None = None,
        sides: str | None = None,
        twenties: Sequence[str] = (),
        rules: str | None = None,
        equipment: str | None = None,
        key: str | None = None,
    ) -> Json:
        """Have a photo read; the Reading. ``key`` makes a repeated call find the first one's answer."""
        fields = _given(table=table, sides=sides, rules=rules, equipment=equipment, twenties=list(twenties))
        return self._post("readings", files=[_part("photo", photo, name)], data=fields, key=key)

    def reading(self, id: str) -> Json:
        """A Reading that was made before."""
        return self._json("GET", f"readings/{id}")

    def annotated(self, id: str) -> bytes:
        """The drawing of a Reading, as PNG."""
        return self._call("GET", f"readings/{id}/annotated.png").content

    def photo(self, sha256: str) -> bytes:
        """An untouched photo."""
        return self._call("GET", f"photos/{sha256}").content

    def call_lines(
        self,
        photos: Sequence[Path | bytes],
        *,
        at_px: tuple[float, float] | None = None,
        equipment: str | None = None,
        key: str | None = None,
    ) -> Json:
        """Have the close discs in photos of one position ruled on, or the one at a point of the first."""
        at = None if at_px is None else f"{at_px[0]:.1f},{at_px[1]:.1f}"
        files = [_part("photos", photo, None) for photo in photos]
        return self._post("linecalls", files=files, data=_given(at=at, equipment=equipment), key=key)

    def line_call(self, id: str) -> Json:
        """A line call that was made before."""
        return self._json("GET", f"linecalls/{id}")

    def report(self, id: str, disc: int | None = None) -> bytes:
        """The report of a line call, as PNG."""
        return self._call("GET", f"linecalls/{id}/report.png", params=_given(disc=disc)).content

    def create_match(self, match: Mapping[str, Any], *, key: str | None = None) -> Json:
        """Begin a match."""
        return self._post("matches", json=dict(match), key=key)

    def match(self, id: str) -> Json:
        """A match as it stands."""
        return self._json("GET", f"matches/{id}")

    def matches(self, table: str | None = None) -> list[Json]:
        """The newest matches, of one table or all."""
        found: list[Json] = self._json("GET", "matches", params=_given(table=table))["matches"]
        return found

    def score_round(
        self, match: str, round: Mapping[str, Any], *, version: int | None = None, key: str | None = None
    ) -> Json:
        """Score a round; the match after it. Nothing is done if it is not at ``version`` any more."""
        return self._post(f"matches/{match}/rounds", json=dict(round), key=key, version=version)

    def undo(self, match: str, *, version: int | None = None, key: str | None = None) -> Json:
        """Take the last thing back; the match after it."""
        return self._post(f"matches/{match}/undo", json={}, key=key, version=version)

    def tables(self) -> list[Json]:
        """Every table."""
        found: list[Json] = self._json("GET", "tables")["tables"]
        return found

    def table(self, name: str) -> Json:
        """A table as it is."""
        return self._json("GET", f"tables/{name}")

    def set_table(self, name: str, **changes: Any) -> Json:
        """Set a table up: ``event_name``, ``camera`` (``{"source": ...}`` or None)."""
        return self._json("PUT", f"tables/{name}", json=changes)

    def capture(self, table: str, *, key: str | None = None, **options: Any) -> Json:
        """Score the position on a table from its camera; the Reading."""
        return self._post(f"tables/{table}/capture", json=options, key=key)

    def preview(self, table: str) -> bytes:
        """What a table's camera sees, as JPEG."""
        return self._call("GET", f"tables/{table}/preview.jpg").content

    def live(self, table: str, since: int | None = None) -> Iterator[Json]:
        """A table's messages, for ever: after ``since``, or from a snapshot on. Heartbeats are left out.

        A lost connection is taken up again where it was lost; only a refusal ends the messages.
        """
        wait_s = _FIRST_WAIT_S
        while True:
            try:
                for message in self._events(table, since):
                    wait_s = _FIRST_WAIT_S
                    since = message["seq"]
                    if message["type"] != "heartbeat":
                        yield message
            except httpx.TransportError:
                pass
            except Refused as refused:
                if refused.status not in (502, 503, 504):
                    raise
            time.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def _events(self, table: str, since: int | None) -> Iterator[Json]:
        """The messages of one connection."""
        timeout = httpx.Timeout(10.0, read=_SILENCE_S)
        params = _given(since=since)
        with self._http.stream("GET", f"tables/{table}/live", params=params, timeout=timeout) as answer:
            if answer.is_error:
                answer.read()
            _check(answer)
            for line in answer.iter_lines():
                if line.startswith("data:"):
                    yield json.loads(line[5:])

    def _post(self, path: str, *, key: str | None = None, version: int | None = None, **what: Any) -> Json:
        headers = {} if key is None else {"Idempotency-Key": key}
        if version is not None:
            headers["If-Match"] = f'"v{version}"'
        return self._json("POST", path, headers=headers, **what)

    def _json(self, method: str, path: str, **what: Any) -> Json:
        found: Json = self._call(method, path, **what).json()
        return found

    def _call(self, method: str, path: str, **what: Any) -> httpx.Response:
        answer = self._http.request(method, path, **what)
        _check(answer)
        return answer


def _check(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    raise Refused(answer.status_code, problem if isinstance(problem, dict) else {})


def _part(field: str, photo: Path | bytes, name: str | None) -> tuple[str, tuple[str, bytes]]:
    if isinstance(photo, Path):
        return field, (name or photo.name, photo.read_bytes())
    return field, (name or "photo", photo)


def _given(**values: Any) -> dict[str, Any]:
    """Those that were given."""
    return {name: value for name, value in values.items() if value is not None and value != []}

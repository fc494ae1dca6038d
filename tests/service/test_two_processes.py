"""Two servers on one PostgreSQL: what happens at one is seen at the other, and either may die."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import make_url
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from benchmarks.service_processes import ServerProcess, server
from tests.service.postgres import Postgres
from tests.service.running import PATIENCE_S, heard

_SIDES = [{"name": "Anna"}, {"name": "Ben"}]


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture
def hall(url: str, tmp_path: Path) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    with ExitStack() as closing:
        one, two = (
            closing.enter_context(server(data_dir=str(tmp_path / name), database_url=url, log_level="error"))
            for name in ("one", "two")
        )
        yield one, two


def created(at: ServerProcess, table: str) -> dict[str, Any]:
    return asked(at, "/api/v1/matches", {"table": table, "sides": _SIDES, "rules": "nca"})


def asked(at: ServerProcess, path: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    answer = httpx.post(at.address + path, json=body, headers=headers, trust_env=False, timeout=PATIENCE_S)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def watching(at: ServerProcess, table: str, since: int | None = None) -> ClientConnection:
    query = "" if since is None else f"?since={since}"
    url = at.address.replace("http", "ws") + f"/api/v1/tables/{table}/live{query}"
    return connect(url, proxy=None, open_timeout=PATIENCE_S)


def test_a_watcher_of_one_sees_what_is_scored_at_the_other_and_either_may_die(
    hall: tuple[ServerProcess, ServerProcess],
) -> None:
    one, two = hall
    match = created(one, "A")
    totals = {"totals": {"Anna": 45, "Ben": 20}}
    rounds = f"/api/v1/matches/{match['id']}/rounds"
    with watching(one, "A") as at_one, watching(two, "A") as at_two:
        first = [heard(at_one), heard(at_two)]
        assert [message["match"]["id"] for message in first] == [match["id"]] * 2
        scored = asked(one, rounds, totals)
        both = [heard(at_one), heard(at_two)]
        assert both[0] == both[1]
        assert both[1]["match"]["version"] == scored["version"]

        one.kill()
        with pytest.raises(ConnectionClosed):
            heard(at_one)
        # The other goes on alone, and serves whoever comes over with the last number they saw.
        scored = asked(two, rounds, totals)
        with watching(two, "A", since=both[0]["seq"]) as came_over:
            missed = heard(came_over)
        assert missed == heard(at_two)
        assert missed["match"]["version"] == scored["version"]

        one.start()
        asked(one, rounds, totals)
        assert heard(at_two)["match"]["version"] == scored["version"] + 1


def test_a_request_that_died_with_one_server_is_done_once_by_the_other(
    hall: tuple[ServerProcess, ServerProcess],
) -> None:
    one, two = hall
    match = created(one, "A")
    rounds, body = f"/api/v1/matches/{match['id']}/rounds", {"totals": {"Anna": 45, "Ben": 20}}
    # The first server did it, and died before its answer arrived.
    done = asked(one, rounds, body, **{"Idempotency-Key": "phone-7"})
    one.kill()
    assert asked(two, rounds, body, **{"Idempotency-Key": "phone-7"}) == done


def test_a_server_that_lost_its_database_connections_follows_again(
    hall: tuple[ServerProcess, ServerProcess], url: str
) -> None:
    one, two = hall
    match = created(one, "A")
    with watching(two, "A") as socket:
        heard(socket)
        cut = make_url(url)
        with psycopg.connect(host=cut.query["host"], dbname=cut.database, user=cut.username) as admin:
            # The connection that listens, and every other: as when the database was restarted.
            admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name like 'crokinole%' and pid <> pg_backend_pid()"
            )
        ends_s = time.monotonic() + PATIENCE_S
        while True:
            answer = httpx.post(
                f"{one.address}/api/v1/matches/{match['id']}/rounds",
                json={"totals": {"Anna": 45, "Ben": 20}},
                headers={"Idempotency-Key": "again"},
                trust_env=False,
                timeout=PATIENCE_S,
            )
            if answer.status_code != 503 or time.monotonic() > ends_s:
                break
        assert answer.status_code == 201, answer.text
        assert heard(socket)["match"]["version"] == 2


def test_many_writers_at_both_make_one_unbroken_feed(hall: tuple[ServerProcess, ServerProcess]) -> None:
    one, two = hall
    created(one, "A")
    with watching(one, "A", since=0) as at_one, watching(two, "A", since=0) as at_two:
        with ThreadPoolExecutor(4) as writers:
            list(writers.map(lambda n: created((one, two)[n % 2], "A"), range(20)))
        seen = [
            [json.loads(socket.recv(PATIENCE_S))["seq"] for _ in range(21)] for socket in (at_one, at_two)
        ]
    assert seen == [list(range(1, 22))] * 2

"""The live feed as watchers get it, over real sockets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from service.matches.tables import set_table
from service.store.feed import publish
from service.store.tokens import make_token, revoke_token
from tests.service.running import Running, heard, running


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("hall")) as found:
        yield found


def named(hall: Running, table: str) -> int:
    """Make a table; the number of its last message."""
    with hall.service.store.write() as connection:
        seq: int = set_table(connection, table, event_name="Open", camera=None, keeps_camera=True)["seq"]
    return seq


def shoot(hall: Running, table: str, n: int) -> int:
    with hall.service.store.write() as connection:
        return publish(connection, table, "shot", {"n": n})


def events(response: httpx.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of an open stream, by the rules of the HTML standard: an id and one line of data."""
    seq = ""
    for line in response.iter_lines():
        if line.startswith("id: "):
            seq = line[4:]
        if line.startswith("data: "):
            yield seq, json.loads(line[6:])


def test_a_snapshot_first_and_then_every_message_in_order(hall: Running) -> None:
    seq = named(hall, "order")
    with hall.watching("order") as socket:
        first = heard(socket)
        assert (first["type"], first["seq"], first["event_name"]) == ("snapshot", seq, "Open")
        sent = [shoot(hall, "order", n) for n in range(20)]
        got = [heard(socket) for _ in sent]
    assert [message["seq"] for message in got] == sent == list(range(seq + 1, seq + 21))
    assert [message["n"] for message in got] == list(range(20))


def test_server_sent_events_say_the_same_with_the_number_as_id(hall: Running) -> None:
    seq = named(hall, "sse")
    with hall.client.stream("GET", "/api/v1/tables/sse/live") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        coming = events(response)
        assert next(coming)[1]["type"] == "snapshot"
        sent = shoot(hall, "sse", 7)
        number, message = next(coming)
        assert (number, message["seq"], message["n"]) == (str(sent), sent, 7)
        with hall.watching("sse", f"?since={seq}") as socket:
            assert heard(socket) == message
    with hall.client.stream(
        "GET", "/api/v1/tables/sse/live", headers={"Last-Event-ID": str(seq)}
    ) as response:
        assert next(events(response)) == (str(sent), message)


def test_one_who_comes_back_gets_what_it_missed_and_no_snapshot(hall: Running) -> None:
    seq = named(hall, "back")
    sent = [shoot(hall, "back", n) for n in range(5)]
    with hall.watching("back", f"?since={seq + 2}") as socket:
        assert [heard(socket)["seq"] for _ in range(3)] == sent[2:]


@pytest.mark.parametrize("query", ["?since=999999", "?since=9007199254740993", "?since=what", "?since=-1"])
def test_a_number_this_database_never_gave_starts_from_a_snapshot(hall: Running, query: str) -> None:
    named(hall, "ahead")
    with hall.watching("ahead", query) as socket:
        assert heard(socket)["type"] == "snapshot"


def test_a_number_that_is_no_longer_kept_starts_from_a_snapshot(tmp_path: Path) -> None:
    with running(tmp_path, feed_keep=100) as hall:
        seq = named(hall, "old")
        last = [shoot(hall, "old", n) for n in range(250)][-1]
        with hall.watching("old", f"?since={seq}") as socket:
            first = heard(socket)
            assert (first["type"], first["seq"]) == ("snapshot", last)
        with hall.watching("old", f"?since={last - 60}") as socket:
            assert [heard(socket)["seq"] for _ in range(60)] == list(range(last - 59, last + 1))


def test_a_long_absence_within_what_is_kept_is_made_up_in_full(hall: Running) -> None:
    seq = named(hall, "long")
    for n in range(300):
        shoot(hall, "long", n)
    # More than a channel holds in memory: the rest comes from the database, a page at a time.
    with hall.watching("long", f"?since={seq}") as socket:
        assert [heard(socket)["n"] for _ in range(300)] == list(range(300))


def test_a_table_nobody_has_named_is_waited_for(hall: Running) -> None:
    with hall.watching("later") as socket:
        first = heard(socket)
        assert (first["seq"], first["match"]) == (0, None)
        named(hall, "later")
        assert heard(socket)["type"] == "table"


def test_watchers_of_other_tables_hear_nothing(hall: Running) -> None:
    named(hall, "one")
    named(hall, "two")
    with hall.watching("one") as one, hall.watching("two") as two:
        heard(one), heard(two)
        shoot(hall, "one", 1)
        sent = shoot(hall, "two", 2)
        message = heard(two)
        assert (message["n"], message["seq"]) == (2, sent)


def test_pages_of_other_sites_may_not_open_a_socket(hall: Running) -> None:
    # RFC 6455, 10.2: browsers let any page open a WebSocket anywhere; only the Origin tells.
    for origin in ("http://elsewhere.example", "null", f"http://localhost:{hall.port}"):
        with pytest.raises(InvalidStatus) as refused, hall.watching("A", headers={"Origin": origin}):
            pass
        assert refused.value.response.status_code == 403
    with hall.watching("A", headers={"Origin": hall.address}) as socket:
        assert heard(socket)["type"] == "snapshot"


def test_a_wrong_table_name_is_refused(hall: Running) -> None:
    assert hall.client.get("/api/v1/tables/no.such/live").status_code == 422
    with pytest.raises(InvalidStatus) as refused, hall.watching("no.such"):
        pass
    assert refused.value.response.status_code == 422


def test_an_overlay_token_watches_its_table_alone_until_it_is_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.following.followed.__defaults__", (0.05,))
    with running(tmp_path, host="127.0.0.1", public_url="https://club.example", token="x" * 32) as hall:
        named(hall, "A")
        named(hall, "B")
        with hall.service.store.write() as connection:
            made, text = make_token(connection, "overlay", "A", "stream")
        for query, status in (("", 401), ("?token=wrong", 401), ("?token=" + "x" * 32, 403)):
            with pytest.raises(InvalidStatus) as refused, hall.watching("A", query):
                pass
            assert refused.value.response.status_code == status
        with pytest.raises(InvalidStatus) as refused, hall.watching("B", f"?token={text}"):
            pass
        assert refused.value.response.status_code == 403
        with hall.watching("A", f"?token={text}") as socket:
            assert heard(socket)["type"] == "snapshot"
            assert heard(socket)["type"] == "heartbeat"
            with hall.service.store.write() as connection:
                revoke_token(connection, made.id)
            with pytest.raises(ConnectionClosed) as closed:
                for _ in range(1000):
                    heard(socket)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008


def test_watchers_are_told_to_come_back_when_the_server_stops(tmp_path: Path) -> None:
    with running(tmp_path) as hall:
        named(hall, "A")
        with hall.watching("A") as socket, hall.client.stream("GET", "/api/v1/tables/A/live") as response:
            coming = events(response)
            heard(socket), next(coming)
            hall.server.should_exit = True
            with pytest.raises(ConnectionClosed) as closed:
                heard(socket)
            assert list(coming) == []
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012

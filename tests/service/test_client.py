"""The typed client's own part: refusals as errors, and a live feed taken up again where it was lost."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

import httpx
import pytest

from service.client import Client, Refused

Answer = Callable[[httpx.Request], httpx.Response]


def client(answer: Answer, token: str | None = None) -> Client:
    return Client("http://h/", token, http=httpx.Client(transport=httpx.MockTransport(answer)))


def events(*seqs: int) -> httpx.Response:
    told = [{"seq": seq, "type": "heartbeat" if seq == 3 else "match"} for seq in seqs]
    return httpx.Response(
        200, text="retry: 1\n\n" + "".join(f"data: {json.dumps(each)}\n\n" for each in told)
    )


def test_the_live_feed_goes_on_after_the_last_message_through_cuts_and_restarts() -> None:
    asked: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.params.get("since"))
        match len(asked):
            case 1:
                return events(1, 2, 3)
            case 2:
                raise httpx.ConnectError("down", request=request)
            case 3:
                return httpx.Response(503, json={"code": "busy"})
            case _:
                return events(4)

    with client(answer) as service:
        seen = [message["seq"] for message in itertools.islice(service.live("1"), 3)]
    assert seen == [1, 2, 4]
    assert asked == [None, "3", "3", "3"]


def test_a_feed_that_is_refused_ends() -> None:
    refusal = httpx.Response(403, json={"code": "not_allowed", "detail": "Not yours"})
    with client(lambda _: refusal) as service, pytest.raises(Refused, match="Not yours") as refused:
        next(service.live("1"))
    assert (refused.value.status, refused.value.code) == (403, "not_allowed")


def test_what_is_no_problem_document_is_a_refusal_all_the_same() -> None:
    page = httpx.Response(502, text="<html>")
    with client(lambda _: page) as service, pytest.raises(Refused, match="status 502") as refused:
        service.tables()
    assert refused.value.code == "unknown"


def test_calls_carry_token_key_and_version() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"url": str(request.url), **request.headers})

    with client(answer, "secret") as service:
        sent = service.undo("m_1", version=4, key="k")
    assert sent["url"] == "http://h/api/v1/matches/m_1/undo"
    assert (sent["authorization"], sent["idempotency-key"], sent["if-match"]) == (
        "Bearer secret",
        "k",
        '"v4"',
    )

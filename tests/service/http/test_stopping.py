"""A server that is told to stop finishes what it accepted, and takes nothing more."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.http import tokens
from service.store import Store
from tests.service.running import PATIENCE_S, running


def test_a_request_under_way_is_answered_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    make = tokens.make_token

    def slow(*given: Any) -> Any:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return make(*given)

    monkeypatch.setattr(tokens, "make_token", slow)
    with ThreadPoolExecutor(1) as phone, running(tmp_path) as home:
        body = {"role": "viewer", "name": "x"}
        answer = phone.submit(home.client.post, "/api/v1/tokens", json=body)
        assert begun.wait(PATIENCE_S)
        home.server.should_exit = True
        while home.server.servers[0].is_serving():
            time.sleep(0.01)
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{home.address}/healthz", trust_env=False)
        go_on.set()
        assert answer.result(PATIENCE_S).status_code == 201
        made = answer.result()
    store = Store(f"sqlite:///{tmp_path / 'crokinole.db'}")
    with store.read() as connection:
        assert [token.id for token in tokens.list_tokens(connection)] == [made.json()["id"]]
    store.close()

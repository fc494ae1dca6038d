"""Those who are at the tables while a server is killed again and again: scorekeepers, and one who watches."""

from __future__ import annotations

import json
import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from benchmarks.service_processes import PATIENCE_S
from service.store import Store
from service.store.feed import last_seq

#: How often a request that was answered is sent again all the same, as by a phone that lost the answer.
_REPEATED = 0.2

#: What somebody waits who got no answer: short, so that servers that are starting are asked, too.
_PAUSE_S = 0.05


@dataclass
class Scorekeeper:
    """Plays match after match at one table. ``acknowledged`` is what it was told is stored: key and match."""

    address: str
    table: str
    seed: int
    stop: threading.Event
    acknowledged: dict[str, str] = field(default_factory=dict)
    pending: str | None = None
    retries: int = 0
    wrong: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Score until told to stop; an answer that must not be ends it, too."""
        self._random = random.Random(self.seed)
        sides = [{"name": "Anna"}, {"name": "Ben"}]
        with httpx.Client(base_url=self.address, trust_env=False, timeout=PATIENCE_S) as self._client:
            while not self.stop.is_set() and not self.wrong:
                match = self._ask("/api/v1/matches", {"table": self.table, "sides": sides, "rules": "nca"})
                for _round in range(4):
                    if match is None:
                        return
                    totals = {"Anna": 5 * self._random.randrange(8), "Ben": 5 * self._random.randrange(8)}
                    match = self._ask(f"/api/v1/matches/{match['id']}/rounds", {"totals": totals})

    def _ask(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """Ask until there is an answer; None when it is time to stop first."""
        key = self.pending = f"{self.table}.{len(self.acknowledged)}"
        headers = {"Idempotency-Key": key, "X-Request-ID": key}
        while not self.stop.is_set():
            try:
                answer = self._client.post(path, json=body, headers=headers)
                if answer.status_code == 503:
                    time.sleep(_PAUSE_S)
                    continue
                if self._random.random() < _REPEATED:
                    again = self._client.post(path, json=body, headers=headers)
                    if again.status_code != 503 and again.text != answer.text:
                        self.wrong.append(f"{key}: a second answer that differs")
            except httpx.TransportError:
                self.retries += 1
                time.sleep(_PAUSE_S)
                continue
            if answer.status_code != 201:
                self.wrong.append(f"{key}: {answer.status_code} {answer.text[:300]}")
                return None
            match: dict[str, Any] = answer.json()
            self.acknowledged[key] = match["id"]
            self.pending = None
            return match
        return None


@dataclass
class Onlooker:
    """Follows one table through every crash, from the first message on."""

    address: str
    table: str
    stop: threading.Event
    seen: list[int] = field(default_factory=list)
    snapshots: int = 0

    def run(self) -> None:
        """Watch, and come back after each lost connection with the last number seen."""
        while not self.stop.is_set():
            url = f"{self.address.replace('http', 'ws')}/api/v1/tables/{self.table}/live?since={self.last}"
            try:
                with connect(url, proxy=None, open_timeout=PATIENCE_S) as socket:
                    while not self.stop.is_set():
                        self._take(json.loads(socket.recv(timeout=0.2)))
            except TimeoutError:
                continue
            except (OSError, WebSocketException):
                time.sleep(_PAUSE_S)

    def wait_for(self, store: Store) -> None:
        """Stop when everything there is has been seen, or nothing more comes."""
        with store.read() as connection:
            wanted = last_seq(connection, self.table) or 0
        ends_s = time.monotonic() + PATIENCE_S
        while self.last < wanted and time.monotonic() < ends_s:
            time.sleep(0.01)
        self.stop.set()

    @property
    def last(self) -> int:
        return self.seen[-1] if self.seen else 0

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "snapshot":
            self.snapshots += 1
        elif message["type"] != "heartbeat":
            self.seen.append(message["seq"])

"""Does a killed server forget or repeat anything? ``python -m benchmarks.service_crash --postgres``.

Scorekeepers create matches and score rounds without pause, each request under an ``Idempotency-Key``; a
watcher follows one table. The server is killed (SIGKILL) at random moments and started again. Whoever got no
answer asks again under the same key. In the end the database must hold every acknowledged request exactly
once, every request that was never acknowledged at most once, and the watcher must have seen every message
once and in order.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from benchmarks.service_processes import PATIENCE_S, ServerProcess
from benchmarks.tables import conditions_line, table
from service.matches.match_json import match_json
from service.matches.stored import load_match
from service.store import Store
from service.store.feed import last_seq
from service.store.tables import events, feed, matches, tables

_SCOREKEEPERS = 4

#: From just started to well under way: some kills fall into starting, migrating and coming back.
_LIFE_S = (0.0, 0.6)

#: How often a request that was answered is sent again all the same, as by a phone that lost the answer.
_REPEATED = 0.2


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
                    continue
                if self._random.random() < _REPEATED:
                    again = self._client.post(path, json=body, headers=headers)
                    if again.status_code != 503 and again.text != answer.text:
                        self.wrong.append(f"{key}: a second answer that differs")
            except httpx.TransportError:
                self.retries += 1
                time.sleep(0.01)
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
                time.sleep(0.02)

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


@dataclass(frozen=True)
class Outcome:
    """What came of it; all of ``faults`` is what must not be."""

    kills: int
    acknowledged: int
    retries: int
    seen: int
    faults: list[str]


def crash(url: str, data_dir: Path, kills: int, seed: int) -> Outcome:
    """Kill a server ``kills`` times under load and look what is left in the database at ``url``."""
    moments = random.Random(seed)
    stop = threading.Event()
    one = ServerProcess(
        {
            "data_dir": str(data_dir),
            "database_url": url,
            "changes_per_minute": 1_000_000,
            "feed_keep": 1_000_000,
            "log_level": "error",
        }
    )
    keepers = [Scorekeeper(one.address, f"T{n}", seed + n, stop) for n in range(_SCOREKEEPERS)]
    onlooker = Onlooker(one.address, "T0", threading.Event())
    store = Store(url)
    threads = [threading.Thread(target=each.run) for each in keepers]
    watching = threading.Thread(target=onlooker.run)
    try:
        one.start()
        for thread in (*threads, watching):
            thread.start()
        for _kill in range(kills):
            time.sleep(moments.uniform(*_LIFE_S))
            one.kill()
            one.start()
        time.sleep(_LIFE_S[1])
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE_S)
        # What was published last may still be on its way.
        onlooker.wait_for(store)
        watching.join(PATIENCE_S)
        if one.process is not None:
            one.stop()
    try:
        faults = [
            *(fault for keeper in keepers for fault in keeper.wrong),
            *faults_in(store, keepers, onlooker),
        ]
    finally:
        store.close()
    return Outcome(
        kills,
        sum(len(keeper.acknowledged) for keeper in keepers),
        sum(keeper.retries for keeper in keepers),
        len(onlooker.seen),
        faults,
    )


def faults_in(store: Store, keepers: list[Scorekeeper], onlooker: Onlooker) -> list[str]:
    """Everything in a store that contradicts what its scorekeepers and its onlooker were told."""
    faults: list[str] = []
    with store.read() as connection:
        rounds = list(connection.execute(select(events.c.match_id, events.c.number, events.c.request_id)))
        counted = Counter(row.request_id for row in rounds)
        faults += [f"{key} was done {times} times" for key, times in counted.items() if times > 1]
        for keeper in keepers:
            mine = select(matches.c.id).where(matches.c.table_name == keeper.table)
            stored = set(connection.execute(mine).scalars())
            known = set(keeper.acknowledged.values())
            faults += [f"match {gone} is lost" for gone in known - stored]
            if len(stored - known) > (keeper.pending is not None):
                faults.append(f"{keeper.table}: {len(stored - known)} matches that nobody was told of")
            # The first request at a match made it, every other is an event of it.
            first = {match: key for key, match in reversed(keeper.acknowledged.items())}
            scored = [key for key, match in keeper.acknowledged.items() if first[match] != key]
            faults += [f"{key} is lost" for key in scored if not counted[key]]
        told = {key for keeper in keepers for key in (*keeper.acknowledged, keeper.pending)}
        faults += [f"{key} was never asked for" for key in counted.keys() - told]
        for match in connection.execute(select(matches.c.id)).scalars():
            numbers = sorted(row.number for row in rounds if row.match_id == match)
            if numbers != list(range(len(numbers))):
                faults.append(f"match {match}: events {numbers}")
            if match_json(load_match(connection, match))["version"] != len(numbers) + 1:
                faults.append(f"match {match}: the version does not fit its events")
        for name, last in connection.execute(select(tables.c.name, tables.c.feed_seq)):
            kept = connection.execute(
                select(feed.c.seq).where(feed.c.table_name == name).order_by(feed.c.seq)
            )
            if list(kept.scalars()) != list(range(1, last + 1)):
                faults.append(f"table {name}: messages are missing")
            if name == onlooker.table and onlooker.seen != list(range(1, last + 1)):
                faults.append(f"the onlooker saw {len(onlooker.seen)} of {last} messages, or not in order")
    return faults


def main() -> None:
    """Run it and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL, too (started for this)")
    asked = parser.parse_args()
    rows = []
    with ExitStack() as closing:
        folder = Path(closing.enter_context(tempfile.TemporaryDirectory()))
        urls = {"SQLite": f"sqlite:///{folder / 'crokinole.db'}"}
        if asked.postgres:
            from tests.service.postgres import running_postgres

            urls["PostgreSQL"] = closing.enter_context(running_postgres()).new_database()
        for kind, url in urls.items():
            outcome = crash(url, folder, asked.kills, asked.seed)
            for fault in outcome.faults:
                print(f"{kind}: {fault}")
            rows.append(
                [
                    kind,
                    str(outcome.kills),
                    str(outcome.acknowledged),
                    str(outcome.retries),
                    str(outcome.seen),
                    str(len(outcome.faults)),
                ]
            )
    head = ["database", "kills", "acknowledged", "asked again", "messages watched", "lost or twice"]
    print(table(head, rows))
    print(conditions_line())
    if any(row[-1] != "0" for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

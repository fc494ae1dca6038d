"""Does a killed server forget or repeat anything? ``python -m benchmarks.service_crash --postgres``.

Scorekeepers create matches and score rounds without pause, each request under an ``Idempotency-Key``; a
watcher follows one table. The server is killed (SIGKILL) at random moments and started again. Whoever got no
answer asks again under the same key. In the end the database must hold every acknowledged request exactly
once, every request that was never acknowledged at most once, and the watcher must have seen every message
once and in order.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from benchmarks.service_people import Onlooker, Scorekeeper
from benchmarks.service_processes import PATIENCE_S, ServerProcess
from benchmarks.tables import conditions_line, table
from service.matches.match_json import match_json
from service.matches.stored import load_match
from service.store import Store
from service.store.tables import events, feed, matches, tables

_SCOREKEEPERS = 4

#: From just started to well under way: some kills fall into starting, migrating and coming back.
_LIFE_S = (0.0, 0.6)


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
                missed = sorted(set(range(1, last + 1)) - set(onlooker.seen))
                faults.append(f"the onlooker saw {len(onlooker.seen)} of {last} messages, not {missed}")
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

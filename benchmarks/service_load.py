"""A full hall on one server: ``python -m benchmarks.service_load``.

How late are messages, what does a watcher cost, and what do 100 photos at once disturb? Every table is scored
once a second; most watch the first table, and one each the others. Server and watchers share the machine.
Lateness is from the moment a message is written in the database's transaction until a watcher has it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from benchmarks.service_processes import PATIENCE_S, ServerProcess, server
from benchmarks.service_watchers import Told, watch
from benchmarks.tables import conditions_line, table

_SIDES = [{"name": "Anna"}, {"name": "Ben"}]
_ROUNDS = 4
_PHOTOS = 100

#: The start of each phase is not counted: everybody's first request.
_WARM_UP_S = 3.0
_SAMPLE = Path(__file__).resolve().parents[1] / "sample_images" / "club-webcam.jpg"


@dataclass
class Lateness:
    """What the watchers got in one phase: seconds late, and how many messages there were to get."""

    late_s: list[float] = field(default_factory=list)
    gaps: int = 0
    counts: bool = False

    def take(self, seen: list[int], kind: str, seq: int, late_s: float) -> None:
        """Note a message of a watcher; ``seen`` holds the last number it had."""
        if kind not in ("snapshot", "heartbeat"):
            self.gaps += seq != seen[0] + 1
            if self.counts:
                self.late_s.append(late_s)
        seen[0] = seq


async def score(client: httpx.AsyncClient, name: str, ends_s: float, seed: int) -> None:
    """Play matches at one table, one request a second from some moment of the first."""
    moments = random.Random(seed)
    due_s = time.monotonic() + moments.random()
    while True:
        match: dict[str, Any] | None = None
        for _step in range(1 + _ROUNDS):
            await asyncio.sleep(max(0.0, due_s - time.monotonic()))
            if time.monotonic() >= ends_s:
                return
            due_s += 1.0
            if match is None:
                body: dict[str, Any] = {"table": name, "sides": _SIDES, "rules": "nca"}
                answer = await client.post("/api/v1/matches", json=body)
            else:
                totals = {"Anna": 5 * moments.randrange(8), "Ben": 5 * moments.randrange(8)}
                answer = await client.post(f"/api/v1/matches/{match['id']}/rounds", json={"totals": totals})
            answer.raise_for_status()
            match = answer.json()


async def send_photos(address: str, photo: bytes, count: int) -> Counter[str]:
    """Post photos all at once; how many were answered in which way."""
    limits = httpx.Limits(max_connections=count)
    async with httpx.AsyncClient(base_url=address, limits=limits, trust_env=False, timeout=600) as client:

        async def send(number: int) -> str:
            # Each is another file, so that none is answered from what is known of the first.
            files = {"photo": (f"{number}.jpg", photo + number.to_bytes(2, "big"), "image/jpeg")}
            answer = await client.post("/api/v1/readings", files=files)
            told = "" if answer.is_success else f" {answer.json()['code']}"
            if answer.status_code in (429, 503) and "retry-after" not in answer.headers:
                told += " without Retry-After"
            return f"{answer.status_code}{told}"

        return Counter(await asyncio.gather(*(send(number) for number in range(count))))


@dataclass(frozen=True)
class Phase:
    """One phase's figures."""

    name: str
    late: Lateness
    seconds: float
    cpu_s: float

    def row(self) -> list[object]:
        late_ms = 1000 * np.asarray(self.late.late_s or [np.nan])
        p50, p95, p99 = np.percentile(late_ms, (50, 95, 99))
        return [
            self.name,
            len(self.late.late_s),
            self.late.gaps,
            float(p50),
            float(p95),
            float(p99),
            float(late_ms.max()),
            f"{100 * self.cpu_s / self.seconds:.0f} %",
        ]


async def run(one: ServerProcess, watchers: int, tables: int, seconds: float, photo: bytes | None) -> None:
    """Run the phases and print their figures."""
    names = [f"T{number}" for number in range(tables)]
    limits = httpx.Limits(max_connections=tables)
    async with AsyncExitStack() as closing:
        client = await closing.enter_async_context(
            httpx.AsyncClient(base_url=one.address, limits=limits, trust_env=False, timeout=PATIENCE_S)
        )
        for name in names:
            await client.post("/api/v1/matches", json={"table": name, "sides": _SIDES, "rules": "nca"})
        empty_kb = memory_kb(one.pid)
        noted = [Lateness()]
        wanted = names[:1] * watchers + names[1:]
        sockets = [await watch(one.port, name, _noting(noted)) for name in wanted]
        await asyncio.sleep(2)
        each_kb = (memory_kb(one.pid) - empty_kb) / len(sockets)

        phases = [await phase("scored", one, client, names, seconds, noted)]
        answers: Counter[str] = Counter()
        if photo is not None:
            sending = asyncio.create_task(send_photos(one.address, photo, _PHOTOS))
            phases.append(await phase(f"with {_PHOTOS} photos", one, client, names, seconds, noted))
            answers = await sending
        for socket in sockets:
            socket.close()
    head = ["phase", "messages", "out of order", "p50 ms", "p95 ms", "p99 ms", "worst ms", "server's core"]
    print(f"{len(sockets)} watchers, {tables} tables scored once a second")
    print(table(head, [each.row() for each in phases]))
    print(f"memory: {each_kb:.0f} KB a watcher; {memory_kb(one.pid) / 1024:.0f} MB the server in the end")
    if answers:
        print("photos: " + ", ".join(f"{count} answered {how}" for how, count in sorted(answers.items())))


def _noting(phases: Sequence[Lateness]) -> Told:
    """What a watcher calls: it notes with the last of the phases."""
    seen = [0]
    return lambda kind, seq, late_s: phases[-1].take(seen, kind, seq, late_s)


async def phase(
    name: str,
    one: ServerProcess,
    client: httpx.AsyncClient,
    names: Sequence[str],
    seconds: float,
    noted: list[Lateness],
) -> Phase:
    """Score every table for ``seconds`` after the warm-up; what came of it."""
    late = Lateness()
    noted.append(late)
    ends_s = time.monotonic() + _WARM_UP_S + seconds
    scoring = [asyncio.create_task(score(client, each, ends_s, seed)) for seed, each in enumerate(names)]
    await asyncio.sleep(_WARM_UP_S)
    late.counts = True
    began_s, began_cpu_s = time.monotonic(), cpu_s(one.pid)
    await asyncio.gather(*scoring)
    figures = Phase(name, late, time.monotonic() - began_s, cpu_s(one.pid) - began_cpu_s)
    await asyncio.sleep(1)
    return figures


def memory_kb(pid: int) -> int:
    """A process's own memory, what it shares with its parent left out."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def cpu_s(pid: int) -> float:
    """The processor time a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--photo", type=Path, default=_SAMPLE)
    parser.add_argument("--no-photos", action="store_true")
    asked = parser.parse_args()
    photo = None if asked.no_photos else asked.photo.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {
            "data_dir": folder,
            "log_level": "error",
            "changes_per_minute": 1_000_000,
            "uploads_per_minute": 100_000,
        }
        with server(**settings) as one:
            asyncio.run(run(one, asked.watchers, asked.tables, asked.seconds, photo))
    print(conditions_line())


if __name__ == "__main__":
    main()

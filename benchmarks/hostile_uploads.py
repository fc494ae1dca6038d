"""Ten thousand damaged photos, and files made to mislead, posted to a running service.

    python -m benchmarks.hostile_uploads [--photos 10000] [--workers 2]

The service is a process of its own. Printed are the answers by status and code, what the service and its
workers took of memory at most, and whether an ordinary photo is still read at the end. The exit status is 1
when anything but 201 and 422 was answered, a worker had to be ended, or the last photo was not read.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import httpx

from benchmarks.service_processes import free_port
from service.client import Client
from tests.service.photos.mutants import misleading, mutants
from tests.service.photos_made import small_photo

WIDTH_PX = 240
RUN = "from service.cli import main; main()"
LOOK_S = 0.5
SAY_EVERY = 500
STARTS_S = 60.0
#: Ended over a photo: none of these files should bring it so far.
WORSE = ("gave_up", "took_too_long", "internal")


@contextmanager
def service(workers: int) -> Iterator[tuple[str, int]]:
    """A service on a free port: its address and process."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        words = ["-c", RUN, "serve", "--port", str(port), "--data", folder]
        settings = {
            "CROKINOLE_WORKERS": str(workers),
            "CROKINOLE_QUEUE": "64",
            "CROKINOLE_UPLOADS_PER_MINUTE": "100000",
            "CROKINOLE_LOG_LEVEL": "error",
        }
        process = subprocess.Popen([sys.executable, *words], env={**os.environ, **settings})
        address = f"http://127.0.0.1:{port}"
        try:
            wait_until_ready(address)
            yield address, process.pid
        finally:
            process.terminate()
            process.wait()


def wait_until_ready(address: str) -> None:
    ends = time.monotonic() + STARTS_S
    while True:
        try:
            if httpx.get(f"{address}/readyz", trust_env=False).is_success:
                return
        except httpx.TransportError:
            pass
        if time.monotonic() > ends:
            raise SystemExit("the service did not start")
        time.sleep(0.2)


async def answers(address: str, photos: Iterable[bytes], at_once: int) -> Counter[tuple[int, str]]:
    """How often each status and code was answered."""
    found: Counter[tuple[int, str]] = Counter()
    left = iter(photos)

    async def send() -> None:
        async with httpx.AsyncClient(base_url=address, timeout=300, trust_env=False) as client:
            for photo in left:
                answer = await client.post("/api/v1/readings", files={"photo": ("a.jpg", photo)})
                code = answer.json()["code"] if answer.is_error else "read"
                found[answer.status_code, code] += 1
                if found.total() % SAY_EVERY == 0:
                    print(f"{found.total()}: {dict(found)}", file=sys.stderr, flush=True)

    await asyncio.gather(*(send() for _ in range(at_once)))
    return found


class Memory:
    """The most memory a process and its children were seen to take, in megabytes."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.server_mb = self.worker_mb = 0.0
        self.workers: set[int] = set()

    async def watch(self) -> None:
        while True:
            self.server_mb = max(self.server_mb, peak_mb(self.pid))
            for child in children(self.pid):
                taken_mb = peak_mb(child)
                if taken_mb > 30:  # not the helper that starts the others
                    self.workers.add(child)
                    self.worker_mb = max(self.worker_mb, taken_mb)
            await asyncio.sleep(LOOK_S)


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()] + [
        int(word)
        for task in Path(f"/proc/{pid}/task").iterdir()
        if task.name != str(pid)
        for word in (task / "children").read_text().split()
    ]


def peak_mb(pid: int) -> float:
    """The most a process had in memory so far (VmHWM of proc(5)); 0 when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next(
        (int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0
    )


async def measured(
    address: str, pid: int, photos: Iterable[bytes], at_once: int
) -> tuple[Counter[tuple[int, str]], Memory]:
    memory = Memory(pid)
    watching = asyncio.create_task(memory.watch())
    found = await answers(address, photos, at_once)
    watching.cancel()
    return found, memory


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--photos", type=int, default=10_000)
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    files = chain(misleading().values(), mutants(chosen.photos, WIDTH_PX))
    with service(chosen.workers) as (address, pid):
        began_s = time.monotonic()
        found, memory = asyncio.run(measured(address, pid, files, 2 * chosen.workers))
        took_s = time.monotonic() - began_s
        with Client(address) as client:
            reads = bool(client.read_photo(small_photo())["discs"])
    for (status, code), count in sorted(found.items()):
        print(f"{status} {code:20} {count:6}")
    print(f"{found.total()} files in {took_s:.0f} s")
    print(f"server at most {memory.server_mb:.0f} MB, a worker at most {memory.worker_mb:.0f} MB")
    print(
        f"{len(memory.workers)} workers used; an ordinary photo is {'still' if reads else 'NO LONGER'} read"
    )
    bad = [key for key in found if key[0] not in (201, 422) or key[1] in WORSE]
    return 0 if reads and not bad and len(memory.workers) <= chosen.workers else 1


if __name__ == "__main__":
    sys.exit(main())

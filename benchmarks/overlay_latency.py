"""How long after an event the overlay shows it in the system's Chromium, from the request to the painting.

``python -m benchmarks.overlay_latency`` runs a service and an overlay on this machine and makes one change
after the other, as a scorekeeper's device does. The clock starts when the request leaves, so that the
service's own work is in it, and beside it when the message is published; it stops after the second animation
frame that follows the change in the page, when it has been painted.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, sync_playwright

from benchmarks.service_processes import ServerProcess, server
from benchmarks.web_stage import CHROMIUM, SETTLED, STREAM, launched, put_match, put_round
from service.client import Client

SAMPLE = Path(__file__).resolve().parents[1] / "sample_images" / "white-board.jpg"

#: Notes when a change of the page has been painted, by the feed's number that the page shows it has.
PAINTED = """
window.painted = new Promise((ready) => addEventListener("DOMContentLoaded", () => {
  const stage = document.getElementById("stage");
  const seen = new Map();
  new MutationObserver(() => {
    const seq = Number(stage.dataset.seq);
    const painted = () => seen.has(seq) || seen.set(seq, Date.now() / 1000);
    requestAnimationFrame(() => requestAnimationFrame(painted));
  }).observe(stage, { attributes: true, attributeFilter: ["data-seq"] });
  ready(seen);
}));
"""


@contextmanager
def overlay(hall: ServerProcess, table: str) -> Iterator[Page]:
    """The overlay of a table in a window of 1920 x 1080, with motion as in a stream."""
    with sync_playwright() as playwright, launched(playwright) as browser:
        look = {**SETTLED, **STREAM, "reduced_motion": "no-preference"}
        page = browser.new_page(base_url=hall.address, **look)
        page.add_init_script(PAINTED)
        page.goto(f"/overlay/{table}")
        page.wait_for_selector("#bug:not([hidden])")
        yield page


@dataclass
class Table:
    """A match on a table, and a reading of a sample photo that its rounds rest on."""

    client: httpx.Client
    name: str
    match: dict[str, Any]
    reading: dict[str, Any]

    def change(self, number: int) -> None:
        """In turn a round with every disc, a correction of it, and both taken back."""
        path = f"/api/v1/matches/{self.match['id']}"
        disc = next(disc["id"] for disc in self.reading["discs"] if disc["place"] == "board")
        decision = {"disc": disc, "why": "looked"}
        if number % 4 == 0:
            words = [side["team"] for side in self.reading["sides"]]
            self.match = put_round(
                self.client,
                self.match,
                reading=self.reading["id"],
                teams=dict(zip(words, ("Anna", "Ben"), strict=True)),
                decisions=[{**decision, "region": 5}],
            )
            return
        event = self.match["state"]["games"][0]["rounds"][-1]["event"]
        told = {"decisions": [{**decision, "region": 10}], "reason": "looked"}
        answer = (
            self.client.post(f"{path}/rounds/{event}/correction", json=told)
            if number % 4 == 1
            else self.client.post(f"{path}/undo")
        )
        answer.raise_for_status()
        self.match = answer.json()

    @property
    def seq(self) -> int:
        """The number of the last message."""
        seq: int = self.client.get(f"/api/v1/tables/{self.name}").json()["seq"]
        return seq


def measure(
    hall: ServerProcess, page: Page, table: Table, events: int, pause_s: float
) -> dict[str, list[float]]:
    """Seconds to the painted picture for each event, from the request and from the publishing."""
    began = table.seq
    sent: dict[int, float] = {}
    for number in range(events):
        at = time.time()
        table.change(number)
        sent[table.seq] = at
        page.wait_for_timeout(1000 * pause_s)
    painted = {int(seq): at for seq, at in page.evaluate("painted.then((seen) => [...seen])")}
    published = _published(hall, table, began)
    found = [seq for seq in sent if seq in painted]
    assert len(found) == events, f"{events - len(found)} events were never painted"
    return {
        "from the request": [painted[seq] - sent[seq] for seq in found],
        "from the publishing": [painted[seq] - published[seq] for seq in found],
    }


def _published(hall: ServerProcess, table: Table, began: int) -> dict[int, float]:
    """When each message after a number was published."""
    last, found = table.seq, {}
    with Client(hall.address) as client:
        for message in client.live(table.name, began):
            found[message["seq"]] = message["t_s"]
            if message["seq"] == last:
                break
    return found


def _quantile(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[round(100 * share) - 1]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=120)
    parser.add_argument("--pause", type=float, default=0.25, help="seconds between two events")
    parser.add_argument("--goal-ms", type=float, default=150.0)
    given = parser.parse_args()
    if CHROMIUM is None:
        raise SystemExit("no Chromium on this machine: Debian has it as the package chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        server(data_dir=folder, log_level="warning") as hall,
        httpx.Client(base_url=hall.address, timeout=60.0) as client,
    ):
        with Client(hall.address) as reader:
            reading = reader.read_photo(SAMPLE)
        table = Table(client, "stream", put_match(client, "stream"), reading)
        with overlay(hall, table.name) as page:
            taken = measure(hall, page, table, given.events, given.pause)
    print(f"{given.events} events")
    for name, values in taken.items():
        middle, high, worst = (
            1000 * value for value in (statistics.median(values), _quantile(values, 0.95), max(values))
        )
        print(f"{name}: median {middle:.0f} ms, 95th percentile {high:.0f} ms, worst {worst:.0f} ms")
    if 1000 * _quantile(taken["from the request"], 0.95) > given.goal_ms:
        raise SystemExit(f"the 95th percentile is above {given.goal_ms:.0f} ms")


if __name__ == "__main__":
    main()

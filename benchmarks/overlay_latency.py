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
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from service.store.feed import messages_after
from tests.service.running import Running, running
from tests.web.browser import CHROMIUM, STREAM, launched, window
from tests.web.position import POSITION, put_match, put_reading, put_round

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
def overlay(hall: Running, table: str) -> Iterator[Page]:
    """The overlay of a table in a window of 1920 x 1080, with motion as in a stream."""
    with (
        sync_playwright() as playwright,
        launched(playwright) as browser,
        window(browser, hall.address, STREAM, reduced_motion="no-preference") as page,
    ):
        page.add_init_script(PAINTED)
        page.goto(f"/overlay/{table}")
        page.wait_for_selector("#bug:not([hidden])")
        yield page


def measure(hall: Running, page: Page, table: str, events: int, pause_s: float) -> dict[str, list[float]]:
    """Seconds to the painted picture for each event, from the request and from the publishing."""
    match = put_match(hall, table, {"preset": "nca", "options": ["first_to_9"]})
    sent: dict[int, float] = {}
    for number in range(events):
        at = time.time()
        match = _one_change(hall, match, table, number)
        sent[_seq(hall, table)] = at
        page.wait_for_timeout(1000 * pause_s)
    painted = {int(seq): at for seq, at in page.evaluate("painted.then((seen) => [...seen])")}
    published = _published(hall, table)
    found = [seq for seq in sent if seq in painted]
    assert len(found) == events, f"{events - len(found)} events were never painted"
    return {
        "from the request": [painted[seq] - sent[seq] for seq in found],
        "from the publishing": [painted[seq] - published[seq] for seq in found],
    }


def _one_change(hall: Running, match: dict[str, Any], table: str, number: int) -> dict[str, Any]:
    """In turn a reading with every disc, a round, and its undo."""
    if number % 3 == 0:
        moved = [{**disc, "x_mm": disc["x_mm"] + number % 7} for disc in POSITION["discs"]]
        put_reading(hall, table, {**POSITION, "discs": moved})
        return match
    if number % 3 == 1:
        return put_round(hall, match, 45, 20)
    answer = hall.client.post(f"/api/v1/matches/{match['id']}/undo")
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def _seq(hall: Running, table: str) -> int:
    seq: int = hall.client.get(f"/api/v1/tables/{table}").json()["seq"]
    return seq


def _published(hall: Running, table: str) -> dict[int, float]:
    with hall.service.store.read() as connection:
        return {body["seq"]: body["t_s"] for body in messages_after(connection, table, 0)}


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
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as hall:
        put_match(hall, "stream")
        with overlay(hall, "stream") as page:
            taken = measure(hall, page, "stream", given.events, given.pause)
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

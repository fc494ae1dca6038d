"""The system's Chromium with windows of a phone, a laptop and a stream, and a match to show in them."""

from __future__ import annotations

import shutil
from typing import Any

import httpx
from playwright.sync_api import Browser, Playwright

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 860}}
STREAM: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}

#: How people of the pages' pictures and tests read: English, nothing that moves.
SETTLED: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce"}


def launched(playwright: Playwright) -> Browser:
    """The system's Chromium with a fresh profile."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])


def put_match(client: httpx.Client, table: str, rules: str | dict[str, Any] = "nca", **more: Any) -> Any:
    """Begin a match of Anna (dark) and Ben (light) on a table."""
    sides = [{"name": "Anna", "colour": "dark"}, {"name": "Ben", "colour": "light"}]
    answer = client.post("/api/v1/matches", json={"table": table, "sides": sides, "rules": rules, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def put_round(client: httpx.Client, match: dict[str, Any], **body: Any) -> Any:
    """Score a round, as somebody at another device does."""
    answer = client.post(f"/api/v1/matches/{match['id']}/rounds", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()

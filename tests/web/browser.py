"""The system's Chromium, driven by Playwright: windows of a phone and of a laptop, and what went wrong."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright

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


def launched(playwright: Playwright) -> Browser:
    """The system's Chromium with a fresh profile."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])


@contextmanager
def window(browser: Browser, address: str, kind: dict[str, Any], **more: Any) -> Iterator[Page]:
    """A page of a new window. Nothing may have been thrown in it or refused by its content policy."""
    settings = {"locale": "en-GB", "reduced_motion": "reduce", **kind, **more}
    context = browser.new_context(base_url=address, **settings)
    wrong: list[str] = []
    watch(context, wrong)
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield page
    context.close()
    assert not wrong, "\n".join(wrong)


def watch(context: BrowserContext, wrong: list[str]) -> None:
    """Collect what a window's scripts throw, and what its console calls an error.

    The browser itself calls every refusal of the interface one; pages expect those and tell them.
    """

    def said(message: ConsoleMessage) -> None:
        if message.type == "error" and "/api/" not in message.location["url"]:
            wrong.append(message.text)

    context.on("weberror", lambda error: wrong.append(str(error.error)))
    context.on("console", said)

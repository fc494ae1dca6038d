"""The system's Chromium, driven by Playwright: windows of a phone and of a laptop, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from benchmarks.web_stage import CHROMIUM, DESKTOP, PHONE, SETTLED, STREAM, launched

__all__ = ["CHROMIUM", "DESKTOP", "PHONE", "STREAM", "launched", "watch", "window"]


@contextmanager
def window(browser: Browser, address: str, kind: dict[str, Any], **more: Any) -> Iterator[Page]:
    """A page of a new window. Nothing may have been thrown in it or refused by its content policy."""
    settings = {**SETTLED, **kind, **more}
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

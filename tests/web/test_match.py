"""A whole match of four rounds in a real browser, from sample photos, with corrections and an undo."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.running import Running
from tests.web.browser import DESKTOP, PHONE, window
from tests.web.position import match_on

SAMPLES = Path(__file__).parents[2] / "sample_images"
#: At most 8 discs a side: what NCA's singles play with (nca discs).
PHOTOS = ("white-board", "black-board", "walnut-arm")

#: A photo is read in about two seconds, in many more while the machine does other things.
READ_MS = 90_000


def photographed(page: Page, photo: str) -> None:
    page.set_input_files("#take", SAMPLES / f"{photo}.jpg")
    page.wait_for_selector("[data-view=review]", timeout=READ_MS)
    expect(page.locator("#confirm")).to_be_enabled()


def counted(page: Page) -> list[int]:
    """The totals the page shows for the round under review, once they are fresh."""
    expect(page.locator("#result:not(.stale)")).to_be_visible()
    return [int(text.split()[0]) for text in page.locator(".side-row .total").all_inner_texts()]


def rounds(hall: Running, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = match_on(hall, table)["state"]["games"][0]["rounds"]
    return found


@pytest.mark.parametrize(("table", "kind"), [("phone", PHONE), ("desk", DESKTOP)])
def test_a_match_of_four_rounds(hall: Running, browser: Browser, table: str, kind: dict[str, Any]) -> None:
    with window(browser, hall.address, kind) as page:
        page.goto("/")
        page.fill("#table-name", table)
        page.click("#new-table button")
        page.fill("#side-0", "Anna")
        page.fill("#side-1", "Ben")
        page.click("#view-new button.primary")
        expect(page.locator("#bug")).to_contain_text("Round 1 of 4")

        # Round 1: a 20 for Anna, and one of the discs was seen wrong.
        photographed(page, PHOTOS[0])
        before = counted(page)
        page.click("#twenty-0-plus")
        expect(page.locator(".side-row .total").first).to_contain_text(str(before[0] + 20))
        disc = page.locator("#review-board .disc[aria-label*=Ben]:not(.out):not(:has(.halo))").last
        disc.focus()
        page.keyboard.press("Enter")
        page.locator("dialog .sheet-body button").filter(has_text=re.compile("^0")).click()
        expect(page.locator("#review-board .disc.decided")).to_have_count(1)
        expect(page.locator(".side-row .total").nth(1)).not_to_contain_text(str(before[1]))
        shown = counted(page)
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
        assert rounds(hall, table)[0]["totals"] == shown
        assert rounds(hall, table)[0]["basis"] == "measured"

        # Round 2: confirmed too early and undone: the board comes back, and the colours are swapped.
        photographed(page, PHOTOS[1])
        as_seen = counted(page)
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 3 of 4")
        page.click(".toast button")
        page.wait_for_selector("[data-view=review]")
        assert len(rounds(hall, table)) == 1
        assert counted(page) == as_seen
        page.click("#swap")
        assert counted(page) == as_seen[::-1]
        page.click("#twenty-1-plus")
        expect(page.locator(".side-row .total").nth(1)).to_contain_text(str(as_seen[0] + 20))
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 3 of 4")
        # Undone once more: what was decided is still there, and counts once.
        page.click(".toast button")
        page.wait_for_selector("[data-view=review]")
        assert counted(page) == [as_seen[1], as_seen[0] + 20]
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 3 of 4")
        assert rounds(hall, table)[1]["totals"] == [as_seen[1], as_seen[0] + 20]

        # Round 3: from a photo, then corrected on the board.
        photographed(page, PHOTOS[2])
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 4 of 4")
        was = rounds(hall, table)[2]["totals"]
        page.click("#rounds tbody tr:nth-child(3) button")
        page.click("dialog button:has-text('Change discs and 20s')")
        expect(page.locator("#confirm")).to_be_enabled(timeout=READ_MS)
        assert counted(page) == was
        page.click("#twenty-0-plus")
        expect(page.locator(".side-row .total").first).to_contain_text(str(was[0] + 20))
        page.click("#confirm")
        expect(page.locator("#rounds tbody tr:nth-child(3)")).to_contain_text("corrected")
        assert rounds(hall, table)[2]["totals"] == [was[0] + 20, was[1]]

        # Round 4: no photo; typed in.
        page.click("#type")
        page.fill("dialog [name=total-0]", "65")
        page.fill("dialog [name=total-1]", "40")
        page.click("dialog .sheet-actions")
        expect(page.locator("#view-over")).to_be_visible()
        match = match_on(hall, table)
        assert match["state"]["over"]
        assert rounds(hall, table)[3]["totals"] == [65, 40]
        winner = match["state"]["winner"]
        expect(page.locator("#over-title")).to_contain_text(winner or "tie")
        for points in match["state"]["games"][0]["points"]:
            expect(page.locator("#bug")).to_contain_text(str(points))

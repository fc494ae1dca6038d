"""The line call's page: a photo, a tap on the disc, the ruling over the whole screen."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, expect

from tests.service.running import Running
from tests.web.browser import PHONE, window
from tests.web.test_match import READ_MS, SAMPLES


def test_a_tap_on_a_disc_in_a_photo_shows_the_ruling(hall: Running, browser: Browser) -> None:
    truth = json.loads((SAMPLES / "white-board.json").read_text(encoding="utf-8"))
    disc = next(one for one in truth["discs"] if one["place"] == "board")
    with window(browser, hall.address, PHONE) as page:
        page.goto("/linecall")
        page.set_input_files("#choose", SAMPLES / "white-board.jpg")
        photo = page.locator("#aim-photo")
        expect(photo).to_be_visible()
        photo.evaluate("photo => photo.decode()")
        box = photo.bounding_box()
        assert box is not None
        share = box["width"] / truth["width_px"]
        x_px, y_px = disc["pixel"]
        photo.click(position={"x": x_px * share, "y": y_px * share})
        expect(page.locator("#cross")).to_be_visible()
        page.click("#rule")
        expect(page.locator("dialog h2")).to_contain_text(
            re.compile(r"line.* Gap -?[0-9.]+ ± [0-9.]+ mm"), timeout=READ_MS
        )
        report = page.locator("dialog .report")
        expect(report).to_be_visible()
        report.evaluate("picture => picture.decode()")


def test_without_a_tap_it_says_what_to_do(hall: Running, browser: Browser) -> None:
    with window(browser, hall.address, PHONE) as page:
        page.goto("/linecall")
        page.set_input_files("#choose", SAMPLES / "white-board.jpg")
        page.click("#rule")
        expect(page.locator(".toast")).to_contain_text("Tap the disc in the photo first.")
        page.locator("#aim-box").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#cross")).to_be_visible()

"""The camera panel with a real stream: seen, captured by one key, confirmed, on the overlay, and lost."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from benchmarks.service_processes import free_port
from tests.service.camera.streams import mjpeg_stream
from tests.service.running import Running
from tests.web.browser import DESKTOP, STREAM, window
from tests.web.position import match_on, put_match
from tests.web.test_match import READ_MS, SAMPLES

SAMPLE = SAMPLES / "white-board.jpg"


def test_a_round_is_scored_from_the_camera_by_one_key(hall: Running, browser: Browser) -> None:
    put_match(hall, "camera")
    port = free_port()
    with (
        window(browser, hall.address, DESKTOP) as page,
        window(browser, hall.address, STREAM) as stream,
    ):
        stream.goto("/overlay/camera")
        with mjpeg_stream(SAMPLE, port) as address:
            page.goto("/table/camera")
            page.wait_for_selector("[data-view=ready]")
            page.click("details.more summary")
            page.click("#set-camera")
            page.fill("#camera-source", address)
            page.click("dialog .primary")
            preview = page.locator("#camera-preview:not(.lost)")
            expect(preview).to_be_visible(timeout=READ_MS)
            assert preview.evaluate("picture => picture.naturalWidth") == 960
            # Until the camera has seen that the board lies still it refuses, and says so in the panel.
            page.locator("#where").focus()
            for _ in range(20):
                page.keyboard.press("Space")
                page.wait_for_selector(
                    "[data-view=review], #capture-problem:not([hidden])", timeout=READ_MS, state="attached"
                )
                if page.locator("[data-view=review]").count():
                    break
                page.wait_for_timeout(500)
            expect(page.locator("#confirm")).to_be_enabled()
            page.keyboard.press("Enter")
            expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
        (round,) = match_on(hall, "camera")["state"]["games"][0]["rounds"]
        assert (round["basis"], round["reading"] is not None) == ("measured", True)
        expect(stream.locator("#bug")).to_contain_text("Round 2 of 4")
        expect(stream.locator(".bug-rounds").first).to_contain_text(str(round["totals"][0]))
        assert stream.locator("#board .disc:not(.out)").count() >= 8
        expect(page.locator("#camera-preview.lost")).to_be_visible()
        expect(page.locator("#camera-state")).to_have_text("No picture from the camera")
        hall.client.put("/api/v1/tables/camera", json={"camera": None})
        expect(page.locator("#camera-panel")).to_be_hidden()

"""The overlay: transparent, whole from the first message, kept through an outage, quick."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.service.running import Running, running
from tests.web.browser import STREAM, window
from tests.web.position import put_match, put_reading, put_round

#: WebSockets are what a proxy or an old browser may lack.
NO_SOCKETS = "window.WebSocket = class { constructor() { setTimeout(() => this.onclose(), 0); } close() {} };"


def opened(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_selector("#bug:not([hidden])")


def pixels(page: Page) -> Any:
    """What OBS would get: red, green, blue and alpha."""
    return np.asarray(Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA"))


def test_it_shows_who_plays_and_where_every_disc_lies(hall: Running, browser: Browser) -> None:
    match = put_match(hall, "live", event_name="Club night")
    put_reading(hall, "live")
    put_round(hall, match, 45, 20)
    with window(browser, hall.address, STREAM) as page:
        opened(page, "/overlay/live")
        bug = page.locator("#bug")
        for words in ("Club night", "Round 2 of 4", "Anna", "Ben"):
            expect(bug).to_contain_text(words)
        expect(page.locator(".bug-points").first).to_contain_text("2")
        assert page.locator("#board .disc").count() == 7
        expect(page.locator("#board .disc[data-id='2']")).to_have_attribute(
            "transform", "translate(140.00 -60.00)"
        )


def test_it_shows_the_board_as_people_decided(hall: Running, browser: Browser) -> None:
    """An overruled disc, one more disc, swapped colours: on the stream as in the score (issue 5)."""
    match = put_match(hall, "decided")
    reading = put_reading(hall, "decided")
    decisions = [
        {"disc": 4, "region": 10, "why": "it touches"},
        {"side": "Ben", "region": 5, "why": "under a hand", "at_mm": [-200.0, 150.0]},
    ]
    rounds = f"/api/v1/matches/{match['id']}/rounds"
    with window(browser, hall.address, STREAM) as page:
        opened(page, "/overlay/decided")
        points = page.locator("#board .disc[data-id='4'] .points")
        expect(points).to_have_text("15")
        told = {"reading": reading, "teams": {"dark": "Anna", "light": "Ben"}, "decisions": decisions}
        assert hall.client.post(rounds, json=told).status_code == 201
        expect(points).to_have_text("10")
        added = page.locator("#board .disc[data-id='8']")
        expect(added).to_have_attribute("transform", "translate(-200.00 -150.00)")
        # Ben's discs carry a ring (the second side's pattern); those he got by the swap do, too.
        expect(added.locator(".ring")).to_have_count(1)
        expect(page.locator("#board .disc[data-id='1'] .ring")).to_have_count(0)
        swapped = {"reading": reading, "teams": {"dark": "Ben", "light": "Anna"}, "reason": "swapped"}
        assert hall.client.post(f"{rounds}/0/correction", json=swapped).status_code == 200
        expect(page.locator("#board .disc[data-id='1'] .ring")).to_have_count(1)
        expect(page.locator("#board .disc[data-id='2'] .ring")).to_have_count(0)
        expect(points).to_have_text("15")
        opened(page, "/overlay/decided")
        expect(page.locator("#board .disc[data-id='1'] .ring")).to_have_count(1)


def test_it_is_transparent_but_for_what_it_shows(hall: Running, browser: Browser) -> None:
    put_match(hall, "glass")
    put_reading(hall, "glass")
    with window(browser, hall.address, STREAM) as page:
        opened(page, "/overlay/glass")
        alpha = pixels(page)[..., 3]
        assert alpha.shape == (1080, 1920)
        assert np.mean(alpha == 0) > 0.75
        for part in ("#bug", "#board"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert alpha[int(box["y"] + box["height"] / 2), int(box["x"] + box["width"] / 2)] > 200
        assert not alpha[:400].any()


def test_its_options(hall: Running, browser: Browser) -> None:
    put_match(hall, "options")
    with window(browser, hall.address, STREAM) as page:
        opened(page, "/overlay/options")
        usual = page.locator("#bug").bounding_box()
        opened(page, "/overlay/options?scale=1.5&board=0&theme=light&lang=fr")
        larger = page.locator("#bug").bounding_box()
        assert usual is not None and larger is not None
        assert abs(larger["height"] / usual["height"] - 1.5) < 0.05
        expect(page.locator("#board-box")).to_be_hidden()
        expect(page.locator("#bug")).to_contain_text("Manche 1 sur 4")
        assert page.locator("#bug").evaluate("e => getComputedStyle(e).color") != "rgb(247, 244, 238)"


def test_it_keeps_the_last_state_through_an_outage_and_resumes(hall: Running, browser: Browser) -> None:
    match = put_match(hall, "outage")
    put_round(hall, match, 45, 20)
    lines: list[WebSocketRoute] = []
    with window(browser, hall.address, STREAM) as page:
        page.route_web_socket("**/live**", lambda line: (line.connect_to_server(), lines.append(line)))
        opened(page, "/overlay/outage")
        expect(page.locator("#stage")).to_have_attribute("data-up", "yes")
        seq = page.locator("#stage").get_attribute("data-seq")
        page.route("**/live**", lambda route: route.abort())
        lines[0].close()
        expect(page.locator("#stage")).to_have_attribute("data-up", "no")
        expect(page.locator(".bug-points").first).to_contain_text("2")
        put_round(hall, match, 20, 45)
        page.unroute("**/live**")
        expect(page.locator(".bug-points").nth(1)).to_contain_text("2")
        assert f"since={seq}" in lines[-1].url, "it asks for what it missed, not for everything"


def test_it_follows_by_server_sent_events_where_there_are_no_sockets(hall: Running, browser: Browser) -> None:
    match = put_match(hall, "events")
    with window(browser, hall.address, STREAM) as page:
        page.add_init_script(NO_SOCKETS)
        opened(page, "/overlay/events")
        put_round(hall, match, 45, 20)
        expect(page.locator(".bug-points").first).to_contain_text("2")


def test_a_guarded_service_asks_for_a_token(browser: Browser, tmp_path: Path) -> None:
    token = "sesame-open-sesame-open"
    with running(tmp_path, token=token) as hall:
        hall.client.headers["Authorization"] = f"Bearer {token}"
        put_match(hall, "secret")
        made = hall.client.post(
            "/api/v1/tokens", json={"role": "overlay", "table": "secret", "name": "stream"}
        ).json()
        with window(browser, hall.address, STREAM) as page:
            opened(page, f"/overlay/secret#token={made['token']}")
            expect(page.locator("#bug")).to_contain_text("Anna")
        with window(browser, hall.address, STREAM) as page:
            page.goto("/login?next=//evil.example/")
            page.fill("#token", "wrong-wrong-wrong-wrong")
            page.click("#login button.primary")
            expect(page.locator("#refused")).to_be_visible()
            page.fill("#token", token)
            page.click("#login button.primary")
            page.wait_for_url(f"{hall.address}/")
            expect(page.locator("#tables")).to_contain_text("Anna")
        with window(browser, hall.address, STREAM) as page:
            # The link that is printed at the start signs in by itself, and the token is nowhere to be seen.
            page.goto(f"/login?next=/table/secret#token={token}")
            page.wait_for_url(f"{hall.address}/table/secret")
            expect(page.locator("#bug")).to_contain_text("Anna")
            page.go_back()
            assert token not in page.url
            page.goto("/login#token=wrong-wrong-wrong-wrong")
            expect(page.locator("#refused")).to_be_visible()
            assert "token" not in page.url

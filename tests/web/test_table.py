"""The table's page: two at once, no connection, keys, the language, what can be heard and touched."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from sqlalchemy import select

from service.store.tables import decisions
from tests.service.running import Running, running
from tests.web.browser import DESKTOP, PHONE, window
from tests.web.position import POSITION, disc, match_on, put_match, put_reading, put_round, reading_body
from tests.web.test_match import SAMPLES


def reviewing(page: Page, hall: Running, table: str, body: dict[str, Any] = POSITION) -> None:
    """Open a table's page and have a reading come in, as from its camera or another device."""
    page.goto(f"/table/{table}")
    page.wait_for_selector("[data-view=ready]")
    expect(page.locator("#line")).to_have_attribute("data-up", "yes")
    put_reading(hall, table, body)
    page.wait_for_selector("[data-view=review]")
    expect(page.locator("#result")).to_contain_text("wins the round")


def correct_first_round(page: Page) -> None:
    """Open the first round for a change of its discs and 20s."""
    page.click("#rounds tbody tr button")
    page.click("dialog button:has-text('Change discs and 20s')")


def test_the_second_of_two_scorekeepers_is_shown_what_changed(hall: Running, browser: Browser) -> None:
    match = put_match(hall, "two")
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "two")

        def too_late(route: Route) -> None:
            # Another device confirms while this request is on its way.
            put_round(hall, match, 45, 20)
            route.continue_()

        page.route("**/rounds", too_late, times=1)
        page.click("#confirm")
        expect(page.locator(".toast")).to_contain_text("Changed by somebody else")
        expect(page.locator(".toast")).to_contain_text("Anna 45, Ben 20")
        expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
    assert len(match_on(hall, "two")["state"]["games"][0]["rounds"]) == 1


def test_a_lost_answer_does_not_score_twice(hall: Running, browser: Browser) -> None:
    put_match(hall, "twice")
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "twice")
        keys: list[str | None] = []

        def lost(route: Route) -> None:
            keys.append(route.request.header_value("Idempotency-Key"))
            if len(keys) > 1:
                route.continue_()
                return
            route.fetch()  # it is done, but nobody hears of it
            route.abort()

        page.route("**/rounds", lost)
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
        page.wait_for_timeout(1200)
    assert len(match_on(hall, "twice")["state"]["games"][0]["rounds"]) == 1
    assert len(set(keys)) == 1


def test_a_photo_that_cannot_be_sent_is_kept_over_a_reload_and_sent_again(
    hall: Running, browser: Browser
) -> None:
    put_match(hall, "kept")
    with window(browser, hall.address, PHONE) as page:
        page.goto("/table/kept")
        page.wait_for_selector("[data-view=ready]")
        page.route("**/api/v1/readings", lambda route: route.fulfill(status=500, json={"code": "internal"}))
        page.set_input_files("#choose", SAMPLES / "white-board.jpg")
        expect(page.locator("#kept")).to_contain_text("white-board.jpg")
        page.unroute("**/api/v1/readings")
        page.reload()
        expect(page.locator("#kept")).to_contain_text("white-board.jpg")
        page.click("#kept .primary")
        page.wait_for_selector("[data-view=review]", timeout=90_000)
        page.wait_for_selector("#kept:empty", state="attached")


def test_a_photo_without_a_board_is_refused_in_words_and_not_kept(hall: Running, browser: Browser) -> None:
    put_match(hall, "refused")
    with window(browser, hall.address, PHONE) as page:
        page.goto("/table/refused")
        page.wait_for_selector("[data-view=ready]")
        page.set_input_files(
            "#choose", {"name": "notes.jpg", "mimeType": "image/jpeg", "buffer": b"not a picture"}
        )
        expect(page.locator(".toast")).to_contain_text("This file is not a picture.")
        expect(page.locator("#kept")).to_be_empty()


def test_a_close_call_is_overruled_in_one_tap_with_who_and_why(hall: Running, browser: Browser) -> None:
    put_match(hall, "close")
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "close")
        expect(page.locator("#doubts")).to_contain_text(
            "Too close to the 15 line: 0.5 ± 0.4 mm. Counted 15, or 10."
        )
        page.click("#doubts .answers button:text-is('10')")
        expect(page.locator(".side-row .total").first).to_contain_text("35")
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
    with hall.service.store.read() as connection:
        decided = connection.execute(select(decisions)).one()
    assert (decided.disc, decided.was["region"], decided.now["region"]) == (4, 15, 10)
    assert (decided.who, decided.why) == ("Scorekeeper", "Touches the 15 line")


def test_a_round_that_cannot_be_says_why_and_cannot_be_confirmed(hall: Running, browser: Browser) -> None:
    put_match(hall, "toomany")
    nine = [disc(n, "dark", 30.0 * n - 150, 150.0, 10) for n in range(1, 10)]
    with window(browser, hall.address, PHONE) as page:
        page.goto("/table/toomany")
        page.wait_for_selector("[data-view=ready]")
        expect(page.locator("#line")).to_have_attribute("data-up", "yes")
        put_reading(hall, "toomany", reading_body(*nine, disc(10, "light", 0.0, -150.0, 10)))
        expect(page.locator("#result.refused")).to_contain_text("8 discs")
        expect(page.locator("#confirm")).to_be_disabled()
        # The way out: one of them is no disc.
        page.locator("#review-board .disc").first.focus()
        page.keyboard.press("Enter")
        page.click("dialog button:has-text('No disc here')")
        expect(page.locator("#confirm")).to_be_enabled()


def test_a_finger_beside_a_disc_means_the_nearest(hall: Running, browser: Browser) -> None:
    put_match(hall, "finger")
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "finger")
        box = page.locator("#review-board .disc[data-id='5'] .body").bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] / 2 + 18, box["y"] + box["height"] / 2)
        expect(page.locator("dialog h2")).to_have_text("Disc 5 · Anna")


def test_a_review_is_still_open_after_a_reload_and_stays_closed_once_discarded(
    hall: Running, browser: Browser
) -> None:
    put_match(hall, "reload")
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "reload")
        page.reload()
        page.wait_for_selector("[data-view=review]")
        expect(page.locator("#confirm")).to_be_enabled()
        page.click("#discard")
        page.wait_for_selector("[data-view=ready]")
        page.reload()
        expect(page.locator("#line")).to_have_attribute("data-up", "yes")
        expect(page.locator("#last-board .disc")).to_have_count(len(POSITION["discs"]))
        assert page.locator("#page").get_attribute("data-view") == "ready"


def test_a_disc_that_the_photo_missed_is_added_where_it_lies(hall: Running, browser: Browser) -> None:
    put_match(hall, "missed")
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "missed")
        box = page.locator("#review-board svg").bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + 0.3 * box["width"], box["y"] + 0.25 * box["height"])
        expect(page.locator("dialog h2")).to_have_text("Add a disc")
        page.click("dialog .choice label:has-text('Ben')")
        expect(page.locator("dialog .likely")).to_have_text("5")
        page.click("dialog .likely")
        expect(page.locator(".side-row .total").nth(1)).to_contain_text("30")
        # Without a place to tap: from a keyboard or a screen reader.
        page.click("#add-disc")
        page.click("dialog button:text-is('20')")
        expect(page.locator(".side-row .total").first).to_contain_text("60")
        # And one of them was none after all.
        page.locator("#review-board .disc[data-id='8']").focus()
        page.keyboard.press("Enter")
        page.click("dialog button:has-text('No disc here')")
        expect(page.locator(".side-row .total").nth(1)).to_contain_text("25")
        page.touchscreen.tap(box["x"] + 0.3 * box["width"], box["y"] + 0.25 * box["height"])
        page.click("dialog .likely")
        expect(page.locator(".side-row .total").first).to_contain_text("65")
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
        expect(page.locator("#last-board .disc")).to_have_count(len(POSITION["discs"]) + 1)
        # A correction has them, and can take one away again.
        correct_first_round(page)
        expect(page.locator(".side-row .total").first).to_contain_text("65")
        expect(page.locator("#review-board .disc")).to_have_count(len(POSITION["discs"]) + 1)
        page.click(".discs-list summary")
        page.click("[aria-label='Change disc 9']")
        page.click("dialog button:has-text('No disc here')")
        expect(page.locator(".side-row .total").first).to_contain_text("45")
        page.click("#confirm")
        expect(page.locator("#rounds tbody")).to_contain_text("corrected")
    (round,) = match_on(hall, "missed")["state"]["games"][0]["rounds"]
    assert round["totals"] == [45, 25]


def test_swapped_colours_keep_what_was_decided(hall: Running, browser: Browser) -> None:
    put_match(hall, "swapped")
    totals = ".side-row .total"
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "swapped")
        # Dark 20 + 10 + 5 and a light 15; light 10 + 10 + 5 and one that was missed; a 20 of Ben's own.
        page.click("#doubts .answers button:text-is('10')")
        page.click("#add-disc")
        page.click("dialog .choice label:has-text('Ben')")
        page.click("dialog button:text-is('15')")
        page.click("#twenty-1-plus")
        expect(page.locator(totals).nth(1)).to_contain_text("60")
        page.click("#swap")
        expect(page.locator(totals).first).to_contain_text("40")
        expect(page.locator(totals).nth(1)).to_contain_text("55")
        page.click("#swap")
        expect(page.locator(totals).nth(1)).to_contain_text("60")
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
        correct_first_round(page)
        expect(page.locator("#review-title")).to_have_text("Correct round 1")
        expect(page.locator("#discard")).to_have_text("Cancel")
        expect(page.locator("#result:not(.stale)")).to_be_visible()
        expect(page.locator(".toast")).to_have_count(0)
        expect(page.locator(totals).nth(1)).to_contain_text("60")
        page.click("#swap")
        expect(page.locator(totals).first).to_contain_text("40")
        expect(page.locator(totals).nth(1)).to_contain_text("55")
        expect(page.locator("#doubts")).to_contain_text("Disc 4 · Ben · 10")
        expect(page.locator("#doubts")).to_contain_text("Decided when the round was entered.")
        assert page.locator("#review-board .disc[data-id='4'] .halo").count() == 0
        expect(page.locator("#discs-table tbody tr", has_text="8Anna15")).to_have_count(1)
        page.click("#confirm")
        expect(page.locator("#rounds tbody")).to_contain_text("corrected")
    (round,) = match_on(hall, "swapped")["state"]["games"][0]["rounds"]
    assert round["totals"] == [40, 55]


def test_a_disc_that_was_none_is_put_back_by_a_correction(hall: Running, browser: Browser) -> None:
    put_match(hall, "back")
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "back")
        page.locator("#review-board .disc[data-id='5']").focus()
        page.keyboard.press("Enter")
        page.click("dialog button:has-text('No disc here')")
        expect(page.locator(".side-row .total").first).to_contain_text("35")
        page.click("#confirm")
        expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
        correct_first_round(page)
        expect(page.locator("#review-title")).to_have_text("Correct round 1")
        expect(page.locator("#result:not(.stale)")).to_be_visible()
        page.locator("#review-board .disc.out[data-id='5']").focus()
        page.keyboard.press("Enter")
        page.click("dialog .answers-grid button >> nth=0")
        expect(page.locator(".side-row .total").first).to_contain_text("40")


def test_the_keys_of_a_laptop(hall: Running, browser: Browser) -> None:
    put_match(hall, "keys")
    with window(browser, hall.address, DESKTOP) as page:
        reviewing(page, hall, "keys")
        page.keyboard.press("1")
        expect(page.locator(".side-row .total").first).to_contain_text("60")
        page.keyboard.press("Shift+1")
        expect(page.locator(".side-row .total").first).to_contain_text("40")
        page.locator("#review-board .disc[tabindex='0']").focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.dataset.id") == "2"
        page.keyboard.press("Enter")
        expect(page.locator("dialog[open]")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        assert page.evaluate("document.activeElement.dataset.id") == "2"
        page.locator("#review-title").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#bug")).to_contain_text("Round 2 of 4")
        page.keyboard.press("u")
        page.click("dialog .primary")
        page.wait_for_selector("[data-view=review]")
        page.locator("#review-title").focus()
        page.keyboard.press("Escape")
        expect(page.locator("#bug")).to_contain_text("Round 1 of 4")
        page.keyboard.press("?")
        expect(page.locator("dialog")).to_contain_text("Confirm the round")


def test_a_change_by_somebody_else_is_shown_and_said(hall: Running, browser: Browser) -> None:
    match = put_match(hall, "heard")
    with window(browser, hall.address, DESKTOP) as page:
        page.goto("/table/heard")
        expect(page.locator("#line")).to_have_attribute("data-up", "yes")
        put_round(hall, match, 45, 20)
        expect(page.locator("#say")).to_have_text("Round 1: Anna 45, Ben 20.")
        expect(page.locator("#rounds tbody")).to_contain_text("45")


def test_the_page_in_french(hall: Running, browser: Browser) -> None:
    put_match(hall, "francais")
    with window(browser, hall.address, PHONE, locale="fr-CA") as page:
        page.goto("/table/francais")
        page.wait_for_selector("[data-view=ready]")
        assert page.evaluate("document.documentElement.lang") == "fr"
        expect(page.locator("#bug")).to_contain_text("Manche 1 sur 4")
        put_reading(hall, "francais")
        expect(page.locator("#doubts")).to_contain_text("Trop près de la ligne du 15 : 0,5 ± 0,4 mm")
        page.select_option("#language", "en")
        expect(page.locator("#bug")).to_contain_text("Round 1 of 4")


def test_the_theme_follows_the_device_and_the_switch(hall: Running, browser: Browser) -> None:
    def ground(page: Page) -> str:
        found: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return found

    with window(browser, hall.address, PHONE, color_scheme="dark") as page:
        page.goto("/")
        page.wait_for_selector("#tables:not([aria-busy])", state="attached")
        dark = ground(page)
        page.click("#theme")
        light = ground(page)
        assert light != dark
        page.reload()
        assert ground(page) == light


@pytest.mark.parametrize("view", ["new", "ready", "review"])
def test_everything_can_be_touched_and_has_a_name(hall: Running, browser: Browser, view: str) -> None:
    """Targets of 48 px (Android's guide; WCAG 2.5.8 asks 24), and a name for each (WCAG 4.1.2)."""
    table = f"touch-{view}"
    if view != "new":
        put_match(hall, table)
    with window(browser, hall.address, PHONE) as page:
        if view == "review":
            reviewing(page, hall, table)
        else:
            page.goto(f"/table/{table}")
            page.wait_for_selector(f"[data-view={view}]")
        for control in page.locator(
            "button:visible, select:visible, a:visible, label.pick:visible, summary:visible"
        ).all():
            box = control.bounding_box()
            assert box is not None
            html = control.evaluate("element => element.outerHTML.slice(0, 160)")
            if "skip" not in html:
                assert min(box["width"], box["height"]) >= 47.5, html
            name = control.evaluate(
                "e => e.getAttribute('aria-label') || e.innerText.trim() || e.labels?.[0]?.innerText"
            )
            assert name, html
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.parametrize("locale", ["en-CA", "fr-CA"])
def test_long_names_are_not_broken_and_make_no_page_wider(
    hall: Running, browser: Browser, locale: str
) -> None:
    table = f"long-{locale}"
    sides = [{"name": "Geneviève", "colour": "dark"}, {"name": "Maximilienne-Élisabeth", "colour": "light"}]
    assert hall.client.post("/api/v1/matches", json={"table": table, "sides": sides}).status_code == 201
    with window(browser, hall.address, PHONE, locale=locale) as page:
        page.goto(f"/table/{table}")
        expect(page.locator("#line")).to_have_attribute("data-up", "yes")
        put_reading(hall, table)
        expect(page.locator("#result:not(.stale)")).to_contain_text("Geneviève")
        name = page.locator(".side-row strong").first
        assert name.evaluate("e => e.offsetHeight < 1.5 * parseFloat(getComputedStyle(e).lineHeight)")
        page.click(".discs-list summary")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        # A page wider than the window takes the buttons at its bottom from under the finger.
        page.click("#confirm")
        page.wait_for_selector("[data-view=ready]")


def test_photos_are_taken_where_a_hand_holds_the_camera(hall: Running, browser: Browser) -> None:
    put_match(hall, "hand")
    for kind, shown in ((PHONE, True), (DESKTOP, False)):
        with window(browser, hall.address, kind) as page:
            for path in ("/table/hand", "/linecall"):
                page.goto(path)
                expect(page.locator("#take-label")).to_be_visible(visible=shown)
                expect(page.locator("label.primary:visible")).to_have_count(1)
                expect(page.locator("#choose-label")).to_be_visible()


def test_the_first_table_has_a_name_and_a_match_goes_out_and_in(
    tmp_path: Path, hall: Running, browser: Browser
) -> None:
    with running(tmp_path) as kitchen, window(browser, kitchen.address, PHONE) as page:
        page.goto("/")
        expect(page.locator("#table-name")).to_have_value("1")
        page.click("#new-table button")
        page.wait_for_selector("[data-view=new]")
        match = put_match(hall, "out")
        put_round(hall, match, 45, 20)
        file = tmp_path / "match.json"
        file.write_bytes(hall.client.get(f"/api/v1/matches/{match['id']}/export").content)
        page.goto("/")
        page.set_input_files("#bring-in", SAMPLES / "white-board.json")
        expect(page.locator(".toast")).to_contain_text("This is not a match file.")
        page.set_input_files("#bring-in", file)
        expect(page.locator(".toast")).to_contain_text("Anna \u2013 Ben was brought in.")
        with page.expect_download() as loaded:
            page.click("#matches a:has-text('JSON')")
        assert json.loads(loaded.value.path().read_bytes()) == json.loads(file.read_bytes())


def test_discs_are_told_apart_without_colour_and_named(hall: Running, browser: Browser) -> None:
    """WCAG 1.4.1: a ring marks the second side's discs; each disc says its side and points."""
    put_match(hall, "marks")
    with window(browser, hall.address, PHONE) as page:
        reviewing(page, hall, "marks")
        assert page.locator("#review-board .disc[data-id='2'] .ring").count() == 1
        assert page.locator("#review-board .disc[data-id='5'] .ring").count() == 0
        expect(page.locator("#review-board .disc[data-id='2']")).to_have_attribute(
            "aria-label", "Disc 2 · Ben · 10"
        )
        assert page.locator("#discs-table tbody tr").count() == len(POSITION["discs"])
        halo = page.locator("#review-board .disc[data-id='4'] .halo")
        assert halo.evaluate("e => getComputedStyle(e).animationName") == "none", (
            "reduced motion was asked for"
        )


def test_every_word_of_a_name_is_shown_as_a_word(hall: Running, browser: Browser) -> None:
    """Names are people's input: what looks like HTML stays letters."""
    sides = [{"name": "<img src=x onerror=alert(1)>", "colour": "dark"}, {"name": "Ben", "colour": "light"}]
    assert hall.client.post("/api/v1/matches", json={"table": "names", "sides": sides}).status_code == 201
    with window(browser, hall.address, PHONE) as page:
        page.goto("/table/names")
        expect(page.locator("#bug")).to_contain_text("<img src=x")
        assert page.locator("#bug img").count() == 0


def test_pages_hold_nothing_inline_and_nothing_from_elsewhere(hall: Running) -> None:
    for path in ("/", "/table/A", "/linecall", "/login", "/overlay/A"):
        answer = hall.client.get(path)
        assert answer.status_code == 200
        assert not re.findall(r"<script(?![^>]*(?:src=|application/json))", answer.text)
        assert not re.findall(r"""\sstyle=|\son\w+=""", answer.text)
        assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", answer.text)

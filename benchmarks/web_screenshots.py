"""The pictures of the pages in the documentation: ``python -m benchmarks.web_screenshots [FOLDER]``.

A service is run on this machine and a match played on it from sample photos in the system's Chromium; each
page is photographed as a phone, a laptop or a stream sees it.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from PIL import Image, ImageFilter
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.service_processes import ServerProcess, server
from benchmarks.web_stage import CHROMIUM, DESKTOP, PHONE, SETTLED, STREAM, launched, put_match, put_round

ROOT = Path(__file__).resolve().parents[1]
READ_MS = 120_000
#: Stands for the camera's picture under the overlay; any photo does.
BEHIND = ROOT / "sample_images" / "kitchen-table.jpg"


#: A little sharper than a phone's own pixels, so that it can be read in the README.
SHARP_PHONE = {**PHONE, "device_scale_factor": 2.1}


@contextmanager
def window(browser: Browser, address: str, kind: dict[str, Any], **more: Any) -> Iterator[Page]:
    """A page of a new window."""
    page = browser.new_page(base_url=address, **{**SETTLED, **kind, **more})
    yield page
    page.context.close()


def photographed(page: Page, photo: str) -> None:
    """Send a sample photo and wait until it is under review."""
    page.set_input_files("#choose", ROOT / "sample_images" / f"{photo}.jpg")
    page.wait_for_selector("[data-view=review]", timeout=READ_MS)
    page.wait_for_selector("#confirm:enabled")
    page.wait_for_timeout(300)


def operator(browser: Browser, hall: ServerProcess, folder: Path) -> None:
    """The review on a phone, by day; the same match on a laptop, by night, with rounds played."""
    client = httpx.Client(base_url=hall.address)
    match = put_match(client, "1", event_name="Tuesday club")
    with window(browser, hall.address, SHARP_PHONE) as page:
        page.goto("/table/1")
        photographed(page, "white-board")
        page.click("#twenty-0-plus")
        page.wait_for_selector("#result:not(.stale)")
        save(page, folder / "web-review-phone.png")
        page.locator("#review-board .disc:has(.halo)").last.focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(400)
        save(page, folder / "web-disc-phone.png")
        page.keyboard.press("Escape")
        page.click("#confirm")
        page.wait_for_selector("[data-view=ready]")
    put_round(client, match, totals={"Anna": 45, "Ben": 60})
    with window(browser, hall.address, DESKTOP, color_scheme="dark") as page:
        page.goto("/table/1")
        page.wait_for_selector("[data-view=ready]")
        photographed(page, "black-board")
        save(page, folder / "web-review-desktop.png")
        page.click("#confirm")
        page.wait_for_selector("[data-view=ready]")
        page.wait_for_timeout(300)
        save(page, folder / "web-table-desktop.png")


def overlay(browser: Browser, hall: ServerProcess, folder: Path) -> None:
    """The overlay as a stream shows it: over a picture of the table."""
    with window(browser, hall.address, STREAM) as page:
        page.goto("/overlay/1")
        page.wait_for_selector("#bug:not([hidden])")
        page.wait_for_timeout(500)
        over = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
    behind = Image.open(BEHIND).convert("RGBA").filter(ImageFilter.GaussianBlur(12))
    behind = behind.resize((1920, 1920 * behind.height // behind.width)).crop((0, 180, 1920, 1260))
    behind.alpha_composite(over)
    path = folder / "web-overlay.png"
    behind.convert("RGB").resize((896, 504)).save(path, optimize=True)
    said(path)


def save(page: Page, path: Path) -> None:
    """Write what a page shows."""
    small(Image.open(io.BytesIO(page.screenshot())).convert("RGB"), path)


def small(picture: Any, path: Path) -> None:
    """Write a picture with at most 256 colours: a third of the size, and no difference to the eye."""
    picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
    said(path)


def said(path: Path) -> None:
    """Print how large a picture became."""
    print(f"{path.name}: {path.stat().st_size // 1000} kB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "docs" / "images")
    given = parser.parse_args()
    if CHROMIUM is None:
        raise SystemExit("no Chromium on this machine: Debian has it as the package chromium")
    with (
        tempfile.TemporaryDirectory() as data,
        server(data_dir=data, log_level="warning") as hall,
        sync_playwright() as playwright,
        launched(playwright) as browser,
    ):
        operator(browser, hall, given.folder)
        overlay(browser, hall, given.folder)


if __name__ == "__main__":
    main()

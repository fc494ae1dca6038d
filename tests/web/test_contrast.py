"""Colours of text on what is behind them: WCAG 2.2, 1.4.3 (AA) in both themes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[2] / "service" / "web" / "static" / "css" / "theme.css").read_text(
    encoding="utf-8"
)
PAIRS = [
    ("ink", "ground"),
    ("ink", "panel"),
    ("ink", "sunk"),
    ("ink-2", "ground"),
    ("ink-2", "panel"),
    ("accent", "ground"),
    ("accent", "panel"),
    ("accent-ink", "accent"),
    ("ink", "accent-soft"),
    ("ink-2", "accent-soft"),
    ("ink", "warn-soft"),
    ("ink", "bad-soft"),
    ("bad", "panel"),
    ("slab-ink", "slab"),
    ("slab-ink-2", "slab"),
    ("slab-ink", "slab-2"),
    ("slab-accent", "slab-2"),
    ("slab-accent", "slab"),
]


def block(selector: str) -> dict[str, str]:
    start = CSS.index(selector + " {")
    text = CSS[start : CSS.index("}", start)]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text))


LIGHT = block(":root")
THEMES = {"light": LIGHT, "dark": LIGHT | block(':root[data-theme="dark"]')}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "behind"), PAIRS)
def test_text_can_be_read(theme: str, text: str, behind: str) -> None:
    colours = THEMES[theme]
    assert contrast(colours[text], colours[behind]) >= 4.5


def test_the_device_and_the_switch_give_the_same_dark_theme() -> None:
    assert block(':root:not([data-theme="light"])') == block(':root[data-theme="dark"]')

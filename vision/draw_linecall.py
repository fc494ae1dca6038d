"""The picture of a line call: what was seen, what was measured, and the verdict, to convince both players.

Pure drawing: everything shown is handed over in a :class:`LineCallPicture`, and nothing is measured here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.measured import Measured
from vision.draw_linecall_panels import (
    BAND_OPACITY,
    BOTTOM,
    CASING_PX,
    DASH_PX,
    EDGE,
    SEEN,
    STROKE_PX,
    Patch,
    PhotoCrop,
    draw_crop,
    draw_patch,
)
from vision.draw_linecall_verdict import draw_banner, draw_gauge
from vision.draw_words import gap_words
from vision.ink import Canvas
from vision.ink_box import Box
from vision.ink_colours import Rgb, mixed, opposite
from vision.ink_letters import shortened, wrapped
from vision.reading import Verdict

__all__ = ["LineCallPicture", "Patch", "PhotoCrop", "ViewPicture", "draw_linecall"]

_GROUNDS: dict[str, Rgb] = {"light": (250, 250, 247), "dark": (22, 25, 31)}
_WIDTH_PX = 1600
_MARGIN_PX = 36
_PANEL_PX = (_WIDTH_PX - 3 * _MARGIN_PX) // 2
_BANNER_PX = 300
_GAUGE_PX = 170
_BAR_ROOM_PX = 28
_TEXT_PX = 40.0
_LINE_PX = 58
_KEY = (
    ("line's inner edge: decides", EDGE, 1.0, 0.0, 0.0),
    ("line's outer edge", EDGE, 1.0, DASH_PX, 0.0),
    ("disc's bottom edge, with its doubt", BOTTOM, 1.5, 0.0, BAND_OPACITY),
    ("disc as seen", SEEN, 0.5, 0.0, 0.0),
)
"""Words, colour, width by the usual stroke, dash, and opacity of a band: as the panels draw it."""


@dataclass(frozen=True, slots=True, eq=False)
class ViewPicture:
    """One photo of the disc: its part, the board from above, and the gap that it tells by itself."""

    photo: str
    crop: PhotoCrop
    patch: Patch
    gap_mm: Measured


@dataclass(frozen=True, slots=True, eq=False)
class LineCallPicture:
    """All that the picture of a line call shows; ``line_name`` is like ``the 10 line``.

    ``views`` are the photos, the most telling first; ``gap_mm`` is what all of them tell together.
    """

    views: tuple[ViewPicture, ...]
    gap_mm: Measured
    touch_probability: float
    verdict: Verdict
    line_name: str
    disc: str
    taken: str
    equipment: str
    camera: str
    advice: str = ""


def draw_linecall(data: LineCallPicture, theme: Literal["light", "dark"]) -> NDArray[np.uint8]:
    """The picture as an RGB array, :data:`_WIDTH_PX` wide and as tall as its photos and words need."""
    ground = _GROUNDS[theme]
    ink, quiet = opposite(ground), mixed(opposite(ground), ground, 0.3)
    inner = _WIDTH_PX - 2 * _MARGIN_PX
    words = [(line, ink) for line in wrapped(data.advice, _TEXT_PX, inner)]
    words += [(line, quiet) for line in _facts(data)]
    panels = 2 * _MARGIN_PX + _BANNER_PX
    key = panels + len(data.views) * (_LINE_PX + _PANEL_PX + _MARGIN_PX // 2)
    gauge = key + 2 * _LINE_PX + _MARGIN_PX // 2
    each = [view.gap_mm for view in data.views] if len(data.views) > 1 else []
    gauge_px = _GAUGE_PX + _BAR_ROOM_PX * len(each)
    text = gauge + gauge_px + 3 * _MARGIN_PX // 2
    height = text + _LINE_PX * len(words) + _MARGIN_PX // 2
    canvas = Canvas(np.full((height, _WIDTH_PX, 3), ground, np.uint8))
    right = _WIDTH_PX - _MARGIN_PX
    banner = Box(_MARGIN_PX, _MARGIN_PX, right, _MARGIN_PX + _BANNER_PX)
    draw_banner(canvas, banner, data.verdict, data.line_name, data.gap_mm, data.touch_probability)
    for row, view in enumerate(data.views):
        top = panels + row * (_LINE_PX + _PANEL_PX + _MARGIN_PX // 2)
        _draw_view(canvas, top, view, ink, alone=len(data.views) == 1)
    _draw_key(canvas, key, ink)
    draw_gauge(canvas, Box(_MARGIN_PX, gauge, right, gauge + gauge_px), data.gap_mm, ground, each)
    for line, (written, colour) in enumerate(words):
        canvas.text((_MARGIN_PX, text + (line + 0.3) * _LINE_PX), written, _TEXT_PX, colour)
    return canvas.rgb


def _draw_view(canvas: Canvas, top: int, view: ViewPicture, ink: Rgb, *, alone: bool) -> None:
    """A photo's part and the board from above it, each under its title."""
    above = "Straight from above" if alone else f"Straight from above: {gap_words(view.gap_mm)}"
    shown = (
        (view.photo, draw_crop(view.crop, _PANEL_PX)),
        (above, draw_patch(view.patch, view.gap_mm, _PANEL_PX)),
    )
    for column, (title, panel) in enumerate(shown):
        left = _MARGIN_PX + column * (_PANEL_PX + _MARGIN_PX)
        canvas.text((left, top + 0.45 * _LINE_PX), shortened(title, _TEXT_PX, _PANEL_PX), _TEXT_PX, ink)
        canvas.rgb[top + _LINE_PX : top + _LINE_PX + _PANEL_PX, left : left + _PANEL_PX] = panel


def _facts(data: LineCallPicture) -> list[str]:
    """What the call rests on, one to a line; the photos' names stand above them."""
    named = (
        ("disc", data.disc),
        ("taken", data.taken),
        ("equipment", data.equipment),
        ("camera", data.camera),
        ("\N{PLUS-MINUS SIGN}", "one standard deviation; bands and bars show two"),
    )
    room = _WIDTH_PX - 2 * _MARGIN_PX
    return [shortened(f"{name}: {value}", _TEXT_PX, room) for name, value in named if value]


def _draw_key(canvas: Canvas, top: float, ink: Rgb) -> None:
    """What the strokes in the views mean, two to a line."""
    for at, (words, colour, width, dash, band) in enumerate(_KEY):
        left = _MARGIN_PX + (at % 2) * (_PANEL_PX + _MARGIN_PX)
        y = top + (at // 2 + 0.5) * _LINE_PX
        sample = np.array([(left, y), (left + 90, y)])
        if band:
            canvas.fill(Box(left, y - 14, left + 90, y + 14).corners, colour, band)
        canvas.stroke(sample, colour, width * STROKE_PX, casing=CASING_PX, closed=False, dash=dash)
        canvas.text((left + 110, y), words, _TEXT_PX, ink)

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
from vision.ink import Canvas
from vision.ink_box import Box
from vision.ink_colours import Rgb, mixed, opposite
from vision.ink_letters import shortened, wrapped
from vision.reading import Verdict

__all__ = ["LineCallPicture", "Patch", "PhotoCrop", "draw_linecall"]

_GROUNDS: dict[str, Rgb] = {"light": (250, 250, 247), "dark": (22, 25, 31)}
_WIDTH_PX = 1600
_MARGIN_PX = 36
_PANEL_PX = (_WIDTH_PX - 3 * _MARGIN_PX) // 2
_BANNER_PX = 300
_GAUGE_PX = 170
_TEXT_PX = 36.0
_LINE_PX = 54
_KEY = (
    ("line's inner edge: decides", EDGE, 1.0, 0.0, 0.0),
    ("line's outer edge", EDGE, 1.0, DASH_PX, 0.0),
    ("disc's bottom edge, ± 2 sigma", BOTTOM, 1.5, 0.0, BAND_OPACITY),
    ("disc as seen", SEEN, 0.5, 0.0, 0.0),
)
"""Words, colour, width by the usual stroke, dash, and opacity of a band: as the panels draw it."""


@dataclass(frozen=True, slots=True, eq=False)
class LineCallPicture:
    """All that the picture of a line call shows; ``line_name`` is like ``the 10 line``."""

    crop: PhotoCrop
    patch: Patch
    gap_mm: Measured
    touch_probability: float
    verdict: Verdict
    line_name: str
    photo: str
    taken: str
    equipment: str
    camera: str
    advice: str = ""


def draw_linecall(data: LineCallPicture, theme: Literal["light", "dark"]) -> NDArray[np.uint8]:
    """The picture as an RGB array, :data:`_WIDTH_PX` wide and as tall as its words need."""
    ground = _GROUNDS[theme]
    ink, quiet = opposite(ground), mixed(opposite(ground), ground, 0.3)
    inner = _WIDTH_PX - 2 * _MARGIN_PX
    advice = wrapped(data.advice, _TEXT_PX, inner)
    facts = _facts(data)
    panels = 2 * _MARGIN_PX + _BANNER_PX + _LINE_PX
    below = panels + _PANEL_PX + _MARGIN_PX // 2
    height = (
        below + 2 * _LINE_PX + _GAUGE_PX + _MARGIN_PX + _LINE_PX * (len(advice) + len(facts)) + _MARGIN_PX
    )
    canvas = Canvas(np.full((height, _WIDTH_PX, 3), ground, np.uint8))
    right = _WIDTH_PX - _MARGIN_PX
    banner = Box(_MARGIN_PX, _MARGIN_PX, right, _MARGIN_PX + _BANNER_PX)
    draw_banner(canvas, banner, data.verdict, data.line_name, data.gap_mm, data.touch_probability)
    views = (
        ("The photo", draw_crop(data.crop, _PANEL_PX)),
        ("Straight from above, measured", draw_patch(data.patch, data.gap_mm, _PANEL_PX)),
    )
    for column, (title, view) in enumerate(views):
        left = _MARGIN_PX + column * (_PANEL_PX + _MARGIN_PX)
        canvas.text((left, panels - 0.55 * _LINE_PX), title, _TEXT_PX, ink)
        canvas.rgb[panels : panels + _PANEL_PX, left : left + _PANEL_PX] = view
    _draw_key(canvas, below, ink)
    top = below + 2 * _LINE_PX + _MARGIN_PX // 2
    draw_gauge(canvas, Box(_MARGIN_PX, top, right, top + _GAUGE_PX), data.gap_mm, ground)
    y = top + _GAUGE_PX + _MARGIN_PX
    for words, colour in [(line, ink) for line in advice] + [(line, quiet) for line in facts]:
        canvas.text((_MARGIN_PX, y), words, _TEXT_PX, colour)
        y += _LINE_PX
    return canvas.rgb


def _facts(data: LineCallPicture) -> list[str]:
    """What the call rests on, two to a line."""
    room = _PANEL_PX - _TEXT_PX
    named = (
        ("photo", data.photo),
        ("taken", data.taken),
        ("equipment", data.equipment),
        ("camera", data.camera),
    )
    return [shortened(f"{name}: {value}", _TEXT_PX, 2 * room) for name, value in named if value]


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

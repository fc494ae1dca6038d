"""A line call's verdict: a banner with the gap in large type, and the gap on a scale, touching to clear."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from calibration.measured import Measured
from vision.draw_linecall_panels import BAND_SIGMAS
from vision.draw_words import gap_words
from vision.ink import Align, Canvas
from vision.ink_box import Box
from vision.ink_colours import BLUE, VERMILION, YELLOW, Rgb, mixed, opposite
from vision.ink_letters import fitting
from vision.reading import Verdict

VERDICT_COLOURS: dict[Verdict, Rgb] = {
    Verdict.CLEAR: BLUE,
    Verdict.TOUCHING: VERMILION,
    Verdict.TOO_CLOSE: YELLOW,
}
_WORDS = {
    Verdict.CLEAR: "Clear of {}",
    Verdict.TOUCHING: "Touching {}",
    Verdict.TOO_CLOSE: "Too close to call: {}",
}
_LEAST_REACH_MM = 2.0
"""The scale shows at least this much on either side."""
_GAUGE_TEXT_PX = 44.0
_STEPS_MM = (1.0, 2.0, 5.0, 10.0, 50.0)
_MOST_STEPS = 5
"""On either side of zero."""


def probability_words(probability: float) -> str:
    """A probability in per cent, with no more digits than anyone can vouch for."""
    if probability < 0.001:
        return "under 0.1 %"
    if probability > 0.999:
        return "over 99.9 %"
    places = 0 if 0.1 < probability < 0.9 else 1
    return f"{100 * probability:.{places}f} %"


def draw_banner(
    canvas: Canvas, box: Box, verdict: Verdict, line_name: str, gap_mm: Measured, probability: float
) -> None:
    """The verdict with its sign, the gap in large type, and the probability of touching."""
    colour = VERDICT_COLOURS[verdict]
    ink, unit = opposite(colour), box.height
    canvas.fill(box.rounded(0.1 * unit), colour)
    _draw_sign(canvas, box.left + 0.5 * unit, box.centre[1], 0.3 * unit, verdict, ink)
    left, room = box.left + unit, box.width - 1.15 * unit
    title = _WORDS[verdict].format(line_name)
    size = fitting(title, 0.26 * unit, room)
    canvas.text((left, box.top + 0.21 * unit), title, size, ink, bold=0.012 * size)
    gap = gap_words(gap_mm)
    size = fitting(gap, 0.34 * unit, room)
    canvas.text((left, box.top + 0.53 * unit), gap, size, ink, bold=0.015 * size)
    small = f"probability of touching {probability_words(probability)}"
    canvas.text((left, box.top + 0.84 * unit), small, fitting(small, 0.16 * unit, room), ink)


def draw_gauge(canvas: Canvas, box: Box, gap_mm: Measured, ground: Rgb, each: list[Measured]) -> None:
    """The gap with its band on a scale: touching to the left of zero, daylight to the right.

    ``each`` are the gaps of several photos, drawn as thin bars along the lower edge.
    """
    ink = opposite(ground)
    size = _GAUGE_TEXT_PX
    spread = gap_mm.sigma if math.isfinite(gap_mm.sigma) else 0.0
    reach = max(_LEAST_REACH_MM, math.ceil(abs(gap_mm.mean) + 1.5 * BAND_SIGMAS * spread))
    top, bottom = box.top, box.bottom - 1.45 * size
    y = top + 1.55 * size

    def x(mm: float) -> float:
        return box.centre[0] + float(np.clip(mm / reach, -1.0, 1.0)) * box.width / 2

    for low, high, colour in ((-reach, 0.0, VERMILION), (0.0, reach, BLUE)):
        canvas.fill(Box(x(low), top, x(high), bottom).corners, mixed(ground, colour, 0.35))
    canvas.text((box.left + 0.4 * size, top + 0.6 * size), "touching", 0.8 * size, ink)
    canvas.text((box.right - 0.4 * size, top + 0.6 * size), "clear", 0.8 * size, ink, align="right")
    step = next((mm for mm in _STEPS_MM if reach <= _MOST_STEPS * mm), _STEPS_MM[-1])
    for tick in np.arange(-math.floor(reach / step), math.floor(reach / step) + 1) * step:
        at = x(float(tick))
        canvas.stroke(np.array([(at, bottom), (at, bottom + 0.3 * size)]), ink, 2.0, closed=False)
        words = f"{tick:+g} mm" if tick else "0"
        align: Align = "left" if tick == -reach else "right" if tick == reach else "middle"
        canvas.text((at, bottom + 0.85 * size), words, 0.8 * size, ink, align=align)
    canvas.stroke(np.array([(x(0.0), top), (x(0.0), bottom)]), ink, 4.0, closed=False)
    if not math.isfinite(gap_mm.sigma):
        return
    for row, one in enumerate(each):
        room = (bottom - y - 0.5 * size) / len(each)
        _draw_thin(canvas, x, one, bottom - (len(each) - row - 0.5) * room, ink)
    low, high = (x(gap_mm.mean + sign * BAND_SIGMAS * gap_mm.sigma) for sign in (-1, 1))
    half = 0.28 * size
    canvas.fill(Box(low, y - half, high, y + half).corners, ink, 0.75)
    canvas.stroke(Box(low, y - half, high, y + half).corners, ink, 3.0)
    diamond = np.array([(-1, 0), (0, -1), (1, 0), (0, 1)]) * 1.9 * half
    canvas.fill(np.array([x(gap_mm.mean), y]) + 1.3 * diamond, ground)
    canvas.fill(np.array([x(gap_mm.mean), y]) + diamond, ink)


def _draw_thin(canvas: Canvas, x: Callable[[float], float], gap_mm: Measured, y: float, ink: Rgb) -> None:
    """One photo's gap: a thin bar with a tick at its middle."""
    low, at, high = (x(gap_mm.mean + sign * BAND_SIGMAS * gap_mm.sigma) for sign in (-1, 0, 1))
    canvas.stroke(np.array([(low, y), (high, y)]), ink, 3.0, closed=False, alpha=0.75)
    canvas.stroke(np.array([(at, y - 7.0), (at, y + 7.0)]), ink, 4.0, closed=False)


def _draw_sign(canvas: Canvas, x: float, y: float, half: float, verdict: Verdict, ink: Rgb) -> None:
    """A disc and a line seen from above, apart or together; a question mark where nobody can tell."""
    if verdict is Verdict.TOO_CLOSE:
        canvas.text((x, y), "?", 2.6 * half, ink, align="middle", bold=0.03 * half)
        return
    radius, thick = 0.62 * half, 0.24 * half
    gap = 0.3 * half if verdict is Verdict.CLEAR else -thick
    disc = Box(x - half, y - radius, x - half + 2 * radius, y + radius)
    line = disc.right + gap
    canvas.fill(disc.rounded(radius), ink)
    canvas.fill(Box(line, y - half, line + thick, y + half).corners, ink)

"""``crokinole linecall``: the order from the words typed, then the calls for a person or a program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast

from rich.console import Console
from rich.text import Text

from calibration.equipment import load_equipment
from service.errors import ExitStatus, UsageError
from service.linecall import LineCallOrder, LineCalls, Theme, call_lines
from service.linecall_json import linecalls_json
from service.terminal import console_for, printable, say
from vision.draw_linecall_verdict import probability_words
from vision.draw_words import gap_words
from vision.linecall_values import LineCall
from vision.reading import Verdict

_STYLES = {Verdict.CLEAR: "bold blue", Verdict.TOUCHING: "bold red", Verdict.TOO_CLOSE: "bold yellow"}
_THEMES = ("light", "dark")
_POINT = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*[,;x ]\s*(-?\d+(?:\.\d+)?)\s*")


def order_from_words(
    *, at: str | None, equipment: str | None, camera: Path | None, report: Path | None, theme: str
) -> LineCallOrder:
    """What was asked for. Raises one of :data:`~service.errors.FAILURES` for what cannot be."""
    if theme not in _THEMES:
        raise UsageError(f"--theme is {' or '.join(_THEMES)}, not {theme}")
    if camera is not None and not camera.is_file():
        raise UsageError(f"there is no camera file {camera}")
    return LineCallOrder(
        at_px=None if at is None else _point(at),
        equipment=None if equipment is None else load_equipment(equipment),
        camera=camera,
        report=report,
        theme=cast(Theme, theme),
    )


def run_linecall(photos: list[str], order: LineCallOrder, *, as_json: bool) -> ExitStatus:
    """Rule and print; the highest status of the photos and the call."""
    made = call_lines(photos, order)
    if as_json:
        print(json.dumps(linecalls_json(made), allow_nan=False), flush=True)
    else:
        _show(made, console_for(), console_for(stream_is_error=True))
    failures = [failure for _, _, failure in made.photos if failure is not None]
    if made.refusal is not None:
        failures.append(made.refusal)
    return max((failure.status for failure in failures), default=ExitStatus.OK)


def _point(words: str) -> tuple[float, float]:
    found = _POINT.fullmatch(words)
    if found is None:
        raise UsageError(f"--at is a point of the first photo in pixels, like 1520,840, not {words}")
    return float(found[1]), float(found[2])


def _show(made: LineCalls, out: Console, err: Console) -> None:
    for name, _, failure in made.photos:
        if failure is not None:
            say(err, f"{printable(name)}: {failure.message}")
    if made.refusal is not None:
        if made.refusal not in [failure for _, _, failure in made.photos]:
            say(err, printable(made.refusal.message))
        return
    for call in made.calls:
        _show_call(call, out)
    for path in made.reports:
        out.print(Text(f"picture: {printable(str(path))}"), soft_wrap=True)
    for warning in made.warnings:
        say(err, printable(warning))


def _show_call(call: LineCall, out: Console) -> None:
    """Two or three lines: the verdict, what it rests on, and what would settle it."""
    x, y = call.disc.pixel
    line = f"the {call.gap.line} line"
    verdict = {
        Verdict.CLEAR: f"clear of {line}",
        Verdict.TOUCHING: f"touching {line}",
        Verdict.TOO_CLOSE: f"too close to call at {line}",
    }[call.gap.verdict]
    head = Text(f"disc {call.disc.id} ({call.disc.team}) at {x:.0f},{y:.0f}: ")
    head.append(verdict, style=_STYLES[call.gap.verdict])
    odds = probability_words(call.gap.touch_probability)
    head.append(f", gap {gap_words(call.gap_mm)}, touching with {odds} probability")
    out.print(head, soft_wrap=True)
    if len(call.views) > 1:
        each = ", ".join(
            f"{printable(view.photo.name)} {gap_words(view.gap.clearance_mm)}" for view in call.views
        )
        out.print(Text(f"  {len(call.views)} photos: {each}"), soft_wrap=True)
    if call.advice is not None:
        out.print(Text(f"  {printable(call.advice.words)}"), soft_wrap=True)

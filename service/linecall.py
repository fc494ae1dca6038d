"""Line calls: load, read, rule, draw. Printing is somebody else's business."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from calibration.equipment import Equipment
from service.errors import FAILURES, Failure, UsageError, failure_of
from vision.linecall import is_close, read_for_linecall, rule
from vision.linecall_values import LineCall, ReadPhoto
from vision.picture import open_picture

Theme = Literal["light", "dark"]
_SCATTERED = 1.5


@dataclass(frozen=True, slots=True)
class LineCallOrder:
    """What is asked. ``at_px`` is a point of the first photo; ``report`` a PNG file for the picture."""

    at_px: tuple[float, float] | None = None
    equipment: Equipment | None = None
    camera: Path | None = None
    report: Path | None = None
    theme: Theme = "light"


@dataclass(frozen=True, slots=True, eq=False)
class LineCalls:
    """The calls, and the photos they rest on: ``photos`` in the order given, each with why it failed or None.

    ``reports`` are the pictures written, in the order of the calls. ``refusal`` is why there is no call at
    all, with the photo to blame where it is a single one. ``every`` is whether all close ones were asked for.
    """

    photos: tuple[tuple[str, ReadPhoto | None, Failure | None], ...]
    calls: tuple[LineCall, ...] = ()
    reports: tuple[Path, ...] = ()
    refusal: Failure | None = None
    every: bool = False

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know beside the calls."""
        notes = dict.fromkeys(
            f"{name}: {note}"
            for name, read, _ in self.photos
            if read is not None
            for note in read.read.reading.warnings
        )
        scattered = [
            f"disc {call.disc.id}: {_scatter_words(call)}" for call in self.calls if call.scatter > _SCATTERED
        ]
        return (*notes, *self._not_ruled(), *scattered)

    def _not_ruled(self) -> list[str]:
        """The close discs that no call was made on, where all were asked for."""
        first = next((read for _, read, _ in self.photos if read is not None), None)
        if first is None or not self.every:
            return []
        ruled = {call.disc.id for call in self.calls}
        return [
            f"{first.name}: too little of disc {first.discs[k].id} is seen to rule on it"
            for k in first.on_board
            if first.discs[k].id not in ruled and (gap := first.read.gaps[k]) is not None and is_close(gap)
        ]


def _scatter_words(call: LineCall) -> str:
    if call.contradictory:
        return f"the photos contradict each other, so it is not called: {call.by_photo}"
    return f"the photos differ {call.scatter:.1f} times as much as they should; the uncertainty is widened"


def call_lines(photos: Sequence[str], order: LineCallOrder, names: Sequence[str] | None = None) -> LineCalls:
    """Rule on the discs of some photos of one position.

    ``names`` are what the photos are called, by default their paths. A photo that cannot be read does not
    stop the rest, except the first one where the point is in it. Raises :class:`UsageError` before the first
    photo where the pictures have nowhere to go.
    """
    _check_report(photos, order.report)
    read = [_read(photo, name, order) for photo, name in zip(photos, names or photos, strict=True)]
    good = [photo for _, photo, _ in read if photo is not None]
    failed = [failure for _, _, failure in read if failure is not None]
    found = LineCalls(tuple(read))
    if not good or (order.at_px is not None and read[0][1] is None):
        worst = read[0][2] or max(failed, key=lambda failure: failure.status)
        return LineCalls(found.photos, refusal=worst)
    try:
        calls = rule(good, order.at_px)
    except FAILURES as error:
        return LineCalls(found.photos, refusal=failure_of(error))
    every = order.at_px is None
    return LineCalls(found.photos, calls, _write_reports(calls, order), every=every)


def _read(photo: str, name: str, order: LineCallOrder) -> tuple[str, ReadPhoto | None, Failure | None]:
    try:
        picture = open_picture(photo, name)
        return name, read_for_linecall(picture, order.equipment, order.camera), None
    except FAILURES as error:
        return name, None, replace(failure_of(error), photo=name)


def _check_report(photos: Sequence[str], report: Path | None) -> None:
    if report is None:
        return
    if report.suffix.lower() != ".png":
        raise UsageError(f"--report writes PNG: {report} must end in .png")
    if report.is_dir():
        raise UsageError(f"--report takes a file, and {report} is a folder", "not_written")
    if os.path.realpath(report) in {os.path.realpath(photo) for photo in photos}:
        raise UsageError(f"--report would overwrite the photo {report}: name another file")


def _write_reports(calls: tuple[LineCall, ...], order: LineCallOrder) -> tuple[Path, ...]:
    """One picture a call: the file that was named, or with several calls one for each disc's number."""
    if order.report is None:
        return ()
    # Loaded here because most runs draw nothing.
    from vision.linecall_report import write_report

    written = []
    for call in calls:
        path = order.report
        if len(calls) > 1:
            path = path.with_name(f"{path.stem}-{call.disc.id}{path.suffix}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_report(call, path, order.theme)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}", "not_written") from error
        written.append(path)
    return tuple(written)

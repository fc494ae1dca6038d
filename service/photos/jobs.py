"""What a worker is asked for and what it answers: plain values that cross to another process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked of a photo, as typed.

    ``sides`` is like ``dark=Anna,light=Ben``, each of ``twenties`` like ``dark=2``;
    ``rules`` and ``equipment`` name presets; files of the server are nobody's business.
    """

    sides: str | None = None
    twenties: tuple[str, ...] = ()
    rules: str | None = None
    equipment: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The options as stored; those not given are left out."""
        given = {
            "sides": self.sides,
            "twenties": list(self.twenties),
            "rules": self.rules,
            "equipment": self.equipment,
        }
        return {key: value for key, value in given.items() if value}


@dataclass(frozen=True, slots=True)
class ReadJob:
    """Read a photo and draw on it what was read.

    ``name`` is what the photo is called in the reading; the drawing is a PNG. ``board`` is the board that a
    fixed camera is known to see, fitted and pickled by the camera's process.
    """

    photo: Path
    name: str
    drawing: Path
    options: Options
    board: bytes | None = None


@dataclass(frozen=True, slots=True)
class LineCallOptions:
    """What is asked of a line call: ``at_px`` is a point of the first photo, ``equipment`` names a preset."""

    at_px: tuple[float, float] | None = None
    equipment: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The options as stored; those not given are left out."""
        given = {"at": None if self.at_px is None else list(self.at_px), "equipment": self.equipment}
        return {key: value for key, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class LineCallJob:
    """Rule on the discs in some photos of one position; ``names`` are what the photos are called.

    The report is a PNG; with several calls there is one each, with ``-`` and the disc's number in its name.
    """

    photos: tuple[Path, ...]
    names: tuple[str, ...]
    report: Path
    options: LineCallOptions


@dataclass(frozen=True, slots=True)
class Read:
    """A photo that was read: the Reading, and what the file was found to be."""

    reading: dict[str, Any]
    media_type: str


@dataclass(frozen=True, slots=True)
class Called:
    """The calls as JSON; ``files`` are the photos' media types, widths and heights (0 where unread)."""

    calls: dict[str, Any]
    files: tuple[tuple[str, tuple[int, int]], ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """A job that could not be done, and why: a code for programs, a sentence for people."""

    code: str
    message: str


Job = ReadJob | LineCallJob
Done = Read | Called | Failed

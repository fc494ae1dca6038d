"""What the service and a table's camera process say to each other over their pipe: plain values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Capture:
    """Take a picture of the position as it lies, and write it as PNG to ``path``."""

    number: int
    path: Path


@dataclass(frozen=True, slots=True)
class Preview:
    """Show what the camera sees now, with the fitted lines."""

    number: int


@dataclass(frozen=True, slots=True)
class Captured:
    """The picture is written, out of ``frames`` frames; ``board`` is its board, pickled for a worker."""

    number: int
    board: bytes
    frames: int


@dataclass(frozen=True, slots=True)
class Previewed:
    """A JPEG of what the camera sees."""

    number: int
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """Not possible now, and why: a code for programs, a sentence for people."""

    number: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class SourceIs:
    """The camera went away or came back."""

    live: bool


Command = Capture | Preview
Answer = Captured | Previewed | Refusal

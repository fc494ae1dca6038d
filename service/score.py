"""Scoring photos: load, read, score, draw, for one photo or many. Printing is somebody else's business."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from calibration.equipment import Equipment
from scoring.rules import Rules
from service.compose import ScoredPhoto, compose
from service.errors import FAILURES, Failure, UsageError, failure_of
from service.scoreboard import scoreboard_of
from service.sides import Sides
from vision.picture import Picture, open_picture
from vision.reading import BoardReading

_PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp"})


class Seeing(Protocol):
    """Reads a picture, and draws on it what was read: ``vision``, or a stand-in for it in tests."""

    def read(
        self, picture: Picture, equipment: Equipment | None, *, sides: int, camera: Path | None
    ) -> BoardReading:
        """What lies on the board. Raises :class:`~calibration.errors.CalibrationError`."""

    def annotate(self, picture: Picture, scored: ScoredPhoto, path: Path) -> None:
        """Write the picture with lines, discs, points and the round drawn on it. Raises ``OSError``."""


class PhotoSeeing:
    """The real thing."""

    def read(
        self, picture: Picture, equipment: Equipment | None, *, sides: int, camera: Path | None
    ) -> BoardReading:
        """What lies on the board, by :func:`vision.read.read_picture`."""
        from vision.read import read_picture

        return read_picture(picture, equipment, sides=sides, camera=camera)

    def annotate(self, picture: Picture, scored: ScoredPhoto, path: Path) -> None:
        """Write the drawing of :func:`vision.draw.annotate`."""
        # Loaded here because most runs draw nothing.
        from vision.draw import annotate

        annotate(picture, scored.seen, scored.points, path, scoreboard_of(scored))


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of every photo. ``equipment`` None lets the picture decide; ``camera`` is a camera file.

    ``annotate`` is a picture file for a single photo, or a folder that gets one for each.
    """

    rules: Rules
    sides: Sides = field(default_factory=Sides)
    equipment: Equipment | None = None
    camera: Path | None = None
    annotate: Path | None = None


@dataclass(frozen=True, slots=True)
class PhotoFailure:
    """A photo that could not be scored, and why."""

    photo: str
    failure: Failure


def score_photos(photos: Iterable[str], order: Order, seeing: Seeing) -> Iterator[ScoredPhoto | PhotoFailure]:
    """Score each photo in turn; one that fails does not stop the rest.

    Raises :class:`UsageError` before the first photo where the drawings have nowhere to go.
    """
    photos = list(photos)
    drawings = _drawings(photos, order.annotate)
    return (_score_one(photo, order, drawings.get(at), seeing) for at, photo in enumerate(photos))


def _score_one(photo: str, order: Order, drawing: Path | None, seeing: Seeing) -> ScoredPhoto | PhotoFailure:
    try:
        picture = open_picture(photo)
        seen = seeing.read(picture, order.equipment, sides=order.sides.expected, camera=order.camera)
        scored = compose(seen, order.rules, order.sides)
        if drawing is not None:
            _draw(picture, scored, drawing, seeing)
    except FAILURES as error:
        return PhotoFailure(photo, failure_of(error))
    return scored


def _draw(picture: Picture, scored: ScoredPhoto, drawing: Path, seeing: Seeing) -> None:
    try:
        drawing.parent.mkdir(parents=True, exist_ok=True)
        seeing.annotate(picture, scored, drawing)
    except OSError as error:
        raise UsageError(f"{drawing} cannot be written: {error.strerror or error}", "not_written") from error


def _drawings(photos: list[str], annotate: Path | None) -> dict[int, Path]:
    """Where the drawing of each photo goes, by its place in the list; never over a photo."""
    if annotate is None:
        return {}
    drawings: dict[int, Path] = {}
    if annotate.suffix.lower() in _PICTURE_SUFFIXES and not annotate.is_dir():
        if len(photos) > 1:
            raise UsageError("--annotate with several photos takes a folder, which gets one picture for each")
        drawings[0] = annotate
    elif len(photos) == 1 and annotate.suffix and not annotate.is_dir():
        raise UsageError(f"--annotate writes PNG, JPEG or WebP, not {annotate.suffix}")
    else:
        taken: set[str] = set()
        for at, photo in enumerate(photos):
            name = _free_name(Path(photo).stem, taken)
            taken.add(name)
            drawings[at] = annotate / f"{name}.png"
    originals = {_real(photo) for photo in photos}
    for drawing in drawings.values():
        if _real(drawing) in originals:
            raise UsageError(f"--annotate would overwrite the photo {drawing}: name another file or folder")
    return drawings


def _free_name(stem: str, taken: set[str]) -> str:
    """The photo's own name, numbered where photos from several folders share it."""
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem}-{number}", number + 1
    return name


def _real(path: str | Path) -> str:
    """The file behind a name, so that two names for one file are known as one."""
    return os.path.realpath(path)

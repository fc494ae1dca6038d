"""Photos as files beside the database: named by their content, whole or not there at all.

A name that somebody sent never becomes the name of a file. A photo is first written under ``incoming``; when
it has been read it is moved, in one step, to where its SHA-256 says. ::

    DATA/photos/ab/abcdef...        the untouched photo
    DATA/drawings/r_....png         what was read, drawn on it
    DATA/incoming/                  not yet read
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_SHA256 = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[rl]_[A-Za-z0-9_-]{1,30}(-[0-9]{1,3})?")
_CHUNK = 1 << 20
_LONGEST_NAME = 100
_FORGOTTEN_S = 3600.0


@dataclass(frozen=True, slots=True)
class IncomingPhoto:
    """A photo that has arrived: where it lies, what its sender calls it, how long it is, what it is."""

    path: Path
    name: str
    size: int
    sha256: str


class PhotoFiles:
    """The files of one data folder. Thread-safe; several processes may share the folder."""

    def __init__(self, data_dir: Path) -> None:
        self._photos = data_dir / "photos"
        self._drawings = data_dir / "drawings"
        self._incoming = data_dir / "incoming"

    def prepare(self) -> None:
        """Make the folders, for their owner alone, and clear away what a killed process left half done."""
        for folder in (self._photos, self._drawings, self._incoming):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        old_s = time.time() - _FORGOTTEN_S
        for left in (*self._incoming.iterdir(), *self._drawings.glob("*.part.png")):
            if left.stat().st_mtime < old_s:
                left.unlink(missing_ok=True)

    def receive(self, source: BinaryIO, name: str | None) -> IncomingPhoto:
        """Write down a photo that is being sent. Raises ``OSError``, as for a full disc."""
        path = self.new_incoming()
        digest, size = hashlib.sha256(), 0
        try:
            with path.open("xb") as file:
                while chunk := source.read(_CHUNK):
                    digest.update(chunk)
                    size += len(chunk)
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return IncomingPhoto(path, shown_name(name), size, digest.hexdigest())

    def new_incoming(self) -> Path:
        """A name for a photo that is about to arrive."""
        return self._incoming / secrets.token_hex(16)

    def adopt(self, path: Path, name: str) -> IncomingPhoto:
        """A photo that another process of ours wrote under a new name. Raises ``OSError``."""
        with path.open("rb+") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
            return IncomingPhoto(path, shown_name(name), file.tell(), digest)

    def keep(self, photo: IncomingPhoto) -> Path:
        """Move a photo to its place, for good; one that is there already is left alone."""
        place = self.photo(photo.sha256)
        if place.exists():
            photo.path.unlink(missing_ok=True)
            return place
        place.parent.mkdir(exist_ok=True, mode=0o700)
        photo.path.replace(place)
        _sync_folder(place.parent)
        return place

    def drop(self, photo: IncomingPhoto) -> None:
        """Forget a photo that is not kept; nothing happens to one that is."""
        photo.path.unlink(missing_ok=True)

    def drop_drawings(self, before_s: float) -> None:
        """Remove drawings made before that moment, in seconds since the epoch."""
        for drawing in self._drawings.glob("*.png"):
            if drawing.stat().st_mtime < before_s:
                drawing.unlink(missing_ok=True)

    def photo(self, sha256: str) -> Path:
        """Where the photo with that content lies, or would. Raises ``ValueError`` for no SHA-256."""
        if not _SHA256.fullmatch(sha256):
            raise ValueError("not a SHA-256")
        return self._photos / sha256[:2] / sha256

    def drawing(self, id: str) -> Path:
        """Where the drawing of a reading or line call lies, or would. Raises ``ValueError`` for no id."""
        if not _ID.fullmatch(id):
            raise ValueError("not an id")
        return self._drawings / f"{id}.png"


def shown_name(name: str | None) -> str:
    """What somebody calls a photo, as text to show: the last part of a path, in printable letters."""
    last = re.split(r"[/\\]", name or "")[-1]
    shown = "".join(letter for letter in last if letter.isprintable()).strip()[:_LONGEST_NAME]
    return shown or "photo"


def _sync_folder(folder: Path) -> None:
    """Have the folder's new entry on the disc, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

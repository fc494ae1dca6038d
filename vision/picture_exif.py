"""What a photo's EXIF data say about how it was taken."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import SupportsFloat

from PIL import ExifTags, Image


@dataclass(frozen=True, slots=True)
class ExifFacts:
    """The EXIF values that matter here; the defaults stand for "not stated".

    ``orientation`` is 1 to 8 (TIFF 6.0, tag 274). ``size_px`` is width and height of the upright picture.
    ``camera`` is the maker and model, ``taken`` the date and time as the camera's clock had it, like
    ``2026-11-21 14:03``.
    """

    orientation: int = 1
    focal_35mm: float | None = None
    size_px: tuple[int, int] | None = None
    camera: str = ""
    taken: str = ""


def exif_facts(image: Image.Image) -> ExifFacts:
    """What EXIF states; values that make no sense count as not stated."""
    try:
        exif = image.getexif()
        taken = exif.get_ifd(ExifTags.IFD.Exif)
    # A photo with broken EXIF data is still a photo, and the parser raises whatever it trips over.
    except Exception:
        return ExifFacts()
    stated = _positive(exif.get(ExifTags.Base.Orientation))
    orientation = int(stated) if stated is not None and stated in range(1, 9) else 1
    size = [
        _positive(taken.get(key)) for key in (ExifTags.Base.ExifImageWidth, ExifTags.Base.ExifImageHeight)
    ]
    # Orientations 5 to 8 lay the stored picture on its side. pillow-heif sets what it has turned back to 1.
    on_side = (image.info.get("original_orientation") or orientation) >= 5
    width, height = reversed(size) if on_side else size
    words = (exif.get(key) for key in (ExifTags.Base.Make, ExifTags.Base.Model))
    return ExifFacts(
        orientation,
        _positive(taken.get(ExifTags.Base.FocalLengthIn35mmFilm)),
        (int(width), int(height)) if width and height else None,
        " ".join(word.strip("\0 ") for word in words if isinstance(word, str)).strip(),
        _time(taken.get(ExifTags.Base.DateTimeOriginal) or exif.get(ExifTags.Base.DateTime)),
    )


def _time(value: object) -> str:
    """EXIF's ``2026:11:21 14:03:05`` as people write it; empty for anything else."""
    if not isinstance(value, str):
        return ""
    try:
        return datetime.strptime(value.strip("\0 "), "%Y:%m:%d %H:%M:%S").strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return ""


def _positive(value: object) -> float | None:
    """A number above zero, else None: zero is EXIF's word for unknown."""
    if not isinstance(value, SupportsFloat):
        return None
    try:
        number = float(value)
    except ZeroDivisionError:
        return None
    return number if math.isfinite(number) and number > 0 else None

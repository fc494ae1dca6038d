"""Letters of Pillow's own scalable font: nothing to install, and the same on every machine."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PIL import ImageFont

_KIN = {"\N{EN DASH}": "-", "\N{EM DASH}": "-", "\N{MINUS SIGN}": "-", "\N{LATIN SMALL LETTER SHARP S}": "ss"}
_NO_LETTER = "\uffff"
_ANY_SIZE = 20.0


@lru_cache(maxsize=64)
def font(size: float) -> ImageFont.FreeTypeFont:
    """The font at a size in px."""
    loaded = ImageFont.load_default(size=size)
    if not isinstance(loaded, ImageFont.FreeTypeFont):
        raise OSError("this Pillow has no FreeType, so it cannot write: install Pillow's own wheel")
    return loaded


def text_width(text: str, size: float) -> float:
    """How far a text runs, in px."""
    return float(font(size).getlength(shown(text)))


def cap_height(size: float) -> float:
    """How tall digits are, in px."""
    _, top, _, bottom = font(size).getbbox("0", anchor="ls")
    return float(bottom - top)


def shortened(text: str, size: float, width: float) -> str:
    """The text, or as much of its beginning as fits into ``width`` px with an ellipsis."""
    if text_width(text, size) <= width:
        return text
    keep = len(text)
    while keep and text_width(text[:keep].rstrip() + "…", size) > width:
        keep -= 1
    return text[:keep].rstrip() + "…"


def fitting(text: str, size: float, width: float) -> float:
    """The size at which the text runs no longer than ``width`` px, at most ``size``."""
    return min(size, size * width / max(text_width(text, size), 1e-9))


def wrapped(text: str, size: float, width: float) -> list[str]:
    """The text in lines of at most ``width`` px, broken between words; a longer word is shortened."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(shortened(word, size, width))
    return lines


@lru_cache(maxsize=512)
def shown(text: str) -> str:
    """The text as the font can write it: letters it lacks without their accents, else as a question mark."""
    return "".join(_written(letter) for letter in text)


def _written(letter: str) -> str:
    if _has(letter):
        return letter
    plain = _KIN.get(letter) or unicodedata.normalize("NFKD", letter)[:1]
    return plain if all(_has(part) for part in plain) else "?"


@lru_cache(maxsize=4096)
def _has(letter: str) -> bool:
    if letter == " ":
        return True
    face = font(_ANY_SIZE)
    return letter.isprintable() and bytes(face.getmask(letter)) != bytes(face.getmask(_NO_LETTER))

"""Where frames come from, as a person types it: a camera's number, a stream's address, a film's file.

The decoder behind it knows dozens of protocols, some of which read files or other machines in ways nobody
meant, so only what is listed here gets through.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit, urlunsplit

_STREAMS = ("rtsp", "rtsps", "http", "https")
_LONGEST = 500
_DEVICE = re.compile(r"[0-9]{1,2}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class SourceKind(StrEnum):
    """What kind of source it is."""

    DEVICE = "device"
    STREAM = "stream"
    FILE = "file"


class SourceError(ValueError):
    """The words do not name a source; the message says what would."""


@dataclass(frozen=True, slots=True)
class SourceAddress:
    """A source. ``where`` is what the decoder opens and may hold a password: show ``shown`` instead."""

    kind: SourceKind
    where: str

    @property
    def shown(self) -> str:
        """The address without user name, password and query, or the file's bare name."""
        if self.kind is SourceKind.DEVICE:
            return f"camera {self.where}"
        if self.kind is SourceKind.FILE:
            return os.path.basename(self.where)
        parts = urlsplit(self.where)
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        return urlunsplit(
            (parts.scheme, host if parts.port is None else f"{host}:{parts.port}", parts.path, "", "")
        )


def source_address(words: str) -> SourceAddress:
    """The source that was typed. Raises :class:`SourceError`."""
    words = words.strip()
    if not words or len(words) > _LONGEST or not words.isprintable():
        raise SourceError("name a camera: its number (0 is the first), a stream's address, or a video file")
    if _DEVICE.fullmatch(words):
        return SourceAddress(SourceKind.DEVICE, str(int(words)))
    if os.path.isfile(words):
        return SourceAddress(SourceKind.FILE, os.path.abspath(words))
    if not _SCHEME.match(words):
        raise SourceError(
            "there is no such video file: give its path, a camera's number or a stream's address"
        )
    return _stream(words)


def _stream(words: str) -> SourceAddress:
    try:
        parts = urlsplit(words)
        # the port is only looked at when asked for
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    else:
        usable = usable and parts.scheme.lower() in _STREAMS
    if not usable or any(letter.isspace() or letter == "|" for letter in words):
        raise SourceError(
            "a stream's address begins with rtsp://, rtsps://, http:// or https:// and names a host"
        )
    return SourceAddress(SourceKind.STREAM, words)

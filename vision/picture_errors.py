"""Why a file cannot be read as a photo. Apart from the loader, so that naming an error loads no decoder."""

from __future__ import annotations

from enum import StrEnum


class PictureFault(StrEnum):
    """Why a file is not a readable picture."""

    MISSING = "missing"
    NOT_A_FILE = "not_a_file"
    UNREADABLE = "unreadable"
    EMPTY = "empty"
    NOT_A_PICTURE = "not_a_picture"
    UNSUPPORTED_FORMAT = "unsupported_format"
    ANIMATED = "animated"
    TOO_LARGE = "too_large"
    TOO_SMALL = "too_small"
    DAMAGED = "damaged"


class PictureError(Exception):
    """The file is not a readable picture; ``message`` is one sentence that says what to do about it."""

    def __init__(self, code: PictureFault, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

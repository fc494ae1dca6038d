"""Why a line call is refused. Apart from the ruling, so that naming an error loads nothing heavy."""

from __future__ import annotations

from enum import StrEnum


class LineCallFault(StrEnum):
    """Why there is no call."""

    OUTSIDE_PICTURE = "outside_picture"
    NO_DISC = "no_disc"
    IN_HOLE = "disc_in_hole"
    OFF_BOARD = "disc_off_board"
    HIDDEN = "disc_hidden"
    NO_DISCS = "no_discs"
    DIFFERENT_BOARDS = "different_boards"
    DIFFERENT_POSITIONS = "different_positions"
    DISC_MOVED = "disc_moved"
    CONTRADICTION = "contradiction"
    TOO_BLURRED = "too_blurred"
    TOO_SMALL = "too_small"


class LineCallError(Exception):
    """There is no call; ``message`` is a sentence that says why and what to do about it.

    ``photo`` is the photo that is to blame, empty when it is not a single one.
    """

    def __init__(self, code: LineCallFault, message: str, photo: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.photo = photo

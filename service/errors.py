"""Every failure a person can cause or meet, as an exit status, a code for programs and one sentence.

::

    PictureError        the file is not a readable picture         3
    NoBoardError        no crokinole board in it                   4
    FitError            too little of a board to measure           4
    LineCallError       too blurred or too small to rule on        3
    LineCallError       nothing to rule on, or photos that differ  2
    CameraFileError     wrong usage: a camera file                 2
    EquipmentError      wrong usage: equipment                     2
    BadRules, BadData,
    UnknownPreset       wrong usage: rules                         2
    UsageError          wrong usage: anything else                 2

Anything not listed is a bug and is left to crash; so are the other errors of ``scoring``, because what it is
told here was measured and not typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from calibration.equipment import EquipmentError
from calibration.errors import CalibrationError, CameraFileError
from scoring.errors import BadData, BadRules, UnknownPreset
from vision.linecall_errors import LineCallError, LineCallFault
from vision.picture_errors import PictureError


class ExitStatus(IntEnum):
    """What the command line returns; with several photos, the highest."""

    OK = 0
    USAGE = 2
    NOT_A_PICTURE = 3
    NO_BOARD = 4


class UsageError(Exception):
    """The command was asked for something that cannot be; ``code`` names the kind."""

    def __init__(self, message: str, code: str = "usage") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as people and programs see it; ``photo`` is the one to blame, if it is a single one."""

    code: str
    message: str
    status: ExitStatus
    photo: str = ""


_UNFIT = (LineCallFault.TOO_BLURRED, LineCallFault.TOO_SMALL)

FAILURES = (
    PictureError,
    LineCallError,
    CalibrationError,
    EquipmentError,
    BadRules,
    BadData,
    UnknownPreset,
    UsageError,
)
"""The errors :func:`failure_of` knows, for an ``except`` clause."""


def failure_of(error: Exception) -> Failure:
    """The failure an error stands for. Raises ``TypeError`` for an error that is none of :data:`FAILURES`."""
    message = " ".join(str(error).split())
    match error:
        case PictureError():
            return Failure(str(error.code), message, ExitStatus.NOT_A_PICTURE)
        case LineCallError():
            unfit = error.code in _UNFIT
            status = ExitStatus.NOT_A_PICTURE if unfit else ExitStatus.USAGE
            return Failure(str(error.code), message, status, error.photo)
        case CameraFileError():
            return Failure("bad_camera", message, ExitStatus.USAGE)
        case CalibrationError():
            return Failure("no_board", message, ExitStatus.NO_BOARD)
        case EquipmentError():
            return Failure("bad_equipment", message, ExitStatus.USAGE)
        case BadRules() | BadData() | UnknownPreset():
            return Failure("bad_rules", message, ExitStatus.USAGE)
        case UsageError():
            return Failure(error.code, message, ExitStatus.USAGE)
    raise TypeError(f"{type(error).__name__} is no failure but a bug") from error

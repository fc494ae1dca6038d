"""What can go wrong while a board is looked for.

::

    CalibrationError            the world's fault: the picture or the numbers give no answer
    ├── NoBoardError            no crokinole board in the picture
    ├── FitError                too few points on the lines to fit anything
    └── CameraFileError         a camera file that cannot be used
"""

from __future__ import annotations


class CalibrationError(Exception):
    """A picture or a file from which no calibration follows; the message is for a person."""


class NoBoardError(CalibrationError):
    """No crokinole board was found; ``reason`` says what was missing.

    ``rings_seen`` is the share of three rings that showed as lines: of two refusals the better guess has
    more.
    """

    def __init__(self, reason: str, rings_seen: float = 0.0) -> None:
        super().__init__(f"no crokinole board in the picture: {reason}")
        self.reason = reason
        self.rings_seen = rings_seen


class FitError(CalibrationError):
    """The points found do not determine a fit."""


class CameraFileError(CalibrationError):
    """A camera file is missing, unreadable or does not describe a camera."""

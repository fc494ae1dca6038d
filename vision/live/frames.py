"""Frames and where they come from: the seam between a camera and all that looks at it.

Whoever looks asks for the newest frame and never for a queue of them: a picture that has waited is a
picture of the past. A source keeps itself alive; it says what state it is in and never raises for a camera
that went away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a stream.

    ``rgb`` is uint8 (height, width, 3) and read-only; ``t_s`` the source's own time, which only grows;
    ``number`` counts the frames that arrived, so that a gap shows.
    """

    rgb: NDArray[np.uint8]
    t_s: float
    number: int

    def __post_init__(self) -> None:
        if self.rgb.dtype != np.uint8 or self.rgb.ndim != 3 or self.rgb.shape[2] != 3:
            raise ValueError(f"rgb must be uint8 (height, width, 3), not {self.rgb.dtype} {self.rgb.shape}")
        self.rgb.flags.writeable = False


class SourceState(StrEnum):
    """What a source is doing."""

    OPENING = "opening"
    LIVE = "live"
    LOST = "lost"
    ENDED = "ended"


class FrameSource(Protocol):
    """A camera, a stream, a film, or a list of pictures."""

    @property
    def state(self) -> SourceState:
        """What the source is doing now."""

    def newest(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame with a number above ``after``, waited for that long; None when there is none."""

    def close(self) -> None:
        """Let go of the camera. The state is ``ENDED`` afterwards."""


class ListedFrames:
    """A source made of pictures at a steady rate: each call of :meth:`newest` gets the next one, at once.

    ``None`` in the list is a moment without the camera. Time is the list's own, so nothing waits.
    """

    def __init__(self, pictures: Iterable[NDArray[np.uint8] | None], frames_per_s: float = 10.0) -> None:
        self._pictures = iter(pictures)
        self._step_s = 1.0 / frames_per_s
        self._number = 0
        self._state = SourceState.OPENING

    @property
    def state(self) -> SourceState:
        """``LIVE`` or ``LOST`` as the list has it, ``ENDED`` after its last picture."""
        return self._state

    def newest(self, after: int, timeout_s: float) -> Frame | None:
        """The next picture of the list; ``after`` and ``timeout_s`` do not matter here."""
        if self._state is SourceState.ENDED:
            return None
        try:
            rgb = next(self._pictures)
        except StopIteration:
            self._state = SourceState.ENDED
            return None
        self._number += 1
        self._state = SourceState.LOST if rgb is None else SourceState.LIVE
        return None if rgb is None else Frame(rgb, self._number * self._step_s, self._number)

    def close(self) -> None:
        """No more pictures."""
        self._state = SourceState.ENDED

"""What a fixed camera knows of its table: where the board is, whether it rests, whether a hand covers it.

:class:`Eye` is told frame by frame and answers at any moment whether the position may be scored. It sees
states, not scores; a follower of the game will stand on the same :class:`Glance`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import FittedBoard, find_board
from calibration.equipment import Equipment
from calibration.errors import CalibrationError
from calibration.fit import CameraPrior
from calibration.pixels import AtHand
from calibration.prior import camera_prior
from vision.live.frames import Frame
from vision.live.hand import hand_over, reaches_in
from vision.live.kept_board import KeptBoard, Sighting
from vision.live.small import WIDTH_PX, Grey, SmallBoard, small_board, small_grey
from vision.live.still_capture import (
    CHECK_WIDTH_PX,
    LEAST_FRAMES,
    MOST_FRAMES,
    CaptureError,
    Refused,
    still_picture,
)
from vision.live.stillness import Motion, StillnessGate
from vision.picture import Picture

_LOOK_AGAIN_S = 2.0  # between two searches for a board that was not found
_GAP_S = 1.0  # a longer one in the frames may hide a move
_DOUBT_S = 10.0  # of rest after which what was never seen is taken for glare
_CLEAR_WEIGHT = 0.2  # of a new clear frame in the memory of the clear board


@dataclass(frozen=True, slots=True)
class Glance:
    """What one frame shows.

    ``board`` is whether the board is seen where it is known to be; ``found`` is True in the frame in which
    it was found, or found to have moved.
    """

    t_s: float
    motion: Motion
    board: bool
    hand: bool
    found: bool = False


@dataclass(frozen=True)
class StillPicture:
    """The picture of a position at rest, and the board it shows."""

    picture: Picture
    board: FittedBoard
    frames: int


class Eye:
    """The memory of one camera; one call of :meth:`see` a frame, in order."""

    def __init__(self, equipment: Equipment | None = None, prior: CameraPrior | None = None) -> None:
        self._equipment, self._prior = equipment, prior
        self._gate = StillnessGate()
        self._kept: KeptBoard | None = None
        self._masks: tuple[SmallBoard, SmallBoard] | None = None
        self._clear: Grey | None = None
        self._rest: deque[Frame] = deque(maxlen=MOST_FRAMES)
        self._last: Frame | None = None
        self._searched_s = -np.inf
        self._doubted_since_s: float | None = None
        self._glance: Glance | None = None

    @property
    def board(self) -> FittedBoard | None:
        """The board as last fitted; None while there is none."""
        return None if self._kept is None else self._kept.board

    @property
    def last(self) -> Frame | None:
        """The frame seen last."""
        return self._last

    def see(self, frame: Frame) -> Glance:
        """Take a frame in."""
        if self._last is not None and frame.rgb.shape != self._last.rgb.shape:
            self._forget_board()
        if self._last is None or frame.t_s - self._last.t_s > _GAP_S:
            self._gate.reset()
        self._last = frame
        grey = small_grey(frame.rgb)
        motion = self._gate.see(grey, frame.t_s, self._surface(grey))
        if motion is Motion.MOVING:
            self._rest.clear()
            self._doubted_since_s = None
        else:
            self._rest.append(frame)
        self._glance = (
            self._still_glance(frame, grey)
            if motion is Motion.STILL
            else Glance(frame.t_s, motion, self._kept is not None, False)
        )
        return self._glance

    def still(self, name: str) -> StillPicture:
        """The picture of the position as it lies. Raises :class:`CaptureError` when it may not be scored."""
        if self._glance is None:
            raise CaptureError(Refused.NO_FRAMES)
        if self._glance.motion is not Motion.STILL or len(self._rest) < LEAST_FRAMES:
            raise CaptureError(Refused.NOT_STILL)
        if self._kept is None or self._masks is None or not self._glance.board:
            raise CaptureError(Refused.NO_BOARD)
        if self._glance.hand:
            raise CaptureError(Refused.HAND)
        rgb = still_picture(tuple(self._rest), self._masks[1])
        return StillPicture(Picture(AtHand(rgb), name, "camera"), self._kept.board, len(self._rest))

    def _still_glance(self, frame: Frame, grey: Grey) -> Glance:
        """The board's lines looked at, the board found anew where it must be, and hands looked for."""
        sighting = None if self._kept is None else self._kept.sight(frame.rgb)
        found = False
        if sighting is None or not sighting.same_view:
            found = self._searched(frame)
            if found and self._kept is not None:
                sighting = self._kept.sight(frame.rgb)
        if self._kept is None or sighting is None or self._masks is None:
            return Glance(frame.t_s, Motion.STILL, False, False, found)
        hand = self._hand(grey, sighting)
        if sighting.same_view and not hand:
            self._learn(frame, grey, sighting)
        return Glance(frame.t_s, Motion.STILL, sighting.same_view, hand, found)

    def _hand(self, grey: Grey, sighting: Sighting) -> bool:
        assert self._kept is not None and self._masks is not None and self._last is not None
        reaching = None if self._clear is None else reaches_in(grey, self._clear, self._masks[0])
        hand = hand_over(self._kept.board, sighting, reaching, grey.shape[1] / self._last.rgb.shape[1])
        if self._doubted_since_s is None:
            self._doubted_since_s = self._last.t_s
        elif hand and reaching is None and self._last.t_s - self._doubted_since_s > _DOUBT_S:
            self._kept = self._kept.undoubted()
        return hand

    def _learn(self, frame: Frame, grey: Grey, sighting: Sighting) -> None:
        assert self._kept is not None
        self._kept = self._kept.learned(sighting)
        if self._clear is None:
            self._clear = grey
        else:
            self._clear = (1 - _CLEAR_WEIGHT) * self._clear + _CLEAR_WEIGHT * grey

    def _searched(self, frame: Frame) -> bool:
        """Look for the board, not too often; whether it was found."""
        if frame.t_s - self._searched_s < _LOOK_AGAIN_S:
            return False
        self._searched_s = frame.t_s
        height, width = frame.rgb.shape[:2]
        prior = self._prior or camera_prior(width, height, None, None)
        try:
            board = find_board(frame.rgb, prior, self._equipment)
        except CalibrationError:
            return False
        self._kept = KeptBoard.of(board, frame.rgb)
        outer_mm, size = float(board.radii_mm[2]), (width, height)
        self._masks = (
            small_board(board.view, outer_mm, size, WIDTH_PX),
            small_board(board.view, outer_mm, size, CHECK_WIDTH_PX),
        )
        self._clear = None
        return True

    def _surface(self, grey: Grey) -> NDArray[np.bool_]:
        """Where motion counts: on the board, or everywhere while it is not known."""
        return np.ones(grey.shape, dtype=bool) if self._masks is None else self._masks[0].surface

    def _forget_board(self) -> None:
        self._kept = self._masks = self._clear = None
        self._gate.reset()
        self._rest.clear()

"""Is the board at rest? A gate over the small copies of the frames.

Each frame is compared with the one before it, which shows what is fast, and with the first of the present
rest, which shows what creeps. Rest must last before it counts, and one quiet frame between two moves is no
rest.
"""

from __future__ import annotations

from enum import StrEnum

import cv2
import numpy as np

from vision.live.small import Grey, Mask, difference

SETTLES_S = 0.4
_LEVELS = 10.0  # grey levels: noise of the small copy is one or two
_LEAST_PX = 4  # a disc is some 80 pixels of the small copy
_LIGHTS_SHARE = 0.5  # more than this changed is a light switched, or another view


class Motion(StrEnum):
    """What the board is doing."""

    MOVING = "moving"
    SETTLING = "settling"
    STILL = "still"


class StillnessGate:
    """Told frame by frame; what lies outside the mask may move as it likes."""

    def __init__(self, settles_s: float = SETTLES_S) -> None:
        self._settles_s = settles_s
        self._before: Grey | None = None
        self._rest: tuple[Grey, float] | None = None

    def reset(self) -> None:
        """Forget what was seen, as after a gap in the frames or another view of the board."""
        self._before = self._rest = None

    def see(self, grey: Grey, t_s: float, where: Mask) -> Motion:
        """What the board does at ``t_s``. ``where`` (h, w) is the playing surface."""
        before, self._before = self._before, grey
        if before is None or before.shape != grey.shape:
            self._rest = None
            return Motion.MOVING
        if changed(grey, before, where):
            self._rest = None
            return Motion.MOVING
        if self._rest is None or changed(grey, self._rest[0], where):
            self._rest = (grey, t_s)
            return Motion.SETTLING
        return Motion.STILL if t_s - self._rest[1] >= self._settles_s else Motion.SETTLING


def changed(now: Grey, before: Grey, where: Mask, least_px: int = _LEAST_PX, levels: float = _LEVELS) -> bool:
    """Whether a patch of at least ``least_px`` connected pixels within ``where`` differs by ``levels``."""
    apart = (difference(now, before, where) > levels) & where
    count = int(np.count_nonzero(apart))
    if count < least_px:
        return False
    if count > _LIGHTS_SHARE * np.count_nonzero(where):
        return True
    _, _, stats, _ = cv2.connectedComponentsWithStats(apart.astype(np.uint8), connectivity=8)
    return bool(stats[1:, cv2.CC_STAT_AREA].max(initial=0) >= least_px)

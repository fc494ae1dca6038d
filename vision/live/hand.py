"""Is a hand or an arm over the board? No skin, no model: an arm comes from outside and hides painted lines.

Two signs, either is enough. Something that was not there before, reaching across the rim, larger than three
discs, with part of the 5 line gone beneath it (under a mere shadow the line is still seen). Or, also
without a before: so long an arc of the lines hidden that discs cannot have done it.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.board import FittedBoard
from vision.live.kept_board import Sighting
from vision.live.small import Grey, Mask, SmallBoard, difference

_LEVELS = 18.0
_DISCS = 3
_DISC_MM2 = np.pi * 16.0**2
_UNDER_MM = 25.0  # of the 5 line gone beneath what came in
_OUTER_LINE_MM = 60.0  # of the 5 line: a disc hides half of that, and may not lie there
_MIDDLE_LINE_MM = 100.0  # of the 10 line: more than three discs in a row
_BOTH_LINES_MM = 42.0  # of the 5 and the 10 line, near one another
_NEAR_DEG = 24.0


def reaches_in(now: Grey, clear: Grey, board: SmallBoard) -> Mask | None:
    """Pixels of the small copy that something from outside covers; None when nothing does.

    ``clear`` is the copy of an earlier frame without a hand.
    """
    apart = (difference(now, clear, board.surface) > _LEVELS).astype(np.uint8)
    apart = np.asarray(cv2.morphologyEx(apart, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    _, labels = cv2.connectedComponents(apart, connectivity=8)
    inside = np.bincount(labels[board.surface], minlength=labels.max() + 1)
    outside = np.bincount(labels[board.beyond], minlength=labels.max() + 1)
    least_px = _DISCS * _DISC_MM2 * board.px_per_mm**2
    in_reach = np.bincount(labels.ravel(), minlength=labels.max() + 1)
    crosses = (inside > 0) & (outside > 0) & (in_reach > least_px)
    crosses[0] = False  # what did not change
    return np.asarray(crosses[labels]) if crosses.any() else None


def hand_over(board: FittedBoard, sighting: Sighting, reaching: Mask | None, small_factor: float) -> bool:
    """Whether a hand covers part of the board. ``small_factor`` is the small copy's scale."""
    radii_mm = board.radii_mm
    if reaching is not None:
        hidden = sighting.hidden[2] & _under(board, reaching, small_factor, sighting.hidden.shape[1])
        if _arc_mm(hidden, float(radii_mm[2])) >= _UNDER_MM:
            return True
    for ring, most_mm in ((1, _MIDDLE_LINE_MM), (2, _OUTER_LINE_MM)):
        if sighting.longest_hidden_mm(ring, float(radii_mm[ring])) >= most_mm:
            return True
    return _crosses_both(sighting, float(radii_mm[1]), float(radii_mm[2]))


def _arc_mm(marked: Mask, radius_mm: float) -> float:
    return float(np.count_nonzero(marked)) / len(marked) * 2 * np.pi * radius_mm


def _under(board: FittedBoard, reaching: Mask, factor: float, stretches: int) -> Mask:
    """Which stretches of the 5 line lie beneath a mask of the small copy."""
    angle = (np.arange(stretches) + 0.5) / stretches * 2 * np.pi
    on_line = board.fit.centres_mm[2] + board.radii_mm[2] * np.stack([np.cos(angle), np.sin(angle)], 1)
    px = np.rint((board.view.px_from_mm(on_line) + 0.5) * factor - 0.5).astype(np.intp)
    height, width = reaching.shape
    there = (px[:, 0] >= 0) & (px[:, 0] < width) & (px[:, 1] >= 0) & (px[:, 1] < height)
    wider = cv2.dilate(reaching.astype(np.uint8), np.ones((5, 5), np.uint8))
    return np.asarray(there & (wider[np.clip(px[:, 1], 0, height - 1), np.clip(px[:, 0], 0, width - 1)] > 0))


def _crosses_both(sighting: Sighting, middle_mm: float, outer_mm: float) -> bool:
    """Whether the 5 and the 10 line are both hidden for a while, at about the same angle."""
    outer = _long_runs(sighting.hidden[2], _BOTH_LINES_MM / outer_mm)
    middle = _long_runs(sighting.hidden[1], _BOTH_LINES_MM / middle_mm)
    reach = int(np.ceil(_NEAR_DEG / 360.0 * len(outer)))
    near = np.zeros_like(outer)
    for step in range(-reach, reach + 1):
        near |= np.roll(outer, step)
    return bool((near & middle).any())


def _long_runs(hidden: Mask, least_rad: float) -> Mask:
    """The stretches that belong to hidden runs at least that long, round the ring."""
    n = len(hidden)
    least = int(np.ceil(least_rad / (2 * np.pi) * n))
    starts = np.ones(n, dtype=bool)
    for step in range(least):
        starts &= np.roll(hidden, -step)
    runs = np.zeros(n, dtype=bool)
    for step in range(least):
        runs |= np.roll(starts, step)
    return runs

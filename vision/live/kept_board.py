"""A fixed camera's view of the board, kept from frame to frame and checked cheaply.

Finding a board takes a good part of a second; a camera on a stand sees the same one all evening. So the
fitted board is kept and only its painted lines are looked at again: where they are seen they must lie where
they lay (else somebody knocked the camera or the board), and where they are no longer seen something covers
them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import FittedBoard
from calibration.camera import Array
from calibration.lines import measure_ring

_STRETCHES = 180
_HALF_MM = 6.0
_HALF_PX = 5.0
_BUMPED_PX = 0.5  # ten times what a camera on a stand shows from frame to frame
_ENOUGH = 0.25  # of the stretches known, to judge the rest by


@dataclass(frozen=True)
class Sighting:
    """What a frame shows of the kept board's lines.

    ``moved_px`` is by how much the lines it shows lie elsewhere, NaN where too few are seen to tell;
    ``hidden`` (3, n) which stretches of arc, of those that can be seen at all, it does not show; from the
    15 line outward, by angle.
    """

    moved_px: float
    hidden: NDArray[np.bool_]
    offsets_mm: Array

    @property
    def same_view(self) -> bool:
        """Whether the camera sees the board where it was."""
        return self.moved_px < _BUMPED_PX

    def longest_hidden_mm(self, ring: int, radius_mm: float) -> float:
        """The longest hidden arc of a ring."""
        return longest_run(self.hidden[ring]) * math.tau * radius_mm / len(self.hidden[ring])


@dataclass(frozen=True)
class KeptBoard:
    """A fitted board and where its lines were seen.

    ``offsets_mm`` (3, n) is from each ring, from the 15 line outward and by angle, NaN where never seen;
    ``doubted`` (3, n) are stretches that were not seen when the board was fitted, though they are inside
    the picture: something may have covered them then.
    """

    board: FittedBoard
    offsets_mm: Array
    doubted: NDArray[np.bool_]

    @classmethod
    def of(cls, board: FittedBoard, rgb: NDArray[np.uint8]) -> KeptBoard:
        """The board just fitted to that frame."""
        offsets_mm = _offsets_mm(board, rgb)
        return cls(board, offsets_mm, _in_picture(board, rgb.shape[:2]) & ~np.isfinite(offsets_mm))

    def sight(self, rgb: NDArray[np.uint8]) -> Sighting:
        """What a frame (h, w, 3) of the same size shows of the lines."""
        now = _offsets_mm(self.board, rgb)
        known = np.isfinite(self.offsets_mm)
        both = known & np.isfinite(now)
        moved_px = np.nan
        if both.sum() > _ENOUGH * max(1, known.sum()):
            moved_mm = float(np.median(np.abs(now[both] - self.offsets_mm[both])))
            moved_px = moved_mm * self.board.view.scale_px_per_mm()
        return Sighting(moved_px, (known | self.doubted) & ~np.isfinite(now), now)

    def learned(self, sighting: Sighting) -> KeptBoard:
        """With the stretches that were seen for the first time; for a sighting of the same view."""
        known = np.isfinite(self.offsets_mm)
        offsets_mm = np.where(known, self.offsets_mm, sighting.offsets_mm)
        return replace(self, offsets_mm=offsets_mm, doubted=self.doubted & ~np.isfinite(offsets_mm))

    def undoubted(self) -> KeptBoard:
        """With what was never seen taken for glare or wear that is always there."""
        return replace(self, doubted=np.zeros_like(self.doubted))


def longest_run(marked: NDArray[np.bool_]) -> int:
    """The longest run of True round a closed ring (n,)."""
    if marked.all():
        return len(marked)
    # begun behind a False, so that no run crosses the ends
    opened = np.roll(marked, -int(np.argmin(marked)))
    edges = np.diff(np.r_[0, opened.astype(np.int8), 0])
    lengths = np.flatnonzero(edges == -1) - np.flatnonzero(edges == 1)
    return int(lengths.max(initial=0))


def _in_picture(board: FittedBoard, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    angle = (np.arange(_STRETCHES) + 0.5) / _STRETCHES * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    px = board.view.px_from_mm(board.fit.centres_mm[:, None] + board.radii_mm[:, None, None] * unit)
    inside = (px >= _HALF_PX) & (px <= np.array([shape[1], shape[0]]) - 1 - _HALF_PX)
    return np.asarray(inside.all(-1))


def _offsets_mm(board: FittedBoard, rgb: NDArray[np.uint8]) -> Array:
    half_mm = float(np.clip(_HALF_PX / max(board.view.scale_px_per_mm(), 1e-6), _HALF_MM, 2 * _HALF_MM))
    rings = (
        measure_ring(rgb, board.view, float(radius), centre, half_mm, stretches=_STRETCHES, profile=False)
        for radius, centre in zip(board.radii_mm, board.fit.centres_mm, strict=True)
    )
    return np.stack([ring.offset_mm for ring in rings])

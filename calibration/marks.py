"""What a crokinole board has besides three rings: quadrant lines, pegs, the hole.

They give the board's rotation, and they are what a target or a plate does not have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.lines import sample

_TURN_STEPS = 1440  # of a full turn
_QUADRANT_STEP_MM = 2.2  # to the wood on either side of a quadrant line, at the 5 line
_CLEAR_OF_RINGS_MM = 8.0
_PEG_HALF_DEG = 1.5
_HOLE_RADII_MM = np.arange(13.0, 26.1, 0.5)
_HOLE_RAYS = 72
_HOLE_CENTRE_MM = 4.0


@dataclass(frozen=True)
class Marks:
    """Evidence for a board, and its rotation.

    ``quadrants`` and ``pegs`` are how far the four (eight) best-placed directions stand out from all other
    turns, in robust sigmas; ``turn_rad`` is where the first quadrant line lies, None when neither shows.
    ``hole`` is the share of directions in which a circle of the hole's size has an edge, ``hole_radius_mm``
    its radius.
    """

    quadrants: float
    pegs: float
    turn_rad: float | None
    hole: float
    hole_radius_mm: float


def find_marks(rgb: NDArray[np.uint8], view: View, radii_mm: Array, mix: Array) -> Marks:
    """The marks of a picture with its rings fitted; ``mix`` (3,) is the lines' colour from the wood's."""
    quadrants, quadrant_turn = _comb(_quadrant_strength(rgb, view, radii_mm, mix), 4)
    pegs, _ = _comb(_peg_strength(rgb, view, float(radii_mm[0])), 8)
    hole, hole_radius = _hole(rgb, view)
    return Marks(quadrants, pegs, quadrant_turn if quadrants > 6.0 else None, hole, hole_radius)


def _quadrant_strength(rgb: NDArray[np.uint8], view: View, radii_mm: Array, mix: Array) -> Array:
    """How much radial line lies at each direction between the 10 and the 5 line; shape (turn steps,)."""
    radius = np.linspace(radii_mm[1] + _CLEAR_OF_RINGS_MM, radii_mm[2] - _CLEAR_OF_RINGS_MM, 20)
    angle = np.arange(_TURN_STEPS) / _TURN_STEPS * 2 * np.pi
    xy = radius[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], -1)
    values, inside = sample(rgb, view.px_from_mm(xy))
    line = values @ mix
    away = max(1, round(_QUADRANT_STEP_MM / (2 * np.pi * float(radii_mm[2]) / _TURN_STEPS)))
    ridge = line - np.maximum(np.roll(line, 2 * away, axis=1), np.roll(line, -2 * away, axis=1))
    ridge[~inside] = 0.0
    # a real line is there at most radii; a disc or a numeral at a few
    return np.asarray(np.percentile(ridge, 35, axis=0))


def _peg_strength(rgb: NDArray[np.uint8], view: View, r15_mm: float) -> Array:
    """How much the 15 line's colour stands out at each direction; shape (turn steps,)."""
    angle = np.arange(_TURN_STEPS) / _TURN_STEPS * 2 * np.pi
    xy = (r15_mm + np.linspace(-2.5, 2.5, 5))[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], -1)
    values, _ = sample(rgb, view.px_from_mm(xy))
    ring = values.mean(0)
    usual = np.median(ring, 0)
    return np.asarray(np.linalg.norm(ring - usual, axis=1))


def _comb(strength: Array, teeth: int) -> tuple[float, float]:
    """How far the best turn of ``teeth`` evenly spaced directions stands out, and the turn in radians."""
    period = _TURN_STEPS // teeth
    wide = np.max([np.roll(strength, k) for k in (-1, 0, 1)], axis=0)
    folded = np.sort(wide.reshape(teeth, period), axis=0)
    together = folded[teeth // 4 :].mean(0)  # a quarter of them may be hidden
    middle = float(np.median(together))
    spread = float(np.median(np.abs(together - middle))) * 1.4826 + 0.5
    best = int(together.argmax())
    return float((together[best] - middle) / spread), 2 * np.pi * best / _TURN_STEPS


def _hole(rgb: NDArray[np.uint8], view: View) -> tuple[float, float]:
    """The best circle of a hole's size near the centre: share of directions with an edge, and its radius."""
    angle = np.arange(_HOLE_RAYS) / _HOLE_RAYS * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], -1)
    shifts = np.array([-1.0, 0.0, 1.0]) * _HOLE_CENTRE_MM / 2
    best = (0.0, float(_HOLE_RADII_MM[0]))
    radii = np.concatenate([_HOLE_RADII_MM - 1.5, _HOLE_RADII_MM[-3:] + 1.5])
    for dx in shifts:
        for dy in shifts:
            xy = np.array([dx, dy]) + radii[:, None, None] * unit
            values, _ = sample(rgb, view.px_from_mm(xy))
            step = np.linalg.norm(values[3:] - values[:-3], axis=-1)
            noise = np.median(step)
            share = (step > 12.0 + noise).mean(1)
            at = int(share.argmax())
            if share[at] > best[0]:
                best = (float(share[at]), float(radii[at] + 0.75))
    return best

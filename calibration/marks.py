"""What a crokinole board has besides three rings: quadrant lines, pegs, the hole.

They give the board's rotation, and they are what a target or a plate does not have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.lines import sample
from calibration.polar import unrolled

_TURN_STEPS = 1440  # of a full turn
_QUADRANT_STEP_MM = 2.2  # to the wood on either side of a quadrant line, at the 5 line
_CLEAR_OF_RINGS_MM = 8.0
_RADII = 14
_AT_MOST = 4  # of the radii at a direction may show less: a third
_NEAR_STEPS = 12
_ON_SURFACE_MM = 27.0  # outside the 5 line, less what is clear of the ring: the surface ends at 25
_BEYOND, _BEYOND_STEPS, _BEYOND_DIRECTIONS = (1.025, 1.32), 28, 120  # of the 5 line's radius
_BEYOND_SEEN, _BEYOND_SHARE = 0.6, 0.33  # of the steps, and of the directions, that must be in the picture
_UNLIKE = 24.0  # grey levels
_SHOWN = 6.0  # robust sigmas
_HOLE_RADII_MM = np.arange(13.0, 22.6, 0.5)
_HOLE_RAYS = 72
_HOLE_CENTRE_MM = 4.0


@dataclass(frozen=True)
class Marks:
    """Evidence for a board, and its rotation.

    ``quadrants`` is how far the four best-placed radial lines between the 10 and the 5 line stand out from
    all other turns, in robust sigmas; ``turn_rad`` is where the first of them lies, None when they do not
    show. ``more_lines`` is the strongest radial line at any other direction, as a share of theirs, and
    ``through`` how strongly they, or broader rays, run on inside the 10 line: a target has spokes, a board
    four short lines. ``beyond`` is the same outside the 5 line, where a board's lines have ended, and
    ``ends`` the share of directions in which the surface itself soon ends there; NaN when too little of that
    is in the picture.
    ``pegs`` is the same as ``quadrants`` for eight places on the 15 line. ``hole`` is the share of directions
    in which a circle of the hole's size has an edge, ``hole_radius_mm`` its radius.
    """

    quadrants: float
    turn_rad: float | None
    more_lines: float
    through: float
    pegs: float
    hole: float
    hole_radius_mm: float
    beyond: float = 0.0
    ends: float = math.nan


def find_marks(rgb: NDArray[np.uint8], view: View, radii_mm: Array, mix: Array) -> Marks:
    """The marks of a picture with its rings fitted; ``mix`` (3,) is the lines' colour from the wood's."""
    outer, _ = _radial_lines(rgb, view, mix, float(radii_mm[1]), float(radii_mm[2]))
    quadrants, turn = _comb(outer, 4)
    inner, rays = _radial_lines(rgb, view, mix, float(radii_mm[0]), float(radii_mm[1]))
    outside, _ = _radial_lines(rgb, view, mix, float(radii_mm[2]), float(radii_mm[2]) + _ON_SURFACE_MM)
    at = _teeth(turn, 4)
    line = _typical_near(outer, at)
    elsewhere = outer.copy()
    elsewhere[_near(at, _NEAR_STEPS)] = np.nan
    more = float(np.nanmax(elsewhere)) / max(line, 1e-6) if np.isfinite(elsewhere).any() else 0.0
    # a pointed ray is a line at its tip alone
    through = max(_typical_near(inner, at), _typical_near(rays, at, _NEAR_STEPS)) / max(line, 1e-6)
    pegs, _ = _comb(_peg_strength(rgb, view, float(radii_mm[0])), 8)
    hole, hole_radius = _hole(rgb, view)
    return Marks(
        quadrants,
        turn if quadrants > _SHOWN else None,
        more,
        through,
        pegs,
        hole,
        hole_radius,
        beyond=_typical_near(outside, at) / max(line, 1e-6),
        ends=_ends(rgb, view, float(radii_mm[2])),
    )


def _radial_lines(
    rgb: NDArray[np.uint8], view: View, mix: Array, from_mm: float, to_mm: float
) -> tuple[Array, Array]:
    """How much radial line lies at each direction between two rings, and how much paint, however broad.

    Both (turn steps,), NaN where too little is in the picture.
    """
    radius = np.linspace(from_mm + _CLEAR_OF_RINGS_MM, to_mm - _CLEAR_OF_RINGS_MM, _RADII)
    values, inside = unrolled(rgb, view, radius, _TURN_STEPS)
    line = values @ mix.astype(np.float32)
    away = 2 * max(1, round(_QUADRANT_STEP_MM / (2 * np.pi * to_mm / _TURN_STEPS)))
    around = np.concatenate([line[:, -away:], line, line[:, :away]], axis=1)
    ridge = line - np.maximum(around[:, : -2 * away], around[:, 2 * away :])
    half = _TURN_STEPS // 2
    painted = line - np.partition(line, half, axis=1)[:, half : half + 1]
    seen = inside.mean(0) > 0.7
    # a real line is there at most radii; a disc or a numeral at a few
    thin, any_paint = (
        np.where(seen, np.partition(one, _AT_MOST, axis=0)[_AT_MOST].astype(np.float64), np.nan)
        for one in (ridge, painted)
    )
    return thin, any_paint


def _peg_strength(rgb: NDArray[np.uint8], view: View, r15_mm: float) -> Array:
    """How much the 15 line's colour stands out at each direction; shape (turn steps,)."""
    values, _ = unrolled(rgb, view, r15_mm + np.linspace(-2.5, 2.5, 5), _TURN_STEPS)
    ring = values.mean(0)
    return np.asarray(np.linalg.norm(ring - np.median(ring, 0), axis=1), np.float64)


def _ends(rgb: NDArray[np.uint8], view: View, r5_mm: float) -> float:
    """The share of directions in which what lies beyond the 5 line soon looks unlike the surface there.

    A ditch, a frame or a table follow; a drawing goes on. NaN when most directions leave the picture first.
    """
    values, inside = unrolled(rgb, view, r5_mm * np.linspace(*_BEYOND, _BEYOND_STEPS), _BEYOND_DIRECTIONS)
    seen = inside[: round(_BEYOND_SEEN * _BEYOND_STEPS)].all(0)
    if seen.mean() < _BEYOND_SHARE:
        return math.nan
    # the edge goes on from one direction to the next, noise does not
    values = np.asarray(cv2.blur(values, (3, 3)), np.float32)[:, seen]
    change = np.sqrt(np.square(values - np.median(values[:3], axis=0)).sum(-1))
    noise = float(np.median(np.sqrt(np.square(np.diff(values, axis=0)).sum(-1))))
    unlike = np.minimum(change[1:], change[:-1]) > max(_UNLIKE, 4.0 * noise)
    return float((unlike & inside[1:, seen]).any(0).mean())


def _comb(strength: Array, teeth: int) -> tuple[float, float]:
    """How far the best turn of ``teeth`` evenly spaced directions stands out, and the turn in radians."""
    period = _TURN_STEPS // teeth
    folded = np.sort(_widened(strength).reshape(teeth, period), axis=0)  # unseen ones (NaN) last
    seen = np.isfinite(folded).sum(0)
    hidden = np.where(seen > teeth // 2, seen // 4, 0)  # a quarter of them may lie under something
    rank = np.arange(teeth)[:, None]
    counted = (rank >= hidden) & (rank < seen)
    together = np.where(counted, folded, 0.0).sum(0) / np.maximum(counted.sum(0), 1)
    together[seen < 2] = 0.0
    middle = float(np.median(together))
    spread = float(np.median(np.abs(together - middle))) * 1.4826 + 0.5
    best = int(together.argmax())
    left, here, right = (float(together[(best + k) % period]) for k in (-1, 0, 1))
    bend = left - 2 * here + right
    part = 0.5 * (left - right) / bend if bend < -1e-9 else 0.0
    return (here - middle) / spread, 2 * np.pi * (best + float(np.clip(part, -0.5, 0.5))) / _TURN_STEPS


def _widened(strength: Array) -> Array:
    """Each direction with its neighbours' best: teeth need not be evenly spaced to a quarter of a degree."""
    return np.asarray(np.max([np.roll(strength, k) for k in (-1, 0, 1)], axis=0))


def _near(at: NDArray[np.intp], steps: int) -> NDArray[np.intp]:
    """Each direction (n,) with those up to so many steps beside it; (n, 2 steps + 1)."""
    return (at[:, None] + np.arange(-steps, steps + 1)) % _TURN_STEPS


def _typical_near(strength: Array, at: NDArray[np.intp], steps: int = 1) -> float:
    """The median of some directions' best within so many steps, of those that are seen; 0 where none is."""
    best = strength[_near(at, steps)].max(1)
    seen = best[np.isfinite(best)]
    return float(np.median(seen)) if len(seen) else 0.0


def _teeth(turn_rad: float, teeth: int) -> NDArray[np.intp]:
    first = round(turn_rad / (2 * np.pi) * _TURN_STEPS)
    return (first + np.arange(teeth) * (_TURN_STEPS // teeth)) % _TURN_STEPS


def _hole(rgb: NDArray[np.uint8], view: View) -> tuple[float, float]:
    """The best circle of a hole's size near the centre: share of directions with an edge, and its radius."""
    angle = np.arange(_HOLE_RAYS) / _HOLE_RAYS * 2 * np.pi
    radii = np.concatenate([_HOLE_RADII_MM - 1.5, _HOLE_RADII_MM[-3:] + 1.5])
    shifts = np.array([-1.0, 0.0, 1.0]) * _HOLE_CENTRE_MM / 2
    middles = np.stack(np.meshgrid(shifts, shifts, indexing="ij"), -1).reshape(-1, 1, 1, 2)
    unit = np.stack([np.cos(angle), np.sin(angle)], -1)
    values, _ = sample(rgb, view.px_from_mm(middles + radii[:, None, None] * unit))
    change = values[:, 3:] - values[:, :-3]
    step = np.sqrt(np.square(change).sum(-1))
    noise = np.median(step, axis=(1, 2), keepdims=True)
    share = (step > 12.0 + noise).mean(2).ravel()
    at = int(np.lexsort((step.mean(2).ravel(), share))[-1])  # of equal shares the strongest edge
    return float(share[at]), float(radii[at % len(_HOLE_RADII_MM)] + 0.75)

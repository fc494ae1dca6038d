"""Is it a crokinole board? What three concentric rings must have besides their proportions.

Targets, dart boards, plates and drains have rings too. A board's are thin lines with the same wood on both
sides, of one paint, seen most of the way round, with no further ring between them; and there are quadrant
lines from the 10 to the 5 line, or a hole in the middle with pegs around it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.fit import RingFit
from calibration.lines import RingLine
from calibration.marks import Marks
from calibration.polar import unrolled

_LEAST_FOUND = 0.3
_LEAST_MEAN_FOUND = 0.55
_LEAST_VISIBLE = 0.3
_MOST_STEP = 0.7
_SAME_PAINT = 0.8  # cosine of the colour differences
_SAME_WIDTH = 1.7
_RIM_WIDTH = 2.2
_QUADRANTS_SURE, _QUADRANTS_SEEN = 12.0, 6.0
_ALL_ELSE = 0.9  # of a hole's edge and of the surface's end, where the quadrant lines are barely seen
_THROUGH = 0.25  # of the quadrant lines' strength, inside the 10 line: on nearly all boards they end there
_PLAIN_RINGS = 0.85  # of each ring seen: what a figure with spokes must show at least
_SPOKES, _MOST_SPOKES = 0.5, 0.75  # of the quadrant lines' strength; the latter with all else
_HOLE_SURE = 0.5
#: Of the directions that are seen: what any board shows, and one of which the radial lines do not stop.
_ENDS_LEAST, _SURFACE_ENDS = 0.3, 0.6
_FURTHER_RINGS = 0.5
_STEP_MM = 1.2
_SIDE = 3  # steps to the wood beside a line
_CLEAR = 9  # steps from a ring of the board
_DIRECTIONS = 120


def objection(
    rgb: NDArray[np.uint8], fit: RingFit, lines: tuple[RingLine, RingLine, RingLine], marks: Marks
) -> str | None:
    """Why this is no board, in plain words; None when nothing speaks against it."""
    against = objection_to_lines(lines)
    if against is not None:
        return against
    against = objection_to_marks(marks)
    if against is not None:
        return against
    # of lines that are barely seen themselves it cannot be told whether they run on
    is_sure = marks.quadrants >= _QUADRANTS_SURE
    if is_sure and marks.through > _THROUGH and min(line.found for line in lines) < _PLAIN_RINGS:
        return "its radial lines run through to the middle, and its rings are not plain"
    if further_rings(rgb, fit) > _FURTHER_RINGS:
        return "there are rings where a board has none"
    return None


def further_rings(rgb: NDArray[np.uint8], fit: RingFit) -> float:
    """The strongest thin ring where a board has none, as a share of the weakest of its three."""
    steps = np.round(fit.radii_mm / _STEP_MM).astype(int)
    radius = np.arange(steps[0] - 3 * _SIDE, steps[2] + 3 * _SIDE + 1)
    values, inside = unrolled(rgb, fit.view, radius * _STEP_MM, _DIRECTIONS)
    line, inner, outer = values[_SIDE:-_SIDE], values[: -2 * _SIDE], values[2 * _SIDE :]
    # a line differs from both its sides the same way, a border does not
    up, down = line - np.maximum(inner, outer), line - np.minimum(inner, outer)
    ridge = np.maximum(up, 0.0) + np.minimum(down, 0.0)
    shown = np.linalg.norm(_medians_of_seen(ridge, inside[_SIDE:-_SIDE]), axis=1)
    off = np.abs(radius[_SIDE:-_SIDE, None] - steps)
    own = [float(shown[off[:, k] < _SIDE].max()) for k in range(3)]
    further = float(shown[(off > _CLEAR).all(1)].max())
    return further / max(min(own), 1e-6)


def _medians_of_seen(values: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Medians (rows, 3) of each row's colours (rows, n, 3) where they are ``seen``; 0 where none is."""
    by_colour = np.where(seen[:, None], np.moveaxis(values, 2, 1), np.inf)
    ordered, count = np.sort(by_colour, axis=2), seen.sum(1)
    low, high = (
        np.take_along_axis(ordered, np.maximum(at, 0)[:, None, None], 2)[..., 0]
        for at in ((count - 1) // 2, count // 2)
    )
    return np.where(count[:, None] > 0, (low + high) / 2, 0.0)


def objection_to_lines(lines: tuple[RingLine, RingLine, RingLine]) -> str | None:
    """Why these three rings are not a board's painted lines; None when they may be."""
    found = [line.found for line in lines]
    if min(found) < _LEAST_FOUND or float(np.mean(found)) < _LEAST_MEAN_FOUND:
        return "the rings are not lines all the way round"
    if min(line.visible for line in lines) < _LEAST_VISIBLE:
        return "too little of the rings is inside the picture"
    if sorted(line.step for line in lines)[1] > _MOST_STEP:
        return "the rings are borders between two colours, not painted lines"
    inner_mm = max(line.width_mm.mean for line in lines[:2])
    if lines[2].width_mm.mean > _RIM_WIDTH * inner_mm:
        return "the outer ring is the rim of something, not a painted line"
    width_mm = float(np.median([line.width_mm.mean for line in lines]))
    for line, other in ((lines[2], lines[1]), (lines[0], lines[1])):
        unlike = float(line.paint @ other.paint) < _SAME_PAINT or line.width_mm.mean > _SAME_WIDTH * width_mm
        if line.step > _MOST_STEP and (unlike or line.step > 3 * _MOST_STEP):
            return "one of the rings is a border between two colours, not a painted line"
    return None


def objection_to_marks(marks: Marks) -> str | None:
    """Why these marks are not a board's; None when they may be."""
    has_all_else = marks.hole >= _ALL_ELSE and marks.ends >= _ALL_ELSE
    if marks.quadrants < (_QUADRANTS_SEEN if has_all_else else _QUADRANTS_SURE):
        return "no quadrant lines between its 10 and 5 line"
    if marks.more_lines > (_MOST_SPOKES if has_all_else else _SPOKES):
        return "there are more radial lines than a board's four"
    if marks.through > _THROUGH and marks.hole < _HOLE_SURE:
        return "its radial lines run through to the middle, and there is no hole"
    if marks.ends < _ENDS_LEAST:
        return "nothing ends beyond the outer ring, as a board's surface does"
    if max(marks.through, marks.beyond) > _THROUGH and marks.ends < _SURFACE_ENDS:
        return "its radial lines do not keep to the outer ring, and nothing ends beyond it"
    return None

"""The pegs on the 15 line: how many of the eight are seen.

A peg may be of the board's own wood, but it hides the painted line. So pegs are short breaks in the line at
eighths of a turn; a disc makes a longer one, anywhere. How thick a peg is cannot be told from that: the line
fades out beside it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import FittedBoard
from calibration.lines import measure_ring

PLACES = 8
_STRETCHES = 720
_HALF_MM = 6.0
_LONGEST_MM = 28.0  # of the line that a peg hides, seen from the side
_APART_MM = 3.5  # how far what hides the line is from its eighth of the circle
_LEAST = 3  # fewer breaks at eighths are something else


def pegs_seen(rgb: NDArray[np.uint8], board: FittedBoard) -> int:
    """At how many eighths of a turn something short hides the 15 line; 0 where too few for pegs."""
    radius_mm, centre_mm = float(board.radii_mm[0]), board.fit.centres_mm[0]
    line = measure_ring(rgb, board.view, radius_mm, centre_mm, _HALF_MM, stretches=_STRETCHES, profile=False)
    step_mm = 2 * np.pi * radius_mm / _STRETCHES
    runs = [run for run in breaks(~line.seen) if len(run) * step_mm < _LONGEST_MM]
    places = max((_places(runs, float(run.mean()), _APART_MM / step_mm) for run in runs), default=0)
    return places if places >= _LEAST else 0


def breaks(hidden: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Runs of hidden stretches of a closed line; the numbers of a run over the line's end go on past it."""
    if hidden.all() or not hidden.any():
        return []
    start = int(np.flatnonzero(~hidden)[0])
    turned = np.concatenate([[False], np.roll(hidden, -start), [False]])
    ends = np.flatnonzero(turned[1:] != turned[:-1])
    return [np.arange(low, high) + start for low, high in ends.reshape(-1, 2)]


def _places(runs: list[NDArray[np.intp]], turn: float, within: float) -> int:
    """How many eighths, counted from a turn (in stretches), have a run."""
    period = _STRETCHES / PLACES
    near = [run for run in runs if np.abs((run - turn + period / 2) % period - period / 2).min() < within]
    return len({round(float(run.mean() - turn) / period) % PLACES for run in near})

"""One's own board, measured from a photo of it: what the equipment file holds, and more.

The rings are those of the fit to the whole picture. What is left of each line after it tells how far the
painted ring is from a circle: its second harmonic is an ellipse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import FittedBoard
from calibration.camera import Array
from calibration.lines import RingLine
from calibration.measured import Measured
from calibration.own_board_edges import longer_mm, round_edge, view_sigma_mm
from calibration.own_board_pegs import pegs_seen

LINES = (15, 10, 5)
_HOLE_MM = (11.0, 24.0)
_SURFACE = (1.03, 1.25)  # of the 5 line's radius
_SHARED_ERROR = 4.0  # neighbouring stretches of a hand-painted line err together: one in so many counts
_LEAST_STRETCHES = 24
_CENTRE = 11  # where the rings' centres begin among the fit's unknowns


@dataclass(frozen=True)
class OwnRing:
    """One painted ring: ``line`` is 15, 10 or 5, ``diameter_mm`` to the middle of the paint.

    ``ellipse_mm`` is the longest less the shortest diameter, ``centre_mm`` (x, y) the ring's own centre from
    that of the 5 line, x along the quadrant line that points most to the picture's right. ``found`` is the
    share of the ring that is seen.
    """

    line: int
    diameter_mm: Measured
    width_mm: Measured
    ellipse_mm: Measured
    centre_mm: tuple[Measured, Measured]
    found: float


@dataclass(frozen=True)
class OwnBoard:
    """A measured board. ``scaled_by`` says in words where its millimetres come from.

    ``hole_mm`` and ``surface_mm`` are diameters, None where the picture does not show them; ``pegs`` is the
    number of eighths of the 15 line at which something like a peg is seen. ``camera`` is where the focal
    length came from, ``tilt_deg`` how far from straight above the photo was taken.
    """

    rings: tuple[OwnRing, OwnRing, OwnRing]
    hole_mm: Measured | None
    surface_mm: Measured | None
    pegs: int
    camera: str
    tilt_deg: float
    scaled_by: str

    def scaled(self, factor: float, scaled_by: str) -> OwnBoard:
        """The same board in other millimetres."""
        inner, middle, outer = (_ring_scaled(ring, factor) for ring in self.rings)
        return replace(
            self,
            rings=(inner, middle, outer),
            hole_mm=None if self.hole_mm is None else self.hole_mm * factor,
            surface_mm=None if self.surface_mm is None else self.surface_mm * factor,
            scaled_by=scaled_by,
        )


def measure_own_board(rgb: NDArray[np.uint8], board: FittedBoard) -> OwnBoard:
    """The board of a picture (h, w, 3) with its lines fitted, in the scale of a 24-inch 5 line."""
    fit = board.fit
    r5_mm = float(board.radii_mm[2])
    inner, middle, outer = _with_others_doubt([_ring(board, k) for k in range(3)])
    hole = round_edge(rgb, fit, *_HOLE_MM, outermost=True)
    surface = round_edge(rgb, fit, *(r5_mm * share for share in _SURFACE), outermost=False)
    return OwnBoard(
        (inner, middle, outer),
        None if hole is None else hole.radius_mm * 2,
        None if surface is None else surface.radius_mm * 2,
        pegs_seen(rgb, board),
        board.camera,
        board.view.tilt_deg,
        "its 5 line taken for 24 inches (609.6 mm) across",
    )


def _ring(board: FittedBoard, k: int) -> OwnRing:
    line, covariance = board.lines[k], np.diag(board.fit.covariance)
    r5_mm = float(board.radii_mm[2])
    harmonics, sigma_mm = _harmonics(line)
    radius_sigma = math.sqrt(max(float(covariance[9 + k]), 0.0)) * line.radius_mm if k < 2 else 0.0
    at = [
        Measured(
            float(board.fit.centres_mm[k][axis]) + (float(harmonics[1 + axis]) if k < 2 else 0.0),
            math.hypot(math.sqrt(max(float(covariance[_CENTRE + 2 * k + axis]), 0.0)) * r5_mm, sigma_mm)
            if k < 2
            else 0.0,
        )
        for axis in (0, 1)
    ]
    return OwnRing(
        line=LINES[k],
        diameter_mm=Measured(2 * line.radius_mm, 2 * radius_sigma),
        width_mm=line.width_mm,
        ellipse_mm=Measured(
            4 * float(np.hypot(*harmonics[3:])),
            math.hypot(4 * sigma_mm, view_sigma_mm(board.fit, line.radius_mm, longer_mm)),
        ),
        centre_mm=(at[0], at[1]),
        found=line.found,
    )


def _with_others_doubt(rings: list[OwnRing]) -> list[OwnRing]:
    """The rings, each with the doubt of its ellipse that the others show.

    An ellipse of one ring draws the pose after it, which then shows in all rings, by their size.
    """
    sizes = np.array([ring.diameter_mm.mean for ring in rings])
    shown = np.array([ring.ellipse_mm.mean for ring in rings]) / sizes
    doubts = [size * np.delete(shown, k).max() for k, size in enumerate(sizes)]
    return [
        replace(
            ring, ellipse_mm=Measured(ring.ellipse_mm.mean, math.hypot(ring.ellipse_mm.sigma, float(doubt)))
        )
        for ring, doubt in zip(rings, doubts, strict=True)
    ]


def _harmonics(line: RingLine) -> tuple[Array, float]:
    """A line's offsets as mean, cos, sin, cos 2, sin 2 of the direction (5,), mm; and the sigma of each."""
    seen = line.seen
    if seen.sum() < _LEAST_STRETCHES:
        return np.zeros(5), math.inf
    angle, offset = line.angle[seen], line.offset_mm[seen]
    design = np.stack(
        [np.ones_like(angle), np.cos(angle), np.sin(angle), np.cos(2 * angle), np.sin(2 * angle)], 1
    )
    trust = np.ones(len(angle))
    for _ in range(6):
        half = design * trust[:, None]
        found = np.linalg.lstsq(half.T @ design, half.T @ offset, rcond=None)[0]
        off = np.abs(offset - design @ found)
        spread = max(1.4826 * float(np.median(off)), 1e-3)
        trust = 1.0 / (1.0 + np.square(off / (2.0 * spread)))
    sigma = spread * math.sqrt(2.0 * _SHARED_ERROR / max(float(trust.sum()), 1.0))
    return np.asarray(found), sigma


def _ring_scaled(ring: OwnRing, factor: float) -> OwnRing:
    return replace(
        ring,
        diameter_mm=ring.diameter_mm * factor,
        width_mm=ring.width_mm * factor,
        ellipse_mm=ring.ellipse_mm * factor,
        centre_mm=(ring.centre_mm[0] * factor, ring.centre_mm[1] * factor),
    )

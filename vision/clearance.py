"""The gap between a disc's bottom circle and the painted band of a line, and what it proves.

The rule (Crokinole Depot 4c, 4d): a disc that touches a line scores the lower region, and what touches is the
edge of the disc's bottom. Only one contact costs points: the outermost bottom point against the inner edge of
the next line out. Both are measured in the same few millimetres of the same photo, so most of the camera's
error cancels; what does not is carried through by the fit's covariance (GUM, JCGM 100:2008, 5.1.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.board import FittedBoard
from calibration.camera import Array, View
from calibration.lines import RingLine
from calibration.measured import Measured
from vision.outline import StandingDisc
from vision.reading import LineGap, Verdict

LINES = (15, 10, 5)
_NEAR_MM = 25.0  # along the arc: how far from the disc the line's own course is still told
_PAINT_MM = 0.12  # a painted edge's raggedness, one sigma
_WRONG_SIDE = 0.01  # JCGM 106: a verdict is given only when the other side is less likely than this
_SURPRISE = 0.01  # share of measurements that are wrong for a reason no sigma knows
_WANDER_MM = 10.0  # a painted edge wanders slowly: nearer stretches err together
_LEAST_EDGE_MM = 0.02
_DIFFERENCE = 1e-4


@dataclass(frozen=True)
class Placed:
    """A disc for the gap: where it stands, and the sigma of its bevel (widest less bottom radius) in mm."""

    disc: StandingDisc
    bevel_sigma_mm: float


def line_gaps(board: FittedBoard, placed: list[Placed]) -> list[LineGap]:
    """For each disc the gap to the line that is nearest to its outermost bottom point."""
    if not placed:
        return []
    chosen = [_nearest(board, p) for p in placed]
    view_sigma = _view_sigma(board, [p.disc for p in placed], [c[0] for c in chosen])
    return [
        _judged(LINES[ring], Measured(gap.mean, float(np.hypot(gap.sigma, extra))))
        for (ring, gap), extra in zip(chosen, view_sigma, strict=True)
    ]


def touch_probability(gap_mm: Measured) -> float:
    """P(the bottom is over the line), with a small share kept for surprises."""
    return _SURPRISE / 2 + (1 - _SURPRISE) * gap_mm.probability_below(0.0)


def inner_edge(line: RingLine, angle_rad: float) -> Measured:
    """Distance of a line's inner edge from its ring's centre, at a direction, from the stretches near it."""
    seen = line.seen
    arc = line.radius_mm * np.angle(np.exp(1j * (line.angle[seen] - angle_rad)))
    weight = np.exp(-0.5 * np.square(arc / _NEAR_MM)) / (np.square(line.sigma_mm[seen]) + _PAINT_MM**2)
    # the fitted circle itself speaks where the line is hidden
    everywhere = float(np.nanstd(line.offset_mm)) if seen.any() else 0.5
    circle = 1.0 / (everywhere**2 + _PAINT_MM**2)
    offset = float((weight * line.offset_mm[seen]).sum() / (weight.sum() + circle))
    stretch_mm = line.radius_mm * 2 * np.pi / len(line.angle)
    together = max(1.0, 2 * _WANDER_MM / stretch_mm)
    own = together / max(float(weight.sum()), 1e-12)
    sigma2 = 1.0 / (1.0 / max(own, _LEAST_EDGE_MM**2) + circle)
    width = line.width_mm
    return Measured(line.radius_mm + offset - width.mean / 2, float(np.sqrt(sigma2 + (width.sigma / 2) ** 2)))


def _nearest(board: FittedBoard, placed: Placed) -> tuple[int, Measured]:
    """Ring index and gap (without the camera's part of sigma) of the line nearest to the bottom edge."""
    disc = placed.disc
    best: tuple[int, Measured] | None = None
    for ring, line in enumerate(board.lines):
        from_centre = disc.xy_mm - line.centre_mm
        distance = float(np.hypot(*from_centre))
        edge = inner_edge(line, float(np.arctan2(from_centre[1], from_centre[0])))
        pull = np.array([*(from_centre / max(distance, 1e-9)), 1.0, 0.0])
        variance = float(pull @ disc.covariance @ pull) + placed.bevel_sigma_mm**2
        gap = edge - Measured(distance + disc.solid.bottom_radius_mm, float(np.sqrt(variance)))
        if best is None or abs(gap.mean) < abs(best[1].mean):
            best = (ring, gap)
    assert best is not None
    return best


def _view_sigma(board: FittedBoard, discs: list[StandingDisc], rings: list[int]) -> Array:
    """The camera's and the pose's part of each gap's sigma (n,), mm.

    The pixels seen stay what they are; each unknown of the fit is moved, and the gap that follows is
    compared.
    """
    fit, view = board.fit, board.view
    heights = np.array([d.solid.base_mm + d.solid.thickness_mm / 2 for d in discs])
    centres = np.stack([board.lines[r].centre_mm for r in rings])
    at = np.stack([d.xy_mm for d in discs]) - centres
    unit = at / np.maximum(np.linalg.norm(at, axis=1, keepdims=True), 1e-9)
    rim = centres + at + unit * np.array([d.solid.widest_radius_mm for d in discs])[:, None]
    line = centres + unit * np.array([board.lines[r].radius_mm for r in rings])[:, None]
    rim_px = view.px_from_mm(np.concatenate([rim, heights[:, None]], 1))
    line_px = view.px_from_mm(line)

    def gap(other: View) -> Array:
        seen_rim = np.stack([other.mm_from_px(px, float(z)) for px, z in zip(rim_px, heights, strict=True)])
        seen_line = other.mm_from_px(line_px)
        return np.asarray(
            np.linalg.norm(seen_line - centres, axis=1) - np.linalg.norm(seen_rim - centres, axis=1)
        )

    here = gap(view)
    gradient = np.empty((len(discs), len(fit.parameters)))
    for k in range(len(fit.parameters)):
        moved = fit.parameters.copy()
        moved[k] += _DIFFERENCE
        gradient[:, k] = (gap(fit.perturbed(moved)[0]) - here) / _DIFFERENCE
    return np.asarray(np.sqrt(np.maximum(np.einsum("ni,ij,nj->n", gradient, fit.covariance, gradient), 0.0)))


def _judged(line: int, gap_mm: Measured) -> LineGap:
    touching = touch_probability(gap_mm)
    if touching < _WRONG_SIDE:
        verdict = Verdict.CLEAR
    elif touching > 1 - _WRONG_SIDE:
        verdict = Verdict.TOUCHING
    else:
        verdict = Verdict.TOO_CLOSE
    return LineGap(line, gap_mm, touching, verdict)

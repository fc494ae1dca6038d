"""The gap between a disc's bottom circle and the painted band of a line, and what it proves.

The rule (Crokinole Depot 4c, 4d): a disc that touches a line scores the lower region, and what touches is the
edge of the disc's bottom. Only one contact costs points: the outermost bottom point against the inner edge of
the next line out. Both are measured in the same few millimetres of the same photo, so most of the camera's
error cancels; what does not is carried through by the fit's covariance (GUM, JCGM 100:2008, 5.1.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.board import FittedBoard
from calibration.camera import Array, View
from calibration.lines import RingLine
from calibration.measured import Measured
from vision.outline_stand import StandingDisc
from vision.reading import LineGap, Verdict

LINES = (15, 10, 5)
_NEAR_MM = 25.0  # along the arc: how far from the disc the line's own course is still told
_OFF_COURSE = 2.0  # of a line's wandering: beyond that it is something else
_REWEIGHTINGS = 6
_LEAST_STRETCHES = 8
_MOST_WANDER_MM = 1.0  # from its circle: what is farther off is not the line
_HIDDEN_MM = 0.05  # where the circle speaks for the line, the pose's error no longer cancels against it
_ALIKE = 1.5  # of a stretch's noise: what blur and sharpening do to a line's edges is alike all along it
_QUARTILES = 1.349  # sigmas between a normal distribution's quartiles
_LEAST_NEAR = 1e-6
_UNSEEN_MM = 0.5  # how far a line may be off its circle where next to nothing of it is seen
_WRONG_SIDE = 0.01  # JCGM 106: a verdict is given only when the other side is less likely than this
#: Of the doubt about a bevel; no edges take it away, as the dark beneath a bevel passes for the foot.
_BEVEL_LEFT = 0.7
_OPEN_SIGMAS = 3.0  # a verdict is given from about 2.6 on
_SURPRISE = 0.01  # share of measurements that are wrong for a reason no sigma knows
_WANDER_MM = 10.0  # a painted edge wanders slowly: nearer stretches err together
_LEAST_EDGE_MM = 0.02
_DIFFERENCE = 1e-4
_LENS = slice(5, 9)  # of the fit's unknowns: focal length, distortion, principal point


@dataclass(frozen=True, slots=True)
class GapBudget:
    """What a gap's uncertainty is made of: one sigma of each cause in mm, independent of each other.

    ``lens_mm`` is the camera's (focal length, principal point, distortion), ``pose_mm`` where it stood and
    the rings as fitted, ``profile_mm`` the disc's size and the shape of its side, ``paint_mm`` the line's
    width and raggedness, ``edges_mm`` the picture's edges of the disc. The line and the disc are the same in
    every photo of a position, so ``profile_mm`` and ``paint_mm`` do not shrink with more photos.
    """

    lens_mm: float
    pose_mm: float
    profile_mm: float
    paint_mm: float
    edges_mm: float

    @property
    def sigma_mm(self) -> float:
        """All causes together: the root of the sum of squares."""
        parts = (self.lens_mm, self.pose_mm, self.profile_mm, self.paint_mm, self.edges_mm)
        return math.hypot(*parts)


@dataclass(frozen=True)
class Placed:
    """A disc for the gap: where it stands, and the sigma of its bevel (widest less bottom radius) in mm."""

    disc: StandingDisc
    bevel_sigma_mm: float


def line_gaps(board: FittedBoard, placed: list[Placed]) -> list[LineGap]:
    """For each disc the gap to the line that is nearest to its outermost bottom point."""
    return [
        judged(LINES[ring], Measured(gap_mm, budget.sigma_mm))
        for ring, gap_mm, budget in _measured(board, placed)
    ]


def is_open(board: FittedBoard, placed: Placed) -> bool:
    """Whether a better look at a disc may settle its call: it is near a line, and most doubt is its edges'.

    The camera's part, which takes long to tell, is left out.
    """
    _, gap_mm, budget = _nearest(board.lines, _wander_mm(board.lines), placed)
    others_mm = math.hypot(budget.profile_mm, budget.paint_mm)
    return bool(abs(gap_mm) < _OPEN_SIGMAS * budget.sigma_mm and budget.edges_mm > others_mm)


def gap_budgets(board: FittedBoard, placed: list[Placed]) -> list[GapBudget]:
    """What the sigma of each of ``line_gaps(board, placed)`` is made of, in the same order."""
    return [budget for _, _, budget in _measured(board, placed)]


def touch_probability(gap_mm: Measured) -> float:
    """P(the bottom is over the line), with a small share kept for surprises."""
    return _SURPRISE / 2 + (1 - _SURPRISE) * gap_mm.probability_below(0.0)


def inner_edge(line: RingLine, angle_rad: float) -> Measured:
    """Distance of a line's inner edge from its ring's centre, at a direction, from the stretches near it.

    Discs and their shadows on a line pass for its edges: stretches that lie off the line's own course nearby
    count less and less (Geman-McClure). The fitted circle counts as one more measurement, as far as the line
    keeps to it all round.
    """
    seen = line.seen
    offset, sigma = line.offset_mm[seen], line.sigma_mm[seen]
    if len(offset) < _LEAST_STRETCHES:
        return Measured(
            line.radius_mm - line.width_mm.mean / 2, math.hypot(_UNSEEN_MM, line.width_mm.sigma / 2)
        )
    ring, _ = _middle_and_spread(offset, np.ones(len(offset)))
    paint = np.abs(offset - ring) < _MOST_WANDER_MM
    offset, sigma = offset[paint], sigma[paint]
    arc = line.radius_mm * np.angle(np.exp(1j * (line.angle[seen][paint] - angle_rad)))
    near = np.exp(-0.5 * np.square(arc / _NEAR_MM))
    here, scatter = _middle_and_spread(offset, near + _LEAST_NEAR)
    ring, wander = _middle_and_spread(offset, np.ones(len(offset)))
    near = near / (np.square(sigma) + scatter**2)
    circle = 1.0 / (wander**2 + (here - ring) ** 2 + _HIDDEN_MM**2)
    for _ in range(_REWEIGHTINGS):
        weight = near / np.square(1.0 + np.square((offset - here) / (_OFF_COURSE * scatter)))
        here = float((weight @ offset + circle * ring) / (weight.sum() + circle))
    stretch_mm = line.radius_mm * 2 * np.pi / len(line.angle)
    together = max(1.0, 2 * _WANDER_MM / stretch_mm)
    own = max(together / max(float(weight.sum()), 1e-12), _LEAST_EDGE_MM**2)
    alike = _ALIKE * float(np.median(sigma))
    variance = 1.0 / (1.0 / own + circle) + alike**2 + (line.width_mm.sigma / 2) ** 2
    return Measured(line.radius_mm + here - line.width_mm.mean / 2, math.sqrt(variance))


def _middle_and_spread(value: Array, weight: Array) -> tuple[float, float]:
    """Median of values (n,) in mm under weights, and one sigma of them by their quartiles."""
    order = np.argsort(value)
    share = np.cumsum(weight[order]) / weight.sum()
    low, middle, high = value[order][np.searchsorted(share, (0.25, 0.5, 0.75))]
    return float(middle), max(float(high - low) / _QUARTILES, _LEAST_EDGE_MM)


def _measured(board: FittedBoard, placed: list[Placed]) -> list[tuple[int, float, GapBudget]]:
    """For each disc the nearest line's index, its gap in mm, and what that gap's sigma is made of."""
    if not placed:
        return []
    wander_mm = _wander_mm(board.lines)
    chosen = [_nearest(board.lines, wander_mm, p) for p in placed]
    gradient = _by_view(board, [p.disc for p in placed], [c[0] for c in chosen])
    lens, pose = _by_lens_and_pose(gradient, board.fit.covariance)
    return [
        (ring, gap_mm, replace(budget, lens_mm=float(lens[k]), pose_mm=float(pose[k])))
        for k, (ring, gap_mm, budget) in enumerate(chosen)
    ]


def _by_lens_and_pose(gradient: Array, covariance: Array) -> tuple[Array, Array]:
    """Sigmas (n,) of what has that gradient (n, k) by the fit's unknowns: by the lens, and the rest.

    Another focal length comes with another distance, as the rings stay where they are seen: the lens' share
    is that of its error with all that follows from it in the fit, the rest's is what the lens leaves open.
    """
    of_lens = covariance[_LENS, _LENS]
    follows = np.linalg.solve(of_lens, covariance[_LENS]).T  # by each of the lens' unknowns
    lens = gradient @ follows
    variance = np.einsum("ni,ij,nj->n", lens, of_lens, lens)
    rest = covariance - follows @ of_lens @ follows.T
    return np.sqrt(np.maximum(variance, 0.0)), np.sqrt(
        np.maximum(np.einsum("ni,ij,nj->n", gradient, rest, gradient), 0.0)
    )


def _wander_mm(lines: Sequence[RingLine]) -> list[float]:
    """How far the stretches of each line lie off its circle at most: so far may its edge."""
    return [float(np.abs(line.offset_mm[line.seen]).max(initial=0.0)) for line in lines]


def _nearest(
    lines: Sequence[RingLine], wander_mm: Sequence[float], placed: Placed
) -> tuple[int, float, GapBudget]:
    """Ring index, gap and its budget (without the camera's part) of the line nearest to the bottom edge."""
    disc = placed.disc
    from_centre = [disc.xy_mm - line.centre_mm for line in lines]
    distance = [math.hypot(*off) for off in from_centre]
    to_circle = [
        abs(line.radius_mm - line.width_mm.mean / 2 - far - disc.solid.bottom_radius_mm)
        for line, far in zip(lines, distance, strict=True)
    ]
    at_most = min(gap + wander for gap, wander in zip(to_circle, wander_mm, strict=True))
    best: tuple[int, float, GapBudget] | None = None
    for ring, line in enumerate(lines):
        if to_circle[ring] - wander_mm[ring] > at_most:
            continue
        off = from_centre[ring]
        edge = inner_edge(line, math.atan2(off[1], off[0]))
        gap_mm = edge.mean - distance[ring] - disc.solid.bottom_radius_mm
        if best is None or abs(gap_mm) < abs(best[1]):
            edges_mm, profile_mm = _of_disc(placed, off / max(distance[ring], 1e-9))
            best = (ring, gap_mm, GapBudget(0.0, 0.0, profile_mm, edge.sigma, edges_mm))
    assert best is not None
    return best


def _of_disc(placed: Placed, outward: Array) -> tuple[float, float]:
    """Sigmas in mm of how far a disc's bottom reaches outward: by its edges, and by its size and profile."""
    disc = placed.disc
    if disc.bottom is None:
        pull = np.array([*outward, 1.0, 0.0])
        return math.sqrt(float(pull @ disc.covariance @ pull)), placed.bevel_sigma_mm
    pull = np.array([*outward, 1.0])
    parts = disc.bottom.edges, disc.bottom.profile
    edges_mm, profile_mm = (math.sqrt(max(float(pull @ part @ pull), 0.0)) for part in parts)
    return edges_mm, math.hypot(profile_mm, _BEVEL_LEFT * placed.bevel_sigma_mm)


def _by_view(board: FittedBoard, discs: list[StandingDisc], rings: list[int]) -> Array:
    """Each gap's derivatives (n, 15) by the unknowns of the board's fit, mm.

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
    both = np.concatenate([np.column_stack([rim, heights]), np.column_stack([line, np.zeros(len(line))])])
    both_px = view.px_from_mm(both)

    def gap(other: View) -> Array:
        on_surface, eye = other.mm_from_px(both_px), other.eye_mm
        seen = on_surface + (eye[:2] - on_surface) * (both[:, 2:] / eye[2])  # up the lines of sight
        rim_mm, line_mm = np.linalg.norm(seen - np.tile(centres, (2, 1)), axis=1).reshape(2, -1)
        return np.asarray(line_mm - rim_mm)

    here = gap(view)
    gradient = np.empty((len(discs), len(fit.parameters)))
    for k in range(len(fit.parameters)):
        moved = fit.parameters.copy()
        moved[k] += _DIFFERENCE
        gradient[:, k] = (gap(fit.perturbed(moved)[0]) - here) / _DIFFERENCE
    return gradient


def judged(line: int, gap_mm: Measured) -> LineGap:
    """What a gap to a line (15, 10 or 5) proves."""
    touching = touch_probability(gap_mm)
    if touching < _WRONG_SIDE:
        verdict = Verdict.CLEAR
    elif touching > 1 - _WRONG_SIDE:
        verdict = Verdict.TOUCHING
    else:
        verdict = Verdict.TOO_CLOSE
    return LineGap(line, gap_mm, touching, verdict)

"""Guesses where a board may be, from a small picture.

Each guess is the concentric rings of one facing (:mod:`calibration.hough`, :mod:`calibration.rings`) with the
view fitted to the points near them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.equipment import Equipment
from calibration.errors import FitError
from calibration.faint import faint_triples
from calibration.fit import (
    LOST,
    CameraPrior,
    LinePoints,
    RadiusPrior,
    Start,
    in_sigmas_and_mm,
    model_at,
    ring_prior,
)
from calibration.hough import likely_facings
from calibration.ridges import Ridges, find_ridges
from calibration.ring_model import UNKNOWNS, RingModel
from calibration.rings import RingTriple, facing_of, ring_triples
from calibration.solve import robust_step

_STANDARD = Equipment().board.ring_radii_mm
#: How well the inner radii of a stranger's board are known before its rings are measured.
WIDE_SIGMA_MM = (10.0, 20.0)
_GATE = (0.08, 0.6, 0.012)  # of the radius: first, shrinking by, at least; for points taken as a ring's
_SHARP_GATE = 0.04
_OUTER_RINGS = 4
_SHOWS_WELL = 0.6  # of the best score
_ALIGNED = 0.95
_TILTED_DEG = 14.0
_HELD_K1_SIGMA = 0.003
_AROUND = 1.6  # of the first gate: what may come near while the view moves
_POINTS = 600
_LEAST_POINTS = 100
_POINT_SIGMA_PX = 0.7
_ROUNDS = 8
_SAME = 0.002  # of the radii
_FAINT_FACINGS, _FAINT_VOTES = 2, 0.4
_SETTLED = 0.3  # sigmas; the lines themselves are fitted later


@dataclass(frozen=True)
class Guess:
    """A board that may be there, and what is taken as known of the camera."""

    start: Start
    prior: CameraPrior


def guesses(small: NDArray[np.uint8], prior: CameraPrior) -> Iterator[Guess]:
    """Where a small picture (h, w, 3) may show a board: by the points of its lines, then by faint rings."""
    ridges = find_ridges(small)
    if len(ridges) < _LEAST_POINTS:
        return
    yield from _by_points(ridges, (small.shape[1], small.shape[0]), prior)
    for facing in islice(likely_facings(ridges, prior.camera, prior.f_relative_sigma), _FAINT_FACINGS):
        for triple in faint_triples(small, facing) if facing.votes > _FAINT_VOTES else ():
            yield Guess(_start(triple), prior)


def _by_points(ridges: Ridges, size_px: tuple[int, int], prior: CameraPrior) -> Iterator[Guess]:
    """Coarse fits to the thin-line points, likeliest first: of a whole frame, then of a crop."""
    inner_tried: list[Start] = []
    tried: list[Start] = []
    for knowledge in (prior, prior.of_a_crop(max(size_px))):
        for facing in likely_facings(ridges, knowledge.camera, knowledge.f_relative_sigma):
            held = (
                _held(knowledge)
                if facing.tilt_deg < _TILTED_DEG
                else replace(knowledge, k1_sigma=_HELD_K1_SIGMA)
            )
            for triple in ring_triples(ridges, facing, size_px):
                try:
                    # the surface's rim is near the 5 line and draws it away: the two inner rings give the
                    # view first
                    inner = _coarse_fit(ridges, triple, held, rings=2)
                    if not _is_new(inner, inner_tried):
                        continue
                    for guess in _sharpened(ridges, inner, held, size_px):
                        if _is_new(guess, tried):
                            yield Guess(guess, prior)
                except FitError:
                    continue


def _sharpened(ridges: Ridges, inner: Start, prior: CameraPrior, size_px: tuple[int, int]) -> Iterator[Start]:
    """All three rings fitted from the view that the inner two gave.

    The rims of the surface and of the ditch are rings of good proportions too, often the plainer ones, but
    they lie outside the 5 line: of what shows well the smallest comes first.
    """
    triples = ring_triples(ridges, facing_of(inner.view), size_px, most=_OUTER_RINGS, smear_steps=1)
    well = _SHOWS_WELL * max((triple.score for triple in triples), default=0.0)
    for triple in sorted(triples, key=lambda one: (one.score < well, one.radii[2])):
        yield _coarse_fit(ridges, triple, prior, first_gate=_SHARP_GATE)


def _is_new(guess: Start, tried: list[Start]) -> bool:
    """Whether the rings are none of those tried before; they are added to them."""
    if any(other.is_like(guess, _SAME) for other in tried):
        return False
    tried.append(guess)
    return True


def _held(prior: CameraPrior) -> CameraPrior:
    """Near straight above neither focal length, lens nor principal point are in the rings: they are held."""
    return replace(
        prior,
        f_relative_sigma=0.05,
        principal_sigma_px=0.2 * prior.principal_sigma_px,
        k1_sigma=_HELD_K1_SIGMA,
    )


def _coarse_fit(
    ridges: Ridges,
    triple: RingTriple,
    prior: CameraPrior,
    *,
    rings: int = 3,
    first_gate: float = _GATE[0],
) -> Start:
    """The view fitted to the thin-line points near the triple's rings, or near the inner two alone.

    The points are chosen anew each round, from an ever narrower band about each ring.
    """
    start = _start(triple)
    inner, middle, outer = start.radii_mm.tolist()
    radii = RadiusPrior((inner, middle, outer), WIDE_SIGMA_MM)
    model, known = model_at(start, prior, radii), ring_prior(radii, prior)
    p = model.unknowns(start.view.camera, start.radii_mm, start.centres_mm)
    gate, (_, shrink, least) = first_gate, _GATE
    ridges = _around(ridges, start, gate * _AROUND, rings).some(_POINTS)
    for _ in range(_ROUNDS):
        near = _near(model, p, ridges, gate, rings)
        step = robust_step(p, near.residual, near.jacobian, near.residual_elsewhere, known)
        p = step.p
        if gate == least and step.moved < _SETTLED:
            break
        gate = max(gate * shrink, least)
    return Start(*model.unpack(p))


def _start(triple: RingTriple) -> Start:
    """The view and the rings that a triple means, its 5 line 24 inches across."""
    r5_mm = _STANDARD[2]
    return Start(triple.view(r5_mm), np.array(triple.radii) * (r5_mm / triple.radii[2]), np.zeros((3, 2)))


def _around(ridges: Ridges, start: Start, gate: float, rings: int) -> Ridges:
    """The points within ``gate`` of the radius of one of the inner ``rings``."""
    x, y = start.view.mm_from_px(ridges.xy_px).T
    radius = np.sqrt(x * x + y * y)
    close = (np.abs(radius / start.radii_mm[:rings, None] - 1) < gate).any(0)
    return Ridges(ridges.xy_px[close], ridges.normal[close], ridges.strength[close])


@dataclass(frozen=True)
class _Near:
    """Points taken as the rings', with their residuals (n,) in sigmas, as of `in_sigmas_and_mm`."""

    model: RingModel
    ring: NDArray[np.intp]
    xy_px: Array
    residual: Array
    jacobian: Array
    per_mm: Array

    def residual_elsewhere(self, p: Array) -> Array:
        """The same points' residuals at other unknowns: a step is short enough to keep what a sigma is."""
        there = self.model.distances_mm(p, self.ring, self.xy_px) * self.per_mm
        return np.where(np.isfinite(there), there, LOST)


def _near(model: RingModel, p: Array, ridges: Ridges, gate: float, rings: int) -> _Near:
    """The points within ``gate`` of a ring's radius and along it."""
    view, radii_mm, _ = model.unpack(p)
    x, y = view.mm_from_px(ridges.xy_px).T
    radius = np.sqrt(x * x + y * y)
    ring: NDArray[np.intp] = (radius > (radii_mm[0] + radii_mm[1]) / 2).astype(np.intp)
    ring += radius > (radii_mm[1] + radii_mm[2]) / 2
    close = np.nonzero((ring < rings) & (np.abs(radius / radii_mm[ring] - 1) < gate))[0]
    points = LinePoints(ring[close], ridges.xy_px[close], np.full(len(close), _POINT_SIGMA_PX))
    here, jacobian, per_mm = in_sigmas_and_mm(model, p, points)
    across_x, across_y = jacobian[:, 7], jacobian[:, 8]
    normal_x, normal_y = ridges.normal[close].T
    lie = np.abs(across_x * normal_x + across_y * normal_y) > _ALIGNED * np.hypot(across_x, across_y)
    if lie.sum() < UNKNOWNS:
        raise FitError(f"only {int(lie.sum())} points on the rings")
    return _Near(model, points.ring[lie], points.xy_px[lie], here[lie], jacobian[lie], per_mm[lie])

"""Guesses where a board may be, from the thin-line points of a small picture.

Each guess is the concentric rings of one facing (:mod:`calibration.hough`, :mod:`calibration.rings`) with the
view fitted to the points near them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from calibration.equipment import Equipment
from calibration.errors import FitError
from calibration.fit import (
    CameraPrior,
    LinePoints,
    RadiusPrior,
    Start,
    in_sigmas,
    lost_if_nan,
    model_at,
    ring_prior,
)
from calibration.hough import likely_facings
from calibration.ridges import Ridges
from calibration.ring_model import UNKNOWNS, RingModel
from calibration.rings import RingTriple, facing_of, ring_triples
from calibration.solve import robust_step

_STANDARD = Equipment().board.ring_radii_mm
#: How well the inner radii of a stranger's board are known before its rings are measured.
WIDE_SIGMA_MM = (10.0, 20.0)
_GATE = (0.08, 0.6, 0.012)  # of the radius: first, shrinking by, at least; for points taken as a ring's
_SHARP_GATE = 0.04
_ALIGNED = 0.95
_TILTED_DEG = 14.0
_HELD_K1_SIGMA = 0.003
_POINTS = 1200
_LEAST_POINTS = 100
_POINT_SIGMA_PX = 0.7
_ROUNDS = 8
_SAME = 0.002  # of the radii
_SETTLED = 0.3  # sigmas; the lines themselves are fitted later


@dataclass(frozen=True)
class Guess:
    """A board that may be there, and what is taken as known of the camera."""

    start: Start
    prior: CameraPrior


def guesses(ridges: Ridges, size_px: tuple[int, int], prior: CameraPrior) -> Iterator[Guess]:
    """Coarse fits to the thin-line points, likeliest first: of a whole frame, then of a crop."""
    if len(ridges) < _LEAST_POINTS:
        return
    some = ridges.some(_POINTS)
    inner_tried: list[Start] = []
    tried: list[Start] = []
    for knowledge in (prior, prior.of_a_crop(max(size_px))):
        for facing in likely_facings(ridges, knowledge.camera):
            held = (
                _held(knowledge)
                if facing.tilt_deg < _TILTED_DEG
                else replace(knowledge, k1_sigma=_HELD_K1_SIGMA)
            )
            for triple in ring_triples(ridges, knowledge.camera, facing, size_px):
                try:
                    # the surface's rim is near the 5 line and draws it away: the two inner rings give the
                    # view first
                    inner = _coarse_fit(some, triple, held, knowledge.camera, rings=2)
                    if not _is_new(inner, inner_tried):
                        continue
                    for guess in _sharpened(some, inner, held, size_px):
                        if _is_new(guess, tried):
                            yield Guess(guess, prior)
                except FitError:
                    continue


def _sharpened(ridges: Ridges, inner: Start, prior: CameraPrior, size_px: tuple[int, int]) -> Iterator[Start]:
    """All three rings fitted from the view that the inner two gave."""
    camera = inner.view.camera
    for triple in ring_triples(ridges, camera, facing_of(inner.view), size_px, most=2, smear_steps=1):
        yield _coarse_fit(ridges, triple, prior, camera, first_gate=_SHARP_GATE)


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
    camera: Camera,
    *,
    rings: int = 3,
    first_gate: float = _GATE[0],
) -> Start:
    """The view fitted to the thin-line points near the triple's rings, or near the inner two alone.

    The points are chosen anew each round, from an ever narrower band about each ring.
    """
    r5_mm = _STANDARD[2]
    scale = r5_mm / triple.radii[2]
    radii = RadiusPrior((triple.radii[0] * scale, triple.radii[1] * scale, r5_mm), WIDE_SIGMA_MM)
    start = Start(triple.view(camera, r5_mm), np.array(radii.radii_mm), np.zeros((3, 2)))
    model, known = model_at(start, prior, radii), ring_prior(radii, prior)
    p = model.unknowns(camera, start.radii_mm, start.centres_mm)
    gate, (_, shrink, least) = first_gate, _GATE
    for _ in range(_ROUNDS):
        points, here, jacobian, per_mm = _near(model, p, ridges, gate, rings)

        def data(q: Array, at: LinePoints = points, sigmas_per_mm: Array = per_mm) -> Array:
            return lost_if_nan(model.residual_mm(q, at.ring, at.xy_px) * sigmas_per_mm)

        step = robust_step(p, here, jacobian, data, known)
        p = step.p
        if gate == least and step.moved < _SETTLED:
            break
        gate = max(gate * shrink, least)
    return Start(*model.unpack(p))


def _near(
    model: RingModel, p: Array, ridges: Ridges, gate: float, rings: int
) -> tuple[LinePoints, Array, Array, Array]:
    """The points within ``gate`` of a ring's radius and along it, with what ``in_sigmas`` says of them."""
    view, radii_mm, _ = model.unpack(p)
    radius = np.sqrt(np.square(view.mm_from_px(ridges.xy_px)).sum(1))
    ring: NDArray[np.intp] = np.abs(radius[:, None] - radii_mm).argmin(1)
    close = (ring < rings) & (np.abs(radius / radii_mm[ring] - 1) < gate)
    points = LinePoints(ring[close], ridges.xy_px[close], np.full(int(close.sum()), _POINT_SIGMA_PX))
    here, jacobian, per_mm = in_sigmas(model, p, points)
    across = model.mm_per_px(jacobian)
    lie = np.abs((across * ridges.normal[close]).sum(1)) > _ALIGNED * np.sqrt(np.square(across).sum(1))
    if lie.sum() < UNKNOWNS:
        raise FitError(f"only {int(lie.sum())} points on the rings")
    return (
        LinePoints(points.ring[lie], points.xy_px[lie], points.sigma_px[lie]),
        here[lie],
        jacobian[lie],
        per_mm[lie],
    )

"""Where the discs stand, to a part of a pixel: their solids fitted to the outlines in the full picture.

Across the expected outline the picture is sampled along many directions. A shadow's border, a painted line, the bevel's
inner rim and a neighbour are edges too, and often stronger ones; but only the disc's own outline has its shape all
round. So the place comes from a vote: for each shift the share of directions with an edge where the outline would be,
however strong (a generalised Hough transform, Ballard 1981). From there each direction takes its nearest plain edge,
and position, size and profile are solved together by a redescending M-estimator (Geman-McClure), which lets a direction
with another thing's edge go. Discs of one photo are one make: their size and profile are shared, up to a little.

What the picture leaves open (the height from straight above, the bevel under the widest circle) keeps its prior and
its sigma.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.lines import sample
from vision.solid import Silhouettes, Solid, silhouettes

_DIRECTIONS = 72
_ANGLE = np.arange(_DIRECTIONS) / _DIRECTIONS * 2 * np.pi
_UNIT = np.stack([np.cos(_ANGLE), np.sin(_ANGLE)], 1)
_UNKNOWNS = 6
_SEARCH_MM, _SEARCH_STEP_MM = 2.4, 0.3
_FIRST_WINDOW_MM = 4.0
_WINDOWS_MM = (1.6, 1.2, 0.9)
_BOX_MM, _LEAST_BOX_PX = 0.3, 1.2  # how much on each side of an edge is averaged
_ROUND = (0.1, 0.25, 0.3, 0.25, 0.1)  # neighbouring directions' weights in a smoothed edge
_NEAR = 0.45  # of the window: how far the nearest plain edge is looked for
_LEAST_STEP = 6.0  # grey levels
_PLAIN = 0.35  # of the disc's typical edge: a plain edge, whatever more it has
_LEAST_SEEN = 12
_SHARED_ERROR = 4.0  # neighbouring directions err together: one in so many is independent
_LEAST_SCALE_MM = 0.03
_FULLNESS_SIGMA = 0.4
_SET_MM = 0.05  # discs of one set differ by so much in radius, thickness and bevel
_SET_FULLNESS = 0.05


@dataclass(frozen=True)
class SizePrior:
    """What is known of a set's discs: the solid, and the sigmas of its widest radius, thickness and bevel in mm.

    The bevel is the widest radius less the bottom one.
    """

    solid: Solid
    radius_sigma_mm: float
    thickness_sigma_mm: float
    bevel_sigma_mm: float


@dataclass(frozen=True)
class StandingDisc:
    """A disc's bottom centre ``xy_mm`` (2,), its solid, and the covariance (4, 4) of x, y, radius and thickness.

    ``found`` is the share of directions with an edge, ``rms_px`` of those that count.
    """

    xy_mm: Array
    solid: Solid
    covariance: Array
    found: float
    rms_px: float


def stand_all(rgb: NDArray[np.uint8], view: View, xy_mm: Array, prior: SizePrior) -> list[StandingDisc]:
    """The discs near ``xy_mm`` (n, 2) (bottom centres, within 2 mm), fitted to their outlines."""
    if not len(xy_mm):
        return []
    unknown = np.zeros((len(xy_mm), _UNKNOWNS))
    unknown[:, :2] = xy_mm
    size = np.array([prior.radius_sigma_mm, prior.thickness_sigma_mm, prior.bevel_sigma_mm, _FULLNESS_SIGMA])
    mean, spread = np.zeros((len(xy_mm), 4)), np.broadcast_to(np.diag(np.square(size)), (len(xy_mm), 4, 4))
    unknown[:, :2] += _voted(rgb, view, unknown, prior.solid)
    for turn, window_mm in enumerate(_WINDOWS_MM):
        seen = silhouettes(view, unknown[:, :2], _grown(prior.solid, unknown), _UNIT)
        offset = _nearest_edges(rgb, seen, window_mm)
        change, fit = _solved(seen, offset, unknown, mean, spread)
        unknown = unknown + change
        if turn == len(_WINDOWS_MM) - 2:
            mean, spread = _shared(fit, unknown, mean, spread)
    covariance = np.linalg.inv(fit.information)
    return [
        StandingDisc(u[:2], s, c[:4, :4], float(f), float(r))
        for u, s, c, f, r in zip(
            unknown, _grown(prior.solid, unknown), covariance, np.isfinite(offset).mean(1), fit.rms_px, strict=True
        )
    ]


@dataclass(frozen=True)
class _Fit:
    """What the edges say: ``data`` (n, 6, 6) their information, ``information`` with the prior's, ``rms_px`` (n,)."""

    data: Array
    information: Array
    rms_px: Array


def _grown(solid: Solid, unknown: Array) -> list[Solid]:
    """The solids with what is unknown of them added: radius, thickness, bevel, fullness in columns 2 to 5."""
    return [
        replace(
            solid,
            widest_radius_mm=solid.widest_radius_mm + radius,
            bottom_radius_mm=solid.bottom_radius_mm + radius - bevel,
            thickness_mm=solid.thickness_mm + thickness,
            fullness=solid.fullness + fullness,
        )
        for radius, thickness, bevel, fullness in unknown[:, 2:].tolist()
    ]


def _rises(rgb: NDArray[np.uint8], seen: Silhouettes, window_mm: float) -> tuple[Array, Array]:
    """Places across the outlines (n, s) in mm of radius, and the colour step there (n, d, s) in grey levels.

    The step is between the means of a short box on either side; 0 beyond the picture.
    """
    px_per_mm = float(np.median(seen.per_mm))
    box_mm = max(_BOX_MM, _LEAST_BOX_PX / px_per_mm)
    step_mm = box_mm / 3
    count = int(np.ceil(window_mm / step_mm)) + 3
    s_mm = np.arange(-count, count + 1) * step_mm
    along = s_mm[:, None] * _UNIT[:, None]
    values, inside = sample(rgb, seen.points[:, :, None] + seen.per_mm[..., None, None] * along)
    light = np.square(values) / (2.0 * np.maximum(values.mean(2, keepdims=True), 1.0))
    total = np.cumsum(light, axis=2)
    box = total[:, :, 3:] - total[:, :, :-3]
    step = box[:, :, 3:] - box[:, :, :-3]
    smooth = sum(w * np.roll(step, k, axis=1) for k, w in enumerate(_ROUND, start=-(len(_ROUND) // 2)))
    rise = np.sqrt(np.square(smooth).sum(-1)) / 3
    # box[i] is the mean of samples i+1..i+3: the step between box[i] and box[i+3] lies at sample i+3.5
    at_mm = s_mm[3:-3] + 0.5 * step_mm
    return at_mm[: rise.shape[2]], np.where(inside.all(2)[..., None], rise, 0.0)


def _plain(rise: Array) -> Array:
    """How plain an edge is, 0 to 1: it saturates, so that a much stronger edge of something else has one vote too."""
    typical = np.maximum(np.median(rise.max(2), axis=1), _LEAST_STEP / _PLAIN)[:, None, None]
    square = np.square(rise)
    return np.asarray(square / (square + np.square(_PLAIN * typical)))


def _voted(rgb: NDArray[np.uint8], view: View, unknown: Array, solid: Solid) -> Array:
    """The shift (n, 2) in mm at which most directions have an edge on the outline."""
    seen = silhouettes(view, unknown[:, :2], _grown(solid, unknown), _UNIT)
    at_mm, rise = _rises(rgb, seen, _FIRST_WINDOW_MM)
    plain = _plain(rise)
    steps = np.arange(-_SEARCH_MM, _SEARCH_MM + 1e-9, _SEARCH_STEP_MM)
    shift = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    shift = shift[np.hypot(*shift.T) < _SEARCH_MM + 1e-9]
    moved = np.einsum("ndj,mj->nmd", seen.design[..., :2] / seen.per_mm[..., None], shift)
    column = np.rint((moved - at_mm[0]) / (at_mm[1] - at_mm[0])).astype(np.intp)
    n, d = np.arange(len(unknown))[:, None, None], np.arange(_DIRECTIONS)
    vote = plain[n, d, np.clip(column, 0, len(at_mm) - 1)].mean(2)
    return np.asarray(shift[vote.argmax(1)])


def _nearest_edges(rgb: NDArray[np.uint8], seen: Silhouettes, window_mm: float) -> Array:
    """Where each direction's edge lies (n, d), px outward from the expected outline; NaN where there is none."""
    at_mm, rise = _rises(rgb, seen, window_mm)
    plain = _plain(rise)
    peak = np.zeros(rise.shape, dtype=bool)
    peak[..., 1:-1] = (rise[..., 1:-1] >= rise[..., :-2]) & (rise[..., 1:-1] > rise[..., 2:])
    score = np.where(peak, plain * np.exp(-0.5 * np.square(at_mm / (_NEAR * window_mm))), 0.0)
    best = np.clip(score.argmax(2), 1, len(at_mm) - 2)
    n, d = np.arange(len(rise))[:, None], np.arange(rise.shape[1])
    left, mid, right = rise[n, d, best - 1], rise[n, d, best], rise[n, d, best + 1]
    bend = np.minimum(left - 2 * mid + right, -1e-6)
    place = at_mm[best] + np.clip(0.5 * (left - right) / bend, -1, 1) * (at_mm[1] - at_mm[0])
    return np.where((score[n, d, best] > 0) & (plain[n, d, best] > 0.3), place * seen.per_mm, np.nan)


def _solved(seen: Silhouettes, offset: Array, unknown: Array, mean: Array, spread: Array) -> tuple[Array, _Fit]:
    """A robust Gauss-Newton step (n, 6) under the sizes' prior ``mean`` (n, 4) and ``spread`` (n, 4, 4)."""
    prior = np.zeros((len(unknown), _UNKNOWNS, _UNKNOWNS))
    prior[:, 2:, 2:] = np.linalg.inv(spread)
    prior[:, [0, 1], [0, 1]] = 1.0 / _SEARCH_MM**2
    toward = np.zeros_like(unknown)
    toward[:, 2:] = mean - unknown[:, 2:]
    has = np.isfinite(offset)
    scale_px = seen.per_mm.mean(1)
    found = np.where(has, offset, 0.0)
    change = np.zeros_like(unknown)
    for _ in range(8):
        residual = found - np.einsum("ndk,nk->nd", seen.design, change)
        size = np.where(has, np.abs(residual), np.nan)
        sigma = 1.4826 * np.nan_to_num(np.nanmedian(np.where(has.any(1)[:, None], size, 1.0), axis=1), nan=1.0)
        sigma = np.maximum(sigma, _LEAST_SCALE_MM * scale_px)[:, None]
        weight = has / np.square(1.0 + np.square(residual / (2.0 * sigma)))
        half = seen.design * (weight / (np.square(sigma) * _SHARED_ERROR))[..., None]
        data = np.einsum("ndi,ndj->nij", half, seen.design)
        pull = np.einsum("ndi,nd->ni", half, found) + np.einsum("nij,nj->ni", prior, toward)
        change = np.linalg.solve(data + prior, pull[..., None])[..., 0]
    rms = np.sqrt((weight * np.square(residual)).sum(1) / np.maximum(weight.sum(1), 1e-9))
    return np.clip(change, -1.5, 1.5), _Fit(data, data + prior, rms)


def _shared(fit: _Fit, unknown: Array, mean: Array, spread: Array) -> tuple[Array, Array]:
    """Each disc's prior of size from all discs of the photo: their common size, and how much one set's discs differ.

    Position taken out of each disc's information (Schur complement), its size is one measurement of the common one.
    """
    data = fit.data + np.diag([1e-9] * _UNKNOWNS)
    cross = data[:, 2:, :2]
    own = data[:, 2:, 2:] - cross @ np.linalg.solve(data[:, :2, :2], np.swapaxes(cross, 1, 2))
    varied = np.diag([_SET_MM**2, _SET_MM**2, _SET_MM**2, _SET_FULLNESS**2])
    before = np.linalg.inv(spread[0])
    # own measurement of the size: the prior's pull taken out of the posterior
    told = np.einsum("nij,nj->ni", own + before, unknown[:, 2:] - mean[0])
    shrink = np.linalg.inv(np.eye(4) + own @ varied)  # (own^-1 + varied)^-1 = shrink @ own
    common = np.linalg.inv(before + (shrink @ own).sum(0))
    centre = mean[0] + common @ np.einsum("nij,nj->ni", shrink, told).sum(0)
    return np.broadcast_to(centre, mean.shape), np.broadcast_to(common + varied, spread.shape)

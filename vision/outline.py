"""Where the discs stand, to a part of a pixel: their solids fitted to the outlines in the full picture.

Across the expected outline the picture is sampled along many directions. A shadow's border, a painted line,
the bevel's inner rim and a neighbour are edges too, and often stronger ones; but only the disc's own outline
has its shape all round. So the place comes from a vote: for each shift the share of directions with an edge
where the outline would be, however strong (a generalised Hough transform, Ballard 1981). From there each
direction takes its nearest plain edge, and position, size and profile are solved together by a redescending
M-estimator (Geman-McClure), which lets a direction with another thing's edge go. Discs of one photo are one
make: their size and profile are shared, up to a little.

What the picture leaves open (the height from straight above, the bevel under the widest circle) keeps its
prior and its sigma.
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
_SEARCH_MM = ((2.4, 0.6), (0.6, 0.2))  # how far, in what steps: first, and again from there
_SECTORS = 12
_BEYOND_MM = 1.2
_START_MM = 2.5  # how far off the start may be
_WINDOWS_MM = (1.2, 0.9)
_BOX_MM, _LEAST_BOX_PX = 0.3, 1.2  # how much on each side of an edge is averaged
_ROUND = (0.1, 0.25, 0.3, 0.25, 0.1)  # neighbouring directions' weights in a smoothed edge
_NEAR = 0.45  # of the window: how far the nearest plain edge is looked for
_LEAST_STEP = 6.0  # grey levels
_PLAIN = 0.35  # of the disc's typical edge: a plain edge, whatever more it has
_LEAST_SEEN = 12
_REWEIGHTINGS = 4
_SHARED_ERROR = 8.0  # neighbouring directions err together: one in so many is independent
#: Seen aslant (times the slope of the line of sight) the far bevel passes for what is behind it.
_RIM_MM = -0.15
#: And at the near foot the shadow in the gap under the bevel passes for the disc: the mean, and its sigma.
_FOOT_MM = (0.15, 0.7)
#: What is left of both is common to all directions, so no residual shows it: one sigma, along the sight.
_WHOLE = 0.92  # of the directions with an edge
_GAPS_WIDEN = 20.0
_ASLANT_MM = 0.22
_ANYWAY_PX, _MISFIT = 0.15, 0.5
_LEAST_SCALE_MM = 0.03
_FULLNESS_SIGMA = 0.4
_SET_MM = 0.05  # discs of one set differ by so much in radius, thickness and bevel
_SET_FULLNESS = 0.05
_MISREAD_MM = 0.6  # and one is misread by so much, where a bevel or a shadow passes for the outline


@dataclass(frozen=True)
class SizePrior:
    """What is known of a set's discs: the solid, and sigmas in mm of its widest radius, thickness and bevel.

    The bevel is the widest radius less the bottom one.
    """

    solid: Solid
    radius_sigma_mm: float
    thickness_sigma_mm: float
    bevel_sigma_mm: float


@dataclass(frozen=True)
class StandingDisc:
    """A disc's bottom centre ``xy_mm`` (2,), its solid, and the covariance (4, 4) of both.

    The covariance is of x, y, widest radius and thickness. ``found`` is the share of directions with an edge,
    ``rms_px`` of those that count; infinite where too few have one.
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
    for reach_mm, step_mm in _SEARCH_MM:
        seen = silhouettes(view, unknown[:, :2], _grown(prior.solid, unknown), _UNIT)
        unknown[:, :2] += _voted(rgb, seen, reach_mm, step_mm)
    eye = view.eye_mm
    slope = np.linalg.norm(unknown[:, :2] - eye[:2], axis=1) / eye[2]
    for turn, window_mm in enumerate(_WINDOWS_MM):
        seen = silhouettes(view, unknown[:, :2], _grown(prior.solid, unknown), _UNIT)
        offset = _nearest_edges(rgb, seen, window_mm)
        change, fit = _solved(seen, offset, slope, unknown, mean, spread)
        unknown = unknown + change
        if turn == len(_WINDOWS_MM) - 2:
            mean, spread = _shared(fit, unknown, mean, spread)
    grown, found = _grown(prior.solid, unknown), np.isfinite(offset).mean(1)
    # an outline with gaps lost them to something against the disc, which draws its other edges too
    hidden = 1.0 + _GAPS_WIDEN * np.maximum(_WHOLE - found, 0.0)
    covariance = (
        _honest(fit, seen, unknown[:, :2] - eye[:2], float(eye[2])) * np.square(hidden)[:, None, None]
    )
    return [
        StandingDisc(unknown[k, :2], grown[k], covariance[k], float(found[k]), float(fit.rms_px[k]))
        for k in range(len(unknown))
    ]


@dataclass(frozen=True)
class _Fit:
    """What the edges say: ``data`` (n, 6, 6) is their information, ``information`` the prior's with it."""

    data: Array
    information: Array
    rms_px: Array


def _honest(fit: _Fit, seen: Silhouettes, from_eye_mm: Array, eye_height_mm: float) -> Array:
    """Covariance (n, 4, 4) of x, y, radius and thickness, with what all directions have in common.

    That is how far the outline misleads along the line of sight, and a share of the misfit: where edges of
    other things are taken, they are so in whole runs of directions.
    """
    covariance = np.linalg.inv(fit.information)[:, :4, :4]
    aslant = from_eye_mm * (_ASLANT_MM / eye_height_mm)
    covariance[:, :2, :2] += aslant[:, :, None] * aslant[:, None]
    common = np.where(np.isfinite(fit.rms_px), np.hypot(_ANYWAY_PX, _MISFIT * fit.rms_px), 0.0)
    covariance[:, [0, 1, 2], [0, 1, 2]] += np.square(common / seen.per_mm.mean(1))[:, None]
    return np.asarray(covariance)


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


@dataclass(frozen=True)
class _Across:
    """The picture across the outlines: ``values`` (n, d, s, 3) in grey levels at ``at_mm`` (s,) of radius.

    ``step`` (n, d, s - 5, 3) is the colour step between the means of three samples on either side, halfway
    between samples i + 2 and i + 3; 0 where the ray leaves the picture.
    """

    at_mm: Array
    values: NDArray[np.float32]
    step: NDArray[np.float32]

    @property
    def pitch_mm(self) -> float:
        return float(self.at_mm[1] - self.at_mm[0])

    @property
    def step_at_mm(self) -> Array:
        return self.at_mm[2:-3] + 0.5 * self.pitch_mm


def _across(rgb: NDArray[np.uint8], seen: Silhouettes, window_mm: float) -> _Across:
    box_mm = max(_BOX_MM, _LEAST_BOX_PX / float(np.median(seen.per_mm)))
    count = int(np.ceil(window_mm / box_mm * 3)) + 3
    at_mm = np.asarray(np.arange(-count, count + 1, dtype=np.float64) * (box_mm / 3))
    along = at_mm[:, None] * _UNIT[:, None]
    rays = seen.points[:, :, None] + seen.per_mm[..., None, None] * along
    values, inside = sample(rgb, rays)
    whole = np.asarray(inside.all(2))
    box = (values[:, :, 2:] + values[:, :, 1:-1] + values[:, :, :-2]) / 3
    step = box[:, :, 3:] - box[:, :, :-3]
    return _Across(at_mm, values, np.where(whole[..., None, None], step, np.float32(0.0)))


def _typical(rise: Array) -> Array:
    """The height (n, 1, 1) of a disc's typical edge, of the steps' sizes (n, d, s) in grey levels."""
    top = np.median(rise.max(2), axis=1)
    return np.asarray(np.maximum(top, _LEAST_STEP / _PLAIN)[:, None, None])


def _voted(rgb: NDArray[np.uint8], seen: Silhouettes, reach_mm: float, step_mm: float) -> Array:
    """The shift (n, 2) in mm, up to ``reach_mm``, at which most of the outline has an edge.

    Steps are averaged as colours over a sector of directions before their size counts: along the outline they
    agree, along grain and noise they cancel. A very strong one counts little more than a plain one.
    """
    across = _across(rgb, seen, reach_mm + _BEYOND_MM)
    square = np.square(across.step).sum(-1)
    plain = np.square(_PLAIN * _typical(np.sqrt(square))).astype(np.float32)
    vector = across.step / np.sqrt(square + plain)[..., None]
    at_mm = across.step_at_mm
    steps = np.arange(-reach_mm, reach_mm + 1e-9, step_mm)
    shift = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    shift = shift[np.hypot(*shift.T) < reach_mm + 1e-9]
    moved = shift @ np.swapaxes(seen.design[..., :2] / seen.per_mm[..., None], 1, 2)
    column = np.clip(np.rint((moved - at_mm[0]) / (at_mm[1] - at_mm[0])).astype(np.intp), 0, len(at_mm) - 1)
    n, d = np.arange(len(seen.support))[:, None, None], np.arange(_DIRECTIONS)
    there = vector[n, d, column].reshape(len(seen.support), len(shift), _SECTORS, -1, 3)
    there = np.ones(there.shape[3], dtype=np.float32) @ there  # the sum over each sector
    vote = np.sqrt(np.square(there).sum(-1)).sum(2)
    return np.asarray(shift[vote.argmax(1)])


def _nearest_edges(rgb: NDArray[np.uint8], seen: Silhouettes, window_mm: float) -> Array:
    """Where each direction's edge lies (n, d), px outward from the expected outline; NaN without one."""
    across = _across(rgb, seen, window_mm)
    half = len(_ROUND) // 2
    turned = np.stack([np.roll(across.step, k, axis=1) for k in range(-half, half + 1)], -1)
    rise = np.sqrt(np.square(turned @ np.array(_ROUND, dtype=np.float32)).sum(-1))
    plain = 1.0 / (1.0 + np.square(_PLAIN * _typical(rise) / np.maximum(rise, 1e-3)))
    at_mm = across.step_at_mm
    peak = np.zeros(rise.shape, dtype=bool)
    peak[..., 1:-1] = (rise[..., 1:-1] >= rise[..., :-2]) & (rise[..., 1:-1] > rise[..., 2:])
    score = np.where(peak, plain * np.exp(-0.5 * np.square(at_mm / (_NEAR * window_mm))), 0.0)
    best = np.clip(score.argmax(2), 1, len(at_mm) - 2)
    n, d = np.arange(len(rise))[:, None], np.arange(rise.shape[1])
    found = (score[n, d, best] > 0) & (plain[n, d, best] > 0.3)
    return np.where(found, _placed(across, best) * seen.per_mm, np.nan)


def _placed(across: _Across, at: NDArray[np.intp]) -> Array:
    """Where the edges at ``rise[at]`` lie, mm, from the area under the profile between its two levels.

    In light, not in grey levels (a gamma of 2 is near enough): a lens blurs light, and the middle of an edge
    in grey levels lies on its dark side by a quarter of a pixel.
    """
    half = 5
    count = len(across.at_mm)
    middle = np.clip(at + 2, half - 1, count - half - 1)  # the edge is between samples middle and middle + 1
    window = middle[..., None] + np.arange(1 - half, half + 1)
    n, d = np.arange(at.shape[0])[:, None, None], np.arange(at.shape[1])[:, None]
    light = np.square(across.values[n, d, window])
    low, high = light[:, :, :3].mean(2), light[:, :, -3:].mean(2)
    across_step = high - low
    share = ((light - low[:, :, None]) * across_step[:, :, None]).sum(-1)
    share /= np.maximum(np.square(across_step).sum(-1), 1e-9)[..., None]
    beyond = half - share.sum(2)
    return np.asarray(across.at_mm[middle] + (0.5 + np.clip(beyond, -3.0, 3.0)) * across.pitch_mm)


def _solved(
    seen: Silhouettes, offset: Array, slope: Array, unknown: Array, mean: Array, spread: Array
) -> tuple[Array, _Fit]:
    """A robust Gauss-Newton step (n, 6) under the sizes' prior ``mean`` (n, 4) and ``spread`` (n, 4, 4)."""
    prior = np.zeros((len(unknown), _UNKNOWNS, _UNKNOWNS))
    prior[:, 2:, 2:] = np.linalg.inv(spread)
    prior[:, [0, 1], [0, 1]] = 1.0 / _START_MM**2
    toward = np.zeros_like(unknown)
    toward[:, 2:] = mean - unknown[:, 2:]
    has = np.isfinite(offset)
    scale_px = seen.per_mm.mean(1, keepdims=True)
    foot = slope[:, None] * seen.per_mm * np.clip(1.0 - 2.0 * seen.share, 0.0, 1.0)
    rim = slope[:, None] * seen.per_mm * np.clip(2.0 * seen.share - 1.0, 0.0, 1.0)
    found = np.where(has, offset - _FOOT_MM[0] * foot - _RIM_MM * rim, 0.0)
    doubt = np.square(_FOOT_MM[1] * foot)
    change = np.zeros_like(unknown)
    for _ in range(_REWEIGHTINGS):
        residual = found - (seen.design @ change[..., None])[..., 0]
        size = np.sort(np.where(has, np.abs(residual), np.inf), axis=1)
        median = np.take_along_axis(size, has.sum(1, keepdims=True) // 2, axis=1)
        sigma = np.maximum(1.4826 * np.where(np.isfinite(median), median, 0.0), _LEAST_SCALE_MM * scale_px)
        weight = has / np.square(1.0 + np.square(residual / (2.0 * sigma)))
        half = seen.design * (weight / ((np.square(sigma) + doubt) * _SHARED_ERROR))[..., None]
        data = np.swapaxes(half, 1, 2) @ seen.design
        pull = np.swapaxes(half, 1, 2) @ found[..., None] + prior @ toward[..., None]
        change = np.linalg.solve(data + prior, pull)[..., 0]
    rms = np.sqrt((weight * np.square(residual)).sum(1) / np.maximum(weight.sum(1), 1e-9))
    rms = np.where(has.sum(1) < _LEAST_SEEN, np.inf, rms)
    return np.clip(change, -1.5, 1.5), _Fit(data, data + prior, rms)


def _shared(fit: _Fit, unknown: Array, mean: Array, spread: Array) -> tuple[Array, Array]:
    """Each disc's prior of size from all discs of the photo: what they have in common, and one set's spread.

    Position taken out of each disc's information (Schur complement), its size is one measurement of the
    common one.
    """
    data = fit.data + np.diag([1e-9] * _UNKNOWNS)
    cross = data[:, 2:, :2]
    own = data[:, 2:, 2:] - cross @ np.linalg.solve(data[:, :2, :2], np.swapaxes(cross, 1, 2))
    varied = np.diag([_SET_MM**2, _SET_MM**2, _SET_MM**2, _SET_FULLNESS**2])
    before = np.linalg.inv(spread[0])
    # own measurement of the size: the prior's pull taken out of the posterior
    told = np.einsum("nij,nj->ni", own + before, unknown[:, 2:] - mean[0])
    doubt = varied + np.diag([_MISREAD_MM**2, _MISREAD_MM**2, _MISREAD_MM**2, 0.0])
    shrink = np.linalg.inv(np.eye(4) + own @ doubt)  # (own^-1 + doubt)^-1 = shrink @ own
    common = np.linalg.inv(before + (shrink @ own).sum(0))
    centre = mean[0] + common @ np.einsum("nij,nj->ni", shrink, told).sum(0)
    return np.broadcast_to(centre, mean.shape), np.broadcast_to(common + varied, spread.shape)

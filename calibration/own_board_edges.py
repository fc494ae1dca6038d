"""Round edges of a board that are not painted: the hole's rim, and where the playing surface ends.

Around the board's centre the picture is sampled as a polar map. An edge is a radius at which most directions
have a step of colour; each direction's own step there then gives a circle, with its own centre, to a part of
a pixel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.fit import RingFit
from calibration.lines import sample
from calibration.measured import Measured

_RAYS = 360
_SMOOTHED_RAYS = 5
_STEP_MM, _STEP_PX = 0.15, 0.4
_LAG_MM, _LAG_PX = 0.6, 1.2
_PLAIN = 14.0  # grey levels: a step as large counts half
_SHOWS = 0.5  # of a step that counts whole, in the median direction
_ALIKE = 0.75  # of the plainest edge: as good a candidate
_WINDOW_MM = 1.5
_REWEIGHTINGS = 8
_SHARED_ERROR = 12.0  # neighbouring directions err together: one in so many is independent
_LEAST_SCALE_MM = 0.05
_ANYWAY_MM = 0.1  # a sawn edge is not sharp
_DIFFERENCE = 1e-4
_POINTS = 48


@dataclass(frozen=True)
class RoundEdge:
    """A circle's ``radius_mm`` and ``centre_mm`` (2,); ``share`` of the directions have its edge."""

    radius_mm: Measured
    centre_mm: Array
    share: float


def round_edge(
    rgb: NDArray[np.uint8], fit: RingFit, from_mm: float, to_mm: float, *, outermost: bool
) -> RoundEdge | None:
    """The round edge between two radii about the board's centre; None where most directions show none.

    Of several that are about as plain it is the ``outermost`` one, or else the innermost.
    """
    scale = fit.view.scale_px_per_mm()
    pitch_mm = max(_STEP_MM, _STEP_PX / scale)
    radius = np.arange(from_mm - _LAG_MM - _WINDOW_MM, to_mm + _LAG_MM + _WINDOW_MM, pitch_mm)
    angle = (np.arange(_RAYS) + 0.5) / _RAYS * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    values, inside = sample(rgb, fit.view.px_from_mm(radius[:, None, None] * unit))
    rise = _rise(values, max(1, round(max(_LAG_MM, _LAG_PX / scale) / pitch_mm)))
    plain = np.where(inside, rise / (rise + _PLAIN), np.nan)
    seen = np.isfinite(plain).mean(1) > _SHOWS
    typical = np.where(seen, np.nan_to_num(_row_medians(plain)), 0.0)
    typical[(radius < from_mm) | (radius > to_mm)] = 0.0
    peak = np.flatnonzero((typical[1:-1] >= typical[:-2]) & (typical[1:-1] > typical[2:])) + 1
    peak = peak[typical[peak] > max(_SHOWS, _ALIKE * float(typical.max(initial=0.0)))]
    if not len(peak):
        return None
    at = radius[peak[-1] if outermost else peak[0]]
    near = np.abs(radius - at) < _WINDOW_MM
    return _circle(fit, radius[near], angle, np.nan_to_num(plain[near]))


def _row_medians(values: Array) -> Array:
    """Median of each row's finite values; NaN for a row without any."""
    with np.errstate(invalid="ignore"):
        ordered = np.sort(values, axis=1)  # NaN last
    count = np.isfinite(values).sum(1)
    middle = np.take_along_axis(ordered, np.maximum(count - 1, 0)[:, None] // 2, axis=1)[:, 0]
    return np.asarray(middle)


def _rise(values: NDArray[np.float32], lag: int) -> Array:
    """How large the step of colour is at each place (radii, rays) of a polar map (radii, rays, 3)."""
    half = _SMOOTHED_RAYS // 2
    smooth = np.mean([np.roll(values, k, axis=1) for k in range(-half, half + 1)], axis=0)
    rise = np.zeros(values.shape[:2])
    if 2 * lag < len(values):
        rise[lag:-lag] = np.linalg.norm(smooth[2 * lag :] - smooth[: -2 * lag], axis=2)
    return rise


def _circle(fit: RingFit, radius: Array, angle: Array, plain: Array) -> RoundEdge:
    """The circle through each direction's step, by a robust fit (Cauchy) of radius and centre."""
    best = plain.argmax(0)
    ray = np.arange(len(angle))
    found = plain[best, ray] > _SHOWS
    # the step's place is its area's middle: a blurred edge is a hump of some samples
    close = np.abs(radius[:, None] - radius[best]) < _LAG_MM
    weight = np.where(close, np.square(plain), 0.0)
    at = (weight * radius[:, None]).sum(0) / np.maximum(weight.sum(0), 1e-12)
    design = np.stack([np.ones_like(angle), np.cos(angle), np.sin(angle)], 1)[found]
    trust = np.ones(int(found.sum()))
    for _ in range(_REWEIGHTINGS):
        half = design * trust[:, None]
        circle = np.linalg.lstsq(half.T @ design, half.T @ at[found], rcond=None)[0]
        off = np.abs(at[found] - design @ circle)
        spread = max(1.4826 * float(np.median(off)), _LEAST_SCALE_MM)
        trust = 1.0 / (1.0 + np.square(off / (2.0 * spread)))
    own = spread * math.sqrt(_SHARED_ERROR / max(float(trust.sum()), 1.0))
    sigma = math.sqrt(own**2 + _ANYWAY_MM**2 + view_sigma_mm(fit, float(circle[0])) ** 2)
    return RoundEdge(
        Measured(float(circle[0]), sigma), circle[1:], float((off < 3 * spread).sum() / len(angle))
    )


def view_sigma_mm(fit: RingFit, radius_mm: float, measure: Callable[[Array], float] | None = None) -> float:
    """The view's part of the uncertainty of a circle, in the scale of the 5 line (one sigma, mm).

    ``measure`` is what is measured of the circle's points (n, 2), by default their mean radius. The pixels
    seen stay; each unknown of the fit is moved, and the measure that follows is compared (GUM, JCGM 100:2008,
    5.1.3).
    """
    angle = np.arange(_POINTS) / _POINTS * 2 * np.pi
    seen_px = fit.view.px_from_mm(radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1))
    of = measure or mean_radius_mm
    here = of(fit.view.mm_from_px(seen_px))
    gradient = np.empty(len(fit.parameters))
    for k in range(len(gradient)):
        moved = fit.parameters.copy()
        moved[k] += _DIFFERENCE
        gradient[k] = (of(fit.perturbed(moved)[0].mm_from_px(seen_px)) - here) / _DIFFERENCE
    return math.sqrt(max(float(gradient @ fit.covariance @ gradient), 0.0))


def mean_radius_mm(xy_mm: Array) -> float:
    """Mean distance of points (n, 2) from their middle."""
    return float(np.linalg.norm(xy_mm - xy_mm.mean(0), axis=1).mean())


def longer_mm(xy_mm: Array) -> float:
    """How much longer than wide an almost round curve of even points (n, 2) is along the x axis."""
    # the points' second moment along an axis is half of the square of that semi-axis
    along, across = np.sqrt(2.0 * np.square(xy_mm - xy_mm.mean(0)).mean(0))
    return float(2.0 * (along - across))

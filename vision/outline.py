"""Where a disc stands, to a part of a pixel: its solid fitted to the outline in the full picture.

Along each direction the edge is looked for near where the solid's outline is expected. Position, radius and height are
solved together; what the picture leaves open (height from straight above) keeps its prior and its sigma.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.lines import sample
from vision.solid import Solid, outline

_DIRECTIONS = 96
_TURNS = 4
_WINDOW_MM = (2.4, 1.6, 1.2, 1.0)
_SAMPLES = 25
_LEAST_STEP = 6.0  # grey levels
_SHARED_ERROR = 4.0  # neighbouring directions err together: one in so many is independent
_STEP_MM = 0.05


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


def stand(rgb: NDArray[np.uint8], view: View, xy_mm: Array, prior: SizePrior) -> StandingDisc:
    """The disc near ``xy_mm`` (bottom centre), fitted to its outline."""
    angle = np.arange(_DIRECTIONS) / _DIRECTIONS * 2 * np.pi
    directions = np.stack([np.cos(angle), np.sin(angle)], 1)
    unknown = np.array([xy_mm[0], xy_mm[1], 0.0, 0.0])
    weight = np.diag([0.0, 0.0, prior.radius_sigma_mm**-2, prior.thickness_sigma_mm**-2])
    for window_mm in _WINDOW_MM[:_TURNS]:
        xy, solid = unknown[:2], _grown(prior.solid, unknown)
        support, points = outline(view, xy, solid, directions)
        px_per_mm = float(np.sqrt(np.abs(np.linalg.det(view.px_per_mm(xy)))))
        offset, step = _edges(rgb, points, directions, max(window_mm * px_per_mm, 2.0))
        design = np.empty((_DIRECTIONS, 4))
        for k in range(4):
            other = unknown.copy()
            other[k] += _STEP_MM
            moved, _ = outline(view, other[:2], _grown(prior.solid, other), directions)
            design[:, k] = (moved - support) / _STEP_MM
        seen = np.isfinite(offset) & (step > np.maximum(_LEAST_STEP, 0.25 * np.median(step)))
        if seen.sum() < 12:
            wide = np.diag([1.0, 1.0, prior.radius_sigma_mm**2, prior.thickness_sigma_mm**2])
            return StandingDisc(unknown[:2], solid, wide, float(seen.mean()), float("inf"))
        change, scale, residual, w = _solved(design[seen], offset[seen], weight, unknown, px_per_mm)
        unknown = unknown + np.clip(change, -3.0, 3.0)
    counts = np.abs(residual) < 3 * scale
    information = (design[seen] * w[:, None]).T @ design[seen] / (scale**2 * _SHARED_ERROR) + weight
    rms = float(np.sqrt(np.mean(np.square(residual[counts]))))
    return StandingDisc(
        unknown[:2], _grown(prior.solid, unknown), np.linalg.inv(information), float(seen.mean()), rms
    )


def _solved(
    design: Array, offset: Array, prior_weight: Array, unknown: Array, px_per_mm: float
) -> tuple[Array, float, Array, Array]:
    """One robust Gauss-Newton step; also the noise scale (px), residuals and weights."""
    change = np.zeros(4)
    residual = offset
    for _ in range(6):
        residual = offset - design @ change
        scale = max(1.4826 * float(np.median(np.abs(residual))), 0.04, 0.02 * px_per_mm)
        w = 1.0 / (1.0 + np.square(residual / (2 * scale)))
        gram = (design * w[:, None]).T @ design / scale**2 + prior_weight
        pull = (design * w[:, None]).T @ offset / scale**2 - prior_weight @ unknown
        change = np.linalg.solve(gram + 1e-9 * np.eye(4), pull)
    return change, scale, residual, w


def _grown(solid: Solid, unknown: Array) -> Solid:
    """The solid with its radii grown by unknown[2] and its thickness by unknown[3]."""
    return replace(
        solid,
        widest_radius_mm=solid.widest_radius_mm + float(unknown[2]),
        bottom_radius_mm=solid.bottom_radius_mm + float(unknown[2]),
        thickness_mm=solid.thickness_mm + float(unknown[3]),
    )


def _edges(rgb: NDArray[np.uint8], points: Array, directions: Array, window_px: float) -> tuple[Array, Array]:
    """Where along each direction the strongest edge near the expected point lies (px from it), and its height.

    The colour mix is each direction's own: from the mean colour inside to that outside.
    """
    s = np.linspace(-window_px, window_px, max(_SAMPLES, 2 * int(window_px / 0.5) + 1))
    values, inside = sample(rgb, points[:, None] + s[:, None] * directions[:, None])
    step_px = s[1] - s[0]
    kernel = max(1, round(0.5 / step_px))
    rise = np.linalg.norm(values[:, 2 * kernel :] - values[:, : -2 * kernel], axis=-1)
    at_s = s[kernel:-kernel]
    score = rise * np.exp(-0.5 * np.square(at_s / (0.6 * window_px)))
    at = score.argmax(1)
    n = np.arange(len(points))
    peak = rise[n, at]
    inner = np.clip(at, 1, rise.shape[1] - 2)
    left, mid, right = rise[n, inner - 1], rise[n, inner], rise[n, inner + 1]
    bend = left - 2 * mid + right
    shift = np.where((bend < -1e-6) & (inner == at), 0.5 * (left - right) / np.minimum(bend, -1e-6), 0.0)
    offset = at_s[at] + np.clip(shift, -1, 1) * step_px
    edge_of_window = (at == 0) | (at == rise.shape[1] - 1)
    return np.where(inside.all(1) & ~edge_of_window, offset, np.nan), peak

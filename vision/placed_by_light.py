"""Discs that hardly stand out from the board, placed by how they and the board around them are lit.

Where a disc's outline is faint, its plainest edges are others: the top's rim, the lower end of a bevel, the
border of its shadow. Then a fit of edges takes one for another, and the disc for nearer by a bevel's width.
All of a disc's picture tells more than its edges: it is what :mod:`vision.shading` draws, at one place only.
So the place is that at which the drawn parts, each multiplied by what suits it best, come nearest to the
photo, pixel by pixel (variable projection, Golub and Pereyra 1973; Kaufman 1975), lines and whatever else
is not drawn let go by a redescending M-estimator (Geman-McClure).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.shading import BEYOND_MM, FREE, PARTS, Parts, Stage, parts
from vision.solid import Solid

_PX_PER_MM = 1.3  # at most: finer pictures are made smaller
_STARTS_MM = (0.0, 0.9, -0.9)  # along the line of sight: edges may be off by a bevel's width
_SHARED_ERROR = 16.0  # grain and stains make pixels err together: one in so many is independent
_STEPS = 8
_REWEIGHTINGS, _FEW_REWEIGHTINGS = 3, 2  # from nothing, and from what was found nearby
_MOST_STEP_MM = 0.5
_SMALL_STEP_MM, _SAME_MM = 0.015, 0.15
_TUNING = 3.0  # sigmas: what differs by so much counts half as much
_LEAST_NOISE = 0.004  # of full light
#: So much of a pixel's information holds a part at nothing, but for those that are free.
_RIDGE = np.diag(np.where(np.isin(np.arange(PARTS), FREE), 1e-8, 1e-5))
_LEAST_TOLD = 1e-9


@dataclass(frozen=True)
class LitPlace:
    """Where a disc's picture fits best.

    ``xy_mm`` (2,) is its bottom's centre, ``covariance`` (2, 2) in mm² what pixels leave open, were the light
    as it is drawn, ``misfit`` the mean loss of a pixel there, 0 to 1.
    """

    xy_mm: Array
    covariance: Array
    misfit: float


def lit_place(rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid) -> LitPlace:
    """The place near ``xy_mm`` (2,) where the disc's picture is most like what is seen."""
    seen = _Seen.cut(rgb, Stage.of(view, xy_mm), solid)
    sight = xy_mm - view.eye_mm[:2]
    sight = sight / max(float(np.linalg.norm(sight)), 1e-9)
    noise = seen.mixed(np.zeros(2)).scatter
    found: list[LitPlace] = []
    for start_mm in _STARTS_MM:
        place = seen.settled(start_mm * sight, noise, found)
        if place is not None:
            found.append(place)
    misfit = np.array([place.misfit for place in found])
    # the M-estimator's loss, taken for a likelihood
    likely = np.exp((misfit.min() - misfit) * len(seen.light) * _TUNING**2 / (2 * _SHARED_ERROR))
    likely /= likely.sum()
    places = np.stack([place.xy_mm for place in found])
    mean = likely @ places
    apart = places - mean
    each = np.stack([place.covariance for place in found])
    covariance = np.tensordot(likely, _SHARED_ERROR * each + apart[:, :, None] * apart[:, None, :], 1)
    return LitPlace(xy_mm + mean, covariance, float(misfit.min()))


@dataclass(frozen=True)
class _Mixed:
    """The best mixture at a place.

    ``design`` (n, 13) are the parts there, ``mixture`` (13, 3) what they are multiplied with, ``left`` (n, 3)
    what is left of the light, ``weight`` (n,) what pixels count, ``scatter`` what is left of a typical one.
    """

    design: Array
    mixture: Array
    left: Array
    weight: Array
    scatter: float

    @property
    def loss(self) -> float:
        """The mean of the pixels' losses, 0 to 1."""
        return float(np.mean(1.0 - np.sqrt(self.weight)))


@dataclass(frozen=True)
class _Seen:
    """What is seen round a disc: ``light`` (n, 3) of pixels ``at_px`` (n, 2) from the stage's origin."""

    light: Array
    at_px: Array
    stage: Stage
    drawn: Parts

    @classmethod
    def cut(cls, rgb: NDArray[np.uint8], stage: Stage, solid: Solid) -> _Seen:
        """The picture's part round a disc, made smaller where it is finer than needed."""
        low, high = stage.reach_px(solid, BEYOND_MM)
        limit = np.array(rgb.shape[1::-1])
        first = np.clip(np.floor(stage.origin_px + low), 0, limit - 1).astype(int)
        last = np.clip(np.ceil(stage.origin_px + high) + 1, first + 1, limit).astype(int)
        light = np.square(rgb[first[1] : last[1], first[0] : last[0]].astype(np.float32) / np.float32(255))
        smaller = max(1, int(stage.scale_px_per_mm / _PX_PER_MM + 0.5))
        count = (last - first) // smaller
        corner = first - stage.origin_px
        if smaller > 1 and count.min() > 0:
            whole = light[: count[1] * smaller, : count[0] * smaller]
            light = np.asarray(cv2.resize(whole, count.tolist(), interpolation=cv2.INTER_AREA))
            stage = stage.smaller(smaller)
            corner = first / smaller - stage.origin_px
        y, x = np.mgrid[: light.shape[0], : light.shape[1]]
        at_px = np.stack([x, y], -1) + corner
        near = stage.is_near(at_px, solid, BEYOND_MM)
        return cls(light[near].astype(np.float64), at_px[near], stage, parts(stage, solid))

    def settled(self, moved_mm: Array, scatter: float, found: Sequence[LitPlace]) -> LitPlace | None:
        """The nearest place at which nothing is gained by moving on; None if it was ``found`` before."""
        at, mixed = moved_mm, self.mixed(moved_mm, scatter)
        for _ in range(_STEPS):
            step, information = self._step(at, mixed)
            length = float(np.linalg.norm(step))
            step = step * min(1.0, _MOST_STEP_MM / max(length, 1e-9))
            trial = self.mixed(at + step, scatter, mixed.weight)
            if trial.loss >= mixed.loss:
                break
            at, mixed = at + step, trial
            if any(np.hypot(*(at - other.xy_mm)) < _SAME_MM for other in found):
                return None
            if length < _SMALL_STEP_MM:
                break
        covariance = np.linalg.inv(information / scatter**2 + _LEAST_TOLD * np.eye(2))
        return LitPlace(at, np.asarray(covariance), mixed.loss)

    def mixed(self, moved_mm: Array, scatter: float | None = None, weight: Array | None = None) -> _Mixed:
        """The best mixture for a disc moved by ``moved_mm`` (2,); ``weight`` is what pixels weigh nearby."""
        design = self.drawn.at(self.at_px - self.stage.px_per_mm @ moved_mm).astype(np.float64)
        rounds = _FEW_REWEIGHTINGS
        if weight is None:
            rounds, weight = _REWEIGHTINGS, np.ones(len(design))
        for _ in range(rounds):
            weighted = design * weight[:, None]
            mixture = np.linalg.solve(weighted.T @ design + len(design) * _RIDGE, weighted.T @ self.light)
            left = self.light - design @ mixture
            off = np.einsum("nc,nc->n", left, left)
            found = scatter or max(float(np.sqrt(np.median(off))), _LEAST_NOISE)
            weight = 1.0 / np.square(1.0 + off / (_TUNING * found) ** 2)
        return _Mixed(design, mixture, left, weight, found)

    def _step(self, moved_mm: Array, mixed: _Mixed) -> tuple[Array, Array]:
        """The step (2,) in mm towards a better place, and the information (2, 2) about it."""
        px = self.at_px - self.stage.px_per_mm @ moved_mm
        across, along = self.drawn.slopes_at(px, mixed.mixture)
        # the picture moves with the disc: what rises to the right falls when it goes there
        slope = -(np.stack([across, along], -1).astype(np.float64) @ self.stage.px_per_mm)
        # what another mixture would make up for is no sign of another place (Kaufman 1975)
        weighted = mixed.design * mixed.weight[:, None]
        flat = slope.reshape(len(slope), -1)
        flat = flat - mixed.design @ np.linalg.solve(
            weighted.T @ mixed.design + len(flat) * _RIDGE, weighted.T @ flat
        )
        each = flat.reshape(-1, 2)
        counted = each * np.repeat(mixed.weight, 3)[:, None]
        information = counted.T @ each
        step = np.linalg.solve(information + _LEAST_TOLD * np.eye(2), counted.T @ mixed.left.ravel())
        return np.asarray(step), information

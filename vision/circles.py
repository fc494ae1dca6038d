"""Circles of a disc's size in the straight-down picture, and how well each is borne out by its edge.

First a gradient Hough transform for a handful of radii (Kimme, Ballard & Sklansky, 1975): every edge point votes a
radius away to both sides. Then each peak's edge is searched along rays and a circle fitted through it, which gives
the radius, the centre to a part of a pixel, and the share of directions in which there is an edge at that very radius:
a disc has it nearly all round, a numeral or a crossing of lines has not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from vision.rectify import Rectified

_SMOOTH_PX = 1.1
_LEAST_STEP = 1.6  # Lab units a pixel, below which nothing is told from noise
_LEAST_RELATIVE = 1.25  # of the neighbourhood's mean
_NEIGHBOURHOOD_MM = 48.0
_MOST_EDGES = 40_000
_VOTE_RANGE = 3.0
_RADIUS_STEP = 1.12
_RAYS = 64
_REACH = 0.3  # of the radius, to either side
_ON_CIRCLE = 0.045  # of the radius


@dataclass(frozen=True)
class Circles:
    """n circles: ``xy_px`` (n, 2) and ``radius_px`` (n,) in the rectified picture, ``votes`` (n,).

    ``coverage`` (n,) is the share of directions with an edge on the circle; ``step`` (n,) the edge's typical height in
    Lab units; ``inside`` (n, 3) and ``outside`` (n, 3) the median Lab colours on either side; ``texture`` (n,) the
    inside's own spread; ``edge_on`` (n, rays) which directions have the edge.
    """

    xy_px: Array
    radius_px: Array
    votes: Array
    coverage: Array
    step: Array
    inside: Array
    outside: Array
    texture: Array
    edge_on: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.votes)

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Circles:
        return Circles(
            self.xy_px[which], self.radius_px[which], self.votes[which], self.coverage[which], self.step[which],
            self.inside[which], self.outside[which], self.texture[which], self.edge_on[which],
        )  # fmt: skip


def find_circles(picture: Rectified, radii_mm: tuple[float, float], most: int = 140) -> Circles:
    """The strongest circles with a radius in that range, strongest first."""
    lab = np.asarray(cv2.cvtColor(picture.rgb, cv2.COLOR_RGB2LAB), dtype=np.uint8)
    start, votes = _peaks(lab, picture, radii_mm, most)
    return trace(lab, start[:, :2], start[:, 2], votes, radius_free=True)


def trace(lab: NDArray[np.uint8], xy_px: Array, radius_px: Array, votes: Array, *, radius_free: bool) -> Circles:
    """Circles fitted to the edges that are found along rays from each start."""
    smooth = cv2.GaussianBlur(lab, (0, 0), 0.7)
    angle = np.arange(_RAYS) / _RAYS * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], -1)
    xy, radius = xy_px.astype(np.float64).copy(), radius_px.astype(np.float64).copy()
    steps = int(np.ceil(float(radius.max(initial=1.0)) * _REACH * 2)) + 3
    share = np.linspace(1 - _REACH, 1 + _REACH, steps)
    for turn in range(3):
        profile = _polar(smooth, xy, radius, unit, share)
        rise = np.linalg.norm(profile[:, :, 2:] - profile[:, :, :-2], axis=-1)
        near = np.exp(-0.5 * np.square((share[1:-1] - 1) / (0.14 if turn == 0 else 0.08)))
        at = (rise * near).argmax(-1)
        peak = np.take_along_axis(rise, at[..., None], -1)[..., 0]
        found = (share[1:-1][at] + _parabola(rise, at) * (share[1] - share[0])) * radius[:, None]
        strong = np.minimum(peak / np.maximum(np.median(peak, axis=1, keepdims=True), 1e-6), 1.0)
        change = _circle_through(found - radius[:, None], strong, unit, radius, radius_free)
        xy += change[:, :2]
        radius = np.clip(radius + change[:, 2], 0.5 * radius, 1.5 * radius)
    profile = _polar(smooth, xy, radius, unit, np.linspace(0.0, 1.45, 30))
    return _described(profile, found, peak, rise, change, xy, radius, votes, unit)


def _described(
    profile: Array, found: Array, peak: Array, rise: Array, change: Array, xy: Array, radius: Array, votes: Array, unit: Array
) -> Circles:
    residual = found - radius[:, None] - change[:, :2] @ unit.T
    floor = np.median(rise, axis=(1, 2))
    real = peak > np.maximum(4.0, 2.0 * floor)[:, None]
    edge_on = real & (np.abs(residual) < np.maximum(_ON_CIRCLE * radius, 0.9)[:, None])
    core, halo = profile[:, :, 3:18], profile[:, :, 23:27]
    inside = np.median(core.reshape(len(xy), -1, 3), axis=1)
    outside = np.median(halo.reshape(len(xy), -1, 3), axis=1)
    texture = np.median(np.linalg.norm(core - inside[:, None, None], axis=-1), axis=(1, 2))
    step = np.median(np.linalg.norm(core[:, :, -3:].mean(2) - halo.mean(2), axis=-1), axis=1)
    return Circles(xy, radius, votes, edge_on.mean(1), step, inside, outside, texture, edge_on)


def _polar(lab: NDArray[np.uint8], xy: Array, radius: Array, unit: Array, share: Array) -> Array:
    """Samples (n, rays, shares, 3) along rays at shares of each radius."""
    where = xy[:, None, None] + radius[:, None, None, None] * unit[None, :, None] * share[None, None, :, None]
    flat = where.reshape(len(xy) * len(unit), len(share), 2).astype(np.float32)
    values = cv2.remap(lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.reshape(len(xy), len(unit), len(share), 3).astype(np.float32)


def _parabola(rise: Array, at: NDArray[np.intp]) -> Array:
    """Sub-sample place of each maximum, in samples from it."""
    inner = np.clip(at, 1, rise.shape[-1] - 2)
    left, mid, right = (np.take_along_axis(rise, (inner + k)[..., None], -1)[..., 0] for k in (-1, 0, 1))
    bend = left - 2 * mid + right
    return np.where((bend < -1e-6) & (inner == at), np.clip(0.5 * (left - right) / np.minimum(bend, -1e-6), -0.5, 0.5), 0.0)


def _circle_through(offset: Array, weight: Array, unit: Array, radius: Array, radius_free: bool) -> Array:
    """Shift (x, y) and growth of each circle that its edge offsets (n, rays) ask for, robustly; shape (n, 3)."""
    design = np.concatenate([unit, np.ones((len(unit), 1))], 1)
    if not radius_free:
        design = design[:, :2]
    change = np.zeros((len(offset), design.shape[1]))
    change[:, -1] = np.median(offset, axis=1) if radius_free else 0.0
    for _ in range(5):
        residual = offset - change @ design.T
        scale = np.maximum(0.04 * radius, 0.5)[:, None]
        w = weight / (1.0 + np.square(residual / scale))
        gram = np.einsum("nr,ri,rj->nij", w, design, design) + 1e-3 * np.eye(design.shape[1])
        change = np.linalg.solve(gram, np.einsum("nr,ri,nr->ni", w, design, offset)[..., None])[..., 0]
    limit = (0.3 * radius)[:, None]
    return np.clip(np.pad(change, ((0, 0), (0, 3 - change.shape[1]))), -limit, limit)


def _peaks(
    lab: NDArray[np.uint8], picture: Rectified, radii_mm: tuple[float, float], most: int
) -> tuple[Array, Array]:
    """Peaks of the accumulator over all radii: x, y, radius (n, 3) in pixels, and votes (n,)."""
    x, y, ux, uy, weight = _edge_points(lab, picture)
    size = lab.shape[0]
    low, high = radii_mm
    count = max(1, int(np.ceil(np.log(high / low) / np.log(_RADIUS_STEP))) + 1)
    radii = np.geomspace(low, high, count) * picture.px_per_mm
    best = np.zeros((size, size), np.float32)
    which = np.zeros((size, size), np.uint8)
    for k, radius in enumerate(radii):
        pile = np.zeros(size * size)
        for sign in (-radius, radius):
            column, row = np.rint(x + sign * ux).astype(np.int32), np.rint(y + sign * uy).astype(np.int32)
            ok = (column >= 0) & (column < size) & (row >= 0) & (row < size)
            pile += np.bincount((row * size + column)[ok], weights=weight[ok], minlength=size * size)
        votes = cv2.GaussianBlur(pile.reshape(size, size).astype(np.float32), (0, 0), 1.3 * picture.px_per_mm) / np.float32(radius)
        better = votes > best
        np.copyto(best, votes, where=better)
        which[better] = k
    apart = int(0.6 * radii[0]) | 1
    crest = (best >= cv2.dilate(best, np.ones((apart, apart), np.uint8))) & (best > 0)
    rows, columns = np.nonzero(crest)
    order = np.argsort(-best[rows, columns], kind="stable")[:most]
    rows, columns = rows[order], columns[order]
    return np.stack([columns, rows, radii[which[rows, columns]]], 1).astype(np.float64), best[rows, columns].astype(np.float64)


def _edge_points(lab: NDArray[np.uint8], picture: Rectified) -> tuple[Array, Array, Array, Array, Array]:
    """Thinned edge points: x, y, unit direction across, weight."""
    smooth = cv2.GaussianBlur(lab, (0, 0), _SMOOTH_PX)
    gx = cv2.Scharr(smooth[..., 0], cv2.CV_32F, 1, 0, scale=1 / 32)
    gy = cv2.Scharr(smooth[..., 0], cv2.CV_32F, 0, 1, scale=1 / 32)
    strength = gx * gx + gy * gy
    for channel in (1, 2):
        ox = cv2.Scharr(smooth[..., channel], cv2.CV_32F, 1, 0, scale=1 / 32)
        oy = cv2.Scharr(smooth[..., channel], cv2.CV_32F, 0, 1, scale=1 / 32)
        other = ox * ox + oy * oy
        better = other > strength
        for mine, theirs in ((gx, ox), (gy, oy), (strength, other)):
            np.copyto(mine, theirs, where=better)
    strength = np.sqrt(strength)
    side = int(_NEIGHBOURHOOD_MM * picture.px_per_mm) | 1
    relative = strength / (cv2.blur(strength, (side, side)) + 0.5)
    take = (relative > _LEAST_RELATIVE) & (strength > _LEAST_STEP)
    take[:3] = take[-3:] = False
    take[:, :3] = take[:, -3:] = False
    y, x = np.nonzero(take)
    here = strength[y, x]
    ux, uy = gx[y, x] / here, gy[y, x] / here
    dx, dy = np.rint(ux).astype(np.intp), np.rint(uy).astype(np.intp)
    thin = (here >= strength[y + dy, x + dx]) & (here >= strength[y - dy, x - dx])
    x, y, ux, uy = x[thin], y[thin], ux[thin], uy[thin]
    weight = np.minimum(relative[y, x], _VOTE_RANGE)
    if len(x) > _MOST_EDGES:
        keep = np.argpartition(-weight, _MOST_EDGES)[:_MOST_EDGES]
        x, y, ux, uy, weight = x[keep], y[keep], ux[keep], uy[keep], weight[keep]
    return x.astype(np.float64), y.astype(np.float64), ux, uy, weight

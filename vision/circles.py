"""Circles of a disc's size in the straight-down picture, and how well each is borne out by its edge.

First a gradient Hough transform for a handful of radii (Kimme, Ballard & Sklansky, 1975): every edge point
votes a radius away to both sides. Then each peak's edge is searched along rays and a disc's outline fitted
through it, which gives the radius, the centre to a part of a pixel, and the share of directions in which
there is an edge on the outline: a disc has it nearly all round, a numeral or a crossing of lines has not.

A disc seen aslant shows its side, so its outline in the straight-down picture is that of two circles, top and
bottom, and what joins them: a capsule, whose axis is the way its height leans in the picture. Facing the
camera it is a circle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.rectify import Rectified

_SMOOTH_PX = 1.1
_LEAST_STEP = 1.6  # Lab units a pixel, below which nothing is told from noise
_LEAST_RELATIVE = 1.25  # of the neighbourhood's mean
_NEIGHBOURHOOD_MM = 48.0
_MOST_EDGES = 40_000
_VOTE_RANGE = 3.0
_RADIUS_STEP = 1.12
_RAYS = 64
_SIDE_SHOWS = 0.08  # of the radius
_REACH = 0.3  # of the radius, to either side
_ON_CIRCLE = 0.045  # of the radius
_LEAST_RISE = 2.5  # Lab units within a twentieth of the radius
_OVER_GRAIN = 2.0
_NOT_A_FLANK = 0.6
_NOISE = 0.04  # of the radius: an edge's usual error
_SHARED_ERROR = 16.0  # neighbouring rays err together


#: From top centres (n, 2) and radii (n,) in rectified px to the way (n, 2) from a disc's top to its bottom.
Lean = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Circles:
    """n circles: ``xy_px`` (n, 2) of the top and ``radius_px`` (n,) in the rectified picture, ``votes`` (n,).

    ``coverage`` (n,) is the share of directions with an edge on the circle; ``step`` (n,) the edge's typical
    height in Lab units; ``inside`` (n, 3) and ``outside`` (n, 3) the median Lab colours on either side;
    ``texture`` (n,) the inside's own spread; ``edge_on`` (n, rays) which directions have the edge.
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

    @classmethod
    def none(cls) -> Circles:
        """No circles at all."""
        empty, colour = np.zeros(0), np.zeros((0, 3))
        return cls(
            np.zeros((0, 2)),
            empty,
            empty,
            empty,
            empty,
            colour,
            colour,
            empty,
            np.zeros((0, _RAYS), dtype=bool),
        )

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Circles:
        """Some of these circles, by a mask or by their numbers."""
        return Circles(*(getattr(self, field.name)[which] for field in fields(self)))

    def replaced(self, which: NDArray[np.intp], others: Circles) -> Circles:
        """These circles with those at ``which`` replaced by ``others``."""
        parts = []
        for field in fields(self):
            values = getattr(self, field.name).copy()
            values[which] = getattr(others, field.name)
            parts.append(values)
        return Circles(*parts)


def find_circles(
    picture: Rectified, lab: NDArray[np.uint8], radii_mm: tuple[float, float], lean: Lean, most: int = 90
) -> Circles:
    """The strongest circles with a radius in that range.

    Aslant, each peak also as the top and as the bottom of a disc.
    """
    start, votes = _peaks(lab, picture, radii_mm, most)
    xy, radius = start[:, :2], start[:, 2]
    shown = np.linalg.norm(lean(xy, radius), axis=1) > _SIDE_SHOWS * radius
    tries = [trace(lab, xy, radius, votes, upright)]
    if shown.any():
        # aslant a peak may be the top's circle or the bottom edge's: the top then lies the other way
        for start in (xy[shown], xy[shown] - lean(xy[shown], radius[shown])):
            tries.append(trace(lab, start, radius[shown], votes[shown], lean))
    return Circles(*(np.concatenate([getattr(t, field.name) for t in tries]) for field in fields(Circles)))


def upright(top_px: Array, radius_px: Array) -> Array:
    """The lean of a disc whose side is not seen."""
    return np.zeros_like(top_px)


def leaning(picture: Rectified, view: View, side_height: float) -> Lean:
    """How a disc's height leans in the straight-down picture: away from below the camera.

    ``side_height`` is the height of what is seen of the side, in radii.
    """
    eye = view.eye_mm
    below_px = picture.px_from_mm(eye[:2])

    def lean(top_px: Array, radius_px: Array) -> Array:
        height_mm = side_height * radius_px / picture.px_per_mm
        share = height_mm / (eye[2] - picture.height_mm + height_mm)
        return np.asarray((below_px - top_px) * share[:, None])

    return lean


def reach_on_surface_mm(circles: Circles, picture: Rectified, view: View) -> Array:
    """How far from the board's centre, on the surface's plane, each circle's seen edge reaches; shape (n,).

    What is seen through the hole, its floor and its wall, never reaches beyond the hole's rim.
    """
    angle = np.arange(circles.edge_on.shape[1]) / circles.edge_on.shape[1] * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    edge = picture.mm_from_px(circles.xy_px[:, None] + circles.radius_px[:, None, None] * unit)
    px = view.px_from_mm(np.concatenate([edge, np.full((*edge.shape[:2], 1), picture.height_mm)], -1))
    distance = np.sort(
        np.where(circles.edge_on, np.linalg.norm(view.mm_from_px(px), axis=-1), np.inf), axis=1
    )
    seen = circles.edge_on.sum(1)
    far = distance[np.arange(len(circles)), np.minimum((0.9 * seen).astype(np.intp), distance.shape[1] - 1)]
    return np.asarray(np.where(seen > 0, far, np.inf))


def trace(
    lab: NDArray[np.uint8],
    top_px: Array,
    radius_px: Array,
    votes: Array,
    lean: Lean,
    *,
    size_sigma: float | None = None,
) -> Circles:
    """Discs' outlines fitted to the edges that are found along rays from each start.

    ``size_sigma`` says how well ``radius_px`` is known, as a share of it; None leaves the radius to the
    edges. ``lean`` gives, for top centres (n, 2) and radii (n,) in px, the way from top to bottom (n, 2).
    """
    if not len(top_px):
        return Circles.none()
    smooth = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.7), dtype=np.uint8)
    angle = np.arange(_RAYS) / _RAYS * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], -1)
    top, radius = top_px.astype(np.float64).copy(), radius_px.astype(np.float64).copy()
    steps = int(np.ceil(float(radius.max(initial=1.0)) * _REACH * 2)) + 3
    share = np.linspace(1 - _REACH, 1 + _REACH, steps)
    for turn in range(3):
        axis = lean(top, radius)
        reach, normal = _capsule(axis, radius, unit)
        centre = top + axis / 2
        profile = _polar(smooth, centre, reach, unit, share)
        rise = np.linalg.norm(profile[:, :, 2:] - profile[:, :, :-2], axis=-1)
        window = 0.14 if turn == 0 else 0.08 if size_sigma is None else 0.05
        near = np.exp(-0.5 * np.square((share[1:-1] - 1) / window))
        at = (rise * near).argmax(-1)
        peak = np.take_along_axis(rise, at[..., None], -1)[..., 0]
        along = (share[1:-1][at] + _parabola(rise, at) * (share[1] - share[0]) - 1.0) * reach
        offset = along * np.abs((normal * unit).sum(-1))
        strong = np.minimum(peak / np.maximum(np.median(peak, axis=1, keepdims=True), 1e-6), 1.0)
        change = _grown_through(offset, strong, normal, radius, radius_px - radius, size_sigma)
        top += change[:, :2]
        radius = np.clip(radius + change[:, 2], 0.5 * radius, 1.5 * radius)
    axis = lean(top, radius)
    reach, _ = _capsule(axis, radius, unit)
    edge_on = _edge_on(_polar(smooth, top + axis / 2, reach, unit, np.linspace(0.84, 1.16, 17)))
    inside = _polar(
        smooth, top, np.broadcast_to(radius[:, None], reach.shape), unit, np.linspace(0.1, 0.85, 14)
    )
    halo = _polar(smooth, top + axis / 2, reach, unit, np.linspace(1.1, 1.28, 4))
    return _described(inside, halo, edge_on, top, radius, votes)


def _edge_on(profile: Array) -> NDArray[np.bool_]:
    """Where the outline itself has an edge.

    Neither the flank of a stronger one beside it nor the wood's own grain counts.
    """
    rise = np.linalg.norm(profile[:, :, 2:] - profile[:, :, :-2], axis=-1)
    share = np.linspace(0.86, 1.14, rise.shape[-1])
    here = rise[:, :, np.abs(share - 1) < _ON_CIRCLE + 0.006].max(-1)
    grain = np.median(rise, axis=(1, 2))
    real = here > np.maximum(_LEAST_RISE, _OVER_GRAIN * grain)[:, None]
    return np.asarray(real & (here > _NOT_A_FLANK * rise.max(-1)))


def _capsule(axis: Array, radius: Array, unit: Array) -> tuple[Array, Array]:
    """The common outline of two equal circles, ``axis`` (n, 2) apart.

    Distance (n, rays) from their middle to it along each ray, and its normal there (n, rays, 2).
    """
    length = np.linalg.norm(axis, axis=1, keepdims=True)
    half = length / 2
    direction = np.where(length > 1e-9, axis / np.maximum(length, 1e-9), np.array([1.0, 0.0]))
    along = direction @ unit.T
    across = np.stack([-direction[:, 1], direction[:, 0]], 1) @ unit.T
    r = radius[:, None]
    side = r / np.maximum(np.abs(across), 1e-9)
    cap = half * np.abs(along) + np.sqrt(np.maximum(r**2 - np.square(half * across), 0.0))
    on_side = side * np.abs(along) <= half
    reach = np.where(on_side, side, cap)
    hit = reach[..., None] * unit[None]
    foot = np.clip(reach * along, -half, half)[..., None] * direction[:, None]
    normal = hit - foot
    return reach, normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)


def _described(
    core: Array, halo: Array, edge_on: NDArray[np.bool_], top: Array, radius: Array, votes: Array
) -> Circles:
    inside = np.median(core.reshape(len(top), -1, 3), axis=1)
    outside = np.median(halo.reshape(len(top), -1, 3), axis=1)
    texture = np.percentile(np.linalg.norm(core - inside[:, None, None], axis=-1), 85, axis=(1, 2))
    step = np.median(np.linalg.norm(inside[:, None] - halo.mean(2), axis=-1), axis=1)
    return Circles(top, radius, votes, edge_on.mean(1), step, inside, outside, texture, edge_on)


def _polar(lab: NDArray[np.uint8], centre: Array, reach: Array, unit: Array, share: Array) -> Array:
    """Samples (n, rays, shares, 3) along rays from each centre, at shares of each ray's reach (n, rays)."""
    where = centre[:, None, None] + reach[..., None, None] * unit[None, :, None] * share[None, None, :, None]
    flat = where.reshape(-1, len(share), 2).astype(np.float32)
    values = cv2.remap(lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.reshape(len(centre), len(unit), len(share), 3).astype(np.float32)


def _parabola(rise: Array, at: NDArray[np.intp]) -> Array:
    """Sub-sample place of each maximum, in samples from it."""
    inner = np.clip(at, 1, rise.shape[-1] - 2)
    left, mid, right = (np.take_along_axis(rise, (inner + k)[..., None], -1)[..., 0] for k in (-1, 0, 1))
    bend = left - 2 * mid + right
    return np.where(
        (bend < -1e-6) & (inner == at),
        np.clip(0.5 * (left - right) / np.minimum(bend, -1e-6), -0.5, 0.5),
        0.0,
    )


def _grown_through(
    offset: Array, weight: Array, normal: Array, radius: Array, to_known: Array, size_sigma: float | None
) -> Array:
    """Shift (x, y) and growth (n, 3) of each outline that its edge offsets (n, rays) ask for, robustly.

    ``to_known`` (n,) is the growth that would bring the radius to its known size.
    """
    design = np.concatenate([normal, np.ones((*normal.shape[:2], 1))], -1)
    change = np.zeros((len(offset), 3))
    stiff = 1e-3 if size_sigma is None else _SHARED_ERROR * (_NOISE / size_sigma) ** 2
    change[:, 2] = np.median(offset, axis=1) if size_sigma is None else to_known
    for _ in range(5):
        residual = offset - np.einsum("nri,ni->nr", normal, change[:, :2]) - change[:, 2:]
        scale = np.maximum(_NOISE * radius, 0.5)[:, None]
        w = weight / (1.0 + np.square(residual / scale))
        gram = np.einsum("nr,nri,nrj->nij", w, design, design) + np.diag([1e-3, 1e-3, stiff])
        pull = np.einsum("nri,nr->ni", design, w * offset)
        if size_sigma is not None:
            pull[:, 2] += stiff * to_known
        change = np.linalg.solve(gram, pull[..., None])[..., 0]
    limit = (0.3 * radius)[:, None]
    return np.clip(change, -limit, limit)


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
        votes = cv2.GaussianBlur(
            pile.reshape(size, size).astype(np.float32), (0, 0), 1.3 * picture.px_per_mm
        ) / np.float32(radius)
        better = votes > best
        np.copyto(best, votes, where=better)
        which[better] = k
    apart = int(0.6 * radii[0]) | 1
    crest = (best >= cv2.dilate(best, np.ones((apart, apart), np.uint8))) & (best > 0)
    rows, columns = np.nonzero(crest)
    order = np.argsort(-best[rows, columns], kind="stable")[:most]
    rows, columns = rows[order], columns[order]
    peaks = np.stack([columns, rows, radii[which[rows, columns]]], 1)
    return peaks.astype(np.float64), best[rows, columns].astype(np.float64)


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

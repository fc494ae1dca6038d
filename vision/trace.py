"""Discs' outlines fitted to the edges along rays: radius, centre, and how well each is borne out.

A disc seen aslant shows its side, so its outline in the straight-down picture is that of two circles, top and
bottom, and what joins them: a capsule, whose axis is the way its height leans in the picture. Facing the
camera it is a circle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.circles import RAYS, Circles
from vision.edges import Edges
from vision.rectify import Rectified

_REACH = 0.3  # of the radius, to either side
_WINDOWS = (0.14, 0.08, 0.08)
_WINDOWS_KNOWN = (0.07, 0.05, 0.05)  # where the size is known; a wider one falls for the edge of a shadow
_WINDOWS_ROUGH = (0.14, 0.05, 0.05)  # where it is, but the starts are not near the edges
_ON_OUTLINE = 0.05  # of the radius
_BESIDE = 0.15
_STEPS = 8
_LEAST_SLOPE = 1.2  # Lab units a pixel
_OVER_GRAIN = 1.5
_NOT_A_FLANK = 0.75
_EDGE_RAMP, _FLANK_RAMP = (0.6, 1.4), (0.55, 0.95)  # where an edge counts not at all, and fully
_NOISE = 0.04  # of the radius: an edge's usual error
_SHARED_ERROR = 16.0  # neighbouring rays err together
_WEAKEST_SIDE = 0.25  # of the directions
_SIDE_SEEN = 0.3  # of the radius, from where on the side is seen fully
_ANGLE = np.arange(RAYS) / RAYS * 2 * np.pi
_UNIT = np.stack([np.cos(_ANGLE), np.sin(_ANGLE)], -1).astype(np.float32)

_Depth = TypeVar("_Depth", np.uint8, np.float32)

#: From top centres (n, 2) and radii (n,) in rectified px to the way (n, 2) from a disc's top to its bottom.
Lean = Callable[[Array, Array], Array]


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


def trace(
    edges: Edges,
    top_px: Array,
    radius_px: Array,
    votes: Array,
    lean: Lean,
    *,
    size_sigma: float | None = None,
    rough: bool = False,
) -> Circles:
    """Outlines fitted from each start: top centres (n, 2) and radii (n,), both in px.

    ``size_sigma`` says how well ``radius_px`` is known, as a share of it; None leaves the radius to the
    edges. ``rough`` starts of a known size were not voted for and may be off by a tenth of the radius.
    """
    if not len(top_px):
        return Circles.none()
    top, radius = top_px.astype(np.float64).copy(), radius_px.astype(np.float64).copy()
    steps = int(np.ceil(float(radius.max()) * _REACH * 2)) + 1
    share = np.linspace(1 - _REACH, 1 + _REACH, steps, dtype=np.float32)
    known = _WINDOWS_ROUGH if rough else _WINDOWS_KNOWN
    for window in _WINDOWS if size_sigma is None else known:
        axis = lean(top, radius)
        reach, normal = _capsule(axis, radius)
        rise = _rise(edges, top + axis / 2, reach, normal, share)
        score = rise * np.exp(-0.5 * np.square((share - 1) / window))
        at = score.argmax(-1)
        peak = np.take_along_axis(rise, at[..., None], -1)[..., 0]
        along = (share[at] + _parabola(rise, at) * (share[1] - share[0]) - 1.0) * reach
        offset = along * np.abs((normal * _UNIT).sum(-1))
        strong = np.minimum(peak / np.maximum(np.median(peak, axis=1, keepdims=True), 1e-6), 1.0)
        change = _grown_through(offset, strong, normal, radius, radius_px - radius, size_sigma)
        top += change[:, :2]
        radius = np.clip(radius + change[:, 2], 0.5 * radius, 1.5 * radius)
    return _described(edges, top, radius, votes, lean)


def sampled_round(edges: Edges, circles: Circles, share: Array) -> Array:
    """Lab colours (shares, n, rays, 3) around circles, at shares of their radii."""
    reach = np.repeat(circles.radius_px[:, None].astype(np.float32), RAYS, axis=1)
    values = _sampled(edges.lab, circles.xy_px, reach, share.astype(np.float32), 1)
    return np.moveaxis(values.astype(np.float64), 2, 0)


def _described(edges: Edges, top: Array, radius: Array, votes: Array, lean: Lean) -> Circles:
    axis = lean(top, radius)
    middle = top + axis / 2
    reach, normal = _capsule(axis, radius)
    share = np.linspace(1 - _REACH, 1 + _REACH, 2 * _STEPS + 1, dtype=np.float32)
    away = np.abs(share - 1)
    rise = _rise(edges, middle, reach, normal, share)
    here = rise[:, :, away <= _ON_OUTLINE].max(-1)
    # neither the flank of a stronger edge beside it nor the wood's own grain counts
    grain = _median(rise[:, ::2, away > _BESIDE].reshape(len(top), -1))
    floor = np.maximum(_LEAST_SLOPE, _OVER_GRAIN * grain)[:, None]
    flank = np.maximum(rise[:, :, away <= _BESIDE].max(-1), 1e-6)
    edge_on = (here > floor) & (here > _NOT_A_FLANK * flank)
    # how much of it there is must not hang on a hair in any direction
    surely = _ramp(here / floor, _EDGE_RAMP) * _ramp(here / flank, _FLANK_RAMP)
    surely = _unexplained(surely, edges.rings.along(middle[:, None] + reach[..., None] * _UNIT, normal))
    facing = np.clip((axis @ _UNIT.T) / (_SIDE_SEEN * radius[:, None]), 0.0, 1.0)
    crease = _crease(edges, top, radius, floor)
    round_reach = np.broadcast_to(radius[:, None].astype(np.float32), reach.shape)
    samples = _sampled(edges.lab, top, round_reach[:, ::2], np.linspace(0.15, 0.83, 6, dtype=np.float32), 2)
    core = samples.astype(np.float32).reshape(len(top), -1, 3)
    halo = _sampled(edges.lab, middle, reach, np.array([1.13, 1.24], np.float32), 1).astype(np.float32)
    inside = _median(core.transpose(0, 2, 1))
    outside = _median(halo.reshape(len(top), -1, 3).transpose(0, 2, 1))
    spread = _length(core - inside[:, None])
    texture = np.partition(spread, int(0.85 * spread.shape[1]), axis=1)[:, int(0.85 * spread.shape[1])]
    step = halo.mean(2) - inside[:, None]
    height = np.sort(_length(step), axis=1)
    agree = np.linalg.norm(step.mean(1), axis=-1) / np.maximum(height.mean(1), 1.0)
    return Circles(
        xy_px=top,
        radius_px=radius,
        votes=votes,
        coverage=surely.mean(1).astype(np.float64),
        step=height[:, RAYS // 2].astype(np.float64),
        weak_step=height[:, int(_WEAKEST_SIDE * RAYS)].astype(np.float64),
        agreement=agree.astype(np.float64),
        inside=inside.astype(np.float64),
        outside=outside.astype(np.float64),
        texture=texture.astype(np.float64),
        side_seen=facing.max(1),
        crease=(facing * crease).sum(1) / np.maximum(facing.sum(1), 1e-6),
        edge_on=edge_on,
    )


def _unexplained(surely: NDArray[np.float32], explained: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How surely each direction has an edge (n, rays), one that a line explains no more than the others."""
    others = (~explained).sum(1, keepdims=True)
    usual = np.where(explained, 0.0, surely).sum(1, keepdims=True) / np.maximum(others, 1)
    return np.asarray(np.where(explained, np.minimum(surely, usual), surely), np.float32)


def _crease(edges: Edges, top: Array, radius: Array, floor: NDArray[np.float32]) -> NDArray[np.float32]:
    """How surely there is an edge on the tops' own circles (n, rays), 0 to 1: there a side begins."""
    reach = np.repeat(radius[:, None].astype(np.float32), RAYS, axis=1)
    share = np.array([1 - _ON_OUTLINE, 1.0, 1 + _ON_OUTLINE], np.float32)
    here = _rise(edges, top, reach, np.broadcast_to(_UNIT, (len(top), *_UNIT.shape)), share).max(-1)
    return _ramp(here / floor, _EDGE_RAMP)


def _length(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Lengths of Lab differences (..., 3); numpy's own sum over so short an axis is slow."""
    return np.asarray(np.sqrt(np.square(lab[..., 0]) + np.square(lab[..., 1]) + np.square(lab[..., 2])))


def _ramp(values: NDArray[np.float32], ends: tuple[float, float]) -> NDArray[np.float32]:
    """From 0 to 1 between ``ends``."""
    return np.asarray(np.clip((values - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0))


def _median(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The upper median along the last axis."""
    middle = values.shape[-1] // 2
    return np.asarray(np.partition(np.ascontiguousarray(values), middle, axis=-1)[..., middle])


def _capsule(axis: Array, radius: Array) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The common outline of two equal circles, ``axis`` (n, 2) apart.

    Distance (n, rays) from their middle to it along each ray, and its normal there (n, rays, 2).
    """
    axis, radius = axis.astype(np.float32), radius.astype(np.float32)
    length = np.linalg.norm(axis, axis=1, keepdims=True)
    half = length / 2
    direction = np.where(length > 1e-6, axis / np.maximum(length, 1e-6), np.array([1.0, 0.0], np.float32))
    along = direction @ _UNIT.T
    across = np.stack([-direction[:, 1], direction[:, 0]], 1) @ _UNIT.T
    r = radius[:, None]
    side = r / np.maximum(np.abs(across), 1e-6)
    cap = half * np.abs(along) + np.sqrt(np.maximum(r**2 - np.square(half * across), 0.0))
    reach = np.where(side * np.abs(along) <= half, side, cap)
    foot = np.clip(reach * along, -half, half)
    normal = reach[..., None] * _UNIT - foot[..., None] * direction[:, None]
    return reach, normal / np.linalg.norm(normal, axis=-1, keepdims=True)


def _sampled(
    picture: NDArray[_Depth],
    centre: Array,
    reach: NDArray[np.float32],
    share: NDArray[np.float32],
    every: int,
) -> NDArray[_Depth]:
    """Samples (n, rays, shares, channels) along each ``every``-th ray, at shares of its reach (n, rays)."""
    ray = reach[..., None] * _UNIT[::every]
    c = centre.astype(np.float32)
    x = c[:, None, None, 0] + ray[..., 0][..., None] * share
    y = c[:, None, None, 1] + ray[..., 1][..., None] * share
    width = x.shape[1] * x.shape[2]
    values = cv2.remap(
        picture,
        x.reshape(len(c), width),
        y.reshape(len(c), width),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(values.reshape(*x.shape, -1), dtype=picture.dtype)


def _rise(
    edges: Edges,
    centre: Array,
    reach: NDArray[np.float32],
    normal: NDArray[np.float32],
    share: NDArray[np.float32],
) -> NDArray[np.float32]:
    """How steeply the picture changes across outlines (n, rays, shares), Lab units a pixel."""
    slope = _sampled(edges.slope, centre, reach, share, 1)
    return np.asarray(np.abs(slope[..., 0] * normal[..., 0, None] + slope[..., 1] * normal[..., 1, None]))


def _parabola(rise: NDArray[np.float32], at: NDArray[np.intp]) -> Array:
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
    offset: Array,
    weight: Array,
    normal: NDArray[np.float32],
    radius: Array,
    to_known: Array,
    size_sigma: float | None,
) -> Array:
    """Shift (x, y) and growth (n, 3) of each outline that its edge offsets (n, rays) ask for, robustly.

    ``to_known`` (n,) is the growth that would bring the radius to its known size.
    """
    design = np.concatenate([normal, np.ones((*normal.shape[:2], 1), np.float32)], -1).astype(np.float64)
    change: Array = np.zeros((len(offset), 3))
    stiff = 1e-3 if size_sigma is None else _SHARED_ERROR * (_NOISE / size_sigma) ** 2
    change[:, 2] = np.median(offset, axis=1) if size_sigma is None else to_known
    ridge = np.diag([1e-3, 1e-3, stiff])
    scale = np.maximum(_NOISE * radius, 0.5)[:, None]
    for _ in range(4):
        residual = (offset - (design @ change[..., None])[..., 0]) / scale
        weighted = design * (weight / (1.0 + np.square(residual)))[..., None]
        turned = np.swapaxes(weighted, 1, 2)
        pull = (turned @ offset[..., None])[..., 0]
        if size_sigma is not None:
            pull[:, 2] += stiff * to_known
        change = np.asarray(np.linalg.solve(turned @ design + ridge, pull[..., None])[..., 0], np.float64)
    limit = (0.3 * radius)[:, None]
    return np.clip(change, -limit, limit)

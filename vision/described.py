"""What circles show of themselves: their edges, their colours inside and around, and their sides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from vision.circles import RAYS, Circles
from vision.edges import Edges
from vision.rays import COS, SIN, Floats, Outlines, capsules, colours, rise, rounds

#: Shares of the way to an outline: where its edge lies and what flanks it, and the grain on either side.
_ABOUT = np.linspace(0.85, 1.15, 9, dtype=np.float32)
_ON_OUTLINE = slice(3, 6)
_BESIDE = np.array([0.7, 0.7375, 0.775, 0.8125, 1.1875, 1.225, 1.2625, 1.3], np.float32)
#: The same for the edge of the top, for its colours, and for those around it.
_ON_TOP = np.array([0.95, 1.0, 1.05], np.float32)
_WITHIN = np.linspace(0.15, 0.83, 6, dtype=np.float32)
_AROUND = np.array([1.13, 1.24], np.float32)
_EVERY = 2  # direction, where many are looked at together
_LEAST_SLOPE = 1.2  # Lab units a pixel
_OVER_GRAIN = 1.5
_NOT_A_FLANK = 0.75
_EDGE_RAMP, _FLANK_RAMP = (0.6, 1.4), (0.55, 0.95)  # where an edge counts not at all, and fully
_EVEN_SHARE = 0.85  # of the top
_WEAKEST_SIDE = 0.25  # of the directions
_SIDE_SEEN = 0.3  # of the radius, from where on the side is seen fully


def described(edges: Edges, top: Array, radius: Array, axis: Array, votes: Array) -> Circles:
    """Circles with tops (n, 2), radii (n,) and votes (n,), whose sides lean by ``axis`` (n, 2); all in px."""
    outlines = capsules(top + axis / 2, axis, radius)
    tops = rounds(top, radius)
    rising = rise(edges, outlines, _ABOUT)
    here, flank = rising[_ON_OUTLINE].max(0), np.maximum(rising.max(0), 1e-6)
    # neither the flank of a stronger edge beside it nor the wood's own grain counts
    beside = rise(edges, outlines.thinned(_EVERY), _BESIDE)
    grain = upper_median(np.moveaxis(beside, 0, 1).reshape(len(top), -1))
    floor = np.maximum(_LEAST_SLOPE, _OVER_GRAIN * grain)[:, None]
    edge_on = (here > floor) & (here > _NOT_A_FLANK * flank)
    # how much of it there is must not hang on a hair in any direction
    surely = _ramp(here / floor, _EDGE_RAMP) * _ramp(here / flank, _FLANK_RAMP)
    surely = _unexplained(surely, edges.rings.along(outlines.points, (outlines.normal_x, outlines.normal_y)))
    facing = np.clip((axis[:, :1] * COS + axis[:, 1:] * SIN) / (_SIDE_SEEN * radius[:, None]), 0.0, 1.0)
    core = _channels(colours(edges, tops.thinned(_EVERY), _WITHIN))
    halo = _channels(colours(edges, outlines, _AROUND))
    inside, outside = upper_median(core), upper_median(halo)
    spread = _length(core - inside[..., None])
    even = int(_EVEN_SHARE * spread.shape[1])
    step = halo.reshape(len(top), 3, len(_AROUND), RAYS).mean(2) - inside[..., None]
    height = np.sort(_length(step), axis=1)
    agree = np.linalg.norm(step.mean(2), axis=1) / np.maximum(height.mean(1), 1.0)
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
        texture=np.partition(spread, even, axis=1)[:, even].astype(np.float64),
        side_seen=facing.max(1),
        crease=_crease(edges, tops, facing, floor),
        edge_on=edge_on,
    )


def sampled_round(edges: Edges, circles: Circles, share: Array) -> Array:
    """Lab colours (shares, n, rays, 3) around circles, at shares of their radii."""
    outlines = rounds(circles.xy_px, circles.radius_px)
    return colours(edges, outlines, share.astype(np.float32)).astype(np.float64)


def upper_median(values: Floats) -> Floats:
    """The upper median along the last axis."""
    middle = values.shape[-1] // 2
    return np.asarray(np.partition(values, middle, axis=-1)[..., middle])


def _channels(lab: NDArray[np.uint8]) -> Floats:
    """Colours (samples, n, rays, 3) by circle and channel, (n, 3, samples x rays)."""
    return lab.transpose(1, 3, 0, 2).astype(np.float32).reshape(lab.shape[1], 3, -1)


def _crease(edges: Edges, tops: Outlines, facing: Array, floor: Floats) -> Array:
    """In what share (n,) of the directions that face the camera an edge parts the side from the top.

    ``facing`` (n, rays) is how far each does, 0 to 1, and ``floor`` (n, 1) what is told from the grain.
    """
    share = np.zeros(len(facing))
    shown = np.asarray(facing.any(1))
    if shown.any():
        facing = facing[shown]
        sure = _ramp(rise(edges, tops.take(shown), _ON_TOP).max(0) / floor[shown], _EDGE_RAMP)
        share[shown] = (facing * sure).sum(1) / np.maximum(facing.sum(1), 1e-6)
    return share


def _unexplained(surely: Floats, explained: NDArray[np.bool_]) -> Floats:
    """How surely each direction has an edge (n, rays), one that a line explains no more than the others."""
    others = (~explained).sum(1, keepdims=True)
    usual = np.where(explained, 0.0, surely).sum(1, keepdims=True) / np.maximum(others, 1)
    return np.asarray(np.where(explained, np.minimum(surely, usual), surely), np.float32)


def _length(lab: Floats) -> Floats:
    """Lengths (n, m) of Lab differences (n, 3, m)."""
    return np.asarray(np.sqrt(np.square(lab).sum(1)))


def _ramp(values: Floats, ends: tuple[float, float]) -> Floats:
    """From 0 to 1 between ``ends``."""
    return np.asarray(np.clip((values - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0))

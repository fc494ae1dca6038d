"""Discs' outlines fitted to the edges along rays: radius, centre, and how well each is borne out.

A disc seen aslant shows its side, so its outline in the straight-down picture is that of two circles, top and
bottom, and what joins them: a capsule, whose axis is the way its height leans in the picture. Facing the
camera it is a circle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.camera import Array, View
from vision.circles import Circles
from vision.described import described, upper_median
from vision.edges import Edges
from vision.rays import Floats, Outlines, capsules, rise
from vision.rectify import Rectified

_REACH = 0.3  # of the radius, to either side
_WINDOWS = (0.14, 0.08, 0.08)
_WINDOWS_KNOWN = (0.07, 0.05, 0.05)  # where the size is known; a wider one falls for the edge of a shadow
_WINDOWS_ROUGH = (0.14, 0.05, 0.05)  # where it is, but the starts are not near the edges
_NOISE = 0.04  # of the radius: an edge's usual error
_SHARED_ERROR = 16.0  # neighbouring rays err together
_REWEIGHTINGS = 4

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
        outlines = capsules(top + axis / 2, axis, radius)
        rising = rise(edges, outlines, share)
        at, peak = _steepest(rising, np.exp(-0.5 * np.square((share - 1) / window)))
        along = share[0] - 1 + at * (share[1] - share[0])
        strong = np.minimum(peak / np.maximum(upper_median(peak), 1e-6)[:, None], 1.0)
        offset = along * outlines.clearance
        change = _grown_through(offset, strong, outlines, radius, radius_px - radius, size_sigma)
        top += change[:, :2]
        radius = np.clip(radius + change[:, 2], 0.5 * radius, 1.5 * radius)
    return described(edges, top, radius, lean(top, radius), votes)


def _steepest(rising: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Where along each ray the weighted rise (samples, n, rays) is greatest, in samples, and that rise.

    Both (n, rays), the place to a part of a sample by a parabola through the rise there.
    """
    count, *shape = rising.shape
    score = rising * weight[:, None, None]
    # the first of the greatest: numpy's argmax is slow where there is little to choose from
    behind = np.arange(count, 0, -1, dtype=np.uint8)[:, None, None]
    at = count - ((score == score.max(0)) * behind).max(0).astype(np.intp)
    every = np.arange(shape[0] * shape[1]).reshape(shape)
    inner = np.clip(at, 1, count - 2)
    flat, middle = rising.ravel(), inner * every.size + every
    left, here, right = (flat.take(middle + k * every.size) for k in (-1, 0, 1))
    bend = left - 2 * here + right
    beside = np.clip(0.5 * (left - right) / np.minimum(bend, -1e-6), -0.5, 0.5)
    within = (bend < -1e-6) & (inner == at)
    return (at + np.where(within, beside, 0.0)).astype(np.float32), flat.take(at * every.size + every)


def _grown_through(
    offset: Floats,
    weight: Floats,
    outlines: Outlines,
    radius: Array,
    to_known: Array,
    size_sigma: float | None,
) -> Array:
    """Shift (x, y) and growth (n, 3) of each outline that its edge offsets (n, rays) ask for, robustly.

    ``to_known`` (n,) is the growth that would bring the radius to its known size.
    """
    across, down = outlines.normal_x, outlines.normal_y
    design = np.stack([across, down, np.ones_like(across), offset], 1)
    # what a weighted fit sums up: the normal matrix, and beside it the right side
    products = (design[:, :3, None] * design[:, None]).reshape(len(offset), 12, -1)
    change = np.zeros((len(offset), 3))
    stiff = 1e-3 if size_sigma is None else _SHARED_ERROR * (_NOISE / size_sigma) ** 2
    change[:, 2] = upper_median(offset) if size_sigma is None else to_known
    prior = np.zeros((len(offset), 3, 4))
    prior[:, [0, 1, 2], [0, 1, 2]] = 1e-3, 1e-3, stiff
    if size_sigma is not None:
        prior[:, 2, 3] = stiff * to_known
    scale = np.maximum(_NOISE * radius, 0.5).astype(np.float32)[:, None]
    for _ in range(_REWEIGHTINGS):
        fitted = (change.astype(np.float32)[:, None] @ design[:, :3])[:, 0]
        robust = weight / (1.0 + np.square((offset - fitted) / scale))
        system = (products @ robust[..., None]).reshape(prior.shape) + prior
        change = np.linalg.solve(system[..., :3], system[..., 3:])[..., 0]
    limit = (0.3 * radius)[:, None]
    return np.clip(change, -limit, limit)

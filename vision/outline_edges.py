"""Where a disc's outline may lie in the picture: the vote for its place, and each direction's nearest edge.

Across the expected outline the picture is sampled along many directions. A shadow's border, a painted line,
the bevel's inner rim and a neighbour are edges too, and often stronger ones; but only the disc's own outline
has its shape all round. So the place comes from a vote: for each shift the share of directions with an edge
where the outline would be, however strong (a generalised Hough transform, Ballard 1981).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from vision.solid import Creases, Silhouettes

DIRECTIONS = 72
_ANGLE = np.arange(DIRECTIONS) / DIRECTIONS * 2 * np.pi
UNIT = np.stack([np.cos(_ANGLE), np.sin(_ANGLE)], 1)
_SECTORS = 12
_BEYOND_MM = 1.2
_BOX_MM, _LEAST_BOX_PX = 0.3, 1.2  # how much on each side of an edge is averaged
_BOX_STEPS = 0.75  # of a search: between two steps no edge is missed
#: Edges are looked at together with those of neighbouring directions (weights), along faint outlines of more.
ROUND, FAR_ROUND = (
    (0.1, 0.25, 0.3, 0.25, 0.1),
    (0.04, 0.06, 0.08, 0.1, 0.11, 0.11, 0.11, 0.1, 0.08, 0.06, 0.04),
)
_NEAR = 0.45  # of the window: how far the nearest plain edge is looked for
CREASE_ROUND = (0.25, 0.5, 0.25)
_CREASE_EVERY = 2  # direction
_CREASE_MM = 0.5
_LEAST_STEP = 6.0  # grey levels
_BESIDE_MM = 0.9
_PLAINLY_DARKER = 5.0
_FULLY = 0.7
_PLAIN = 0.35  # of the disc's typical edge: a plain edge, whatever more it has


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

    def column(self, at_mm: Array) -> NDArray[np.intp]:
        """Which of the steps is nearest to a place."""
        at = np.rint((at_mm - self.step_at_mm[0]) / self.pitch_mm).astype(np.intp)
        return np.asarray(np.clip(at, 0, self.step.shape[2] - 1))

    def smoothed(self, weights: tuple[float, ...]) -> _Across:
        """Averaged over neighbouring directions."""
        n, d = self.step.shape[:2]
        turned = (np.arange(d)[:, None] + np.arange(len(weights)) - len(weights) // 2) % d
        mean = np.zeros((d, d), dtype=np.float32)
        np.add.at(mean, (np.arange(d)[:, None], turned), np.array(weights, dtype=np.float32))
        values = (mean @ self.values.reshape(n, d, -1)).reshape(self.values.shape)
        return _Across(self.at_mm, values, (mean @ self.step.reshape(n, d, -1)).reshape(self.step.shape))


def _across(
    rgb: NDArray[np.uint8], points: Array, per_mm: Array, unit: Array, window_mm: float, step_mm: float = 0.0
) -> _Across:
    box_mm = max(_BOX_MM, _BOX_STEPS * step_mm, _LEAST_BOX_PX / float(np.median(per_mm)))
    count = int(np.ceil(window_mm / box_mm * 3)) + 3
    at_mm = np.asarray(np.arange(-count, count + 1, dtype=np.float64) * (box_mm / 3))
    along = at_mm.astype(np.float32)
    x, y = (
        points[..., k, None].astype(np.float32) + (per_mm * unit[:, k])[..., None].astype(np.float32) * along
        for k in (0, 1)
    )
    values, inside = _sampled(rgb, x, y)
    values *= np.float32(1 / 3)
    box = values[:, :, 2:] + values[:, :, 1:-1] + values[:, :, :-2]
    values *= np.float32(3.0)
    step = (box[:, :, 3:] - box[:, :, :-3]) * inside[..., None, None]
    return _Across(at_mm, values, step)


def _sampled(
    rgb: NDArray[np.uint8], x: NDArray[np.float32], y: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The picture along rays, (n, d, s, 3) at places (n, d, s); and which rays (n, d) lie inside it.

    A ray is straight and the picture has no dents: with both its ends inside all of it is.
    """
    first_to_last = slice(None, None, x.shape[2] - 1)
    inside = np.ones(x.shape[:2], dtype=bool)
    for at, size in ((x, rgb.shape[1]), (y, rgb.shape[0])):
        ends = at[..., first_to_last]
        inside &= ((ends >= 0) & (ends <= size - 1)).all(2)
    across, down = (np.clip(at, -10.0, 32000.0).reshape(len(at), -1) for at in (x, y))
    values = cv2.remap(rgb, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.reshape(*x.shape, -1).astype(np.float32), inside


def _squared(colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """The squared length of colours (..., 3); numpy's own sum is slow over a last axis of three."""
    return np.asarray(np.einsum("...c,...c->...", colour, colour))


def _taken(values: NDArray[np.float32], column: NDArray[np.intp]) -> NDArray[np.float32]:
    """What steps (n, d, s) or (n, d, s, 3) are in columns (n, m, d), by one flat index: that is fast."""
    n, d, count = values.shape[:3]
    first = np.arange(n * d).reshape(n, 1, d) * count
    return np.asarray(values.reshape(n * d * count, *values.shape[3:]).take(first + column, 0))


def _typical(rise: Array) -> Array:
    """The height (n, 1, 1) of a disc's typical edge, of the steps' sizes (n, d, s) in grey levels."""
    top = np.median(rise.max(2), axis=1)
    return np.asarray(np.maximum(top, _LEAST_STEP / _PLAIN)[:, None, None])


def voted(
    rgb: NDArray[np.uint8], seen: Silhouettes, tops: Creases, reach_mm: float, step_mm: float
) -> tuple[Array, Array]:
    """The shift (n, 2) in mm, up to ``reach_mm``, at which most of the outline has an edge; its votes (n,).

    Steps are averaged as colours over a sector of directions before their size counts: along the outline they
    agree, along grain and noise they cancel. A very strong one counts little more than a plain one. The near
    edge of the top has a vote too: else, where the far side is faint, it passes for the foot.
    """
    across = _across(rgb, seen.points, seen.per_mm, UNIT, reach_mm + _BEYOND_MM, step_mm)
    square = _squared(across.step)
    plain = np.square(_PLAIN * _typical(np.sqrt(square))).astype(np.float32)
    vector = across.step / np.sqrt(square + plain)[..., None]
    steps = np.arange(-reach_mm, reach_mm + 1e-9, step_mm)
    shift = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    shift = shift[np.hypot(*shift.T) < reach_mm + 1e-9]
    column = across.column(shift @ np.swapaxes(seen.design[..., :2] / seen.per_mm[..., None], 1, 2))
    there = _taken(vector, column).reshape(*column.shape[:2], _SECTORS, -1, 3)
    there = np.ones(there.shape[3], dtype=np.float32) @ there  # the sum over each sector
    vote = np.sqrt(_squared(there)).sum(2)
    vote = vote + _crease_votes(rgb, tops, plain, shift, reach_mm, step_mm)
    return np.asarray(shift[vote.argmax(1)]), np.asarray(vote.max(1))


def _crease_votes(
    rgb: NDArray[np.uint8],
    tops: Creases,
    plain: NDArray[np.float32],
    shift: Array,
    reach_mm: float,
    step_mm: float,
) -> Array:
    """Votes (n, m) for each shift (m, 2) by the tops' near edges, wherever on the rounding they show."""
    some = slice(None, None, _CREASE_EVERY)
    across = _across(
        rgb, tops.points[:, some], tops.per_mm[:, some], UNIT[some], reach_mm + _BEYOND_MM, step_mm
    ).smoothed(CREASE_ROUND)
    square = _squared(across.step)
    size = np.sqrt(square / (square + plain))
    reach = round(_CREASE_MM / across.pitch_mm)
    near_by = np.pad(size, ((0, 0), (0, 0), (reach, reach)), mode="edge")
    size = np.max([near_by[..., k : k + size.shape[2]] for k in range(2 * reach + 1)], axis=0)
    column = across.column(shift @ np.swapaxes(tops.design[:, some, :2] / tops.per_mm[:, some, None], 1, 2))
    there = _taken(size, column)
    return np.asarray(_CREASE_EVERY * (there @ tops.near[:, some, None])[..., 0])


@dataclass(frozen=True)
class Edges:
    """Each direction's edge (n, d): ``offset_px`` outward of the expected outline, NaN without one.

    ``shade`` is how much darker the ground beside it is than the disc's lightest surroundings, 0 to 1.
    ``plain`` is how far it stands out, 0 to 1: 1 from about half the disc's typical edge on.
    """

    offset_px: Array
    shade: Array
    plain: Array


def nearest_edges(
    rgb: NDArray[np.uint8],
    seen: Silhouettes | Creases,
    window_mm: float,
    together: tuple[float, ...] = ROUND,
) -> Edges:
    """The plain edge of each direction that is nearest to the expected outline."""
    across = _across(rgb, seen.points, seen.per_mm, UNIT, window_mm + _BESIDE_MM).smoothed(together)
    rise = np.sqrt(_squared(across.step))
    at_mm = across.step_at_mm
    rise = np.where(np.abs(at_mm) <= window_mm, rise, 0.0)
    plain = 1.0 / (1.0 + np.square(_PLAIN * _typical(rise) / np.maximum(rise, 1e-3)))
    peak = np.zeros(rise.shape, dtype=bool)
    peak[..., 1:-1] = (rise[..., 1:-1] >= rise[..., :-2]) & (rise[..., 1:-1] > rise[..., 2:])
    score = np.where(peak, plain * np.exp(-0.5 * np.square(at_mm / (_NEAR * window_mm))), 0.0)
    best = np.clip(score.argmax(2), 1, len(at_mm) - 2)
    n, d = np.arange(len(rise))[:, None], np.arange(rise.shape[1])
    found = (score[n, d, best] > 0) & (plain[n, d, best] > 0.3)
    offset_px = np.where(found, _placed(across, best) * seen.per_mm, np.nan)
    return Edges(offset_px, _shade(across), np.minimum(plain[n, d, best] / _FULLY, 1.0))


def _shade(across: _Across) -> Array:
    """How much darker (n, d) it is just beyond the outline than in most directions, in light; signed.

    Positive round a disc that is darker than its lit surroundings, negative round a lighter one.
    """
    reach = across.at_mm[-1]
    beyond, within = (
        (_squared(across.values[:, :, part]) / 3).mean(2)
        for part in (across.at_mm > reach - _BESIDE_MM, across.at_mm < _BESIDE_MM - reach)
    )
    inside = np.median(within, axis=1, keepdims=True)
    lit = np.maximum(np.quantile(beyond, 0.8, axis=1, keepdims=True), 1.0)
    darker = np.clip(_PLAINLY_DARKER * (0.5 - inside / lit), -1.0, 1.0)
    return np.asarray(np.clip(1.0 - beyond / lit, 0.0, 1.0) * darker)


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
    low, high = (light[:, :, k] + light[:, :, k + 1] + light[:, :, k + 2] for k in (0, 2 * half - 3))
    low, across_step = low / 3, (high - low) / 3
    share = np.einsum("ndwc,ndc->ndw", light - low[:, :, None], across_step)
    share /= np.maximum(_squared(across_step), 1e-9)[..., None]
    beyond = half - share.sum(2)
    return np.asarray(across.at_mm[middle] + (0.5 + np.clip(beyond, -3.0, 3.0)) * across.pitch_mm)

"""Where the discs stand, to a part of a pixel: their solids fitted to the outlines in the full picture.

Discs of one photo are one make: size and profile are shared, up to a little. A start comes from a vote
(:mod:`vision.outline_edges`), taken for several profiles of the side; the one that most of all outlines agree
with is kept. From there each direction takes its nearest plain edge, and positions, sizes and profile are
solved together (:mod:`vision.outline_solve`).

The far side and the flanks of an outline are sharp. The near side is not: the shadow in the gap under a
rounded foot passes for a dark disc and against a light one. So further unknowns, each with its prior, stand
for what edges have in common: how far all of them lie outward of the solid, how far the near ones do, and
those in shade. What the picture leaves open keeps its prior and its sigma. And where much of an outline has
no edge where it should, another thing may have been taken for the disc: :mod:`vision.outline_doubt`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.outline_doubt import Seen, doubt
from vision.outline_edges import FAR_ROUND, ROUND, UNIT, nearest_edges, voted
from vision.outline_solve import FOOT, HALO, SHADE, UNKNOWNS, Fit, Shared, grown, solved
from vision.solid import BEVEL, RADIUS, Solid, creases, silhouettes

#: How far, in what steps a disc is looked for: first, and again from there.
_SEARCH_MM = ((2.4, 0.6), (0.6, 0.2))
_WIDE_SEARCH_MM = ((1.2, 0.4), (0.6, 0.2))  # after one that reaches the foot of a wall taken for the top
_WIDE_MM, _WIDE_STEP_MM = 3.0, 0.8
_IN_PLACE_MM = ((0.2, 0.2),)
_WINDOWS_MM = (0.9, 0.6, 0.45, 0.4)
_PROFILES = ((0.0, 0.0), (0.5, 0.4), (1.0, 0.4))  # fullness and chamfer of the sides that are tried
_MOST_TRIED = 12  # discs that the profile is chosen by
_LEAST_SEEN = 0.17  # of the directions with an edge
_AGREES_MM, _AGREES_PX = 0.2, 0.25  # an edge lies where it should
_WEAK = 0.75  # of the directions agreeing: the disc is looked for again
_ALIKE, _ELSEWHERE = 0.85, 0.2  # of the other place's votes; and p (1 - p) that it is the right one


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
class BottomEdge:
    """What is known of a disc's bottom circle: covariances (3, 3) of its x, y and radius, mm².

    ``edges`` is what the picture's edges leave open were the solid known; ``profile`` what the doubt of the
    solid adds.
    """

    edges: Array
    profile: Array


@dataclass(frozen=True)
class StandingDisc:
    """A disc's bottom centre ``xy_mm`` (2,), its solid, and the covariance (4, 4) of both.

    The covariance is of x, y, widest radius and thickness. ``found`` is the share of directions with an edge,
    ``rms_px`` of those that count; infinite where too few have one. ``agreed`` is the share with an edge
    where it should be. ``bottom`` is None for a disc of which only the rough place is known.
    """

    xy_mm: Array
    solid: Solid
    covariance: Array
    found: float
    rms_px: float
    agreed: float = 0.0
    bottom: BottomEdge | None = None


def stand_all(rgb: NDArray[np.uint8], view: View, xy_mm: Array, prior: SizePrior) -> list[StandingDisc]:
    """The discs near ``xy_mm`` (n, 2) (bottom centres, within 2 mm), fitted to their outlines."""
    if not len(xy_mm):
        return []
    near_mm, _ = _voted(rgb, view, xy_mm, prior.solid, _SEARCH_MM[:1])
    solid = _likeliest_profile(rgb, view, near_mm, prior.solid)
    sigma_mm = (prior.radius_sigma_mm, prior.thickness_sigma_mm, prior.bevel_sigma_mm)
    shared = Shared.known(solid, sigma_mm)
    discs, shared = _stood(rgb, view, _voted(rgb, view, near_mm, solid, _SEARCH_MM[1:])[0], solid, shared)
    weak = [k for k, disc in enumerate(discs) if disc.agreed < _WEAK]
    if weak:
        common = grown(solid, _unknown(xy_mm[:1], shared))[0]
        slope = np.linalg.norm(xy_mm[weak] - view.eye_mm[:2], axis=1).max() / view.eye_mm[2]
        wide = (_WIDE_MM + float(slope) * common.thickness_mm, _WIDE_STEP_MM)
        start, _ = _voted(rgb, view, xy_mm[weak], common, (wide, *_WIDE_SEARCH_MM))
        again, _ = _stood(rgb, view, start, solid, shared, faint=True)
        before, after = (
            _voted(rgb, view, np.stack([disc.xy_mm for disc in some]), common, _IN_PLACE_MM)[1]
            for some in ([discs[k] for k in weak], again)
        )
        for k, other, told, other_told in zip(weak, again, before, after, strict=True):
            pair = (other, discs[k]) if other_told > told else (discs[k], other)
            alike = min(told, other_told) > _ALIKE * max(told, other_told)
            discs[k] = _or_elsewhere(*pair) if alike else pair[0]
    return discs


def _or_elsewhere(disc: StandingDisc, other: StandingDisc) -> StandingDisc:
    """The disc with the doubt that it stands where the other fit has it."""
    assert disc.bottom is not None
    apart = disc.xy_mm - other.xy_mm
    doubt = np.zeros((4, 4))
    doubt[:2, :2] = _ELSEWHERE * np.outer(apart, apart)
    bottom = replace(disc.bottom, edges=disc.bottom.edges + doubt[:3, :3])
    return replace(disc, covariance=disc.covariance + doubt, bottom=bottom)


def _likeliest_profile(rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid) -> Solid:
    """The solid with the side that most of the outlines agree with."""
    some = xy_mm[:: -(-len(xy_mm) // _MOST_TRIED)]
    tried = [replace(solid, fullness=fullness, chamfer=chamfer) for fullness, chamfer in _PROFILES]
    return max(tried, key=lambda one: float(_voted(rgb, view, some, one, _SEARCH_MM[1:])[1].sum()))


def _voted(
    rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid, search_mm: tuple[tuple[float, float], ...]
) -> tuple[Array, Array]:
    """Where most of each outline has an edge (n, 2), and the votes for it (n,)."""
    at = xy_mm
    for reach_mm, step_mm in search_mm:
        seen = silhouettes(view, at, [solid] * len(at), UNIT)
        tops = creases(view, at, [solid] * len(at), UNIT)
        shift, votes = voted(rgb, seen, tops, reach_mm, step_mm)
        at = at + shift
    return at, votes


def _unknown(xy_mm: Array, shared: Shared) -> Array:
    """The unknowns (n, 10) of discs at ``xy_mm`` (n, 2) of which nothing else is known yet."""
    return np.concatenate([xy_mm, np.broadcast_to(shared.mean, (len(xy_mm), len(shared.mean)))], 1)


def _stood(
    rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid, shared: Shared, *, faint: bool = False
) -> tuple[list[StandingDisc], Shared]:
    """The discs fitted from a near start, and what they have in common."""
    unknown, now = _unknown(xy_mm, shared), shared
    for window_mm in _WINDOWS_MM:
        seen = silhouettes(view, unknown[:, :2], grown(solid, unknown), UNIT)
        edges = nearest_edges(rgb, seen, window_mm, FAR_ROUND if faint else ROUND)
        fit = solved(view, seen, edges, unknown, now)
        unknown = unknown + fit.change
        if not faint:
            now = shared.learned(fit)
    return _standing(view, fit, edges.plain, seen.per_mm.mean(1), unknown, grown(solid, unknown)), now


def _standing(
    view: View, fit: Fit, plain: Array, px_per_mm: Array, unknown: Array, solids: list[Solid]
) -> list[StandingDisc]:
    """The fitted discs with their covariances."""
    found = np.isfinite(fit.left_px).mean(1)
    agrees = np.abs(fit.left_px) < np.maximum(_AGREES_MM * px_per_mm, _AGREES_PX)[:, None]
    agreed = agrees.mean(1)
    bevel_mm = np.array([solid.bevel_mm for solid in solids])
    astray = doubt(view, unknown[:, :2], Seen(found, agreed, agrees * plain), bevel_mm)
    whole = np.linalg.inv(fit.information)
    # with the solid given, what is left is the edges'
    own = [0, 1, HALO, FOOT, SHADE]
    edges = np.zeros((len(whole), 3, 3))
    edges[:, :2, :2] = np.linalg.inv(fit.information[:, own][:, :, own])[:, :2, :2]
    to_bottom = np.zeros((3, UNKNOWNS))
    to_bottom[0, 0] = to_bottom[1, 1] = to_bottom[2, RADIUS] = 1.0
    to_bottom[2, BEVEL] = -1.0
    profile = to_bottom @ whole @ to_bottom.T - edges
    edges[:, :2, :2] += astray
    covariance = whole[:, :4, :4].copy()
    covariance[:, :2, :2] += astray
    return [
        StandingDisc(
            unknown[k, :2],
            solids[k],
            covariance[k],
            float(found[k]),
            float(fit.rms_px[k]) if found[k] > _LEAST_SEEN else np.inf,
            float(agreed[k]),
            BottomEdge(edges[k], profile[k]),
        )
        for k in range(len(unknown))
    ]

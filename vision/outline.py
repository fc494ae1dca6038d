"""Where the discs stand, to a part of a pixel: their solids fitted to the outlines in the full picture.

Discs of one photo are one make: size and profile are shared, up to a little. A start comes from a vote
(:mod:`vision.outline_edges`), taken for several profiles of the side; the one that most of all outlines agree
with is kept. From there each direction takes its nearest plain edge, and positions, sizes and profile are
solved together (:mod:`vision.outline_solve`).

The far side and the flanks of an outline are sharp. The near side is not: the shadow in the gap under a
rounded foot passes for a dark disc and against a light one. So further unknowns, each with its prior, stand
for what edges have in common: how far all of them lie outward of the solid, how far the near ones do, and
those in shade. What the picture leaves open keeps its prior and its sigma. Discs that few edges agree with
are fitted with the edge of their tops too, and looked for further off. And where much of an outline has no
edge where it should, another thing may have been taken for the disc: :mod:`vision.outline_doubt`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.outline_doubt import Seen, doubt
from vision.outline_edges import FAR_ROUND, UNIT, nearest_edges, voted
from vision.outline_solve import (
    CREASE,
    FOOT,
    HALO,
    SHADE,
    UNKNOWNS,
    Fit,
    Shared,
    farness,
    grown,
    outline_evidence,
    solved,
    top_evidence,
)
from vision.solid import BEVEL, RADIUS, Solid, creases, silhouettes

#: How far, in what steps a disc is looked for: first, and again from there.
_SEARCH_MM = ((2.4, 0.6), (0.6, 0.2))
_WIDE_SEARCH_MM = ((1.2, 0.4),)  # after one that reaches the foot of a wall taken for the top
_WIDE_MM, _WIDE_STEP_MM = 3.0, 0.8
_WINDOWS_MM = (0.7, 0.45, 0.4)
#: Of faint discs the top's edge comes first, unless it was voted on, then with it the outline's.
_TOP_FIRST_MM = ((1.2, None), (0.9, None))
_FAINT_WINDOWS_MM = ((0.6, 0.6), (0.6, 0.45), (0.6, 0.4))
_PROFILES = ((0.0, 0.0), (0.5, 0.4), (1.0, 0.4))  # fullness and chamfer of the sides that are tried
_MOST_TRIED = 12  # discs that the profile is chosen by
#: By how much a barrel or a wall must lead to be more than a guess, and to be told; and the least that a
#: disc's votes scatter.
_LEADS_SIGMAS, _TOLD_SIGMAS, _VOTES_SIGMA = 0.5, 3.0, 2.0
_IN_PLACE_MM = ((0.2, 0.2),)
_ALIKE, _ELSEWHERE = 0.85, 0.2  # of the other place's votes; and p (1 - p) that it is the right one
_LEAST_SEEN = 0.17  # of the directions with an edge
_AGREES_MM, _AGREES_PX = 0.2, 0.25  # an edge lies where it should
_WEAK = 0.75  # of the directions agreeing: the top's edge is asked too
_LOST = 1.45  # of the outline and of the top's near edge together: the disc is looked for again, further off
_TOP_AGREES_MM = 0.4
_FAINT_SIGMAS = 2.0  # a faint outline's edges err together over half of its round


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
    solid, told = _likeliest_profile(rgb, view, near_mm, prior.solid)
    sigma_mm = (prior.radius_sigma_mm, prior.thickness_sigma_mm, prior.bevel_sigma_mm)
    shared = Shared.known(solid, sigma_mm, profile_told=told)
    discs, shared = _stood(rgb, view, _voted(rgb, view, near_mm, solid, _SEARCH_MM[1:])[0], solid, shared)
    weak = [k for k, disc in enumerate(discs) if disc.agreed < _WEAK]
    if weak:
        before = [discs[k] for k in weak]
        for k, disc in zip(weak, _looked_again(rgb, view, xy_mm[weak], before, solid, shared), strict=True):
            discs[k] = disc
    return discs


def _looked_again(
    rgb: NDArray[np.uint8], view: View, xy_mm: Array, discs: list[StandingDisc], solid: Solid, shared: Shared
) -> list[StandingDisc]:
    """Weakly seen discs fitted with the edges of their tops, and where that agrees with little, elsewhere."""
    faint = shared.faint()
    discs, share = _stood_faint(rgb, view, _places(discs), solid, faint, (*_TOP_FIRST_MM, *_FAINT_WINDOWS_MM))
    lost = np.flatnonzero(share < _LOST)
    if len(lost):
        slope = np.linalg.norm(xy_mm[lost] - view.eye_mm[:2], axis=1).max() / view.eye_mm[2]
        wide = (_WIDE_MM + float(slope) * solid.thickness_mm, _WIDE_STEP_MM)
        start_mm, _ = _voted(rgb, view, xy_mm[lost], solid, (wide, *_WIDE_SEARCH_MM))
        others, _ = _stood_faint(rgb, view, start_mm, solid, faint, _FAINT_WINDOWS_MM)
        common = grown(solid, _unknown(xy_mm[:1], shared))[0]
        votes, others_votes = (
            _voted(rgb, view, _places(some), common, _IN_PLACE_MM)[1]
            for some in ([discs[k] for k in lost], others)
        )
        for k, other, told, told_other in zip(lost, others, votes, others_votes, strict=True):
            pair = (other, discs[k]) if told_other > told else (discs[k], other)
            alike = min(told, told_other) > _ALIKE * max(told, told_other)
            discs[k] = _or_elsewhere(*pair) if alike else pair[0]
    return discs


def _places(discs: list[StandingDisc]) -> Array:
    return np.stack([disc.xy_mm for disc in discs])


def _or_elsewhere(disc: StandingDisc, other: StandingDisc) -> StandingDisc:
    """The disc with the doubt that it stands where the other fit has it."""
    assert disc.bottom is not None
    apart = disc.xy_mm - other.xy_mm
    doubt = np.zeros((4, 4))
    doubt[:2, :2] = _ELSEWHERE * np.outer(apart, apart)
    bottom = replace(disc.bottom, edges=disc.bottom.edges + doubt[:3, :3])
    return replace(disc, covariance=disc.covariance + doubt, bottom=bottom)


def _likeliest_profile(rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid) -> tuple[Solid, bool]:
    """The solid with the side that most of the outlines agree with, and whether they tell.

    Where the discs' votes scatter by more than the sides differ they do not, and it is the middle one.
    """
    some = xy_mm[:: -(-len(xy_mm) // _MOST_TRIED)]
    tried = [replace(solid, fullness=fullness, chamfer=chamfer) for fullness, chamfer in _PROFILES]
    votes = np.stack([_voted(rgb, view, some, one, _SEARCH_MM[1:])[1] for one in tried])
    ahead = votes[0] - votes[-1]
    sigma = max(float(ahead.std()), _VOTES_SIGMA) / np.sqrt(len(some))
    lead = abs(float(ahead.mean())) / sigma
    likeliest = tried[1] if lead < _LEADS_SIGMAS else tried[int(votes.sum(1).argmax())]
    return likeliest, lead > _TOLD_SIGMAS


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
    """The unknowns (n, 11) of discs at ``xy_mm`` (n, 2) of which nothing else is known yet."""
    return np.concatenate([xy_mm, np.broadcast_to(shared.mean, (len(xy_mm), len(shared.mean)))], 1)


def _stood(
    rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid, shared: Shared
) -> tuple[list[StandingDisc], Shared]:
    """The discs fitted from a near start, and what they have in common."""
    unknown, now = _unknown(xy_mm, shared), shared
    for window_mm in _WINDOWS_MM:
        seen = silhouettes(view, unknown[:, :2], grown(solid, unknown), UNIT)
        edges = nearest_edges(rgb, seen, window_mm)
        fit = solved([outline_evidence(view, seen, edges, unknown)], unknown, now)
        unknown = unknown + fit.change
        now = shared.learned(fit)
    return _standing(view, fit, edges.plain, seen.per_mm.mean(1), unknown, grown(solid, unknown)), now


def _stood_faint(
    rgb: NDArray[np.uint8],
    view: View,
    xy_mm: Array,
    solid: Solid,
    shared: Shared,
    windows_mm: tuple[tuple[float, float | None], ...],
) -> tuple[list[StandingDisc], Array]:
    """Discs whose outline alone does not tell their place, fitted to the edge of their tops too.

    The top's near edge stands out even where disc and board are of one colour. Its radius is known up to
    where on a rounded edge it seems to end, so far edge and near edge tell the outline from the top's rim.
    Also how much of both agrees (n,).
    """
    unknown = _unknown(xy_mm, shared)
    for top_mm, outline_mm in windows_mm:
        solids = grown(solid, unknown)
        tops = creases(view, unknown[:, :2], solids, UNIT, unknown[:, CREASE])
        evidence = [top_evidence(tops, nearest_edges(rgb, tops, top_mm))]
        if outline_mm is not None:
            seen = silhouettes(view, unknown[:, :2], solids, UNIT)
            edges = nearest_edges(rgb, seen, outline_mm, FAR_ROUND)
            evidence.append(outline_evidence(view, seen, edges, unknown))
        fit = solved(evidence, unknown, shared)
        unknown = unknown + fit.change
    near = farness(view, unknown[:, :2]) < 0.0
    topped = ((np.abs(fit.left_px[0]) < _TOP_AGREES_MM * tops.per_mm) & near).sum(1) / near.sum(1)
    px_per_mm = seen.per_mm.mean(1)
    discs = _standing(view, fit, edges.plain, px_per_mm, unknown, grown(solid, unknown), topped)
    return discs, topped + np.array([disc.agreed for disc in discs])


def _standing(
    view: View,
    fit: Fit,
    plain: Array,
    px_per_mm: Array,
    unknown: Array,
    solids: list[Solid],
    topped: Array | None = None,
) -> list[StandingDisc]:
    """The fitted discs with their covariances."""
    found = np.isfinite(fit.left_px[-1]).mean(1)
    agrees = np.abs(fit.left_px[-1]) < np.maximum(_AGREES_MM * px_per_mm, _AGREES_PX)[:, None]
    agreed = agrees.mean(1)
    bevel_mm = np.array([solid.bevel_mm for solid in solids])
    astray = doubt(view, unknown[:, :2], Seen(found, agrees * plain, topped), bevel_mm)
    whole = np.linalg.inv(fit.information)
    # with the solid given, what is left is the edges'
    own = [0, 1, HALO, FOOT, SHADE, CREASE]
    edges = np.zeros((len(whole), 3, 3))
    edges[:, :2, :2] = np.linalg.inv(fit.information[:, own][:, :, own])[:, :2, :2]
    scale = 1.0 if topped is None else _FAINT_SIGMAS**2
    to_bottom = np.zeros((3, UNKNOWNS))
    to_bottom[0, 0] = to_bottom[1, 1] = to_bottom[2, RADIUS] = 1.0
    to_bottom[2, BEVEL] = -1.0
    profile = to_bottom @ whole @ to_bottom.T - edges
    covariance = whole[:, :4, :4].copy()
    covariance[:, :2, :2] += (scale - 1.0) * edges[:, :2, :2] + astray
    edges = scale * edges
    edges[:, :2, :2] += astray
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

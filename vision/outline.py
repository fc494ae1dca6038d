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
edge where it should, another thing may have been taken for the disc: :mod:`vision.outline_doubt`. Where that
leaves a call open, all of the disc's picture is asked: :mod:`vision.outline_light`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.outline_edges import UNIT, nearest_edges
from vision.outline_faint import looked_again
from vision.outline_light import settled_by_light
from vision.outline_solve import Shared, grown, outline_evidence, solved
from vision.outline_stand import SizePrior, StandingDisc, standing, unknown_at, voted_places
from vision.solid import Solid, silhouettes

#: How far, in what steps a disc is looked for: first, and again from there.
_SEARCH_MM = ((2.4, 0.6), (0.6, 0.2))
_WINDOWS_MM = (0.7, 0.45, 0.4)
_PROFILES = ((0.0, 0.0), (0.5, 0.4), (1.0, 0.4))  # fullness and chamfer of the sides that are tried
_MOST_TRIED = 12  # discs that the profile is chosen by
#: By how much a barrel or a wall must lead to be more than a guess, and to be told; and the least that a
#: disc's votes scatter.
_LEADS_SIGMAS, _TOLD_SIGMAS, _VOTES_SIGMA = 0.5, 3.0, 2.0
_WEAK = 0.75  # of the directions agreeing: the top's edge is asked too
_HARDLY_SEEN = 0.88  # the same: close ones are looked at longer


def stand_all(
    rgb: NDArray[np.uint8],
    view: View,
    xy_mm: Array,
    prior: SizePrior,
    is_open: Callable[[StandingDisc], bool] = lambda disc: False,
) -> list[StandingDisc]:
    """The discs near ``xy_mm`` (n, 2) (bottom centres, within 2 mm), fitted to their outlines.

    Those that hardly stand out and are still ``is_open`` to rule on then are looked at longer.
    """
    if not len(xy_mm):
        return []
    near_mm, _ = voted_places(rgb, view, xy_mm, prior.solid, _SEARCH_MM[:1])
    solid, told = _likeliest_profile(rgb, view, near_mm, prior.solid)
    sigma_mm = (prior.radius_sigma_mm, prior.thickness_sigma_mm, prior.bevel_sigma_mm)
    shared = Shared.known(solid, sigma_mm, profile_told=told)
    start_mm, _ = voted_places(rgb, view, near_mm, solid, _SEARCH_MM[1:])
    discs, shared = _stood(rgb, view, start_mm, solid, shared)
    weak = [k for k, disc in enumerate(discs) if disc.agreed < _WEAK]
    if weak:
        before = [discs[k] for k in weak]
        for k, disc in zip(weak, looked_again(rgb, view, xy_mm[weak], before, solid, shared), strict=True):
            discs[k] = disc
    left = [k for k, disc in enumerate(discs) if disc.agreed < _HARDLY_SEEN and is_open(disc)]
    if left:
        before = [discs[k] for k in left]
        for k, disc in zip(left, settled_by_light(rgb, view, before, solid, shared), strict=True):
            discs[k] = disc
    return discs


def _likeliest_profile(rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid) -> tuple[Solid, bool]:
    """The solid with the side that most of the outlines agree with, and whether they tell.

    Where the discs' votes scatter by more than the sides differ they do not, and it is the middle one.
    """
    some = xy_mm[:: -(-len(xy_mm) // _MOST_TRIED)]
    tried = [replace(solid, fullness=fullness, chamfer=chamfer) for fullness, chamfer in _PROFILES]
    votes = np.stack([voted_places(rgb, view, some, one, _SEARCH_MM[1:])[1] for one in tried])
    ahead = votes[0] - votes[-1]
    sigma = max(float(ahead.std()), _VOTES_SIGMA) / np.sqrt(len(some))
    lead = abs(float(ahead.mean())) / sigma
    likeliest = tried[1] if lead < _LEADS_SIGMAS else tried[int(votes.sum(1).argmax())]
    return likeliest, lead > _TOLD_SIGMAS


def _stood(
    rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid, shared: Shared
) -> tuple[list[StandingDisc], Shared]:
    """The discs fitted from a near start, and what they have in common."""
    unknown, now = unknown_at(xy_mm, shared), shared
    for window_mm in _WINDOWS_MM:
        seen = silhouettes(view, unknown[:, :2], grown(solid, unknown), UNIT)
        edges = nearest_edges(rgb, seen, window_mm)
        fit = solved([outline_evidence(view, seen, edges, unknown)], unknown, now)
        unknown = unknown + fit.change
        now = shared.learned(fit)
    return standing(view, fit, edges.plain, seen.per_mm.mean(1), unknown, grown(solid, unknown)), now

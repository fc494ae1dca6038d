"""Discs that few edges agree with: fitted with the edge of their tops too, and looked for elsewhere.

A disc of the board's own colour has little outline. The near edge of its top stands out even then, and where
both together agree with little, another thing may have been taken for the disc: it is looked for again,
further off, and of two places with as many votes neither is believed alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.outline_edges import FAR_ROUND, UNIT, nearest_edges
from vision.outline_solve import CREASE, Shared, farness, grown, outline_evidence, solved, top_evidence
from vision.outline_stand import StandingDisc, standing, unknown_at, voted_places
from vision.solid import Solid, creases, silhouettes

_WIDE_SEARCH_MM = ((1.2, 0.4),)  # after one that reaches the foot of a wall taken for the top
_WIDE_MM, _WIDE_STEP_MM = 3.0, 0.8
#: The top's edge comes first, unless it was voted on, then with it the outline's.
_TOP_FIRST_MM = ((1.2, None), (0.9, None))
_WINDOWS_MM = ((0.6, 0.6), (0.6, 0.45), (0.6, 0.4))
_IN_PLACE_MM = ((0.2, 0.2),)
_ALIKE, _ELSEWHERE = 0.85, 0.2  # of the other place's votes; and p (1 - p) that it is the right one
_LOST = 1.45  # of the outline and of the top's near edge together: the disc is looked for again, further off
_TOP_AGREES_MM = 0.4


def looked_again(
    rgb: NDArray[np.uint8], view: View, xy_mm: Array, discs: list[StandingDisc], solid: Solid, shared: Shared
) -> list[StandingDisc]:
    """Weakly seen discs fitted with the edges of their tops, and where that agrees with little, elsewhere."""
    faint = shared.faint()
    discs, share = _stood_faint(rgb, view, _places(discs), solid, faint, (*_TOP_FIRST_MM, *_WINDOWS_MM))
    lost = np.flatnonzero(share < _LOST)
    if len(lost):
        slope = np.linalg.norm(xy_mm[lost] - view.eye_mm[:2], axis=1).max() / view.eye_mm[2]
        wide = (_WIDE_MM + float(slope) * solid.thickness_mm, _WIDE_STEP_MM)
        start_mm, _ = voted_places(rgb, view, xy_mm[lost], solid, (wide, *_WIDE_SEARCH_MM))
        others, _ = _stood_faint(rgb, view, start_mm, solid, faint, _WINDOWS_MM)
        common = grown(solid, unknown_at(xy_mm[:1], shared))[0]
        votes, others_votes = (
            voted_places(rgb, view, _places(some), common, _IN_PLACE_MM)[1]
            for some in ([discs[k] for k in lost], others)
        )
        for k, other, told, told_other in zip(lost, others, votes, others_votes, strict=True):
            pair = (other, discs[k]) if told_other > told else (discs[k], other)
            alike = min(told, told_other) > _ALIKE * max(told, told_other)
            discs[k] = _or_elsewhere(*pair) if alike else pair[0]
    return discs


def stood_near(
    rgb: NDArray[np.uint8], view: View, xy_mm: Array, solid: Solid, shared: Shared
) -> list[StandingDisc]:
    """Weakly seen discs fitted to the edges near ``xy_mm`` (n, 2)."""
    return _stood_faint(rgb, view, xy_mm, solid, shared.faint(), _WINDOWS_MM)[0]


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
    unknown = unknown_at(xy_mm, shared)
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
    discs = standing(view, fit, edges.plain, px_per_mm, unknown, grown(solid, unknown), topped)
    return discs, topped + np.array([disc.agreed for disc in discs])

"""Close calls on discs that hardly stand out: light tells about where they are, edges near there how exactly.

Along a faint outline a fit of edges has several good places, a bevel's width apart, and most edges may agree
with a wrong one (:mod:`vision.outline_doubt`). The picture as a whole has one
(:mod:`vision.placed_by_light`), less exact, as real light is never quite as drawn. Edges are then taken
within its reach, and both are averaged by what they leave open.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.outline_faint import stood_near
from vision.outline_solve import Shared
from vision.outline_stand import StandingDisc
from vision.placed_by_light import LitPlace, lit_place
from vision.solid import Solid

#: One sigma of what light that is not as drawn does to a place, along the line of sight and across it.
_ALONG_MM, _ACROSS_MM = 0.25, 0.15


def settled_by_light(
    rgb: NDArray[np.uint8], view: View, discs: list[StandingDisc], solid: Solid, shared: Shared
) -> list[StandingDisc]:
    """Weakly seen discs placed by their light, and by the edges near the places that it tells."""
    lit = [lit_place(rgb, view, disc.xy_mm, disc.solid) for disc in discs]
    edged = stood_near(rgb, view, np.stack([place.xy_mm for place in lit]), solid, shared)
    return [_of_both(view, disc, place) for disc, place in zip(edged, lit, strict=True)]


def _of_both(view: View, edged: StandingDisc, lit: LitPlace) -> StandingDisc:
    """The mean of both places, each weighted by what is known of it; wider where they do not agree."""
    assert edged.bottom is not None
    by_edges = edged.bottom.edges[:2, :2]
    by_light = lit.covariance + _unlike_drawn(view, lit.xy_mm, float(edged.covariance[3, 3]))
    apart = lit.xy_mm - edged.xy_mm
    share = by_edges @ np.linalg.inv(by_edges + by_light)
    # the Birge ratio of the two
    surprise = max(1.0, float(apart @ np.linalg.solve(by_edges + by_light, apart)) / 2)
    left = surprise * (share @ by_light)
    edges, covariance = edged.bottom.edges.copy(), edged.covariance.copy()
    covariance[:2, :2] += left - edges[:2, :2]
    edges[:2, :2] = left
    return replace(
        edged,
        xy_mm=edged.xy_mm + share @ apart,
        covariance=covariance,
        bottom=replace(edged.bottom, edges=edges),
    )


def _unlike_drawn(view: View, xy_mm: Array, thickness_mm2: float) -> Array:
    """Covariance (2, 2) by what is drawn otherwise than it is: the light, and the height of a disc's top."""
    sight = xy_mm - view.eye_mm[:2]
    away_mm = max(float(np.linalg.norm(sight)), 1e-9)
    # top and foot pull a disc of a wrong thickness to either side
    along_mm2 = _ALONG_MM**2 + thickness_mm2 * (away_mm / view.eye_mm[2] / 2) ** 2
    along = np.outer(sight, sight) / away_mm**2
    return np.asarray(along_mm2 * along + _ACROSS_MM**2 * (np.eye(2) - along))

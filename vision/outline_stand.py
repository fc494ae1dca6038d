"""Where discs stand by a fit of their outlines, and with what doubt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.outline_doubt import Seen, doubt
from vision.outline_edges import UNIT, voted
from vision.outline_solve import CREASE, FOOT, HALO, SHADE, UNKNOWNS, Fit, Shared
from vision.solid import BEVEL, RADIUS, Solid, creases, silhouettes

_LEAST_SEEN = 0.17  # of the directions with an edge
_AGREES_MM, _AGREES_PX = 0.2, 0.25  # an edge lies where it should
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


def voted_places(
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


def unknown_at(xy_mm: Array, shared: Shared) -> Array:
    """The unknowns (n, 11) of discs at ``xy_mm`` (n, 2) of which nothing else is known yet."""
    return np.concatenate([xy_mm, np.broadcast_to(shared.mean, (len(xy_mm), len(shared.mean)))], 1)


def standing(
    view: View,
    fit: Fit,
    plain: Array,
    px_per_mm: Array,
    unknown: Array,
    solids: list[Solid],
    topped: Array | None = None,
) -> list[StandingDisc]:
    """The fitted discs with their covariances; ``topped`` (n,) of faint ones' near top edges agrees."""
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

"""How far off a fitted disc may be because its fit took another thing's edges for its own.

A fit's covariance knows noise, not mistakes. On the far side the dark or shining rounding of the top's rim
ends in a plain edge of its own, a bevel's width inside of the outline, and near the camera the shadow under
the foot lies as far out: together they look like a disc that stands nearer by the bevel. Then flanks and far
side do not bend as the outline does, and less of them agrees; so that share says how likely it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array, View
from vision.outline_solve import farness

#: So much of the far side and the flanks agrees with a disc's own outline; what is missing of it is how
#: likely the disc is off by its bevel.
_TRUSTED = 0.75
_SHARP_FROM = -0.5  # cosine to the direction away from the camera
_LEAST_ASTRAY_MM = 0.8
_SIDEWAYS = 0.3  # of the variance along the line of sight
#: Where fewer than the first share of all directions agree the place may be wrong whichever way: sigma grows
#: as a square, and is so large where the second do.
_DOUBTED = (0.45, 0.3)
_LOST_MM = 0.9
_HALF_SEEN, _NOTHING_MM = 0.75, 10.0  # where less has an edge at all there may be no disc


@dataclass(frozen=True)
class Seen:
    """How much of n outlines is seen, shares 0 to 1.

    ``found`` (n,) of the directions with an edge, ``agreed`` (n,) with an edge where it should be; ``agrees``
    (n, d) how plainly each direction does.
    """

    found: Array
    agreed: Array
    agrees: Array


def doubt(view: View, xy_mm: Array, seen: Seen, bevel_mm: Array) -> Array:
    """The covariances (n, 2, 2) in mm² of such mistakes for discs fitted at ``xy_mm`` (n, 2)."""
    sharp = farness(view, xy_mm) > _SHARP_FROM
    share = (seen.agrees * sharp).sum(1) / np.maximum(sharp.sum(1), 1)
    off_mm = np.maximum(np.abs(bevel_mm), _LEAST_ASTRAY_MM)
    mistaken = np.maximum(_TRUSTED - share, 0.0) * np.square(off_mm)
    sight = xy_mm - view.eye_mm[:2]
    sight /= np.maximum(np.linalg.norm(sight, axis=1, keepdims=True), 1e-9)
    along = sight[:, :, None] * sight[:, None, :]
    few = np.clip((_DOUBTED[0] - seen.agreed) / (_DOUBTED[0] - _DOUBTED[1]), 0.0, 1.0)
    lost_mm = _LOST_MM * np.square(few) + _NOTHING_MM * np.maximum(_HALF_SEEN - seen.found, 0.0)
    anywhere = np.square(lost_mm)[:, None, None] * np.eye(2)
    return np.asarray(mistaken[:, None, None] * (along + _SIDEWAYS * (np.eye(2) - along)) + anywhere)

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

#: So much of the far side and the flanks agrees with a disc's own outline. What is missing of it, times the
#: second, is how likely the disc is off by its bevel.
_TRUSTED, _FAINT_TRUSTED, _LIKELY = 0.75, 0.9, 0.25
_SHARP_FROM = -0.5  # cosine to the direction away from the camera
_LEAST_ASTRAY_MM = 0.8
_SIDEWAYS = 0.4  # of the variance along the line of sight
_TOPPED, _TOPLESS_MM = 0.6, 0.3  # where less of the top's near edge agrees, a faint disc may be elsewhere
_HALF_SEEN, _NOTHING_MM = 0.75, 10.0  # where less has an edge at all there may be no disc


@dataclass(frozen=True)
class Seen:
    """How much of n outlines is seen, shares 0 to 1.

    ``found`` (n,) of the directions with an edge; ``agrees`` (n, d) how plainly each direction has one where
    it should be. ``topped`` (n,) is that share of the tops' near edges, of faint discs.
    """

    found: Array
    agrees: Array
    topped: Array | None = None


def doubt(view: View, xy_mm: Array, seen: Seen, bevel_mm: Array) -> Array:
    """The covariances (n, 2, 2) in mm² of such mistakes for discs fitted at ``xy_mm`` (n, 2)."""
    faint = seen.topped is not None
    sharp = farness(view, xy_mm) > _SHARP_FROM
    share = (seen.agrees * sharp).sum(1) / np.maximum(sharp.sum(1), 1)
    off_mm = np.maximum(np.abs(bevel_mm), _LEAST_ASTRAY_MM)
    missing = np.maximum((_FAINT_TRUSTED if faint else _TRUSTED) - share, 0.0)
    mistaken = _LIKELY * missing * np.square(off_mm)
    sight = xy_mm - view.eye_mm[:2]
    sight /= np.maximum(np.linalg.norm(sight, axis=1, keepdims=True), 1e-9)
    along = sight[:, :, None] * sight[:, None, :]
    sideways = _SIDEWAYS * (np.eye(2) - along)
    anywhere = np.square(_NOTHING_MM * np.maximum(_HALF_SEEN - seen.found, 0.0))
    if seen.topped is not None:
        topless = np.maximum(1.0 - seen.topped / _TOPPED, 0.0)
        anywhere = anywhere + np.square(_TOPLESS_MM * topless)
    return np.asarray(mistaken[:, None, None] * (along + sideways) + anywhere[:, None, None] * np.eye(2))

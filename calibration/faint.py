"""Rings too faint to be found by their points: averaged along the circles that a facing foretells.

Thin lines on figured wood are lost among the grain's own thin lines, but not to the eye, which follows them.
The facing and the centre (:mod:`calibration.hough`) need few points; unrolled about that centre a ring is a
straight line, and the mean along it is as much clearer as there is more of it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.hough import Facing
from calibration.polar import unrolled
from calibration.rings import RADIUS_STEP, RingTriple, choose, view_of

_DIRECTIONS, _SECTORS = 180, 30
_STEP_PX = 0.5
_LEAST_PX = 12.0
_SIDE = 5  # steps to the wood on either side of a line
_STRAYS = 4  # steps by which a ring may be off in a sector, as the facing is
_STANDS_OUT = 2.0  # of the usual sector's spread


def faint_triples(rgb: NDArray[np.uint8], facing: Facing, most: int = 2) -> list[RingTriple]:
    """The likeliest triples of rings about a facing's centre in a small picture (h, w, 3), best first."""
    f_px = facing.camera.f_px
    radii_px = np.arange(_LEAST_PX, 0.6 * max(rgb.shape), _STEP_PX)
    values, inside = unrolled(rgb, view_of(facing, 1.0), radii_px / f_px, _DIRECTIONS)
    # what may stray in a sector is as wide a plateau; its middle is the ring
    plateau = np.ones(2 * _STRAYS + 1) / (2 * _STRAYS + 1)
    coverage = np.convolve(_coverage(values, inside), plateau, mode="same")
    low = float(np.log(_LEAST_PX / f_px))
    step = ((np.log(radii_px / f_px) - low) / RADIUS_STEP).astype(np.intp)
    by_step = np.zeros(int(step[-1]) + 1)
    np.maximum.at(by_step, step, coverage)
    return choose(facing, by_step, low)[:most]


def _coverage(values: NDArray[np.float32], inside: NDArray[np.bool_]) -> Array:
    """The share (radii,) of the sectors in which a thin line, dark or light, lies at each radius."""
    whole: NDArray[np.bool_] = np.asarray(inside.reshape(len(inside), _SECTORS, -1).all(-1))
    means = values.reshape(len(values), _SECTORS, -1, 3).mean(2)
    padded = np.pad(means, ((_SIDE, _SIDE), (0, 0), (0, 0)), mode="edge")
    inner, outer = padded[: -2 * _SIDE], padded[2 * _SIDE :]
    best = np.zeros(len(values))
    if not whole.any():
        return best
    # a line differs from both its sides the same way, a border does not
    for ridge in (means - np.maximum(inner, outer), np.minimum(inner, outer) - means):
        strays = np.ones((2 * _STRAYS + 1, 1), np.uint8)
        near = np.asarray(cv2.dilate(ridge, strays), np.float32)
        usual = np.median(near[whole], axis=0)
        spread = 1.4826 * np.median(np.abs(near[whole] - usual), axis=0)
        shown = (near > usual + _STANDS_OUT * spread) & whole[..., None]
        share = shown.sum(1) / np.maximum(whole.sum(1), _SECTORS // 4)[:, None]
        best = np.maximum(best, share.max(1))
    return best

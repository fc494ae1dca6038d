"""Thin lines in a small picture: points with the direction across the line.

A painted line is a ridge or a valley, whatever its colour and however thin; the rim of the surface, the
frame, a disc and a shadow are steps. So points are taken where one principal curvature stands out (Steger,
"An unbiased detector of curvilinear structures", PAMI 20(2), 1998), in the colour channel that shows it best,
measured against the curvature of the neighbourhood: wood grain is a ridge too, but one among many. A step has
a ridge's curvature on either side of a steep slope, so slope counts against a point; noise has it for a
pixel, so it counts how it goes on along the line.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array

#: Second derivatives along x, along y, and four times the mixed one, of each channel; (3, channels, h, w).
Derivatives = NDArray[np.int16]

_SMOOTH_PX = 1.2  # a line of 1 to 4 px of the small picture
_NEIGHBOURHOOD_PX = 31
_NOISE_FLOOR = 2.0  # grey levels of curvature below which nothing is told from noise
_LEAST_RESPONSE = 0.8
_STANDS_OUT = 2.0  # from the neighbourhood's response
_MOST_POINTS = 3000
_CANDIDATES = 36000  # to be looked at along their lines
_ALONG_PX = 3.0  # either way; no more than the margin
_CREST_PX = 0.5  # by so much a crest lies beside its pixel's middle
_STEP_COUNTS = 0.8  # of the slope: how much a step counts against a line
_MARGIN = 3  # px from the picture's edge
_STRONGEST = 6.0  # more contrast than this is no more evidence


@dataclass(frozen=True)
class Ridges:
    """Points on thin lines: ``xy_px`` (n, 2), unit ``normal`` across the line (n, 2), ``strength`` (n,)."""

    xy_px: Array
    normal: Array
    strength: Array

    def __len__(self) -> int:
        return len(self.xy_px)

    def some(self, n: int) -> Ridges:
        """At most n of the points, spread evenly over the picture, always the same ones."""
        if len(self) <= n:
            return self
        pick = np.random.default_rng(1).choice(len(self), n, replace=False)
        return Ridges(self.xy_px[pick], self.normal[pick], self.strength[pick])


def find_ridges(rgb: NDArray[np.uint8]) -> Ridges:
    """The strongest thin-line points of a small picture (h, w, 3), at most 3000."""
    if min(rgb.shape[:2]) <= 2 * _MARGIN:
        return Ridges(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))
    planes = np.stack(cv2.split(cv2.GaussianBlur(rgb, (7, 7), _SMOOTH_PX))).astype(np.uint8, copy=False)
    derivatives = _second_derivatives(planes)
    response = _line_response(derivatives)
    usual = np.asarray(cv2.blur(response, (_NEIGHBOURHOOD_PX, _NEIGHBOURHOOD_PX)), np.float32)
    # most pictures have enough points that stand out; looking at all of the grain takes longest
    at = _inside(response > np.maximum(usual * np.float32(_STANDS_OUT), np.float32(_LEAST_RESPONSE)))
    if len(at) < 2 * _MOST_POINTS:
        at = _inside(response > _LEAST_RESPONSE)
    noise = usual + np.float32(_NOISE_FLOOR)
    at = at[_largest(np.take(response, at) / np.take(noise, at), _CANDIDATES)]
    channel, normal = _across(derivatives, at)
    crest = np.flatnonzero(_on_crest(response, at, normal))
    at, channel, normal = at[crest], channel[crest], normal[:, crest]
    strength = _line_strength(planes, derivatives, at, channel, normal) / np.take(noise, at)
    keep = np.flatnonzero(strength > 0)
    keep = keep[_largest(strength[keep], _MOST_POINTS)]
    ys, xs = np.divmod(at[keep], response.shape[1])
    return Ridges(
        np.stack([xs, ys], 1).astype(np.float64),
        normal[:, keep].T.astype(np.float64),
        np.minimum(strength[keep], _STRONGEST).astype(np.float64),
    )


def _largest(values: NDArray[np.floating], n: int) -> NDArray[np.intp]:
    """Where the n largest values are; everywhere when there are no more."""
    return np.argpartition(-values, n)[:n] if len(values) > n else np.arange(len(values))


def _inside(shown: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where (flat) something shows, away from the picture's edge."""
    shown[:_MARGIN], shown[-_MARGIN:], shown[:, :_MARGIN], shown[:, -_MARGIN:] = False, False, False, False
    return np.flatnonzero(shown)


def _across(derivatives: Derivatives, at: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The channel (n,) that shows a line best at flat places, and unit normals (2, n) across it there."""
    kinds, channels = derivatives.shape[:2]
    xx, yy, xy4 = np.take(derivatives.reshape(kinds, channels, -1), at, axis=2).astype(np.float32)
    mean, half_difference, mixed = xx + yy, xx - yy, xy4 * np.float32(0.5)
    spread = np.square(half_difference) + np.square(mixed)
    best = np.minimum(np.square(mean), spread).argmax(0)
    shown = best * len(at) + np.arange(len(at))
    sign, length = np.sign(np.take(mean, shown)), np.sqrt(np.take(spread, shown))
    # of twice the angle, from which the half-angle formulas give its own; length is 0 where nothing shows
    cos2 = sign * np.take(half_difference, shown) / np.maximum(length, np.float32(1e-6))
    halves = np.sqrt(np.maximum(np.stack([1 + cos2, 1 - cos2]) * np.float32(0.5), 0))
    halves[1] = np.copysign(halves[1], sign * np.take(mixed, shown))
    return best, halves


def _on_crest(
    response: NDArray[np.float32], at: NDArray[np.intp], normal: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Which flat places no neighbour across the line exceeds."""
    dx, dy = np.rint(normal).astype(np.intp)
    step = dy * response.shape[1] + dx
    here = np.take(response, at)
    return np.asarray((here >= np.take(response, at + step)) & (here >= np.take(response, at - step)))


def _line_strength(
    planes: NDArray[np.uint8],
    derivatives: Derivatives,
    at: NDArray[np.intp],
    channel: NDArray[np.intp],
    normal: NDArray[np.float32],
) -> NDArray[np.float32]:
    """The curvature (n,) across a line at flat places that goes on along it, less what a step has.

    Noise does not go on. Beside a step the slope across is as large as the curvature; at a line's crest it is
    at most what curvature makes of half a pixel.
    """
    stride = planes.shape[2]
    cos, sin = normal
    own = channel * planes[0].size + at
    squares = np.stack([cos * cos, sin * sin, np.float32(0.5) * cos * sin])

    def across(there: NDArray[np.intp]) -> NDArray[np.float32]:
        xx, yy, xy4 = (np.take(one, there) for one in derivatives)
        return np.asarray(squares[0] * xx + squares[1] * yy + squares[2] * xy4)

    along = np.rint(np.float32(_ALONG_PX) * cos).astype(np.intp) * stride
    along -= np.rint(np.float32(_ALONG_PX) * sin).astype(np.intp)
    here = across(own)
    mean = (here + across(own + along) + across(own - along)) / np.float32(3)
    slope_x, slope_y = (
        np.take(planes, own + step).astype(np.float32) - np.take(planes, own - step) for step in (1, stride)
    )
    slope = np.abs(cos * slope_x + sin * slope_y) / np.float32(2)
    steep = np.maximum(slope - np.float32(_CREST_PX) * np.abs(here), 0)
    return np.asarray(np.sign(here) * mean - np.float32(_STEP_COUNTS) * steep)


def _second_derivatives(planes: NDArray[np.uint8]) -> Derivatives:
    """The second derivatives of planes (channels, h, w); exact."""
    twice, once, none = (np.array(taps, np.float32) for taps in ([1, -2, 1], [-1, 0, 1], [1]))
    found = np.empty((3, *planes.shape), np.int16)
    for channel, plane in enumerate(planes):
        for kind, (along_x, along_y) in enumerate(((twice, none), (none, twice), (once, once))):
            cv2.sepFilter2D(plane, cv2.CV_16S, along_x, along_y, dst=found[kind, channel])
    return found


def _line_response(derivatives: Derivatives) -> NDArray[np.float32]:
    """|larger| - |smaller| principal curvature in the channel where it is most: a line has one, a blob two.

    That is the less of ``|xx + yy|`` and ``√((xx - yy)² + (2 xy)²)``. All steps but the root are exact in
    float32, so the result does not depend on where the picture lies in memory; ties are many here.
    """
    most = np.zeros(derivatives.shape[2:], np.float32)
    for xx, yy, xy4 in derivatives.swapaxes(0, 1):
        difference, mean = cv2.subtract(xx, yy), cv2.add(xx, yy)
        squared = cv2.multiply(xy4, xy4, scale=0.25, dtype=cv2.CV_32F)
        squared = cv2.add(squared, cv2.multiply(difference, difference, dtype=cv2.CV_32F), dst=squared)
        squared = cv2.min(squared, cv2.multiply(mean, mean, dtype=cv2.CV_32F), dst=squared)
        cv2.max(most, squared, dst=most)
    return np.asarray(cv2.sqrt(most), dtype=np.float32)

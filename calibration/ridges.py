"""Thin lines in a small picture: points with the direction across the line.

A painted line is a ridge or a valley, whatever its colour and however thin; the rim of the surface, the
frame, a disc and a shadow are steps. So points are taken where one principal curvature stands out (Steger,
"An unbiased detector of curvilinear structures", PAMI 20(2), 1998), in the colour channel that shows it best,
measured against the curvature of the neighbourhood: wood grain is a ridge too, but one among many. A step has
a ridge's curvature on either side of a steep slope, so slope counts against a point; noise has it for a
pixel, so it counts how it goes on along the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array

Derivatives = tuple[cv2.typing.MatLike, cv2.typing.MatLike, cv2.typing.MatLike]

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
    planes = cv2.split(cv2.GaussianBlur(rgb, (7, 7), _SMOOTH_PX))
    channels = [_second_derivatives(plane) for plane in planes]
    response = _line_response(channels)
    usual = np.asarray(cv2.blur(response, (_NEIGHBOURHOOD_PX, _NEIGHBOURHOOD_PX)), np.float32)
    # most pictures have enough points that stand out; looking at all of the grain takes longest
    shown = response > _LEAST_RESPONSE
    at = _inside(shown & (response > np.float32(_STANDS_OUT) * usual))
    if len(at) < 2 * _MOST_POINTS:
        at = _inside(shown)
    noise = usual + np.float32(_NOISE_FLOOR)
    at = at[_largest(np.take(response, at) / np.take(noise, at), _CANDIDATES)]
    channel, normal = _across(channels, at)
    crest = _on_crest(response, at, normal)
    at, channel, normal = at[crest], channel[crest], normal[crest]
    strength = _line_strength(planes, channels, at, channel, normal) / np.take(noise, at)
    keep = np.flatnonzero(strength > 0)
    keep = keep[_largest(strength[keep], _MOST_POINTS)]
    ys, xs = np.divmod(at[keep], response.shape[1])
    return Ridges(
        np.stack([xs, ys], 1).astype(np.float64),
        normal[keep].astype(np.float64),
        np.minimum(strength[keep], _STRONGEST).astype(np.float64),
    )


def _largest(values: NDArray[np.floating], n: int) -> NDArray[np.intp]:
    """Where the n largest values are; everywhere when there are no more."""
    return np.argpartition(-values, n)[:n] if len(values) > n else np.arange(len(values))


def _inside(shown: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where (flat) something shows, away from the picture's edge."""
    shown[:_MARGIN], shown[-_MARGIN:], shown[:, :_MARGIN], shown[:, -_MARGIN:] = False, False, False, False
    return np.flatnonzero(shown)


def _across(
    channels: list[Derivatives], at: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The channel (n,) that shows a line best at flat places, and unit normals (n, 2) across it there."""
    xx, yy, xy4 = (np.stack([np.take(one[k], at) for one in channels]).astype(np.float32) for k in range(3))
    mean, half_difference, mixed = xx + yy, xx - yy, xy4 * np.float32(0.5)
    best = np.minimum(np.square(mean), np.square(half_difference) + np.square(mixed)).argmax(0)
    shown = (best, np.arange(len(at)))
    sign = np.sign(mean[shown])
    angle = 0.5 * np.arctan2(sign * mixed[shown], sign * half_difference[shown])
    return best, np.stack([np.cos(angle), np.sin(angle)], 1)


def _on_crest(
    response: NDArray[np.float32], at: NDArray[np.intp], normal: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Which flat places no neighbour across the line exceeds."""
    dx, dy = np.rint(normal.T).astype(np.intp)
    step = dy * response.shape[1] + dx
    here = np.take(response, at)
    return np.asarray((here >= np.take(response, at + step)) & (here >= np.take(response, at - step)))


def _line_strength(
    planes: Sequence[cv2.typing.MatLike],
    channels: list[Derivatives],
    at: NDArray[np.intp],
    channel: NDArray[np.intp],
    normal: NDArray[np.float32],
) -> NDArray[np.float32]:
    """The curvature (n,) across a line at flat places that goes on along it, less what a step has.

    Noise does not go on. Beside a step the slope across is as large as the curvature; at a line's crest it is
    at most what curvature makes of half a pixel.
    """
    stride = np.shape(planes[0])[1]
    cos, sin = normal.T
    own = channel, np.arange(len(at))

    def taken(pictures: Sequence[cv2.typing.MatLike], there: NDArray[np.intp]) -> NDArray[np.float32]:
        return np.stack([np.take(one, there) for one in pictures])[own].astype(np.float32)

    def across(there: NDArray[np.intp]) -> NDArray[np.float32]:
        xx, yy, xy4 = (taken([one[k] for one in channels], there) for k in range(3))
        return np.asarray(cos * cos * xx + sin * sin * yy + np.float32(0.5) * cos * sin * xy4)

    along = np.rint(np.float32(_ALONG_PX) * cos).astype(np.intp) * stride
    along -= np.rint(np.float32(_ALONG_PX) * sin).astype(np.intp)
    here = across(at)
    mean = (here + across(at + along) + across(at - along)) / np.float32(3)
    slope_x, slope_y = (taken(planes, at + step) - taken(planes, at - step) for step in (1, stride))
    slope = np.abs(cos * slope_x + sin * slope_y) / np.float32(2)
    steep = np.maximum(slope - np.float32(_CREST_PX) * np.abs(here), 0)
    return np.asarray(np.sign(here) * mean - np.float32(_STEP_COUNTS) * steep)


def _second_derivatives(plane: cv2.typing.MatLike) -> Derivatives:
    """Second derivatives along x, along y, and four times the mixed one; int16 (h, w) each, and exact."""
    twice, once, none = (np.array(taps, np.float32) for taps in ([1, -2, 1], [-1, 0, 1], [1]))
    return (
        cv2.sepFilter2D(plane, cv2.CV_16S, twice, none),
        cv2.sepFilter2D(plane, cv2.CV_16S, none, twice),
        cv2.sepFilter2D(plane, cv2.CV_16S, once, once),
    )


def _line_response(channels: list[Derivatives]) -> NDArray[np.float32]:
    """|larger| - |smaller| principal curvature in the channel where it is most: a line has one, a blob two.

    That is the less of ``|xx + yy|`` and ``√((xx - yy)² + (2 xy)²)``. All steps but the root are exact in
    float32, so the result does not depend on where the picture lies in memory; ties are many here.
    """
    most = np.zeros(np.shape(channels[0][0]), np.float32)
    for xx, yy, xy4 in channels:
        difference, mean = cv2.subtract(xx, yy), cv2.add(xx, yy)
        squared = cv2.multiply(xy4, xy4, scale=0.25, dtype=cv2.CV_32F)
        squared = cv2.add(squared, cv2.multiply(difference, difference, dtype=cv2.CV_32F), dst=squared)
        squared = cv2.min(squared, cv2.multiply(mean, mean, dtype=cv2.CV_32F), dst=squared)
        cv2.max(most, squared, dst=most)
    return np.asarray(cv2.sqrt(most), dtype=np.float32)

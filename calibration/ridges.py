"""Thin lines in a small picture: points with the direction across the line.

A painted line is a ridge or a valley, whatever its colour and however thin; the rim of the surface, the frame
and a shadow are steps. So points are taken where one principal curvature stands out (Steger, "An unbiased
detector of curvilinear structures", PAMI 20(2), 1998), in the colour channel that shows it best, measured
against the curvature of the neighbourhood: wood grain is a ridge too, but one among many.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array

_SMOOTH_PX = 1.2  # a line of 1 to 4 px of the small picture
_NEIGHBOURHOOD_PX = 31
_NOISE_FLOOR = 0.3  # grey levels of curvature below which nothing is told from noise
_LEAST_RESPONSE = 0.8
_STANDS_OUT = 2.0  # from the neighbourhood's response
_MOST_POINTS = 6000
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
    """The strongest thin-line points of a small picture (h, w, 3), at most 6000."""
    planes = _curvature(np.asarray(cv2.GaussianBlur(rgb, (0, 0), _SMOOTH_PX), dtype=np.uint8))
    red, green, blue = cv2.split(planes[0])
    response = np.asarray(cv2.max(cv2.max(red, green), blue), dtype=np.float32)
    usual = np.asarray(cv2.blur(response, (_NEIGHBOURHOOD_PX, _NEIGHBOURHOOD_PX)) + _NOISE_FLOOR)
    # most pictures have enough points that stand out; looking at all of the grain takes longest
    found = _crests(planes, response, np.maximum(_STANDS_OUT * usual, _LEAST_RESPONSE))
    if len(found[0]) < _MOST_POINTS:
        found = _crests(planes, response, np.full_like(usual, _LEAST_RESPONSE))
    xs, ys, nx, ny = found
    strength = np.minimum(response[ys, xs] / usual[ys, xs], _STRONGEST)
    if len(xs) > _MOST_POINTS:
        keep = np.argpartition(-strength, _MOST_POINTS)[:_MOST_POINTS]
        xs, ys, nx, ny, strength = xs[keep], ys[keep], nx[keep], ny[keep], strength[keep]
    return Ridges(
        np.stack([xs, ys], 1).astype(np.float64),
        np.stack([nx, ny], 1).astype(np.float64),
        strength.astype(np.float64),
    )


def _crests(
    planes: tuple[NDArray[np.float32], ...], response: NDArray[np.float32], least: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]]:
    """Columns and rows of points above ``least`` that no neighbour across the line exceeds; their normals."""
    by_channel, half_difference, mixed, mean = planes
    ys, xs = np.nonzero((response > least)[3:-3, 3:-3])
    ys, xs = ys + 3, xs + 3
    # the direction only where it matters, from the channel that shows the line best
    at = (ys, xs, by_channel[ys, xs].argmax(1))
    sign = np.sign(mean[at])
    angle = 0.5 * np.arctan2(sign * mixed[at], sign * half_difference[at])
    nx, ny = np.cos(angle), np.sin(angle)
    dx, dy = np.rint(nx).astype(np.intp), np.rint(ny).astype(np.intp)
    here = response[ys, xs]
    crest = (here >= response[ys + dy, xs + dx]) & (here >= response[ys - dy, xs - dx])
    return xs[crest], ys[crest], nx[crest], ny[crest]


def _curvature(channels: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
    """Line response, half the difference of second derivatives, the mixed one and the mean, of each channel.

    All channels (h, w, 3) at once: OpenCV filters interleaved channels as fast as one.
    """
    second, first, none = (np.array(taps, np.float32) for taps in ([1, -2, 1], [-0.5, 0, 0.5], [1]))
    xx = cv2.sepFilter2D(channels, cv2.CV_32F, second, none)
    yy = cv2.sepFilter2D(channels, cv2.CV_32F, none, second)
    mixed = cv2.sepFilter2D(channels, cv2.CV_32F, first, first)
    mean = cv2.addWeighted(xx, 0.5, yy, 0.5, 0.0)
    half_difference = cv2.addWeighted(xx, 0.5, yy, -0.5, 0.0)
    # not cv2.magnitude: its last bit depends on where the array lies in memory, and ties are many here
    spread = np.sqrt(np.square(half_difference) + np.square(mixed))
    # |larger| - |smaller| principal curvature: a line has one, a blob two
    response = cv2.min(np.abs(mean) * 2.0, spread * 2.0)
    return np.asarray(response), np.asarray(half_difference), np.asarray(mixed), np.asarray(mean)

"""The unknowns of a board's rings in a picture, and what each pixel says of them.

The 15 unknowns, each scaled to about 1: lean (2), shift as shares of the distance (3), log f, k1, principal
point / f (2), log radii of the inner rings (2), inner rings' centres as shares of the 5 line's radius (4).

A pixel's ray meets the board at ``X = λ b - Rᵀt`` with ``b = Rᵀ ray`` and λ such that z is 0. Every
derivative of its distance from a ring's centre follows from one vector: ``G``, the distance's gradient by the
ray.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Array, Camera, View

UNKNOWNS = 15
_LENS = slice(7, 9)
_LOG_RADII = slice(9, 11)
_CENTRES = slice(11, 15)


@dataclass(frozen=True)
class RingModel:
    """Where the unknowns are counted from: a pose with its camera, and the 5 line's radius, the scale."""

    base: View
    r5_mm: float

    def unknowns(self, camera: Camera, radii_mm: Array, centres_mm: Array) -> Array:
        """The unknowns (15,) at the base's pose, of another camera, radii (3,) and centres (3, 2)."""
        p = np.zeros(UNKNOWNS)
        base = self.base.camera
        p[5] = np.log(camera.f_px / base.f_px)
        p[6] = camera.k1
        p[7:9] = (camera.cx_px - base.cx_px) / base.f_px, (camera.cy_px - base.cy_px) / base.f_px
        p[_LOG_RADII] = np.log(radii_mm[:2] / self.r5_mm)
        p[_CENTRES] = centres_mm[:2].ravel() / self.r5_mm
        return p

    def unpack(self, p: Array) -> tuple[View, Array, Array]:
        """View, radii (3,) and centres (3, 2) in mm."""
        base = self.base
        f0 = base.camera.f_px
        camera = Camera(
            f0 * math.exp(p[5]),
            base.camera.cx_px + float(p[7]) * f0,
            base.camera.cy_px + float(p[8]) * f0,
            float(p[6]),
        )
        rotation = base.rotation @ cv2.Rodrigues(np.array([p[0], p[1], 0.0]))[0]
        translation = base.translation_mm + p[2:5] * base.translation_mm[2]
        radii = np.array([*(np.exp(p[_LOG_RADII]) * self.r5_mm), self.r5_mm])
        centres = np.concatenate([p[_CENTRES].reshape(2, 2) * self.r5_mm, np.zeros((1, 2))])
        return View(camera, rotation, translation), radii, centres

    def residual_mm(self, p: Array, ring: np.ndarray, xy_px: Array) -> Array:
        """Distance of pixels (n, 2) from their rings (n,) on the board, positive outward; NaN off it."""
        view, radii, centres = self.unpack(p)
        offset = view.mm_from_px(xy_px) - centres[ring]
        return np.asarray(np.sqrt(np.square(offset).sum(1)) - radii[ring])

    def linearised(self, p: Array, ring: np.ndarray, xy_px: Array) -> tuple[Array, Array]:
        """``residual_mm`` (n,) and its derivatives by the unknowns (n, 15); NaN both off the board."""
        view, radii, centres = self.unpack(p)
        rotation, camera = view.rotation, view.camera
        away, e, r = _distorted(camera, xy_px)
        ratio = np.where(away > 1e-12, r / np.maximum(away, 1e-12), 1.0)
        stretch = _stretch(camera, r)
        # the ray in the board's frame, and where it meets the board
        ray = np.empty((len(r), 3))
        ray[:, :2], ray[:, 2] = e * r[:, None], 1.0
        b = ray @ rotation
        from_eye = view.translation_mm @ rotation
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = from_eye[2] / b[:, 2]
        scale = np.where((b[:, 2] < -1e-9) & (scale > 0), scale, np.nan)
        at = scale[:, None] * b[:, :2] - from_eye[:2]
        offset = at - centres[ring]
        distance = np.sqrt(np.square(offset).sum(1))
        q = offset / np.maximum(distance, 1e-9)[:, None]
        slant = (q * b[:, :2]).sum(1) / b[:, 2]
        gradient = (q @ rotation[:, :2].T - slant[:, None] * rotation[:, 2]) * scale[:, None]

        columns = np.empty((len(r), UNKNOWNS))
        spins = np.stack([slant * at[:, 1], -slant * at[:, 0], q[:, 0] * at[:, 1] - q[:, 1] * at[:, 0]], 1)
        columns[:, :2] = spins @ _right_jacobian(p[0], p[1])[:, :2]
        columns[:, 2:5] = gradient * (-self.base.translation_mm[2] / scale)[:, None]
        outward = (gradient[:, :2] * e).sum(1)
        columns[:, 5] = -outward * stretch * away
        columns[:, 6] = -outward * stretch * r**3
        by_ray = gradient[:, :2] * ratio[:, None] + (outward * (stretch - ratio))[:, None] * e
        columns[:, _LENS] = by_ray * (-self.base.camera.f_px / camera.f_px)
        columns[:, 9:] = 0.0
        for k in (0, 1):
            mine = ring == k
            columns[mine, 9 + k] = -radii[k]
            columns[mine, 11 + 2 * k : 13 + 2 * k] = q[mine] * -self.r5_mm
        return distance - radii[ring], columns

    def mm_per_px(self, columns: Array) -> Array:
        """Gradient (n, 2) of a pixel's distance from the centre by its place, from ``linearised``.

        A line's points lie anywhere along it, so ``1 / |gradient|`` is how many pixels one radial millimetre
        is across the line's picture.
        """
        return np.asarray(columns[:, _LENS] / -self.base.camera.f_px)


def _distorted(camera: Camera, xy_px: Array) -> tuple[Array, Array, Array]:
    """Distorted radius (n,), unit direction (n, 2) and undistorted radius (n,) of pixels, normalised."""
    d = (xy_px - np.array([camera.cx_px, camera.cy_px])) / camera.f_px
    away = np.sqrt(np.square(d).sum(1))
    return away, d / np.maximum(away, 1e-12)[:, None], camera.undistorted_radius(away)


def _stretch(camera: Camera, r: Array) -> Array:
    """Derivative (n,) of the undistorted radius by the distorted one; 0 where the lens has folded over."""
    slope = 1.0 + 3.0 * camera.k1 * r * r
    return np.where(slope > 2.5e-3, 1.0 / np.maximum(slope, 2.5e-3), 0.0)


def _right_jacobian(a: float, b: float) -> Array:
    """How the rotation ``exp([a, b, 0])`` turns, seen from its own frame, as a and b grow (Rodrigues)."""
    turn = math.hypot(a, b)
    cross = np.array([[0.0, 0.0, b], [0.0, 0.0, -a], [-b, a, 0.0]])
    if turn < 1e-6:
        return np.asarray(np.eye(3) - 0.5 * cross)
    first, second = (1 - math.cos(turn)) / turn**2, (turn - math.sin(turn)) / turn**3
    return np.asarray(np.eye(3) - first * cross + second * cross @ cross)

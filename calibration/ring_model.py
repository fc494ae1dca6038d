"""The unknowns of a board's rings in a picture, and what each pixel says of them.

The 15 unknowns, each scaled to about 1: lean (2), shift as shares of the distance (3), log f, k1, principal
point / f (2), log radii of the inner rings (2), inner rings' centres as shares of the 5 line's radius (4).

A pixel's ray meets the board at ``X = λ b - Rᵀt`` with ``b = Rᵀ ray`` and λ such that z is 0. Every
derivative of its distance from a ring's centre follows from one vector: ``G``, the distance's gradient by the
ray. All of it is kept one row a quantity, which is several times faster for some hundred points than one row
a point.
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
_INNER = np.arange(2)[:, None]  # rings


@dataclass(frozen=True)
class RingModel:
    """Where the unknowns are counted from: a pose with its camera, and the 5 line's radius, the scale."""

    base: View
    r5_mm: float

    def unknowns(self, camera: Camera, radii_mm: Array, centres_mm: Array) -> Array:
        """The unknowns (15,) at the base's pose, of another camera, radii (3,) and centres (3, 2)."""
        p = np.zeros(UNKNOWNS)
        base = self.base.camera
        p[5] = math.log(camera.f_px / base.f_px)
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
        radii = np.array([math.exp(p[9]) * self.r5_mm, math.exp(p[10]) * self.r5_mm, self.r5_mm])
        centres = np.zeros((3, 2))
        centres[:2] = p[_CENTRES].reshape(2, 2) * self.r5_mm
        return View(camera, rotation, translation), radii, centres

    def linearised(self, p: Array, ring: np.ndarray, xy_px: Array) -> tuple[Array, Array]:
        """Distance (n,) of pixels (n, 2) from their rings (n,) on the board, positive outward, in mm.

        With it its derivatives by the unknowns, (15, n); both are NaN where a pixel does not show the board.
        """
        view, radii, centres = self.unpack(p)
        rotation, camera, base = view.rotation, view.camera, self.base
        dx = (xy_px[:, 0] - camera.cx_px) / camera.f_px
        dy = (xy_px[:, 1] - camera.cy_px) / camera.f_px
        away = np.maximum(np.sqrt(dx * dx + dy * dy), 1e-12)
        r = camera.undistorted_radius(away)
        ratio = r / away
        ex, ey = dx / away, dy / away
        stretch = _stretch(camera, r)
        # the ray in the board's frame, and where it meets the board: one that looks up misses it
        rays = np.empty((3, len(r)))
        np.multiply(dx, ratio, out=rays[0])
        np.multiply(dy, ratio, out=rays[1])
        rays[2] = 1.0
        bx, by, bz = rotation.T @ rays
        from_eye = view.translation_mm @ rotation
        down = bz < -1e-9 if from_eye[2] < 0 else np.zeros(len(r), dtype=bool)
        scale = from_eye[2] / np.where(down, bz, np.nan)
        at_x, at_y = scale * bx - from_eye[0], scale * by - from_eye[1]
        centre_x, centre_y = np.take(centres, ring, axis=0).T
        off_x, off_y = at_x - centre_x, at_y - centre_y
        distance = np.sqrt(off_x * off_x + off_y * off_y)
        per_distance = 1.0 / np.maximum(distance, 1e-9)
        pull = np.empty((3, len(r)))
        qx = np.multiply(off_x, per_distance, out=pull[0])
        qy = np.multiply(off_y, per_distance, out=pull[1])
        slant = (qx * bx + qy * by) / bz
        np.negative(slant, out=pull[2])
        shifts = rotation @ pull
        gx, gy = shifts[0] * scale, shifts[1] * scale

        columns = np.empty((UNKNOWNS, len(r)))
        spins = np.stack([slant * at_y, slant * -at_x, qx * at_y - qy * at_x])
        np.matmul(_right_jacobian(p[0], p[1])[:, :2].T, spins, out=columns[:2])
        np.multiply(shifts, -base.translation_mm[2], out=columns[2:5])
        outward = gx * ex + gy * ey
        bending = outward * stretch
        columns[5] = bending * -away
        columns[6] = bending * (r * r * -r)
        bent = bending - outward * ratio
        lens = -base.camera.f_px / camera.f_px
        columns[7] = (gx * ratio + bent * ex) * lens
        columns[8] = (gy * ratio + bent * ey) * lens
        inner = ring == _INNER
        np.multiply(inner, -radii[:2, None], out=columns[_LOG_RADII])
        columns[_CENTRES] = (inner[:, None] * (pull[:2] * -self.r5_mm)).reshape(4, -1)
        return distance - np.take(radii, ring), columns

    def distances_mm(self, p: Array, ring: np.ndarray, xy_px: Array) -> Array:
        """The distances (n,) of ``linearised`` alone, for a third of its time."""
        view, radii, centres = self.unpack(p)
        off = view.mm_from_px(xy_px) - centres[ring]
        return np.asarray(np.hypot(off[:, 0], off[:, 1]) - radii[ring])

    def mm_per_px(self, columns: Array) -> Array:
        """Gradient (2, n) of a pixel's distance from the centre by its place, from ``linearised``.

        A line's points lie anywhere along it, so ``1 / |gradient|`` is how many pixels one radial millimetre
        is across the line's picture.
        """
        return np.asarray(columns[_LENS] / -self.base.camera.f_px)


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

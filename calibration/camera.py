"""The camera, and the view: how board millimetres become pixels and back.

Pinhole with one radial term, OpenCV's convention: with normalised ``x = X/Z``, ``x_d = x (1 + k1 r²)`` and
``u = f x_d + cx``; pixel centres are whole numbers. The board frame is in ``docs/decisions/001-frames.md``;
``p_cam = R p_board + t``. As the board's z points towards the camera, R turns z away from the optical axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Of ``k1 r²``: a lens that bends so little is straightened in two steps.
_SLIGHT = 0.05


@dataclass(frozen=True, slots=True)
class Camera:
    """Focal length and principal point in pixels; ``k1`` is dimensionless."""

    f_px: float
    cx_px: float
    cy_px: float
    k1: float = 0.0

    def distort(self, xy: Array) -> Array:
        """Pixels of normalised undistorted coordinates; shape (..., 2) to (..., 2)."""
        xy = np.asarray(xy)
        if self.k1 != 0.0:
            xy = xy * (1.0 + self.k1 * (np.square(xy[..., :1]) + np.square(xy[..., 1:])))
        return np.asarray(xy * self.f_px + np.array([self.cx_px, self.cy_px]))

    def undistort(self, xy_px: Array) -> Array:
        """Normalised undistorted coordinates of pixels; shape (..., 2) to (..., 2)."""
        d = (np.asarray(xy_px, dtype=np.float64) - np.array([self.cx_px, self.cy_px])) / self.f_px
        if self.k1 == 0.0:
            return np.asarray(d)
        # in the middle itself there is nothing to bend
        r_d = np.maximum(np.hypot(d[..., :1], d[..., 1:]), 1e-12)
        return np.asarray(d * (self.undistorted_radius(r_d) / r_d))

    def undistorted_radius(self, r_d: Array) -> Array:
        """The r of which ``r (1 + k1 r²)`` is ``r_d``, by Newton's method; any shape.

        Beyond the fold of a strong barrel lens (``r_d`` not reached by any r) the fold's radius is returned.
        """
        if self.k1 == 0.0:
            return r_d
        bend = self.k1 * np.square(r_d)
        if r_d.size and bend.min() > -_SLIGHT and bend.max() < _SLIGHT:
            # the first terms of the series in k1, from which two steps reach the last digit
            share = 1.0 - bend * (1.0 - bend * (3.0 - 12.0 * bend))
            for _ in range(2):
                square = bend * np.square(share)
                share = share - (share * (1.0 + square) - 1.0) / (1.0 + 3.0 * square)
            return np.asarray(share * r_d)
        limit = math.sqrt(-1.0 / (3.0 * self.k1)) * 0.999 if self.k1 < 0 else math.inf
        # towards the root from one side all the way, so that 0 is never passed and the fold only where there
        # is no root
        r = np.minimum(r_d, limit)
        for _ in range(6):
            square = self.k1 * np.square(r)
            r = np.minimum(r - (r * (1.0 + square) - r_d) / (1.0 + 3.0 * square), limit)
        return np.asarray(r)


@dataclass(frozen=True)
class View:
    """One camera looking at one board: the map between board millimetres and pixels."""

    camera: Camera
    rotation: Array
    translation_mm: Array

    def px_from_mm(self, xyz_mm: Array) -> Array:
        """Pixels of board points; shape (..., 3) or (..., 2) with z = 0, to (..., 2)."""
        p = np.asarray(xyz_mm, dtype=np.float64)
        cam = p[..., :2] @ self.rotation[:, :2].T + self.translation_mm
        if p.shape[-1] == 3:
            cam = cam + p[..., 2:3] * self.rotation[:, 2]
        return self.camera.distort(cam[..., :2] / np.maximum(cam[..., 2:3], 1e-6))

    def mm_from_px(self, xy_px: Array, z_mm: float = 0.0) -> Array:
        """Where the ray of a pixel meets the plane at height ``z_mm``; shape (..., 2) to (..., 2).

        A ray that misses the plane (above the horizon) gives NaN.
        """
        rays = self.camera.undistort(xy_px) @ self.rotation[:2] + self.rotation[2]
        eye = self.eye_mm
        drop = rays[..., 2:3]
        scale = (z_mm - eye[2]) / np.where((drop < -1e-9) & (eye[2] > z_mm), drop, np.nan)
        return np.asarray(eye[:2] + scale * rays[..., :2])

    @property
    def eye_mm(self) -> Array:
        """The camera's centre in the board frame; shape (3,)."""
        return np.asarray(-self.rotation.T @ self.translation_mm)

    @property
    def tilt_deg(self) -> float:
        """Angle between the optical axis and the board's normal."""
        return math.degrees(math.acos(min(1.0, abs(float(self.rotation[2, 2])))))

    def px_per_mm(self, xyz_mm: Array) -> Array:
        """Jacobian of the picture by board x and y; shape (..., 3 or 2) to (..., 2, 2), in px/mm."""
        p = np.asarray(xyz_mm, dtype=np.float64)
        cam = p[..., :2] @ self.rotation[:, :2].T + self.translation_mm
        if p.shape[-1] == 3:
            cam = cam + p[..., 2:3] * self.rotation[:, 2]
        depth = np.maximum(cam[..., 2], 1e-6)[..., None, None]
        xy = cam[..., :2, None] / depth
        rays = (self.rotation[:2, :2] - xy * self.rotation[2, :2]) / depth
        k1 = self.camera.k1
        r2 = np.square(xy).sum(-2, keepdims=True)
        along = (xy * rays).sum(-2, keepdims=True)
        return np.asarray(self.camera.f_px * ((1.0 + k1 * r2) * rays + 2.0 * k1 * xy * along))

    def scale_px_per_mm(self, height_mm: float = 0.0) -> float:
        """Pixels a millimetre at the board's centre, at a height: the square root of the area's scale."""
        jacobian = self.px_per_mm(np.array([0.0, 0.0, height_mm]))
        return float(np.sqrt(np.abs(np.linalg.det(jacobian))))

    def turned(self, angle_rad: float) -> View:
        """The same view with the board frame turned about its normal: a point at ``angle_rad`` comes to 0."""
        c, s = math.cos(angle_rad), math.sin(angle_rad)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return View(self.camera, self.rotation @ turn, self.translation_mm)

"""The camera's geometry: where it stands, and where points of the board frame fall in the picture."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import Camera

Floats = NDArray[np.float64]
DIAGONAL_35MM = 43.2666


def axes(tilt_deg: float, azimuth_deg: float, roll_deg: float) -> Floats:
    """Rotation from the board frame to the camera frame, for a camera standing at ``azimuth_deg``.

    ``tilt_deg`` is the angle between the optical axis and the board's normal. With no roll the side of the
    board nearest the camera is at the bottom of the picture.
    """
    tilt, azimuth, roll = (math.radians(a) for a in (tilt_deg, azimuth_deg, roll_deg))
    out = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    forward = -math.sin(tilt) * out + np.array([0.0, 0.0, -math.cos(tilt)])
    down = math.cos(tilt) * out + np.array([0.0, 0.0, -math.sin(tilt)])
    right = np.cross(down, forward)
    turned_right = math.cos(roll) * right + math.sin(roll) * down
    turned_down = math.cos(roll) * down - math.sin(roll) * right
    return np.stack([turned_right, turned_down, forward])


def as_rows(rotation: Floats) -> tuple[tuple[float, float, float], ...]:
    """A rotation as the plain rows a description holds."""
    return tuple((float(r[0]), float(r[1]), float(r[2])) for r in rotation)


def rotation_of(camera: Camera) -> Floats:
    """Rotation as a 3 x 3 array."""
    return np.array(camera.rotation, dtype=np.float64)


def translation_of(camera: Camera) -> Floats:
    """Translation t (mm) of ``p_camera = R p_board + t``."""
    return -rotation_of(camera) @ np.array(camera.position_mm, dtype=np.float64)


def intrinsics_of(camera: Camera) -> Floats:
    """The 3 x 3 matrix K in pixels."""
    cx, cy = camera.centre_px
    return np.array([[camera.focal_px, 0.0, cx], [0.0, camera.focal_px, cy], [0.0, 0.0, 1.0]])


def project(camera: Camera, points_mm: Floats) -> Floats:
    """Pixels (n x 2) of points (n x 3) of the board frame, with lens distortion; NaN behind the camera."""
    seen = np.atleast_2d(points_mm) @ rotation_of(camera).T + translation_of(camera)
    depth = np.where(seen[:, 2:3] > 1.0, seen[:, 2:3], np.nan)
    flat = seen[:, :2] / depth
    warped = flat * (1.0 + camera.dist_k1 * np.sum(flat**2, axis=1, keepdims=True))
    return np.asarray(warped * camera.focal_px + np.array(camera.centre_px))


def undistort_radius(radius: Floats, k1: float) -> Floats:
    """Solve r (1 + k1 r^2) = ``radius`` for r by Newton's method."""
    r = radius.copy()
    for _ in range(12):
        r = r - (r * (1 + k1 * r**2) - radius) / (1 + 3 * k1 * r**2)
    return r


def back_to_plane(camera: Camera, pixels: Floats, z_mm: float) -> Floats:
    """Points (n x 3, board frame) where the sight lines of pixels (n x 2) meet the plane at ``z_mm``."""
    warped = (np.atleast_2d(pixels) - np.array(camera.centre_px)) / camera.focal_px
    far = np.linalg.norm(warped, axis=1)
    scale = undistort_radius(far, camera.dist_k1) / np.maximum(far, 1e-12)
    flat = warped * np.where(far > 1e-12, scale, 1.0)[:, None]
    rays = np.hstack([flat, np.ones((len(flat), 1))]) @ rotation_of(camera)
    eye = np.array(camera.position_mm)
    return np.asarray(eye + rays * ((z_mm - eye[2]) / rays[:, 2])[:, None])


def inside(camera: Camera, pixels: Floats, margin_px: float = 0.0) -> NDArray[np.bool_]:
    """Which pixels (n x 2) lie in the picture."""
    x, y = pixels[:, 0], pixels[:, 1]
    across = (x >= margin_px - 0.5) & (x <= camera.width_px - 0.5 - margin_px)
    return np.asarray(across & (y >= margin_px - 0.5) & (y <= camera.height_px - 0.5 - margin_px))

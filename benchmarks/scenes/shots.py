"""Cameras that look at a board: a phone held by hand (whole photos and crops), and a webcam on an arm."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from benchmarks.scenes.describe import Camera, Equipment
from benchmarks.scenes.optics import DIAGONAL_35MM, as_rows, axes, back_to_plane, project

Rng = np.random.Generator


def frame_outline(equipment: Equipment) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Points (n x 3, mm) along the frame's outer top edge."""
    turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    radius = np.full_like(turn, equipment.frame_outer_mm)
    if equipment.frame_sides == 8:
        radius = radius / np.cos((turn + np.pi / 8) % (np.pi / 4) - np.pi / 8)
    height = np.full_like(turn, equipment.frame_top_mm)
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), height], axis=1)


def aimed(equipment: Equipment, camera: Camera, fill: float, aim_px: tuple[float, float]) -> Camera:
    """Move the camera along and across until the board spans ``fill`` of the picture around ``aim_px``."""
    points = frame_outline(equipment)
    forward = np.array(camera.rotation[2])
    target, low, high = np.zeros(3), 300.0, 9000.0
    for _ in range(60):
        far = math.sqrt(low * high)
        at = target - forward * far
        camera = replace(camera, position_mm=(float(at[0]), float(at[1]), float(at[2])))
        spots = project(camera, points)
        if np.isnan(spots).any():
            low = far
            continue
        top, bottom = spots.min(axis=0), spots.max(axis=0)
        span = max((bottom[0] - top[0]) / camera.width_px, (bottom[1] - top[1]) / camera.height_px)
        low, high = (far * 0.97, high) if span > fill else (low, far * 1.03)
        middle = (top + bottom) / 2
        ends = back_to_plane(camera, np.stack([middle, np.array(aim_px)]), 0.0)
        target = target + 0.7 * (ends[0] - ends[1])
    return camera


def phone(
    rng: Rng, equipment: Equipment, size: tuple[int, int], tilt_deg: float, fill: float, crop: float = 1.0
) -> Camera:
    """A phone's main camera; ``crop`` below 1 keeps that share of the photo's diagonal, off its middle."""
    width, height = size
    equivalent = float(rng.uniform(23.5, 27.0))
    full = math.hypot(width, height) / crop
    focal = equivalent / DIAGONAL_35MM * full
    slack = (1 / crop - 1) / 2
    middle = tuple((n - 1) / 2 + n * slack * float(rng.uniform(-0.9, 0.9)) for n in size)
    roll = float(rng.normal(0, 5)) if rng.uniform() < 0.6 else float(rng.uniform(0, 360))
    azimuth = float(rng.uniform(0, 360))
    k1 = float(rng.normal(0, 0.006))
    rotation = as_rows(axes(tilt_deg, azimuth, roll))
    camera = Camera(
        width,
        height,
        focal,
        (middle[0], middle[1]),
        rotation,
        (0.0, 0.0, 900.0),
        k1,
        tilt_deg,
        azimuth,
        roll,
        equivalent if rng.uniform() < 0.7 else None,
    )
    room = 0.5 * max(0.0, 1 - fill)
    aim = (
        (width - 1) / 2 + width * room * float(rng.uniform(-0.6, 0.6)),
        (height - 1) / 2 + height * room * float(rng.uniform(-0.6, 0.6)),
    )
    return aimed(equipment, camera, fill, aim)


def webcam(
    rng: Rng, equipment: Equipment, tilt_deg: float, fill: float, size: tuple[int, int] = (1920, 1080)
) -> Camera:
    """A webcam with barrel distortion."""
    width, height = size
    field = math.radians(float(rng.uniform(58, 76)))
    k1 = float(rng.uniform(-0.3, -0.1))
    # barrel distortion folds beyond 2 / 3 / sqrt(3 |k1|): the picture's corner stays well inside
    widest = 0.9 * 2 / 3 / math.sqrt(-3 * k1)
    focal = max(width / 2 / math.tan(field / 2), math.hypot(width, height) / 2 / widest)
    middle = ((width - 1) / 2 + float(rng.normal(0, 8)), (height - 1) / 2 + float(rng.normal(0, 8)))
    azimuth, roll = float(rng.uniform(0, 360)), float(rng.normal(0, 3))
    rotation = as_rows(axes(tilt_deg, azimuth, roll))
    camera = Camera(
        width,
        height,
        focal,
        middle,
        rotation,
        (0.0, 0.0, 900.0),
        k1,
        tilt_deg,
        azimuth,
        roll,
    )
    return aimed(equipment, camera, fill, ((width - 1) / 2, (height - 1) / 2))

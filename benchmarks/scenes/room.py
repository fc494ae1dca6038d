"""The light around the board, as a latitude-longitude picture of distant radiance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import Light

Image = NDArray[np.float32]


def environment(light: Light, width: int = 1024) -> Image:
    """Radiance by direction (height x width x 3): column = azimuth 0..360, row 0 = straight up."""
    height = width // 2
    azimuth = (np.arange(width, dtype=np.float32) + 0.5) / width * 360
    elevation = 90 - (np.arange(height, dtype=np.float32) + 0.5) / height * 180
    a, e = np.meshgrid(azimuth, elevation)
    rise = np.clip((e - 15) / 40, 0, 1)
    value = np.where(e > 0, light.walls + (light.ceiling - light.walls) * rise, light.floor)
    value = value * (1 + 0.12 * np.sin(np.radians(a * 2 + 40)) * np.cos(np.radians(e)))
    tint = np.array([1 + 0.16 * light.warmth, 1.0, 1 - 0.28 * light.warmth], dtype=np.float32)
    out = value[..., None].astype(np.float32) * tint
    day = np.array([0.97, 1.0, 1.06], dtype=np.float32)
    for az, el, wide, tall, power in light.windows:
        off = np.abs((a - az + 180) % 360 - 180)
        pane = (off < wide) & (np.abs(e - el) < tall)
        bars = (np.abs(off) < 0.05 * wide) | (np.abs(e - el) < 0.06 * tall)
        out[pane & ~bars] = power * day
    for az, el, radius, power in light.lamps:
        cosine = np.sin(np.radians(e)) * np.sin(np.radians(el)) + np.cos(np.radians(e)) * np.cos(
            np.radians(el)
        ) * np.cos(np.radians(a - az))
        out[cosine > np.cos(np.radians(radius))] = power * tint
    return out


def white_level(light: Light) -> float:
    """Radiance of a white matt board lying in the open under this light."""
    sky = environment(light).max(axis=2)
    rise = np.radians(90 - (np.arange(len(sky)) + 0.5) / len(sky) * 180)
    weight = np.clip(np.sin(rise), 0, None) * np.cos(rise)
    level = float((sky.mean(axis=1) * weight).sum() / weight.sum())
    if light.near_lamp is not None:
        x, y, z, half, power = light.near_lamp
        far = x * x + y * y + z * z
        level += power * (2 * half) ** 2 * z * z / far**2 / np.pi
    return level

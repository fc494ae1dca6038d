"""From radiance to the picture file: exposure, noise, tone curve, sharpening, JPEG and its EXIF."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures

from benchmarks.scenes.describe import Scene
from benchmarks.scenes.room import white_level
from benchmarks.scenes.wood import encode

Floats = NDArray[np.float32]


def expose(radiance: Floats, scene: Scene) -> NDArray[np.uint8]:
    """The 8-bit sRGB picture a camera makes of the radiance."""
    sensor, camera = scene.sensor, scene.camera
    rng = np.random.default_rng([scene.seed, 11])
    height, width = radiance.shape[:2]
    cx, cy = camera.centre_px
    x = (np.arange(width, dtype=np.float32) - cx) / (0.5 * np.hypot(width, height))
    y = (np.arange(height, dtype=np.float32) - cy) / (0.5 * np.hypot(width, height))
    fall = 1 - sensor.vignetting * np.clip(x[None, :] ** 2 + y[:, None] ** 2, 0, 1.5)
    light = radiance * fall[..., None] * np.array(sensor.cast, dtype=np.float32)
    bright = light[::7, ::7].max(axis=2)
    # a camera neither lets much of the picture burn out nor shows a dark board on dark cloth as grey
    level = max(
        float(np.percentile(bright, 96)),
        2.2 * float(np.percentile(bright, 60)),
        0.6 * white_level(scene.light),
    )
    light = light * np.float32(0.98 * 2**sensor.exposure_ev / level)
    spread = np.sqrt(sensor.read_noise**2 + sensor.shot_noise**2 * np.clip(light, 0, None) / 0.2)
    light = light + spread * rng.standard_normal(light.shape, dtype=np.float32)
    light = np.where(light > 0.8, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2), light).astype(np.float32)
    tone = encode(light)
    if sensor.contrast:
        tone = tone + np.float32(sensor.contrast) * tone * (1 - tone) * (2 * tone - 1)
    if sensor.sharpen:
        soft = cv2.GaussianBlur(tone, (0, 0), 1.1)
        tone = tone + np.float32(sensor.sharpen) * (tone - soft)
    return np.asarray(np.clip(tone * 255 + 0.5, 0, 255), dtype=np.uint8)


def write(picture: NDArray[np.uint8], scene: Scene, path: Path) -> None:
    """Write a JPEG with the sensor's quality, and the focal length where the scene has one."""
    exif = Pictures.Exif()
    if scene.camera.focal_35mm is not None:
        exif[0x010F] = "Crokinole scenes"
        details = exif.get_ifd(0x8769)
        details[0xA405] = round(scene.camera.focal_35mm)
        details[0x920A] = scene.camera.focal_35mm / 3.8
    quality, sampling = scene.sensor.jpeg_quality, scene.sensor.subsampling
    Pictures.fromarray(picture).save(path, "JPEG", quality=quality, subsampling=sampling, exif=exif)

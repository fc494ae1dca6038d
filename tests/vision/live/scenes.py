"""Frames of a fixed camera, made from a sample photo: with an arm, knocked, darker, with a disc pushed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.eye import Eye, Glance
from vision.live.frames import Frame
from vision.picture import load_picture

RGB = NDArray[np.uint8]
SAMPLES = Path(__file__).parents[3] / "sample_images"
FRAMES_PER_S = 10.0


@cache
def table(name: str = "kitchen-table", width_px: int = 800) -> RGB:
    rgb = load_picture(SAMPLES / f"{name}.jpg").rgb
    height_px = round(rgb.shape[0] * width_px / rgb.shape[1])
    return np.asarray(cv2.resize(rgb, (width_px, height_px), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def seen(rgb: RGB, seed: int, gain: float = 1.0) -> RGB:
    """The picture with a camera's grain, other in each frame, and its exposure."""
    exposed = cv2.convertScaleAbs(rgb, alpha=gain)
    return np.asarray(cv2.add(exposed, _grain(seed % 8, rgb.shape), dtype=cv2.CV_8U), dtype=np.uint8)


@cache
def _grain(seed: int, shape: tuple[int, ...]) -> NDArray[np.int16]:
    return np.random.default_rng(seed).normal(0.0, 3.0, shape).round().astype(np.int16)


def frames(rgb: RGB, n: int, gain: float = 1.0) -> list[RGB]:
    return [seen(rgb, seed, gain) for seed in range(n)]


def shifted(rgb: RGB, x_px: float, y_px: float) -> RGB:
    """As a knocked camera sees it."""
    move = np.array([[1, 0, x_px], [0, 1, y_px]], np.float32)
    size = (rgb.shape[1], rgb.shape[0])
    return np.asarray(cv2.warpAffine(rgb, move, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def with_arm(rgb: RGB) -> RGB:
    """A forearm from the corner to the middle of the board."""
    height, width = rgb.shape[:2]
    reached = (int(0.45 * width), int(0.42 * height))
    drawn = cv2.line(rgb.copy(), (int(0.02 * width), 0), reached, (205, 160, 130), int(0.075 * width))
    return np.asarray(drawn, dtype=np.uint8)


def with_shadow(rgb: RGB) -> RGB:
    """A soft shadow over half of the board, as of somebody who leans over it."""
    width = rgb.shape[1]
    dark = np.clip((np.arange(width) - 0.35 * width) / (0.1 * width), 0.0, 1.0)
    return (rgb * (0.6 + 0.4 * dark)[None, :, None]).astype(np.uint8)


def with_disc_moved(rgb: RGB, by_px: int, at: tuple[int, int] = (330, 313)) -> RGB:
    """A patch with a disc in it lies elsewhere."""
    x, y = at
    moved = rgb.copy()
    moved[y - 22 : y + 22, x - 22 + by_px : x + 22 + by_px] = rgb[y - 22 : y + 22, x - 22 : x + 22]
    return moved


class Camera:
    """An eye, and the time that passes before it."""

    def __init__(self) -> None:
        self.eye = Eye()
        self.count = 0

    def show(self, pictures: list[RGB]) -> Glance:
        """The glance at the last of the pictures."""
        for rgb in pictures:
            self.count += 1
            glance = self.eye.see(Frame(rgb, self.count / FRAMES_PER_S, self.count))
        return glance

    def wait(self, seconds: float) -> None:
        """No frames for a while."""
        self.count += round(seconds * FRAMES_PER_S)

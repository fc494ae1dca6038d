"""Photos of the chart from cameras known exactly: every pixel is the mean of a small grid of rays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, View
from calibration.chart import HEIGHT_MM, WIDTH_MM, black_mm, corners_mm

TEXTURE_PX_PER_MM = 10  # every edge of the chart falls between two pixels
PAPER_MM = 20  # white around the chart
RAYS = 3  # a pixel, along each side
CHART_CENTRE_MM = np.array([WIDTH_MM / 2, HEIGHT_MM / 2, 0.0])


@cache
def paper() -> NDArray[np.uint8]:
    """The printed chart, ten pixels to the millimetre, from the same rectangles as the PDF."""
    size = [int((side + 2 * PAPER_MM) * TEXTURE_PX_PER_MM) for side in (HEIGHT_MM, WIDTH_MM)]
    ink = np.full(size, 235, np.uint8)
    for x, y, w, h in np.rint((black_mm() + np.array([PAPER_MM, PAPER_MM, 0, 0])) * TEXTURE_PX_PER_MM).astype(
        int
    ):
        ink[y : y + h, x : x + w] = 25
    return ink


@dataclass(frozen=True)
class Pose:
    """Where the chart lies: lean about the picture's x and y, turn, and centre from the camera."""

    lean_x_deg: float
    lean_y_deg: float
    turn_deg: float
    centre_mm: tuple[float, float, float]

    def view(self, camera: Camera) -> View:
        """The map from the chart's own millimetres to pixels."""
        turns = ([self.lean_x_deg, 0, 0], [0, self.lean_y_deg, 0], [0, 0, self.turn_deg])
        rotation = np.eye(3)
        for turn in turns:
            rotation = rotation @ cv2.Rodrigues(np.radians(np.array(turn, dtype=np.float64)))[0]
        return View(camera, rotation, np.array(self.centre_mm) - rotation @ CHART_CENTRE_MM)


def seen_corners(view: View) -> NDArray[np.float64]:
    """Where each corner truly is in the picture; shape (48, 2)."""
    return view.px_from_mm(corners_mm())


def photograph(
    view: View,
    size_px: tuple[int, int],
    *,
    blur_px: float = 0.7,
    noise: float = 2.0,
    stretch: float = 1.0,
    seed: int = 0,
) -> NDArray[np.uint8]:
    """A picture (height, width, 3) of the chart on a table; ``stretch`` is a printer's, down the page."""
    width, height = size_px
    fine = (np.arange(RAYS) + 0.5) / RAYS - 0.5
    around = np.array([[-PAPER_MM, -PAPER_MM], [WIDTH_MM + PAPER_MM, -PAPER_MM]])
    around = np.concatenate([around, around + np.array([0, HEIGHT_MM + 2 * PAPER_MM])]) * [1, stretch]
    box = view.px_from_mm(around)
    low = np.clip(np.floor(box.min(0)) - 40, 0, [width - 1, height - 1]).astype(int)
    high = np.clip(np.ceil(box.max(0)) + 40, 1, [width, height]).astype(int)
    x = (np.arange(low[0], high[0])[:, None] + fine).ravel()
    y = (np.arange(low[1], high[1])[:, None] + fine).ravel()
    rays = view.camera.undistort(np.stack(np.meshgrid(x, y), -1).astype(np.float64))
    rotation, t = view.rotation, view.translation_mm
    # The plane's homography, inverted, takes rays to the chart's millimetres.
    plane = np.linalg.inv(np.column_stack([rotation[:, :2], t]))
    at = np.concatenate([rays, np.ones_like(rays[..., :1])], -1) @ plane.T
    at = (at[..., :2] / at[..., 2:] / [1, stretch] + PAPER_MM) * TEXTURE_PX_PER_MM - 0.5
    fine_picture = cv2.remap(
        paper(),
        at[..., 0].astype(np.float32),
        at[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=110,
    )
    rows, columns = (side // RAYS for side in fine_picture.shape)
    picture = np.full((height, width), 110.0)
    picture[low[1] : high[1], low[0] : high[0]] = fine_picture.reshape(rows, RAYS, columns, RAYS).mean((1, 3))
    picture = cv2.GaussianBlur(picture, (0, 0), blur_px) if blur_px else picture
    picture += np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.repeat(np.clip(np.rint(picture), 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def good_poses(camera: Camera, size_px: tuple[int, int], distance_mm: float = 520.0) -> list[Pose]:
    """Twelve photos as the chart asks for them: all over the frame, leant every way, some turned."""
    reach = np.array(size_px) / camera.f_px * distance_mm
    places = [(0, 0), (0.24, 0), (-0.24, 0), (0, 0.15), (0, -0.15), (0.3, 0.22), (-0.3, 0.22), (0.3, -0.22)]
    places += [(-0.3, -0.22), (0.1, 0.1), (-0.1, -0.1), (0.0, 0.0)]
    leans = [
        (0, 0),
        (0, 35),
        (0, -35),
        (35, 0),
        (-35, 0),
        (25, 25),
        (-25, 25),
        (25, -25),
        (-25, -25),
        (40, 0),
    ]
    leans += [(0, 40), (30, -20)]
    turns = [0, 90, 5, 90, -4, 0, 90, 180, 80, 90, 90, 12]
    return [
        Pose(*lean, turn, (place[0] * reach[0], place[1] * reach[1], distance_mm))
        for place, lean, turn in zip(places, leans, turns, strict=True)
    ]

"""Boards drawn exactly: every edge is where the view says, whatever the tilt and the lens.

Each pixel asks the view where it lies on the board. An edge is the zero of a distance in millimetres; divided
by its own gradient in the picture that is a distance in pixels, and the share of the pixel it covers follows
(a box of one pixel across the edge). So a line thinner than a pixel is as faint as it should be and stays
where it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Camera, View
from calibration.equipment import Board

Colour = tuple[int, int, int]

STANDARD_MM = Board().ring_radii_mm
WOOD, DITCH, FRAME, TABLE = (205, 165, 115), (70, 50, 35), (120, 80, 50), (150, 152, 155)
DARK_LINE, LIGHT_LINE, HOLE, DISC = (60, 40, 30), (235, 230, 215), (50, 35, 25), (35, 30, 30)
SQUARE = (640, 640)
_FLIP = np.diag([1.0, -1.0, -1.0])


@dataclass(frozen=True)
class Drawing:
    """What is painted on the board; lengths in mm, ``noise`` and ``grain`` in grey levels (one sigma)."""

    radii_mm: tuple[float, ...] = STANDARD_MM
    line_mm: float = 1.6
    line: Colour = DARK_LINE
    wood: Colour = WOOD
    hole_mm: float | None = 17.45
    quadrants: bool = True
    turn_deg: float = 0.0
    surface_mm: float | None = 330.2
    discs_mm: tuple[tuple[float, float], ...] = ()
    disc_mm: float = 15.9
    blur_px: float = 0.6
    noise: float = 1.5
    grain: float = 2.0
    seed: int = 7


def view_of(
    tilt_deg: float = 0.0,
    *,
    azimuth_deg: float = 0.0,
    roll_deg: float = 0.0,
    size_px: tuple[int, int] = SQUARE,
    f_px: float | None = None,
    k1: float = 0.0,
    seen_mm: float = 760.0,
    aim_mm: tuple[float, float] = (0.0, 0.0),
    principal_px: tuple[float, float] = (0.0, 0.0),
) -> View:
    """A camera that leans ``tilt_deg`` from straight above and sees ``seen_mm`` along its shorter side.

    ``aim_mm`` is the board point on its axis; ``principal_px`` the principal point off the picture's middle.
    """
    width, height = size_px
    f = 0.9 * max(size_px) if f_px is None else f_px
    camera = Camera(f, (width - 1) / 2 + principal_px[0], (height - 1) / 2 + principal_px[1], k1)
    lean = cv2.Rodrigues(np.array([-math.radians(tilt_deg), 0.0, 0.0]))[0]
    rotation = about_z(roll_deg) @ lean @ _FLIP @ about_z(azimuth_deg)
    away = np.array([0.0, 0.0, f * seen_mm / min(size_px)])
    return View(camera, rotation, away - rotation @ np.array([*aim_mm, 0.0]))


def about_z(degrees: float) -> np.ndarray:
    return np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, math.radians(degrees)]))[0])


def board_px(view: View, size_px: tuple[int, int], z_mm: float = 0.0) -> np.ndarray:
    """The board point that each pixel sees, (h, w, 2); far away where it sees none."""
    width, height = size_px
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).astype(float)
    return np.nan_to_num(view.mm_from_px(pixels, z_mm), nan=1e5)


def covered(distance: np.ndarray) -> np.ndarray:
    """The share of each pixel in which a distance is negative; (h, w, 1)."""
    across, down = np.gradient(distance)
    slope = np.maximum(np.hypot(across, down), 1e-9)
    return np.clip(0.5 - distance / slope, 0.0, 1.0)[..., None]


def band(distance: np.ndarray, width: float) -> np.ndarray:
    """The share of each pixel within half a width of a distance's zero; (h, w, 1)."""
    return covered(distance - width / 2) - covered(distance + width / 2)


def paint(picture: np.ndarray, share: np.ndarray, colour: Colour) -> np.ndarray:
    return picture * (1.0 - share) + share * np.array(colour, float)


def drawn(view: View, what: Drawing | None = None, size_px: tuple[int, int] = SQUARE) -> np.ndarray:
    """The picture, (h, w, 3) uint8."""
    what = what or Drawing()
    rng = np.random.default_rng(what.seed)
    xy = board_px(view, size_px)
    radius = np.hypot(xy[..., 0], xy[..., 1])
    picture = np.ones((*radius.shape, 3)) * np.array(TABLE, float)
    if what.surface_mm is not None:
        picture = paint(picture, covered(radius - what.surface_mm - 50), FRAME)
        picture = paint(picture, covered(radius - what.surface_mm - 30), DITCH)
        picture = paint(picture, covered(radius - what.surface_mm), what.wood)
    else:
        picture = picture * 0 + np.array(what.wood, float)
    picture += grain(xy, what.grain, rng) * covered(radius - (what.surface_mm or 2000.0))
    for ring_mm in what.radii_mm:
        picture = paint(picture, band(radius - ring_mm, what.line_mm), what.line)
    if what.quadrants:
        between = covered(what.radii_mm[1] - radius) * covered(radius - what.radii_mm[2])
        turned = xy @ about_z(what.turn_deg)[:2, :2]
        for axis in (0, 1):
            picture = paint(picture, band(turned[..., axis], what.line_mm) * between, what.line)
    if what.hole_mm is not None:
        picture = paint(picture, covered(radius - what.hole_mm), HOLE)
    for z_mm in (0.0, 5.0, 10.0) if what.discs_mm else ():
        at = board_px(view, size_px, z_mm)
        nearest = np.full(radius.shape, np.inf)
        for x_mm, y_mm in what.discs_mm:
            np.minimum(nearest, np.hypot(at[..., 0] - x_mm, at[..., 1] - y_mm), out=nearest)
        picture = paint(picture, covered(nearest - what.disc_mm), DISC)
    return photographed(picture, what.blur_px, what.noise, rng)


def grain(xy: np.ndarray, levels: float, rng: np.random.Generator) -> np.ndarray:
    """Streaks along the board's x axis, a few millimetres wide."""
    streaks = np.convolve(rng.normal(0, 1, 1024), np.ones(3) / math.sqrt(3), "same")
    return levels * np.interp(xy[..., 1] + 0.02 * xy[..., 0], np.arange(-768, 768, 1.5), streaks)[..., None]


def photographed(
    picture: np.ndarray, blur_px: float, noise: float, rng: np.random.Generator | None = None
) -> np.ndarray:
    """A picture with a lens' blur, of light as a lens blurs, and a sensor's noise, as whole grey levels."""
    rng = rng or np.random.default_rng(7)
    blurred = np.sqrt(cv2.GaussianBlur(np.square(picture), (0, 0), blur_px)) if blur_px > 0 else picture
    noisy = blurred + rng.normal(0.0, noise, picture.shape) if noise > 0 else blurred
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)

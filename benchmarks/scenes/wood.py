"""Procedural textures: figured wood of several kinds, tiles and cloth, as linear RGB images."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import Colour, Material

Image = NDArray[np.float32]
Rng = np.random.Generator

PALETTES: dict[str, tuple[Colour, Colour]] = {
    # (pale early wood, dark late wood), sRGB
    "maple": ((0.89, 0.77, 0.58), (0.79, 0.63, 0.42)),
    "birch": ((0.92, 0.83, 0.68), (0.82, 0.69, 0.50)),
    "pine": ((0.88, 0.71, 0.45), (0.72, 0.49, 0.24)),
    "oak": ((0.72, 0.56, 0.37), (0.50, 0.35, 0.20)),
    "cherry": ((0.74, 0.47, 0.27), (0.57, 0.31, 0.15)),
    "mahogany": ((0.55, 0.27, 0.15), (0.36, 0.14, 0.07)),
    "walnut": ((0.42, 0.28, 0.19), (0.24, 0.15, 0.10)),
    "grey": ((0.66, 0.62, 0.57), (0.49, 0.45, 0.41)),
    "ebony": ((0.19, 0.15, 0.13), (0.10, 0.08, 0.07)),
}


def linear(colour: Colour | Image) -> Image:
    """SRGB values in 0..1 to linear light."""
    c = np.asarray(colour, dtype=np.float32)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).astype(np.float32)


def encode(light: Image) -> Image:
    """Linear light to sRGB values in 0..1."""
    c = np.clip(light, 0.0, 1.0)
    return np.where(c <= 0.0031308, c * 12.92, 1.055 * np.power(c, 1 / 2.4) - 0.055).astype(np.float32)


def noise(rng: Rng, size: int, cells_x: float, cells_y: float) -> Image:
    """Smooth noise of unit variance, ``size`` square, with about so many cells across and down."""
    nx, ny = max(4, math.ceil(cells_x) + 3), max(4, math.ceil(cells_y) + 3)
    grid = rng.standard_normal((ny, nx)).astype(np.float32)
    x = np.linspace(1, 1 + cells_x, size, dtype=np.float32)
    y = np.linspace(1, 1 + cells_y, size, dtype=np.float32)
    rows = cv2.remap(
        grid, *np.meshgrid(x, np.arange(ny, dtype=np.float32)), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT
    )
    cols = cv2.remap(
        rows,
        *np.meshgrid(np.arange(size, dtype=np.float32), y),
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REFLECT,
    )
    return np.asarray(cols, dtype=np.float32)


def wood(rng: Rng, size: int, extent_mm: float, look: Material) -> Image:
    """A plank ``extent_mm`` square as linear RGB; the grain runs along ``angle_deg``.

    The pattern is made along x on a larger square and turned as a whole.
    """
    pale, dark = (linear(c) for c in PALETTES[look.palette])
    turned = look.angle_deg % 180 != 0
    big = int(size * 1.42) + 2 if turned else size
    mix = _figure(rng, big, extent_mm * big / size, look.grain)
    if turned:
        turn = cv2.getRotationMatrix2D((big / 2, big / 2), -look.angle_deg, 1.0)
        turn = turn - np.array([[0.0, 0.0, (big - size) / 2]] * 2)
        mix = np.asarray(
            cv2.warpAffine(mix, turn, (size, size), borderMode=cv2.BORDER_REFLECT), dtype=np.float32
        )
    return np.asarray(pale + (dark - pale) * mix[..., None], dtype=np.float32)


def _figure(rng: Rng, size: int, extent_mm: float, grain: str) -> Image:
    """How dark the wood is, 0 to about 1, with the grain along x."""
    k = extent_mm / 100.0
    s = np.linspace(-extent_mm / 2, extent_mm / 2, size, dtype=np.float32)
    along, across = s[None, :], s[:, None]
    slow = noise(rng, size, 0.25 * k, 0.8 * k)
    if grain == "straight":
        shift = rng.uniform(-1.5, 1.5) * extent_mm
        bow = 0.12 if rng.uniform() < 0.5 else 0.0
        arch = np.sqrt((across + 60) ** 2 + (bow * (along + shift)) ** 2)
        rings = np.asarray(
            arch + 8 * slow + 0.8 * noise(rng, size, 1.5 * k, 6 * k), dtype=np.float32
        ) / np.float32(rng.uniform(7, 15))
    elif grain == "curly":
        warp = 22 * noise(rng, size, 0.5 * k, 0.6 * k) + 4 * noise(rng, size, 1.6 * k, 2 * k)
        rings = (across + warp) / np.float32(rng.uniform(9, 16))
    else:
        warp = 55 * noise(rng, size, 0.6 * k, 0.6 * k) + 16 * noise(rng, size, 2.2 * k, 2.2 * k)
        rings = (0.5 * across + warp + 2 * noise(rng, size, 8 * k, 8 * k)) / np.float32(rng.uniform(10, 18))
    phase = rings - np.floor(rings)
    strength = np.clip(0.75 + 0.35 * noise(rng, size, 0.4 * k, 3 * k), 0.15, 1.3)
    band = phase**3 * (1 - np.clip((phase - 0.93) / 0.07, 0, 1)) * strength
    fine = min(extent_mm / 0.6, size / 1.6)
    fibre = 0.6 * noise(rng, size, extent_mm / 30, fine) + 0.6 * noise(rng, size, extent_mm / 60, fine / 4)
    figure = (
        0.10 * np.sin(along / 4.5 + 3 * slow) * noise(rng, size, k, k)
        if grain != "straight"
        else np.float32(0)
    )
    mix = 0.2 + 0.5 * band + 0.13 * fibre + figure + 0.08 * noise(rng, size, 0.5 * k, k)
    return np.asarray(np.clip(mix, 0, 1.2), dtype=np.float32)


def _tiles(rng: Rng, size: int, extent_mm: float, look: Material) -> Image:
    """Square floor tiles with pale joints, as linear RGB."""
    s = np.linspace(0, extent_mm, size, dtype=np.float32)
    x, y = np.meshgrid(s, s)
    pitch = rng.uniform(220, 420)
    joint = np.minimum(np.abs((x % pitch) - 3), np.abs((y % pitch) - 3)) < 3
    shade = rng.uniform(0.88, 1.05, (int(extent_mm / pitch) + 2,) * 2).astype(np.float32)
    tone = shade[(y // pitch).astype(int), (x // pitch).astype(int)]
    tone = tone * (1 + 0.06 * noise(rng, size, extent_mm / 60, extent_mm / 60))
    out = linear(look.colour) * tone[..., None]
    out[joint] = linear((0.75, 0.73, 0.70)) * 0.8
    return np.asarray(out, dtype=np.float32)


def _cloth(rng: Rng, size: int, extent_mm: float, look: Material) -> Image:
    """A woven cloth, as linear RGB."""
    s = np.linspace(0, extent_mm, size, dtype=np.float32)
    x, y = np.meshgrid(s, s)
    weave = np.sin(x * 2.1) * np.sin(y * 2.1)
    folds = noise(rng, size, extent_mm / 250, extent_mm / 250)
    tone = 1 + 0.05 * weave + 0.05 * folds + 0.04 * noise(rng, size, extent_mm / 3, extent_mm / 3)
    return np.asarray(linear(look.colour) * tone[..., None], dtype=np.float32)


def texture(rng: Rng, size: int, extent_mm: float, look: Material) -> Image:
    """The material's texture over a square of ``extent_mm``, linear RGB."""
    if look.kind == "wood":
        return wood(rng, size, extent_mm, look)
    if look.kind == "tiles":
        return _tiles(rng, size, extent_mm, look)
    if look.kind == "cloth":
        return _cloth(rng, size, extent_mm, look)
    mottle = 1 + 0.02 * noise(rng, size, extent_mm / 60, extent_mm / 60)
    mottle = mottle + 0.015 * rng.standard_normal((size, size)).astype(np.float32)
    return np.asarray(linear(look.colour) * mottle[..., None], dtype=np.float32)


def to_bytes(light: Image) -> NDArray[np.uint8]:
    """Linear RGB to 8-bit sRGB."""
    table = (encode(np.linspace(0, 1, 4096, dtype=np.float32)) * 255 + 0.5).astype(np.uint8)
    return np.asarray(table[(np.clip(light, 0, 1) * 4095 + 0.5).astype(np.uint16)], dtype=np.uint8)

"""What is painted on the playing surface: wood or paint, ring lines, quadrant lines, numerals, a name.

Lines are laid with exact area coverage in linear light, so their edges lie where the equipment says to a few
hundredths of a texel. Row index grows with y and column index with x of the board frame.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import BoardLook, Equipment
from benchmarks.scenes.wood import Image, Rng, linear, texture, to_bytes

Bytes = NDArray[np.uint8]
TABLE = linear(np.linspace(0, 1, 256, dtype=np.float32))


def surface_texture(equipment: Equipment, look: BoardLook, rng: Rng, size: int) -> Bytes:
    """The surface's square texture (``size`` x ``size`` x 3, sRGB), side = surface diameter + 4 mm."""
    extent = equipment.surface_diameter_mm + 4.0
    coarse = min(size, 3072)
    ground = texture(rng, coarse, extent, look.surface)
    if look.second is not None:
        _join(ground, texture(rng, coarse, extent, look.second), extent, look)
    picture = to_bytes(ground)
    if coarse != size:
        picture = np.asarray(cv2.resize(picture, (size, size), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    cover = np.zeros((size, size), dtype=np.float32)
    _rings(cover, equipment, extent)
    _quadrants(cover, equipment, look, extent)
    if look.numerals:
        _numerals(cover, equipment, look, extent)
    if look.logo:
        r = 0.5 * (equipment.ring_radii_mm[2] + equipment.ring_radii_mm[1])
        _text(cover, extent, look.logo, 22.0, r, look.quadrant_phase_deg + 45.0, 2.0)
    _blend(picture, cover * look.line_opacity, linear(look.line_colour))
    return picture


def _join(ground: Image, other: Image, extent: float, look: BoardLook) -> None:
    """Replace the strip beyond the joint by the other wood."""
    size = ground.shape[0]
    s = np.linspace(-extent / 2, extent / 2, size, dtype=np.float32)
    a = math.radians(look.joint_angle_deg)
    beyond = (math.cos(a) * s[None, :] + math.sin(a) * s[:, None]) > look.joint_mm
    ground[beyond] = other[beyond]


def _grid(size: int, extent: float) -> NDArray[np.float32]:
    """Coordinates (mm) of texel centres along one side."""
    return np.asarray(((np.arange(size) + 0.5) / size - 0.5) * extent, dtype=np.float32)


def _rings(cover: Image, equipment: Equipment, extent: float) -> None:
    """Coverage of the three ring lines."""
    size = cover.shape[0]
    texel = extent / size
    s = _grid(size, extent)
    half = equipment.line_width_mm / 2
    for first in range(0, size, 512):
        rows = slice(first, min(first + 512, size))
        radius = np.sqrt(s[rows, None] ** 2 + s[None, :] ** 2)
        for ring in equipment.ring_radii_mm:
            band = np.clip((half - np.abs(radius - np.float32(ring))) / texel + 0.5, 0, 1)
            np.maximum(cover[rows], band, out=cover[rows])


def _quadrants(cover: Image, equipment: Equipment, look: BoardLook, extent: float) -> None:
    """Coverage of the four lines from the 10 line to the 5 line."""
    size = cover.shape[0]
    texel = extent / size
    s = _grid(size, extent)
    inner, outer = equipment.ring_radii_mm[1], equipment.ring_radii_mm[2]
    half = equipment.line_width_mm / 2
    for quarter in range(4):
        a = math.radians(look.quadrant_phase_deg + 90 * quarter)
        ends = [(r * math.cos(a), r * math.sin(a)) for r in (inner, outer)]
        low = [int((min(e[i] for e in ends) - 4 + extent / 2) / texel) for i in (0, 1)]
        high = [int((max(e[i] for e in ends) + 4 + extent / 2) / texel) + 1 for i in (0, 1)]
        x, y = s[None, low[0] : high[0]], s[low[1] : high[1], None]
        along, across = x * math.cos(a) + y * math.sin(a), -x * math.sin(a) + y * math.cos(a)
        band = np.clip((half - np.abs(across)) / texel + 0.5, 0, 1)
        band = band * ((along > inner) & (along < outer))
        part = cover[low[1] : high[1], low[0] : high[0]]
        np.maximum(part, band, out=part)


def _numerals(cover: Image, equipment: Equipment, look: BoardLook, extent: float) -> None:
    """The values of the regions, four times around."""
    hole = equipment.hole_diameter_mm / 2
    inner, middle, outer = equipment.ring_radii_mm
    tall = look.numeral_height_mm
    for quarter in range(4):
        angle = look.quadrant_phase_deg + 45 + 90 * quarter
        places = (
            ("20", hole + 0.9 * tall, 0.75),
            ("15", inner - 1.3 * tall, 0.85),
            ("10", (inner + middle) / 2, 1.0),
            ("5", (middle + outer) / 2, 1.0),
        )
        for text, radius, scale in places:
            _text(cover, extent, text, tall * scale, radius, angle, 1.2)


def _text(
    cover: Image, extent: float, text: str, tall_mm: float, radius: float, angle_deg: float, pen_mm: float
) -> None:
    """Stamp a text of a height (mm) centred at a polar place, its foot towards the centre."""
    texel = extent / cover.shape[0]
    scale = tall_mm / texel / 21.0
    pen = max(1, round(pen_mm / texel))
    (wide, high), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, pen)
    side = int(math.hypot(wide, high + base)) + 4 * pen
    stamp = np.zeros((side, side), dtype=np.uint8)
    cv2.putText(
        stamp,
        text,
        ((side - wide) // 2, (side + high) // 2),
        cv2.FONT_HERSHEY_DUPLEX,
        scale,
        255,
        pen,
        cv2.LINE_AA,
    )
    # rows grow with +y (up) in the board frame, so the stamp is flipped before it is turned
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), -(angle_deg - 90), 1.0)
    stamp = np.asarray(cv2.warpAffine(np.ascontiguousarray(stamp[::-1]), turn, (side, side)), dtype=np.uint8)
    a = math.radians(angle_deg)
    col = int((radius * math.cos(a) + extent / 2) / texel) - side // 2
    row = int((radius * math.sin(a) + extent / 2) / texel) - side // 2
    part = cover[row : row + side, col : col + side]
    if part.shape == stamp.shape:
        np.maximum(part, stamp.astype(np.float32) / 255, out=part)


def _blend(picture: Bytes, cover: Image, ink: Image) -> None:
    """Lay ink over the picture by coverage, in linear light."""
    where = cover > 1e-4
    under = TABLE[picture[where]]
    part = cover[where][:, None]
    picture[where] = to_bytes(under * (1 - part) + ink * part)

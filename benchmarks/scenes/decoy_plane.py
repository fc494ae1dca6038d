"""A flat thing drawn in its own plane, and photographed: perspective, light, blur, noise and JPEG.

The plane's units: x right, y down, the drawn thing about 1 in radius around (0, 0). Everything is drawn with
soft edges on a large canvas, so that the photo's pixels are averages.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
"""RGB, 0 to 255."""
Field = NDArray[np.float32]

Soft = NDArray[np.floating[Any]]

EXTENT = 1.6
"""The canvas reaches from -EXTENT to EXTENT."""
_SIDE_PX = 1600
_SHIFT = 4


class Plane:
    """The canvas. ``rgb`` is float32 (side, side, 3)."""

    def __init__(self, colour: Colour, seed: int) -> None:
        self.rgb: Field = np.empty((_SIDE_PX, _SIDE_PX, 3), np.float32)
        self.rgb[:] = colour
        self.random = np.random.default_rng(seed)
        axis = (np.arange(_SIDE_PX, dtype=np.float32) + 0.5) / _SIDE_PX * 2 * EXTENT - EXTENT
        self.x, self.y = np.meshgrid(axis, axis)

    def disc(self, x: float, y: float, radius: float, colour: Colour, opacity: float = 1.0) -> None:
        """A filled circle."""
        self._radial(x, y, 0.0, radius, colour, opacity)

    def ring(
        self, x: float, y: float, radius: float, width: float, colour: Colour, opacity: float = 1.0
    ) -> None:
        """A circle's line; ``radius`` is to the middle of the line."""
        self._radial(x, y, radius - width / 2, radius + width / 2, colour, opacity)

    def _radial(self, x: float, y: float, inner: float, outer: float, colour: Colour, opacity: float) -> None:
        window = self._window(x - outer, y - outer, x + outer, y + outer)
        r = np.hypot(self.x[window] - x, self.y[window] - y)
        pixel = 2 * EXTENT / _SIDE_PX
        cover = np.clip((outer - r) / pixel + 0.5, 0, 1)
        if inner > 0:
            cover = cover * np.clip((r - inner) / pixel + 0.5, 0, 1)
        self._paint(window, cover * opacity, colour)

    def sector(
        self,
        inner: float,
        outer: float,
        from_deg: float,
        to_deg: float,
        colour: Colour,
        x: float = 0.0,
        y: float = 0.0,
    ) -> None:
        """A piece of an annulus."""
        arc = np.radians(np.linspace(from_deg, to_deg, max(2, int(abs(to_deg - from_deg)) + 2)))
        unit = np.column_stack([np.cos(arc), np.sin(arc)])
        self.polygon(np.concatenate([outer * unit, inner * unit[::-1]]) + np.array([x, y]), colour)

    def arc(self, radius: float, width: float, from_deg: float, to_deg: float, colour: Colour,
            x: float = 0.0, y: float = 0.0) -> None:  # fmt: skip
        """A piece of a circle's line."""
        self.sector(radius - width / 2, radius + width / 2, from_deg, to_deg, colour, x, y)

    def spoke(self, inner: float, outer: float, angle_deg: float, width: float, colour: Colour) -> None:
        """A straight line along a radius."""
        c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
        self.line((inner * c, inner * s), (outer * c, outer * s), width, colour)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width: float, colour: Colour
    ) -> None:
        """A straight line."""
        a, b = np.array(start), np.array(end)
        across = np.array([a[1] - b[1], b[0] - a[0]]) / max(float(np.linalg.norm(b - a)), 1e-9) * width / 2
        self.polygon(np.array([a + across, b + across, b - across, a - across]), colour)

    def rectangle(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        """A filled rectangle."""
        self.polygon(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), colour)

    def frame(self, x0: float, y0: float, x1: float, y1: float, width: float, colour: Colour) -> None:
        """A rectangle's outline."""
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
            self.line(start, end, width, colour)

    def polygon(self, points: NDArray[np.float64], colour: Colour) -> None:
        """A filled polygon (n, 2)."""
        low, high = points.min(0), points.max(0)
        window = self._window(*low, *high)
        rows, columns = window
        px = (points + EXTENT) / (2 * EXTENT) * _SIDE_PX - 0.5 - (columns.start, rows.start)
        mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
        if mask.size:
            fixed = np.round(px * (1 << _SHIFT)).astype(np.int32)
            cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, _SHIFT)
            self._paint(window, mask.astype(np.float32) / 255, colour)

    def text(self, words: str, x: float, y: float, height: float, colour: Colour) -> None:
        """Words centred at a point; ``height`` is that of a capital."""
        px = height / (2 * EXTENT) * _SIDE_PX
        scale, thick = px / 21.0, max(1, round(px / 9))
        (w, h), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        mask = np.zeros((_SIDE_PX, _SIDE_PX), np.uint8)
        at = [round((v + EXTENT) / (2 * EXTENT) * _SIDE_PX) for v in (x, y)]
        start = (at[0] - w // 2, at[1] + h // 2)
        cv2.putText(mask, words, start, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
        self._paint((slice(0, _SIDE_PX), slice(0, _SIDE_PX)), mask.astype(np.float32) / 255, colour)

    def shadow(self, x: float, y: float, radius: float, strength: float = 0.4, blur: float = 0.03) -> None:
        """The soft shadow of something round, thrown a little to the right and down."""
        reach = radius + 4 * blur
        window = self._window(x - reach, y - reach, x + reach + blur, y + reach + blur)
        r = np.hypot(self.x[window] - x - blur, self.y[window] - y - blur)
        soft = strength / (1 + np.exp(np.clip((r - radius) / (0.3 * blur), -30, 30)))
        self.rgb[window] *= (1 - soft)[..., None]

    def bowl(self, x: float, y: float, inner: float, outer: float, depth: float) -> None:
        """Light and shade of a sloping annulus, as on a plate's rim; ``depth`` below 0 turns it over."""
        window = self._window(x - outer, y - outer, x + outer, y + outer)
        dx, dy = self.x[window] - x, self.y[window] - y
        r = np.hypot(dx, dy)
        slope = np.clip((r - inner) / max(outer - inner, 1e-6), 0, 1)
        lit = (dx + dy) / np.maximum(r, 1e-6) / math.sqrt(2)
        change = 1 + depth * lit * np.sin(np.pi * slope) * (r < outer) * (r > inner)
        self.rgb[window] *= change[..., None].astype(np.float32)

    def grain(self, strength: float, direction_deg: float = 0.0, stretch: float = 40.0) -> None:
        """Wood: streaks along one direction, over everything drawn so far."""
        rough = self.random.normal(size=(_SIDE_PX // 2, _SIDE_PX // 2)).astype(np.float32)
        streaks = cv2.GaussianBlur(rough, (0, 0), sigmaX=stretch, sigmaY=1.2)
        streaks = cv2.resize(np.asarray(streaks / streaks.std(), np.float32), (_SIDE_PX, _SIDE_PX))
        bands = np.sin(
            25 * (self.y + 0.08 * np.sin(2.2 * self.x + 1) + 0.02 * np.asarray(streaks, np.float32))
        )
        turn = cv2.getRotationMatrix2D((_SIDE_PX / 2, _SIDE_PX / 2), direction_deg, 1.45)
        wood = cv2.warpAffine(np.asarray(streaks + 0.6 * bands, np.float32), turn, (_SIDE_PX, _SIDE_PX))
        self.rgb *= (1 + strength * np.asarray(wood, np.float32))[..., None]

    def mottle(self, strength: float, size: float) -> None:
        """Stone, cloth or metal: a random cloud of lighter and darker spots of about that size."""
        cells = max(4, round(2 * EXTENT / size))
        spots = self.random.normal(size=(cells, cells)).astype(np.float32)
        cloud = cv2.resize(spots, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_CUBIC)
        self.rgb *= (1 + strength * np.asarray(cloud, np.float32))[..., None]

    def tint(self, factor: Field) -> None:
        """Multiply the whole canvas."""
        self.rgb *= factor[..., None]

    def _window(self, x0: float, y0: float, x1: float, y1: float) -> tuple[slice, slice]:
        def span(low: float, high: float) -> slice:
            start = int((low + EXTENT) / (2 * EXTENT) * _SIDE_PX) - 3
            stop = int((high + EXTENT) / (2 * EXTENT) * _SIDE_PX) + 4
            return slice(min(max(start, 0), _SIDE_PX), min(max(stop, 0), _SIDE_PX))

        return span(y0, y1), span(x0, x1)

    def _paint(self, window: tuple[slice, slice], cover: Soft, colour: Colour) -> None:
        part = self.rgb[window]
        part += cover[..., None].astype(np.float32) * (np.array(colour, np.float32) - part)


@dataclass(frozen=True, slots=True)
class Shot:
    """How the plane is photographed. ``fill`` is the thing's size against the picture's height."""

    tilt_deg: float = 0.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    fill: float = 0.85
    off: tuple[float, float] = (0.0, 0.0)
    focal: float = 0.8
    blur_px: float = 0.7
    noise: float = 3.0
    jpeg_quality: int = 88
    shade: float = 0.2


def photograph(plane: Plane, shot: Shot, width_px: int, height_px: int) -> NDArray[np.uint8]:
    """The plane seen by a pinhole camera; uint8 RGB."""
    twice = (2 * width_px, 2 * height_px)
    map_px = _homography(shot, *twice)
    shrink = shot.fill * twice[1] / (2 * _SIDE_PX / (2 * EXTENT))
    canvas = plane.rgb
    if shrink < 1:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), 0.35 / max(shrink, 0.1)), np.float32)
    large = cv2.remap(
        canvas, *_canvas_places(map_px, *twice), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    small = np.asarray(cv2.resize(large, (width_px, height_px), interpolation=cv2.INTER_AREA), np.float32)
    x = np.linspace(-1, 1, width_px, dtype=np.float32)
    y = np.linspace(-1, 1, height_px, dtype=np.float32)[:, None]
    turn = plane.random.uniform(0, 2 * np.pi)
    light = 1 + shot.shade * (x * math.cos(turn) + y * math.sin(turn)) / 2
    seen = np.asarray(cv2.GaussianBlur(small * light[..., None], (0, 0), max(shot.blur_px, 0.01)), np.float32)
    noisy = seen + plane.random.normal(0, shot.noise, seen.shape).astype(np.float32)
    rgb = np.clip(np.round(noisy), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", rgb[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, shot.jpeg_quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)
    return np.ascontiguousarray(decoded, dtype=np.uint8)


def _homography(shot: Shot, width_px: int, height_px: int) -> NDArray[np.float64]:
    """Canvas pixels to picture pixels: turned, tilted, rolled, at the distance that gives the size."""

    def turn(axis: str, angle_deg: float) -> NDArray[np.float64]:
        c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
        if axis == "z":
            return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])

    focal_px = shot.focal * width_px
    distance = 2 * focal_px / (shot.fill * height_px)
    rotation = turn("z", shot.roll_deg) @ turn("x", shot.tilt_deg) @ turn("z", shot.azimuth_deg)
    inside = np.array(
        [
            [focal_px, 0.0, (width_px - 1) / 2 + shot.off[0] * height_px / 2],
            [0.0, focal_px, (height_px - 1) / 2 + shot.off[1] * height_px / 2],
            [0.0, 0.0, 1.0],
        ]
    )
    to_picture = inside @ np.column_stack([rotation[:, 0], rotation[:, 1], (0.0, 0.0, distance)])
    scale = 2 * EXTENT / _SIDE_PX
    to_units = np.array(
        [[scale, 0.0, 0.5 * scale - EXTENT], [0.0, scale, 0.5 * scale - EXTENT], [0.0, 0.0, 1.0]]
    )
    return np.asarray(to_picture @ to_units)


def _canvas_places(map_px: NDArray[np.float64], width_px: int, height_px: int) -> tuple[Field, Field]:
    """Where in the canvas each pixel of the picture lies; beyond it its edge goes on, mirrored."""
    back = np.linalg.inv(map_px)
    u, v = np.meshgrid(np.arange(width_px, dtype=np.float32), np.arange(height_px, dtype=np.float32))
    depth = np.maximum(back[2, 0] * u + back[2, 1] * v + back[2, 2], 1e-9)
    strip = 0.3 / (2 * EXTENT) * _SIDE_PX
    folded = []
    for row in back[:2]:
        at = (row[0] * u + row[1] * v + row[2]) / depth
        for over, edge, sign in ((at - (_SIDE_PX - 1), _SIDE_PX - 1, -1.0), (-at, 0, 1.0)):
            bounce = strip - np.abs(over % (2 * strip) - strip)
            at = np.where(over > 0, edge + sign * bounce, at)
        folded.append(at.astype(np.float32))
    return folded[0], folded[1]


def montage(
    pictures: Sequence[tuple[str, NDArray[np.uint8]]], columns: int = 8, width_px: int = 240
) -> NDArray[np.uint8]:
    """A contact sheet with each picture's name under it."""
    cells = []
    for name, rgb in pictures:
        height_px = width_px * 3 // 4
        factor = min(width_px / rgb.shape[1], height_px / rgb.shape[0])
        size = (max(1, int(rgb.shape[1] * factor)), max(1, int(rgb.shape[0] * factor)))
        cell = np.full((height_px + 18, width_px, 3), 255, np.uint8)
        cell[: size[1], : size[0]] = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
        cv2.putText(
            cell, name[:34], (2, height_px + 13), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA
        )
        cells.append(cell)
    blank = np.full_like(cells[0], 255)
    cells += [blank] * (-len(cells) % columns)
    rows = [np.hstack(cells[k : k + columns]) for k in range(0, len(cells), columns)]
    return np.vstack(rows)

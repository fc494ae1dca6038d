"""Ink on a picture: anti-aliased strokes, dashes, areas and text of any width and opacity.

Everything is a mask of how much ink lies on each pixel, so shapes and letters are laid on alike. Points are
in pixels of the canvas, pixel centres at whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from calibration.camera import Array
from vision.ink_box import box_around
from vision.ink_colours import Rgb, opposite
from vision.ink_letters import cap_height, font, shown, text_width

_FINE = 3  # sub-pixels a side
_SHIFT = 4  # OpenCV's fixed-point bits


Align = Literal["left", "middle", "right"]


@dataclass(frozen=True, eq=False)
class Canvas:
    """A picture to draw on: ``rgb`` (height, width, 3) is changed in place."""

    rgb: NDArray[np.uint8]

    def stroke(
        self,
        points: Array,
        colour: Rgb,
        width: float,
        *,
        casing: float = 0.0,
        dash: float = 0.0,
        closed: bool = True,
        alpha: float = 1.0,
        shade: NDArray[np.uint8] | None = None,
    ) -> None:
        """A line through the points.

        ``casing`` is the width on each side of an unbroken rim in the colour that stands out from the
        line's. ``dash`` is the length in px of its dashes and of the gaps between. Where ``shade`` (height,
        width) is less than 255, so much less ink is laid.
        """
        if casing:
            self.stroke(points, opposite(colour), width + 2 * casing, closed=closed, alpha=alpha, shade=shade)
        path = np.concatenate([points, points[:1]]) if closed else np.asarray(points)
        parts = list(_dashes(path, dash)) if dash else [path]
        mask, left, top = self._mask(path, width)
        if mask.size:
            fixed = [_fixed(part, left, top) for part in parts]
            cv2.polylines(mask, fixed, False, 255, _thickness(width), cv2.LINE_AA, _SHIFT)
            self._lay(_coarse(mask), left, top, colour, alpha, shade)

    def fill(self, points: Array, colour: Rgb, alpha: float = 1.0) -> None:
        """The area of a polygon."""
        mask, left, top = self._mask(points, 0.0)
        if mask.size:
            cv2.fillPoly(mask, [_fixed(points, left, top)], 255, cv2.LINE_AA, _SHIFT)
            self._lay(_coarse(mask), left, top, colour, alpha)

    def text(
        self,
        at: tuple[float, float],
        text: str,
        size: float,
        colour: Rgb,
        *,
        align: Align = "left",
        bold: float = 0.0,
        casing: float = 0.0,
        alpha: float = 1.0,
    ) -> None:
        """A line of text: ``at`` is its left end, middle or right end, half way up its digits.

        ``bold`` is how many px thicker its strokes are on each side, ``casing`` the width of a rim round them
        in the colour that stands out from the text's.
        """
        if casing:
            self.text(at, text, size, opposite(colour), align=align, bold=bold + casing, alpha=alpha)
        share = {"left": 0.0, "middle": 0.5, "right": 1.0}[align]
        margin = 2 + int(np.ceil(size + bold))
        left = round(at[0] - share * text_width(text, size)) - margin
        baseline = round(at[1] + cap_height(size) / 2)
        top = baseline - margin
        sheet = Image.new("L", (int(text_width(text, size)) + 2 * margin, round(1.5 * margin)))
        where = (margin, margin)
        ImageDraw.Draw(sheet).text(where, shown(text), 255, font(size), anchor="ls", stroke_width=bold)
        self._lay(np.asarray(sheet), left, top, colour, alpha)

    def _mask(self, points: Array, width: float) -> tuple[NDArray[np.uint8], int, int]:
        """An empty fine mask over the part of the canvas that a shape can reach, and its left and top."""
        box = box_around(points).grown(width / 2 + 2)
        left, right = (int(np.clip(np.floor(x), 0, self.rgb.shape[1])) for x in (box.left, box.right))
        top, bottom = (int(np.clip(np.floor(y), 0, self.rgb.shape[0])) for y in (box.top, box.bottom))
        return np.zeros((_FINE * (bottom - top), _FINE * (right - left)), np.uint8), left, top

    def _lay(
        self,
        mask: NDArray[np.uint8],
        left: int,
        top: int,
        colour: Rgb,
        alpha: float,
        shade: NDArray[np.uint8] | None = None,
    ) -> None:
        """Ink as thick as the mask, whose first pixel lies at ``left, top``; what falls outside is lost."""
        mask = mask[max(-top, 0) :, max(-left, 0) :]
        left, top = max(left, 0), max(top, 0)
        paper = self.rgb[top : top + mask.shape[0], left : left + mask.shape[1]]
        mask = mask[: paper.shape[0], : paper.shape[1]]
        inked = np.nonzero(mask)
        ink = mask[inked].astype(np.float32) * (alpha / 255)
        if shade is not None:
            ink *= shade[inked[0] + top, inked[1] + left] / np.float32(255)
        change = (np.array(colour, np.float32) - paper[inked]) * ink[:, None]
        paper[inked] = np.rint(paper[inked] + change).astype(np.uint8)


def _thickness(width: float) -> int:
    """What OpenCV must be asked for: it draws 1.4 wide for 1, and ``n + 1.4`` for every even ``n``."""
    return max(1, 2 * round((width * _FINE - 1.4) / 2))


def _fixed(points: Array, left: int, top: int) -> NDArray[np.int32]:
    """Points in the fixed-point numbers of a fine mask."""
    fine = (points - np.array([left, top]) + 0.5) * _FINE - 0.5
    fixed: NDArray[np.int32] = np.rint(fine * (1 << _SHIFT)).astype(np.int32)
    return fixed.reshape(-1, 1, 2)


def _coarse(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    size = (mask.shape[1] // _FINE, mask.shape[0] // _FINE)
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _dashes(path: Array, length: float) -> Iterator[Array]:
    """Every other one of an even number of equal parts of a path, so that they close on a closed one."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    count = max(1, round(along[-1] / (2 * length)))
    for start in np.arange(count) / count * along[-1]:
        end = start + along[-1] / (2 * count)
        stops = np.concatenate([[start], along[(along > start) & (along < end)], [end]])
        yield np.stack([np.interp(stops, along, path[:, axis]) for axis in (0, 1)], 1)

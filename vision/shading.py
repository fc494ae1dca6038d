"""How a disc and the board around it look in any light: a few pictures that add up to the one that is seen.

What a matt surface sends to a camera depends on which way it faces, to first order linearly (Basri and Jacobs
2003). So whatever the light, a disc's picture is a sum of a few: its whole face, how far each of its points
faces up and to the sides, and how near to the board it is, where less light comes. The board around it is
even up to a slope, and darker near the disc's foot. What they are to be multiplied with is linear, and is
fitted for each disc; where the pictures lie is its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from vision.solid import Solid, levels

BEYOND_MM = 5.0
"""How much of the board around a disc is looked at."""
PARTS = 13
#: Of the parts, those that may be large in any light; others are held small unless the picture shows them.
FREE = (0, 5)
_AROUND_MM = 20.0  # how far off a view is taken from, to be told by a homography
_PERSPECTIVE = 1.1  # what is near looks larger by less than that
_PER_MM = 3.0  # fine steps: the least of what is drawn
_LEAST_FINE = 2
_ROW = 1000
_SLOPE_MM = 15.0
_SHADOW_MM, _CAST_MM = 4.0, 10.0  # how far the dark beside a foot reaches, all round and to one side
_BLUR_PX = 0.7  # one sigma: of a lens, and of a pixel's own width


@dataclass(frozen=True)
class Stage:
    """A disc's surroundings as a camera sees them, about the place where its bottom's centre is seen.

    ``origin_px`` (2,) is that place, ``px_per_mm`` (2, 2) the picture's Jacobian there in x and y;
    ``to_board`` (3, 3) leads from pixels from the origin to mm on the board from the centre, and ``eye_mm``
    (3,) is the camera, from there too.
    """

    origin_px: Array
    px_per_mm: Array
    to_board: Array
    eye_mm: Array

    @classmethod
    def of(cls, view: View, xy_mm: Array) -> Stage:
        """What a view shows around a place (2,)."""
        corners = _AROUND_MM * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        origin = view.px_from_mm(xy_mm)
        seen = (view.px_from_mm(xy_mm + corners) - origin).astype(np.float32)
        to_board = cv2.getPerspectiveTransform(seen, corners.astype(np.float32))
        eye = view.eye_mm - np.array([*xy_mm, 0.0])
        return cls(origin, view.px_per_mm(xy_mm), np.asarray(to_board), eye)

    def smaller(self, times: int) -> Stage:
        """The same of a picture so many times smaller."""
        to_board = self.to_board * np.array([times, times, 1.0])
        return replace(
            self,
            origin_px=(self.origin_px + 0.5) / times - 0.5,
            px_per_mm=self.px_per_mm / times,
            to_board=to_board,
        )

    @property
    def scale_px_per_mm(self) -> float:
        """Pixels a millimetre: the root of the area's scale."""
        return float(np.sqrt(abs(np.linalg.det(self.px_per_mm))))

    def on_board(self, px: Array) -> NDArray[np.float32]:
        """Where on the board pixels (..., 2) from the origin are, mm from the centre."""
        flat = cv2.perspectiveTransform(px.reshape(1, -1, 2).astype(np.float32), self.to_board)
        return np.asarray(flat.reshape(px.shape), dtype=np.float32)

    def at_height(self, board_mm: NDArray[np.float32], height_mm: float) -> NDArray[np.float32]:
        """Where the lines of sight to places (..., 2) on the board pass at a height."""
        share = np.float32(height_mm / self.eye_mm[2])
        return board_mm * (1 - share) + self.eye_mm[:2].astype(np.float32) * share

    def seen_mm(self, height_mm: float) -> Array:
        """Where on the board (2,) the point at a height above the centre is seen."""
        return np.asarray(-self.eye_mm[:2] * (height_mm / (self.eye_mm[2] - height_mm)))

    def may_be_hidden(self, board_mm: NDArray[np.float32], solid: Solid) -> NDArray[np.bool_]:
        """Which places (..., 2) on the board a disc may hide: those near to where its axis is seen."""
        top = self.seen_mm(solid.thickness_mm).astype(np.float32)
        share = np.clip(board_mm @ top / max(float(top @ top), 1e-9), 0.0, 1.0)
        off = board_mm - share[..., None] * top
        return np.asarray(np.hypot(off[..., 0], off[..., 1]) < _PERSPECTIVE * solid.widest_radius_mm)

    def is_near(self, px: Array, solid: Solid, beyond_mm: float) -> NDArray[np.bool_]:
        """Which pixels (..., 2) show a disc or up to ``beyond_mm`` around it."""
        board = self.on_board(px)
        reach = np.float32(solid.widest_radius_mm + beyond_mm)
        seen = [board, self.at_height(board, solid.thickness_mm)]
        return np.asarray(np.min([np.hypot(at[..., 0], at[..., 1]) for at in seen], axis=0) < reach)

    def reach_px(self, solid: Solid, beyond_mm: float) -> tuple[Array, Array]:
        """From where to where (2,) in px from the origin a disc and ``beyond_mm`` around it reach."""
        half = (solid.widest_radius_mm + beyond_mm) * np.linalg.norm(self.px_per_mm, axis=1) * _PERSPECTIVE
        top = self.px_per_mm @ self.seen_mm(solid.thickness_mm)
        return np.minimum(0.0, top) - half, np.maximum(0.0, top) + half


@dataclass(frozen=True)
class Parts:
    """The pictures that add up, ``fine`` to a pixel, ``corner_px`` from the origin.

    ``layers`` are four of them each, (4, h, w, 4), the last three empty: OpenCV samples four at once.
    """

    layers: NDArray[np.float32]
    fine: int
    corner_px: Array

    def at(self, px: Array) -> NDArray[np.float32]:
        """The parts (n, 13) at pixels (n, 2) from the origin."""
        places = self._places(px)
        return np.concatenate([_sampled(layer, places) for layer in self.layers], 1)[:, :PARTS]

    def slopes_at(self, px: Array, mixture: Array) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """By how much a mixture (13, 3) of the parts rises to the right and downwards (n, 3), a pixel."""
        of_all = np.zeros((16, 4))
        of_all[:PARTS, :3] = mixture
        first, *rest = (
            np.asarray(cv2.transform(layer, share.T), np.float32)
            for layer, share in zip(self.layers, of_all.reshape(4, 4, 4), strict=True)
        )
        picture = sum(rest, start=first)
        where, step = self._places(px), np.float32(self.fine / 2)
        right, down = (np.array(one, dtype=np.float32) * step for one in ((1, 0), (0, 1)))
        across, along = (
            (_sampled(picture, where + one) - _sampled(picture, where - one))[:, :3] for one in (right, down)
        )
        return across, along

    def _places(self, px: Array) -> NDArray[np.float32]:
        return ((px - self.corner_px + 0.5) * self.fine - 0.5).astype(np.float32)


def _sampled(picture: NDArray[np.float32], where: NDArray[np.float32]) -> NDArray[np.float32]:
    """A picture of four channels at (n, 2), between its pixels."""
    # rows of a thousand: OpenCV takes no longer ones
    rows = np.pad(where, ((0, -len(where) % _ROW), (0, 0)), mode="edge").reshape(-1, _ROW, 2)
    x, y = (np.ascontiguousarray(rows[..., k]) for k in (0, 1))
    found = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found.reshape(x.size, -1)[: len(where)], np.float32)


def parts(stage: Stage, solid: Solid) -> Parts:
    """What the pictures of a disc on a stage add up from, as a camera blurs them."""
    fine = max(_LEAST_FINE, int(np.ceil(_PER_MM / stage.scale_px_per_mm)))
    low, high = stage.reach_px(solid, BEYOND_MM + 2.0)
    corner = np.floor(low)
    size = ((np.ceil(high) - corner + 1.0) * fine).astype(int)
    x, y = ((np.arange(count) + 0.5) / fine - 0.5 for count in size)
    px = np.stack(np.meshgrid(x + corner[0], y + corner[1]), -1)
    value = _drawn(stage.on_board(px), stage, solid)
    layers = np.empty((4, *value.shape[:2], 4), np.float32)
    for k, layer in enumerate(layers):
        cv2.GaussianBlur(
            np.ascontiguousarray(value[..., 4 * k : 4 * k + 4]), (0, 0), _BLUR_PX * fine, dst=layer
        )
    return Parts(layers, fine, corner)


def _drawn(at: NDArray[np.float32], stage: Stage, solid: Solid) -> NDArray[np.float32]:
    """The sharp parts (h, w, 16), three empty, at places of the board (h, w, 2) in mm from the centre."""
    value = np.zeros((*at.shape[:2], 16), dtype=np.float32)
    away = np.hypot(at[..., 0], at[..., 1])
    _draw_disc(value, at, stage, solid)
    board = 1.0 - value[..., 0]
    beyond = np.maximum(away - np.float32(solid.bottom_radius_mm), 0.0)
    dark, cast = (np.exp(-beyond / np.float32(reach_mm)) * board for reach_mm in (_SHADOW_MM, _CAST_MM))
    unit = at / np.maximum(away, np.float32(1e-3))[..., None]
    value[..., 5], value[..., 6:8] = board, at * (board / np.float32(_SLOPE_MM))[..., None]
    value[..., 8], value[..., 9:11], value[..., 11:13] = dark, unit * dark[..., None], unit * cast[..., None]
    return value


def _draw_disc(
    value: NDArray[np.float32],
    at: NDArray[np.float32],
    stage: Stage,
    solid: Solid,
) -> None:
    """The disc's own parts, from the top down: what is higher hides what is below."""
    height, radius = levels(solid)
    outward, upward = _facing(height, radius)
    open_y, open_x = np.nonzero(stage.may_be_hidden(at, solid))
    here = at[open_y, open_x]
    for k in range(len(height) - 1, -1, -1):
        seen = stage.at_height(here, float(height[k]))
        square = np.einsum("nc,nc->n", seen, seen)
        hit = square <= radius[k] ** 2
        y, x = open_y[hit], open_x[hit]
        value[y, x, 0] = 1.0
        if k < len(height) - 1:
            value[y, x, 1] = upward[k] - 1.0
            value[y, x, 2:4] = seen[hit] * (np.float32(outward[k]) / np.sqrt(square[hit]))[:, None]
            value[y, x, 4] = 1.0 - height[k] / solid.thickness_mm
        open_y, open_x, here = open_y[~hit], open_x[~hit], here[~hit]


def _facing(height: Array, radius: Array) -> tuple[Array, Array]:
    """How far a side faces outward and up (l,) at each of its levels."""
    rise, run = np.gradient(height), np.gradient(radius)
    length = np.hypot(rise, run)
    return rise / length, -run / length

"""What a line call is made of, and what it says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import PurePath

import numpy as np

from calibration.board import FittedBoard
from calibration.camera import Array
from calibration.measured import Measured
from vision.clearance import LINES, GapBudget
from vision.linecall_align import Layout
from vision.linecall_combine import Told
from vision.outline_stand import StandingDisc
from vision.picture import Picture
from vision.read import PhotoRead
from vision.reading import LineGap, Place, SeenDisc

WELL_SEEN_MM = 1.0
"""One sigma of a disc's place, each axis: beyond it so little of a disc is seen that it may lie elsewhere."""

_LEAST_SIGMA = 1e-9


@dataclass(frozen=True, eq=False)
class ReadPhoto:
    """One photo and all that was measured in it."""

    picture: Picture
    read: PhotoRead

    @property
    def name(self) -> str:
        """What the photo is called."""
        return self.picture.name

    @property
    def short_name(self) -> str:
        """Its file's name without folders."""
        return PurePath(self.name).name

    @property
    def board(self) -> FittedBoard:
        """The board as fitted in it."""
        return self.read.board

    @property
    def discs(self) -> tuple[SeenDisc, ...]:
        """Its discs, by number."""
        return self.read.reading.discs

    @cached_property
    def on_board(self) -> tuple[int, ...]:
        """Indices of the discs on the playing surface."""
        return tuple(k for k, disc in enumerate(self.discs) if disc.place is Place.BOARD)

    @cached_property
    def well_seen(self) -> tuple[int, ...]:
        """Indices of the discs on the surface whose place is known; the others are mostly hidden."""
        return tuple(k for k in self.on_board if self.discs[k].sigma_mm < WELL_SEEN_MM)

    def layout(self) -> Layout:
        """How the well-seen discs on the surface lie."""
        discs = [self.discs[k] for k in self.well_seen]
        return Layout(
            self.name,
            np.array([(disc.x_mm, disc.y_mm) for disc in discs]).reshape(-1, 2),
            np.array([disc.sigma_mm for disc in discs]),
            tuple(disc.team for disc in discs),
            tuple(disc.id for disc in discs),
            self.board.radii_mm,
            self.board.marks.turn_rad,
        )

    def shows(self, xy_mm: Array, margin_px: float) -> Array:
        """Which points (n, 2) of its board lie in the picture, that far from its edges; (n,) of bool."""
        px = self.board.view.px_from_mm(xy_mm)
        size = np.array([self.picture.width_px, self.picture.height_px])
        return np.asarray(((px > margin_px) & (px < size - 1 - margin_px)).all(-1))


@dataclass(frozen=True, eq=False)
class DiscView:
    """One disc as one photo shows it; ``weight`` is the photo's share in the call."""

    photo: ReadPhoto
    index: int
    gap: LineGap
    budget: GapBudget
    weight: float = 1.0

    @property
    def disc(self) -> SeenDisc:
        """The disc under this photo's number."""
        return self.photo.discs[self.index]

    @property
    def standing(self) -> StandingDisc:
        """The disc's solid."""
        return self.photo.read.standing[self.index]

    @property
    def ring(self) -> int:
        """Index of the line."""
        return LINES.index(self.gap.line)

    @property
    def outward(self) -> Array:
        """Unit vector (2,) on the board from the ring's centre through the disc's."""
        away = self.standing.xy_mm - self.photo.board.lines[self.ring].centre_mm
        return np.asarray(away / max(float(np.linalg.norm(away)), _LEAST_SIGMA))

    @property
    def sight(self) -> Array:
        """Unit vector (2,) on the board from below the camera to the disc."""
        away = self.standing.xy_mm - self.photo.board.view.eye_mm[:2]
        return np.asarray(away / max(float(np.linalg.norm(away)), _LEAST_SIGMA))

    @property
    def sight_deg(self) -> float:
        """How far from straight above the camera sees the disc."""
        eye = self.photo.board.view.eye_mm
        return float(np.degrees(np.arctan2(np.linalg.norm(self.standing.xy_mm - eye[:2]), eye[2])))

    def told(self) -> Told:
        """What it says of the gap, with the part of its error that other photos share."""
        size_mm = 0.0, 0.0
        bottom = self.standing.bottom
        if bottom is not None:
            place, radius = bottom.profile[:2, 2], max(float(bottom.profile[2, 2]), _LEAST_SIGMA)
            by_radius = (self.outward @ place + radius) / math.sqrt(radius)
            # the radius known, what is left moves the disc to or from the camera
            left = bottom.profile[:2, :2] - np.outer(place, place) / radius
            by_sight = (
                self.outward
                @ left
                @ self.sight
                / math.sqrt(max(float(self.sight @ left @ self.sight), _LEAST_SIGMA))
            )
            size_mm = float(by_radius), float(by_sight)
        return Told(self.gap.clearance_mm, self.budget, self.photo.picture.camera, size_mm)


class Settles(StrEnum):
    """What would settle a call that is too close."""

    PHOTO = "photo"
    DISC_SIZE = "disc_size"
    EYE = "eye"


@dataclass(frozen=True, slots=True)
class Advice:
    """What would settle a call: in words, and the uncertainty that would be left, one sigma in mm."""

    settles: tuple[Settles, ...]
    sigma_mm: float
    words: str


@dataclass(frozen=True, eq=False)
class LineCall:
    """The call on one disc, numbered as in the first photo.

    ``gap`` is of all photos together, ``budget`` what its sigma is made of, ``scatter`` by how much more the
    photos differ than they should (1: they do not). ``advice`` is there when the call is too close.
    ``contradictory`` photos cannot all be right about the disc: then there is no verdict.
    """

    gap: LineGap
    budget: GapBudget
    views: tuple[DiscView, ...]
    scatter: float
    advice: Advice | None
    contradictory: bool = False

    @property
    def disc(self) -> SeenDisc:
        """The disc as the first photo shows it."""
        return self.views[0].disc

    @property
    def gap_mm(self) -> Measured:
        """The gap, positive for daylight."""
        return self.gap.clearance_mm

    @property
    def by_photo(self) -> str:
        """Each photo's own gap, in words."""
        return ", ".join(f"{view.photo.name} {view.gap.clearance_mm} mm" for view in self.views)

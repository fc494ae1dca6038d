"""From discs that stand somewhere to a photo's reading: places, order, numbers, what people look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.board import FittedBoard
from calibration.camera import Array
from calibration.equipment import Equipment
from vision.clearance import LINES
from vision.outline_stand import SizePrior, StandingDisc
from vision.picture import Picture
from vision.reading import BoardReading, LineGap, Place, SeenBoard, SeenDisc
from vision.solid import rim, silhouettes

STANDARD = Equipment()
DITCH_FROM = 1.09  # of the 5 line's radius, seen on the ditch's floor
_OFF_FROM = 1.335
_ORDER = (Place.HOLE, Place.BOARD, Place.DITCH, Place.OFF)


@dataclass(frozen=True)
class Lying:
    """One disc with all that a reading says of it, before it has a number."""

    disc: StandingDisc
    place: Place
    gap: LineGap | None
    flat: bool
    doubt: str | None
    team: str
    colour: str


def place_of(disc: StandingDisc, r5_mm: float) -> Place:
    """Where a disc lies, by its distance and height; ``r5_mm`` is the 5 line's radius."""
    distance = float(np.hypot(*disc.xy_mm))
    if disc.solid.base_mm == 0.0 and distance < r5_mm * DITCH_FROM:
        return Place.BOARD
    return Place.DITCH if distance < r5_mm * _OFF_FROM else Place.OFF


def in_order(lying: list[Lying]) -> list[Lying]:
    """As they are numbered: the hole first, then outward."""
    return sorted(lying, key=lambda one: (_ORDER.index(one.place), float(np.hypot(*one.disc.xy_mm))))


def board_reading(
    picture: Picture,
    board: FittedBoard,
    lying: list[Lying],
    teams: tuple[str, ...],
    size: SizePrior,
    equipment: Equipment | None,
) -> BoardReading:
    """The reading of a photo whose discs are in order; disc k gets the number k + 1."""
    nominal = (equipment or STANDARD).board.ring_radii_mm
    radii = board.radii_mm if board.geometry == "measured" else np.array(nominal)
    return BoardReading(
        photo=picture.name,
        width_px=picture.width_px,
        height_px=picture.height_px,
        equipment=(equipment or STANDARD).name,
        ring_radii_mm=(float(radii[0]), float(radii[1]), float(radii[2])),
        geometry=board.geometry,
        board=_seen_board(board),
        discs=_seen_discs(board, lying),
        teams=teams,
        warnings=_warnings(board, size),
    )


def _seen_board(board: FittedBoard) -> SeenBoard:
    angle = np.arange(180) / 180 * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    lines = {
        name: _polygon(board.view.px_from_mm(centre + radius * unit))
        for name, radius, centre in zip(LINES, board.radii_mm, board.fit.centres_mm, strict=True)
    }
    centre = board.view.px_from_mm(np.zeros(2))
    return SeenBoard(
        (float(centre[0]), float(centre[1])), board.view.tilt_deg, board.fit.rms_px, board.camera, lines
    )


def _seen_discs(board: FittedBoard, lying: list[Lying]) -> tuple[SeenDisc, ...]:
    if not lying:
        return ()
    angle = np.arange(60) / 60 * 2 * np.pi
    directions = np.stack([np.cos(angle), np.sin(angle)], 1)
    at = np.array([one.disc.xy_mm for one in lying])
    seen = silhouettes(board.view, at, [one.disc.solid for one in lying], directions).points
    return tuple(_seen_disc(board, k + 1, one, seen[k]) for k, one in enumerate(lying))


def _seen_disc(board: FittedBoard, number: int, one: Lying, outline_px: Array) -> SeenDisc:
    disc, solid = one.disc, one.disc.solid
    bottom = rim(board.view, disc.xy_mm, solid.bottom_radius_mm, solid.base_mm, 60)
    top = board.view.px_from_mm(np.array([*disc.xy_mm, solid.base_mm + solid.thickness_mm]))
    return SeenDisc(
        id=number,
        team=one.team,
        colour=one.colour,
        place=one.place,
        pixel=(float(top[0]), float(top[1])),
        x_mm=float(disc.xy_mm[0]),
        y_mm=float(disc.xy_mm[1]),
        sigma_mm=float(np.sqrt(np.trace(disc.covariance[:2, :2]) / 2)),
        gap=one.gap,
        bottom_px=_polygon(bottom),
        outline_px=_polygon(outline_px),
        flat=one.flat,
        doubt=one.doubt,
    )


def _polygon(points: Array) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in points.tolist())


def _warnings(board: FittedBoard, size: SizePrior) -> tuple[str, ...]:
    notes = []
    if board.geometry == "measured":
        notes.append(
            "this board's rings are not the standard's; millimetres take its 5 line for 24 inches across"
        )
        if abs(size.solid.widest_radius_mm / STANDARD.disc.radius_mm - 1) > 0.1:
            notes.append(
                "the discs are not the standard's size in that scale: the board is smaller or larger"
            )
    return tuple(notes)

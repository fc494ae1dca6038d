"""From a picture to what lies on the board: the top function of this room."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration.board import FittedBoard, find_board
from calibration.camera import Array
from calibration.equipment import Equipment
from calibration.fit import CameraPrior
from calibration.prior import camera_prior
from vision.clearance import LINES, Placed, line_gaps
from vision.discs import RADII_MM, FoundDiscs, find_discs
from vision.hole import InHole, disc_in_hole, supported_from_mm
from vision.outline import SizePrior, StandingDisc, stand_all
from vision.picture import Picture
from vision.reading import BoardReading, LineGap, Place, SeenBoard, SeenDisc
from vision.rectify import rectify
from vision.solid import Solid, outline, rim
from vision.teams import Teams, colour_of, sort_teams

PLAN_HALF_MM = 480.0
PLAN_PX_PER_MM = 1.25
TOP_MM = 9.0  # where the outline of a standard disc is widest to a camera above
_STANDARD = Equipment()
#: Sigmas of a disc's radius, thickness and bevel (mm): known only to be a crokinole disc, and from a file.
_UNKNOWN_SIGMA_MM = (0.5, 0.7, 0.35)
_FILE_SIGMA_MM = (0.12, 0.12, 0.12)
_PLAN_SHOWS = 0.955  # of the widest radius: in the plan the top's rim draws the outline inward
_IN_HOLE = "lies in the hole: check that it is a disc lying flat, not the hole's own colour"
_LEANS = "leans on the hole's edge: check that it does not lie flat in it"
_DITCH_FLOOR_MM = -18.0
_DITCH_FROM = 1.09  # of the 5 line's radius, seen on the ditch's floor
_OFF_FROM = 1.335


def read_picture(
    picture: Picture, equipment: Equipment | None = None, *, sides: int = 2, camera: Path | None = None
) -> BoardReading:
    """All that one photo shows.

    Raises :class:`~calibration.errors.NoBoardError` when there is no board in it.
    """
    board = find_board(picture.rgb, _prior(picture, camera), equipment)
    plan = rectify(picture.rgb, board.view, PLAN_HALF_MM, PLAN_PX_PER_MM, TOP_MM)
    found = find_discs(plan, board.view, _radii(equipment))
    size = _size(found, equipment)
    hole_radius_mm = _hole_radius_mm(board, equipment)
    # what is seen this near to the centre lies in the hole or leans on it: the hole's own look decides
    found = found.without(np.linalg.norm(found.xy_mm, axis=1) < supported_from_mm(hole_radius_mm, size.solid))
    discs = _standing(picture, board, found, size)
    common = _common_solid(discs, size)
    colours = found.circles.inside
    teams, lab = sort_teams(colours, sides), colours
    all_seen = len(teams.words) >= sides
    in_hole = disc_in_hole(picture.rgb, board.view, common, hole_radius_mm, colours, all_sides_seen=all_seen)
    if in_hole is not None:
        lab = np.concatenate([colours, in_hole.lab[None]])
        teams = sort_teams(lab, sides)
    return _reading(picture, board, discs, in_hole, lab, teams, size, equipment)


def _prior(picture: Picture, camera: Path | None) -> CameraPrior:
    if camera is not None:
        from calibration.camera_file import load_camera_file

        return load_camera_file(camera).prior_for(picture.width_px, picture.height_px)
    return camera_prior(picture.width_px, picture.height_px, picture.focal_35mm, picture.exif_size_px)


def _radii(equipment: Equipment | None) -> tuple[float, float]:
    if equipment is None:
        return RADII_MM
    return equipment.disc.radius_mm * 0.88, equipment.disc.radius_mm * 1.14


def _size(found: FoundDiscs, equipment: Equipment | None) -> SizePrior:
    """The discs' solid: from the equipment, else the standard's, grown to the size that the picture shows."""
    if equipment is not None:
        disc = equipment.disc
        return SizePrior(Solid(disc.radius_mm, disc.bottom_radius_mm, disc.thickness_mm), *_FILE_SIGMA_MM)
    disc = _STANDARD.disc
    shown_mm = disc.radius_mm if found.radius_mm is None else found.radius_mm / _PLAN_SHOWS
    scale = shown_mm / disc.radius_mm
    # a tenth off is another board's scale; less is another make of disc, known roughly from the plan
    scale = scale if abs(scale - 1) > 0.1 else 1.0
    widest_mm = (shown_mm + disc.radius_mm * scale) / 2
    bevel_mm = (disc.radius_mm - disc.bottom_radius_mm) * scale
    return SizePrior(Solid(widest_mm, widest_mm - bevel_mm, disc.thickness_mm * scale), *_UNKNOWN_SIGMA_MM)


def _hole_radius_mm(board: FittedBoard, equipment: Equipment | None) -> float:
    if equipment is not None:
        return equipment.board.hole_radius_mm
    return board.marks.hole_radius_mm if board.marks.hole > 0.6 else _STANDARD.board.hole_radius_mm


def _standing(picture: Picture, board: FittedBoard, found: FoundDiscs, size: SizePrior) -> list[StandingDisc]:
    """Every disc's solid; those in the ditch and beyond stay where the plan shows them."""
    surface_mm = float(board.radii_mm[2]) * _DITCH_FROM
    on_surface = np.linalg.norm(found.xy_mm, axis=1) < surface_mm
    fitted = iter(stand_all(picture.rgb, board.view, found.xy_mm[on_surface], size))
    return [
        next(fitted) if here else _lower_down(board, xy, size.solid)
        for here, xy in zip(on_surface, found.xy_mm, strict=True)
    ]


def _lower_down(board: FittedBoard, xy_plan_mm: Array, solid: Solid) -> StandingDisc:
    """A disc in the ditch or off the board, from where the plan of the surface's discs shows it."""
    top_px = board.view.px_from_mm(np.array([*xy_plan_mm, TOP_MM]))
    floor_mm = board.view.mm_from_px(top_px, _DITCH_FLOOR_MM + solid.thickness_mm)
    rough = np.diag(np.square([3.0, 3.0, 0.5, 0.7]))
    return StandingDisc(floor_mm, replace(solid, base_mm=_DITCH_FLOOR_MM), rough, 1.0, 0.0)


def _common_solid(discs: list[StandingDisc], size: SizePrior) -> Solid:
    """The typical solid of the discs that stand on the surface."""
    solids = [d.solid for d in discs if d.solid.base_mm == 0.0 and d.found > 0.8]
    if not solids:
        return size.solid
    typical = float(np.median([s.widest_radius_mm for s in solids]))
    return min(solids, key=lambda s: abs(s.widest_radius_mm - typical))


@dataclass(frozen=True)
class _Lying:
    """One disc with all that a reading says of it, before it has a number."""

    disc: StandingDisc
    place: Place
    gap: LineGap | None
    flat: bool
    doubt: str | None
    team: str
    colour: str


def _reading(
    picture: Picture,
    board: FittedBoard,
    discs: list[StandingDisc],
    in_hole: InHole | None,
    lab: Array,
    teams: Teams,
    size: SizePrior,
    equipment: Equipment | None,
) -> BoardReading:
    r5_mm = float(board.radii_mm[2])
    places = [_place(d, r5_mm) for d in discs]
    on_board = [k for k, place in enumerate(places) if place is Place.BOARD]
    gaps = dict(
        zip(
            on_board, line_gaps(board, [Placed(discs[k], size.bevel_sigma_mm) for k in on_board]), strict=True
        )
    )
    lying = []
    for k, disc in enumerate(discs):
        lying.append(
            _Lying(disc, places[k], gaps.get(k), True, None, teams.words[teams.of[k]], colour_of(lab[k]))
        )
    if in_hole is not None:
        sunk = StandingDisc(
            in_hole.xy_mm, replace(size.solid, base_mm=-6.0), np.diag([0.1, 0.1, 0.1, 0.1]), 1.0, 0.0
        )
        doubt = _IN_HOLE if in_hole.flat else _LEANS
        word, colour = teams.words[teams.of[len(discs)]], colour_of(in_hole.lab)
        lying.append(_Lying(sunk, Place.HOLE, None, in_hole.flat, doubt, word, colour))
    order = (Place.HOLE, Place.BOARD, Place.DITCH, Place.OFF)
    lying.sort(key=lambda one: (order.index(one.place), float(np.hypot(*one.disc.xy_mm))))
    radii = (
        board.radii_mm
        if board.geometry == "measured"
        else np.array((equipment or _STANDARD).board.ring_radii_mm)
    )
    return BoardReading(
        photo=picture.name,
        width_px=picture.width_px,
        height_px=picture.height_px,
        equipment=(equipment or _STANDARD).name,
        ring_radii_mm=(float(radii[0]), float(radii[1]), float(radii[2])),
        geometry=board.geometry,
        board=_seen_board(board),
        discs=tuple(_seen_disc(board, number, one) for number, one in enumerate(lying, start=1)),
        teams=teams.words,
        warnings=_warnings(board, size),
    )


def _place(disc: StandingDisc, r5_mm: float) -> Place:
    distance = float(np.hypot(*disc.xy_mm))
    if disc.solid.base_mm == 0.0 and distance < r5_mm * _DITCH_FROM:
        return Place.BOARD
    return Place.DITCH if distance < r5_mm * _OFF_FROM else Place.OFF


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


def _seen_disc(board: FittedBoard, number: int, one: _Lying) -> SeenDisc:
    disc, solid = one.disc, one.disc.solid
    angle = np.arange(60) / 60 * 2 * np.pi
    _, seen = outline(board.view, disc.xy_mm, solid, np.stack([np.cos(angle), np.sin(angle)], 1))
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
        outline_px=_polygon(seen),
        flat=one.flat,
        doubt=one.doubt,
    )


def _polygon(points: Array) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)


def _warnings(board: FittedBoard, size: SizePrior) -> tuple[str, ...]:
    notes = []
    if board.geometry == "measured":
        notes.append(
            "this board's rings are not the standard's; millimetres take its 5 line for 24 inches across"
        )
        if abs(size.solid.widest_radius_mm / _STANDARD.disc.radius_mm - 1) > 0.1:
            notes.append(
                "the discs are not the standard's size in that scale: the board is smaller or larger"
            )
    return tuple(notes)

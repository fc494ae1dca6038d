"""From a picture to what lies on the board: the top function of this room."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration.board import FittedBoard, find_board_in
from calibration.camera import Array
from calibration.equipment import Equipment
from calibration.fit import CameraPrior
from calibration.prior import camera_prior
from vision.assemble import DITCH_FROM, STANDARD, Lying, board_reading, in_order, place_of
from vision.clearance import Placed, is_open, line_gaps
from vision.discs import RADII_MM, SURFACE_MM, FoundDiscs, find_discs
from vision.hole import InHole, disc_in_hole, supported_from_mm
from vision.outline import stand_all
from vision.outline_stand import SizePrior, StandingDisc
from vision.picture import Picture
from vision.reading import BoardReading, LineGap, Place
from vision.rectify import rectify
from vision.solid import Solid
from vision.teams import Teams, colour_of, in_same_light, sort_teams

PLAN_HALF_MM = 480.0
PLAN_PX_PER_MM = 0.8
TOP_MM = 9.0  # where the outline of a standard disc is widest to a camera above
#: Sigmas of a disc's radius, thickness and bevel (mm): known only to be a crokinole disc, and from a file: a
#: calliper reads a diameter to 0.05 mm, the rest is where a rounded foot ends.
_UNKNOWN_SIGMA_MM = (0.5, 0.7, 0.35)
_FILE_SIGMA_MM = (0.03, 0.05, 0.03)
_PLAN_SHOWS = 0.955  # of the widest radius: in the plan the top's rim draws the outline inward
_IN_HOLE = "lies in the hole: check that it is a disc lying flat, not the hole's own colour"
_FAINT = "is hard to see: check that it is a disc"
_BETWEEN = "has a colour between two sides': check whose it is"
_LEANS = "leans on the hole's edge: check that it does not lie flat in it"
_DITCH_FLOOR_MM = -18.0
_PLAIN_ODDS = 1.0  # log-odds: less is listed for review
_PLAIN_MARGIN = 0.2  # of the way from a side's colour to half way to the next


@dataclass(frozen=True)
class PhotoRead:
    """A photo's reading with what it was measured from.

    ``standing`` and ``gaps`` go with ``reading.discs`` one by one: disc k + 1 is ``standing[k]``, and
    ``gaps[k]`` is its nearest line, None off the surface. ``size`` is what was known of the discs' size
    before their outlines were fitted.
    """

    board: FittedBoard
    standing: tuple[StandingDisc, ...]
    gaps: tuple[LineGap | None, ...]
    size: SizePrior
    reading: BoardReading


def read_picture(
    picture: Picture,
    equipment: Equipment | None = None,
    *,
    sides: int = 2,
    camera: Path | None = None,
    board: FittedBoard | None = None,
) -> BoardReading:
    """All that one photo shows; ``board`` is where a fixed camera is known to see it.

    Raises :class:`~calibration.errors.NoBoardError` when there is no board in it.
    """
    return read_in_detail(picture, equipment, sides=sides, camera=camera, board=board).reading


def read_in_detail(
    picture: Picture,
    equipment: Equipment | None = None,
    *,
    sides: int = 2,
    camera: Path | None = None,
    board: FittedBoard | None = None,
) -> PhotoRead:
    """All that one photo shows, with the fitted board and the discs' solids.

    Raises :class:`~calibration.errors.NoBoardError` when there is no board in it.
    """
    board = board or find_board_in(picture.pixels, _prior(picture, camera), equipment)
    plan = rectify(picture.pixels, board.view, PLAN_HALF_MM, PLAN_PX_PER_MM, TOP_MM)
    lines_mm = (float(board.radii_mm[0]), float(board.radii_mm[1]), float(board.radii_mm[2]))
    found = find_discs(plan, board.view, _radii(equipment), lines_mm)
    size = _size(found, equipment)
    hole_radius_mm = _hole_radius_mm(board, equipment)
    # what is seen this near to the centre lies in the hole or leans on it: the hole's own look decides
    found = found.without(np.linalg.norm(found.xy_mm, axis=1) < supported_from_mm(hole_radius_mm, size.solid))
    discs = _standing(picture, board, found, size)
    common = _common_solid(discs, size)
    lab, around = found.circles.inside, found.circles.outside
    lit = np.linalg.norm(found.xy_mm, axis=1) < SURFACE_MM
    teams = sort_teams(lab, sides, in_same_light(lab, around, lit), lit)
    all_seen = len(teams.words) >= sides
    in_hole = disc_in_hole(
        picture.rgb, board.view, common, hole_radius_mm, found.circles, all_sides_seen=all_seen
    )
    if in_hole is not None:
        lab = np.concatenate([lab, in_hole.lab[None]])
        around = np.concatenate([around, in_hole.around_lab[None]])
        lit = np.append(lit, True)
        teams = sort_teams(lab, sides, in_same_light(lab, around, lit), lit)
    lying = _lying(board, discs, in_hole, lab, teams, found, size)
    return PhotoRead(
        board=board,
        standing=tuple(one.disc for one in lying),
        gaps=tuple(one.gap for one in lying),
        size=size,
        reading=board_reading(picture, board, lying, teams.words, size, equipment),
    )


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
    disc = STANDARD.disc
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
    return board.marks.hole_radius_mm if board.marks.hole > 0.6 else STANDARD.board.hole_radius_mm


def _standing(picture: Picture, board: FittedBoard, found: FoundDiscs, size: SizePrior) -> list[StandingDisc]:
    """Every disc's solid; those in the ditch and beyond stay where the plan shows them."""
    surface_mm = float(board.radii_mm[2]) * DITCH_FROM
    on_surface = np.linalg.norm(found.xy_mm, axis=1) < surface_mm

    def may_turn(disc: StandingDisc) -> bool:
        return is_open(board, Placed(disc, size.bevel_sigma_mm))

    fitted = iter(stand_all(picture.rgb, board.view, found.xy_mm[on_surface], size, may_turn))
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


def _lying(
    board: FittedBoard,
    discs: list[StandingDisc],
    in_hole: InHole | None,
    lab: Array,
    teams: Teams,
    found: FoundDiscs,
    size: SizePrior,
) -> list[Lying]:
    """The discs, and the one in the hole, with their places, lines and sides, in order."""
    places = [place_of(d, float(board.radii_mm[2])) for d in discs]
    on_board = [k for k, place in enumerate(places) if place is Place.BOARD]
    found_gaps = line_gaps(board, [Placed(discs[k], size.bevel_sigma_mm) for k in on_board])
    gaps = dict(zip(on_board, found_gaps, strict=True))
    lying = []
    for k, disc in enumerate(discs):
        doubt = _doubt(float(found.log_odds[k]), float(teams.margin[k])) if k in gaps else None
        word = teams.words[teams.of[k]]
        lying.append(Lying(disc, places[k], gaps.get(k), True, doubt, word, colour_of(lab[k])))
    if in_hole is not None:
        sunk = StandingDisc(
            in_hole.xy_mm, replace(size.solid, base_mm=-6.0), np.diag([0.1, 0.1, 0.1, 0.1]), 1.0, 0.0
        )
        doubt = _IN_HOLE if in_hole.flat else _LEANS
        word, colour = teams.words[teams.of[len(discs)]], colour_of(in_hole.lab)
        lying.append(Lying(sunk, Place.HOLE, None, in_hole.flat, doubt, word, colour))
    return in_order(lying)


def _doubt(log_odds: float, margin: float) -> str | None:
    """What a person should look at with a disc on the surface."""
    if log_odds < _PLAIN_ODDS:
        return _FAINT
    return _BETWEEN if margin < _PLAIN_MARGIN else None

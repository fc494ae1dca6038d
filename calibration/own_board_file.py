"""A measured board as an equipment file: values that the loader reads, and all else in comments.

The loader refuses unknown keys, and rightly; so uncertainties, each ring's own shape and centre, and what was
not seen are said to people in comments.
"""

from __future__ import annotations

import json
import math

from calibration.equipment import PRESETS, Board, Disc, Equipment
from calibration.measured import Measured
from calibration.own_board import OwnBoard, OwnRing

_STANDARD = PRESETS["standard"]
_PLAY_MM = 0.5  # a disc that is no smaller than the hole by so much is another make's
_FULL_PEGS, _PEGS_MEAN_IT = 8, 4
_ROUND_MM = 0.05  # less is rounding


def equipment_of(own: OwnBoard, name: str) -> Equipment:
    """The measured board as equipment, with what was not measured from the standard.

    Raises :class:`~calibration.equipment.EquipmentError` when the numbers cannot be a board.
    """
    standard = _STANDARD.board
    inner, middle, outer = (round(ring.diameter_mm.mean, 1) for ring in own.rings)
    shrunk = outer / standard.ring_diameters_mm[2]
    hole = round(standard.hole_diameter_mm * shrunk if own.hole_mm is None else own.hole_mm.mean, 1)
    surface = standard.surface_diameter_mm * shrunk if own.surface_mm is None else own.surface_mm.mean
    board = Board(
        ring_diameters_mm=(inner, middle, outer),
        line_width_mm=round(sum(ring.width_mm.mean for ring in own.rings) / len(own.rings), 2),
        hole_diameter_mm=hole,
        surface_diameter_mm=round(max(surface, outer), 1),
        peg_count=_FULL_PEGS if own.pegs >= _PEGS_MEAN_IT else own.pegs,
    )
    return Equipment(name, board, _disc_for(hole))


def own_board_toml(own: OwnBoard, equipment: Equipment, photo: str) -> str:
    """The file's text; the loader reads it back as ``equipment``. ``photo`` is named in it."""
    board, disc = equipment.board, equipment.disc
    ring_words = [f"#   {_ring_words(ring)}" for ring in own.rings]
    width = ", ".join(f"{ring.line} line {_mm(ring.width_mm)}" for ring in own.rings)
    lines = [
        f"# Measured from {photo}, {own.tilt_deg:.0f} degrees from straight above.",
        f"# Millimetres: {own.scaled_by}.",
        "# A plus-minus is one standard deviation. Correct any value that you have measured better.",
        f"name = {json.dumps(equipment.name, ensure_ascii=False)}",
        "[board]",
        "# to the middle of the painted line; the 5 line is the scale, so it has no uncertainty of its own",
        *ring_words,
        f"ring_diameters_mm = [{', '.join(f'{mm:g}' for mm in board.ring_diameters_mm)}]",
        f"# {width}; this is their mean",
        f"line_width_mm = {board.line_width_mm:g}",
        f"# {_seen_words(own.hole_mm, 'the hole')}",
        f"hole_diameter_mm = {board.hole_diameter_mm:g}",
        f"# {_seen_words(own.surface_mm, 'the edge of the playing surface')}",
        f"surface_diameter_mm = {board.surface_diameter_mm:g}",
        f"# {own.pegs} pegs seen; their diameter and height are not measured",
        f"peg_count = {board.peg_count}",
        f"peg_diameter_mm = {board.peg_diameter_mm:g}",
        f"peg_height_mm = {board.peg_height_mm:g}",
        "[disc]",
        "# not measured: measure one with a calliper, above all its flat bottom, which decides line calls",
        f"diameter_mm = {disc.diameter_mm:g}",
        f"bottom_diameter_mm = {disc.bottom_diameter_mm:g}",
        f"thickness_mm = {disc.thickness_mm:g}",
    ]
    return "\n".join(lines) + "\n"


def _disc_for(hole_mm: float) -> Disc:
    """The standard disc where it fits the hole, else the next preset's that does."""
    for equipment in PRESETS.values():
        if equipment.disc.diameter_mm + _PLAY_MM < hole_mm:
            return equipment.disc
    return _STANDARD.disc


def _ring_words(ring: OwnRing) -> str:
    """What one ring is like, for a person."""
    words = [f"{ring.line} line: {_mm(ring.diameter_mm)} across"]
    if math.isfinite(ring.ellipse_mm.sigma):
        words.append(f"longest less shortest diameter {_mm(ring.ellipse_mm)}")
    if ring.line != 5:
        x, y = ring.centre_mm
        words.append(f"its own centre off that of the 5 line by x {_mm(x)}, y {_mm(y)}")
    if ring.found < 0.995:
        words.append(f"{100 * ring.found:.0f} % of it seen")
    return "; ".join(words)


def _seen_words(diameter_mm: Measured | None, what: str) -> str:
    if diameter_mm is None:
        return f"{what} does not show: the standard's, in this board's scale"
    return f"{what} {_mm(diameter_mm)} across"


def _mm(value: Measured) -> str:
    """A length with its uncertainty; without one where that is only rounding."""
    if not math.isfinite(value.sigma):
        return "not measured"
    if value.sigma < 1e-9:
        return f"{value.mean:.1f} mm"
    return f"{round(value.mean, 2) + 0.0:.2f} ± {max(value.sigma, _ROUND_MM):.2f} mm"

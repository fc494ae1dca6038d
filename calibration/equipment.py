"""Boards and discs in millimetres: presets, and the equipment file people write for their own.

A missing key takes the standard's value. An unknown key, or a number that cannot be a board, is refused
with the key's name: a typing slip must not quietly move a line.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any


class EquipmentError(ValueError):
    """The equipment cannot be used; the message names the key or file and says what is wrong."""


def _check_range(key: str, value_mm: float, low_mm: float, high_mm: float) -> None:
    # Written so that not-a-number is refused too.
    if not (math.isfinite(value_mm) and low_mm <= value_mm <= high_mm):
        raise EquipmentError(f"{key} cannot be {value_mm:g}: expected {low_mm:g} to {high_mm:g} millimetres")


def _check_count(key: str, count: int, most: int) -> None:
    if not 0 <= count <= most:
        raise EquipmentError(f"{key} cannot be {count}: expected 0 to {most}")


@dataclass(frozen=True, slots=True)
class Board:
    """The board; the defaults are the standard tournament board.

    ``ring_diameters_mm`` are the 15, 10 and 5 line, each to the middle of the painted line. Eight pegs stand
    on the 15 line; a home board may have none. Raises :class:`EquipmentError`.
    """

    ring_diameters_mm: tuple[float, float, float] = (203.2, 406.4, 609.6)
    line_width_mm: float = 1.6
    hole_diameter_mm: float = 34.9
    surface_diameter_mm: float = 660.4
    peg_diameter_mm: float = 7.9
    peg_height_mm: float = 19.0
    peg_count: int = 8

    def __post_init__(self) -> None:
        rings = self.ring_diameters_mm
        if len(rings) != 3:
            raise EquipmentError(
                "board.ring_diameters_mm must list three diameters: the 15, the 10 and the 5 line"
            )
        for diameter_mm in rings:
            _check_range("board.ring_diameters_mm", diameter_mm, 20.0, 2000.0)
        _check_range("board.line_width_mm", self.line_width_mm, 0.1, 20.0)
        _check_range("board.hole_diameter_mm", self.hole_diameter_mm, 5.0, 200.0)
        _check_range("board.surface_diameter_mm", self.surface_diameter_mm, 100.0, 2500.0)
        _check_range("board.peg_diameter_mm", self.peg_diameter_mm, 1.0, 50.0)
        _check_range("board.peg_height_mm", self.peg_height_mm, 1.0, 100.0)
        _check_count("board.peg_count", self.peg_count, 64)
        edges_mm = (self.hole_diameter_mm, *rings)
        if any(outer - inner < 4 * self.line_width_mm for inner, outer in zip(edges_mm, rings, strict=False)):
            raise EquipmentError(
                "board.ring_diameters_mm must grow from the hole outwards, with room between the lines: "
                "the 15, the 10, then the 5 line"
            )
        if self.surface_diameter_mm < rings[2]:
            raise EquipmentError(
                f"board.surface_diameter_mm ({self.surface_diameter_mm:g}) must not be smaller than "
                f"the 5 line ({rings[2]:g})"
            )

    @property
    def ring_radii_mm(self) -> tuple[float, float, float]:
        """Radii of the 15, 10 and 5 line, to the middle of the paint."""
        inner, middle, outer = self.ring_diameters_mm
        return inner / 2, middle / 2, outer / 2

    @property
    def hole_radius_mm(self) -> float:
        """Radius of the 20 hole."""
        return self.hole_diameter_mm / 2

    @property
    def surface_radius_mm(self) -> float:
        """Radius of the playing surface; the ditch begins here."""
        return self.surface_diameter_mm / 2


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc; the defaults are the standard tournament disc.

    ``diameter_mm`` is the widest part seen from above, ``bottom_diameter_mm`` the flat face that lies on the
    board and decides every line call. Raises :class:`EquipmentError`.
    """

    diameter_mm: float = 31.75
    bottom_diameter_mm: float = 29.2
    thickness_mm: float = 10.0

    def __post_init__(self) -> None:
        _check_range("disc.diameter_mm", self.diameter_mm, 5.0, 200.0)
        _check_range("disc.bottom_diameter_mm", self.bottom_diameter_mm, 2.0, 200.0)
        _check_range("disc.thickness_mm", self.thickness_mm, 1.0, 100.0)
        if self.bottom_diameter_mm > self.diameter_mm:
            raise EquipmentError(
                f"disc.bottom_diameter_mm ({self.bottom_diameter_mm:g}) must not be larger than "
                f"disc.diameter_mm ({self.diameter_mm:g})"
            )
        if self.thickness_mm >= self.diameter_mm:
            raise EquipmentError(
                f"disc.thickness_mm ({self.thickness_mm:g}) must be smaller than "
                f"disc.diameter_mm ({self.diameter_mm:g})"
            )

    @property
    def radius_mm(self) -> float:
        """Radius at the widest part."""
        return self.diameter_mm / 2

    @property
    def bottom_radius_mm(self) -> float:
        """Radius of the flat face that lies on the board."""
        return self.bottom_diameter_mm / 2


@dataclass(frozen=True, slots=True)
class Equipment:
    """A board and its discs under a name.

    Raises :class:`EquipmentError` when the discs do not fit the hole.
    """

    name: str = "standard"
    board: Board = field(default_factory=Board)
    disc: Disc = field(default_factory=Disc)

    def __post_init__(self) -> None:
        if not self.name or not self.name.isprintable():
            raise EquipmentError("name must be a line of text")
        if self.disc.diameter_mm >= self.board.hole_diameter_mm:
            raise EquipmentError(
                f"disc.diameter_mm ({self.disc.diameter_mm:g}) must be smaller than "
                f"board.hole_diameter_mm ({self.board.hole_diameter_mm:g}): a 20 lies flat in the hole"
            )

    @property
    def ring_radii_mm(self) -> tuple[float, float, float]:
        """Radii of the 15, 10 and 5 line, to the middle of the paint."""
        return self.board.ring_radii_mm

    def to_toml(self) -> str:
        """The equipment file that :func:`equipment_from_toml` reads back as an equal value."""
        lines = [f"name = {_toml_text(self.name)}"]
        for room, part in (("board", self.board), ("disc", self.disc)):
            lines.append(f"[{room}]")
            for key in fields(part):
                value = getattr(part, key.name)
                shown = list(value) if isinstance(value, tuple) else value
                lines.append(f"{key.name} = {shown!r}")
        return "\n".join(lines) + "\n"


def _mm(inches: float) -> float:
    """Millimetres, to the hundredth that wood is turned to; the one place that knows inches."""
    return round(inches * 25.4, 2)


_STANDARD = Equipment()
_BEVEL_MM = _STANDARD.disc.diameter_mm - _STANDARD.disc.bottom_diameter_mm
_SMALL_HOLE = Board(hole_diameter_mm=_mm(1 + 1 / 4))


def _disc(diameter_mm: float, thickness_mm: float) -> Disc:
    return Disc(diameter_mm, round(diameter_mm - _BEVEL_MM, 2), thickness_mm)


PRESETS: MappingProxyType[str, Equipment] = MappingProxyType(
    {
        equipment.name: equipment
        for equipment in (
            _STANDARD,
            Equipment("traditional", _SMALL_HOLE, _disc(_mm(1 + 1 / 8), _mm(3 / 8))),
            Equipment("mini", _SMALL_HOLE, _disc(_mm(1 + 3 / 32), _mm(13 / 32))),
        )
    }
)
"""Every preset by its name, the standard first.

* ``standard``: the tournament board of the rule books (rings 8, 16 and 24 inches across, hole 1 3/8, surface
  26, discs 1 1/4): the defaults of :class:`Board` and :class:`Disc`.
* ``traditional`` and ``mini``: the smaller discs sold beside the tournament size, 1 1/8 x 3/8 and
  1 3/32 x 13/32 inches, and the 1 1/4 inch hole they are made for
  (https://crokinole.ca/blogs/news/crokinole-discs-faq).

No maker publishes ring diameters for the 22 to 24 inch boards those smaller discs are often sold with, so
these presets keep the standard rings; a board with other rings wants an equipment file of its own. The
bottom face is taken as much narrower than the disc as on the standard disc.
"""


def equipment_from_toml(text: str) -> Equipment:
    """Equipment from the text of an equipment file. Raises :class:`EquipmentError`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EquipmentError(f"this is not an equipment file (TOML): {error}") from error
    _refuse_unknown(table, {key.name for key in fields(Equipment)}, "")
    name = table.get("name", "unnamed")
    if not isinstance(name, str):
        raise EquipmentError("name must be text in quotes")
    board = Board(**_values(table, "board", Board))
    disc = Disc(**_values(table, "disc", Disc))
    return Equipment(name, board, disc)


def load_equipment(name_or_path: str) -> Equipment:
    """A preset by its name, else the equipment file at that path. Raises :class:`EquipmentError`."""
    if name_or_path in PRESETS:
        return PRESETS[name_or_path]
    path = Path(name_or_path)
    if not path.is_file():
        raise EquipmentError(
            f"{name_or_path!r} is neither an equipment file nor a preset ({', '.join(PRESETS)})"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EquipmentError(f"{name_or_path} cannot be read as text: {error}") from error
    try:
        return equipment_from_toml(text)
    except EquipmentError as error:
        raise EquipmentError(f"{name_or_path}: {error}") from error


def _values(table: Mapping[str, Any], room: str, kind: type[Board] | type[Disc]) -> dict[str, Any]:
    """The checked-for-type values of one section, ready for the dataclass that checks their sizes."""
    section = table.get(room, {})
    if not isinstance(section, dict):
        raise EquipmentError(f"{room} must be a section: [{room}]")
    standard = {key.name: key.default for key in fields(kind) if key.default is not MISSING}
    _refuse_unknown(section, set(standard), f"{room}.")
    return {key: _like(value, standard[key], f"{room}.{key}") for key, value in section.items()}


def _like(value: Any, standard: Any, key: str) -> Any:
    """``value`` as the type of the standard's value: a number, a whole number or a list of numbers."""
    if isinstance(standard, tuple):
        if not isinstance(value, list):
            raise EquipmentError(f"{key} must be a list of numbers in millimetres")
        return tuple(_like(item, 0.0, key) for item in value)
    if isinstance(standard, int):
        if isinstance(value, bool) or not isinstance(value, int):
            raise EquipmentError(f"{key} must be a whole number, not {value!r}")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EquipmentError(f"{key} must be a number in millimetres, not {value!r}")
    return float(value)


def _refuse_unknown(given: Mapping[str, Any], known: set[str], prefix: str) -> None:
    for key in given:
        if key not in known:
            expected = ", ".join(prefix + name for name in sorted(known))
            raise EquipmentError(f"{prefix}{key} is not a key of an equipment file; there are: {expected}")


def _toml_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

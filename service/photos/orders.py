"""The words of a request as an order: rules and equipment by the names of presets, sides and 20s as typed."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.equipment import PRESETS, Equipment, EquipmentError
from scoring.presets import DEFAULT, preset
from scoring.rules import Rules
from service.photos.jobs import Options
from service.sides import Sides, sides_from_text


@dataclass(frozen=True, slots=True)
class PhotoOrder:
    """What is asked of a photo. ``equipment`` None lets the picture decide."""

    rules: Rules
    sides: Sides
    equipment: Equipment | None


def order_of(options: Options) -> PhotoOrder:
    """The order that was typed. Raises one of :data:`~service.errors.FAILURES` for what cannot be."""
    name, *changes = (options.rules or DEFAULT).split("+")
    return PhotoOrder(
        rules=preset(name, *changes),
        sides=sides_from_text(options.sides, options.twenties),
        equipment=equipment_of(options.equipment),
    )


def equipment_of(name: str | None) -> Equipment | None:
    """The preset of that name; None for none. Raises :class:`~calibration.equipment.EquipmentError`."""
    if name is None:
        return None
    found = PRESETS.get(name)
    if found is None:
        raise EquipmentError(f"{name!r} is no equipment preset ({', '.join(PRESETS)})")
    return found


def http_words(text: str) -> str:
    """A message for people at a page or a program, where fields of a form take the place of options."""
    return text.replace("add --twenties", "say how many").replace("--", "")

"""What there is to choose from: rules with the source of each setting, and equipment."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter

from calibration.equipment import PRESETS, load_equipment
from scoring.presets import DEFAULT, option_names, preset, preset_names
from scoring.rules import Rules, setting_names
from service.http import examples
from service.http.deps import Actor
from service.http.match_shown import FormatShown, RulesShown
from service.http.schemas import Shown
from service.matches.match_json import rules_json

router = APIRouter(tags=["rules"])


class OptionShown(Shown):
    """A choice that a preset leaves open: what it changes."""

    name: str
    format: FormatShown
    award: str


class PresetShown(Shown):
    """Rules by name; ``sources`` cites book and clause of each setting."""

    name: str
    default: bool
    rules: RulesShown
    sources: dict[str, str]
    options: list[OptionShown]


class RulesList(Shown):
    """Every preset, the default first."""

    presets: list[PresetShown]


class EquipmentShown(Shown):
    """A board and its discs; ``toml`` is a whole equipment file to start one's own from."""

    name: str
    ring_radii_mm: list[float]
    toml: str


class EquipmentList(Shown):
    """Every equipment preset."""

    equipment: list[EquipmentShown]


def _preset(name: str) -> dict[str, Any]:
    rules = preset(name)
    return {
        "name": name,
        "default": name == DEFAULT,
        "rules": rules_json(rules),
        "sources": _sources(rules),
        "options": [_option(name, option) for option in option_names(name)],
    }


def _option(name: str, option: str) -> dict[str, Any]:
    rules = rules_json(preset(name, option))
    return {"name": option, "format": rules["format"], "award": rules["award"]}


def _sources(rules: Rules) -> dict[str, str]:
    return {name: str(rules.source_of(name)) for name in setting_names()}


def _equipment(name: str) -> dict[str, Any]:
    equipment = load_equipment(name)
    radii = [diameter / 2 for diameter in equipment.board.ring_diameters_mm]
    return {"name": name, "ring_radii_mm": radii, "toml": equipment.to_toml()}


@lru_cache(maxsize=1)
def presets_json() -> dict[str, Any]:
    """Every preset with its options; it never changes while the program runs."""
    return {"presets": [_preset(name) for name in preset_names()]}


@lru_cache(maxsize=1)
def equipment_json() -> dict[str, Any]:
    """Every equipment preset."""
    return {"equipment": [_equipment(name) for name in PRESETS]}


@router.get(
    "/rules",
    response_model=RulesList,
    responses={
        200: examples.answer("Every preset", {"presets": presets_json()["presets"][:1]}),
    },
)
def read_rules(_actor: Actor) -> dict[str, Any]:
    """Every rule preset, its options, and where each setting comes from."""
    return presets_json()


@router.get(
    "/equipment",
    response_model=EquipmentList,
    responses={200: examples.answer("Every preset", equipment_json())},
)
def read_equipment(_actor: Actor) -> dict[str, Any]:
    """Every board and its discs that the service knows by name."""
    return equipment_json()

"""The rules of a match as one frozen value, each setting with the book and clause it comes from.

A preset (`scoring.presets`) is such a value. A match keeps its own copy, so old matches never re-score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from scoring.errors import BadRules, UnknownPreset
from scoring.formats import Format


class Award(StrEnum):
    """What a round gives to each side."""

    MATCH_POINTS = "match_points"
    DIFFERENCE = "difference"
    DIFFERENCE_THEN_TWENTIES = "difference_then_twenties"
    TOTAL = "total"
    PLACINGS = "placings"


class OpenTable(StrEnum):
    """What a shot must do when no opposing disc is in play.

    ``finish``: end touching or within the 15 line; ``within``: end within it and not touching; ``try``:
    aim there, which no picture shows, so only a referee can call it; ``free``: nothing.
    """

    FINISH = "finish"
    WITHIN = "within"
    TRY = "try"
    FREE = "free"


class Removal(StrEnum):
    """What an invalid shot takes off the board."""

    SHOOTER = "shooter"
    OWN_HIT_BY_SHOOTER = "own_hit_by_shooter"
    OWN_STRUCK = "own_struck"
    ALL_STRUCK = "all_struck"


class Crossing(StrEnum):
    """What becomes of a disc that touches or crosses the shooting line and comes back by itself."""

    OUT = "out"
    STAYS = "stays"
    STAYS_IF_IT_STRUCK_NOTHING = "stays_if_it_struck_nothing"


class RoundStart(StrEnum):
    """Who starts the next round in doubles; with one player a side both are the same."""

    CLOCKWISE = "clockwise"
    ALTERNATE_SIDES = "alternate_sides"


class ShootingOrder(StrEnum):
    """Who shoots next in doubles."""

    CLOCKWISE = "clockwise"
    EITHER_PARTNER = "either_partner"


class Horn(StrEnum):
    """What the horn that ends playing time leads to."""

    NOT_USED = "not_used"
    EVEN_OUT = "even_out"


@dataclass(frozen=True, slots=True)
class Source:
    """Book and clause of a setting; ``silent`` when the preset's own book says nothing and this fills in."""

    book: str
    clause: str
    silent: bool = False

    def __str__(self) -> str:
        """Print as a citation."""
        words = f"{self.book} {self.clause}".strip()
        return f"own book silent; as {words}" if self.silent else words


@dataclass(frozen=True, slots=True)
class Rules:
    """Every setting the books disagree on.

    ``discs_*`` are discs a player. ``line_disc_points`` is what a disc on the shooting line counts.
    ``sources`` holds one `Source` for each setting. Raises `BadRules` for settings that cannot be.
    """

    name: str
    discs_singles: int
    discs_doubles: int
    discs_many: int
    award: Award
    award_many: Award
    placings: tuple[int, ...]
    format: Format
    line_disc_points: int
    tilted_out: bool
    contact_required: bool
    direct_hit: bool
    peg_contact: bool
    open_table: OpenTable
    open_combination: bool
    contact_removes: Removal
    open_removes: Removal
    foul_takes_twenties: bool
    illegal_start_is_foul: bool
    shooter_off_removes_own: bool
    crossing: Crossing
    round_start: RoundStart
    doubles_order: ShootingOrder
    horn: Horn
    sources: tuple[tuple[str, Source], ...]

    def __post_init__(self) -> None:
        """Refuse settings that cannot be played."""
        for key in ("discs_singles", "discs_doubles", "discs_many"):
            if getattr(self, key) < 1:
                raise BadRules(f"{key} is one or more, not {getattr(self, key)}")
        if self.award is Award.PLACINGS or self.award_many not in (Award.PLACINGS, Award.TOTAL):
            raise BadRules(
                "placings and totals are for three or four sides, every award but placings for two"
            )
        if self.line_disc_points not in (0, 5):
            raise BadRules(f"line_disc_points is 0 or 5, not {self.line_disc_points}")
        self._check_placings()
        if sorted(name for name, _ in self.sources) != sorted(setting_names()):
            raise BadRules("every setting needs exactly one source")

    def _check_placings(self) -> None:
        places = self.placings
        if len(places) != 4 or list(places) != sorted(places, reverse=True) or places[-1] < 0:
            raise BadRules(f"placings are four numbers, highest first, not {places}")
        for first in range(4):
            for last in range(first + 1, 5):
                # depot 7d adds up and divides; points stay whole numbers, so every tie must share evenly.
                if sum(places[first:last]) % (last - first):
                    raise BadRules(f"places {first + 1} to {last} of {places} cannot be shared evenly")

    def source_of(self, setting: str) -> Source:
        """Return where a setting comes from."""
        return dict(self.sources)[setting]


def setting_names() -> tuple[str, ...]:
    """Return every setting that has a source, in the order shown to people."""
    return tuple(field.name for field in fields(Rules) if field.name not in ("name", "sources"))


def changed(rules: Rules, source: Source, settings: Mapping[str, Any], name: str | None = None) -> Rules:
    """Return ``rules`` with some settings replaced, each now coming from ``source``.

    Raises `UnknownPreset` for a setting that does not exist.
    """
    for key in settings:
        if key not in setting_names():
            raise UnknownPreset(f"no setting {key!r}")
    sources = tuple((key, source if key in settings else old) for key, old in rules.sources)
    return replace(rules, name=name or rules.name, sources=sources, **dict(settings))

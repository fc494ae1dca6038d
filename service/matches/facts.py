"""What people hand in for a round, as plain values: from a reading, typed, or the outcome only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person says of one disc.

    ``disc`` is None for one that was not seen; ``side`` is a side's name or a team's word. ``region`` is 20,
    15, 10, 5 or 0; ``place`` is ``hole``, ``ditch`` or ``off`` (it belongs to no side). What is None stays as
    it was. ``at_mm`` is where one lies that was not seen, in the frame of its reading's board.
    """

    disc: int | None = None
    region: int | None = None
    place: str | None = None
    side: str | None = None
    why: str = ""
    who: str | None = None
    at_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class ReadRound:
    """A round read from a photo. ``teams`` says which side each team word is, as far as people said.

    Without ``twenties`` those given with the photo are taken.
    """

    reading: str
    teams: Mapping[str, str] = field(default_factory=dict)
    twenties: Mapping[str, int] | None = None
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class AmendedRound:
    """The round as it was counted before, but for some discs, 20s or colours; for corrections only.

    ``teams`` says which side each team word is after all; every disc goes with its colour, the 20s handed in
    stay with the sides.
    """

    twenties: Mapping[str, int] | None = None
    decisions: tuple[Decision, ...] = ()
    teams: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToldRound:
    """A round somebody typed in: totals with the 20s in them."""

    totals: Mapping[str, int]
    twenties: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class PlacedRound:
    """A round of which only the places are known."""

    places: Mapping[str, int]
    difference: int | None = None
    twenties: Mapping[str, int] | None = None


Facts = ReadRound | AmendedRound | ToldRound | PlacedRound

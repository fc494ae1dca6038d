"""What can happen in a match. A match is the list of these; everything else is derived from it.

Events are numbered from 0 in the order they came. `Correction` and `Undo` name another event by its number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.errors import BadFact
from scoring.rounds import RoundDisc
from scoring.shots import Verdict
from scoring.tally import Tally, check_counts, tally


@dataclass(frozen=True, slots=True)
class MeasuredRound:
    """A round read from the board: the discs as they lay, and the 20s removed during play."""

    discs: tuple[RoundDisc, ...]
    twenties: Tally

    def __post_init__(self) -> None:
        """Refuse counts below zero."""
        check_counts((count for _, count in self.twenties), "20s")


@dataclass(frozen=True, slots=True)
class TypedRound:
    """A round somebody typed in: raw totals, 20s included, and the number of 20s if it is known."""

    totals: Tally
    twenties: Tally | None = None

    def __post_init__(self) -> None:
        """Refuse totals that no discs can give."""
        check_counts((total for _, total in self.totals), "totals")
        for side, total in self.totals:
            if total % 5:
                raise BadFact(f"a total is a multiple of 5, not {total} for {side}")
        check_counts((count for _, count in self.twenties or ()), "20s")

    @classmethod
    def of(cls, totals: Mapping[str, int], twenties: Mapping[str, int] | None = None) -> TypedRound:
        """Build one from mappings."""
        return cls(tally(totals), None if twenties is None else tally(twenties))


@dataclass(frozen=True, slots=True)
class OutcomeRound:
    """A round of which only the outcome is known: places (1 is best, ties share a place).

    ``difference`` is the winner's lead, ``twenties`` the 20s, where they are known. Zeros are not invented.
    """

    places: Tally
    difference: int | None = None
    twenties: Tally | None = None

    def __post_init__(self) -> None:
        """Refuse places that leave gaps, and a difference that contradicts them."""
        places = sorted(place for _, place in self.places)
        for place in places:
            if place != 1 + sum(other < place for other in places):
                raise BadFact(f"places count from 1 and ties share one, so not {places}")
        if self.difference is not None:
            tie = places.count(1) > 1
            if tie != (self.difference == 0) or self.difference < 0 or self.difference % 5:
                raise BadFact(f"a difference of {self.difference} does not fit the places {places}")
        check_counts((count for _, count in self.twenties or ()), "20s")

    @classmethod
    def of(cls, places: Mapping[str, int], difference: int | None = None) -> OutcomeRound:
        """Build one from a mapping."""
        return cls(tally(places), difference)


Entry = MeasuredRound | TypedRound | OutcomeRound


class Scope(StrEnum):
    """What is forfeited (wcc-2011 4.2.4)."""

    ROUND = "round"
    GAME = "game"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class RoundScored:
    """A round was played and scored."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Correction:
    """The round scored by event ``target`` was something else; ``reason`` says why it changed."""

    target: int
    entry: Entry
    reason: str

    def __post_init__(self) -> None:
        """Refuse a correction nobody explains."""
        _need_reason(self.reason)


@dataclass(frozen=True, slots=True)
class Penalty:
    """A referee takes points off a side's score in the game being played; it may fall below zero."""

    side: str
    points: int
    reason: str

    def __post_init__(self) -> None:
        """Refuse a penalty of nothing."""
        _need_reason(self.reason)
        if self.points < 1:
            raise BadFact(f"a penalty takes one point or more, not {self.points}")


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A side loses a round, a game or the match without play (wcc-2011 4.2.4)."""

    side: str
    scope: Scope
    reason: str

    def __post_init__(self) -> None:
        """Refuse a forfeit nobody explains."""
        _need_reason(self.reason)


@dataclass(frozen=True, slots=True)
class ShotTaken:
    """A player shot; ``twenties`` are the 20s that count and were removed after it, by side."""

    player: str
    verdict: Verdict
    twenties: Tally = ()

    def __post_init__(self) -> None:
        """Refuse counts below zero."""
        check_counts((count for _, count in self.twenties), "20s")


@dataclass(frozen=True, slots=True)
class HornSounded:
    """Playing time is over (wcc-2011 4.2.5)."""


@dataclass(frozen=True, slots=True)
class ShootOutScored:
    """One stage of a shoot-out on an empty board: how many 20s each side made."""

    twenties: Tally

    def __post_init__(self) -> None:
        """Refuse counts below zero."""
        check_counts((count for _, count in self.twenties), "20s")


@dataclass(frozen=True, slots=True)
class Undo:
    """Event ``target`` did not happen. An undo can itself be undone."""

    target: int


Event = RoundScored | Correction | Penalty | Forfeit | ShotTaken | HornSounded | ShootOutScored | Undo


def _need_reason(reason: str) -> None:
    if not reason.strip():
        raise BadFact("a reason is needed")

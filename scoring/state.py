"""Where a match stands: the values a fold over its events ends in. Nothing here decides anything."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.formats import Format
from scoring.turns import Turns


class Basis(StrEnum):
    """How a round's result is known."""

    MEASURED = "measured"
    TYPED = "typed"
    OUTCOME = "outcome"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Result:
    """What a round came to, numbers in the order of the sides; None where a number is not known."""

    basis: Basis
    winner: str | None
    difference: int | None
    awarded: tuple[int, ...]
    totals: tuple[int, ...] | None = None
    twenties: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round in a game.

    ``event`` is the number of the event that scored it, ``starter`` who shot
    first, or was due to if no shot was seen.
    """

    event: int
    starter: str
    result: Result


@dataclass(frozen=True, slots=True)
class GameState:
    """A game: points by side after awards and penalties, its rounds, its shoot-out stages."""

    form: Format
    points: tuple[int, ...]
    penalties: tuple[int, ...]
    rounds: tuple[RoundPlayed, ...]
    shoot_out: tuple[tuple[int, ...], ...]
    over: bool
    winner: str | None


class Next(StrEnum):
    """What the match waits for."""

    ROUND = "round"
    SHOOT_OUT = "shoot_out"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class MatchState:
    """The whole match. ``games`` ends with the one being played while the match goes on.

    ``may_shoot`` are the players whose turn it is; ``twenties`` the 20s of the round being played.
    """

    sides: tuple[str, ...]
    games: tuple[GameState, ...]
    games_won: tuple[int, ...]
    over: bool
    winner: str | None
    next: Next
    turns: Turns
    may_shoot: tuple[str, ...]
    twenties: tuple[int, ...]

"""What the strips of a drawing say, as plain values; loads nothing heavy, so that anyone may build one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Side:
    """One side on the scoreboard: its team in the reading, what it is called, and its points."""

    team: str
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The sides, the team that is ahead (None for nobody), a headline, and lines for below the photo.

    ``review`` has one line for each disc to look at again.
    """

    sides: tuple[Side, ...]
    ahead: str | None
    headline: str
    review: tuple[str, ...]
    note: str

"""How a game and a match end, as data: rounds or a target, what a tie leads to, how many games."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.errors import BadRules


class TieBreak(StrEnum):
    """What follows when the leading sides are level after the last round (or the last game)."""

    STANDS = "stands"
    ONE_ROUND = "one_round"
    SUDDEN_DEATH = "sudden_death"
    TWO_ROUNDS = "two_rounds"
    SHOOT_OUT = "shoot_out"

    @property
    def rounds(self) -> int:
        """How many rounds are played at a time before the tie is looked at again."""
        return {TieBreak.ONE_ROUND: 1, TieBreak.SUDDEN_DEATH: 1, TieBreak.TWO_ROUNDS: 2}.get(self, 0)

    @property
    def repeats(self) -> bool:
        """Whether rounds go on until someone leads."""
        return self in (TieBreak.SUDDEN_DEATH, TieBreak.TWO_ROUNDS)


@dataclass(frozen=True, slots=True)
class Format:
    """How a game ends, and how many games make the match.

    Exactly one of ``rounds`` (a game is that many rounds; 0 goes straight to the tie-break) and ``target``
    (a game goes on until a side has that many points and leads by ``win_by``) is set. ``tie`` is what
    follows a level game, ``match_tie`` what follows a level match of several games.

    Raises `BadRules` for a format that has no end or two.
    """

    rounds: int | None = None
    target: int | None = None
    win_by: int = 1
    tie: TieBreak = TieBreak.STANDS
    best_of: int = 1
    match_tie: TieBreak = TieBreak.STANDS

    def __post_init__(self) -> None:
        """Refuse a format that cannot be played."""
        if (self.rounds is None) == (self.target is None):
            raise BadRules("a game ends after a number of rounds or at a target: give exactly one")
        if self.target is not None:
            if self.target < 1:
                raise BadRules(f"target is one or more, not {self.target}")
            if self.tie is not TieBreak.STANDS:
                raise BadRules("a game to a target goes on until someone leads, so tie must be 'stands'")
        elif self.win_by != 1:
            raise BadRules("win_by belongs to a game to a target")
        if self.rounds is not None and (self.rounds < 0 or (self.rounds == 0 and not self._straight_out)):
            raise BadRules(f"rounds is one or more, not {self.rounds} (0 only for a shoot-out)")
        if self.win_by < 1:
            raise BadRules(f"win_by is one or more, not {self.win_by}")
        if self.best_of < 1:
            raise BadRules(f"best_of is one or more, not {self.best_of}")
        if self.best_of == 1 and self.match_tie is not TieBreak.STANDS:
            raise BadRules("match_tie belongs to a match of several games; use tie")

    @property
    def _straight_out(self) -> bool:
        return self.tie is TieBreak.SHOOT_OUT

    @property
    def decider(self) -> Format:
        """The extra game that breaks a level match, as a format of its own."""
        tie = self.match_tie
        if tie is TieBreak.SHOOT_OUT:
            return Format(rounds=0, tie=tie)
        return Format(rounds=tie.rounds, tie=tie if tie.repeats else TieBreak.STANDS)

    def __str__(self) -> str:
        """Say it in a person's words."""
        if self.target is not None:
            words = f"first to {self.target}" + (f", win by {self.win_by}" if self.win_by > 1 else "")
        else:
            words = f"{self.rounds} rounds, a tie {_THEN[self.tie]}"
        if self.best_of > 1:
            words += f"; best of {self.best_of} games, a level match {_THEN[self.match_tie]}"
        return words


_THEN = {
    TieBreak.STANDS: "stands",
    TieBreak.ONE_ROUND: "gets one more round",
    TieBreak.SUDDEN_DEATH: "gets rounds until someone leads",
    TieBreak.TWO_ROUNDS: "gets two rounds at a time until someone leads",
    TieBreak.SHOOT_OUT: "leads to a shoot-out",
}

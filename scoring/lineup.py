"""Who plays: sides, their players, and the seats in shooting order."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.errors import BadFact
from scoring.rules import Rules


@dataclass(frozen=True, slots=True)
class Side:
    """A player or a team, with the players' names. A side of one is often its player."""

    name: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place at the board; ``side`` is the index of the side in the lineup."""

    player: str
    side: int


@dataclass(frozen=True, slots=True)
class Lineup:
    """Singles (two sides of one), doubles (two sides of two), or three or four players for themselves.

    Raises `BadFact` for anything else, and for names that are empty or repeat.
    """

    sides: tuple[Side, ...]

    def __post_init__(self) -> None:
        """Refuse a table that no book knows."""
        shape = [len(side.players) for side in self.sides]
        if shape not in ([1, 1], [2, 2], [1, 1, 1], [1, 1, 1, 1]):
            raise BadFact("two sides of one or two players, or three or four of one; not " + repr(shape))
        for names in (self.names, tuple(player for side in self.sides for player in side.players)):
            if not all(names) or len(set(names)) != len(names):
                raise BadFact(f"names are not empty and all different, not {', '.join(names)}")

    @classmethod
    def single(cls, *players: str) -> Lineup:
        """Two, three or four players, each for themselves, in clockwise order."""
        return cls(tuple(Side(player, (player,)) for player in players))

    @classmethod
    def doubles(cls, first: Side, second: Side) -> Lineup:
        """Two teams of two; partners sit opposite each other."""
        return cls((first, second))

    @property
    def names(self) -> tuple[str, ...]:
        """The sides' names, in order."""
        return tuple(side.name for side in self.sides)

    @property
    def is_doubles(self) -> bool:
        """Whether partners play together."""
        return len(self.sides[0].players) == 2

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats clockwise: partners opposite, so A1, B1, A2, B2 (depot 1, printable Turn 1)."""
        partners = range(len(self.sides[0].players))
        return tuple(
            Seat(side.players[partner], index)
            for partner in partners
            for index, side in enumerate(self.sides)
        )

    def discs_each(self, rules: Rules) -> int:
        """Return how many discs each player shoots in a round."""
        if self.is_doubles:
            return rules.discs_doubles
        return rules.discs_singles if len(self.sides) == 2 else rules.discs_many

    def discs_a_side(self, rules: Rules) -> int:
        """Return how many discs a side has in a round."""
        return self.discs_each(rules) * len(self.sides[0].players)

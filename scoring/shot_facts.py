"""What is known about one shot: the board before and after, who shot, what was struck and how.

Nothing here judges; `scoring.shots` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scoring.answers import Answer
from scoring.errors import BadFact
from scoring.regions import Lie
from scoring.rounds import RoundDisc


class Struck(StrEnum):
    """Whether and how a disc was struck during the shot.

    ``moved``: it is somewhere else than before, so something struck it, by what was not seen.
    ``through_peg``: moved only by a peg that was hit from its other side.
    """

    NO = "no"
    BY_SHOOTER = "by_shooter"
    BY_OTHER = "by_other"
    MOVED = "moved"
    THROUGH_PEG = "through_peg"
    UNKNOWN = "unknown"


class Journey(StrEnum):
    """A disc's way, where it was not plain.

    ``crossed``: touched or crossed the shooting line, struck nothing out there, and came back by itself.
    ``crossed_and_struck``: the same, but it struck something while out there.
    ``left``: left the raised playing surface, or met the backboard or a disc out of play, and came back.
    """

    CROSSED = "crossed"
    CROSSED_AND_STRUCK = "crossed_and_struck"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Shot:
    """One shot as it was seen.

    ``before`` are the discs in play before it; ``after`` where they and the shooter lie once all is still
    and before anything is removed. A disc missing from ``after`` is in the ditch. ``contacts`` tells what
    was struck; a disc left out was struck if its lie changed and not otherwise. ``first`` is the disc the
    shooter met first, when that was seen. ``journeys`` names discs with an odd way. ``outside_15`` says of
    discs lying outside the 15 line whether they reach it, when that is not plain from the lie.

    Raises `BadFact` for a shot that cannot be.
    """

    side: str
    shooter: int
    before: tuple[RoundDisc, ...]
    after: tuple[RoundDisc, ...]
    contacts: tuple[tuple[int, Struck], ...] = ()
    first: int | None = None
    journeys: tuple[tuple[int, Journey], ...] = ()
    outside_15: tuple[tuple[int, Answer], ...] = ()
    illegal_start: Answer = Answer.NO

    def __post_init__(self) -> None:
        """Refuse a shot that cannot be."""
        before = _sides_by_id(self.before, "before")
        after = _sides_by_id(self.after, "after")
        if self.shooter in before:
            raise BadFact(f"disc {self.shooter} is shot, yet was on the board before")
        if after.get(self.shooter, self.side) != self.side:
            raise BadFact(f"disc {self.shooter} is shot by {self.side}, yet belongs to {after[self.shooter]}")
        for disc, side in after.items():
            if disc != self.shooter and before.get(disc) != side:
                raise BadFact(f"disc {disc} of {side} appears from nowhere")
        if self.first is not None and self.first not in before:
            raise BadFact(f"disc {self.first} was met first, yet was not on the board")
        known = {*before, self.shooter}
        for facts, lot in ((self.contacts, set(before)), (self.journeys, known), (self.outside_15, known)):
            _check_named(facts, lot)

    @property
    def own(self) -> tuple[RoundDisc, ...]:
        """The shooting side's discs that were in play before."""
        return tuple(disc for disc in self.before if disc.side == self.side)

    @property
    def opposing(self) -> tuple[RoundDisc, ...]:
        """The discs of all other sides that were in play before."""
        return tuple(disc for disc in self.before if disc.side != self.side)

    def lie_after(self, disc: int) -> Lie:
        """Return where a disc lies after the shot."""
        return {each.id: each.lie for each in self.after}.get(disc, Lie.in_ditch())

    def struck(self, disc: RoundDisc) -> Struck:
        """Return how a disc was struck: met first, as told, or inferred from its having moved."""
        if disc.id == self.first:
            return Struck.BY_SHOOTER
        told = dict(self.contacts).get(disc.id)
        if told is not None:
            return told
        return Struck.NO if self.lie_after(disc.id) == disc.lie else Struck.MOVED


def _sides_by_id(discs: tuple[RoundDisc, ...], when: str) -> dict[int, str]:
    sides = {disc.id: disc.side for disc in discs}
    if len(sides) != len(discs):
        raise BadFact(f"two discs have the same id {when} the shot")
    return sides


def _check_named(facts: Iterable[tuple[int, object]], known: set[int]) -> None:
    named = [disc for disc, _ in facts]
    for disc in named:
        if disc not in known or named.count(disc) > 1:
            raise BadFact(f"disc {disc} is not one disc of this shot")

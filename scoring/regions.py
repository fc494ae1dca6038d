"""What one disc is worth: from where it lies, and which line its bottom touches, to points.

The lines are named by the region each bounds from outside: the 15 line, the 10 line, the 5 line (which is
also the shooting line). A `Lie` names the one line whose contact can change the disc's score. A disc that
is over a line from either side touches it, so a disc astride the 15 line is ``Lie.touching(15)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.errors import BadFact
from scoring.rules import Rules


class Place(StrEnum):
    """Where a disc lies. ``off`` is anywhere that is neither the playing surface nor the ditch."""

    BOARD = "board"
    HOLE = "hole"
    DITCH = "ditch"
    OFF = "off"


class Touch(StrEnum):
    """A fact with three answers; ``unsure`` is "cannot tell"."""

    NO = "no"
    YES = "yes"
    UNSURE = "unsure"


#: The next lower region, which is what a disc touching the line scores (depot 4c, popular 9, traditional
#: Scoring 2, printable Quick Look 5).
_LOWER = {15: 10, 10: 5, 5: 0}

#: A lone leaner on the hole's edge: not flat in the hole, so not a 20 (depot 4b, traditional Shooting 7).
_LEANER = 15


@dataclass(frozen=True, slots=True)
class Lie:
    """Where one disc lies.

    ``line`` is 15, 10 or 5 for a disc on the board and None elsewhere. ``touch`` says whether the disc's
    bottom edge, not its outline from above, is over any part of that line (depot 4d, popular 9, nca 6e);
    a disc beyond the 5 line but still on the playing surface touches it, too, as far as rules go.
    ``touch_probability`` lies in 0..1 and agrees with ``touch``. ``flat`` is False for a disc that leans.

    Raises `BadFact` for a lie that cannot be.
    """

    place: Place
    line: int | None
    touch: Touch
    touch_probability: float
    flat: bool = True

    def __post_init__(self) -> None:
        """Refuse a lie that cannot be."""
        probability = self.touch_probability
        if not 0.0 <= probability <= 1.0:
            raise BadFact(f"a probability lies between 0 and 1, not {probability}")
        if self.place is Place.BOARD:
            if self.line not in _LOWER:
                raise BadFact(f"a disc on the board is named by the 15, 10 or 5 line, not {self.line}")
        elif self.line is not None or self.touch is not Touch.NO:
            raise BadFact(f"a disc with place {self.place} has no line to touch")
        if self.touch is Touch.NO and probability > 0.5:
            raise BadFact(f"clear of the line, yet more likely touching ({probability})")
        if self.touch is Touch.YES and probability < 0.5:
            raise BadFact(f"touching the line, yet more likely clear ({probability})")

    @classmethod
    def clear(cls, line: int) -> Lie:
        """On the board inside ``line`` with daylight between."""
        return cls(Place.BOARD, line, Touch.NO, 0.0)

    @classmethod
    def touching(cls, line: int) -> Lie:
        """On the board, over some part of ``line``."""
        return cls(Place.BOARD, line, Touch.YES, 1.0)

    @classmethod
    def unsure(cls, line: int, touch_probability: float) -> Lie:
        """On the board, too close to ``line`` to tell."""
        return cls(Place.BOARD, line, Touch.UNSURE, touch_probability)

    @classmethod
    def in_hole(cls, *, flat: bool = True) -> Lie:
        """Flat in the 20 hole, or leaning on its edge."""
        return cls(Place.HOLE, None, Touch.NO, 0.0, flat)

    @classmethod
    def in_ditch(cls) -> Lie:
        """Out of play in the ditch."""
        return cls(Place.DITCH, None, Touch.NO, 0.0)

    @property
    def likely_touching(self) -> bool:
        """The more probable answer; at exactly one half the disc touches, which is the lower region."""
        return self.touch_probability >= 0.5 and self.touch is not Touch.NO


@dataclass(frozen=True, slots=True)
class Contact:
    """One undecided contact and what hangs on it."""

    line: int
    clear_points: int
    touching_points: int
    touch_probability: float


def region_if(lie: Lie, touching: bool) -> int:
    """Return the region (20, 15, 10, 5 or 0) if the contact is ruled so; it matters on the board only."""
    if lie.line is not None:
        return _LOWER[lie.line] if touching else lie.line
    if lie.place is Place.HOLE:
        # depot 4b: completely in the hole and lying flat.
        return 20 if lie.flat else _LEANER
    return 0


def region_of(lie: Lie) -> int:
    """Return the region after the line rule, the more probable one when the contact is undecided."""
    return region_if(lie, lie.likely_touching)


def points_if(lie: Lie, rules: Rules, touching: bool) -> int:
    """Return the points under ``rules`` if the contact is ruled so."""
    if lie.line is None:
        return region_if(lie, touching)
    if rules.tilted_out and not lie.flat:
        # popular 8: a hopper or spinner that does not rest flat goes to the ditch.
        return 0
    if not touching:
        return lie.line
    # depot 4e and nca 8e: on or over the shooting line is out; depot 7b: it counts 5.
    return rules.line_disc_points if lie.line == 5 else _LOWER[lie.line]


def points_of(lie: Lie, rules: Rules) -> int:
    """Return the points under ``rules``, by the more probable answer when the contact is undecided."""
    return points_if(lie, rules, lie.likely_touching)


def contact_of(lie: Lie, rules: Rules) -> Contact | None:
    """Return the undecided contact that changes the points, or None when nothing hangs on it."""
    if lie.touch is not Touch.UNSURE or lie.line is None:
        return None
    clear, touching = points_if(lie, rules, False), points_if(lie, rules, True)
    if clear == touching:
        return None
    return Contact(lie.line, clear, touching, lie.touch_probability)

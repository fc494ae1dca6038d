"""Which discs leave the board after a shot: those out of play anyway, and those a foul takes."""

from __future__ import annotations

from collections.abc import Callable

from scoring.answers import Answer, all_of
from scoring.obligations import on_line_5, was_hit_by_shooter, was_struck
from scoring.regions import Place
from scoring.rules import Crossing, Removal, Rules
from scoring.shot_facts import Journey, Shot


def leaves_anyway(shot: Shot, disc: int, rules: Rules) -> Answer:
    """Return whether a disc is out of play whatever the verdict on the shot.

    What a disc out of play has moved stays where it is, and its 20s count: every book that speaks of it
    agrees (depot 6c, wcc-2011 4.1.10, traditional Shooting 9, popular 7, nca 8h).
    """
    lie = shot.lie_after(disc)
    # wcc-2011 4.1.5: in the ditch is out; popular 8: a hopper that does not rest flat is out.
    tilted = rules.tilted_out and lie.place is Place.BOARD and not lie.flat
    if lie.place in (Place.DITCH, Place.OFF) or tilted or _lost_on_its_way(shot, disc, rules):
        return Answer.YES
    return on_line_5(lie, rules)


def leaves_on_foul(shot: Shot, rules: Rules, foul: bool, opposition: Answer) -> Callable[[int], Answer]:
    """Return a function from disc to whether the penalty takes it.

    Without a foul nothing is taken, but for printable Fouls 3: a shooter that leaves the board takes its
    own side's discs it hit with it.
    """
    if foul:
        removal = rules.open_removes if opposition is Answer.NO else rules.contact_removes
        return lambda disc: _taken(shot, disc, removal, rules)
    if rules.shooter_off_removes_own:
        off = leaves_anyway(shot, shot.shooter, rules)
        return lambda disc: all_of((off, _taken(shot, disc, Removal.OWN_HIT_BY_SHOOTER, rules)))
    return lambda disc: Answer.NO


def _lost_on_its_way(shot: Shot, disc: int, rules: Rules) -> bool:
    """Return whether a disc that came back is out all the same."""
    journey = dict(shot.journeys).get(disc)
    if journey is None:
        return False
    if journey is Journey.LEFT:
        # depot 6c, traditional Shooting 9, popular 7, wcc-2011 4.1.10.
        return True
    if journey is Journey.CROSSED:
        # traditional Shooting 8 removes it at once; the spinning-disc rules (depot 6b, nca 8g) let it stay.
        return rules.crossing is Crossing.OUT
    return rules.crossing is not Crossing.STAYS


def _taken(shot: Shot, disc: int, removal: Removal, rules: Rules) -> Answer:
    """Return whether a penalty takes a disc."""
    if disc == shot.shooter:
        return Answer.YES
    if removal is Removal.SHOOTER:
        return Answer.NO
    seen = next(each for each in shot.before if each.id == disc)
    if removal is not Removal.ALL_STRUCK and seen.side != shot.side:
        return Answer.NO
    struck = shot.struck(seen)
    if removal is Removal.OWN_HIT_BY_SHOOTER:
        return was_hit_by_shooter(struck, rules)
    return was_struck(struck, rules)

"""Was the shot valid, by which rule, and what leaves the board.

Two tests look at the 15 line and must not be mixed. Whether an open-table shot is *valid* asks if a disc
ends touching or within the line; what the disc *scores* asks if it touches (`scoring.regions`). A disc on
the line makes the shot valid and scores 10. Contacts that cannot be told run through both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scoring.answers import Answer, all_of, any_of, choose, negate
from scoring.obligations import Finding, finds_contact, finds_finish, finds_opposition
from scoring.regions import Place
from scoring.removals import leaves_anyway, leaves_on_foul
from scoring.rounds import RoundDisc
from scoring.rules import Rules, Source
from scoring.shot_facts import Shot, Struck
from scoring.tally import Tally


class Verdict(StrEnum):
    """Whether a shot stands."""

    VALID = "valid"
    INVALID = "invalid"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What is done after the shot: discs taken off, discs put back, 20s that count and leave the hole.

    ``ask`` lists what has to be settled before the removals are complete.
    """

    remove: tuple[int, ...]
    put_back: tuple[int, ...]
    twenties: Tally
    ask: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A shot judged. ``ask`` lists the questions that would settle an unsure verdict."""

    verdict: Verdict
    rule: Source
    reason: str
    ask: tuple[str, ...]
    if_valid: Aftermath
    if_invalid: Aftermath

    @property
    def aftermath(self) -> Aftermath | None:
        """What is done, or None while the verdict is unsure."""
        return {Verdict.VALID: self.if_valid, Verdict.INVALID: self.if_invalid}.get(self.verdict)


_VERDICTS = {Answer.YES: Verdict.VALID, Answer.NO: Verdict.INVALID, Answer.UNSURE: Verdict.UNSURE}


def judge(shot: Shot, rules: Rules) -> Ruling:
    """Judge one shot under the rules in force."""
    opposition = finds_opposition(shot, rules)
    contact = finds_contact(shot, rules)
    finish = finds_finish(shot, rules)
    met = choose(opposition.answer, contact.answer, finish.answer)
    # printable Fouls 2 makes an illegal start a foul; elsewhere it stays a matter for the referee.
    foul_start = shot.illegal_start if rules.illegal_start_is_foul else Answer.NO
    valid = all_of((met, negate(foul_start)))
    decisive = _decisive(opposition, contact, finish)
    setting, reason, ask = decisive.setting, decisive.reason, decisive.ask
    if foul_start is not Answer.NO and met is not Answer.NO:
        setting = "illegal_start_is_foul"
        reason = "the start was illegal" if valid is Answer.NO else "the start may have been illegal"
        ask = (*ask, "was the disc shot from behind the line?")
    elif shot.illegal_start is not foul_start:
        # depot 5, popular 2, wcc-2011 4.1.3 and traditional Shooting 1 name no penalty (wcc-2011 4.2.4).
        reason += "; whether the start was legal is for the referee"
    return Ruling(
        _VERDICTS[valid],
        rules.source_of(setting),
        reason,
        ask if valid is Answer.UNSURE else (),
        _aftermath(shot, rules, Answer.NO, opposition.answer),
        _aftermath(shot, rules, Answer.YES, opposition.answer),
    )


def _decisive(opposition: Finding, contact: Finding, finish: Finding) -> Finding:
    """Return what the verdict rests on: the contact, the finish, or the question which of them is asked."""
    if opposition.answer is Answer.YES:
        return contact
    if opposition.answer is Answer.NO:
        return finish
    ask = (*opposition.ask, *contact.ask, *finish.ask)
    return Finding(opposition.answer, contact.setting, f"{opposition.reason}; {contact.reason}", ask)


def _aftermath(shot: Shot, rules: Rules, foul: Answer, opposition: Answer) -> Aftermath:
    """Return what is done if the shot is a foul (yes) or not (no)."""
    on_foul = leaves_on_foul(shot, rules, foul is Answer.YES, opposition)
    put_back = _put_back(shot, rules) if foul is Answer.YES else ()
    everyone = [shot.shooter, *(disc.id for disc in shot.before if disc.id not in put_back)]
    gone = {disc: any_of((leaves_anyway(shot, disc, rules), on_foul(disc))) for disc in everyone}
    # A disc out of play is no 20; a foul takes one where the book says so (depot 3c, wcc-2011 4.1.9.3).
    lost = on_foul if rules.foul_takes_twenties else (lambda _: Answer.NO)
    kept = [
        disc
        for disc in shot.after
        if _in_hole(disc)
        and disc.id not in put_back
        and any_of((leaves_anyway(shot, disc.id, rules), lost(disc.id))) is not Answer.YES
    ]
    kept_ids = {disc.id for disc in kept}
    ask = [f"does disc {disc} leave the board?" for disc, answer in gone.items() if answer is Answer.UNSURE]
    remove = [disc for disc, answer in gone.items() if answer is Answer.YES and disc not in kept_ids]
    return Aftermath(tuple(remove), put_back, _by_side(kept), tuple(ask))


def _in_hole(disc: RoundDisc) -> bool:
    # depot 4b, popular 6, traditional Shooting 7: completely in the hole and flat.
    return disc.lie.place is Place.HOLE and disc.lie.flat


def _put_back(shot: Shot, rules: Rules) -> tuple[int, ...]:
    """Return the opposing discs that go back to where they were: depot 7a only."""
    if not rules.direct_hit:
        return ()
    return tuple(disc.id for disc in shot.opposing if shot.struck(disc) is not Struck.NO)


def _by_side(discs: Iterable[RoundDisc]) -> Tally:
    """Return 20s by the side that owns the disc, whoever shot (traditional Shooting 7)."""
    counts: dict[str, int] = {}
    for disc in discs:
        counts[disc.side] = counts.get(disc.side, 0) + 1
    return tuple(sorted(counts.items()))

"""What a shot had to do, and whether it did: strike an opposing disc, or end in the middle."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.answers import Answer, all_of, any_of, negate
from scoring.regions import Lie, Place
from scoring.rules import OpenTable, Rules
from scoring.shot_facts import Shot, Struck


@dataclass(frozen=True, slots=True)
class Finding:
    """One question answered: by which setting, in which words, and what to ask while it is unsure."""

    answer: Answer
    setting: str
    reason: str
    ask: tuple[str, ...]


def was_struck(struck: Struck, rules: Rules) -> Answer:
    """Return whether a disc counts as struck, by whichever disc."""
    if struck is Struck.THROUGH_PEG:
        # traditional Shooting 6: the same as directly hitting; other books ask for a disc to strike it.
        return Answer.YES if rules.peg_contact else Answer.NO
    return {Struck.NO: Answer.NO, Struck.UNKNOWN: Answer.UNSURE}.get(struck, Answer.YES)


def was_hit_by_shooter(struck: Struck, rules: Rules) -> Answer:
    """Return whether the shooting disc itself hit a disc."""
    if struck is Struck.THROUGH_PEG:
        return was_struck(struck, rules)
    return {Struck.BY_SHOOTER: Answer.YES, Struck.NO: Answer.NO, Struck.BY_OTHER: Answer.NO}.get(
        struck, Answer.UNSURE
    )


def on_line_5(lie: Lie, rules: Rules) -> Answer:
    """Return whether a disc at rest is out by the shooting line (depot 4e, wcc-2011 4.1.6, nca 8e)."""
    if lie.line != 5 or rules.line_disc_points:
        # depot 7b: it stays in play until it is shot off the board.
        return Answer.NO
    return lie.touch


def in_play(lie: Lie, rules: Rules) -> Answer:
    """Return whether a disc can be struck: a leaner can (traditional Shooting 7), a 20 cannot."""
    if lie.place is Place.HOLE:
        return Answer.NO if lie.flat else Answer.YES
    return negate(on_line_5(lie, rules)) if lie.place is Place.BOARD else Answer.NO


def finds_opposition(shot: Shot, rules: Rules) -> Finding:
    """Return whether an opposing disc was in play, so that the shot had to strike one."""
    if not rules.contact_required:
        return Finding(Answer.YES, "contact_required", "no contact is asked for", ())
    answers = {disc.id: in_play(disc.lie, rules) for disc in shot.opposing}
    ask = tuple(f"was disc {disc} in play?" for disc, seen in answers.items() if seen is Answer.UNSURE)
    return Finding(any_of(answers.values()), "contact_required", "an opposing disc may be in play", ask)


def finds_contact(shot: Shot, rules: Rules) -> Finding:
    """Return whether the shot struck an opposing disc as the rules ask.

    By any of the shooter's discs: depot 3a, popular 4, wcc-2011 4.1.9.1, traditional Shooting 4,
    printable Legal Shot 1. By the shooting disc and before any own disc: depot 7a.
    """
    if not rules.contact_required:
        return Finding(Answer.YES, "contact_required", "no contact is asked for", ())
    test = was_hit_by_shooter if rules.direct_hit else was_struck
    answers = {
        disc.id: all_of((in_play(disc.lie, rules), test(shot.struck(disc), rules))) for disc in shot.opposing
    }
    ask = tuple(f"was disc {disc} struck?" for disc, seen in answers.items() if seen is Answer.UNSURE)
    answer = any_of(answers.values())
    if not rules.direct_hit:
        return Finding(answer, "contact_required", _contact_words(answer), ask)
    first = _opponent_first(shot, rules)
    if first is Answer.UNSURE:
        ask = (*ask, "which disc did the shooter meet first?")
    answer = all_of((answer, first))
    return Finding(answer, "direct_hit", _contact_words(answer) + ", directly and first", ask)


def finds_finish(shot: Shot, rules: Rules) -> Finding:
    """Return whether an open-table shot ended as the rules ask.

    Touching or within the 15 line, by the shooter or a disc struck: depot 3b, popular 5, wcc-2011 4.1.9.2,
    nca open board. Within it, by the shooter: traditional Shooting 5. Nothing: printable Legal Shot 2.
    """
    if rules.open_table in (OpenTable.FREE, OpenTable.TRY):
        return Finding(Answer.YES, "open_table", "an open table asks for nothing a board can show", ())
    answers = {shot.shooter: _in_middle(shot, shot.shooter, rules)}
    if rules.open_combination:
        for disc in shot.own:
            struck = was_struck(shot.struck(disc), rules)
            answers[disc.id] = all_of((struck, _in_middle(shot, disc.id, rules)))
    words = "within" if rules.open_table is OpenTable.WITHIN else "touching or within"
    ask = tuple(
        f"did the shot bring disc {disc} {words} the 15 line?"
        for disc, seen in answers.items()
        if seen is Answer.UNSURE
    )
    answer = any_of(answers.values())
    ends = {Answer.YES: "a disc of the shot ends", Answer.NO: "no disc of the shot ends"}
    reason = f"open table: {ends.get(answer, 'a disc of the shot may end')} {words} the 15 line"
    return Finding(answer, "open_table", reason, ask)


def _contact_words(answer: Answer) -> str:
    words = {Answer.YES: "an opposing disc was struck", Answer.NO: "no opposing disc was struck"}
    return words.get(answer, "an opposing disc may have been struck")


def _opponent_first(shot: Shot, rules: Rules) -> Answer:
    """Return whether the shooter met an opposing disc before any of its own (depot 7a)."""
    if shot.first is not None:
        return Answer.YES if any(disc.id == shot.first for disc in shot.opposing) else Answer.NO
    # Without seeing the first contact: surely first if no disc of one's own was hit at all.
    own_hit = any_of(was_hit_by_shooter(shot.struck(disc), rules) for disc in shot.own)
    return Answer.YES if own_hit is Answer.NO else Answer.UNSURE


def _in_middle(shot: Shot, disc: int, rules: Rules) -> Answer:
    """Return whether a disc lies in the middle as an open table asks. A 20 does (depot 3b)."""
    lie = shot.lie_after(disc)
    if lie.place is Place.HOLE:
        return Answer.YES
    if lie.line == 15:
        return negate(lie.touch) if rules.open_table is OpenTable.WITHIN else Answer.YES
    if lie.line == 10 and rules.open_table is OpenTable.FINISH:
        return dict(shot.outside_15).get(disc, Answer.NO)
    return Answer.NO

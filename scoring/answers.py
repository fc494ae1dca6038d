"""Reasoning with three answers: no, yes, unsure (Kleene's strong logic).

A statement is unsure only when the answers known so far allow both.
"""

from __future__ import annotations

from collections.abc import Iterable

from scoring.regions import Touch

#: The three answers serve every undecided fact, not only contacts.
Answer = Touch


def any_of(answers: Iterable[Answer]) -> Answer:
    """Return whether at least one is so; of none, no."""
    given = set(answers)
    if Answer.YES in given:
        return Answer.YES
    return Answer.UNSURE if Answer.UNSURE in given else Answer.NO


def negate(answer: Answer) -> Answer:
    """Return the opposite; unsure stays unsure."""
    return {Answer.YES: Answer.NO, Answer.NO: Answer.YES}.get(answer, Answer.UNSURE)


def all_of(answers: Iterable[Answer]) -> Answer:
    """Return whether every one is so; of none, yes."""
    return negate(any_of(negate(answer) for answer in answers))


def choose(condition: Answer, if_yes: Answer, if_no: Answer) -> Answer:
    """Return the one answer the condition picks; unsure when it might pick different ones."""
    if condition is Answer.YES:
        return if_yes
    if condition is Answer.NO or if_yes is if_no:
        return if_no
    return Answer.UNSURE

"""Three answers: the logic agrees with two-answer logic on every way the unsure ones may turn out."""

from __future__ import annotations

from itertools import product

import pytest

from scoring.answers import Answer, all_of, any_of, choose, negate

NO, YES, UNSURE = Answer.NO, Answer.YES, Answer.UNSURE


def ways(answers):
    """Every way unsure answers may turn out, as booleans."""
    return product(*([answer is YES] if answer is not UNSURE else [True, False] for answer in answers))


def verdict(results):
    """The one answer that all results agree on, else unsure."""
    seen = set(results)
    return UNSURE if len(seen) == 2 else YES if seen.pop() else NO


@pytest.mark.parametrize(
    "answers", [answers for size in range(4) for answers in product(Answer, repeat=size)]
)
def test_any_all_and_not_agree_with_every_way_it_may_turn_out(answers):
    assert any_of(answers) is verdict(any(way) for way in ways(answers))
    assert all_of(answers) is verdict(all(way) for way in ways(answers))
    if len(answers) == 1:
        assert negate(*answers) is verdict(not way[0] for way in ways(answers))
    if len(answers) == 3:
        assert choose(*answers) is verdict(way[1] if way[0] else way[2] for way in ways(answers))

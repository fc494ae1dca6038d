"""The swing: which undecided calls change the result of a round."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from scoring.presets import preset
from scoring.regions import Lie, Touch
from scoring.rounds import RoundDisc, score_round
from scoring.swing import Outcome
from tests.scoring.boards import IN_5, IN_10, IN_15, discs
from tests.scoring.strategies import any_rules, rounds, steady

NCA = preset()
AB = ["A", "B"]


def test_nothing_open_nothing_to_look_at():
    swing = score_round(discs("A", IN_15), AB, {}, NCA).swing
    assert (swing.calls, swing.cases, swing.look_at) == ((), (), ())
    assert [(likely.outcome, likely.probability) for likely in swing.outcomes] == [
        (Outcome("A", 15, (2, 0)), 1.0)
    ]


def test_if_disc_4_is_on_the_10_line_the_round_is_a_tie():
    lying = (RoundDisc(4, "A", Lie.unsure(10, 0.25)), RoundDisc(5, "B", IN_5))
    score = score_round(lying, AB, {}, NCA)
    assert (score.winner, score.difference) == ("A", 5)
    assert [case.text for case in score.swing.cases] == ["if disc 4 is on the 10 line the round is a tie"]
    assert score.swing.cases[0].answers == ((4, True),)
    call = score.swing.calls[0]
    assert (call.disc, call.contact.line, call.decides) == (4, 10, True)
    assert [likely.outcome.winner for likely in call.if_clear] == ["A"]
    assert [likely.outcome.text for likely in call.if_touching] == ["the round is a tie"]
    assert [likely.probability for likely in score.swing.outcomes] == [0.75, 0.25]


def test_a_likely_touch_is_told_the_other_way_round():
    lying = (RoundDisc(4, "A", Lie.unsure(10, 0.75)), RoundDisc(5, "B", IN_5))
    swing = score_round(lying, AB, {}, NCA).swing
    assert [case.text for case in swing.cases] == ["if disc 4 is clear of the 10 line A wins by 5"]


def test_a_referee_looks_only_at_the_calls_that_matter():
    lying = (
        RoundDisc(1, "A", Lie.unsure(15, 0.4)),
        RoundDisc(2, "A", IN_15),
        RoundDisc(3, "A", IN_10),
        RoundDisc(4, "B", Lie.unsure(5, 0.4)),
    )
    score = score_round(lying, AB, {}, NCA)
    assert score.swing.look_at == ()
    assert len(score.swing.calls) == 2
    assert not any(call.decides for call in score.swing.calls)
    by_difference = score_round(lying, AB, {}, preset("depot", "conventional"))
    assert by_difference.swing.look_at == (1, 4)


def test_two_calls_may_matter_only_together():
    lying = (
        RoundDisc(1, "A", Lie.unsure(15, 0.1)),
        RoundDisc(2, "A", Lie.unsure(15, 0.2)),
        *discs("B", IN_15, IN_5, start=10),
    )
    swing = score_round(lying, AB, {}, NCA).swing
    assert swing.look_at == (1, 2)
    assert [case.text for case in swing.cases] == [
        "if disc 1 is on the 15 line and disc 2 is on the 15 line the round is a tie"
    ]


def test_a_case_is_told_once_and_not_again_with_more_discs():
    lying = (
        RoundDisc(1, "A", Lie.unsure(10, 0.1)),
        RoundDisc(2, "A", Lie.unsure(10, 0.1)),
        *discs("B", IN_10, IN_5, start=10),
    )
    texts = [case.text for case in score_round(lying, AB, {}, NCA).swing.cases]
    assert texts == [
        "if disc 1 is on the 10 line the round is a tie",
        "if disc 2 is on the 10 line the round is a tie",
        "if disc 1 is on the 10 line and disc 2 is on the 10 line B wins by 5",
    ]


def test_a_stack_moves_with_the_disc_under_it():
    lying = (
        RoundDisc(1, "A", Lie.unsure(10, 0.2)),
        RoundDisc(2, "A", IN_15, on=1),
        RoundDisc(3, "A", Lie.unsure(15, 0.2), on=1),
        *discs("B", IN_15, start=10),
    )
    score = score_round(lying, AB, {}, NCA)
    assert score.of("A").board == 30
    assert [call.disc for call in score.swing.calls] == [1]
    assert [case.text for case in score.swing.cases] == ["if disc 1 is on the 10 line the round is a tie"]


def test_a_call_that_changes_both_sides_of_a_stack_alike_decides_nothing():
    lying = (RoundDisc(1, "A", Lie.unsure(10, 0.2)), RoundDisc(2, "B", IN_15, on=1))
    assert score_round(lying, AB, {}, NCA).swing.look_at == ()


def test_with_many_deciding_calls_cases_stop_at_pairs_and_outcomes_do_not():
    rules = preset("depot", "conventional")

    def swing(count: int):
        lying = tuple(RoundDisc(number, "A", Lie.unsure(15, 0.4)) for number in range(count))
        return score_round(lying, AB, {}, rules).swing

    assert max(len(case.answers) for case in swing(6).cases) == 6
    assert max(len(case.answers) for case in swing(7).cases) == 2
    assert len(swing(7).outcomes) == 8


def test_twenty_open_calls_are_no_trouble():
    lying = tuple(RoundDisc(number, AB[number % 2], Lie.unsure(10, 0.4)) for number in range(20))
    swing = score_round(lying, AB, {}, NCA).swing
    assert sum(likely.probability for likely in swing.outcomes) == pytest.approx(1.0)
    assert len(swing.look_at) == 20


def decided(disc: RoundDisc, touching: bool) -> RoundDisc:
    assert disc.lie.line is not None
    lie = Lie.touching(disc.lie.line) if touching else Lie.clear(disc.lie.line)
    return RoundDisc(disc.id, disc.side, lie)


@settings(steady, max_examples=40)
@given(rounds(("A", "B")), any_rules)
def test_the_swing_agrees_with_trying_every_combination(table, rules):
    lying, twenties = table
    swing = score_round(lying, AB, twenties, rules).swing
    unsure = [disc for disc in lying if disc.lie.touch is Touch.UNSURE]
    seen: dict[Outcome, float] = {}
    results = {}
    for answers in product((True, False), repeat=len(unsure)):
        ruled = {disc.id: decided(disc, touch) for disc, touch in zip(unsure, answers, strict=True)}
        score = score_round([ruled.get(disc.id, disc) for disc in lying], AB, twenties, rules)
        outcome = Outcome(score.winner, score.difference, tuple(side.awarded for side in score.sides))
        chance = 1.0
        for disc, touch in zip(unsure, answers, strict=True):
            chance *= disc.lie.touch_probability if touch else 1 - disc.lie.touch_probability
        seen[outcome] = seen.get(outcome, 0.0) + chance
        results[answers] = (outcome.winner, outcome.awarded)
    told = {likely.outcome: likely.probability for likely in swing.outcomes}
    assert told == {outcome: pytest.approx(chance, abs=1e-9) for outcome, chance in seen.items()}
    for index, disc in enumerate(unsure):
        flips = [(key, (*key[:index], not key[index], *key[index + 1 :])) for key in results]
        decides = any(results[one] != results[other] for one, other in flips)
        assert (disc.id in swing.look_at) is decides

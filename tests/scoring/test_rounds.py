"""Rounds and awards: totals, winners, points, and that neither order nor names matter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.awards import awarded, awarded_by_outcome, lead, placing_points, winner_index
from scoring.errors import BadFact
from scoring.presets import preset
from scoring.regions import points_of
from scoring.rounds import REGIONS, RoundDisc, base_lies, score_round
from scoring.rules import Award, Source, changed
from tests.scoring.boards import HOLE, IN_10, IN_15, discs
from tests.scoring.strategies import any_rules, rounds, steady

NCA = preset()
DIFFERENCE = preset("depot", "conventional")
PLACINGS = NCA.placings
SIDES = {count: tuple("ABCD"[:count]) for count in (2, 3, 4)}


@st.composite
def tables(draw: st.DrawFn):
    """Sides with discs and 20s."""
    sides = SIDES[draw(st.integers(2, 4))]
    return sides, *draw(rounds(sides))


def test_a_disc_in_the_hole_is_in_the_board_and_a_20_handed_in_is_not():
    score = score_round(discs("A", HOLE, IN_15), ["A", "B"], {"A": 1}, NCA)
    side = score.of("A")
    assert (side.board, side.twenties, side.twenties_made, side.total) == (35, 1, 2, 55)
    assert side.counts == (1, 1, 0, 0, 0)


def test_a_side_left_out_of_the_20s_made_none():
    assert [side.twenties for side in score_round((), ["A", "B"], {"B": 2}, NCA).sides] == [0, 2]


def test_each_side_is_found_by_its_name():
    score = score_round((), ["A", "B"], {"B": 2}, NCA)
    assert [score.of(side).side for side in "BA"] == ["B", "A"]


def test_a_tie_has_no_winner_and_no_difference():
    score = score_round((), ["A", "B"], {}, NCA)
    assert (score.winner, score.difference, [side.awarded for side in score.sides]) == (None, 0, [1, 1])


@pytest.mark.parametrize(
    ("sides", "twenties", "why"),
    [
        (["A"], {}, "two to four different sides, not A"),
        ([], {}, "not none"),
        (["A", "A"], {}, "two to four different"),
        (list("ABCDE"), {}, "two to four different"),
        (["A", "B"], {"C": 1}, "no side 'C' in this round; there are A, B"),
        (["A", "B"], {"A": -1}, "20s are zero or more, not -1"),
    ],
)
def test_sides_and_counts_that_cannot_be(sides, twenties, why):
    with pytest.raises(BadFact, match=why):
        score_round((), sides, twenties, NCA)


def test_a_disc_of_nobody_is_refused():
    with pytest.raises(BadFact, match="no side 'C'"):
        score_round(discs("C", IN_10), ["A", "B"], {}, NCA)


@pytest.mark.parametrize(
    ("stack", "why"),
    [
        ([RoundDisc(1, "A", IN_10), RoundDisc(1, "B", IN_10)], "same id"),
        ([RoundDisc(1, "A", IN_10, on=2)], "disc 1 is stacked on 2"),
        ([RoundDisc(1, "A", IN_10, on=1)], "disc 1 is stacked on 1"),
        ([RoundDisc(1, "A", IN_10, on=2), RoundDisc(2, "A", IN_10, on=1)], "stacked"),
    ],
)
def test_stacks_that_stand_on_nothing_are_refused(stack, why):
    with pytest.raises(BadFact, match=why):
        base_lies(stack)


def test_who_leads_and_by_how_much():
    assert (winner_index((10, 30, 20)), lead((10, 30, 20))) == (1, 10)
    assert (winner_index((30, 30, 20)), lead((30, 30, 20))) == (None, 0)


@pytest.mark.parametrize(
    ("places", "difference", "rules", "points"),
    [
        ((1, 2), None, NCA, (2, 0)),
        ((1, 1), None, NCA, (1, 1)),
        ((2, 1), 15, DIFFERENCE, (0, 15)),
        ((1, 1), 0, DIFFERENCE, (0, 0)),
        ((1, 2, 2), None, NCA, (8, 5, 5)),
    ],
)
def test_an_outcome_gives_what_can_be_known(places, difference, rules, points):
    assert awarded_by_outcome(places, difference, rules) == points


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (DIFFERENCE, "the difference is needed"),
        (preset("popular"), "each side's score is needed"),
        (preset("nca", "total_points"), "each side's score is needed"),
    ],
)
def test_an_outcome_invents_no_points(rules, why):
    with pytest.raises(BadFact, match=why):
        awarded_by_outcome((1, 2), None, rules)


def test_three_sides_by_their_own_award():
    assert awarded((60, 40, 20), (0, 0, 0), DIFFERENCE) == (8, 6, 4)


@steady
@given(tables(), any_rules)
def test_points_on_the_board_are_the_discs_points(table, rules):
    sides, lying, twenties = table
    score = score_round(lying, sides, twenties, rules)
    assert sum(side.board for side in score.sides) == sum(points_of(disc.lie, rules) for disc in lying)
    assert sum(sum(side.counts) for side in score.sides) == len(lying)
    for side in score.sides:
        assert side.board == sum(region * count for region, count in side.regions.items())
        assert list(side.regions) == list(REGIONS)
        assert side.total == side.board + 20 * twenties[side.side]


@steady
@given(tables(), any_rules, st.randoms(use_true_random=False))
def test_the_order_of_discs_and_sides_is_irrelevant(table, rules, random):
    sides, lying, twenties = table
    mixed, turned = list(lying), list(sides)
    random.shuffle(mixed)
    random.shuffle(turned)
    one = score_round(lying, sides, twenties, rules)
    other = score_round(mixed, turned, twenties, rules)
    assert (one.winner, one.difference) == (other.winner, other.difference)
    assert {side.side: side for side in one.sides} == {side.side: side for side in other.sides}


@steady
@given(tables(), any_rules)
def test_the_names_of_sides_are_irrelevant(table, rules):
    sides, lying, twenties = table
    called = {side: f"Team {side}!" for side in sides}
    renamed = [RoundDisc(disc.id, called[disc.side], disc.lie) for disc in lying]
    counts = {called[side]: count for side, count in twenties.items()}
    one = score_round(lying, sides, twenties, rules)
    other = score_round(renamed, [called[side] for side in sides], counts, rules)
    assert other.winner == (None if one.winner is None else called[one.winner])
    assert [side.awarded for side in one.sides] == [side.awarded for side in other.sides]
    assert [side.total for side in one.sides] == [side.total for side in other.sides]


@steady
@given(st.lists(st.integers(0, 40), min_size=2, max_size=4))
def test_shared_placings_sum_to_what_the_placings_sum_to(totals):
    points = placing_points(totals, PLACINGS)
    assert sum(points) == sum(PLACINGS[: len(totals)])
    assert sorted(totals, reverse=True) == [
        total for _, total in sorted(zip(points, totals, strict=True))[::-1]
    ]


@steady
@given(st.tuples(st.integers(0, 12), st.integers(0, 12)), st.tuples(st.integers(0, 6), st.integers(0, 6)))
def test_each_award_conserves_what_it_should(fives, twenties):
    boards = tuple(5 * five for five in fives)
    totals = [board + 20 * count for board, count in zip(boards, twenties, strict=True)]

    def by(award: Award):
        return awarded(boards, twenties, changed(NCA, Source("custom", ""), {"award": award}))

    assert sum(by(Award.MATCH_POINTS)) == 2
    assert by(Award.TOTAL) == tuple(totals)
    assert (sum(by(Award.DIFFERENCE)), min(by(Award.DIFFERENCE))) == (abs(totals[0] - totals[1]), 0)
    cancelled = by(Award.DIFFERENCE_THEN_TWENTIES)
    assert cancelled[0] - cancelled[1] == totals[0] - totals[1]

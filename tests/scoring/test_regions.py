"""Regions: what a lie is worth, and which lies cannot be."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import BadFact
from scoring.presets import preset
from scoring.regions import Contact, Lie, Place, Touch, contact_of, points_if, points_of, region_if, region_of
from tests.scoring.strategies import any_rules, lies, steady

OFF = Lie(Place.OFF, None, Touch.NO, 0.0)

#: From the hole outward.
OUTWARD = [
    Lie.in_hole(),
    Lie.in_hole(flat=False),
    *(lie for line in (15, 10, 5) for lie in (Lie.clear(line), Lie.touching(line))),
    Lie.in_ditch(),
    OFF,
]


@pytest.mark.parametrize(
    ("place", "line", "touch", "probability", "why"),
    [
        (Place.BOARD, None, Touch.NO, 0.0, "named by the 15, 10 or 5 line, not None"),
        (Place.BOARD, 20, Touch.NO, 0.0, "named by the 15, 10 or 5 line, not 20"),
        (Place.HOLE, 15, Touch.NO, 0.0, "place hole has no line"),
        (Place.DITCH, None, Touch.UNSURE, 0.5, "place ditch has no line"),
        (Place.BOARD, 15, Touch.UNSURE, -0.1, "between 0 and 1"),
        (Place.BOARD, 15, Touch.UNSURE, 1.1, "between 0 and 1"),
        (Place.BOARD, 15, Touch.UNSURE, math.nan, "between 0 and 1"),
        (Place.BOARD, 15, Touch.NO, 0.51, "clear of the line, yet more likely touching"),
        (Place.BOARD, 15, Touch.YES, 0.49, "touching the line, yet more likely clear"),
    ],
)
def test_a_lie_that_cannot_be_is_refused(place, line, touch, probability, why):
    with pytest.raises(BadFact, match=why):
        Lie(place, line, touch, probability)


def test_a_lie_may_be_as_doubtful_as_its_answer_allows():
    assert Lie(Place.BOARD, 15, Touch.NO, 0.5).likely_touching is False
    assert Lie(Place.BOARD, 15, Touch.YES, 0.5).likely_touching is True
    assert Lie(Place.BOARD, 15, Touch.UNSURE, 1.0).likely_touching is True
    assert Lie(Place.BOARD, 15, Touch.UNSURE, 0.0).likely_touching is False


def test_named_lies_say_how_sure_they_are():
    assert [Lie.clear(5).touch_probability, Lie.touching(5).touch_probability] == [0.0, 1.0]
    assert [lie.touch_probability for lie in (Lie.in_hole(), Lie.in_ditch())] == [0.0, 0.0]
    assert Lie.in_hole().flat


def test_at_exactly_one_half_the_lower_region():
    assert [region_of(Lie.unsure(line, 0.5)) for line in (15, 10, 5)] == [10, 5, 0]


def test_off_the_board_is_worth_nothing_whatever_is_asked():
    assert (region_of(OFF), region_if(OFF, True), points_if(Lie.in_ditch(), preset(), True)) == (0, 0, 0)


def test_an_undecided_contact_says_both_answers():
    assert contact_of(Lie.unsure(10, 0.3), preset()) == Contact(10, 10, 5, 0.3)
    assert contact_of(Lie.unsure(5, 0.3), preset()) == Contact(5, 5, 0, 0.3)


def test_a_decided_contact_is_no_question():
    assert contact_of(Lie.touching(10), preset()) is None
    assert contact_of(Lie.in_hole(), preset()) is None


def test_a_contact_that_changes_nothing_is_no_question():
    assert contact_of(Lie.unsure(5, 0.3), preset("depot", "line_counts_5")) is None
    tilted = Lie(Place.BOARD, 15, Touch.UNSURE, 0.3, flat=False)
    assert contact_of(tilted, preset("popular")) is None


def test_a_leaner_scores_even_where_tilted_discs_on_the_board_do_not():
    assert points_of(Lie.in_hole(flat=False), preset("popular")) == 15


@steady
@given(any_rules)
def test_moving_a_disc_outward_never_raises_its_points(rules):
    points = [points_of(lie, rules) for lie in OUTWARD]
    assert points == sorted(points, reverse=True)
    regions = [region_of(lie) for lie in OUTWARD]
    assert regions == sorted(regions, reverse=True)


@steady
@given(lies, any_rules)
def test_touching_never_scores_more_than_clear(lie, rules):
    assert points_if(lie, rules, True) <= points_if(lie, rules, False)
    assert points_of(lie, rules) in (0, 5, 10, 15, 20)


@steady
@given(st.sampled_from([15, 10, 5]), st.floats(0.0, 1.0), st.floats(0.0, 1.0), any_rules)
def test_a_likelier_touch_never_raises_the_points(line, one, other, rules):
    low, high = sorted((one, other))
    assert points_of(Lie.unsure(line, high), rules) <= points_of(Lie.unsure(line, low), rules)

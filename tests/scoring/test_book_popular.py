"""The popular rules, clause by clause."""

from __future__ import annotations

import pytest

from scoring.answers import Answer
from scoring.awards import awarded
from scoring.errors import IllegalEvent
from scoring.events import RoundScored, TypedRound
from scoring.presets import preset
from scoring.record import replay
from scoring.regions import Lie, Place, Touch, points_of
from scoring.rounds import score_round
from scoring.shot_facts import Journey, Struck
from scoring.shots import Verdict
from tests.scoring.boards import (
    DITCH,
    HOLE,
    IN_5,
    IN_10,
    IN_15,
    ON_5,
    ON_10,
    ON_15,
    SHOOTER,
    discs,
    doubles,
    play,
    shoot,
    singles,
    won,
)

POPULAR = preset("popular")
TILTED = Lie(Place.BOARD, 10, Touch.NO, 0.0, flat=False)


def round_of(a: tuple[int, int], b: tuple[int, int]) -> RoundScored:
    """A typed round: board points and 20s of each side."""
    totals = {"A": a[0] + 20 * a[1], "B": b[0] + 20 * b[1]}
    return RoundScored(TypedRound.of(totals, {"A": a[1], "B": b[1]}))


def test_2_six_discs_each_in_doubles_clockwise():
    state = replay(doubles(POPULAR))
    assert state.turns.discs_left == (6, 6, 6, 6)
    assert state.may_shoot == ("X1",)


def test_2_an_illegal_start_is_left_to_the_referee():
    assert shoot(POPULAR, IN_15, illegal_start=Answer.YES).verdict is Verdict.VALID


def test_4_a_combination_counts_and_a_miss_removes_all_touched():
    contacts = ((1, Struck.BY_SHOOTER), (2, Struck.BY_OTHER))
    around = {"mine": {1: (IN_10, IN_15)}, "theirs": {2: (IN_10, IN_10)}}
    assert shoot(POPULAR, IN_10, **around, contacts=contacts).verdict is Verdict.VALID
    missed = shoot(POPULAR, IN_10, **around, contacts=((1, Struck.BY_SHOOTER), (2, Struck.NO)))
    assert (str(missed.rule), missed.if_invalid.remove) == ("popular 4", (SHOOTER, 1))


@pytest.mark.parametrize(("ends", "stands"), [(HOLE, True), (IN_15, True), (ON_15, True), (IN_10, False)])
def test_5_on_an_open_table_the_shot_rests_inside_or_touching_the_15(ends, stands):
    assert (shoot(POPULAR, ends).verdict is Verdict.VALID) is stands


def test_5_a_combination_may_raise_a_disc_and_a_failed_one_loses_all_touched():
    assert shoot(POPULAR, IN_5, mine={1: (IN_10, ON_15)}).verdict is Verdict.VALID
    failed = shoot(POPULAR, IN_5, mine={1: (IN_10, IN_5)})
    assert (str(failed.rule), failed.if_invalid.remove) == ("popular 5", (SHOOTER, 1))


def test_6_a_20_counts_when_legally_played_and_flat():
    ruling = shoot(POPULAR, HOLE, theirs={1: (IN_10, IN_10)})
    assert (ruling.if_valid.twenties, ruling.if_invalid.twenties) == ((("me", 1),), ())


def test_7_at_rest_on_the_outer_ring_is_out_passing_over_it_is_not():
    assert points_of(ON_5, POPULAR) == 0
    for journey in (Journey.CROSSED, Journey.CROSSED_AND_STRUCK):
        assert shoot(POPULAR, IN_15, journeys=((SHOOTER, journey),)).if_valid.remove == ()


def test_7_a_disc_that_rebounds_is_out_and_what_it_touched_stands():
    journeys = ((SHOOTER, Journey.LEFT),)
    ruling = shoot(POPULAR, IN_15, theirs={1: (IN_15, IN_5)}, journeys=journeys)
    assert (ruling.if_valid.remove, ruling.if_valid.put_back) == ((SHOOTER,), ())


def test_8_a_hopper_that_does_not_rest_flat_is_out_and_what_it_touched_is_treated_normally():
    ruling = shoot(POPULAR, TILTED, theirs={1: (IN_10, IN_5)})
    assert (ruling.verdict, ruling.if_valid.remove) == (Verdict.VALID, (SHOOTER,))
    assert (points_of(TILTED, POPULAR), points_of(TILTED, preset("depot"))) == (0, 10)


def test_9_a_disc_whose_bottom_touches_a_line_counts_lower():
    assert [points_of(lie, POPULAR) for lie in (ON_15, ON_10)] == [10, 5]


def test_9_the_board_is_cancelled_first_and_each_adds_its_20s():
    assert awarded((45, 30), (1, 2), POPULAR) == (35, 40)
    assert awarded((30, 30), (0, 1), POPULAR) == (0, 20)


def test_9_a_disc_still_in_the_hole_is_a_20_and_not_cancelled():
    score = score_round(
        (*discs("A", IN_15, HOLE), *discs("B", IN_15, IN_10, start=10)), ["A", "B"], {"B": 1}, POPULAR
    )
    assert [side.awarded for side in score.sides] == [20, 30]
    assert (score.of("A").board, score.of("A").twenties, score.of("A").twenties_made) == (35, 0, 1)


def test_9_a_total_without_its_20s_cannot_be_cancelled():
    with pytest.raises(IllegalEvent, match="number of 20s besides the total"):
        play(singles(POPULAR), RoundScored(TypedRound.of({"A": 45, "B": 30})))


def test_10a_to_100_points_both_sides_can_grow_in_one_round():
    record = play(singles(POPULAR), round_of((45, 2), (0, 1)), round_of((5, 0), (10, 2)))
    assert replay(record).games[0].points == (85, 65)
    state = replay(play(record, round_of((0, 1), (30, 1))))
    assert (state.games[0].points, state.winner) == ((105, 115), "B")


def test_10a_level_beyond_100_goes_on():
    record = play(singles(POPULAR), round_of((0, 5), (0, 5)))
    assert not replay(record).over
    assert replay(play(record, round_of((15, 0), (10, 0)))).winner == "A"


def test_10b_a_set_number_of_rounds_compared_at_the_end():
    record = singles(preset("popular", "set_rounds"))
    for number in range(4):
        assert not replay(record).over
        record = play(record, round_of((15, number), (10, 1)))
    assert replay(record).games[0].points == (140, 80)
    assert replay(record).winner == "A"


def test_10c_two_for_a_win_one_for_a_tie_to_8():
    record = singles(preset("popular", "first_to_8"))
    record = play(record, won("A"), won("B"), won("A"), won("="), won("A"))
    assert (replay(record).games[0].points, replay(record).over) == ((7, 3), False)
    assert replay(play(record, won("="))).winner == "A"


def test_10c_level_at_8_goes_on():
    record = play(singles(preset("popular", "first_to_8")), *(won(side) for side in "ABABAB=="))
    assert (replay(record).games[0].points, replay(record).over) == ((8, 8), False)


def test_ditch_scores_nothing():
    assert points_of(DITCH, POPULAR) == 0

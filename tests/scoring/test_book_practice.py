"""Today's practice: what the association and the world championship do, and what else is played."""

from __future__ import annotations

import pytest

from scoring.events import Penalty, RoundScored, ShootOutScored, TypedRound
from scoring.games import shoot_out_discs
from scoring.lineup import Lineup
from scoring.presets import preset
from scoring.record import Record, replay
from scoring.regions import Lie, points_of, region_of
from scoring.rounds import RoundDisc, score_round
from scoring.shot_facts import Journey, Struck
from scoring.shots import Verdict
from scoring.state import Next
from tests.scoring.boards import (
    HOLE,
    IN_5,
    IN_10,
    IN_15,
    ON_5,
    ON_15,
    SHOOTER,
    after_rounds,
    doubles,
    play,
    shoot,
    singles,
    typed,
    won,
)

NCA = preset()


def test_nca_is_the_default():
    assert preset("nca") == NCA


def test_nca_discs_8_in_singles_6_each_in_doubles():
    assert replay(singles(NCA)).turns.discs_left == (8, 8)
    assert replay(doubles(NCA)).turns.discs_left == (6, 6, 6, 6)


def test_nca_award_two_one_or_nothing_by_raw_totals():
    state = replay(play(singles(NCA), typed(45, 25), typed(30, 30)))
    assert state.games[0].points == (3, 1)


def test_nca_four_rounds_so_4_to_4_stands():
    state = after_rounds(NCA, "ABAB")
    assert (state.games[0].points, state.over, state.winner) == ((4, 4), True, None)


def test_nca_four_rounds_are_played_to_the_end():
    assert not after_rounds(NCA, "AAA").over


def test_nca_6e_the_bottom_edge_judges_touching():
    assert region_of(Lie.unsure(10, 0.5)) == 5


def test_nca_8e_touching_or_crossing_the_outer_line_is_out():
    assert points_of(ON_5, NCA) == 0


def test_nca_8g_a_spinning_disc_that_struck_nothing_stays():
    assert shoot(NCA, IN_15, journeys=((SHOOTER, Journey.CROSSED),)).if_valid.remove == ()
    struck = shoot(NCA, IN_15, journeys=((SHOOTER, Journey.CROSSED_AND_STRUCK),))
    assert struck.if_valid.remove == (SHOOTER,)


def test_nca_8h_damage_stays():
    ruling = shoot(NCA, IN_15, theirs={1: (IN_15, IN_5)}, journeys=((SHOOTER, Journey.LEFT),))
    assert (ruling.if_valid.remove, ruling.if_valid.put_back) == ((SHOOTER,), ())


def test_nca_open_board_touching_the_15_line_is_valid_though_it_scores_10():
    assert shoot(NCA, ON_15).verdict is Verdict.VALID
    assert points_of(ON_15, NCA) == 10
    assert shoot(NCA, Lie.unsure(15, 0.5)).verdict is Verdict.VALID


def test_nca_stacked_scores_as_the_disc_under_it():
    stack = (
        RoundDisc(1, "B", Lie.touching(10)),
        RoundDisc(2, "A", IN_15, on=1),
        RoundDisc(3, "A", IN_15, on=2),
    )
    score = score_round(stack, ["A", "B"], {}, NCA)
    assert [side.board for side in score.sides] == [10, 5]


def test_nca_invalid_shot_shooter_and_all_struck_leave_20s_too():
    contacts = ((1, Struck.BY_SHOOTER), (2, Struck.NO))
    ruling = shoot(NCA, HOLE, mine={1: (IN_10, IN_15)}, theirs={2: (IN_10, IN_10)}, contacts=contacts)
    assert ruling.if_invalid.remove == (SHOOTER, 1)
    assert ruling.if_invalid.twenties == ()


def test_wcc_fifth_round_after_a_tied_game():
    wcc = preset("wcc")
    assert not after_rounds(wcc, "ABAB").over
    assert after_rounds(wcc, "ABABA").winner == "A"
    assert after_rounds(wcc, "AAAB").winner == "A"
    tied = after_rounds(wcc, "ABAB=")
    assert (tied.over, tied.winner) == (True, None)


@pytest.mark.parametrize("target", [5, 7, 9])
def test_practice_first_to_n_win_by_two(target):
    rules = preset("nca", f"first_to_{target}")
    record = play(singles(rules), won("="))
    while replay(record).games[0].points[0] < target:
        assert not replay(record).over
        record = play(record, won("A"))
    assert (replay(record).over, replay(record).winner) == (True, "A")


def test_practice_first_to_n_one_ahead_is_not_enough():
    rules = preset("nca", "first_to_5")
    level = play(singles(rules), *(won(side) for side in "AB==="))
    assert (replay(level).games[0].points, replay(level).over) == ((5, 5), False)
    assert replay(play(level, won("B"))).winner == "B"
    ahead = play(singles(rules), *(won(side) for side in "AB="), Penalty("B", 1, "delay"), won("="), won("="))
    assert (replay(ahead).games[0].points, replay(ahead).over) == ((5, 4), False)


def test_practice_best_of_three_ends_when_nobody_can_catch_up():
    rules = preset("nca", "best_of_three")
    assert not after_rounds(rules, "AAAA").over
    assert after_rounds(rules, "AAAABBBB").games_won == (1, 1)
    state = after_rounds(rules, "AAAA" * 2)
    assert (state.over, state.winner, len(state.games)) == (True, "A", 2)
    state = after_rounds(rules, "AAAA" + "ABAB" + "BBBB")
    assert (state.over, state.winner, state.games_won) == (True, None, (1, 1))


def test_practice_quinte_best_of_three_then_two_rounds_until_decided():
    rules = preset("nca", "quinte")
    level = "AAAA" + "BBBB" + "ABAB"
    state = after_rounds(rules, level)
    assert (state.over, len(state.games), state.games[-1].form.rounds) == (False, 4, 2)
    assert not after_rounds(rules, level + "A").over
    assert not after_rounds(rules, level + "AB").over
    assert not after_rounds(rules, level + "ABB").over
    assert after_rounds(rules, level + "ABB=").winner == "B"
    assert after_rounds(rules, level + "AA").games_won == (2, 1)


def test_practice_total_points_over_four_rounds():
    record = play(
        singles(preset("nca", "total_points")), typed(40, 60), typed(50, 20), typed(20, 20), typed(10, 5)
    )
    assert (replay(record).games[0].points, replay(record).winner) == ((120, 105), "A")


def test_practice_shoot_out_twelve_discs_each_then_one_each():
    record = singles(preset("nca", "shoot_out"))
    assert replay(record).next is Next.SHOOT_OUT
    assert replay(record).may_shoot == ()
    record = play(record, ShootOutScored((("A", 12), ("B", 12))), ShootOutScored((("B", 1), ("A", 1))))
    assert not replay(record).over
    state = replay(play(record, ShootOutScored((("A", 0), ("B", 1)))))
    assert (state.winner, state.next) == ("B", Next.NOTHING)
    assert state.games[0].shoot_out == ((12, 12), (1, 1), (0, 1))
    assert [shoot_out_discs(stage) for stage in range(3)] == [12, 1, 1]


def test_practice_difference_to_100():
    record = play(singles(preset("nca", "difference_to_100")), typed(95, 0), typed(0, 90))
    assert replay(play(record, typed(5, 0))).games[0].points == (100, 90)


def test_practice_total_points_of_three_players():
    rules = preset("nca", "total_points")
    entry = RoundScored(TypedRound.of({"A": 60, "B": 50, "C": 40}))
    state = replay(Record(Lineup.single("A", "B", "C"), rules, 0, (entry,)))
    assert state.games[0].points == (60, 50, 40)

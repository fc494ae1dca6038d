"""The traditional rules, clause by clause."""

from __future__ import annotations

import pytest

from scoring.answers import Answer
from scoring.awards import match_points
from scoring.events import MeasuredRound, RoundScored, ShotTaken
from scoring.lineup import Lineup
from scoring.obligations import in_play
from scoring.presets import preset
from scoring.record import Record, replay
from scoring.regions import points_of, region_of
from scoring.rounds import score_round
from scoring.shot_facts import Journey, Struck
from scoring.shots import Verdict
from tests.scoring.boards import (
    DITCH,
    HOLE,
    IN_5,
    IN_10,
    IN_15,
    LEANER,
    ON_5,
    ON_10,
    ON_15,
    SHOOTER,
    after_rounds,
    discs,
    doubles,
    play,
    shoot,
    singles,
    typed,
)

TRADITIONAL = preset("traditional")
MATCH_PLAY = preset("traditional", "match_play")


def test_parts_2_regions_and_the_outer_ring_without_value():
    assert [region_of(lie) for lie in (HOLE, IN_15, IN_10, IN_5, ON_5)] == [20, 15, 10, 5, 0]


def test_parts_3_twelve_discs_a_colour():
    assert singles(TRADITIONAL).lineup.discs_a_side(TRADITIONAL) == 12
    assert doubles(TRADITIONAL).lineup.discs_a_side(TRADITIONAL) == 12


def test_shooting_1_an_illegal_start_is_left_to_the_referee():
    assert shoot(TRADITIONAL, IN_15, illegal_start=Answer.UNSURE).reason.endswith("for the referee")


def test_shooting_2_shots_and_starts_alternate():
    state = replay(play(singles(TRADITIONAL), ShotTaken("A", Verdict.VALID)))
    assert state.may_shoot == ("B",)
    assert replay(play(singles(TRADITIONAL), typed(20, 0))).may_shoot == ("B",)


def test_shooting_4_a_miss_removes_the_shooter_and_every_own_disc_touched():
    contacts = ((1, Struck.BY_SHOOTER), (2, Struck.BY_OTHER))
    mine = {1: (IN_15, IN_15), 2: (IN_10, HOLE), 3: (IN_5, IN_5)}
    ruling = shoot(TRADITIONAL, HOLE, mine=mine, theirs={9: (IN_10, IN_10)}, contacts=contacts)
    assert (ruling.verdict, str(ruling.rule)) == (Verdict.INVALID, "traditional Shooting 4")
    assert ruling.if_invalid.remove == (SHOOTER, 1, 2)
    assert ruling.if_invalid.twenties == ()


@pytest.mark.parametrize("ends", [HOLE, LEANER, IN_15])
def test_shooting_5_a_free_shot_comes_to_rest_within_the_15(ends):
    ruling = shoot(TRADITIONAL, ends)
    assert (ruling.verdict, str(ruling.rule)) == (Verdict.VALID, "traditional Shooting 5")


def test_shooting_5_on_the_line_is_not_within():
    ruling = shoot(TRADITIONAL, ON_15)
    assert ruling.verdict is Verdict.INVALID
    assert ruling.reason == "open table: no disc of the shot ends within the 15 line"
    assert shoot(TRADITIONAL, IN_10, outside_15=((SHOOTER, Answer.YES),)).verdict is Verdict.INVALID


def test_shooting_5_only_the_shooter_counts_and_only_the_shooter_goes():
    ruling = shoot(TRADITIONAL, IN_10, mine={1: (IN_10, IN_15)})
    assert (ruling.verdict, ruling.if_invalid.remove) == (Verdict.INVALID, (SHOOTER,))


def test_shooting_6_a_disc_moved_through_a_peg_is_hit():
    facts = {"theirs": {1: (IN_15, IN_10)}, "contacts": ((1, Struck.THROUGH_PEG),)}
    assert shoot(TRADITIONAL, IN_10, **facts).verdict is Verdict.VALID
    assert shoot(preset("depot"), IN_10, **facts).verdict is Verdict.INVALID


def test_shooting_7_a_leaner_is_still_in_play_and_no_20():
    assert in_play(LEANER, TRADITIONAL) is Answer.YES
    assert points_of(LEANER, TRADITIONAL) == 15


def test_shooting_7_a_20_goes_to_the_owner_of_the_disc():
    ruling = shoot(TRADITIONAL, DITCH, theirs={1: (IN_15, HOLE)})
    assert ruling.if_valid.twenties == (("them", 1),)


def test_shooting_8_touching_the_outside_line_is_out_at_once():
    ruling = shoot(TRADITIONAL, IN_15, journeys=((SHOOTER, Journey.CROSSED),))
    assert ruling.if_valid.remove == (SHOOTER,)
    assert points_of(ON_5, TRADITIONAL) == 0


def test_shooting_9_a_disc_that_bounces_back_is_out_and_what_it_touched_stays():
    ruling = shoot(
        TRADITIONAL, IN_15, theirs={1: (IN_15, IN_5), 2: (IN_5, HOLE)}, journeys=((SHOOTER, Journey.LEFT),)
    )
    assert (ruling.if_valid.remove, ruling.if_valid.twenties) == ((SHOOTER,), (("them", 1),))


def test_scoring_0_a_round_is_scored_after_24_discs():
    record = singles(TRADITIONAL)
    for _ in range(12):
        record = play(record, ShotTaken("A", Verdict.VALID), ShotTaken("B", Verdict.VALID))
    assert replay(record).may_shoot == ()


def test_scoring_1_each_20_made_during_play_counts_20():
    assert score_round((), ["A", "B"], {"A": 3}, TRADITIONAL).of("A").total == 60


def test_scoring_2_a_disc_on_the_line_counts_the_lower_value():
    assert (region_of(ON_15), region_of(ON_10)) == (10, 5)


def test_scoring_3_the_higher_total_wins():
    score = score_round(discs("A", IN_15), ["A", "B"], {"B": 1}, TRADITIONAL)
    assert (score.winner, score.difference) == ("B", 5)


def test_stroke_1_45_to_25_gives_20_to_0():
    entry = MeasuredRound(
        (*discs("Blue", IN_15, IN_10), *discs("Red", IN_15, IN_10, start=10)), (("Blue", 1), ("Red", 0))
    )
    record = Record(Lineup.single("Blue", "Red"), TRADITIONAL, 0, (RoundScored(entry),))
    played = replay(record).games[0].rounds[0].result
    assert (played.totals, played.awarded) == ((45, 25), (20, 0))


def test_stroke_1_play_goes_on_until_100():
    state = replay(play(singles(TRADITIONAL), typed(95, 0), typed(0, 80)))
    assert not state.over
    state = replay(play(singles(TRADITIONAL), typed(95, 0), typed(0, 80), typed(25, 20)))
    assert (state.games[0].points, state.winner) == ((100, 80), "A")


def test_stroke_2_in_doubles_shots_and_starts_go_clockwise():
    assert replay(play(doubles(TRADITIONAL), ShotTaken("X1", Verdict.VALID))).may_shoot == ("Y1",)


def test_match_1_two_points_for_a_win_one_each_for_a_tie():
    assert (match_points((45, 25)), match_points((30, 30))) == ((2, 0), (1, 1))


def test_match_2_four_rounds_then_sudden_death():
    assert after_rounds(MATCH_PLAY, "AAAA").games[0].points == (8, 0)
    assert not after_rounds(MATCH_PLAY, "AABB").over
    assert not after_rounds(MATCH_PLAY, "AABB=").over
    assert after_rounds(MATCH_PLAY, "AABB=B").winner == "B"


def test_match_3_each_starts_twice_in_four_rounds():
    starters = [played.starter for played in after_rounds(MATCH_PLAY, "AAAA").games[0].rounds]
    assert sorted(starters) == ["A", "A", "B", "B"]

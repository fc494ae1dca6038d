"""The world championship's rules of 2011, clause by clause."""

from __future__ import annotations

import pytest

from scoring.answers import Answer
from scoring.errors import IllegalEvent
from scoring.events import Forfeit, HornSounded, RoundScored, Scope, ShotTaken, TypedRound
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
    ON_15,
    SHOOTER,
    discs,
    doubles,
    play,
    shoot,
    singles,
    typed,
    won,
)

WCC = preset("wcc-2011")


def shots(players: str):
    return [ShotTaken(player, Verdict.VALID) for player in players]


def test_4_1_3_an_illegal_start_is_for_the_referee():
    ruling = shoot(WCC, IN_15, illegal_start=Answer.YES)
    assert ruling.reason.endswith("for the referee")


def test_4_1_4_play_goes_clockwise():
    record = play(doubles(WCC), ShotTaken("X2", Verdict.VALID))
    assert replay(record).may_shoot == ("Y2",)
    assert replay(play(record, ShotTaken("Y2", Verdict.VALID))).may_shoot == ("X1",)


def test_4_1_5_a_disc_in_the_ditch_is_out():
    ruling = shoot(WCC, IN_10, theirs={1: (IN_15, DITCH)})
    assert ruling.if_valid.remove == (1,)
    off = Lie(Place.OFF, None, Touch.NO, 0.0)
    assert shoot(WCC, IN_10, theirs={1: (IN_15, off)}).if_valid.remove == (1,)


def test_4_1_6_a_disc_that_stops_on_the_outer_line_is_out():
    assert points_of(ON_5, WCC) == 0
    assert shoot(WCC, IN_10, theirs={1: (IN_15, ON_5)}).if_valid.remove == (1,)


def test_4_1_8_1_a_round_ends_when_all_discs_are_shot():
    record = play(singles(WCC), *shots("AB" * 8))
    assert replay(record).may_shoot == ()
    with pytest.raises(IllegalEvent, match="nobody has a shot left"):
        play(record, *shots("A"))


def test_4_1_8_1_the_first_shot_alternates_between_teams_whoever_of_them_takes_it():
    record = doubles(WCC)
    assert replay(record).may_shoot == ("X1", "X2")
    record = play(record, RoundScored(TypedRound.of({"X": 20, "Y": 0})))
    assert replay(record).may_shoot == ("Y1", "Y2")


def test_4_1_8_1_the_partner_who_did_shoot_first_is_the_starter():
    scored = RoundScored(TypedRound.of({"X": 20, "Y": 0}))
    record = play(doubles(WCC), ShotTaken("X2", Verdict.VALID), scored, scored)
    assert [played.starter for played in replay(record).games[0].rounds] == ["X2", "Y1"]


def test_4_1_8_4_the_board_and_the_20s_are_totalled():
    assert score_round(discs("A", IN_15, IN_10), ["A", "B"], {"A": 1}, WCC).of("A").total == 45


def test_4_1_9_1_an_opposing_disc_is_struck_directly_or_in_combination():
    contacts = ((1, Struck.BY_SHOOTER), (2, Struck.BY_OTHER))
    around = {"mine": {1: (IN_10, IN_10)}, "theirs": {2: (IN_10, IN_10)}}
    assert shoot(WCC, IN_10, **around, contacts=contacts).verdict is Verdict.VALID
    assert str(shoot(WCC, IN_10, **around).rule) == "wcc-2011 4.1.9.1"
    assert shoot(WCC, IN_10, **around).verdict is Verdict.INVALID


def test_4_1_9_2_on_an_open_table_play_to_the_middle():
    assert shoot(WCC, ON_15).verdict is Verdict.VALID
    assert shoot(WCC, HOLE).verdict is Verdict.VALID
    assert shoot(WCC, IN_5, mine={1: (IN_10, IN_15)}).verdict is Verdict.VALID
    assert shoot(WCC, IN_10).verdict is Verdict.INVALID


def test_4_1_9_3_shooter_and_own_struck_discs_go_with_their_20s_and_the_opponents_stay():
    contacts = ((1, Struck.BY_SHOOTER), (3, Struck.THROUGH_PEG))
    mine, theirs = {1: (IN_10, HOLE), 2: (IN_10, IN_10)}, {3: (IN_15, HOLE)}
    ruling = shoot(WCC, IN_10, mine=mine, theirs=theirs, contacts=contacts)
    assert ruling.verdict is Verdict.INVALID
    assert ruling.if_invalid.remove == (SHOOTER, 1)
    assert ruling.if_invalid.twenties == (("them", 1),)


def test_4_1_10_damage_by_a_disc_that_re_enters_stays_and_its_20s_count():
    journeys = ((SHOOTER, Journey.LEFT),)
    ruling = shoot(WCC, IN_15, theirs={1: (IN_15, HOLE), 2: (IN_15, IN_5)}, journeys=journeys)
    assert (ruling.if_valid.remove, ruling.if_valid.twenties) == ((SHOOTER,), (("them", 1),))


@pytest.mark.parametrize("journey", [Journey.CROSSED, Journey.CROSSED_AND_STRUCK])
def test_4_1_11_a_spinning_disc_that_comes_back_stays(journey):
    assert shoot(WCC, IN_15, journeys=((SHOOTER, journey),)).if_valid.remove == ()


def test_4_2_4_a_round_a_game_or_a_match_can_be_forfeited():
    record = play(singles(WCC), Forfeit("A", Scope.ROUND, "coaching"))
    assert replay(record).games[0].points == (0, 2)
    for scope in (Scope.GAME, Scope.MATCH):
        state = replay(play(record, Forfeit("A", scope, "coaching")))
        assert (state.over, state.winner) == (True, "B")


def test_4_2_5_after_the_horn_the_side_with_one_shot_less_takes_one_more():
    record = play(singles(WCC), *shots("ABA"), HornSounded())
    assert replay(record).may_shoot == ("B",)
    record = play(record, *shots("B"))
    assert replay(record).may_shoot == ()
    assert replay(play(record, typed(30, 20))).games[0].points == (2, 0)


def test_4_2_5_with_equal_shots_the_round_is_over():
    assert replay(play(singles(WCC), *shots("AB"), HornSounded())).may_shoot == ()
    assert replay(play(singles(WCC), HornSounded())).may_shoot == ()


def test_4_2_5_the_horn_is_for_one_round():
    record = play(singles(WCC), HornSounded(), won("A"))
    assert replay(record).may_shoot == ("B",)
    with pytest.raises(IllegalEvent, match="already sounded"):
        play(record, HornSounded(), HornSounded())

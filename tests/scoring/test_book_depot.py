"""The depot's rules, clause by clause."""

from __future__ import annotations

import pytest

from scoring.answers import Answer
from scoring.awards import awarded, difference_points, placing_points
from scoring.events import RoundScored, ShotTaken, TypedRound
from scoring.lineup import Lineup, Side
from scoring.obligations import in_play
from scoring.presets import preset
from scoring.record import Record, replay
from scoring.regions import Lie, points_of, region_of
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

DEPOT = preset("depot")


def test_1_eight_discs_in_singles_six_each_in_doubles():
    assert Lineup.single("A", "B").discs_each(DEPOT) == 8
    teams = Lineup.doubles(Side("X", ("X1", "X2")), Side("Y", ("Y1", "Y2")))
    assert (teams.discs_each(DEPOT), teams.discs_a_side(DEPOT)) == (6, 12)


def test_1_partners_sit_opposite():
    assert [seat.player for seat in doubles(DEPOT).lineup.seats] == ["X1", "Y1", "X2", "Y2"]


def test_1_singles_alternate_turns_from_whoever_chance_picked():
    record = singles(DEPOT, first=1)
    assert replay(record).may_shoot == ("B",)
    assert replay(play(record, ShotTaken("B", Verdict.VALID))).may_shoot == ("A",)


def test_2a_turns_go_clockwise():
    record = doubles(DEPOT)
    for player in ("X1", "Y1", "X2", "Y2", "X1"):
        assert replay(record).may_shoot == (player,)
        record = play(record, ShotTaken(player, Verdict.VALID))


def test_2b_twenties_removed_after_a_turn_stay_counted_until_the_round_ends():
    record = play(singles(DEPOT), ShotTaken("A", Verdict.VALID, (("A", 1),)), ShotTaken("B", Verdict.VALID))
    assert replay(record).twenties == (1, 0)
    assert replay(play(record, typed(20, 0))).twenties == (0, 0)


def test_2c_the_board_is_counted_along_with_the_twenties():
    score = score_round(discs("A", IN_15, IN_5), ["A", "B"], {"A": 2}, DEPOT)
    assert (score.of("A").board, score.of("A").twenties, score.of("A").total) == (20, 2, 60)


def test_2d_players_alternate_starting_rounds():
    state = after_rounds(DEPOT, "AAAA")
    assert [played.starter for played in state.games[0].rounds] == ["A", "B", "A", "B"]


def test_2d_in_doubles_the_start_moves_clockwise():
    record = doubles(DEPOT)
    for _ in range(4):
        record = play(record, RoundScored(TypedRound.of({"X": 20, "Y": 0})))
    starters = [played.starter for played in replay(record).games[0].rounds]
    assert starters == ["X1", "Y1", "X2", "Y2"]


def test_3a_an_opposing_disc_must_be_struck():
    missed = shoot(DEPOT, IN_15, theirs={1: (IN_10, IN_10)})
    assert (missed.verdict, str(missed.rule)) == (Verdict.INVALID, "depot 3a")
    assert missed.reason == "no opposing disc was struck"
    hit = shoot(DEPOT, IN_10, theirs={1: (IN_10, DITCH)})
    assert (hit.verdict, hit.reason) == (Verdict.VALID, "an opposing disc was struck")


def test_3a_bumping_ones_own_disc_into_an_opposing_one_is_enough():
    contacts = ((1, Struck.BY_SHOOTER), (2, Struck.BY_OTHER))
    ruling = shoot(DEPOT, IN_10, mine={1: (IN_10, IN_10)}, theirs={2: (IN_10, IN_10)}, contacts=contacts)
    assert ruling.verdict is Verdict.VALID


def test_3a_a_contact_nobody_saw_leaves_the_shot_unsure():
    ruling = shoot(DEPOT, IN_10, theirs={2: (IN_10, IN_10)}, contacts=((2, Struck.UNKNOWN),))
    assert ruling.verdict is Verdict.UNSURE
    assert ruling.ask == ("was disc 2 struck?",)
    assert ruling.reason == "an opposing disc may have been struck"
    assert ruling.aftermath is None


@pytest.mark.parametrize("ends", [HOLE, LEANER, IN_15, ON_15])
def test_3b_on_an_open_table_the_shot_ends_touching_or_within_the_15_line(ends):
    ruling = shoot(DEPOT, ends)
    assert (ruling.verdict, str(ruling.rule)) == (Verdict.VALID, "depot 3b")
    assert ruling.reason == "open table: a disc of the shot ends touching or within the 15 line"


@pytest.mark.parametrize("ends", [IN_10, ON_10, IN_5, ON_5, DITCH])
def test_3b_anywhere_else_it_is_invalid(ends):
    ruling = shoot(DEPOT, ends)
    assert ruling.verdict is Verdict.INVALID
    assert ruling.reason == "open table: no disc of the shot ends touching or within the 15 line"
    assert ruling.if_invalid.remove == (SHOOTER,)


def test_3b_a_disc_on_the_15_line_makes_the_shot_valid_and_scores_10():
    assert shoot(DEPOT, ON_15).verdict is Verdict.VALID
    assert points_of(ON_15, DEPOT) == 10


def test_3b_a_disc_reaching_the_line_from_outside_counts_as_touching():
    seen = {answer: shoot(DEPOT, IN_10, outside_15=((SHOOTER, answer),)) for answer in Answer}
    assert seen[Answer.YES].verdict is Verdict.VALID
    assert seen[Answer.NO].verdict is Verdict.INVALID
    assert seen[Answer.UNSURE].verdict is Verdict.UNSURE
    assert seen[Answer.UNSURE].ask == ("did the shot bring disc 100 touching or within the 15 line?",)
    assert "may end touching or within" in seen[Answer.UNSURE].reason


def test_3b_a_struck_disc_may_be_the_one_that_ends_there():
    assert shoot(DEPOT, IN_10, mine={1: (IN_10, IN_15)}).verdict is Verdict.VALID
    assert shoot(DEPOT, IN_10, mine={1: (IN_15, IN_15)}).verdict is Verdict.INVALID


def test_3b_an_opposing_disc_out_of_play_or_in_the_hole_leaves_the_table_open():
    for lie in (ON_5, DITCH, HOLE):
        assert str(shoot(DEPOT, IN_15, theirs={1: (lie, lie)}).rule) == "depot 3b"
    assert in_play(LEANER, DEPOT) is Answer.YES


def test_3c_shooter_and_all_struck_discs_go_with_their_twenties():
    contacts = ((1, Struck.BY_SHOOTER), (3, Struck.UNKNOWN))
    mine = {1: (IN_10, HOLE), 2: (IN_10, IN_10), 3: (IN_5, IN_5)}
    ruling = shoot(DEPOT, IN_10, mine=mine, theirs={9: (IN_5, IN_5)}, contacts=contacts)
    assert ruling.verdict is Verdict.INVALID
    assert ruling.aftermath is ruling.if_invalid
    assert ruling.if_invalid.remove == (SHOOTER, 1)
    assert ruling.if_invalid.twenties == ()
    assert ruling.if_invalid.ask == ("does disc 3 leave the board?",)
    assert ruling.if_valid.twenties == (("me", 1),)
    assert ruling.if_valid.remove == ()


def test_4a_regions_count_20_15_10_and_5():
    assert [region_of(lie) for lie in (HOLE, IN_15, IN_10, IN_5)] == [20, 15, 10, 5]


def test_4b_a_leaner_is_no_20():
    assert region_of(LEANER) == 15


def test_4c_a_disc_touching_a_line_scores_the_lower_region():
    assert [region_of(lie) for lie in (ON_15, ON_10, ON_5)] == [10, 5, 0]


def test_4d_the_bottom_edge_decides_as_a_probability_when_it_is_too_close():
    assert region_of(Lie.unsure(15, 0.49)) == 15
    assert region_of(Lie.unsure(15, 0.51)) == 10


def test_4e_on_or_beyond_the_shooting_line_a_disc_is_out_and_goes_to_the_ditch():
    assert points_of(ON_5, DEPOT) == 0
    ruling = shoot(DEPOT, ON_5, theirs={1: (IN_5, ON_5)})
    assert (ruling.verdict, ruling.if_valid.remove) == (Verdict.VALID, (SHOOTER, 1))
    unsure = shoot(DEPOT, Lie.unsure(5, 0.4), theirs={1: (IN_5, IN_10)})
    assert unsure.if_valid.ask == ("does disc 100 leave the board?",)


@pytest.mark.parametrize(
    ("rounds", "points"), [("AAAA", (8, 0)), ("AAB=", (5, 3)), ("AABB", (4, 4)), ("AAAB", (6, 2))]
)
def test_4f_sample_scores_of_a_tournament_game(rounds, points):
    state = after_rounds(DEPOT, rounds)
    assert state.games[0].points == points
    assert state.over


@pytest.mark.parametrize(
    ("totals", "points"),
    [((70, 40), (30, 0)), ((45, 30), (15, 0)), ((40, 40), (0, 0)), ((60, 55), (5, 0))],
)
def test_4g_sample_scores_of_a_round_in_conventional_play(totals, points):
    assert difference_points(totals) == points
    assert awarded(totals, (0, 0), preset("depot", "conventional")) == points


@pytest.mark.parametrize("final", [(100, 85), (110, 60), (105, 10)])
def test_4g_sample_scores_of_a_conventional_game(final):
    losing, rounds = final[1], []
    while losing > 0:
        step = min(losing, 60)
        rounds.append(typed(0, step))
        losing -= step
    rounds += [typed(final[0] - 50, 0), typed(50, 0)]
    state = replay(play(singles(preset("depot", "conventional")), *rounds))
    assert (state.games[0].points, state.winner) == (final, "A")


def test_5_no_penalty_is_named_for_an_illegal_start_so_the_referee_is_told():
    ruling = shoot(DEPOT, IN_15, illegal_start=Answer.YES)
    assert ruling.verdict is Verdict.VALID
    assert ruling.reason.endswith("; whether the start was legal is for the referee")


def test_6a_touching_the_shooting_line_is_out():
    assert in_play(ON_5, DEPOT) is Answer.NO


def test_6b_a_disc_that_crosses_and_returns_having_struck_nothing_stays():
    ruling = shoot(DEPOT, IN_15, journeys=((SHOOTER, Journey.CROSSED),))
    assert ruling.if_valid.remove == ()


def test_6b_having_struck_something_out_there_it_is_out():
    ruling = shoot(DEPOT, IN_15, journeys=((SHOOTER, Journey.CROSSED_AND_STRUCK),))
    assert ruling.if_valid.remove == (SHOOTER,)


def test_6c_a_disc_that_left_and_returned_is_out_but_what_it_did_remains():
    journeys = ((SHOOTER, Journey.LEFT),)
    ruling = shoot(DEPOT, IN_10, theirs={1: (IN_10, HOLE), 2: (IN_15, IN_5)}, journeys=journeys)
    assert ruling.if_valid.remove == (SHOOTER,)
    assert ruling.if_valid.twenties == (("them", 1),)
    assert ruling.if_valid.put_back == ()


def test_6c_in_the_hole_it_is_no_20():
    ruling = shoot(DEPOT, HOLE, journeys=((SHOOTER, Journey.LEFT),))
    assert (ruling.if_valid.twenties, ruling.if_valid.remove) == ((), (SHOOTER,))


DIRECT = preset("depot", "direct_hit")


def test_7a_the_shooter_must_hit_an_opposing_disc_itself():
    by_other = ((1, Struck.BY_SHOOTER), (2, Struck.BY_OTHER))
    ruling = shoot(DIRECT, IN_10, mine={1: (IN_10, IN_5)}, theirs={2: (IN_10, IN_15)}, contacts=by_other)
    assert (ruling.verdict, str(ruling.rule)) == (Verdict.INVALID, "depot 7a")
    assert ruling.reason == "no opposing disc was struck, directly and first"
    direct = shoot(DIRECT, IN_10, theirs={2: (IN_10, IN_15)}, contacts=((2, Struck.BY_SHOOTER),))
    assert direct.verdict is Verdict.VALID


def test_7a_own_disc_first_removes_ones_own_and_puts_the_opponents_back():
    both = ((1, Struck.BY_SHOOTER), (2, Struck.BY_SHOOTER))
    facts = {"contacts": both, "first": 1}
    theirs = {2: (IN_15, HOLE), 3: (IN_10, IN_10)}
    ruling = shoot(DIRECT, IN_10, mine={1: (IN_10, IN_15)}, theirs=theirs, **facts)
    assert ruling.verdict is Verdict.INVALID
    assert ruling.if_invalid.remove == (SHOOTER, 1)
    assert ruling.if_invalid.put_back == (2,)
    assert ruling.if_invalid.twenties == ()
    assert ruling.if_valid.twenties == (("them", 1),)


def test_7a_the_disc_met_first_was_hit_whatever_else_is_known():
    around = {"mine": {9: (IN_10, IN_10)}, "theirs": {2: (IN_10, IN_10)}}
    assert shoot(DIRECT, IN_10, **around, first=2).verdict is Verdict.VALID
    assert shoot(DIRECT, IN_10, **around, first=9).verdict is Verdict.INVALID
    hit = ((2, Struck.BY_SHOOTER),)
    assert shoot(DIRECT, IN_10, **around, first=9, contacts=hit).verdict is Verdict.INVALID
    assert shoot(DEPOT, IN_10, **around, first=2).verdict is Verdict.VALID


def test_7a_which_came_first_may_have_to_be_asked():
    both = ((1, Struck.BY_SHOOTER), (2, Struck.BY_SHOOTER))
    around = {"mine": {1: (IN_10, IN_10)}, "theirs": {2: (IN_10, IN_10)}, "contacts": both}
    assert shoot(DIRECT, IN_10, **around).ask == ("which disc did the shooter meet first?",)
    assert shoot(DIRECT, IN_10, **around, first=2).verdict is Verdict.VALID


def test_7b_on_the_shooting_line_a_disc_counts_5_until_it_is_shot_off():
    counts_5 = preset("depot", "line_counts_5")
    assert points_of(ON_5, counts_5) == 5
    assert points_of(DITCH, counts_5) == 0
    assert in_play(ON_5, counts_5) is Answer.YES
    assert shoot(counts_5, ON_5, theirs={1: (IN_5, IN_10)}).if_valid.remove == ()
    score = score_round(discs("A", ON_5), ["A", "B"], {}, counts_5)
    assert score.of("A").regions == {20: 0, 15: 0, 10: 0, 5: 1, 0: 0}


def test_7c_after_the_first_shot_either_opponent_may_shoot_all_six_each():
    record = play(doubles(preset("depot", "either_partner")), ShotTaken("X1", Verdict.VALID))
    assert replay(record).may_shoot == ("Y1", "Y2")
    for number in range(6):
        record = play(record, ShotTaken("Y2", Verdict.VALID))
        record = play(record, ShotTaken("X1" if number < 5 else "X2", Verdict.VALID))
    assert replay(record).may_shoot == ("Y1",)


def test_7d_places_score_8_6_4_2_with_six_discs_each():
    assert placing_points((60, 80, 20, 40), DEPOT.placings) == (6, 8, 2, 4)
    assert Lineup.single("A", "B", "C").discs_each(DEPOT) == 6


def test_7d_two_tied_for_second_get_5_each():
    assert placing_points((80, 60, 60, 40), DEPOT.placings) == (8, 5, 5, 2)
    assert placing_points((80, 60, 60), DEPOT.placings) == (8, 5, 5)


def test_7d_three_tied_for_first_get_6_each_and_the_fourth_2():
    assert placing_points((80, 80, 40, 80), DEPOT.placings) == (6, 6, 2, 6)


def test_7d_four_players_through_a_match():
    record = Record(Lineup.single("A", "B", "C", "D"), DEPOT)
    entry = TypedRound.of({"A": 80, "B": 60, "C": 60, "D": 40})
    for _ in range(4):
        record = play(record, RoundScored(entry))
    state = replay(record)
    assert (state.games[0].points, state.winner) == ((32, 20, 20, 8), "A")

"""The printable rules, section by section."""

from __future__ import annotations

import pytest

from scoring.answers import Answer
from scoring.events import MeasuredRound, RoundScored
from scoring.lineup import Lineup
from scoring.presets import preset
from scoring.record import Record, replay
from scoring.regions import points_of, region_of
from scoring.rounds import score_round
from scoring.shot_facts import Struck
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
    typed,
)

PRINTABLE = preset("printable")


def test_quick_look_the_zones_and_the_line_rule():
    assert [region_of(lie) for lie in (HOLE, IN_15, IN_10, IN_5)] == [20, 15, 10, 5]
    assert [region_of(lie) for lie in (ON_15, ON_10, ON_5)] == [10, 5, 0]


def test_components_1_the_gutter_scores_nothing():
    assert points_of(DITCH, PRINTABLE) == 0


def test_components_2_twelve_discs_a_player_or_a_team():
    assert singles(PRINTABLE).lineup.discs_a_side(PRINTABLE) == 12
    assert doubles(PRINTABLE).lineup.discs_a_side(PRINTABLE) == 12


def test_objective_2_the_higher_total_scores_the_difference():
    assert replay(play(singles(PRINTABLE), typed(60, 75))).games[0].points == (0, 15)


def test_objective_3_to_a_target():
    assert replay(play(singles(PRINTABLE), typed(100, 0))).winner == "A"
    to_120 = singles(preset("printable", "to_120"))
    assert not replay(play(to_120, typed(100, 0))).over
    assert replay(play(to_120, typed(120, 0))).winner == "A"


def test_objective_3_or_a_fixed_number_of_rounds():
    record = play(singles(preset("printable", "set_rounds")), *(typed(20, 10) for _ in range(4)))
    assert (replay(record).over, replay(record).games[0].points) == (True, (40, 0))


def test_turn_1_in_doubles_turns_go_by_seat():
    assert [seat.player for seat in doubles(PRINTABLE).lineup.seats] == ["X1", "Y1", "X2", "Y2"]


def test_legal_shot_1_contact_is_mandatory_when_the_opponent_has_a_disc():
    ruling = shoot(PRINTABLE, HOLE, theirs={1: (IN_5, IN_5)})
    assert (ruling.verdict, str(ruling.rule)) == (Verdict.INVALID, "printable Legal Shot 1")


@pytest.mark.parametrize("ends", [HOLE, IN_15, IN_10, IN_5, DITCH])
def test_legal_shot_2_an_open_table_is_free(ends):
    ruling = shoot(PRINTABLE, ends)
    assert (ruling.verdict, str(ruling.rule)) == (Verdict.VALID, "printable Legal Shot 2")
    assert ruling.reason == "an open table asks for nothing a board can show"


def test_20s_1_a_disc_in_the_cup_scores_at_once_and_is_removed():
    assert shoot(PRINTABLE, HOLE).if_valid.twenties == (("me", 1),)


def test_fouls_2_an_illegal_start_is_a_foul():
    ruling = shoot(PRINTABLE, IN_15, illegal_start=Answer.YES)
    assert (ruling.verdict, str(ruling.rule)) == (Verdict.INVALID, "printable Fouls 2")
    assert (ruling.reason, ruling.ask) == ("the start was illegal", ())
    assert ruling.if_invalid.remove == (SHOOTER,)


def test_fouls_2_a_start_nobody_saw_has_to_be_asked():
    ruling = shoot(PRINTABLE, IN_15, illegal_start=Answer.UNSURE)
    assert (ruling.verdict, ruling.reason) == (Verdict.UNSURE, "the start may have been illegal")
    assert ruling.ask == ("was the disc shot from behind the line?",)


def test_fouls_2_with_no_contact_either_the_missing_contact_is_the_reason():
    ruling = shoot(PRINTABLE, IN_15, theirs={1: (IN_5, IN_5)}, illegal_start=Answer.YES)
    assert ruling.reason == "no opposing disc was struck"


def test_fouls_3_a_foul_removes_shooter_and_own_discs_it_hit_itself():
    contacts = ((1, Struck.BY_SHOOTER), (2, Struck.BY_OTHER), (3, Struck.MOVED))
    mine = {1: (IN_10, IN_5), 2: (IN_10, IN_5), 3: (IN_10, IN_5)}
    ruling = shoot(PRINTABLE, IN_10, mine=mine, theirs={9: (IN_5, IN_5)}, contacts=contacts)
    assert ruling.if_invalid.remove == (SHOOTER, 1)
    assert ruling.if_invalid.ask == ("does disc 3 leave the board?",)


def test_fouls_3_a_shooter_that_leaves_the_board_takes_own_discs_it_hit_along():
    contacts = ((1, Struck.BY_SHOOTER), (2, Struck.BY_SHOOTER))
    around = {"mine": {1: (IN_10, IN_5)}, "theirs": {2: (IN_10, IN_5)}, "contacts": contacts}
    assert shoot(PRINTABLE, DITCH, **around).if_valid.remove == (SHOOTER, 1)
    assert shoot(PRINTABLE, IN_5, **around).if_valid.remove == ()
    assert shoot(PRINTABLE, DITCH, **around).verdict is Verdict.VALID


def test_scoring_1_20s_are_counted_separately():
    score = score_round(discs("A", IN_15), ["A", "B"], {"A": 2}, PRINTABLE)
    assert (score.of("A").board, score.of("A").twenties) == (15, 2)


def test_example_95_to_75_gives_20():
    you = discs("You", IN_15, IN_15, IN_15, IN_10)
    opponent = discs("Opponent", IN_15, IN_15, IN_10, IN_10, IN_5, start=20)
    score = score_round((*you, *opponent), ["You", "Opponent"], {"You": 2, "Opponent": 1}, PRINTABLE)
    assert [side.total for side in score.sides] == [95, 75]
    assert [side.awarded for side in score.sides] == [20, 0]
    assert (score.winner, score.difference) == ("You", 20)


def test_example_95_to_75_through_the_record():
    you = discs("You", IN_15, IN_15, IN_15, IN_10)
    opponent = discs("Opponent", IN_15, IN_15, IN_10, IN_10, IN_5, start=20)
    entry = MeasuredRound((*you, *opponent), (("You", 2), ("Opponent", 1)))
    record = Record(Lineup.single("You", "Opponent"), PRINTABLE, 0, (RoundScored(entry),))
    assert replay(record).games[0].points == (20, 0)

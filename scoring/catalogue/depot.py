"""The clauses of the depot's rules. The file prints the whole text twice; the second is the same."""

from __future__ import annotations

from scoring.catalogue.clause import clauses

CLAUSES = clauses(
    "depot",
    "test_book_depot",
    (
        (
            "1",
            "8 discs each in singles, 6 each in doubles, turns alternate, chance decides who begins",
            "lineup.Lineup.discs_each lineup.Lineup.seats record.Record",
            "test_1_*",
            "colours and which chair: nothing to score",
        ),
        (
            "2a",
            "each player in turn, clockwise, attempts a valid shot",
            "turns.Turns.may_shoot shots.judge",
            "test_2a_*",
            "",
        ),
        (
            "2b",
            "20s are removed after each turn and kept until the end of the round",
            "shots.Aftermath events.ShotTaken",
            "test_2b_*",
            "",
        ),
        (
            "2c",
            "when all discs are shot the board is counted along with the 20s",
            "rounds.score_round awards.raw_totals",
            "test_2c_*",
            "",
        ),
        (
            "2d",
            "singles alternate starting rounds, in doubles the start moves clockwise",
            "turns.Turns.may_shoot",
            "test_2d_*",
            "",
        ),
        (
            "3a",
            "with opposing discs in play, one of the shooter's discs must strike one of them",
            "obligations.finds_contact obligations.finds_opposition",
            "test_3a_*",
            "",
        ),
        (
            "3b",
            "otherwise the shooter or a struck disc must end touching or within the 15 line; a 20 does",
            "obligations.finds_finish",
            "test_3b_*",
            "",
        ),
        (
            "3c",
            "an invalid shot loses the shooter and all struck discs, 20s included",
            "removals.leaves_on_foul shots.judge",
            "test_3c_*",
            "",
        ),
        ("4a", "hole 20, then 15, 10 and 5", "regions.region_if", "test_4a_*", ""),
        ("4b", "a 20 lies completely in the hole and flat", "regions.region_if", "test_4b_*", ""),
        ("4c", "touching a line scores the lower region", "regions.region_if", "test_4c_*", ""),
        (
            "4d",
            "the bottom edge decides, not the outline from above",
            "regions.Lie",
            "test_4d_*",
            "how the bottom edge is seen is a matter of measuring; here it arrives as an answer",
        ),
        (
            "4e",
            "on or beyond the shooting line a disc is out and goes to the ditch",
            "regions.points_if obligations.on_line_5",
            "test_4e_*",
            "",
        ),
        (
            "4f",
            "2 points for a round, 1 each for a tie, four rounds",
            "awards.match_points games.decide_game",
            "test_4f_*",
            "",
        ),
        (
            "4g",
            "points are cancelled, only one side scores; to a target, generally 100",
            "awards.difference_points games.decide_game",
            "test_4g_* test_book_practice::test_practice_difference_*",
            "",
        ),
        (
            "5",
            "how a shot is made and where it starts; no penalty is named",
            "shots.judge",
            "test_5_*",
            "flicking, waiting, chairs and the one cheek rule: how to sit and shoot",
        ),
        (
            "6a",
            "touching or crossing the shooting line is out, but for 6b",
            "obligations.on_line_5 removals.leaves_anyway",
            "test_6a_*",
            "",
        ),
        (
            "6b",
            "a disc that crosses, strikes nothing out there and returns by itself stays in play",
            "removals.leaves_anyway",
            "test_6b_*",
            "",
        ),
        (
            "6c",
            "a disc that met the backboard or discs out of play and came back is out; what it moved stays, "
            "20s count",
            "removals.leaves_anyway shots.judge",
            "test_6c_*",
            "",
        ),
        (
            "7a",
            "option: the opponent's disc must be hit directly; own disc first costs one's own and puts the "
            "opponent's back",
            "obligations.finds_contact shots.judge",
            "test_7a_*",
            "",
        ),
        (
            "7b",
            "option: on or beyond the shooting line a disc stays and counts 5",
            "regions.points_if obligations.on_line_5",
            "test_7b_*",
            "",
        ),
        (
            "7c",
            "option: in doubles either opponent may shoot, each all six",
            "turns.Turns.may_shoot",
            "test_7c_*",
            "",
        ),
        (
            "7d",
            "three and four players: six discs each, 8-6-4-2, ties add up and divide",
            "awards.placing_points lineup.Lineup.discs_each",
            "test_7d_*",
            "",
        ),
    ),
)

"""Today's practice: facts as players' pages quote them; the associations' own texts were not at hand."""

from __future__ import annotations

from scoring.catalogue.clause import clauses

NCA = clauses(
    "nca",
    "test_book_practice",
    (
        ("discs", "8 in singles, 6 each in doubles", "lineup.Lineup.discs_each", "test_nca_discs_*", ""),
        ("award", "2, 1 or 0 for a round by raw totals", "awards.match_points", "test_nca_award_*", ""),
        (
            "four rounds",
            "a game is exactly four rounds, so 4 to 4 stands",
            "games.decide_game",
            "test_nca_four_rounds_*",
            "",
        ),
        ("6e", "touching is judged by the bottom edge", "regions.Lie", "test_nca_6e_*", ""),
        ("8e", "touching or crossing the outer line is out", "regions.points_if", "test_nca_8e_*", ""),
        (
            "8g",
            "a spinning disc that returns having struck nothing stays",
            "removals.leaves_anyway",
            "test_nca_8g_*",
            "",
        ),
        ("8h", "damage stays", "removals.leaves_anyway", "test_nca_8h_*", ""),
        (
            "open board",
            "valid when a disc ends touching or inside the 15 line, though touching scores 10",
            "obligations.finds_finish",
            "test_nca_open_board_*",
            "",
        ),
        (
            "stacked",
            "a stacked disc lying flat scores as the disc under it",
            "rounds.base_lies",
            "test_nca_stacked_*",
            "",
        ),
        (
            "invalid shot",
            "shooter and all struck discs leave, 20s too",
            "removals.leaves_on_foul",
            "test_nca_invalid_shot_*",
            "",
        ),
        (
            "time",
            "when time runs out the side with fewer shots takes one more",
            "turns.Turns.may_shoot",
            "test_book_wcc_2011::test_4_2_5_*",
            "",
        ),
    ),
)

WCC = clauses(
    "wcc",
    "test_book_practice",
    (("fifth round", "a tied game gets a fifth round", "games.decide_game", "test_wcc_fifth_round_*", ""),),
)

ALSO = clauses(
    "practice",
    "test_book_practice",
    (
        (
            "first to N",
            "first to 5, 7 or 9 points, win by two",
            "games.decide_game",
            "test_practice_first_to_n_*",
            "",
        ),
        ("best of three", "best of three games", "games.decide_match", "test_practice_best_of_three_*", ""),
        (
            "quinte",
            "best of three games of four rounds, then tie-breaks of two rounds",
            "games.decide_match formats.Format.decider",
            "test_practice_quinte_*",
            "",
        ),
        (
            "total points",
            "total points over four rounds",
            "awards.awarded",
            "test_practice_total_points_*",
            "",
        ),
        (
            "shoot-out",
            "on an empty board: 12 discs each, then one each",
            "games.shoot_out_discs games.shoot_out_winner",
            "test_practice_shoot_out_*",
            "",
        ),
        (
            "hammer",
            "the hammer is the last shot of a round",
            "cmn.write_cmn sheet.write_sheet",
            "test_cmn::test_the_hammer_* test_sheet::test_the_hammer_*",
            "",
        ),
        ("names", "players say round, frame or set", "", "", "words: the code says round, game, match"),
    ),
)

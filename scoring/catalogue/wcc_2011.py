"""The clauses of the world championship's rules of 2011."""

from __future__ import annotations

from scoring.catalogue.clause import clauses

CLAUSES = clauses(
    "wcc-2011",
    "test_book_wcc_2011",
    (
        ("4.1.1", "the object of the game", "", "", "advice"),
        ("4.1.2", "fingers, guards, hands and tables", "", "", "how to shoot"),
        (
            "4.1.3",
            "where a shot starts; no penalty is named",
            "shots.judge",
            "test_4_1_3_*",
            "how to place the disc",
        ),
        (
            "4.1.4",
            "when a shot has taken place; play is clockwise",
            "turns.Turns.may_shoot",
            "test_4_1_4_*",
            "placing a disc before one's turn",
        ),
        (
            "4.1.5",
            "a disc that leaves the playing surface is out until the end of the round",
            "removals.leaves_anyway",
            "test_4_1_5_*",
            "",
        ),
        (
            "4.1.6",
            "a disc that stops touching the outer line is out",
            "obligations.on_line_5 regions.points_if",
            "test_4_1_6_*",
            "",
        ),
        ("4.1.7", "board and chair stay put, the one cheek rule", "", "", "how to sit"),
        (
            "4.1.8.1",
            "one disc a turn, clockwise; a round ends when all are shot; the first shot alternates",
            "turns.Turns.may_shoot",
            "test_4_1_8_1_*",
            "",
        ),
        ("4.1.8.2", "wait until the discs are still", "", "", "patience; a shot handed in here is over"),
        ("4.1.8.3", "where unplayed discs are kept", "", "", "what lies beside the board"),
        (
            "4.1.8.4",
            "board and 20s are totalled before any disc is moved",
            "rounds.score_round",
            "test_4_1_8_4_*",
            "",
        ),
        (
            "4.1.9.1",
            "an opposing disc must be struck directly or in combination",
            "obligations.finds_contact",
            "test_4_1_9_1_*",
            "",
        ),
        (
            "4.1.9.2",
            "else play to the middle: one of the discs involved touching or inside the 15 line",
            "obligations.finds_finish",
            "test_4_1_9_2_*",
            "",
        ),
        (
            "4.1.9.3",
            "an invalid shot loses the shooter and all struck discs of its colour, 20s included",
            "removals.leaves_on_foul shots.judge",
            "test_4_1_9_3_*",
            "",
        ),
        (
            "4.1.10",
            "damage: a disc that re-enters is out; what it moved stays, 20s count",
            "removals.leaves_anyway shots.judge",
            "test_4_1_10_*",
            "",
        ),
        (
            "4.1.11",
            "spinning disc: over the line but never off the surface, and back, it stays",
            "removals.leaves_anyway",
            "test_4_1_11_*",
            "",
        ),
        ("4.2.1", "cues", "", "", "equipment"),
        ("4.2.2", "wax", "", "", "equipment"),
        ("4.2.3", "coaching", "", "", "conduct; what a referee decides is recorded as 4.2.4"),
        (
            "4.2.4",
            "a round or a game may be forfeited; the referee's decision is final",
            "events.Forfeit events.Penalty",
            "test_4_2_4_* test_record::test_a_penalty_*",
            "disqualification from a tournament",
        ),
        (
            "4.2.5",
            "after the horn a side with one shot less takes one more, then the round is scored",
            "turns.Turns.may_shoot events.HornSounded",
            "test_4_2_5_*",
            "delaying the game",
        ),
    ),
)

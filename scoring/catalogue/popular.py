"""The clauses of the popular rules."""

from __future__ import annotations

from scoring.catalogue.clause import clauses

CLAUSES = clauses(
    "popular",
    "test_book_popular",
    (
        ("1", "the object of the game", "", "", "advice"),
        (
            "2",
            "partners opposite, six discs each in doubles, clockwise, where a shot starts",
            "lineup.Lineup.discs_each turns.Turns.may_shoot shots.judge",
            "test_2_*",
            "how to flick; no penalty is named for a wrong start",
        ),
        ("3", "hands, cheeks, feet and chairs", "", "", "etiquette"),
        (
            "4",
            "an opposing disc must be hit, a combination counts; if not, shooter and all discs touched go",
            "obligations.finds_contact removals.leaves_on_foul",
            "test_4_*",
            "",
        ),
        (
            "5",
            "open table: rest inside or touching the 15, a combination may do it; failing loses all touched",
            "obligations.finds_finish removals.leaves_on_foul",
            "test_5_*",
            "",
        ),
        (
            "6",
            "a legally played disc flat in the hole is removed at once and kept",
            "shots.judge regions.region_if",
            "test_6_*",
            "",
        ),
        (
            "7",
            "at rest touching or outside the outer ring is out; a rebound is out, what it touched stands",
            "removals.leaves_anyway regions.points_if",
            "test_7_*",
            "",
        ),
        (
            "8",
            "a hopper or spinner that rests flat is legal, one that does not goes to the ditch",
            "removals.leaves_anyway regions.points_if",
            "test_8_*",
            "",
        ),
        (
            "9",
            "the bottom on a line counts lower; board points cancel, then each side adds its 20s",
            "regions.region_if awards.awarded",
            "test_9_*",
            "",
        ),
        ("10a", "to 100 points", "games.decide_game", "test_10a_*", ""),
        ("10b", "a set number of rounds", "games.decide_game", "test_10b_*", ""),
        (
            "10c",
            "two for a round won, one for a tie, to 8",
            "awards.match_points games.decide_game",
            "test_10c_*",
            "",
        ),
    ),
)

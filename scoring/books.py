"""What each book sets: a value and the clause it comes from, setting by setting.

A clause that starts with ``~`` belongs to another book: the preset's own is silent, and this fills the gap.
The clauses themselves are listed in `scoring.catalogue`.
"""

from __future__ import annotations

from typing import Any

from scoring.formats import Format, TieBreak
from scoring.rules import (
    Award,
    Crossing,
    Horn,
    OpenTable,
    Removal,
    RoundStart,
    ShootingOrder,
)

#: The value of a setting and its citation.
Cited = tuple[Any, str]

FOUR_ROUNDS = Format(rounds=4)

_DEPOT: dict[str, Cited] = {
    "discs_singles": (8, "depot 1"),
    "discs_doubles": (6, "depot 1"),
    "discs_many": (6, "depot 7d"),
    "award": (Award.MATCH_POINTS, "depot 4f"),
    "award_many": (Award.PLACINGS, "depot 7d"),
    "placings": ((8, 6, 4, 2), "depot 7d"),
    "format": (FOUR_ROUNDS, "depot 4f"),
    "line_disc_points": (0, "depot 4e"),
    "tilted_out": (False, "depot 4c"),
    "contact_required": (True, "depot 3a"),
    "direct_hit": (False, "depot 3a"),
    "peg_contact": (False, "depot 3a"),
    "open_table": (OpenTable.FINISH, "depot 3b"),
    "open_combination": (True, "depot 3b"),
    "contact_removes": (Removal.ALL_STRUCK, "depot 3c"),
    "open_removes": (Removal.ALL_STRUCK, "depot 3c"),
    "foul_takes_twenties": (True, "depot 3c"),
    "illegal_start_is_foul": (False, "depot 5"),
    "shooter_off_removes_own": (False, "depot 3c"),
    "crossing": (Crossing.STAYS_IF_IT_STRUCK_NOTHING, "depot 6b"),
    "round_start": (RoundStart.CLOCKWISE, "depot 2d"),
    "doubles_order": (ShootingOrder.CLOCKWISE, "depot 2a"),
    "horn": (Horn.NOT_USED, "~wcc-2011 4.2.5"),
}

#: Where a book is silent the depot's answer is taken and marked.
_SILENT: dict[str, Cited] = {
    key: (value, citation if citation.startswith("~") else f"~{citation}")
    for key, (value, citation) in _DEPOT.items()
}

_TRADITIONAL: dict[str, Cited] = {
    **_SILENT,
    "discs_singles": (12, "traditional Parts 3"),
    "discs_doubles": (6, "traditional Parts 3"),
    "award": (Award.DIFFERENCE, "traditional Stroke 1"),
    "format": (Format(target=100), "traditional Stroke 1"),
    "line_disc_points": (0, "traditional Shooting 8"),
    "contact_required": (True, "traditional Shooting 4"),
    "peg_contact": (True, "traditional Shooting 6"),
    "open_table": (OpenTable.WITHIN, "traditional Shooting 5"),
    "open_combination": (False, "traditional Shooting 5"),
    "contact_removes": (Removal.OWN_STRUCK, "traditional Shooting 4"),
    "open_removes": (Removal.SHOOTER, "traditional Shooting 5"),
    "foul_takes_twenties": (True, "traditional Shooting 4"),
    "illegal_start_is_foul": (False, "traditional Shooting 1"),
    "crossing": (Crossing.OUT, "traditional Shooting 8"),
    "round_start": (RoundStart.CLOCKWISE, "traditional Stroke 2"),
    "doubles_order": (ShootingOrder.CLOCKWISE, "traditional Stroke 2"),
}

_POPULAR: dict[str, Cited] = {
    **_SILENT,
    "discs_doubles": (6, "popular 2"),
    "award": (Award.DIFFERENCE_THEN_TWENTIES, "popular 9"),
    "format": (Format(target=100), "popular 10a"),
    "line_disc_points": (0, "popular 7"),
    "tilted_out": (True, "popular 8"),
    "contact_required": (True, "popular 4"),
    "direct_hit": (False, "popular 4"),
    "open_table": (OpenTable.FINISH, "popular 5"),
    "open_combination": (True, "popular 5"),
    "contact_removes": (Removal.ALL_STRUCK, "popular 4"),
    "open_removes": (Removal.ALL_STRUCK, "popular 5"),
    # popular 6 keeps a 20 only for a "legally played" disc.
    "foul_takes_twenties": (True, "popular 6"),
    "illegal_start_is_foul": (False, "popular 2"),
    # popular 7 looks at where a disc comes to rest, not at where it passed.
    "crossing": (Crossing.STAYS, "popular 7"),
    "doubles_order": (ShootingOrder.CLOCKWISE, "popular 2"),
}

_WCC_2011: dict[str, Cited] = {
    **_SILENT,
    "discs_singles": (8, "~nca discs"),
    "discs_doubles": (6, "~nca discs"),
    "award": (Award.MATCH_POINTS, "~nca award"),
    "format": (FOUR_ROUNDS, "~nca four rounds"),
    "line_disc_points": (0, "wcc-2011 4.1.6"),
    "contact_required": (True, "wcc-2011 4.1.9.1"),
    "direct_hit": (False, "wcc-2011 4.1.9.1"),
    "open_table": (OpenTable.FINISH, "wcc-2011 4.1.9.2"),
    "open_combination": (True, "wcc-2011 4.1.9.2"),
    "contact_removes": (Removal.OWN_STRUCK, "wcc-2011 4.1.9.3"),
    "open_removes": (Removal.OWN_STRUCK, "wcc-2011 4.1.9.3"),
    "foul_takes_twenties": (True, "wcc-2011 4.1.9.3"),
    "illegal_start_is_foul": (False, "wcc-2011 4.2.4"),
    "crossing": (Crossing.STAYS, "wcc-2011 4.1.11"),
    "round_start": (RoundStart.ALTERNATE_SIDES, "wcc-2011 4.1.8.1"),
    "doubles_order": (ShootingOrder.CLOCKWISE, "wcc-2011 4.1.8.1"),
    "horn": (Horn.EVEN_OUT, "wcc-2011 4.2.5"),
}

_PRINTABLE: dict[str, Cited] = {
    **_SILENT,
    "discs_singles": (12, "printable Components 2"),
    "discs_doubles": (6, "printable Components 2"),
    "award": (Award.DIFFERENCE, "printable Objective 2"),
    "format": (Format(target=100), "printable Objective 3"),
    "contact_required": (True, "printable Legal Shot 1"),
    "open_table": (OpenTable.FREE, "printable Legal Shot 2"),
    "contact_removes": (Removal.OWN_HIT_BY_SHOOTER, "printable Fouls 3"),
    "open_removes": (Removal.OWN_HIT_BY_SHOOTER, "printable Fouls 3"),
    # printable 20s 2 protects a 20 from being knocked out, not from its own shot being a foul.
    "foul_takes_twenties": (True, "printable Fouls 3"),
    "illegal_start_is_foul": (True, "printable Fouls 2"),
    "shooter_off_removes_own": (True, "printable Fouls 3"),
    "doubles_order": (ShootingOrder.CLOCKWISE, "printable Turn 1"),
}

_NCA: dict[str, Cited] = {
    **_SILENT,
    "discs_singles": (8, "nca discs"),
    "discs_doubles": (6, "nca discs"),
    "award": (Award.MATCH_POINTS, "nca award"),
    "format": (FOUR_ROUNDS, "nca four rounds"),
    "line_disc_points": (0, "nca 8e"),
    "open_table": (OpenTable.FINISH, "nca open board"),
    "contact_removes": (Removal.ALL_STRUCK, "nca invalid shot"),
    "open_removes": (Removal.ALL_STRUCK, "nca invalid shot"),
    "foul_takes_twenties": (True, "nca invalid shot"),
    "crossing": (Crossing.STAYS_IF_IT_STRUCK_NOTHING, "nca 8g"),
    "horn": (Horn.EVEN_OUT, "nca time"),
}

_WCC: dict[str, Cited] = {
    **{key: (value, f"~{citation}".replace("~~", "~")) for key, (value, citation) in _NCA.items()},
    "format": (Format(rounds=4, tie=TieBreak.ONE_ROUND), "wcc fifth round"),
}

#: Every preset, the default first.
BOOKS: dict[str, dict[str, Cited]] = {
    "nca": _NCA,
    "depot": _DEPOT,
    "traditional": _TRADITIONAL,
    "popular": _POPULAR,
    "wcc-2011": _WCC_2011,
    "printable": _PRINTABLE,
    "wcc": _WCC,
}

#: Choices a book leaves open, by preset; each is a handful of settings.
BOOK_OPTIONS: dict[str, dict[str, dict[str, Cited]]] = {
    "depot": {
        "conventional": {
            "award": (Award.DIFFERENCE, "depot 4g"),
            "format": (Format(target=100), "depot 4g"),
        },
        "direct_hit": {
            "direct_hit": (True, "depot 7a"),
            "contact_removes": (Removal.OWN_STRUCK, "depot 7a"),
        },
        "line_counts_5": {"line_disc_points": (5, "depot 7b")},
        "either_partner": {"doubles_order": (ShootingOrder.EITHER_PARTNER, "depot 7c")},
    },
    "traditional": {
        "match_play": {
            "award": (Award.MATCH_POINTS, "traditional Match 1"),
            "format": (Format(rounds=4, tie=TieBreak.SUDDEN_DEATH), "traditional Match 2"),
        },
    },
    "popular": {
        "set_rounds": {"format": (FOUR_ROUNDS, "popular 10b")},
        "first_to_8": {
            "award": (Award.MATCH_POINTS, "popular 10c"),
            "format": (Format(target=8), "popular 10c"),
        },
    },
    "printable": {
        "to_120": {"format": (Format(target=120), "printable House Rules 1")},
        "set_rounds": {"format": (FOUR_ROUNDS, "printable House Rules 1")},
    },
}


def _to_points(target: int) -> dict[str, Cited]:
    """First to a number of match points, win by two."""
    return {
        "award": (Award.MATCH_POINTS, "practice first to N"),
        "format": (Format(target=target, win_by=2), "practice first to N"),
    }


#: Formats also played, for any preset.
COMMON_OPTIONS: dict[str, dict[str, Cited]] = {
    "four_rounds": {
        "award": (Award.MATCH_POINTS, "nca award"),
        "format": (FOUR_ROUNDS, "nca four rounds"),
    },
    "fifth_round": {
        "award": (Award.MATCH_POINTS, "nca award"),
        "format": (Format(rounds=4, tie=TieBreak.ONE_ROUND), "wcc fifth round"),
    },
    "sudden_death": {
        "award": (Award.MATCH_POINTS, "traditional Match 1"),
        "format": (Format(rounds=4, tie=TieBreak.SUDDEN_DEATH), "traditional Match 2"),
    },
    "first_to_5": _to_points(5),
    "first_to_7": _to_points(7),
    "first_to_9": _to_points(9),
    "best_of_three": {
        "award": (Award.MATCH_POINTS, "nca award"),
        "format": (Format(rounds=4, best_of=3), "practice best of three"),
    },
    "quinte": {
        "award": (Award.MATCH_POINTS, "nca award"),
        "format": (Format(rounds=4, best_of=3, match_tie=TieBreak.TWO_ROUNDS), "practice quinte"),
    },
    "total_points": {
        "award": (Award.TOTAL, "practice total points"),
        "award_many": (Award.TOTAL, "practice total points"),
        "format": (FOUR_ROUNDS, "practice total points"),
    },
    "difference_to_100": {
        "award": (Award.DIFFERENCE, "depot 4g"),
        "format": (Format(target=100), "depot 4g"),
    },
    "shoot_out": {"format": (Format(rounds=0, tie=TieBreak.SHOOT_OUT), "practice shoot-out")},
}

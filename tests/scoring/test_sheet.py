"""The CrokinoleCentre spreadsheet, written and read."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import BadData
from scoring.events import OutcomeRound, RoundScored, TypedRound
from scoring.lineup import Lineup
from scoring.presets import preset
from scoring.record import Record, replay
from scoring.sheet import (
    COLUMNS,
    SheetGame,
    SheetPlayer,
    read_sheet,
    record_from_sheet,
    sheet_game,
    write_sheet,
)
from tests.scoring.boards import doubles, play, singles, typed, won
from tests.scoring.strategies import steady

NCA = preset()
LABELS = ("2026-06-06", "Tavistock, Ont.", "A", "Singles", "Final", "", "1", "7")


def scored(a: tuple[int, int], b: tuple[int, int]) -> RoundScored:
    return RoundScored(TypedRound.of({"A": a[0], "B": b[0]}, {"A": a[1], "B": b[1]}))


def game() -> Record:
    return play(singles(NCA), scored((45, 1), (20, 0)), scored((20, 1), (60, 3)), scored((20, 0), (20, 1)))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_columns():
    assert len(COLUMNS) == 34
    assert COLUMNS[:9] == (
        "Date",
        "Tournament",
        "Division",
        "Category",
        "Stage",
        "Pool",
        "StageGame",
        "Board",
        "Position",
    )
    assert COLUMNS[9:15] == ("Player", "Opponent", "First/Hammer", "Pts/20s", "Total", "Round1")
    assert COLUMNS[-1] == "Round20"


def test_two_rows_a_player_points_and_20s():
    text = write_sheet([sheet_game(game(), LABELS)])
    assert text.splitlines()[0] == ",".join(COLUMNS)
    table = rows(text)
    assert [row["Player"] for row in table] == ["A", "A", "B", "B"]
    assert [row["Opponent"] for row in table] == ["B", "B", "A", "A"]
    assert [row["Pts/20s"] for row in table] == ["Pts", "20s", "Pts", "20s"]
    assert [row["Total"] for row in table] == ["3", "2", "3", "4"]
    assert [row["Round2"] for row in table] == ["0", "1", "2", "3"]
    assert [row["Round4"] for row in table] == [""] * 4
    assert {row["Tournament"] for row in table} == {"Tavistock, Ont."}
    assert [row["Position"] for row in table] == ["1"] * 4


def test_the_hammer_is_the_last_shot():
    text = write_sheet([sheet_game(game(), LABELS)])
    assert [row["First/Hammer"] for row in rows(text)] == ["First", "First", "Hammer", "Hammer"]
    second = sheet_game(singles(NCA, first=1), LABELS)
    assert [player.first for player in second.players] == [False, True]


def test_the_loser_is_second():
    record = play(singles(NCA), *[won("B")] * 4)
    assert [player.position for player in sheet_game(record, LABELS).players] == ["2", "1"]


def test_20s_nobody_knows_stay_empty():
    sheet = sheet_game(play(singles(NCA), typed(45, 20), scored((20, 1), (0, 0))), LABELS)
    assert sheet.players[0].twenties == (None, 1)
    table = rows(write_sheet([sheet]))
    assert (table[1]["Round1"], table[1]["Round2"], table[1]["Total"]) == ("", "1", "")
    assert read_sheet(write_sheet([sheet])) == (sheet,)


def test_a_game_is_read_back_as_outcomes_with_20s():
    sheet = sheet_game(game(), LABELS)
    record = record_from_sheet(read_sheet(write_sheet([sheet]))[0], NCA)
    assert replay(record).games[0].points == (3, 3)
    assert [event.entry for event in record.events] == [
        OutcomeRound((("A", 1), ("B", 2)), None, (("A", 1), ("B", 0))),
        OutcomeRound((("A", 2), ("B", 1)), None, (("A", 1), ("B", 3))),
        OutcomeRound((("A", 1), ("B", 1)), None, (("A", 0), ("B", 1))),
    ]
    assert sheet_game(record, LABELS) == sheet
    assert record.first == 0


def test_20s_known_of_one_side_only_are_not_halved_into_a_record():
    sheet = SheetGame(
        LABELS, (SheetPlayer("A", "1", False, (2,), (1,)), SheetPlayer("B", "2", True, (0,), (None,)))
    )
    record = record_from_sheet(sheet, NCA)
    assert record.events[0].entry.twenties is None
    assert record.first == 1


def test_doubles_share_a_cell():
    record = doubles(NCA)
    sheet = sheet_game(play(record, RoundScored(OutcomeRound.of({"X": 1, "Y": 2}))), LABELS)
    assert [player.player for player in sheet.players] == ["X1 & X2", "Y1 & Y2"]
    assert record_from_sheet(sheet, NCA).lineup.is_doubles


def test_only_games_of_two_sides_that_exist():
    with pytest.raises(BadData, match="one game of two sides"):
        sheet_game(Record(Lineup.single("A", "B", "C"), NCA), LABELS)
    for number in (-1, 1):
        with pytest.raises(BadData, match="one game of two sides"):
            sheet_game(singles(NCA), LABELS, number)


def test_only_match_points_can_be_read_back():
    with pytest.raises(BadData, match="as match points only"):
        record_from_sheet(sheet_game(game(), LABELS), preset("popular"))


ONE = SheetPlayer("A", "1", True, (2,), (1,))
OTHER = SheetPlayer("B", "2", False, (0,), (0,))


@pytest.mark.parametrize(
    ("labels", "players", "why"),
    [
        (LABELS[:7], (ONE, OTHER), "8 labels, Date to Board"),
        (LABELS, (ONE, SheetPlayer("B", "2", False, (0, 0), (0, 0))), "the same rounds, 20 at most"),
        (LABELS, (ONE, SheetPlayer("B", "2", False, (0,), ())), "the same rounds"),
        (
            LABELS,
            (
                SheetPlayer("A", "1", True, (1,) * 21, (0,) * 21),
                SheetPlayer("B", "2", False, (1,) * 21, (0,) * 21),
            ),
            "20 at most",
        ),
        (LABELS, (ONE, ONE), "one side shoots first"),
    ],
)
def test_a_game_the_sheet_cannot_hold_is_refused(labels, players, why):
    with pytest.raises(BadData, match=why):
        SheetGame(labels, players)


def test_twenty_rounds_fit():
    players = (
        SheetPlayer("A", "1", True, (1,) * 20, (0,) * 20),
        SheetPlayer("B", "1", False, (1,) * 20, (0,) * 20),
    )
    sheet = SheetGame(LABELS, players)
    assert read_sheet(write_sheet([sheet])) == (sheet,)


@pytest.mark.parametrize(
    ("points", "why"),
    [
        (((2,), (1,)), "a round gives 2 and 0 or 1 and 1, not 2 and 1"),
        (((1,) * 5, (1,) * 5), "the game cannot be: event 4: the match is over"),
    ],
)
def test_points_no_round_gives_are_refused(points, why):
    one, other = points
    sheet = SheetGame(
        LABELS,
        (
            SheetPlayer("A", "1", True, one, (0,) * len(one)),
            SheetPlayer("B", "2", False, other, (0,) * len(one)),
        ),
    )
    with pytest.raises(BadData, match=why):
        record_from_sheet(sheet, NCA)


def changed(line: int, column: str, cell: str) -> str:
    lines = list(csv.reader(io.StringIO(write_sheet([sheet_game(game(), LABELS)]))))
    lines[line - 1][COLUMNS.index(column)] = cell
    out = io.StringIO()
    csv.writer(out).writerows(lines)
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1: not the columns"),
        ("a,b\n", "line 1: not the columns"),
        (write_sheet([]) + "x\n", "each game has four rows"),
        (write_sheet([]) + "x\n" * 4, "line 2: a row of Pts and a row of 20s"),
        (changed(2, "Pts/20s", "20s"), "line 2: a row of Pts"),
        (changed(5, "Pts/20s", "Pts"), "line 4: a row of Pts"),
        (changed(3, "Player", "B"), "line 2: a row of Pts"),
        (changed(2, "First/Hammer", "Last"), "line 2: First/Hammer is First or Hammer, not 'Last'"),
        (changed(2, "Round1", "x"), "line 2, Round1: a number is wanted, not 'x'"),
        (changed(3, "Round2", "-1"), "line 3, Round2: a number is wanted"),
        (changed(2, "Round1", ""), "line 2, Round1 should be int, not None"),
        (changed(2, "Total", "9"), "line 2: the total is 3, not 9"),
        (changed(4, "Board", "8"), "line 4: its game is not that of line 2"),
        (changed(2, "Opponent", "C"), "line 2: the opponents do not match"),
        (changed(4, "Opponent", "C"), "line 2: the opponents do not match"),
        (changed(2, "First/Hammer", "Hammer"), "one side shoots first"),
    ],
)
def test_a_sheet_that_is_not_one_is_refused_by_line(text, why):
    with pytest.raises(BadData, match=why):
        read_sheet(text)


@st.composite
def sheets(draw: st.DrawFn) -> SheetGame:
    """Any game the sheet can hold."""
    count = draw(st.integers(0, 20))
    words = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=8)
    players = []
    for name, first in (("A", True), ("B", False)):
        points = tuple(draw(st.lists(st.integers(0, 200), min_size=count, max_size=count)))
        twenties = draw(st.lists(st.one_of(st.none(), st.integers(0, 12)), min_size=count, max_size=count))
        players.append(SheetPlayer(name + draw(words), draw(words), first, points, tuple(twenties)))
    return SheetGame(tuple(draw(st.lists(words, min_size=8, max_size=8))), (players[0], players[1]))


@settings(steady, max_examples=25)
@given(st.lists(sheets(), max_size=2))
def test_any_sheet_is_read_back_the_same(games):
    assert read_sheet(write_sheet(games)) == tuple(games)

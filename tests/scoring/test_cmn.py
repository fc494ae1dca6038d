"""CMN 1.0-draft, written and read."""

from __future__ import annotations

import json

import pytest

from scoring.cmn import read_cmn, write_cmn
from scoring.errors import BadData
from scoring.events import OutcomeRound, RoundScored, TypedRound
from scoring.formats import Format, TieBreak
from scoring.lineup import Lineup
from scoring.presets import preset
from scoring.record import Record, replay
from tests.scoring.boards import doubles, play, singles, typed, won

NCA = preset()


def cmn(**changes) -> str:
    data = {
        "cmn": "1.0-draft",
        "match": {"date": "2026-06-06", "venue": "Tavistock"},
        "format": "singles",
        "teams": [{"players": [{"name": "Anna", "club": "x"}]}, {"players": ["Ben"]}],
        "winner": 0,
        "gameFormat": {"fixed": 2},
        "games": [
            {"winner": 0, "hammer": 1, "scores": [95, 75], "twenties": [2, 1], "note": "x"},
            {"winner": None, "hammer": 0, "scores": [20, 20]},
        ],
        "elsewhere": [1, 2],
    }
    return json.dumps({**data, **changes})


def test_a_match_is_read_and_unknown_keys_are_ignored():
    record, date = read_cmn(cmn(), NCA)
    state = replay(record)
    assert date == "2026-06-06"
    assert (state.sides, state.games[0].points, state.winner) == (("Anna", "Ben"), (3, 1), "Anna")
    results = [played.result for played in state.games[0].rounds]
    assert [(result.totals, result.twenties) for result in results] == [((95, 75), (2, 1)), ((20, 20), None)]
    assert record.rules.format == Format(rounds=2)
    assert str(record.rules.source_of("format")) == "CMN gameFormat"


def test_the_hammer_of_cmn_is_the_side_that_shot_first():
    record, _ = read_cmn(cmn(), NCA)
    assert [played.starter for played in replay(record).games[0].rounds] == ["Ben", "Anna"]
    written = json.loads(write_cmn(play(singles(NCA), typed(20, 0), typed(20, 0)), "2026-06-06"))
    assert [game["hammer"] for game in written["games"]] == [0, 1]


def test_a_game_is_one_round_and_scores_are_raw_totals():
    record = play(
        singles(NCA),
        RoundScored(TypedRound.of({"A": 45, "B": 60}, {"A": 1, "B": 0})),
        typed(20, 20),
        won("A"),
    )
    assert json.loads(write_cmn(record, "2026-06-06")) == {
        "cmn": "1.0-draft",
        "match": {"date": "2026-06-06"},
        "format": "singles",
        "teams": [{"players": [{"name": "A"}]}, {"players": [{"name": "B"}]}],
        "winner": None,
        "gameFormat": {"fixed": 4},
        "games": [
            {"winner": 1, "hammer": 0, "scores": [45, 60], "twenties": [1, 0]},
            {"winner": None, "hammer": 1, "scores": [20, 20]},
            {"winner": 0, "hammer": 0},
        ],
    }


def test_what_is_written_is_read_back_the_same():
    record = play(singles(preset("nca", "first_to_5")), typed(45, 20), won("="), won("B"), typed(20, 20))
    again, _ = read_cmn(write_cmn(record, "2026-06-06"), NCA)
    assert again.events == record.events
    assert again.rules.format == Format(target=5)
    again, _ = read_cmn(write_cmn(record, "2026-06-06"), preset("nca", "first_to_7"))
    assert again.rules.format == Format(target=5, win_by=2)


def test_doubles_and_the_winner():
    record = doubles(NCA)
    for _ in range(4):
        record = play(record, RoundScored(OutcomeRound.of({"X": 2, "Y": 1})))
    text = write_cmn(record, "2026-06-06")
    written = json.loads(text)
    assert (written["format"], written["winner"]) == ("doubles", 1)
    assert [game["hammer"] for game in written["games"]] == [0, 1, 0, 1]
    again, _ = read_cmn(text, NCA)
    assert replay(again).winner == "Y1 & Y2"
    assert [seat.player for seat in again.lineup.seats] == ["X1", "Y1", "X2", "Y2"]


def test_names_keep_their_letters():
    assert "Zoë" in write_cmn(Record(Lineup.single("Zoë", "B"), NCA), "2026-06-06")


def test_a_game_of_several_is_named_by_its_number():
    record = play(singles(preset("nca", "best_of_three")), *[won("A")] * 4, won("B"))
    assert len(json.loads(write_cmn(record, "", 0))["games"]) == 4
    assert len(json.loads(write_cmn(record, "", 1))["games"]) == 1
    for game in (-1, 2):
        with pytest.raises(BadData, match=f"there is no game {game}"):
            write_cmn(record, "", game)


def test_three_sides_do_not_fit():
    with pytest.raises(BadData, match="two teams only"):
        write_cmn(Record(Lineup.single("A", "B", "C"), NCA), "")


def test_without_a_format_the_rules_keep_theirs():
    record, date = read_cmn(cmn(gameFormat={}, games=[], match={}), preset("wcc"))
    assert record.rules.format == Format(rounds=4, tie=TieBreak.ONE_ROUND)
    assert (date, record.first, record.events) == ("", 0, ())


def test_a_fixed_number_of_rounds_keeps_the_tie_break_and_ends_a_target():
    record, _ = read_cmn(cmn(games=[]), preset("wcc"))
    assert record.rules.format == Format(rounds=2, tie=TieBreak.ONE_ROUND)
    record, _ = read_cmn(cmn(games=[]), preset("nca", "first_to_5"))
    assert record.rules.format == Format(rounds=2)


def test_a_round_without_scores_is_an_outcome():
    record, _ = read_cmn(cmn(games=[{"winner": 1, "twenties": [0, 2]}, {"winner": None}, {}][:2]), NCA)
    assert [event.entry for event in record.events] == [
        OutcomeRound((("Anna", 2), ("Ben", 1)), None, (("Anna", 0), ("Ben", 2))),
        OutcomeRound((("Anna", 1), ("Ben", 1))),
    ]


def test_scores_without_a_winner_say_who_won():
    record, _ = read_cmn(cmn(games=[{"scores": [20, 45]}]), NCA)
    assert replay(record).games[0].rounds[0].result.winner == "Ben"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("[]", "not CMN 1.0-draft"),
        (cmn(cmn="2.0"), "not CMN 1.0-draft"),
        (cmn(teams=None), "teams should be a list, not None"),
        (cmn(teams=[3, 4]), r"teams\[0\] should be a table, not 3"),
        (cmn(teams=[{}, {}]), r"teams\[0\].players should be a list"),
        (cmn(teams=[{"players": [{}]}, {"players": ["B"]}]), r"teams\[0\].players should be str, not None"),
        (cmn(teams=[{"players": [name]} for name in "ABC"]), "two teams only"),
        (cmn(teams=[{"players": ["A"]}, {"players": ["A"]}]), "the match cannot be: names"),
        (cmn(games=3), "games should be a list"),
        (cmn(games=[3]), r"games\[0\] should be a table"),
        (cmn(games=[{"hammer": "x"}]), r"games\[0\].hammer should be int"),
        (cmn(games=[{"hammer": 7}]), "the match cannot be: no seat 7"),
        (cmn(games=[{"scores": [20]}]), r"games\[0\].scores should hold 2 items"),
        (cmn(games=[{"scores": [20, 0], "winner": 1}]), r"games\[0\].winner does not fit its scores"),
        (cmn(games=[{"winner": "x"}]), r"games\[0\].winner should be int"),
        (cmn(games=[{"winner": 2}]), r"games\[0\].winner is 0, 1 or null, not 2"),
        (cmn(games=[{"scores": [21, 0]}]), "the match cannot be: a total is a multiple of 5"),
        (cmn(games=[{"twenties": [1]}]), r"games\[0\].twenties should hold 2"),
        (cmn(games=[{"scores": [20, 0]}] * 3), "the match cannot be: event 2: the match is over"),
        (cmn(gameFormat=4), "gameFormat should be a table"),
        (cmn(gameFormat={"fixed": "4"}), "gameFormat.fixed should be int"),
        (cmn(gameFormat={"fixed": 0}), "gameFormat: rounds is one or more"),
        (cmn(gameFormat={"first_to": 0}), "gameFormat: target is one or more"),
        (cmn(match=3), "match should be a table"),
        (cmn(match={"date": 3}), "match.date should be str"),
    ],
)
def test_text_that_is_not_cmn_is_refused_where_it_goes_wrong(text, why):
    with pytest.raises(BadData, match=why):
        read_cmn(text, NCA)

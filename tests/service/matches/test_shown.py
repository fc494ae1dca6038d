"""The board a table shows: as it was seen, and as people decided once a round rests on it (decision 040)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from service.matches.facts import AmendedRound, Decision, ReadRound, ToldRound
from service.matches.tables import snapshot
from service.store import Store
from service.store.tables import decisions
from tests.service.matches.played import Playing, add_reading, elsewhere, reading_body, seen

TEAMS = {"dark": "Anna", "light": "Ben"}
SWAPPED = {"dark": "Ben", "light": "Anna"}
BODY = reading_body(
    seen(1, "dark", 15),
    seen(2, "light", 15, verdict="too_close", touch=0.31),
    seen(3, "light", 5),
    elsewhere(4, "light", "ditch"),
    elsewhere(5, "red", "off"),
) | {"needs_review": [{"disc": 2, "why": "too close"}, {"disc": 3, "why": "under a hand"}]}


def board(playing: Playing) -> dict[str, Any]:
    """What a table's snapshot shows, which is what the last message about it said."""
    with playing.store.read() as connection:
        shown = snapshot(connection, "1")["board"]
    told = [message for message in playing.messages() if message["type"] == "reading"]
    if told:
        assert shown == {key: value for key, value in told[-1].items() if key not in ("seq", "t_s", "type")}
    assert isinstance(shown, dict)
    return shown


def of(shown: dict[str, Any], key: str) -> dict[int, Any]:
    return {disc["id"]: disc[key] for disc in shown["discs"]}


def readings_told(playing: Playing) -> int:
    return sum(message["type"] == "reading" for message in playing.messages())


@pytest.fixture
def playing(store: Store) -> Playing:
    made = Playing(store)
    add_reading(store, "r_1", BODY, table="1")
    return made


def test_before_a_round_rests_on_it_the_board_is_as_it_was_seen(playing: Playing) -> None:
    shown = board(playing)
    assert (shown["reading"], shown["event"], shown["teams"]) == ("r_1", None, None)
    assert shown["discs"] == BODY["discs"]


def test_an_overruled_disc_has_the_points_people_gave_it(playing: Playing) -> None:
    playing.score(ReadRound("r_1", TEAMS, {"Ben": 1}, (Decision(disc=2, region=10, why="it touches"),)))
    shown = board(playing)
    assert (shown["event"], shown["teams"]) == (0, TEAMS)
    assert of(shown, "points") == {1: 15, 2: 10, 3: 5, 4: 0, 5: 0}
    assert of(shown, "team") == of({"discs": BODY["discs"]}, "team")
    assert shown["sides"] == [
        {"team": "dark", "name": "Anna", "board": 15, "twenties": 0, "total": 15},
        {"team": "light", "name": "Ben", "board": 15, "twenties": 1, "total": 35},
    ]
    assert [doubt["disc"] for doubt in shown["needs_review"]] == [3], "what was decided is settled"


def test_swapped_colours_are_shown_swapped(playing: Playing) -> None:
    playing.score(ReadRound("r_1", SWAPPED))
    shown = board(playing)
    assert shown["teams"] == SWAPPED
    assert [(side["team"], side["name"]) for side in shown["sides"]] == [("dark", "Ben"), ("light", "Anna")]
    assert readings_told(playing) == 1


def test_a_disc_taken_off_moved_to_the_other_side_or_added_is_shown_so(playing: Playing) -> None:
    playing.score(
        ReadRound(
            "r_1",
            TEAMS,
            decisions=(
                Decision(disc=1, place="off", why="a coin"),
                Decision(disc=3, side="Anna", why="a dark one in the light"),
                Decision(side="Ben", region=5, why="under a hand", at_mm=(12.5, -250.0)),
            ),
        )
    )
    shown = board(playing)
    assert of(shown, "team") == {2: "light", 3: "dark", 4: "light", 5: "red", 6: "light"}
    # The number of the disc that lies beside the board is not given a second time.
    added = shown["discs"][-1]
    assert (added["id"], added["x_mm"], added["y_mm"], added["points"]) == (6, 12.5, -250.0, 5)
    assert [disc["colour"] for disc in shown["discs"] if disc["id"] in (3, 6)] == [None, None]


def test_an_added_disc_of_a_side_without_discs_is_called_by_its_side(store: Store) -> None:
    playing = Playing(store)
    add_reading(store, "r_1", reading_body(seen(1, "dark", 15)), table="1")
    playing.score(
        ReadRound("r_1", {"dark": "Anna"}, decisions=(Decision(side="Ben", region=10, why="missed"),))
    )
    shown = board(playing)
    assert of(shown, "team") == {1: "dark", 2: "Ben"}
    assert shown["teams"] == {"dark": "Anna", "Ben": "Ben"}
    assert shown["discs"][-1]["x_mm"] is None


def test_a_correction_and_its_undo_are_told_to_watchers(playing: Playing) -> None:
    playing.score(ReadRound("r_1", TEAMS))
    playing.correct(0, AmendedRound(decisions=(Decision(disc=2, region=10, why="l"),)), "looked", None)
    assert of(board(playing), "points")[2] == 10
    playing.undo()
    assert of(board(playing), "points")[2] == 15
    playing.undo()
    assert board(playing)["event"] is None
    assert readings_told(playing) == 4


def test_what_does_not_change_the_board_says_nothing_of_it(playing: Playing) -> None:
    playing.score(ReadRound("r_1", TEAMS))
    told = readings_told(playing)
    playing.correct(0, AmendedRound(twenties={"Anna": 0}), "counted again", None)
    playing.score(ToldRound({"Anna": 5, "Ben": 20}))
    playing.penalty("Ben", 1, "late")
    assert readings_told(playing) == told


def test_a_round_corrected_by_typing_rests_on_no_reading(playing: Playing) -> None:
    playing.score(ReadRound("r_1", SWAPPED))
    playing.correct(0, ToldRound({"Anna": 5, "Ben": 0}), "misread", None)
    assert board(playing)["discs"] == BODY["discs"]


def test_a_place_out_of_an_imported_file_may_be_anything(playing: Playing) -> None:
    playing.score(ReadRound("r_1", TEAMS, decisions=(Decision(side="Ben", region=5, why="w", at_mm=(1, 2)),)))
    for wrong in ("x", ["a", 1], [1], {"x": 1}, None):
        with playing.store.write() as connection:
            connection.execute(update(decisions).values(now={"at_mm": wrong}))
        with playing.store.read() as connection:
            shown = snapshot(connection, "1")["board"]
        assert shown["discs"][-1]["x_mm"] is None

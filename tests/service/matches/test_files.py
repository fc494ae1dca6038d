"""A match as a file: out and back identically, and the forms of other programs."""

from __future__ import annotations

import copy
import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.cmn import read_cmn
from scoring.lineup import Lineup
from scoring.presets import preset
from scoring.record import replay
from scoring.sheet import read_sheet
from service.matches.exports import match_cmn, match_csv, match_file, match_sheet
from service.matches.facts import Decision, PlacedRound, ReadRound, ToldRound
from service.matches.imports import check_plain, import_match
from service.matches.match_json import match_json
from service.matches.refusals import Exists, Impossible, NotNow, Unknown
from service.matches.stored import Stored, load_match
from service.store import Store
from tests.service.matches.played import BY, Playing, add_reading, elsewhere, reading_body, seen


def _played(store: Store) -> Playing:
    playing = Playing(store, colours={"Anna": "dark"}, event_name="Open, 2026")
    body = reading_body(
        seen(1, "dark", 15),
        seen(2, "light", 15, verdict="too_close", touch=0.3),
        elsewhere(3, "light", "hole", 20),
    )
    add_reading(store, "r_1", body)
    playing.score(ReadRound("r_1", decisions=(Decision(disc=2, region=10, why="looked"),)))
    playing.score(ToldRound({"Anna": 45, "Ben": 20}, {"Anna": 1, "Ben": 0}))
    playing.score(PlacedRound({"Anna": 1, "Ben": 1}))
    playing.correct(1, ToldRound({"Anna": 45, "Ben": 50}), "misheard", "Ref")
    playing.penalty("Ben", 1, "late")
    playing.undo()
    playing.finish("the hall closes")
    return playing


def _stored(store: Store, id: str) -> Stored:
    with store.read() as connection:
        return load_match(connection, id)


def _file(store: Store, id: str) -> dict[str, Any]:
    with store.read() as connection:
        file: dict[str, Any] = json.loads(json.dumps(match_file(connection, load_match(connection, id))))
    return file


def _import(store: Store, file: dict[str, Any]) -> tuple[Stored, bool]:
    with store.write() as connection:
        return import_match(connection, file)


@pytest.fixture
def other(migrated_file: Path, tmp_path: Path) -> Iterator[Store]:
    file = tmp_path / "other.db"
    shutil.copy(migrated_file, file)
    store = Store(f"sqlite:///{file}")
    yield store
    store.close()


def test_a_match_comes_back_identically_elsewhere(store: Store, other: Store) -> None:
    playing = _played(store)
    file = _file(store, playing.id)
    stored, is_new = _import(other, file)
    assert is_new and match_json(stored) == playing.match
    assert _file(other, playing.id) == file
    assert _import(other, file)[1] is False
    # and it can be played on
    with other.write() as connection:
        match = playing.matches.undo(connection, playing.id, BY)
    assert match["version"] == playing.match["version"] + 1


def test_the_same_match_changed_is_another_one(store: Store) -> None:
    playing = _played(store)
    file = _file(store, playing.id)
    file["match"]["event_name"] = "Closed"
    with pytest.raises(Exists):
        _import(store, file)
    file["match"]["id"] = "m_copy"
    with pytest.raises(Exists, match="decision"):
        _import(store, file)
    assert _file(store, playing.id)["match"]["event_name"] == "Open, 2026"


def _breakages() -> dict[str, Any]:
    def far(file: Any) -> None:
        file["evidence"][0]["event_number"] = 99

    def no_reading(file: Any) -> None:
        file["readings"] = []

    def no_photo(file: Any) -> None:
        file["photos"] = []

    def bad_reading(file: Any) -> None:
        file["readings"][0]["body"] = {"discs": 5}

    def bad_discs(file: Any) -> None:
        file["readings"][0]["body"]["discs"][0]["line"] = {"name": "7"}

    def bad_event(file: Any) -> None:
        file["record"]["events"][0] = {"type": "goal"}

    def impossible(file: Any) -> None:
        file["record"]["events"][0]["entry"]["twenties"] = [["Anna", 50], ["Ben", 0]]

    def short_log(file: Any) -> None:
        file["log"].pop()

    def backwards(file: Any) -> None:
        file["log"][0]["version"] = 1

    def nul(file: Any) -> None:
        file["readings"][0]["body"]["photo"] = "a\0b"

    def surrogate(file: Any) -> None:
        file["readings"][0]["options"] = {"\ud800": 1}

    def infinite(file: Any) -> None:
        file["decisions"][0]["was"] = {"x": float("inf")}

    def huge(file: Any) -> None:
        file["decisions"][0]["was"] = {"x": 2**70}

    def deep(file: Any) -> None:
        inner: Any = []
        for _ in range(50):
            inner = [inner]
        file["decisions"][0]["was"] = {"x": inner}

    def colour(file: Any) -> None:
        file["match"]["colours"] = {"Carl": "red"}

    def discs(file: Any) -> None:
        file["record"]["rules"]["discs_singles"] = 10**6

    def wild(file: Any) -> None:
        file["record"]["events"] *= 1000

    return dict(locals())


@pytest.mark.parametrize("name", _breakages())
def test_a_file_that_cannot_be_is_refused_and_leaves_nothing(
    sqlite_store: Store, other: Store, name: str
) -> None:
    file = copy.deepcopy(_file(sqlite_store, _played(sqlite_store).id))
    _breakages()[name](file)
    with pytest.raises(Impossible) as refused:
        _import(other, file)
    assert len(refused.value.words) < 400
    with other.read() as connection, pytest.raises(Unknown):
        load_match(connection, file["match"]["id"])


def test_a_reading_that_is_here_with_other_content_is_not_overwritten(store: Store, other: Store) -> None:
    file = _file(store, _played(store).id)
    add_reading(other, "r_1", reading_body(seen(1, "dark", 5)))
    with pytest.raises(Exists, match="reading r_1"):
        _import(other, file)


def test_plain_data_passes() -> None:
    check_plain({"a": [1, 2.5, None, True, "é"]})


def test_cmn_holds_one_game(store: Store) -> None:
    playing = _played(store)
    record, date = read_cmn(match_cmn(_stored(store, playing.id), 1), preset("nca"))
    assert date == playing.match["created_at"][:10]
    assert replay(record).games[0].points == tuple(playing.match["state"]["games"][0]["points"])
    with pytest.raises(Unknown):
        match_cmn(_stored(store, playing.id), 2)


def test_the_spreadsheet_holds_every_game(store: Store) -> None:
    playing = Playing(store, options=("best_of_three",), event_name="Open")
    for _ in range(5):
        playing.score(ToldRound({"Anna": 45, "Ben": 20}, {"Anna": 1, "Ben": 0}))
    first, second = read_sheet(match_sheet(_stored(store, playing.id)))
    assert (first.players[0].points, second.players[0].points) == ((2, 2, 2, 2), (2,))
    assert first.labels[1] == "Open" and first.labels[-1] == "1"


def test_three_sides_fit_neither_cmn_nor_the_spreadsheet(store: Store) -> None:
    playing = Playing(store, rules="depot", lineup=Lineup.single("Anna", "Ben", "Cleo"))
    stored = _stored(store, playing.id)
    for export in (lambda: match_cmn(stored, 1), lambda: match_sheet(stored)):
        with pytest.raises(NotNow):
            export()


def test_csv_has_a_row_for_each_side_of_each_round(store: Store) -> None:
    playing = _played(store)
    rows = list(csv.DictReader(io.StringIO(match_csv(_stored(store, playing.id)))))
    told = [(row["round"], row["side"], row["total"], row["twenties"], row["awarded"]) for row in rows]
    assert told == [
        ("1", "Anna", "15", "0", "0"),
        ("1", "Ben", "30", "1", "2"),
        ("2", "Anna", "45", "", "0"),
        ("2", "Ben", "50", "", "2"),
        ("3", "Anna", "", "", "1"),
        ("3", "Ben", "", "", "1"),
    ]
    assert {row["event_name"] for row in rows} == {"Open, 2026"}
    assert [row["corrected"] for row in rows[::2]] == ["False", "True", "False"]

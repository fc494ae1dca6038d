"""Labels read from files, and a photo's line of the table, with a stand-in for the reading."""

from __future__ import annotations

import json

import pytest

from benchmarks.photos import labels_in, load_label, measure, row, total_row, totals_words
from calibration.errors import NoBoardError
from calibration.measured import Measured
from scoring.presets import preset
from service.compose import compose
from service.sides import Sides
from vision.reading import BoardReading, LineGap, Place, SeenBoard, SeenDisc, Verdict


def seen_disc(id, team, place, x_px, line=10, clearance_mm=20.0):
    gap = LineGap(line, Measured(clearance_mm, 0.1), 0.0, Verdict.CLEAR) if place is Place.BOARD else None
    return SeenDisc(id, team, "#808080", place, (x_px, 100.0), 0.0, 0.0, 0.1, gap, (), ())


def scored(*discs):
    board = SeenBoard((100.0, 100.0), 5.0, 0.1, "assumed", {})
    reading = BoardReading(
        "a.jpg", 640, 480, "standard", (101.6, 203.2, 304.8), "preset", board, discs, ("light", "dark"), ()
    )
    return compose(reading, preset(), Sides())


@pytest.fixture
def label(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"")
    discs = [
        {"x": 50, "y": 100, "r": 20, "team": "wood", "where": "board", "score": 10},
        {"x": 150, "y": 100, "r": 20, "team": "black", "where": "hole", "score": 20},
        {"x": 250, "y": 100, "r": 20, "team": "black", "where": "tray", "score": 0},
    ]
    data = {"photo": "a.jpg", "discs": discs, "totals": {"wood": 10, "black": 20}}
    (tmp_path / "a.json").write_text(json.dumps(data), encoding="utf-8")
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    return load_label(tmp_path / "a.json")


def test_only_labels_with_their_photo_are_taken(label, tmp_path):
    (tmp_path / "b.json").write_text(
        json.dumps({"photo": "b.jpg", "discs": [], "totals": {}}), encoding="utf-8"
    )
    assert labels_in(tmp_path) == [label]
    assert [disc.in_play for disc in label.discs] == [True, True, False]


def test_a_photo_read_right(label):
    reading = scored(
        seen_disc(1, "dark", Place.HOLE, 151.0),
        seen_disc(2, "light", Place.BOARD, 52.0),
        seen_disc(3, "dark", Place.OFF, 249.0),
    )
    result = measure(label, lambda: reading, 1)
    assert result.exact
    assert result.names == {"wood": "light", "black": "dark"}
    assert (result.counts.found, result.counts.points_right, result.counts.elsewhere_found) == (2, 2, 1)
    assert row(result)[:4] == ["a.jpg", "640x480", True, "wood 10, black 20"]


def test_a_photo_read_wrong_shows_both_totals(label):
    result = measure(label, lambda: scored(seen_disc(1, "light", Place.BOARD, 52.0, line=15)), 1)
    assert not result.exact
    assert (result.counts.missed, result.counts.elsewhere_missed) == (1, 1)
    assert totals_words(result.true_totals, result.read_totals, result.names) == "wood 10 (15), black 20 (0)"
    assert total_row([result])[2] == "0/1"


def test_a_photo_that_is_refused_misses_every_disc(label):
    def refuse():
        raise NoBoardError("nothing round")

    result = measure(label, refuse, 1)
    assert (result.exact, result.counts.missed, result.counts.elsewhere_missed) == (False, 2, 1)
    assert "nothing round" in str(row(result)[3])


def test_the_seconds_are_a_median_after_a_warm_up(label):
    calls = []
    measure(label, lambda: calls.append(1) or scored(), 3)
    assert len(calls) == 4

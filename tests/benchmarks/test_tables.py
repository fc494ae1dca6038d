"""Tables and figures."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.speed import alternating, enlarged, jpeg_of, ratios
from benchmarks.tables import cell_text, number, share, spread, table, write_json


def test_words_stand_left_and_numbers_right():
    text = table(("name", "n"), [("a", 5), ("bcdef", 12)])
    assert text.splitlines() == ["name    n", "-----  --", "a       5", "bcdef  12"]


def test_a_table_without_rows_is_its_head():
    assert table(("a", "bc"), []).splitlines() == ["a  bc", "-  --"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.01234, "0.012"), (1.234, "1.23"), (12.34, "12.3"), (1234.5, "1234"), (0.0, "0"), (-0.5, "-0.500")],
)
def test_numbers_have_about_three_digits(value, text):
    assert number(value) == text


def test_what_was_not_measured_is_a_dash():
    assert cell_text(None) == cell_text(float("nan")) == share(0, 0) == "-"
    assert (cell_text(True), cell_text(3), share(2, 3)) == ("yes", "3", "2/3")


def test_spread_tells_sizes_from_bias_and_leaves_out_what_is_not_finite():
    found = spread([-1.0, 1.0, 3.0, float("nan")])
    assert (found["n"], found["median"], found["max"], found["bias"]) == (3, 1.0, 3.0, 1.0)
    assert spread([])["median"] is None


def test_the_report_is_written_with_its_conditions(tmp_path):
    path = tmp_path / "out.json"
    write_json(path, {"errors": np.array([1.5]), "n": np.int64(2)})
    data = json.loads(path.read_text(encoding="utf-8"))
    assert (data["errors"], data["n"]) == ([1.5], 2)
    assert data["conditions"]["cores"] >= 1
    write_json(None, {})


def test_the_two_are_run_in_turns():
    calls: list[str] = []
    times = alternating(lambda: calls.append("a"), lambda: calls.append("b"), 3)
    assert (calls, len(times)) == (["a", "b"] * 4, 3)
    assert ratios([(2.0, 1.0), (9.0, 3.0), (8.0, 2.0)]) == {"median": 3.0, "min": 2.0, "max": 4.0}


def test_the_enlarged_picture_has_the_asked_size_and_is_the_same_every_time():
    small = np.full((60, 100, 3), 120, np.uint8)
    large = enlarged(small, (320, 240))
    assert large.shape == (240, 320, 3)
    assert large.std() > 1
    assert jpeg_of(large) == jpeg_of(enlarged(small, (320, 240)))

"""The figures of line calls, from made-up calls."""

import pytest

from benchmarks.linecall_figures import by_gap, honesty_row, most_share, reliability, verdict_row
from benchmarks.linecall_time import time_rows
from benchmarks.linecall_truth import Ruled
from benchmarks.linecalls import Pile
from calibration.measured import Measured
from vision.clearance import GapBudget
from vision.reading import Verdict


def call(true_mm: float, ours_mm: float, verdict: Verdict, p: float = 0.5, sigma_mm: float = 0.1) -> Ruled:
    budget = GapBudget(0.0, 0.0, 0.0, 0.0, sigma_mm)
    gap = Measured(ours_mm, sigma_mm)
    return Ruled("scene", "phone", true_mm, gap, p, verdict, budget, ours_mm - 2.0)


CALLS = [
    call(0.5, 0.6, Verdict.CLEAR, 0.001),
    call(-0.5, -0.4, Verdict.TOUCHING, 0.999),
    call(0.05, -0.05, Verdict.TOO_CLOSE, 0.6),
    call(0.3, -0.4, Verdict.TOUCHING, 0.995),
]


def test_touching_the_edge_is_touching() -> None:
    assert call(0.0, 0.1, Verdict.TOO_CLOSE).touches
    assert not call(1e-6, 0.1, Verdict.TOO_CLOSE).touches


def test_only_a_verdict_can_be_wrong() -> None:
    assert [one.wrong for one in CALLS] == [False, False, False, True]


def test_what_was_not_found_counts_as_not_called() -> None:
    _, asked, too_close, wrong, *_ = verdict_row("all", CALLS, 8)
    assert (asked, too_close, wrong) == (8, "62.5", 1)


def test_calls_by_the_size_of_the_gap() -> None:
    rows = {row[0]: row[1:] for row in by_gap(CALLS)}
    assert rows["0.4-0.8"] == [2, 2, 0, 0, 1]
    assert rows["0.2-0.4"] == [1, 0, 0, 1, 0]
    assert rows["0-0.1"] == [1, 0, 1, 0, 0]


def test_said_and_seen_probability() -> None:
    rows = {row[0]: row[1:] for row in reliability(CALLS)}
    assert rows["0-0.01"] == [1, "0.001", "0.000"]
    assert rows["0.99-1"] == [2, "0.997", "0.500"]


def test_coverage_and_error_over_sigma() -> None:
    row = honesty_row("all", CALLS)
    assert row[2] == "75.0"
    assert row[3] == pytest.approx(((1 + 1 + 1 + 49) / 4) ** 0.5)


def test_no_wrong_call_in_n_shows_less_than_three_in_n() -> None:
    assert most_share(0, 2995) == pytest.approx(0.001, rel=0.01)
    assert most_share(1, 100) > most_share(0, 100)
    assert most_share(3, 3) == 1.0


def test_a_disc_that_was_not_ruled_on_is_asked_all_the_same() -> None:
    pile = Pile()
    pile.add([1, 2, 5], {1: CALLS[0], 5: CALLS[1], 7: CALLS[2]})
    assert (pile.asked, pile.calls) == (3, CALLS[:2])


def test_the_cost_of_a_call_is_compared_pair_by_pair() -> None:
    rows = {
        str(row[0]): row[1:] for row in time_rows({"score": [1.0, 2.0, 4.0], "linecall": [3.0, 2.0, 6.0]})
    }
    assert rows["ratio"] == [3, 1.5, 1.0, 3.0]
    assert rows["linecall"][:2] == [3, 3.0]

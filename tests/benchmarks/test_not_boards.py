"""Round things that are no crokinole board are refused: a few small ones; the benchmark has them all."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.not_boards import Candidate, Outcome, as_rgb, judge, skimage_files, totals
from benchmarks.scenes.decoys import decoys

SMALL_PX = (480, 360)
THINGS = (
    "bullseye-cross-2",
    "carrom-2",
    "checkers-2",
    "clock-1",
    "compass-rose-2",
    "curling-house-2",
    "dart-board-1",
    "football-pitch-2",
    "polar-paper-1",
    "radar-2",
    "round-table-1",
    "solar-system-2",
    "three-circles-1",
)


@pytest.mark.parametrize("name", THINGS)
def test_no_board_is_found_in(name):
    (decoy,) = decoys(name, size_px=SMALL_PX)
    outcome = judge(Candidate("decoy", decoy.name, decoy.rgb))
    assert outcome.verdict == "refused", outcome.reason


def test_a_decoy_is_the_same_every_time():
    first, again = (next(iter(decoys("logo-1", size_px=(96, 72)))).rgb for _ in range(2))
    assert first.shape == (72, 96, 3)
    assert np.array_equal(first, again)


def test_there_are_at_least_forty_eight_decoys_with_names_of_their_own():
    from benchmarks.scenes.decoy_things import THINGS as ALL
    from benchmarks.scenes.decoys import SHOTS

    assert len(ALL) * SHOTS >= 48


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((30, 40)),
        np.ones((30, 40), bool),
        np.full((30, 40, 1), 7, np.uint16),
        np.zeros((30, 40, 2), np.uint8),
        np.zeros((30, 40, 4), np.uint8),
        np.zeros((5, 30, 40), np.float32),
        np.full((2, 3, 30, 40, 3), np.nan),
    ],
    ids=str,
)
def test_any_array_becomes_a_picture(array):
    rgb = as_rgb(array)
    assert (rgb.dtype, rgb.shape) == (np.uint8, (30, 40, 3))


def test_wide_ranges_are_scaled_and_not_cut():
    assert as_rgb(np.array([[0.0, 50.0], [25.0, 100.0]]))[..., 0].tolist() == [[0, 127], [63, 255]]


def test_the_bundled_pictures_are_listed_and_the_absent_counted():
    here, absent = skimage_files()
    assert "coffee.png" in {path.name for path in here}
    assert not {path.name for path in here} & set(absent)


def test_outcomes_are_counted_by_source():
    seen = (("skimage", "refused"), ("decoy", "refused"), ("decoy", "ACCEPTED"), ("decoy", "CRASHED"))
    said = [Outcome(source, "", (1, 1), verdict, "", 0.0) for source, verdict in seen]
    assert totals(said) == [["skimage", 1, 1, 0, 0], ["decoy", 3, 1, 1, 1], ["all", 4, 2, 1, 1]]

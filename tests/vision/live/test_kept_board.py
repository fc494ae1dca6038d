"""Arcs of a ring that are hidden."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.live.kept_board import longest_run


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_the_longest_run_goes_round_the_ring(marked: list[bool]) -> None:
    n = len(marked)
    runs = [
        length
        for start in range(n)
        for length in range(1, n + 1)
        if all(marked[(start + k) % n] for k in range(length))
    ]
    assert longest_run(np.array(marked)) == max(runs, default=0)

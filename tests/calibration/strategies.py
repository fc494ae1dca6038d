"""Hypothesis strategies for equipment."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from calibration.equipment import Board, Disc, Equipment


@st.composite
def equipments(draw: st.DrawFn) -> Equipment:
    """Any equipment that can be: built outwards from the disc, so that each part has room for the next."""

    def more(low: float, high: float) -> float:
        return draw(st.floats(low, high, allow_nan=False))

    thickness = more(3, 12)
    bottom = more(14, 35)
    widest = bottom + more(0, 4)
    line_width = more(0.2, 5)
    hole = widest + more(0.5, 8)
    rings = [hole + 4 * line_width + more(1, 150)]
    for _ in range(2):
        rings.append(rings[-1] + 4 * line_width + more(1, 200))
    assume(rings[0] >= 20)
    board = Board(
        ring_diameters_mm=(rings[0], rings[1], rings[2]),
        line_width_mm=line_width,
        hole_diameter_mm=hole,
        surface_diameter_mm=max(100.0, rings[2] + more(0, 100)),
        peg_diameter_mm=more(2, 20),
        peg_height_mm=more(5, 40),
        peg_count=draw(st.integers(0, 16)),
    )
    printable = st.characters(exclude_categories=("C", "Z"))
    name = draw(st.text(printable, min_size=1, max_size=20))
    assume(name.isprintable())
    return Equipment(name, board, Disc(widest, bottom, thickness))

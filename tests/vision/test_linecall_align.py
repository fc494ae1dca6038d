"""Two photos of one position: frames brought together, and anything that moved noticed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.linecall_align import Layout, Together, brought_together, require_unmoved, turned
from vision.linecall_errors import LineCallError, LineCallFault

RADII_MM = np.array([101.6, 203.2, 304.8])
XY_MM = np.array(
    [(180.0, 30.0), (-60.0, 140.0), (20.0, -270.0), (-200.0, -90.0), (75.0, 62.0), (250.0, 140.0)]
)
TEAMS = ("dark", "light", "dark", "light", "dark", "light")


def layout(
    xy_mm: np.ndarray = XY_MM, teams: tuple[str, ...] = TEAMS, photo: str = "a.jpg", **other
) -> Layout:
    count = len(xy_mm)
    return Layout(
        photo, xy_mm, np.full(count, 0.1), teams[:count], tuple(range(1, count + 1)), RADII_MM, **other
    )


def seen_again(turn_deg: float, *, seed: int = 3, noise_mm: float = 0.2, **other) -> Layout:
    """The same discs in another frame, in another order, each measured a little otherwise."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(XY_MM))
    xy = turned(XY_MM, np.radians(turn_deg)) + rng.normal(0, noise_mm, XY_MM.shape)
    teams = tuple(TEAMS[k] for k in order)
    return layout(xy[order], teams, "b.jpg", **other)


def all_shown(first: Layout, other: Layout) -> np.ndarray:
    return np.ones(len(first.ids) + len(other.ids), dtype=bool)


def refused(first: Layout, other: Layout, seen: np.ndarray | None = None) -> LineCallError:
    with pytest.raises(LineCallError) as caught:
        found = brought_together(first, other)
        require_unmoved(first, other, found, all_shown(first, other) if seen is None else seen)
    return caught.value


def check_found(first: Layout, other: Layout, found: Together, turn_deg: float) -> None:
    off = np.degrees(found.turn_rad) + turn_deg
    assert abs((off + 180) % 360 - 180) < 0.5
    assert len(found.pairs) == len(first.ids)
    apart = first.xy_mm[found.pairs[:, 0]] - turned(other.xy_mm, found.turn_rad)[found.pairs[:, 1]]
    assert np.linalg.norm(apart, axis=1).max() < 2.0
    assert all(first.teams[i] == other.teams[j] for i, j in found.pairs)


@given(st.floats(-180, 180), st.integers(0, 50))
def test_any_turn_is_found_without_marks(turn_deg: float, seed: int):
    first, other = layout(), seen_again(turn_deg, seed=seed)
    check_found(first, other, brought_together(first, other), turn_deg)


@pytest.mark.parametrize("quarter", range(4))
def test_quadrant_lines_leave_four_turns_and_the_discs_choose(quarter: int):
    """Each photo's frame lies along some quadrant line, not necessarily the same one."""
    first = layout(quadrants_rad=0.01)
    other = seen_again(90 * quarter + 1.0, quadrants_rad=0.01 + np.radians(1.0))
    check_found(first, other, brought_together(first, other), 90 * quarter + 1.0)


def test_a_single_disc_needs_no_more():
    first = layout(XY_MM[:1], quadrants_rad=0.0)
    other = layout(turned(XY_MM[:1], np.pi / 2), photo="b.jpg", quadrants_rad=0.0)
    found = brought_together(first, other)
    assert found.pairs.tolist() == [[0, 0]]
    require_unmoved(first, other, found, all_shown(first, other))


def test_team_words_may_differ_between_photos():
    first = layout()
    words = {"dark": "red", "light": "dark"}
    other = seen_again(70)
    other = replace(other, teams=tuple(words[team] for team in other.teams))
    found = brought_together(first, other)
    assert [words[first.teams[i]] for i, _ in found.pairs] == [other.teams[j] for _, j in found.pairs]


def test_colours_tell_turns_apart_where_places_do_not():
    """A square of discs fits at four turns; two teams leave one."""
    square = 150.0 * np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
    first = layout(square, ("dark", "light", "light", "light"))
    other = layout(turned(square, np.radians(90)), ("dark", "light", "light", "light"), "b.jpg")
    found = brought_together(first, other)
    assert abs(np.degrees(found.turn_rad) + 90) < 1.0


def test_false_quadrant_lines_yield_to_discs():
    first, other = layout(quadrants_rad=0.0), seen_again(30, quadrants_rad=0.0)
    check_found(first, other, brought_together(first, other), 30)


@pytest.mark.parametrize("moved_mm", [2.5, 4.2, 9.0])
def test_a_disc_that_moved_is_named_with_how_far(moved_mm: float):
    first, other = layout(), seen_again(40, noise_mm=0.0)
    nudged = other.xy_mm.copy()
    disc = int(np.flatnonzero(np.linalg.norm(turned(nudged, np.radians(-40)) - XY_MM[2], axis=1) < 1)[0])
    nudged[disc] += moved_mm * np.array([0.6, 0.8])
    error = refused(first, replace(other, xy_mm=nudged))
    assert error.code is LineCallFault.DISC_MOVED
    said = [word for word in error.message.split() if word.replace(".", "").isdigit()]
    assert error.message.startswith("disc 3 moved")
    assert float(said[1]) == pytest.approx(moved_mm, abs=0.25)


def test_a_disc_that_moved_far_is_named_too():
    first, other = layout(), seen_again(0, noise_mm=0.0)
    far = other.xy_mm.copy()
    far[int(np.flatnonzero(np.linalg.norm(far - XY_MM[1], axis=1) < 1)[0])] = (-90.0, 60.0)
    assert refused(first, replace(other, xy_mm=far)).message.startswith("disc 2 moved 85.4 mm")


def test_a_disc_that_came_or_went_is_noticed_unless_it_is_out_of_sight():
    first, other = layout(), layout(XY_MM[:5], photo="b.jpg")
    for one, two, says in (
        (first, other, "disc 6 of a.jpg is not seen in b.jpg"),
        (other, first, "disc 6 of a.jpg is not seen in b.jpg"),
    ):
        error = refused(one, two)
        assert error.code is LineCallFault.DISC_MOVED
        assert error.message.startswith(says)
    seen = all_shown(first, other)
    seen[5] = False
    require_unmoved(first, other, brought_together(first, other), seen)


def test_an_uncertain_disc_is_allowed_its_uncertainty():
    first, other = layout(), seen_again(0, noise_mm=0.0)
    nudged = replace(other, xy_mm=other.xy_mm + np.array([2.4, 0.0]))
    assert refused(first, nudged).code is LineCallFault.DISC_MOVED
    vague = replace(nudged, sigma_mm=np.full(len(XY_MM), 0.8))
    require_unmoved(first, vague, brought_together(first, vague), all_shown(first, vague))


def test_another_position_is_refused():
    elsewhere = np.array([(120.0, 20.0), (-30.0, -250.0), (180.0, 190.0), (-90.0, 40.0)])
    error = refused(layout(), layout(elsewhere, photo="b.jpg"))
    assert error.code is LineCallFault.DIFFERENT_POSITIONS
    assert "a.jpg" in error.message
    assert "b.jpg" in error.message


def test_a_mirrored_position_is_another_one():
    mirrored = layout(XY_MM * np.array([1.0, -1.0]), photo="b.jpg")
    assert refused(layout(), mirrored).code in (LineCallFault.DIFFERENT_POSITIONS, LineCallFault.DISC_MOVED)


def test_an_empty_board_is_another_position():
    assert refused(layout(), layout(XY_MM[:0], photo="b.jpg")).code is LineCallFault.DIFFERENT_POSITIONS


def test_other_rings_are_another_board():
    error = refused(layout(), replace(seen_again(0), radii_mm=np.array([103.0, 219.0, 304.8])))
    assert error.code is LineCallFault.DIFFERENT_BOARDS
    assert "203 : 406 : 610" in error.message

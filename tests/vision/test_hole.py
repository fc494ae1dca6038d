from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given

from tests.drawn import Colour, Drawing, view_of
from tests.strategies import finite
from tests.vision.drawn_discs import BLUE, DARK, PALE, RED, SOLID, SUNK_MM, Disc, board_with
from vision.circles import RAYS, Circles
from vision.hole import InHole, disc_in_hole, supported_from_mm
from vision.solid import Solid

HOLE_MM = 17.45
BARE = (150, 115, 75)  # an unpainted hole, in its shade
TILTS = (0.0, 30.0, 50.0)
BOARD = Drawing(hole_mm=HOLE_MM)


def lab(*colours: Colour) -> np.ndarray:
    return cv2.cvtColor(np.uint8([colours]), cv2.COLOR_RGB2LAB)[0].astype(float)


def tops(*colours: Colour) -> Circles:
    """Discs elsewhere, of these colours and nearly even."""
    n = len(colours)
    ones, wood = np.ones(n), np.full((n, 3), 170.0)
    edges = np.ones((n, RAYS), dtype=bool)
    found = (np.zeros((n, 2)), 20 * ones, ones, ones, ones, ones, ones)
    return Circles(*found, lab(*colours), wood, 4 * ones, 0 * ones, 0 * ones, edges)


def seen(
    tilt_deg: float,
    *discs: Disc,
    hole: Colour = (75, 55, 40),
    sides: tuple[Colour, ...] = (DARK, PALE),
    board: Drawing = BOARD,
    hole_mm: float = HOLE_MM,
) -> InHole | None:
    size_px = (500, 500)
    view = view_of(tilt_deg, azimuth_deg=50.0, size_px=size_px, f_px=2400.0, seen_mm=220.0)
    picture = board_with(view, list(discs), board, size_px, hole=hole)
    return disc_in_hole(picture, view, SOLID, hole_mm, tops(*sides), all_sides_seen=len(sides) == 2)


@pytest.mark.parametrize("tilt_deg", TILTS)
@pytest.mark.parametrize("colour", [DARK, PALE])
def test_a_disc_flat_in_the_hole(tilt_deg: float, colour: Colour) -> None:
    disc = seen(tilt_deg, Disc((0.6, -0.4), colour, SUNK_MM))
    assert disc is not None
    assert disc.flat
    assert np.hypot(*disc.xy_mm) < 2.8
    assert np.linalg.norm(disc.lab - lab(colour)[0]) < 12.0


@pytest.mark.parametrize("tilt_deg", TILTS)
def test_an_empty_hole(tilt_deg: float) -> None:
    assert seen(tilt_deg) is None


@pytest.mark.parametrize("tilt_deg", TILTS)
@pytest.mark.parametrize("colour", [RED, BLUE])
def test_an_empty_hole_in_a_colour_of_its_own(tilt_deg: float, colour: Colour) -> None:
    assert seen(tilt_deg, hole=colour) is None


ASLANT = pytest.mark.xfail(reason="aslant the hole's wall shows and passes for the gap around a disc")


@pytest.mark.parametrize("tilt_deg", [0.0, *(pytest.param(tilt, marks=ASLANT) for tilt in TILTS[1:])])
def test_an_empty_hole_in_a_sides_colour_is_wider_than_a_disc(tilt_deg: float) -> None:
    assert seen(tilt_deg, hole=PALE, sides=(PALE, BLUE)) is None


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0])
def test_the_only_disc_of_its_side_is_told_by_its_outline(tilt_deg: float) -> None:
    lying = Disc((0.0, 0.5), RED, SUNK_MM)
    disc = seen(tilt_deg, lying, hole=BARE, sides=(PALE,))
    assert disc is not None
    assert disc.flat
    # with both sides known, a third colour is none of theirs
    assert seen(tilt_deg, lying, hole=BARE, sides=(PALE, DARK)) is None


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0])
def test_a_disc_that_leans_on_the_edge_is_not_flat(tilt_deg: float) -> None:
    disc = seen(tilt_deg, Disc((6.9, 4.0), PALE, -2.4, lean_deg=14.0))
    assert disc is not None
    assert not disc.flat


@pytest.mark.parametrize("tilt_deg", TILTS)
def test_a_disc_beside_the_hole_is_not_in_it(tilt_deg: float) -> None:
    assert seen(tilt_deg, Disc((30.0, 20.0), PALE)) is None


@given(finite(1.07, 1.4), finite(12.0, 16.0))
def test_a_disc_is_supported_where_its_centre_lies_beyond_the_chord(wider: float, bottom_mm: float) -> None:
    """Crokinole Depot 4b: a 20 lies completely in the hole and flat; where it can follows from the support.

    The rim of the hole holds the bottom along the arc that covers it; that arc ends where the two circles
    cross, and the disc tips in as long as its centre is on the hole's side of the line between these points.
    """
    hole_mm = wider * (bottom_mm + 1.2)
    far_mm = supported_from_mm(hole_mm, Solid(bottom_mm + 1.2, bottom_mm, 10.0))
    # where circles about 0 and about far_mm cross, along the line of their centres
    crossing_mm = (far_mm**2 + hole_mm**2 - bottom_mm**2) / (2 * far_mm)
    assert crossing_mm == pytest.approx(far_mm)
    assert math.hypot(crossing_mm, bottom_mm) == pytest.approx(hole_mm)


@given(finite(8.0, 16.5))
def test_a_hole_is_wider_than_a_disc_whatever_is_seen(hole_mm: float) -> None:
    """A disc in the hole hides the rim, and its own outline is measured for it."""
    assert supported_from_mm(hole_mm, SOLID) == pytest.approx(math.sqrt((1.06 * 15.875) ** 2 - 14.6**2))


def test_a_hole_seen_narrower_than_a_disc_is_empty() -> None:
    assert seen(0.0, Disc((0.6, -0.4), DARK, SUNK_MM)) is not None
    assert seen(0.0, Disc((0.6, -0.4), DARK, SUNK_MM), hole_mm=0.9 * SOLID.widest_radius_mm) is None


def test_noise_is_not_the_gap_around_a_disc() -> None:
    """Every direction steps by the noise; the only colour in a noisy empty hole must not pass for a top."""
    noisy = replace(BOARD, noise=14.0)
    assert seen(0.0, hole=DARK, board=noisy) is None


@pytest.mark.parametrize("dimmed", [0.7, 1.3])
def test_a_disc_in_the_hole_may_be_in_other_light_than_the_rest(dimmed: float) -> None:
    """Less light scales a Lab colour towards black (CIE 15); the only others of its side lie in the ditch."""
    base = (110, 40, 36)
    elsewhere = tuple(round(dimmed * c) for c in base)
    disc = seen(0.0, Disc((0.3, 0.2), base, SUNK_MM), sides=(elsewhere, PALE))
    assert disc is not None and disc.flat
    assert seen(0.0, Disc((0.3, 0.2), base, SUNK_MM), sides=(BLUE, PALE)) is None


def test_a_standard_disc_is_supported_half_a_radius_out() -> None:
    assert supported_from_mm(HOLE_MM, SOLID) == pytest.approx(9.56, abs=0.01)

"""Thin lines in a small picture."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.ridges import Ridges, find_ridges
from tests.drawn import band, covered, paint, photographed

GREY = (128, 128, 128)
SIDE = 200


def distance_px(angle_deg: float) -> np.ndarray:
    """Of each pixel from a straight line through a point off the middle; (h, w)."""
    x, y = np.meshgrid(np.arange(SIDE, dtype=float), np.arange(SIDE, dtype=float))
    across = np.radians(angle_deg)
    return (x - 97.3) * np.cos(across) + (y - 104.6) * np.sin(across)


def ground() -> np.ndarray:
    return np.ones((SIDE, SIDE, 3)) * np.array(GREY, float)


def line(angle_deg: float, width_px: float, colour: tuple[int, int, int], noise: float = 1.0) -> np.ndarray:
    return photographed(paint(ground(), band(distance_px(angle_deg), width_px), colour), 0.5, noise)


@pytest.mark.parametrize(
    "colour", [(60, 60, 60), (200, 200, 200), (128, 60, 128)], ids=["dark", "light", "red"]
)
@pytest.mark.parametrize("width_px", [0.7, 1.5, 3.0])
@pytest.mark.parametrize("angle_deg", [0.0, 20.0, 45.0, 100.0, 160.0])
def test_a_thin_line_of_any_colour_is_found_where_it_is(
    angle_deg: float, width_px: float, colour: tuple[int, int, int]
):
    found = find_ridges(line(angle_deg, width_px, colour))
    strong = found.strength > 0.65 * found.strength.max()
    at = found.xy_px[strong].round().astype(int)
    off = distance_px(angle_deg)[at[:, 1], at[:, 0]]
    assert strong.sum() > 0.7 * SIDE
    assert (np.abs(off) < 1.6).mean() > 0.9
    across = np.array([np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))])
    assert np.median(np.abs(found.normal[strong] @ across)) > np.cos(np.radians(5.0))


def test_a_normal_is_a_direction():
    found = find_ridges(line(33.0, 2.0, (50, 50, 50)))
    assert np.linalg.norm(found.normal, axis=1) == pytest.approx(np.ones(len(found)), abs=1e-6)


def total_strength(picture: np.ndarray) -> float:
    return float(find_ridges(picture).strength.sum())


@pytest.mark.parametrize("angle_deg", [0.0, 30.0, 45.0])
def test_a_step_is_no_line(angle_deg: float):
    """On the border itself there is no curvature; beside it there is less than on a line (Steger 1998)."""
    border = photographed(paint(ground(), covered(distance_px(angle_deg)), (60, 60, 60)), 0.5, 1.0)
    found = find_ridges(border)
    at = found.xy_px.round().astype(int)
    on_border = np.abs(distance_px(angle_deg)[at[:, 1], at[:, 0]]) < 0.4
    assert found.strength[on_border].sum() < 0.1 * total_strength(line(angle_deg, 1.5, (60, 60, 60)))


def beside(picture: np.ndarray, angle_deg: float) -> float:
    """The strength of what lies on the straight line through the picture or near it."""
    found = find_ridges(picture)
    at = found.xy_px.round().astype(int)
    return float(found.strength[np.abs(distance_px(angle_deg)[at[:, 1], at[:, 0]]) < 6.0].sum())


@pytest.mark.parametrize("angle_deg", [0.0, 30.0, 45.0])
def test_beside_a_step_there_is_less_than_on_a_far_fainter_line(angle_deg: float):
    """On either side of a step the curvature is a line's, but so is the slope (Steger 1998, section 2.2)."""
    border = photographed(paint(ground(), covered(distance_px(angle_deg)), (40, 40, 40)), 0.5, 1.0)
    faint = line(angle_deg, 1.5, (100, 100, 100))
    assert beside(border, angle_deg) < 0.8 * beside(faint, angle_deg)


def test_a_line_in_noise_is_told_by_going_on():
    """The noise curves more than the line on most of its pixels, but for a pixel."""
    noisy = line(20.0, 0.8, (80, 80, 80), noise=9.0)
    found = find_ridges(noisy)
    first = np.argsort(-found.strength)[:SIDE]
    at = found.xy_px[first].round().astype(int)
    assert (np.abs(distance_px(20.0)[at[:, 1], at[:, 0]]) < 1.6).mean() > 0.5


def test_a_faint_line_is_not_crowded_out_by_outlines():
    """Discs on a thin line have far more contrast than it has: there is room for both."""
    x, y = np.meshgrid(np.arange(600.0), np.arange(600.0))
    picture = np.ones((600, 600, 3)) * np.array(GREY, float)
    picture = paint(picture, band(np.hypot(x - 300, y - 300) - 250.0, 0.7), (60, 60, 60))
    for turn in np.linspace(0, 2 * np.pi, 30, endpoint=False):
        disc = np.hypot(x - 300 - 250 * np.cos(turn), y - 300 - 250 * np.sin(turn)) - 12.0
        picture = paint(picture, covered(disc), (250, 250, 250))
    found = find_ridges(photographed(picture, 0.5, 3.0))
    off = np.abs(np.linalg.norm(found.xy_px - 300.0, axis=1) - 250.0)
    turns = np.degrees(np.arctan2(*(found.xy_px[off < 1.5] - 300.0).T)) // 3
    assert len(np.unique(turns)) > 0.4 * 120


def test_a_spot_is_no_line():
    """A blob curves both ways: the response is the difference of the two curvatures."""
    x, y = np.meshgrid(np.arange(SIDE, dtype=float), np.arange(SIDE, dtype=float))
    spot = photographed(paint(ground(), covered(np.hypot(x - 100, y - 100) - 2.0), (60, 60, 60)), 0.5, 0.0)
    found = find_ridges(spot)
    middle = np.linalg.norm(found.xy_px - 100.0, axis=1) < 1.5
    assert not middle.any()


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_even_picture_has_none(level: int):
    assert len(find_ridges(np.full((80, 90, 3), level, np.uint8))) == 0


@pytest.mark.parametrize("shape", [(7, 7, 3), (7, 200, 3), (16, 16, 3)])
def test_a_tiny_picture_is_no_trouble(shape: tuple[int, int, int]):
    picture = np.random.default_rng(3).integers(0, 256, shape, dtype=np.uint8)
    found = find_ridges(picture)
    assert len(found) < shape[0] * shape[1]
    assert np.isfinite(found.strength).all()


def test_never_more_than_the_cap_and_the_strongest_are_kept():
    noise = np.random.default_rng(3).integers(0, 256, (400, 500, 3), dtype=np.uint8)
    found = find_ridges(noise)
    assert len(found) == 3000
    assert found.strength.max() <= 6.0
    lined = noise // 8 + 100
    lined[:, 250:252] = 0
    kept = find_ridges(lined).xy_px
    assert (np.abs(kept[:, 0] - 250.5) < 2).sum() > 350


def test_some_are_always_the_same_and_from_everywhere():
    n = 4000
    along = np.stack([np.arange(n, dtype=float), np.zeros(n)], 1)
    ridges = Ridges(along, np.tile([0.0, 1.0], (n, 1)), np.ones(n))
    few, again = ridges.some(500), ridges.some(500)
    assert np.array_equal(few.xy_px, again.xy_px)
    assert len(np.unique(few.xy_px[:, 0])) == 500
    assert few.xy_px[:, 0].mean() == pytest.approx(n / 2, rel=0.1)
    assert ridges.some(n) is ridges


def test_the_same_picture_has_the_same_points_wherever_it_lies_in_memory():
    """Ties are many in whole grey levels: a last bit that changes would move points, and so the board."""
    picture = np.random.default_rng(3).integers(90, 120, (300, 401, 3), dtype=np.uint8)
    first = find_ridges(picture)
    kept = []
    for size in (1, 33, 1001, 20_011):
        kept.append(np.zeros(size))
        again = find_ridges(picture.copy())
        assert np.array_equal(first.xy_px, again.xy_px)
        assert np.array_equal(first.strength, again.strength)

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
    strong = found.strength > 0.75 * found.strength.max()
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
    assert len(found) == 6000
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

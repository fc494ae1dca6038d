from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.measured import Measured
from vision.draw_linecall import LineCallPicture, Patch, PhotoCrop, ViewPicture, draw_linecall
from vision.draw_linecall_panels import BOTTOM, EDGE, draw_crop, draw_patch
from vision.draw_linecall_verdict import VERDICT_COLOURS, draw_gauge, probability_words
from vision.ink import Canvas
from vision.ink_box import Box
from vision.ink_colours import BLACK, WHITE, contrast
from vision.reading import Verdict

GREY = (120, 122, 124)
SIDE_PX = 700
ANGLE = np.linspace(0.0, 2 * np.pi, 721)[:-1]
CIRCLE = np.stack([np.cos(ANGLE), np.sin(ANGLE)], 1)
INNER_MM, OUTER_MM, RADIUS_MM, X_MM = 202.4, 204.0, 14.6, 187.0
SPAN_MM = 28.0


def picture(gap_mm: Measured | None = None, verdict: Verdict = Verdict.CLEAR) -> LineCallPicture:
    """A grey photo seen straight down at 5 px/mm, whose crop starts at (40, 60)."""
    crop = PhotoCrop(
        np.full((220, 220, 3), GREY, np.uint8),
        (40, 60),
        np.array([(200.0, 60.0), (200.0, 279.0)]),
        np.array([(208.0, 60.0), (208.0, 279.0)]),
        np.array([120.0, 170.0]) + 79.4 * CIRCLE,
        np.array([120.0, 170.0]) + 73.0 * CIRCLE,
    )
    patch = Patch(
        np.full((560, 560, 3), GREY, np.uint8), 20.0, (200.0, 1.0), INNER_MM, OUTER_MM, (X_MM, 0.0), RADIUS_MM
    )
    gap_mm = gap_mm or Measured(INNER_MM - X_MM - RADIUS_MM, 0.2)
    return LineCallPicture(
        (ViewPicture("a.jpg", crop, patch, gap_mm),),
        gap_mm,
        0.0001,
        verdict,
        "the 10 line",
        "3, dark",
        "2026-11-21 14:03",
        "standard (preset)",
        "from EXIF",
    )


def off(rgb: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return np.abs(rgb.astype(float) - np.array(colour)).max(-1)


def at_mm(rgb: np.ndarray, points_mm: np.ndarray) -> np.ndarray:
    """Pixels of the view from above at points of its frame, those outside it left out."""
    scale = SIDE_PX / SPAN_MM
    x, y = (
        np.rint((SIDE_PX - 1) / 2 + sign * scale * (points_mm[:, axis] - middle)).astype(int)
        for axis, sign, middle in ((0, 1, 200.0), (1, -1, 1.0))
    )
    within = (x >= 0) & (x < SIDE_PX) & (y >= 0) & (y < SIDE_PX)
    # The plates of the gap and of the scale bar lie over everything else.
    clear = (y < SIDE_PX * 0.38) & within
    return rgb[y[clear], x[clear]]


def dense(radius_mm: float) -> np.ndarray:
    angle = np.linspace(-0.08, 0.08, 2000)
    return radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1)


def bottom(radius_mm: float) -> np.ndarray:
    return np.array([X_MM, 0.0]) + radius_mm * CIRCLE


def view_from_above(sigma_mm: float = 0.2) -> np.ndarray:
    data = picture()
    return draw_patch(data.views[0].patch, Measured(data.gap_mm.mean, sigma_mm), SIDE_PX)


def test_the_deciding_edge_is_full_and_the_other_one_dashed():
    drawn = view_from_above()
    assert np.mean(off(at_mm(drawn, dense(INNER_MM)), EDGE) < 40) > 0.95
    assert 0.3 < np.mean(off(at_mm(drawn, dense(OUTER_MM)), EDGE) < 40) < 0.7


def test_the_bottom_circle_has_a_band_of_two_sigma():
    sigma_mm = 0.4
    drawn = view_from_above(sigma_mm)
    assert np.median(off(at_mm(drawn, bottom(RADIUS_MM)), BOTTOM)) < 12
    for radius_mm in (RADIUS_MM - 1.5 * sigma_mm, RADIUS_MM + 1.5 * sigma_mm):
        assert np.median(off(at_mm(drawn, bottom(radius_mm)), GREY)) > 20
    for radius_mm in (RADIUS_MM - 2.6 * sigma_mm, RADIUS_MM + 2.6 * sigma_mm):
        assert np.median(off(at_mm(drawn, bottom(radius_mm)), GREY)) == 0


def test_the_gap_is_drawn_from_the_bottom_to_the_deciding_edge():
    near = RADIUS_MM + X_MM
    along = np.linspace(near + 0.2, INNER_MM - 0.2, 20)
    scale = SIDE_PX / SPAN_MM
    x = np.rint((SIDE_PX - 1) / 2 + scale * (along - 200.0)).astype(int)
    y = round((SIDE_PX - 1) / 2 + scale)
    assert (off(view_from_above()[y, x], WHITE) < 40).all()


@pytest.mark.parametrize(("px_per_mm", "length_mm"), [(20.0, 5.0), (60.0, 2.0), (4.0, 20.0)])
def test_the_scale_bar_is_as_long_as_it_says(px_per_mm, length_mm):
    patch = replace(picture().views[0].patch, px_per_mm=px_per_mm)
    drawn = draw_patch(patch, Measured(0.8, 0.05), SIDE_PX)
    row = drawn[round(0.96 * SIDE_PX - 4)]
    white = np.nonzero(off(row, WHITE) < 10)[0]
    white = white[white < SIDE_PX / 2]
    assert len(white) == pytest.approx(length_mm * px_per_mm * SIDE_PX / 560, abs=2)
    assert np.ptp(white) == len(white) - 1


def test_the_crop_shows_the_fit_where_the_photo_has_it():
    crop = picture().views[0].crop
    drawn = draw_crop(crop, 880)
    # four times as large: the photo's pixel (200, 100) is the crop's (160, 40)
    y, x = 4 * 40 + 1, 4 * 160 + 1
    assert off(drawn[y, x - 1 : x + 2], EDGE).min() < 20
    assert np.median(off(drawn[100:200, x], EDGE)) < 40
    edge = crop.bottom_px - np.array(crop.offset_px)
    x_px, y_px = np.rint((edge + 0.5) * 4 - 0.5).astype(int).T
    assert np.mean(off(drawn[y_px, x_px], BOTTOM) < 40) > 0.9


def test_a_line_that_the_disc_hides_is_drawn_with_less_ink():
    edge = np.array([(150.0, 60.0), (150.0, 279.0)])
    drawn = draw_crop(replace(picture().views[0].crop, inner_edge_px=edge), 880)
    x = 4 * 110 + 1
    open_to_sight, hidden = (
        np.median(off(drawn[rows, x - 1 : x + 2], EDGE).min(1)) for rows in (slice(0, 80), slice(400, 480))
    )
    assert open_to_sight < 20
    assert hidden > 30


@pytest.mark.parametrize("shape", [(100, 300), (300, 100), (40, 40), (2000, 1500)])
def test_a_crop_of_any_shape_fills_its_square(shape):
    crop = replace(picture().views[0].crop, rgb=np.full((*shape, 3), GREY, np.uint8))
    assert draw_crop(crop, 500).shape == (500, 500, 3)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("verdict", list(Verdict))
def test_each_verdict_has_its_colour_and_its_sign(theme, verdict):
    drawn = draw_linecall(picture(verdict=verdict), theme)
    assert drawn.shape[1] == 1600
    assert drawn.dtype == np.uint8
    banner = drawn[60:320, 60:330]
    assert np.median(off(banner, VERDICT_COLOURS[verdict])) == 0
    sign = off(banner, VERDICT_COLOURS[verdict]) > 60
    for other in set(Verdict) - {verdict}:
        unlike = draw_linecall(picture(verdict=other), theme)[60:320, 60:330]
        assert (sign != (off(unlike, VERDICT_COLOURS[other]) > 60)).mean() > 0.02


def test_the_themes_differ_in_ground_and_both_read():
    for theme, ink in (("light", (0, 0, 0)), ("dark", WHITE)):
        r, g, b = (int(value) for value in draw_linecall(picture(), theme)[5, 5])
        assert contrast((r, g, b), ink) > 15


def test_the_same_call_is_drawn_the_same():
    assert np.array_equal(draw_linecall(picture(), "dark"), draw_linecall(picture(), "dark"))


def test_advice_and_facts_are_given_room():
    short = draw_linecall(picture(), "light")
    advised = draw_linecall(replace(picture(), advice="A photo from the side would settle it. " * 4), "light")
    assert len(advised) >= len(short) + 2 * 58
    nameless = draw_linecall(replace(picture(), taken=""), "light")
    assert len(nameless) == len(short) - 58


@pytest.mark.parametrize(
    "gap_mm",
    [
        Measured(0.0, float("inf")),
        Measured(-80.0, 3.0),
        Measured(0.0, 0.0),
        Measured(7.5, 0.02),
        Measured(0.4, 40.0),
    ],
)
def test_any_gap_can_be_drawn(gap_mm):
    assert draw_linecall(picture(gap_mm, Verdict.TOO_CLOSE), "dark").shape[1] == 1600


def test_the_scale_shows_the_gap_on_its_side_of_zero():
    """The marker's white diamond lies right of the middle for daylight, left of it for touching."""
    for mean_mm in (1.0, -1.0):
        canvas = Canvas(np.full((170, 1000, 3), BLACK, np.uint8))
        draw_gauge(canvas, Box(0.0, 0.0, 1000.0, 170.0), Measured(mean_mm, 0.1), BLACK, [])
        marker = np.nonzero((off(canvas.rgb[50:86], WHITE) < 10).sum(0) > 20)[0]
        marker = marker[np.abs(marker - 500) > 10]
        assert marker.mean() == pytest.approx(500 + 250 * mean_mm, abs=1)


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0.0, "under 0.1 %"),
        (0.252, "25 %"),
        (0.0012, "0.1 %"),
        (0.9991, "over 99.9 %"),
        (1.0, "over 99.9 %"),
    ],
)
def test_a_probability_in_words(probability, words):
    assert probability_words(probability) == words


def test_each_photo_gets_its_row_and_its_bar():
    one = picture()
    [view] = one.views
    other = replace(view, photo="b.jpg", gap_mm=Measured(-0.5, 0.3))
    both = draw_linecall(replace(one, views=(view, other)), "light")
    alone = draw_linecall(one, "light")
    row = (1600 - 3 * 36) // 2
    assert row < len(both) - len(alone) < 1.2 * row
    # the gauge is the same, but for the thin bars of both photos
    gauges = []
    for each in ([], [view.gap_mm, other.gap_mm]):
        canvas = Canvas(np.full((170, 1000, 3), BLACK, np.uint8))
        draw_gauge(canvas, Box(0.0, 0.0, 1000.0, 170.0), Measured(0.2, 0.2), BLACK, each)
        gauges.append(canvas.rgb)
    low, high = (round(500 + 250 * (-0.5 + sign * 2 * 0.3)) for sign in (-1, 1))
    inked = (off(gauges[1][60:105], WHITE) < 90).any(0)
    assert inked[low + 4 : high - 4].all()
    assert not (off(gauges[0][75:105], WHITE) < 90).any(0)[low + 4 : low + 60].any()


def test_the_gap_lies_on_the_disc_and_hides_no_edge():
    """The plate with the number is inward of the bottom's nearest point, so both edges are seen there."""
    drawn = view_from_above()
    plate = off(drawn, BLACK) < 30
    scale = SIDE_PX / SPAN_MM
    edge_x = round((SIDE_PX - 1) / 2 + scale * (X_MM + RADIUS_MM - 200.0))
    y = round((SIDE_PX - 1) / 2 + scale)
    assert plate[y - 10 : y + 10, : edge_x - 20].any()
    assert plate[y - 40 : y + 40, edge_x + 8 :].mean() < 0.12

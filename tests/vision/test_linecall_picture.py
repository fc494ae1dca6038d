"""The evidence shown is what was measured, where it was measured."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from tests.drawn import DARK_LINE, WOOD
from tests.vision.linecall_scenes import LINE_MM, read
from vision.draw_linecall import Patch
from vision.linecall import rule
from vision.linecall_picture import MOST_VIEWS, picture_of
from vision.linecall_report import write_report
from vision.linecall_values import LineCall
from vision.reading import Verdict


@pytest.fixture(scope="module")
def calls() -> tuple[LineCall, ...]:
    return rule([read("b"), read("a")])


def bare_shades(patch: Patch, radius_mm: float) -> np.ndarray:
    """Mean grey levels (n,) of a patch on a circle about the line's centre."""
    angle = np.linspace(0, 2 * np.pi, 20000)
    at_mm = radius_mm * np.stack([np.cos(angle), np.sin(angle)], 1)
    side = patch.rgb.shape[0]
    px = (at_mm - np.array(patch.centre_mm)) * np.array([1, -1]) * patch.px_per_mm + side / 2
    x, y = np.floor(px[((px >= 0) & (px < side)).all(1)]).astype(int).T
    return np.asarray(patch.rgb[y, x].mean(1))


def test_the_line_lies_between_its_edges_in_the_view_from_above():
    """The paint is dark, and a millimetre off either edge it is wood; by discs that hide nothing of it."""
    middle, checked = (np.mean(WOOD) + np.mean(DARK_LINE)) / 2, 0
    for photo, k in ((read(name), k) for name in "ab" for k in read(name).on_board):
        [call] = rule([photo], photo.discs[k].pixel)
        if call.gap_mm.mean < 20.0:
            continue
        patch = picture_of(call).views[0].patch
        assert patch.outer_mm - patch.inner_mm == pytest.approx(LINE_MM, abs=0.5)
        inside, paint, outside = (
            bare_shades(patch, radius_mm)
            for radius_mm in (patch.inner_mm - 1.0, patch.inner_mm + LINE_MM / 2, patch.outer_mm + 1.0)
        )
        assert np.median(paint) < middle < min(np.median(inside), np.median(outside))
        checked += 1
    assert checked == 6


def test_the_gap_shown_is_the_gap_measured(calls: tuple[LineCall, ...]):
    for call in calls:
        made = picture_of(call)
        assert made.gap_mm == call.gap_mm
        for view in made.views:
            reach = np.hypot(*view.patch.bottom_centre_mm) + view.patch.bottom_radius_mm
            assert view.patch.inner_mm - reach == pytest.approx(view.gap_mm.mean, abs=0.15)


def test_the_contact_is_in_the_middle_of_what_is_shown(calls: tuple[LineCall, ...]):
    for call in calls:
        for view in picture_of(call).views:
            out = np.array(view.patch.bottom_centre_mm)
            out /= np.hypot(*out)
            half_mm = view.patch.rgb.shape[0] / view.patch.px_per_mm / 2
            for radius_mm in (view.patch.inner_mm, view.patch.inner_mm - view.gap_mm.mean):
                assert np.abs(radius_mm * out - np.array(view.patch.centre_mm)).max() < 0.6 * half_mm
            crop = view.crop
            box = np.array(crop.rgb.shape[1::-1])
            inside = crop.outline_px - np.array(crop.offset_px)
            assert ((inside > 0) & (inside < box)).all(1).mean() > 0.95


def test_up_in_the_photo_is_up_from_above(calls: tuple[LineCall, ...]):
    """So that both views of a row can be compared: the disc lies to the same side of the line."""
    for call in calls:
        for view, seen in zip(
            picture_of(call).views, sorted(call.views, key=lambda v: -v.weight), strict=True
        ):
            board = seen.photo.board
            centre_px = board.view.px_from_mm(board.lines[seen.ring].centre_mm)
            out_px = board.view.px_from_mm(seen.standing.xy_mm) - centre_px
            out_mm = np.array(view.patch.bottom_centre_mm) * np.array([1, -1])
            cosine = out_px @ out_mm / np.hypot(*out_px) / np.hypot(*out_mm)
            assert cosine > np.cos(np.radians(20))


def test_it_names_what_it_rests_on(calls: tuple[LineCall, ...]):
    made = picture_of(calls[0])
    assert {view.photo for view in made.views} == {"a.jpg", "b.jpg"}
    assert len(made.views) <= MOST_VIEWS
    assert made.line_name == f"the {calls[0].gap.line} line"
    assert made.disc == f"{calls[0].disc.id}, {calls[0].disc.team}"
    assert made.taken == "not stated in the photo"
    assert "standard" in made.equipment
    assert "focal length" in made.camera
    too_close = calls[0].gap.verdict is Verdict.TOO_CLOSE
    assert bool(made.advice) is too_close


def test_the_report_is_a_picture_for_a_screen(calls: tuple[LineCall, ...], tmp_path):
    write_report(calls[0], tmp_path / "out.png", "dark")
    with Image.open(tmp_path / "out.png") as made:
        assert (made.format, made.width) == ("PNG", 1600)
        assert 2000 < made.height < 4000

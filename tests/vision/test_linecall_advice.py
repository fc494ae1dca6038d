"""What would settle a call: computed from the geometry, said in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.measured import Measured
from tests.vision.linecall_scenes import read
from vision.clearance import GapBudget
from vision.linecall import rule
from vision.linecall_advice import advice_for
from vision.linecall_combine import combined
from vision.linecall_values import Advice, DiscView, Settles
from vision.reading import Verdict

SMALL = 0.03
CAUSES = ("lens_mm", "pose_mm", "profile_mm", "paint_mm", "edges_mm")


def view(gap_mm: float, geometry: str = "preset", **shares: float) -> DiscView:
    """A disc of the first photo whose gap is that, and its doubt of these causes."""
    photo = read("a")
    told = replace(photo.read, reading=replace(photo.read.reading, geometry=geometry))
    seen = rule([replace(photo, read=told)])[0].views[0]
    budget = GapBudget(**{**dict.fromkeys(CAUSES, SMALL), **shares})
    return replace(seen, gap=replace(seen.gap, clearance_mm=Measured(gap_mm, budget.sigma_mm)), budget=budget)


def advised(*views: DiscView, verdict: Verdict = Verdict.TOO_CLOSE) -> Advice | None:
    return advice_for(views, combined([one.told() for one in views]), verdict)


def settles(one: DiscView) -> Advice:
    found = advised(one)
    assert found is not None
    return found


@pytest.mark.parametrize("verdict", [Verdict.CLEAR, Verdict.TOUCHING])
def test_a_settled_call_needs_no_advice(verdict: Verdict):
    assert advised(view(0.5), verdict=verdict) is None


def test_a_lens_that_is_not_known_asks_for_a_photo_along_the_line():
    """There the parallax runs along the line, and neither lens nor height changes the gap."""
    found = settles(view(0.5, lens_mm=0.5))
    assert found.settles == (Settles.PHOTO,)
    assert "lower than 45°" in found.words
    assert found.sigma_mm < 0.5 / 2.6


def test_a_disc_s_edge_that_is_not_known_asks_for_a_calliper():
    found = settles(view(0.5, profile_mm=0.4))
    assert found.settles == (Settles.DISC_SIZE,)
    assert "calliper" in found.words
    assert "equipment file" in found.words


def test_who_gave_an_equipment_file_is_not_sent_for_the_calliper_again():
    assert settles(view(0.5, "file", profile_mm=0.4)).settles == (Settles.EYE,)


def test_both_are_asked_for_where_one_is_not_enough():
    found = settles(view(0.6, profile_mm=0.4, lens_mm=0.5))
    assert found.settles == (Settles.PHOTO, Settles.DISC_SIZE)


def test_what_no_photo_settles_is_left_to_the_eye():
    """Ragged paint is as ragged in every photo."""
    found = settles(view(0.05, paint_mm=0.4))
    assert found.settles == (Settles.EYE,)
    for word in ("No photo", "feeler gauge", "referee"):
        assert word in found.words


def test_what_helps_but_may_not_do_says_so():
    found = settles(view(0.0, lens_mm=0.5))
    assert found.settles == (Settles.PHOTO,)
    assert "If that does not settle it" in found.words
    assert f"{found.sigma_mm:.2f}" in found.words


def test_the_photo_is_to_be_taken_along_the_line():
    """The side named is across the direction from the centre to the disc, as the first photo shows it."""
    sides = ("right", "lower right", "bottom", "lower left", "left", "upper left", "top", "upper right")
    for call in rule([read("a")]):
        seen = call.views[0]
        words = settles(replace(view(0.5, lens_mm=0.5), index=seen.index)).words
        [named] = [side for side in sides if f"from the {side} of a.jpg" in words]
        angle = np.pi / 4 * sides.index(named)
        centre_px = seen.photo.board.view.px_from_mm(seen.photo.board.lines[seen.ring].centre_mm)
        out = np.array(seen.disc.pixel) - centre_px
        along = abs(out @ np.array([np.cos(angle), np.sin(angle)])) / np.hypot(*out)
        assert along < np.sin(np.radians(35))

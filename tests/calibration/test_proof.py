"""Why three rings are no board's painted lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.fit import CameraPrior, RingFit
from calibration.lines import RingLine
from calibration.marks import Marks
from calibration.measured import Measured
from calibration.proof import further_rings, objection_to_lines, objection_to_marks
from tests.drawn import SQUARE, STANDARD_MM, Drawing, band, board_px, drawn, paint, view_of

DARK = np.array([-0.6, -0.6, -0.5]) / np.linalg.norm([0.6, 0.6, 0.5])


def ring(radius_mm: float) -> RingLine:
    """A plain painted line, wholly seen."""
    n = 180
    return RingLine(
        radius_mm=radius_mm,
        centre_mm=np.zeros(2),
        angle=np.linspace(0, 2 * np.pi, n, endpoint=False),
        offset_mm=np.zeros(n),
        sigma_mm=np.full(n, 0.05),
        found=0.97,
        visible=1.0,
        step=0.1,
        contrast=60.0,
        noise=2.0,
        mix=-DARK,
        paint=DARK,
        width_mm=Measured(1.7, 0.2),
        blur_px=0.8,
    )


GOOD = (ring(STANDARD_MM[0]), ring(STANDARD_MM[1]), ring(STANDARD_MM[2]))


def but(which: int | None = None, **changes: object) -> tuple[RingLine, RingLine, RingLine]:
    """The good lines with one of them, or all, changed."""
    inner, middle, outer = (
        replace(line, **changes) if which in (None, k) else line for k, line in enumerate(GOOD)
    )
    return inner, middle, outer


def test_three_painted_lines_are_a_boards():
    assert objection_to_lines(GOOD) is None


@pytest.mark.parametrize("which", [0, 1, 2])
def test_every_ring_must_show(which: int):
    against = objection_to_lines(but(which, found=0.05))
    assert against == "the rings are not lines all the way round"


def test_the_rings_must_show_on_the_whole():
    assert objection_to_lines(but(found=0.45)) == "the rings are not lines all the way round"


def test_discs_and_a_hand_may_hide_a_third_of_the_lines():
    assert objection_to_lines(but(found=0.66)) is None


def test_half_of_the_board_may_be_outside_the_picture():
    assert objection_to_lines(but(visible=0.5)) is None
    assert objection_to_lines(but(2, visible=0.1)) == "too little of the rings is inside the picture"


def test_filled_discs_have_borders():
    """A target: light and dark bands."""
    against = objection_to_lines(but(step=1.6))
    assert against == "the rings are borders between two colours, not painted lines"


def test_the_outer_line_may_be_a_rim_of_other_wood_if_it_is_painted_alike():
    """Some boards are darker beyond the 5 line; its paint and width are still the other lines'."""
    assert objection_to_lines(but(2, step=1.0)) is None


@pytest.mark.parametrize(
    "changes", [{"paint": np.array([0.0, 0.0, 1.0])}, {"width_mm": Measured(3.5, 0.2)}, {"step": 9.0}]
)
def test_one_border_of_another_make_is_no_line(changes: dict[str, object]):
    against = objection_to_lines(but(2, **{"step": 1.0, **changes}))
    assert against == "one of the rings is a border between two colours, not a painted line"


def test_a_broad_outer_ring_is_a_rim():
    against = objection_to_lines(but(2, width_mm=Measured(6.0, 0.2)))
    assert against == "the outer ring is the rim of something, not a painted line"


def test_a_border_between_the_inner_rings_is_noticed_too():
    against = objection_to_lines(but(0, step=9.0))
    assert against == "one of the rings is a border between two colours, not a painted line"


BOARDS = Marks(
    quadrants=60.0, turn_rad=0.3, more_lines=0.05, through=0.0, pegs=20.0, hole=1.0, hole_radius_mm=17.45
)


def test_four_short_lines_and_a_hole_are_a_boards():
    assert objection_to_marks(BOARDS) is None


def test_a_board_without_pegs_is_a_board():
    assert objection_to_marks(replace(BOARDS, pegs=0.5)) is None


def test_a_disc_in_the_hole_does_not_make_it_less_of_a_board():
    assert objection_to_marks(replace(BOARDS, hole=0.1)) is None


@pytest.mark.parametrize(
    ("changes", "against"),
    [
        ({"quadrants": 3.0}, "no quadrant lines between its 10 and 5 line"),
        ({"more_lines": 0.9}, "there are more radial lines than a board's four"),
        (
            {"through": 0.9, "hole": 0.2},
            "its radial lines run through to the middle, and there is no hole",
        ),
    ],
)
def test_spokes_and_crosses_are_no_boards(changes: dict[str, float], against: str):
    """A cross-hair, a wheel and a dart board have radial lines too."""
    assert objection_to_marks(replace(BOARDS, **changes)) == against


def fit_of(radii_mm: tuple[float, float, float] = STANDARD_MM) -> RingFit:
    """A fit that is exact."""
    view = view_of(25.0, seen_mm=800.0)
    prior = CameraPrior(view.camera, 0.2, 10.0, 0.05, "assumed")
    return RingFit(
        np.zeros(15), np.eye(15), view, np.array(radii_mm), np.zeros((3, 2)), view, 0.1, 1.0, prior
    )


@pytest.mark.parametrize("line_mm", [1.0, 3.0])
def test_between_a_boards_rings_there_are_none(line_mm: float):
    fit = fit_of()
    assert further_rings(drawn(fit.view, Drawing(line_mm=line_mm, grain=4.0)), fit) < 0.3


@pytest.mark.parametrize("radius_mm", [140.0, 170.0, 240.0, 280.0])
def test_a_fourth_ring_shows(radius_mm: float):
    fit = fit_of()
    picture = drawn(fit.view, Drawing(radii_mm=(*STANDARD_MM, radius_mm), quadrants=False))
    assert further_rings(picture, fit) > 0.7


def test_a_coloured_region_and_a_double_line_are_no_further_rings():
    """A region's border is a step; a second line within a centimetre belongs to the first."""
    fit = fit_of()
    picture = drawn(fit.view, Drawing(radii_mm=(*STANDARD_MM, STANDARD_MM[1] + 6.0), quadrants=False))
    radius = np.hypot(*np.moveaxis(board_px(fit.view, SQUARE), -1, 0))
    picture = paint(picture.astype(float), band(radius - 150.0, 40.0) * 0.6, (60, 110, 160))
    assert further_rings(np.rint(picture).astype(np.uint8), fit) < 0.5


def test_a_drawing_goes_on_where_a_boards_surface_ends():
    marks = Marks(60.0, 0.0, 0.0, 0.0, 5.0, 1.0, 17.0, beyond=0.0, ends=1.0)
    assert objection_to_marks(marks) is None
    assert objection_to_marks(replace(marks, ends=float("nan"))) is None
    assert objection_to_marks(replace(marks, ends=0.1)) is not None
    assert objection_to_marks(replace(marks, ends=0.5)) is None
    assert objection_to_marks(replace(marks, ends=0.5, beyond=0.9)) is not None
    assert objection_to_marks(replace(marks, ends=0.5, through=0.9)) is not None
    assert objection_to_marks(replace(marks, ends=0.9, through=0.9)) is None

import numpy as np
import pytest

from tests.vision.test_outline import PALE, PRIOR, WOOD, Drawing
from tests.vision.test_solid import SOLID, view_at
from vision.outline import stand_all
from vision.outline_stand import StandingDisc
from vision.placed_by_light import lit_place
from vision.solid import Solid

XY = (60.0, 80.0)
LIKE_WOOD = tuple(round(1.06 * value) for value in WOOD)
#: The drawing knows one colour for all of a side, which is light as it is only where a side is a wall.
UPRIGHT = Solid(16.0, 15.8, 10.0, fullness=1.0)


@pytest.mark.parametrize("tilt", [5.0, 35.0])
@pytest.mark.parametrize("off_mm", [(0.0, 0.0), (0.8, -0.6), (-0.7, 0.5)])
def test_a_disc_of_the_boards_colour_is_placed(tilt: float, off_mm: tuple[float, float]) -> None:
    drawing = Drawing(view_at(tilt), XY)
    drawing.disc(XY, LIKE_WOOD, UPRIGHT)
    place = lit_place(drawing.picture(), drawing.view, np.array(XY) + off_mm, UPRIGHT)
    assert np.hypot(*(place.xy_mm - XY)) < 0.2


def test_a_line_and_a_neighbour_are_let_go() -> None:
    drawing = Drawing(view_at(25.0), XY)
    drawing.fill(np.array([[30, 92, 0], [95, 92, 0], [95, 94, 0], [30, 94, 0]], float), (25, 20, 20))
    drawing.disc((60.0 + 2 * SOLID.widest_radius_mm, 80.0), PALE)
    drawing.disc(XY, LIKE_WOOD, UPRIGHT)
    place = lit_place(drawing.picture(), drawing.view, np.array(XY) + 0.5, UPRIGHT)
    assert np.hypot(*(place.xy_mm - XY)) < 0.2


def test_at_the_pictures_border_what_is_left_is_used() -> None:
    drawing = Drawing(view_at(20.0), XY)
    drawing.disc(XY, LIKE_WOOD, UPRIGHT)
    picture = drawing.picture()
    x = int(drawing.view.px_from_mm(np.array(XY))[0])
    place = lit_place(picture[:, : x + 5], drawing.view, np.array(XY) + 0.4, UPRIGHT)
    assert np.hypot(*(place.xy_mm - XY)) < 0.3


def test_only_an_open_call_on_a_faint_disc_is_looked_at_longer() -> None:
    drawing = Drawing(view_at(35.0), XY)
    drawing.disc(XY, LIKE_WOOD, UPRIGHT)
    asked: list[StandingDisc] = []

    def is_open(disc: StandingDisc) -> bool:
        asked.append(disc)
        return True

    start = np.array([XY]) + 0.7
    (before,) = stand_all(drawing.picture(), drawing.view, start, PRIOR)
    (after,) = stand_all(drawing.picture(), drawing.view, start, PRIOR, is_open)
    assert len(asked) == 1 and before.bottom is not None and after.bottom is not None
    assert np.trace(after.bottom.edges[:2, :2]) < np.trace(before.bottom.edges[:2, :2])
    assert np.hypot(*(after.xy_mm - XY)) < 0.25

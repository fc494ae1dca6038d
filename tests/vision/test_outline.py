import cv2
import numpy as np
import pytest

from calibration.camera import View
from tests.vision.test_solid import SOLID, circles, view_at
from vision.outline import stand_all
from vision.outline_stand import SizePrior
from vision.solid import Solid

PRIOR = SizePrior(SOLID, 0.12, 0.12, 0.12)
UNKNOWN = SizePrior(SOLID, 0.5, 0.7, 0.35)
WOOD, DARK, PALE, WALL = (190, 150, 100), (40, 45, 60), (235, 232, 225), 0.55
FINE = 4  # sub-pixels a side


class Drawing:
    """A board seen through a view, drawn in light at sub-pixels; discs are exact solids."""

    def __init__(self, view: View, middle_mm: tuple[float, float], size_px: int = 260) -> None:
        centre = view.px_from_mm(np.array(middle_mm))
        self.corner = np.round(centre) - size_px // 2
        camera = view.camera
        self.view = View(
            type(camera)(camera.f_px, camera.cx_px - self.corner[0], camera.cy_px - self.corner[1]),
            view.rotation,
            view.translation_mm,
        )
        self.light = np.full((size_px * FINE, size_px * FINE, 3), np.square(np.array(WOOD) / 255.0))

    def fill(self, points_mm: np.ndarray, colour: tuple[float, float, float]) -> None:
        """The convex hull of points (n, 3) in one colour."""
        px = (self.view.px_from_mm(points_mm) + 0.5) * FINE - 0.5
        hull = cv2.convexHull(np.round(px * 16).astype(np.int32))
        cv2.fillConvexPoly(self.light, hull, tuple(float(c / 255) ** 2 for c in colour), shift=4)

    def disc(
        self, xy_mm: tuple[float, float], colour: tuple[int, int, int] = DARK, solid: Solid = SOLID
    ) -> None:
        angle = np.arange(240) / 240 * 2 * np.pi
        around = np.stack([np.cos(angle), np.sin(angle)], 1)
        rims = [
            np.concatenate([np.array(xy_mm) + r * around, np.full((240, 1), z)], 1)
            for z, r in circles(solid, 41)
        ]
        self.fill(np.concatenate(rims), tuple(c * WALL for c in colour))
        self.fill(rims[-1], colour)

    def picture(self) -> np.ndarray:
        height = self.light.shape[0] // FINE
        light = self.light.reshape(height, FINE, height, FINE, 3).mean((1, 3))
        grey = 255 * np.sqrt(cv2.GaussianBlur(light, (0, 0), 0.7))
        noise = np.random.default_rng(3).normal(0, 1.5, grey.shape)
        return np.clip(grey + noise + 0.5, 0, 255).astype(np.uint8)


def error_mm(drawing: Drawing, xy: tuple[float, float], prior: SizePrior, off: tuple[float, float]) -> float:
    disc = stand_all(drawing.picture(), drawing.view, np.array([xy]) + np.array([off]), prior)[0]
    return float(np.hypot(*(disc.xy_mm - xy)))


@pytest.mark.parametrize(
    ("tilt", "known", "unknown"), [(0.0, 0.03, 0.03), (30.0, 0.5, 0.45), (55.0, 0.2, 0.2)]
)
@pytest.mark.parametrize("colour", [DARK, PALE])
def test_place_on_a_plain_board(
    tilt: float, known: float, unknown: float, colour: tuple[int, int, int]
) -> None:
    xy = (60.0, 80.0)
    drawing = Drawing(view_at(tilt), xy)
    drawing.disc(xy, colour)
    for off in ((1.2, 0.9), (-1.0, -1.1)):
        assert error_mm(drawing, xy, PRIOR, off) < known
        assert error_mm(drawing, xy, UNKNOWN, off) < unknown


def test_a_shadow_beside_the_disc_does_not_move_it() -> None:
    xy = (60.0, 80.0)
    drawing = Drawing(view_at(20.0), xy)
    angle = np.arange(90) / 90 * 2 * np.pi
    around = 16.5 * np.stack([np.cos(angle), np.sin(angle), np.zeros(90)], 1)
    drawing.fill(
        np.concatenate([around + np.array(foot) for foot in ((60, 80, 0), (66, 84, 0))]), (110, 85, 55)
    )
    drawing.disc(xy)
    assert error_mm(drawing, xy, PRIOR, (0.9, 0.6)) < 0.3


def test_a_touching_neighbour_does_not_move_it() -> None:
    xy = (60.0, 80.0)
    drawing = Drawing(view_at(20.0), xy)
    drawing.disc((60.0 + 2 * SOLID.widest_radius_mm, 80.0))
    drawing.disc(xy)
    assert error_mm(drawing, xy, PRIOR, (0.9, -0.6)) < 0.3


def test_a_line_under_the_disc_does_not_move_it() -> None:
    xy = (60.0, 80.0)
    drawing = Drawing(view_at(20.0), xy)
    drawing.fill(np.array([[30, 90, 0], [95, 90, 0], [95, 92, 0], [30, 92, 0]], float), (25, 20, 20))
    drawing.disc(xy)
    assert error_mm(drawing, xy, PRIOR, (-0.9, 0.6)) < 0.25


def test_discs_of_a_photo_tell_their_common_size() -> None:
    drawing = Drawing(view_at(20.0), (60.0, 80.0), 420)
    large = Solid(16.3, 15.0, 10.0)
    places = [(60.0, 80.0), (22.0, 80.0), (98.0, 80.0), (60.0, 118.0), (60.0, 42.0)]
    for xy in places:
        drawing.disc(xy, DARK, large)
    discs = stand_all(drawing.picture(), drawing.view, np.array(places) + 0.7, UNKNOWN)
    radii = np.array([d.solid.widest_radius_mm for d in discs])
    assert np.abs(radii - 16.3).max() < 0.25
    assert np.ptp(radii) < 0.1
    for disc, xy in zip(discs, places, strict=True):
        assert np.hypot(*(disc.xy_mm - xy)) < 0.3


def test_where_there_is_no_disc_it_says_so() -> None:
    drawing = Drawing(view_at(20.0), (60.0, 80.0))
    disc = stand_all(drawing.picture(), drawing.view, np.array([[60.0, 80.0]]), PRIOR)[0]
    assert disc.rms_px == np.inf
    assert np.sqrt(disc.covariance[0, 0]) > 1.0
    assert disc.found < 0.2


def test_no_discs() -> None:
    assert stand_all(np.zeros((9, 9, 3), np.uint8), view_at(0.0), np.empty((0, 2)), PRIOR) == []

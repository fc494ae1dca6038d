from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from calibration.camera import View
from calibration.pixels import AtHand
from tests.drawn import Drawing, view_of
from tests.strategies import finite
from tests.vision.drawn_discs import PALE, SOLID, Disc, board_with
from vision.circles import RAYS, Circles, on_surface_mm, reach_on_surface_mm
from vision.discs import _free_circles, rings_in
from vision.edges import Edges, edge_points, edges_of
from vision.evidence import log_odds
from vision.rays import capsules
from vision.rectify import Rectified, rectify
from vision.trace import leaning, trace, upright

RADII_MM = (12.6, 23.0)
HALF_MM, PX_PER_MM, TOP_MM = 120.0, 1.0, 10.0
WOOD_ONLY = Drawing(radii_mm=(), quadrants=False, hole_mm=None, surface_mm=None)
HOLE_MM = 17.45
_ANGLE = np.arange(RAYS) / RAYS * 2 * np.pi
UNIT = np.stack([np.cos(_ANGLE), np.sin(_ANGLE)], 1)


def close_view(tilt_deg: float) -> View:
    return view_of(tilt_deg, azimuth_deg=20.0, f_px=1600.0, seen_mm=300.0)


def plan(
    view: View, discs: list[Disc], what: Drawing = WOOD_ONLY, height_mm: float = TOP_MM
) -> tuple[Rectified, Edges]:
    picture = rectify(AtHand(board_with(view, discs, what)), view, HALF_MM, PX_PER_MM, height_mm)
    return picture, edges_of(picture.rgb)


def best(circles: Circles, picture: Rectified, xy_mm: tuple[float, float]) -> Circles:
    """The best covered circle within half a radius of a place."""
    near = np.linalg.norm(picture.mm_from_px(circles.xy_px) - xy_mm, axis=1) < 8.0
    assert near.any()
    return circles.take(np.array([int(np.where(near, circles.coverage, -1.0).argmax())]))


def from_segment(points: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Distance of points (n, 2) from the segment of an axis about the origin, by trying all its points."""
    along = np.linspace(-0.5, 0.5, 4001)[:, None] * axis
    return np.array([np.linalg.norm(point - along, axis=1).min() for point in points])


@settings(max_examples=40)
@given(finite(-40.0, 40.0), finite(-40.0, 40.0), finite(2.0, 40.0))
def test_a_capsule_by_brute_force(x: float, y: float, radius: float) -> None:
    axis = np.array([x, y])
    outline = capsules(np.zeros((1, 2)), axis[None], np.array([radius]))
    hit, normal = (
        np.stack(parts, -1)[0] for parts in ((outline.x, outline.y), (outline.normal_x, outline.normal_y))
    )
    assert from_segment(hit, axis) == pytest.approx(radius, abs=0.02)
    assert hit == pytest.approx(np.linalg.norm(hit, axis=1, keepdims=True) * UNIT, abs=1e-4)
    assert np.linalg.norm(normal, axis=1) == pytest.approx(1.0)
    # a step along the normal leads away from the segment by all of it
    assert from_segment(hit + 3.0 * normal, axis) == pytest.approx(radius + 3.0, abs=0.02)


@pytest.mark.parametrize("radius_mm", [13.5, 15.9, 20.0])
def test_a_discs_radius_is_found(radius_mm: float) -> None:
    solid = type(SOLID)(radius_mm, radius_mm, 10.0)
    picture, edges = plan(close_view(0.0), [Disc((22.0, -14.0), solid=solid, shadow=False)])
    found = best(
        _free_circles(edges, edge_points(edges, PX_PER_MM), picture, upright, RADII_MM),
        picture,
        (22.0, -14.0),
    )
    assert found.radius_px[0] / PX_PER_MM == pytest.approx(radius_mm, abs=0.2)
    assert np.hypot(*(picture.mm_from_px(found.xy_px[0]) - (22.0, -14.0))) < 0.3
    assert found.coverage[0] > 0.9


@pytest.mark.parametrize("tilt_deg", [30.0, 50.0])
def test_a_disc_aslant_is_found_as_top_and_side(tilt_deg: float) -> None:
    view, xy = close_view(tilt_deg), (20.0, 35.0)
    solid = type(SOLID)(15.9, 15.9, 10.0)
    picture, edges = plan(view, [Disc(xy, PALE, solid=solid, shadow=False)])
    height = 10.0 / 15.9
    circles = _free_circles(
        edges, edge_points(edges, PX_PER_MM), picture, leaning(picture, view, height), RADII_MM
    )
    found = best(circles, picture, xy)
    assert found.coverage[0] > 0.9
    assert found.radius_px[0] / PX_PER_MM == pytest.approx(15.9, abs=0.4)
    assert np.hypot(*(picture.mm_from_px(found.xy_px[0]) - xy)) < 1.0
    straight = _free_circles(edges, edge_points(edges, PX_PER_MM), picture, upright, RADII_MM)
    assert best(straight, picture, xy).coverage[0] <= found.coverage[0]


def test_a_disc_leans_away_from_below_the_camera_and_not_at_all_straight_under_it() -> None:
    view = close_view(40.0)
    picture, _ = plan(view, [])
    lean = leaning(picture, view, 0.6)
    below = picture.px_from_mm(view.eye_mm[:2])
    top = np.array([below, below + np.array([100.0, 0.0])])
    to_bottom = lean(top, np.array([25.0, 25.0]))
    assert to_bottom[0] == pytest.approx([0.0, 0.0])
    assert to_bottom[1][0] < 0.0 and to_bottom[1][1] == pytest.approx(0.0)
    # by similar triangles: the bottom as the plane of the tops shows it
    bottom = view.px_from_mm(np.array([60.0, 30.0, TOP_MM - 0.6 * 25.0 / PX_PER_MM]))
    shown = picture.px_from_mm(view.mm_from_px(bottom, TOP_MM))
    start = picture.px_from_mm(np.array([60.0, 30.0]))
    assert lean(start[None], np.array([25.0]))[0] == pytest.approx(shown - start, abs=1e-6)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_grain_alone_is_no_circle(seed: int) -> None:
    what = Drawing(**{**vars(WOOD_ONLY), "grain": 4.0, "seed": seed})
    picture, edges = plan(close_view(0.0), [], what)
    assert (
        log_odds(_free_circles(edges, edge_points(edges, PX_PER_MM), picture, upright, RADII_MM)).max(
            initial=-9.0
        )
        < 0.0
    )


def test_a_known_size_is_kept() -> None:
    picture, edges = plan(close_view(0.0), [Disc((0.0, 0.0), shadow=False)])
    start, votes = picture.px_from_mm(np.array([[2.0, 1.0]])), np.ones(1)
    wrong = np.array([13.0 * PX_PER_MM])
    free = trace(edges, start, wrong, votes, upright)
    held = trace(edges, start, wrong, votes, upright, size_sigma=0.002)
    assert abs(free.radius_px[0] / PX_PER_MM - SOLID.widest_radius_mm) < 0.4
    assert abs(held.radius_px[0] / PX_PER_MM - 13.0) < 0.3


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 45.0])
def test_a_holes_inside_stays_within_its_rim(tilt_deg: float) -> None:
    view = close_view(tilt_deg)
    what = Drawing(**{**vars(WOOD_ONLY), "hole_mm": HOLE_MM})
    picture = rectify(AtHand(board_with(view, [], what, hole=PALE)), view, HALF_MM, PX_PER_MM, TOP_MM)
    edges = edges_of(picture.rgb)
    circles = _free_circles(
        edges, edge_points(edges, PX_PER_MM), picture, leaning(picture, view, 0.5), RADII_MM
    )
    seen = circles.take(circles.coverage > 0.5)
    assert len(seen)
    assert reach_on_surface_mm(seen, picture, view).max() < HOLE_MM + 2.5


def test_what_a_circle_reaches() -> None:
    view = close_view(0.0)
    picture, edges = plan(view, [Disc((40.0, 0.0), shadow=False)], height_mm=0.0)
    found = best(
        _free_circles(edges, edge_points(edges, PX_PER_MM), picture, upright, RADII_MM), picture, (40.0, 0.0)
    )
    xy_mm, radius_mm = picture.mm_from_px(found.xy_px[0]), found.radius_px[0] / PX_PER_MM
    assert reach_on_surface_mm(found, picture, view)[0] == pytest.approx(
        np.hypot(*xy_mm) + radius_mm, abs=1.0
    )
    unseen = Circles(*(getattr(found, name).copy() for name in found.__dataclass_fields__))
    unseen.edge_on[:] = False
    assert reach_on_surface_mm(unseen, picture, view).tolist() == [np.inf]


@pytest.mark.parametrize("tilt_deg", [0.0, 40.0])
def test_where_sight_meets_the_surface(tilt_deg: float) -> None:
    view = close_view(tilt_deg)
    picture, _ = plan(view, [])
    xy = np.array([[30.0, -20.0], [-75.0, 60.0], [0.0, 0.0]])
    through = view.mm_from_px(view.px_from_mm(np.column_stack([xy, np.full(3, TOP_MM)])))
    assert on_surface_mm(xy, picture, view) == pytest.approx(through, abs=1e-6)


def test_a_strong_edge_beside_it_does_not_silence_a_dark_disc() -> None:
    """A neighbour's strong edge weakened the votes of a black disc on dark paint until it had no peak."""
    dark = Drawing(**{**vars(WOOD_ONLY), "wood": (30, 52, 44)})
    discs = [Disc((0.0, 0.0), (18, 19, 20), shadow=False)]
    discs += [Disc(xy, (245, 245, 240), shadow=False) for xy in ((33.0, 0.0), (-33.0, 0.0), (0.0, 33.0))]
    picture, edges = plan(close_view(0.0), discs, dark)
    found = best(
        _free_circles(edges, edge_points(edges, PX_PER_MM), picture, upright, RADII_MM), picture, (0.0, 0.0)
    )
    assert log_odds(found)[0] > 0.0


def test_no_circles() -> None:
    none = Circles.none()
    assert len(none) == 0
    assert len(none.take(np.zeros(0, dtype=bool))) == 0
    edges = edges_of(np.full((40, 40, 3), 128, np.uint8))
    assert len(trace(edges, np.zeros((0, 2)), np.zeros(0), np.zeros(0), upright)) == 0


@pytest.mark.parametrize("tilt_deg", [0.0, 45.0])
def test_the_crease_of_a_disc_in_the_woods_own_colour(tilt_deg: float) -> None:
    """Aslant its side is darker than its top; from straight above none of it is seen."""
    view = close_view(tilt_deg)
    picture, edges = plan(view, [Disc((0.0, 0.0), WOOD_ONLY.wood, shadow=False)])
    lean = leaning(picture, view, 0.5)
    there = picture.px_from_mm(np.array([[0.0, 0.0], [60.0, 60.0]]))
    radius = np.full(2, SOLID.widest_radius_mm * PX_PER_MM)
    disc, wood = (
        trace(edges, there[k : k + 1], radius[:1], np.ones(1), lean, size_sigma=0.02) for k in (0, 1)
    )
    if tilt_deg == 0.0:
        assert disc.side_seen[0] < 0.2
        return
    assert disc.side_seen[0] > 0.8
    assert disc.crease[0] > 0.8 > 0.5 > wood.crease[0]


def test_an_edge_that_a_known_line_explains_is_no_edge_of_a_disc() -> None:
    """A circle laid along a ring line has the line for an edge, as far as it follows it."""
    what = Drawing(**{**vars(WOOD_ONLY), "radii_mm": (101.6,)})
    view = close_view(0.0)
    picture, edges = plan(view, [], what)
    known = replace(edges, rings=rings_in(picture, view, (101.6, 203.2, 304.8)))
    beside = picture.px_from_mm(np.array([[101.6 - SOLID.widest_radius_mm, 0.0]]))
    radius = np.array([SOLID.widest_radius_mm * PX_PER_MM])
    unknowing, knowing = (
        trace(e, beside, radius, np.ones(1), upright, size_sigma=0.01) for e in (edges, known)
    )
    assert unknowing.coverage[0] > knowing.coverage[0] + 0.05
    assert unknowing.xy_px == pytest.approx(knowing.xy_px)


def test_a_disc_on_a_line_keeps_its_outline() -> None:
    view = close_view(0.0)
    what = Drawing(**{**vars(WOOD_ONLY), "radii_mm": (101.6,)})
    picture, edges = plan(view, [Disc((95.0, 0.0), shadow=False)], what)
    known = replace(edges, rings=rings_in(picture, view, (101.6, 203.2, 304.8)))
    start, radius = (
        picture.px_from_mm(np.array([[95.0, 0.0]])),
        np.array([SOLID.widest_radius_mm * PX_PER_MM]),
    )
    assert trace(known, start, radius, np.ones(1), upright, size_sigma=0.02).coverage[0] > 0.9


@pytest.mark.parametrize("tilt_deg", [0.0, 40.0])
def test_where_the_lines_are_in_the_plan(tilt_deg: float) -> None:
    """The plan lies on the tops' plane, so a line on the surface is seen smaller and off its middle."""
    view = close_view(tilt_deg)
    picture, _ = plan(view, [])
    rings = rings_in(picture, view, (101.6, 203.2, 304.8))
    line = np.column_stack([203.2 * UNIT, np.zeros(RAYS)])
    shown = picture.px_from_mm(view.mm_from_px(view.px_from_mm(line), TOP_MM))
    assert np.linalg.norm(shown - rings.centre_px, axis=1) == pytest.approx(rings.radii_px[1], abs=1e-6)

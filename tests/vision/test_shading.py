import cv2
import numpy as np
import pytest

from tests.vision.test_solid import SOLID, view_at
from vision.outline_edges import UNIT
from vision.shading import PARTS, Stage, parts
from vision.solid import silhouettes

XY = np.array([60.0, 80.0])


@pytest.mark.parametrize("tilt", [0.0, 25.0, 50.0])
def test_the_disc_is_drawn_where_its_outline_is(tilt: float) -> None:
    view = view_at(tilt)
    stage = Stage.of(view, XY)
    drawn = parts(stage, SOLID)
    y, x = np.mgrid[: drawn.layers.shape[1] // drawn.fine, : drawn.layers.shape[2] // drawn.fine]
    px = np.stack([x, y], -1).reshape(-1, 2) + drawn.corner_px
    disc = drawn.at(px)[:, 0].astype(float)
    outline = silhouettes(view, XY[None], [SOLID], UNIT).points[0] - stage.origin_px
    assert disc.sum() == pytest.approx(cv2.contourArea(outline.astype(np.float32)), rel=0.01)
    moments = cv2.moments(outline.astype(np.float32))
    middle = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    assert np.abs((px * disc[:, None]).sum(0) / disc.sum() - middle).max() < 0.1


def test_each_point_is_the_discs_or_the_boards() -> None:
    layers = parts(Stage.of(view_at(40.0), XY), SOLID).layers
    assert np.allclose(layers[0, ..., 0] + layers[1, ..., 1], 1.0, atol=1e-4)


def test_from_straight_above_only_the_bevel_is_turned_away() -> None:
    stage = Stage.of(view_at(0.0), np.zeros(2))
    drawn = parts(stage, SOLID)
    angle = np.arange(12) / 12 * 2 * np.pi
    around = np.stack([np.cos(angle), np.sin(angle)], 1) @ stage.px_per_mm.T
    top, bevel = (drawn.at(around * radius_mm) for radius_mm in (10.0, SOLID.widest_radius_mm - 0.4))
    assert np.abs(top[:, 1:4]).max() < 1e-3
    assert bevel[:, 1].max() < -0.05
    outward = around / np.linalg.norm(around, axis=1, keepdims=True)
    facing = bevel[:, 2:4] @ stage.px_per_mm.T
    facing /= np.linalg.norm(facing, axis=1, keepdims=True)
    assert np.einsum("nk,nk->n", facing, outward).min() > 0.97


def test_slopes_are_those_of_the_mixed_picture() -> None:
    drawn = parts(Stage.of(view_at(30.0), XY), SOLID)
    mixture = np.random.default_rng(2).normal(size=(PARTS, 3))
    px = np.random.default_rng(3).uniform(-15, 15, (40, 2))
    half = np.array([0.5, 0.0]), np.array([0.0, 0.5])
    for slope, step in zip(drawn.slopes_at(px, mixture), half, strict=True):
        assert np.allclose(slope, (drawn.at(px + step) - drawn.at(px - step)) @ mixture, atol=1e-3)

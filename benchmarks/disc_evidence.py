"""Trains the weights of ``vision/evidence.py`` on rendered scenes and prints them.

``python benchmarks/disc_evidence.py SCENES_DIR...`` takes folders of rendered pictures with their truth
beside them. A candidate within 2.5 mm of a disc's true place counts as a disc; one up to 6 mm off is neither
a disc nor none and is left out; one farther off but still on it counts as half a wrong one, any other as a
wrong one. Only circles on the surface, and not in the hole, are used.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from calibration.board import find_board
from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.prior import camera_prior
from vision.discs import candidates, rings_in
from vision.edges import edges_of
from vision.evidence import WEIGHTS, features
from vision.picture import load_picture
from vision.read import PLAN_HALF_MM, PLAN_PX_PER_MM, TOP_MM
from vision.rectify import rectify

FEATURES = len(WEIGHTS)
_AT_MM, _BESIDE_MM = 2.5, 6.0
_HOLE_MM, _SURFACE_MM = 13.0, 330.0
_RIDGE = 0.1


def examples(photo: Path) -> tuple[Array, Array, Array]:
    """Features (n, 7), labels (n,) and weights (n,) of one scene's circles; empty when no board is found."""
    truth = json.loads(photo.with_suffix(".json").read_text())
    picture = load_picture(photo)
    prior = camera_prior(picture.width_px, picture.height_px, picture.focal_35mm, picture.exif_size_px)
    try:
        board = find_board(picture.rgb, prior)
    except CalibrationError:
        return np.zeros((0, FEATURES)), np.zeros(0), np.zeros(0)
    plan = rectify(picture.pixels, board.view, PLAN_HALF_MM, PLAN_PX_PER_MM, TOP_MM)
    lines_mm = (float(board.radii_mm[0]), float(board.radii_mm[1]), float(board.radii_mm[2]))
    edges = edges_of(plan.rgb, rings_in(plan, board.view, lines_mm))
    found = candidates(edges, plan, board.view)
    if found is None:
        return np.zeros((0, FEATURES)), np.zeros(0), np.zeros(0)
    at_mm = plan.mm_from_px(found.xy_px)
    discs = np.array([d["pixel"] for d in truth["discs"]]).reshape(-1, 2)
    true_mm = board.view.mm_from_px(discs, TOP_MM)
    away = (
        np.linalg.norm(at_mm[:, None] - true_mm[None], axis=-1).min(1)
        if len(discs)
        else np.full(len(at_mm), np.inf)
    )
    distance_mm = np.linalg.norm(at_mm, axis=1)
    radius_mm = float(np.median(found.radius_px)) / plan.px_per_mm
    label = (away < _AT_MM).astype(float)
    weight = np.where((away >= _BESIDE_MM) & (away < 1.9 * radius_mm), 0.5, 1.0)
    used = (distance_mm > _HOLE_MM) & (distance_mm < _SURFACE_MM)
    used &= (away < _AT_MM) | (away >= _BESIDE_MM)
    return features(found)[used], label[used], weight[used]


def train(x: Array, y: Array, weight: Array) -> tuple[Array, float]:
    """Weights and bias of the ridge logistic regression of y on x (Newton's method, standardised)."""
    mean, spread = x.mean(0), x.std(0)
    design = np.concatenate([(x - mean) / spread, np.ones((len(x), 1))], axis=1)
    w = np.zeros(design.shape[1])
    for _ in range(60):
        p = 1.0 / (1.0 + np.exp(-design @ w))
        curve = (design * (weight * p * (1 - p))[:, None]).T @ design + _RIDGE * np.eye(len(w))
        w += np.linalg.solve(curve, design.T @ (weight * (y - p)) - _RIDGE * w)
    weights = w[:-1] / spread
    return weights, float(w[-1] - mean @ weights)


def main() -> None:
    """Train and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    photos = [p for folder in parser.parse_args().folders for p in sorted(folder.glob("*.jpg"))]
    parts = [examples(photo) for photo in photos]
    x, y, weight = (np.concatenate([part[k] for part in parts]) for k in range(3))
    weights, bias = train(x, y, weight)
    odds = x @ weights + bias
    print(f"{len(photos)} scenes, {int(y.sum())} circles on discs, {int((y == 0).sum())} others")
    print("WEIGHTS =", np.round(weights, 2).tolist(), " BIAS =", round(bias, 2))
    print(
        f"on a disc below 0: {np.mean(odds[y == 1] < 0):.1%}; "
        f"elsewhere above 0: {np.mean(odds[y == 0] > 0):.2%}"
    )


if __name__ == "__main__":
    main()

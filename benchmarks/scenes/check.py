"""Self-check: do rendered edges lie where the truth says, to a small part of a pixel?

Renders a plain board through a tilted, distorting camera without noise, measures the middle of each ring line
along many radii and the outline of every disc, and compares them with the projected description.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import (
    BoardLook,
    Camera,
    Disc,
    Equipment,
    Light,
    Material,
    Scene,
    Sensor,
    Team,
)
from benchmarks.scenes.optics import as_rows, axes, project
from benchmarks.scenes.shots import aimed
from benchmarks.scenes.solids import disc_profile

Floats = NDArray[np.float64]


def check_scene(tilt_deg: float = 35.0, k1: float = -0.18) -> Scene:
    """A white board with black lines and red discs under an even sky."""
    white = Material("paint", (0.9, 0.9, 0.9), roughness=2.0)
    look = BoardLook(
        white,
        line_colour=(0.02, 0.02, 0.02),
        line_opacity=1.0,
        numerals=False,
        ditch=white,
        frame=white,
        table=white,
    )
    equipment = Equipment(line_width_mm=3.0, peg_count=0)
    rotation = as_rows(axes(tilt_deg, 25.0, 8.0))
    camera = Camera(1601, 1202, 1180.0, (790.3, 611.8), rotation, (0.0, 0.0, 900.0), k1, tilt_deg, 25.0, 8.0)
    camera = aimed(equipment, camera, 0.9, (800.0, 600.0))
    spots = [
        (r * math.cos(a), r * math.sin(a))
        for r, a in ((55, 0.4), (150, 1.5), (152, 3.3), (255, 4.4), (250, 5.8))
    ]
    discs = tuple(Disc(0, x, y) for x, y in spots)
    team = Team("red", (0.75, 0.03, 0.03), shade_spread=0.0, roughness=2.0)
    light = Light(ceiling=1.0, walls=1.0, floor=1.0)
    sensor = Sensor(samples=64, psf_sigma_px=0.5, vignetting=0.0)
    return Scene("check", 5, equipment, look, (team,), discs, camera, light, sensor)


def ring_errors_px(image: NDArray[np.float32], scene: Scene, ring: int, count: int = 240) -> Floats:
    """Measured minus true place (n x 2, pixels) of the line's middle, along radii clear of discs."""
    e = scene.equipment
    radius = e.ring_radii_mm[ring]
    steps = np.linspace(-7.0, 7.0, 281)
    errors = []
    for turn in (np.arange(count) + 0.5) * 2 * math.pi / count:
        way = np.array([math.cos(turn), math.sin(turn), 0.0])
        at = radius * way[:2]
        if any(math.hypot(d.x_mm - at[0], d.y_mm - at[1]) < 45 for d in scene.discs):
            continue
        if ring > 0 and abs((math.degrees(turn) + 45) % 90 - 45) < 6:
            continue
        pixels = project(scene.camera, (radius + steps)[:, None] * way)
        x, y = pixels.astype(np.float32).T
        if x.min() < 2 or y.min() < 2 or x.max() > image.shape[1] - 3 or y.max() > image.shape[0] - 3:
            continue
        dark = cv2.remap(image, x[None], y[None], cv2.INTER_LINEAR)[0].astype(np.float64)
        ends = np.r_[dark[:30], dark[-30:]].mean()
        depth = np.clip(ends - dark, 0.02 * ends, None) - 0.02 * ends
        along = np.linalg.norm(np.gradient(pixels, axis=0), axis=1)
        weight = depth * along
        middle = (pixels * weight[:, None]).sum(axis=0) / weight.sum()
        errors.append(middle - line_middle(scene, radius, way))
    return np.array(errors)


def line_middle(scene: Scene, radius: float, way: Floats) -> Floats:
    """The true mean pixel of the painted line along one radius."""
    half = scene.equipment.line_width_mm / 2
    inside = project(scene.camera, (radius + np.linspace(-half, half, 201))[:, None] * way)
    along = np.linalg.norm(np.gradient(inside, axis=0), axis=1)
    return np.asarray((inside * along[:, None]).sum(axis=0) / along.sum())


def disc_errors(cover: NDArray[np.float32], scene: Scene) -> list[tuple[float, float, float]]:
    """For each disc: error of its outline's centroid in x and y (pixels) and of its area (share)."""
    profile = disc_profile(scene.equipment)
    turn = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    out = []
    for disc in scene.discs:
        solid = np.vstack([np.hstack([ring * r, np.full((len(ring), 1), z)]) for r, z in profile if r > 1])
        hull = cv2.convexHull(
            project(scene.camera, solid + np.array([disc.x_mm, disc.y_mm, disc.z_mm])).astype(np.float32)
        )
        true = cv2.moments(hull)
        x, y, w, h = cv2.boundingRect(hull)
        part = cover[y - 4 : y + h + 4, x - 4 : x + w + 4].astype(np.float32)
        seen = cv2.moments(part)
        place = [seen[m] / seen["m00"] for m in ("m10", "m01")]
        out.append(
            (
                place[0] + x - 4 - true["m10"] / true["m00"],
                place[1] + y - 4 - true["m01"] / true["m00"],
                seen["m00"] / true["m00"] - 1,
            )
        )
    return out


def run() -> bool:
    """Print the errors; true when rings lie within 0.03 px and discs within 0.02 px."""
    from benchmarks.scenes.stage import build
    from benchmarks.scenes.trace import radiance, raised

    fine = True
    for tilt, k1 in ((0.0, -0.25), (35.0, -0.18), (55.0, 0.0)):
        scene = check_scene(tilt, k1)
        stage = build(scene)
        image = radiance(stage, scene)
        for ring, name in enumerate(("15", "10", "5")):
            found = ring_errors_px(np.ascontiguousarray(image[..., 1]), scene, ring)
            offset, spread = found.mean(axis=0), found.std(axis=0)
            fine &= bool(np.abs(offset).max() < 0.03)
            print(
                f"tilt {tilt:4.1f} k1 {k1:5.2f} {name:>2} line: offset {offset[0]:+.4f} {offset[1]:+.4f} px, "
                f"spread {spread[0]:.4f} {spread[1]:.4f} px, {len(found)} places"
            )
        for k, (dx, dy, area) in enumerate(disc_errors(raised(stage, scene), scene)):
            fine &= max(abs(dx), abs(dy)) < 0.02
            print(f"tilt {tilt:4.1f} disc {k + 1}: offset {dx:+.3f} {dy:+.3f} px, area {100 * area:+.2f} %")
    return fine

"""Boards full of discs close to a line, for measuring line calls: clearance uniform in +-3 mm.

The position and the room depend on the scene's number and seed only; ``view`` changes the camera alone, so
several views of one position can be rendered and combined.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from benchmarks.scenes import looks, shots
from benchmarks.scenes.describe import Camera, Equipment, Scene, Sensor
from benchmarks.scenes.lay import Layout
from benchmarks.scenes.rounds import phone_sensor
from benchmarks.scenes.truth import inner_edges_mm

Rng = np.random.Generator
Kind = Literal["phone", "webcam"]
SPAN_MM = 3.0
LIGHTS = ("soft", "window", "lamp", "glare", "soft", "uneven")


def near_equipment(rng: Rng) -> Equipment:
    """A standard board with line widths and disc profiles over their whole range."""
    diameter = float(rng.uniform(31.0, 32.2))
    return Equipment(
        line_width_mm=round(float(rng.uniform(0.8, 2.4)), 2),
        frame_sides=8 if rng.uniform() < 0.75 else 0,
        peg_count=8 if rng.uniform() < 0.8 else 0,
        disc_diameter_mm=round(diameter, 2),
        disc_bottom_diameter_mm=round(diameter - float(rng.uniform(1.6, 3.2)), 2),
        disc_thickness_mm=round(float(rng.uniform(9.2, 11.2)), 2),
        disc_profile=looks.PROFILES[int(rng.integers(3))],
        disc_dish_mm=float(rng.choice([0.0, 0.0, 0.4])),
    )


def crowd(rng: Rng, equipment: Equipment, most: int = 45) -> Layout:
    """As many near-line discs as fit with some air between them, on the three lines in turn."""
    layout = Layout(equipment, rng)
    shares = ((0, 0.15), (1, 0.35), (2, 0.5))
    for line, share in shares:
        for _ in range(round(most * share)):
            gap = float(rng.uniform(-SPAN_MM, SPAN_MM))
            _one(layout, rng, line, gap)
    return layout


def _one(layout: Layout, rng: Rng, line: int, gap: float) -> None:
    """One disc at a clearance, with at least some air around it; now and then it may touch another."""
    e = layout.equipment
    radius = inner_edges_mm(e)[line] - e.disc_bottom_diameter_mm / 2 - gap
    air = 0.0 if rng.uniform() < 0.06 else 4.0
    for _ in range(60):
        turn = float(rng.uniform(0, 2 * math.pi))
        x, y = radius * math.cos(turn), radius * math.sin(turn)
        near = min((math.hypot(d.x_mm - x, d.y_mm - y) for d in layout.discs), default=1e9)
        if near > e.disc_diameter_mm + air and layout.fits(x, y):
            layout.put(int(rng.integers(2)), x, y)
            return


def _camera(rng: Rng, kind: Kind, equipment: Equipment) -> tuple[Camera, Sensor]:
    """The camera and sensor of one view."""
    if kind == "phone":
        fill = float(rng.uniform(0.75, 1.0))
        camera = shots.phone(rng, equipment, (4032, 3024), float(rng.uniform(0, 45)), fill)
        return camera, replace(phone_sensor(rng, 12.2), samples=9, jpeg_quality=int(rng.integers(80, 96)))
    camera = shots.webcam(rng, equipment, float(rng.uniform(0, 40)), float(rng.uniform(0.8, 0.98)))
    sensor = Sensor(
        samples=25,
        psf_sigma_px=float(rng.uniform(0.5, 0.9)),
        vignetting=float(rng.uniform(0.1, 0.4)),
        exposure_ev=float(rng.normal(0, 0.15)),
        shot_noise=float(rng.uniform(0.006, 0.016)),
        read_noise=float(rng.uniform(0.001, 0.004)),
        contrast=float(rng.uniform(0, 0.5)),
        sharpen=float(rng.uniform(0.2, 1.0)),
        jpeg_quality=int(rng.integers(75, 93)),
    )
    return camera, sensor


def near_lines(number: int, seed: int, kind: Kind, view: int = 0) -> Scene:
    """One scene; the same number and seed give the same position in every view."""
    rng = np.random.default_rng([seed, number, 3])
    names = tuple(looks.BOARDS)
    name = names[int(rng.integers(len(names)))]
    equipment = near_equipment(rng)
    teams = looks.SETS[int(rng.integers(len(looks.SETS)))]
    look = looks.board(rng, name)
    layout = crowd(rng, equipment)
    camera, sensor = _camera(np.random.default_rng([seed, number, 4, view]), kind, equipment)
    light_kind = LIGHTS[int(rng.integers(len(LIGHTS)))]
    light = looks.room(rng, light_kind, camera.azimuth_deg, camera.tilt_deg)
    label = f"{kind}_{number:04d}" + (f"_{'abcdefgh'[view]}" if view else "")
    return Scene(
        label,
        seed * 200_003 + number,
        equipment,
        look,
        teams,
        tuple(layout.discs),
        camera,
        light,
        sensor,
        (),
        (name, light_kind, kind),
    )

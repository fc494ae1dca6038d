"""End-of-round boards of every kind: the ``photos`` set."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from benchmarks.scenes import looks, shots
from benchmarks.scenes.describe import Camera, Clutter, Equipment, Light, Scene, Sensor, Thing
from benchmarks.scenes.lay import Layout
from benchmarks.scenes.optics import inside, project

Rng = np.random.Generator
TILTS = ((0.0, 15.0), (15.0, 40.0), (40.0, 60.0))
SIZES = ((1600, 1200), (2000, 1500), (2048, 2048), (2400, 1800), (1500, 2000), (1920, 1440), (1280, 960))
BESIDE: tuple[Thing, ...] = ("cup", "plate", "phone", "shoe")
LIGHTS = ("soft", "window", "lamp", "soft", "glare", "uneven", "lamp")


def play(rng: Rng, equipment: Equipment) -> Layout:
    """An end-of-round position: a few discs a side, some at the lines, in the hole, in the ditch."""
    layout = Layout(equipment, rng)
    if rng.uniform() < 0.3:
        layout.in_hole(int(rng.integers(2)))
    elif rng.uniform() < 0.12:
        layout.leaning(int(rng.integers(2)))
    for team in (0, 1):
        played = int(rng.integers(1, 9)) if rng.uniform() < 0.9 else 0
        for _ in range(played):
            if rng.uniform() < 0.25:
                layout.near_line(team, int(rng.integers(3)), float(rng.normal(0, 2.5)))
            else:
                layout.on_surface(team)
        for _ in range(int(rng.integers(0, 6))):
            layout.in_ditch(team)
        if rng.uniform() < 0.15:
            layout.on_table(team)
    return layout


def _outside(rng: Rng, equipment: Equipment, kind: Thing) -> Clutter:
    """A thing on the table beside the board."""
    turn = float(rng.uniform(0, 2 * math.pi))
    reach = (equipment.frame_outer_mm + 130) * (1.09 if equipment.frame_sides else 1.0)
    colours = ((0.8, 0.8, 0.78), (0.15, 0.15, 0.17), (0.5, 0.15, 0.12), (0.2, 0.35, 0.5))
    colour = colours[int(rng.integers(len(colours)))]
    return Clutter(
        kind,
        reach * math.cos(turn),
        reach * math.sin(turn),
        equipment.table_z_mm,
        float(rng.uniform(0, 360)),
        colour,
    )


def clutter(rng: Rng, equipment: Equipment, light: Light, camera: Camera) -> tuple[Clutter, ...]:
    """Things around the board, sometimes an arm over it or a shadow across it."""
    things = [_outside(rng, equipment, kind) for kind in BESIDE if rng.uniform() < 0.18]
    if rng.uniform() < 0.15:
        turn = float(rng.uniform(0, 360))
        reach = equipment.ring_radii_mm[2] * float(rng.uniform(0.75, 1.1))
        x, y = reach * math.cos(math.radians(turn)), reach * math.sin(math.radians(turn))
        things.append(Clutter("arm", x, y, 14.0, turn, (0.3, 0.35, 0.5)))
    if light.lamps and rng.uniform() < 0.6:
        az, el = (math.radians(v) for v in light.lamps[0][:2])
        way = np.array([math.cos(el) * math.cos(az), math.cos(el) * math.sin(az), math.sin(el)])
        at = np.append(rng.uniform(-200, 200, 2), 0.0) + way * 900
        bar = Clutter("bar", float(at[0]), float(at[1]), float(at[2]), float(rng.uniform(0, 180)))
        long = np.linspace(-1540, 1540, 120)
        a = math.radians(bar.angle_deg)
        points = at + np.stack([long * math.cos(a), long * math.sin(a), 0 * long], axis=1)
        spots = project(camera, points)
        if (
            not inside(camera, spots[~np.isnan(spots[:, 0])], -150).any()
            and camera.position_mm[2] < at[2] * 3
        ):
            things.append(bar)
    return tuple(things)


def phone_sensor(rng: Rng, megapixels: float) -> Sensor:
    """What phones do: clean, a little soft, a little sharpened."""
    return Sensor(
        samples=9 if megapixels > 8 else 16,
        psf_sigma_px=float(rng.uniform(0.4, 0.75)),
        aperture_mm=float(rng.uniform(0.0, 1.2)),
        focus_offset_mm=float(rng.normal(0, 25)),
        vignetting=float(rng.uniform(0.05, 0.3)),
        exposure_ev=float(rng.normal(0, 0.2)),
        shot_noise=float(rng.uniform(0.002, 0.01)),
        read_noise=float(rng.uniform(0.0005, 0.002)),
        cast=(float(rng.uniform(0.92, 1.1)), 1.0, float(rng.uniform(0.85, 1.1))),
        contrast=float(rng.uniform(0, 0.6)),
        sharpen=float(rng.uniform(0, 0.7)) if rng.uniform() < 0.6 else 0.0,
        jpeg_quality=int(rng.integers(70, 96)),
        subsampling=2 if rng.uniform() < 0.7 else 0,
    )


def photo(number: int, seed: int) -> Scene:
    """One scene of the set; the same number and seed give the same scene."""
    rng = np.random.default_rng([seed, number])
    low, high = TILTS[number % 3]
    tilt = float(rng.uniform(low, high))
    names = tuple(looks.BOARDS)
    name = names[(number * 4 + seed) % len(names)]
    equipment = looks.equipment(rng, name)
    size = (4032, 3024) if number % 8 == 5 else SIZES[int(rng.integers(len(SIZES)))]
    fill = float(rng.uniform(0.58, 1.0)) if rng.uniform() < 0.85 else float(rng.uniform(1.02, 1.15))
    if number % 9 == 7:
        camera = shots.webcam(rng, equipment, tilt, min(fill, 0.98))
    else:
        crop = float(rng.uniform(0.55, 0.9)) if rng.uniform() < 0.3 else 1.0
        camera = shots.phone(rng, equipment, size, tilt, fill, crop)
    kind = LIGHTS[(number * 3 + seed) % len(LIGHTS)]
    light = looks.room(rng, kind, camera.azimuth_deg, tilt)
    teams = looks.SETS[int(rng.integers(len(looks.SETS)))]
    layout = play(rng, equipment)
    sensor = phone_sensor(rng, camera.width_px * camera.height_px / 1e6)
    if number % 9 == 7:
        sensor = replace(
            sensor,
            psf_sigma_px=0.8,
            shot_noise=0.014,
            read_noise=0.003,
            subsampling=2,
            aperture_mm=0.0,
            sharpen=0.8,
        )
    things = clutter(rng, equipment, light, camera)
    tags = [name, kind, *(c.kind for c in things)]
    tags += ["webcam"] if number % 9 == 7 else []
    return Scene(
        f"photo_{number:03d}",
        seed * 100_003 + number,
        equipment,
        looks.board(rng, name),
        teams,
        tuple(layout.discs),
        camera,
        light,
        sensor,
        things,
        tuple(tags),
    )

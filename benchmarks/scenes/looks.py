"""Boards, disc sets and rooms to draw from."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np

from benchmarks.scenes.describe import BoardLook, Colour, Equipment, Light, Material, Profile, Team

Rng = np.random.Generator
DARK_LINE: Colour = (0.07, 0.05, 0.045)

MAPLE = BoardLook(
    Material("wood", palette="maple", roughness=0.22),
    line_colour=DARK_LINE,
    ditch=Material("paint", (0.10, 0.09, 0.09), roughness=0.6),
)
BOARDS: dict[str, BoardLook] = {
    "maple": MAPLE,
    "maple-red-ditch": replace(
        MAPLE,
        ditch=Material("paint", (0.62, 0.27, 0.10), roughness=0.4),
        frame=Material("wood", palette="cherry"),
        hole_colour=(0.05, 0.05, 0.05),
    ),
    "birch-navy": replace(
        MAPLE,
        surface=Material("wood", palette="birch", roughness=0.3),
        ditch=Material("paint", (0.09, 0.11, 0.20), roughness=0.4),
        frame=Material("paint", (0.08, 0.10, 0.19), roughness=0.3),
        hole_colour=(0.12, 0.14, 0.25),
        logo="A & M",
        numerals=False,
    ),
    "cherry": BoardLook(
        Material("wood", palette="cherry", grain="curly", roughness=0.2),
        line_colour=DARK_LINE,
        ditch=Material("wood", palette="walnut"),
        frame=Material("wood", palette="walnut"),
        hole_colour=(0.3, 0.2, 0.14),
    ),
    "burl": BoardLook(
        Material("wood", palette="pine", grain="burl", roughness=0.18),
        line_colour=DARK_LINE,
        ditch=Material("wood", palette="cherry", roughness=0.25),
        numeral_height_mm=9.0,
        frame=Material("wood", palette="mahogany", roughness=0.25),
        hole_colour=(0.42, 0.05, 0.12),
    ),
    "two-tone": BoardLook(
        Material("wood", palette="oak", grain="curly", roughness=0.2),
        second=Material("wood", palette="pine", roughness=0.2),
        line_colour=DARK_LINE,
        ditch=Material("wood", palette="cherry"),
        frame=Material("wood", palette="cherry"),
        numeral_height_mm=9.0,
        hole_colour=(0.40, 0.06, 0.14),
    ),
    "blue": BoardLook(
        Material("paint", (0.10, 0.22, 0.40), roughness=0.4),
        line_colour=(0.80, 0.27, 0.18),
        ditch=Material("paint", (0.72, 0.22, 0.20), roughness=0.5),
        frame=Material("wood", palette="pine"),
        hole_colour=(0.86, 0.36, 0.28),
    ),
    "white": BoardLook(
        Material("paint", (0.90, 0.89, 0.90), roughness=0.3),
        line_colour=(0.72, 0.08, 0.16),
        ditch=Material("paint", (0.88, 0.87, 0.88), roughness=0.3),
        frame=Material("wood", palette="maple"),
        hole_colour=(0.72, 0.08, 0.16),
    ),
    "black": BoardLook(
        Material("paint", (0.09, 0.09, 0.10), roughness=0.35),
        line_colour=(0.92, 0.90, 0.84),
        ditch=Material("cloth", (0.25, 0.05, 0.07), roughness=2.0),
        frame=Material("wood", palette="maple"),
        hole_colour=(0.80, 0.66, 0.20),
    ),
    "green": BoardLook(
        Material("paint", (0.10, 0.29, 0.19), roughness=0.45),
        line_colour=(0.90, 0.80, 0.42),
        ditch=Material("wood", palette="mahogany"),
        frame=Material("wood", palette="mahogany"),
        hole_colour=(0.08, 0.06, 0.05),
    ),
    "walnut": BoardLook(
        Material("wood", palette="walnut", roughness=0.25),
        line_colour=(0.90, 0.82, 0.64),
        ditch=Material("paint", (0.08, 0.07, 0.07), roughness=0.7),
        frame=Material("wood", palette="maple"),
        hole_colour=(0.5, 0.08, 0.08),
    ),
}

NATURAL = Team("light", (0.86, 0.72, 0.52), wood=True, shade_spread=0.09)
WALNUT = Team("dark", (0.36, 0.22, 0.14), wood=True, shade_spread=0.10)
BLACK = Team("black", (0.09, 0.09, 0.095), shade_spread=0.05)
WHITE = Team("white", (0.92, 0.90, 0.86), shade_spread=0.02)
RED = Team("red", (0.66, 0.09, 0.09))
NAVY = Team("blue", (0.10, 0.16, 0.33))
OLIVE = Team("green", (0.38, 0.40, 0.16))
BLUE = Team("blue", (0.13, 0.32, 0.64))
GREEN = Team("green", (0.12, 0.42, 0.20))
NAME_WOOD = replace(NATURAL, name="natural")
SETS: tuple[tuple[Team, Team], ...] = (
    (WALNUT, NATURAL),
    (BLACK, NAME_WOOD),
    (BLACK, WHITE),
    (RED, OLIVE),
    (NAVY, WHITE),
    (RED, BLACK),
    (GREEN, RED),
    (BLUE, NAME_WOOD),
    (BLACK, NAME_WOOD),
    (WALNUT, NATURAL),
)
TABLES = (
    Material("wood", palette="oak", roughness=0.5),
    Material("wood", palette="grey", roughness=0.6),
    Material("wood", palette="maple", roughness=0.35),
    Material("cloth", (0.85, 0.84, 0.82), roughness=2.0),
    Material("cloth", (0.25, 0.30, 0.27), roughness=2.0),
    Material("tiles", (0.72, 0.68, 0.62), roughness=0.4),
    Material("paint", (0.93, 0.93, 0.93), roughness=2.0),
    Material("wood", palette="walnut", roughness=0.4),
)
PROFILES: tuple[Profile, ...] = ("barrel", "fillet", "chamfer")


def board(rng: Rng, name: str) -> BoardLook:
    """A board of a named look with its own grain directions, table and small variations."""
    look = BOARDS[name]
    surface = replace(
        look.surface,
        angle_deg=float(rng.uniform(0, 180)),
        roughness=look.surface.roughness * float(rng.uniform(0.8, 1.3)),
    )
    if surface.kind == "wood" and rng.uniform() < 0.3:
        surface = replace(surface, grain=str(rng.choice(["straight", "curly", "burl"])))  # type: ignore[arg-type]
    return replace(
        look,
        surface=surface,
        joint_mm=float(rng.uniform(60, 190)),
        joint_angle_deg=surface.angle_deg + 90,
        table=TABLES[int(rng.integers(len(TABLES)))],
        numerals=look.numerals and rng.uniform() < 0.85,
        quadrant_phase_deg=45.0 if rng.uniform() < 0.5 else 0.0,
        table_radius_mm=float(rng.uniform(480, 620)) if rng.uniform() < 0.15 else 0.0,
    )


def equipment(rng: Rng, look_name: str) -> Equipment:
    """Mostly standard dimensions; a quarter are boards of the kind people have at home."""
    e = Equipment(
        line_width_mm=float(rng.choice([1.0, 1.6, 1.6, 2.0, 2.4])) if look_name != "blue" else 2.8,
        frame_sides=0 if look_name == "birch-navy" or rng.uniform() < 0.25 else 8,
        peg_count=0 if rng.uniform() < 0.2 else 8,
        ditch_depth_mm=float(rng.uniform(15, 24)),
        ditch_width_mm=float(rng.uniform(50, 72)),
        frame_width_mm=float(rng.uniform(14, 26)),
        disc_profile=PROFILES[int(rng.integers(3))],
        disc_thickness_mm=float(rng.choice([9.5, 10.0, 10.0, 11.0])),
        disc_dish_mm=float(rng.choice([0.0, 0.0, 0.5])),
    )
    if rng.uniform() < 0.28:
        ratio2, ratio3 = float(rng.uniform(2.06, 2.16)), float(rng.uniform(2.9, 3.02))
        outer = float(rng.choice([250.0, 285.0, 304.8]))
        inner = outer / ratio3
        e = replace(e, ring_radii_mm=(inner, ratio2 * inner, outer), surface_diameter_mm=2 * outer * 1.083)
    return e


def room(rng: Rng, kind: str, camera_azimuth_deg: float, tilt_deg: float) -> Light:
    """Light of a kind: soft, window, lamp, glare or uneven."""
    az = float(rng.uniform(0, 360))
    warmth = float(rng.uniform(-0.3, 0.9))
    base = Light(
        (kind,), ceiling=float(rng.uniform(0.8, 1.2)), walls=float(rng.uniform(0.3, 0.6)), warmth=warmth
    )
    if kind == "window":
        pane = (az, float(rng.uniform(15, 35)), float(rng.uniform(12, 25)), float(rng.uniform(8, 14)), 16.0)
        return replace(base, ceiling=0.6, walls=0.35, windows=(pane,))
    if kind == "lamp":
        lamp = (az, float(rng.uniform(35, 65)), float(rng.uniform(0.7, 2.0)), 1.0)
        power = float(rng.uniform(2.0, 5.0)) / (0.0003046 * lamp[2] ** 2 * np.pi)
        return replace(base, ceiling=0.45, walls=0.3, lamps=((lamp[0], lamp[1], lamp[2], power),))
    if kind == "glare":
        lift = max(90 - tilt_deg - 4, 20.0)
        pane = (camera_azimuth_deg + 180 + float(rng.uniform(-18, 18)), lift, 9.0, 7.0, 18.0)
        return replace(base, windows=(pane,))
    if kind == "uneven":
        x, y = (float(v) for v in 420 * np.array([np.cos(np.radians(az)), np.sin(np.radians(az))]))
        return dataclasses.replace(base, ceiling=0.35, walls=0.2, near_lamp=(x, y, 620.0, 70.0, 26.0))
    return base

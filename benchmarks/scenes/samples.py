"""The dozen pictures of ``sample_images/``: chosen looks, angles and lights."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.scenes import looks, shots
from benchmarks.scenes.describe import Clutter, Equipment, Light, Scene, Sensor, Team, Thing
from benchmarks.scenes.lay import Layout


@dataclass(frozen=True)
class Choice:
    """What makes one sample picture its own."""

    name: str
    board: str
    teams: tuple[Team, Team]
    counts: tuple[tuple[int, int, int], tuple[int, int, int]]
    """For each team: discs on the surface, close to a line, in the ditch."""
    size: tuple[int, int]
    tilt_deg: float
    fill: float
    light: str
    hole: int | None = None
    """Team with a disc in the hole."""
    leaner: int | None = None
    table: int = 0
    sides: int = 8
    pegs: int = 8
    ratios: tuple[float, float] | None = None
    webcam: bool = False
    things: tuple[Thing, ...] = ()


L, T = (2000, 1500), (1500, 2000)
CHOICES = (
    Choice(
        "kitchen-table",
        "maple-red-ditch",
        (looks.RED, looks.OLIVE),
        ((5, 1, 2), (4, 1, 3)),
        L,
        24,
        0.93,
        "window",
        0,
        table=0,
    ),
    Choice(
        "from-above",
        "maple",
        (looks.BLACK, looks.NAME_WOOD),
        ((5, 1, 1), (4, 2, 2)),
        (1800, 1800),
        4,
        0.95,
        "soft",
        1,
        table=1,
    ),
    Choice(
        "navy-round",
        "birch-navy",
        (looks.NAVY, looks.WHITE),
        ((6, 0, 3), (7, 1, 2)),
        (1800, 1800),
        9,
        0.94,
        "window",
        sides=0,
        table=6,
    ),
    Choice(
        "blue-on-the-floor",
        "blue",
        (looks.BLACK, looks.NAME_WOOD),
        ((4, 1, 4), (5, 1, 3)),
        L,
        17,
        0.85,
        "soft",
        table=1,
        ratios=(2.12, 2.95),
        things=("shoe",),
    ),
    Choice(
        "burl-lamp",
        "burl",
        (looks.WALNUT, looks.NATURAL),
        ((5, 1, 3), (4, 1, 4)),
        L,
        33,
        0.96,
        "lamp",
        1,
        pegs=8,
        table=7,
        ratios=(2.14, 2.97),
    ),
    Choice(
        "two-tone",
        "two-tone",
        (looks.WALNUT, looks.NATURAL),
        ((3, 1, 4), (3, 2, 5)),
        T,
        21,
        0.92,
        "window",
        pegs=0,
        table=2,
    ),
    Choice(
        "white-board",
        "white",
        (looks.RED, looks.BLACK),
        ((5, 1, 1), (3, 1, 2)),
        L,
        38,
        0.9,
        "soft",
        0,
        table=1,
        things=("cup",),
    ),
    Choice(
        "black-board",
        "black",
        (looks.RED, looks.WHITE),
        ((4, 1, 2), (5, 1, 1)),
        L,
        47,
        0.95,
        "uneven",
        table=7,
    ),
    Choice(
        "green-varnish",
        "green",
        (looks.WHITE, looks.BLACK),
        ((4, 2, 2), (4, 0, 3)),
        L,
        41,
        0.94,
        "glare",
        1,
        table=3,
    ),
    Choice(
        "cherry-12mp",
        "cherry",
        (looks.WALNUT, looks.NATURAL),
        ((6, 2, 1), (5, 2, 2)),
        (4032, 3024),
        28,
        0.95,
        "window",
        table=5,
        leaner=1,
    ),
    Choice(
        "club-webcam",
        "maple",
        (looks.BLUE, looks.RED),
        ((5, 1, 2), (6, 1, 1)),
        (1920, 1080),
        12,
        0.96,
        "soft",
        0,
        webcam=True,
        table=4,
    ),
    Choice(
        "walnut-arm",
        "walnut",
        (looks.GREEN, looks.NAME_WOOD),
        ((4, 1, 2), (5, 1, 2)),
        L,
        36,
        0.88,
        "soft",
        table=2,
        things=("arm",),
    ),
)


def _thing(kind: Thing, equipment: Equipment, azimuth_deg: float) -> Clutter:
    """A thing beside the board (or an arm over it), away from the camera's side."""
    if kind == "arm":
        turn = math.radians(azimuth_deg + 70)
        reach = equipment.ring_radii_mm[2] * 1.02
        return Clutter(
            "arm", reach * math.cos(turn), reach * math.sin(turn), 14.0, math.degrees(turn), (0.25, 0.33, 0.5)
        )
    turn = math.radians(azimuth_deg + (140 if kind == "cup" else 158))
    reach = equipment.frame_outer_mm * 1.08 + (75 if kind == "cup" else 60)
    colour = (0.82, 0.80, 0.74) if kind == "cup" else (0.12, 0.12, 0.14)
    return Clutter(
        kind,
        reach * math.cos(turn),
        reach * math.sin(turn),
        equipment.table_z_mm,
        azimuth_deg + 200,
        colour,
    )


def sample(number: int, seed: int = 3) -> Scene:
    """One of the dozen."""
    choice = CHOICES[number]
    rng = np.random.default_rng([seed, number, 9])
    look = looks.board(rng, choice.board)
    look = replace(
        look,
        table=looks.TABLES[choice.table],
        table_radius_mm=0.0,
        surface=replace(look.surface, grain=looks.BOARDS[choice.board].surface.grain),
    )
    equipment = Equipment(
        frame_sides=choice.sides,
        peg_count=choice.pegs,
        frame_width_mm=20.0,
        line_width_mm=2.8 if choice.board == "blue" else 1.6,
    )
    if choice.ratios is not None:
        inner = 304.8 / choice.ratios[1]
        equipment = replace(equipment, ring_radii_mm=(inner, inner * choice.ratios[0], 304.8))
    tilt = choice.tilt_deg
    if choice.webcam:
        camera = shots.webcam(rng, equipment, tilt, choice.fill, choice.size)
    else:
        camera = shots.phone(rng, equipment, choice.size, tilt, choice.fill)
    layout = Layout(equipment, rng)
    if choice.hole is not None:
        layout.in_hole(choice.hole)
    if choice.leaner is not None:
        layout.leaning(choice.leaner)
    for team, (free, close, ditch) in enumerate(choice.counts):
        for _ in range(close):
            layout.near_line(team, int(rng.integers(3)), float(rng.choice([-1.4, -0.7, 0.7, 1.4])))
        for _ in range(free):
            layout.on_surface(team)
        for _ in range(ditch):
            layout.in_ditch(team)
    light: Light = looks.room(rng, choice.light, camera.azimuth_deg, tilt)
    sensor = Sensor(
        samples=9 if camera.width_px > 3000 else 16,
        psf_sigma_px=0.5,
        vignetting=0.12,
        shot_noise=0.004,
        read_noise=0.001,
        contrast=0.35,
        sharpen=0.3,
        jpeg_quality=88,
        aperture_mm=0.5,
    )
    things = tuple(_thing(kind, equipment, camera.azimuth_deg) for kind in choice.things)
    return Scene(
        choice.name,
        seed * 300_007 + number,
        equipment,
        look,
        choice.teams,
        tuple(layout.discs),
        camera,
        light,
        sensor,
        things,
        (choice.board, choice.light, *choice.things),
    )

"""Round things that are no crokinole board, each drawn in its plane; ``variant`` picks a look."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from benchmarks.scenes.decoy_plane import EXTENT, Colour, Plane

Thing = Callable[[int], Plane]
THINGS: dict[str, Thing] = {}

BLACK: Colour = (22, 22, 24)
WHITE: Colour = (238, 236, 230)
RED: Colour = (190, 38, 40)
GREEN: Colour = (30, 110, 60)
BLUE: Colour = (45, 90, 170)
YELLOW: Colour = (235, 200, 60)
GREY: Colour = (130, 130, 132)
STEEL: Colour = (176, 180, 184)
MAPLE: Colour = (206, 170, 120)
OAK: Colour = (170, 124, 76)
WALNUT: Colour = (98, 66, 44)
NAVY: Colour = (30, 42, 84)


def _thing(function: Thing) -> Thing:
    THINGS[function.__name__.replace("_", "-")] = function
    return function


def _seed(name: str, variant: int) -> int:
    return sum(ord(letter) * (k + 7) for k, letter in enumerate(name)) + 1009 * variant


def _wood(name: str, variant: int, colour: Colour | None = None) -> Plane:
    plane = Plane(colour or (MAPLE, WALNUT, OAK)[variant % 3], _seed(name, variant))
    plane.grain(0.06, direction_deg=25.0 * variant)
    return plane


def _wall(name: str, variant: int, colour: Colour = (200, 196, 188)) -> Plane:
    plane = Plane(colour, _seed(name, variant))
    plane.mottle(0.03, 0.05)
    return plane


def _paint_on(variant: int) -> Colour:
    """A line colour that shows on the wood of that variant."""
    return (BLACK, WHITE, (120, 20, 24))[variant % 3]


@_thing
def dart_board(variant: int) -> Plane:
    """Real radii: wires at 6.35, 15.9, 99, 107, 162 and 170 mm on a board of 451 mm."""
    p = _wall("dart", variant) if variant % 2 == 0 else _wood("dart", variant)
    mm = 1 / 225.5
    p.shadow(0, 0, 1.0)
    p.disc(0, 0, 1.0, BLACK)
    for k in range(20):
        a, b = 18 * k - 99, 18 * k - 81
        bed, wire = ((BLACK, RED), (WHITE, GREEN))[k % 2]
        p.sector(15.9 * mm, 170 * mm, a, b, bed)
        for inner, outer in ((99, 107), (162, 170)):
            p.sector(inner * mm, outer * mm, a, b, wire)
    p.disc(0, 0, 15.9 * mm, GREEN)
    p.disc(0, 0, 6.35 * mm, RED)
    if variant % 2 == 0:
        for r in (15.9, 99, 107, 162, 170):
            p.ring(0, 0, r * mm, 0.008, STEEL)
        for k in range(20):
            p.spoke(15.9 * mm, 170 * mm, 18 * k + 9, 0.007, STEEL)
    numbers = (20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5)
    for k, n in enumerate(numbers):
        at = math.radians(18 * k - 90)
        p.text(str(n), 0.87 * math.cos(at), 0.87 * math.sin(at), 0.08, WHITE)
    return p


@_thing
def archery_target(variant: int) -> Plane:
    """The ten-ring target: five colours, two rings each."""
    p = _wall("archery", variant, (196, 178, 120))
    p.mottle(0.10, 0.02)
    p.rectangle(-1.08, -1.08, 1.08, 1.08, WHITE)
    for k, colour in enumerate((WHITE, WHITE, BLACK, BLACK, BLUE, BLUE, RED, RED, YELLOW, YELLOW)):
        r = 1 - 0.1 * k
        p.disc(0, 0, r, colour)
        p.ring(0, 0, r, 0.008, WHITE if colour == BLACK else BLACK)
    p.ring(0, 0, 0.05, 0.005, BLACK)
    return p


@_thing
def archery_five_rings(variant: int) -> Plane:
    """Five wide rings, filled in two colours or drawn as lines."""
    p = _wall("five", variant)
    p.disc(0, 0, 1.02, WHITE)
    for k in range(5):
        r = 1 - 0.2 * k
        if variant % 2 == 0:
            p.disc(0, 0, r, RED if k % 2 == 0 else WHITE)
        else:
            p.ring(0, 0, r, 0.016, BLACK)
    return p


@_thing
def pistol_target(variant: int) -> Plane:
    """Ten thin rings, the inner ones on black, with numbers."""
    p = _wall("pistol", variant, (150, 150, 140))
    p.rectangle(-1.15, -1.15, 1.15, 1.15, (230, 222, 196))
    p.disc(0, 0, 0.4, BLACK)
    for k in range(1, 11):
        r = k / 10
        p.ring(0, 0, r, 0.007, WHITE if r < 0.4 else BLACK)
        if k < 10:
            for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                p.text(str(10 - k), (r + 0.05) * x, (r + 0.05) * y, 0.035, WHITE if r < 0.35 else BLACK)
    return p


@_thing
def plate(variant: int) -> Plane:
    """A plate with a rim, with or without coloured lines on it."""
    p = _wood("plate", variant)
    p.shadow(0, 0, 0.95, 0.5, 0.06)
    p.disc(0, 0, 0.95, WHITE)
    p.bowl(0, 0, 0.60, 0.70, 0.22)
    p.bowl(0, 0, 0.70, 0.95, -0.06)
    p.ring(0, 0, 0.945, 0.012, (205, 203, 198))
    if variant % 2:
        p.ring(0, 0, 0.90, 0.02, BLUE)
        p.ring(0, 0, 0.62, 0.012, BLUE)
        p.ring(0, 0, 0.31, 0.012, BLUE)
    return p


@_thing
def stack_of_plates(variant: int) -> Plane:
    """Plates of growing size on one another, each with its shadow and its line."""
    p = _wood("stack", variant, OAK)
    for k, r in enumerate((0.99, 0.81, 0.66, 0.5, 0.33)):
        x, y = 0.012 * k, -0.016 * k
        p.shadow(x, y, r, 0.5, 0.035)
        p.disc(x, y, r, WHITE if variant % 2 else (225 - 12 * k, 215, 200 + 8 * k))
        p.bowl(x, y, 0.72 * r, r, -0.1)
        p.ring(x, y, 0.95 * r, 0.012, (110, 130, 160))
    return p


@_thing
def round_table(variant: int) -> Plane:
    """A table top with glasses, coasters and plates round it."""
    p = _wall("table", variant, (120, 110, 100))
    p.shadow(0, 0, 1.0, 0.6, 0.1)
    p.disc(0, 0, 1.0, OAK if variant % 2 else WALNUT)
    p.grain(0.05, 30.0 * variant)
    p.ring(0, 0, 0.985, 0.03, (70, 48, 32))
    for k in range(6):
        a = math.radians(60 * k + 11)
        x, y = 0.66 * math.cos(a), 0.66 * math.sin(a)
        p.shadow(x, y, 0.2)
        p.disc(x, y, 0.2, WHITE)
        p.bowl(x, y, 0.13, 0.16, 0.2)
        b = a + 0.42
        gx, gy = 0.52 * math.cos(b), 0.52 * math.sin(b)
        p.shadow(gx, gy, 0.06)
        p.ring(gx, gy, 0.06, 0.012, (225, 232, 236), 0.8)
        p.disc(gx, gy, 0.045, (120, 20, 40), 0.7)
    p.disc(0, 0, 0.12, GREEN)
    p.ring(0, 0, 0.14, 0.02, WHITE)
    return p


@_thing
def glasses_on_tray(variant: int) -> Plane:
    """A round tray with many rims of glasses on it."""
    p = _wood("tray", variant)
    p.shadow(0, 0, 0.98)
    p.disc(0, 0, 0.98, STEEL if variant % 2 else (60, 60, 64))
    p.bowl(0, 0, 0.88, 0.98, 0.25)
    p.ring(0, 0, 0.88, 0.01, (90, 92, 96))
    for k in range(13):
        r, a = (0.0 if k == 0 else 0.36 if k < 6 else 0.7), 2.4 * k
        x, y = r * math.cos(a), r * math.sin(a)
        p.ring(x, y, 0.13, 0.014, WHITE, 0.85)
        p.ring(x, y, 0.085, 0.01, (220, 226, 230), 0.6)
        p.disc(x, y, 0.075, (205, 160, 70), 0.5)
    return p


@_thing
def spoked_wheel(variant: int) -> Plane:
    """A bicycle wheel: tyre, rim, hub and thin spokes."""
    p = _wall("wheel", variant, (170, 168, 160))
    p.mottle(0.08, 0.02)
    p.ring(0, 0, 0.95, 0.09, (35, 35, 36))
    p.ring(0, 0, 0.88, 0.035, STEEL)
    for k in range(16 if variant % 2 else 28):
        step = 360 / (16 if variant % 2 else 28)
        a, b = math.radians(step * k), math.radians(step * k + (22 if k % 2 else -22))
        p.line(
            (0.07 * math.cos(b), 0.07 * math.sin(b)), (0.87 * math.cos(a), 0.87 * math.sin(a)), 0.008, STEEL
        )
    p.disc(0, 0, 0.09, GREY)
    p.disc(0, 0, 0.03, BLACK)
    if variant % 2:
        p.ring(0, 0, 0.3, 0.012, (60, 60, 62))
    return p


@_thing
def cart_wheel(variant: int) -> Plane:
    """A wooden wheel with eight or four broad spokes and an iron tyre."""
    p = _wall("cart", variant, (120, 130, 96))
    p.mottle(0.15, 0.02)
    p.ring(0, 0, 0.9, 0.16, OAK)
    p.ring(0, 0, 0.985, 0.03, (60, 58, 56))
    for k in range(8 if variant % 2 else 4):
        p.spoke(0.1, 0.83, (45 if variant % 2 else 90) * k + 10, 0.07, OAK)
    p.grain(0.06)
    p.disc(0, 0, 0.2, WALNUT)
    p.ring(0, 0, 0.2, 0.02, BLACK)
    p.disc(0, 0, 0.07, BLACK)
    return p


@_thing
def drain(variant: int) -> Plane:
    """A drain with rings of holes, or of slots."""
    p = _wall("drain", variant, (205, 208, 210))
    for k in range(-3, 4):
        p.line((0.5 * k, -EXTENT), (0.5 * k, EXTENT), 0.02, (150, 150, 148))
        p.line((-EXTENT, 0.5 * k), (EXTENT, 0.5 * k), 0.02, (150, 150, 148))
    p.shadow(0, 0, 0.95, 0.3)
    p.disc(0, 0, 0.95, STEEL)
    p.ring(0, 0, 0.95, 0.03, (100, 104, 108))
    p.ring(0, 0, 0.84, 0.012, (110, 114, 118))
    for r, n in ((0.22, 6), (0.44, 12), (0.66, 18)):
        for k in range(n):
            a = 360 / n * k
            if variant % 2:
                p.sector(r - 0.05, r + 0.05, a + 4, a + 360 / n - 4, BLACK)
            else:
                p.disc(r * math.cos(math.radians(a)), r * math.sin(math.radians(a)), 0.05, BLACK)
    p.disc(0, 0, 0.05, BLACK)
    return p


@_thing
def sink_strainer(variant: int) -> Plane:
    """A hole in the middle, small studs round it and rims: much like a hole with its pegs."""
    p = _wall("sink", variant, STEEL)
    for r in (0.33, 0.66, 0.98)[0 if variant % 2 else 1 :]:
        p.ring(0, 0, r, 0.014, (96, 100, 106))
    p.disc(0, 0, 0.07, BLACK)
    studs = 12 if variant % 2 else 6
    for k in range(studs):
        a = 2 * math.pi * (k + 0.5) / studs
        p.disc(0.33 * math.cos(a), 0.33 * math.sin(a), 0.03, (70, 72, 76))
        p.disc(0.32 * math.cos(a), 0.32 * math.sin(a), 0.015, WHITE)
    return p


@_thing
def clock(variant: int) -> Plane:
    """A wall clock with numerals, minute track and hands."""
    p = _wall("clock", variant, (190, 204, 206))
    p.shadow(0, 0, 1.0, 0.4, 0.05)
    p.disc(0, 0, 1.0, WALNUT if variant % 2 else BLACK)
    p.disc(0, 0, 0.9, WHITE)
    p.ring(0, 0, 0.84, 0.008, BLACK)
    p.ring(0, 0, 0.79, 0.008, BLACK)
    for k in range(60):
        p.spoke(0.79, 0.84, 6 * k, 0.02 if k % 5 == 0 else 0.006, BLACK)
    for k in range(12):
        a = math.radians(30 * k - 60)
        p.text(str(k + 1), 0.66 * math.cos(a), 0.66 * math.sin(a), 0.11, BLACK)
    p.spoke(-0.1, 0.5, 215 if variant % 2 else 300, 0.045, BLACK)
    p.spoke(-0.12, 0.74, 100 if variant % 2 else 20, 0.028, BLACK)
    p.spoke(-0.15, 0.76, 250, 0.01, RED)
    p.disc(0, 0, 0.04, BLACK)
    return p


@_thing
def vinyl_record(variant: int) -> Plane:
    """A record: grooves, gaps between the songs, label and hole."""
    p = _wood("vinyl", variant)
    p.disc(0, 0, 1.0, (24, 24, 26))
    r = np.hypot(p.x, p.y)
    theta = np.arctan2(p.y, p.x)
    on = (r > 0.36) & (r < 0.97)
    shine = 1 + on * (0.25 * np.sin(700 * r) + 1.6 * np.maximum(0, np.cos(2 * theta + 0.7)) ** 14)
    p.tint(np.asarray(shine, np.float32))
    for gap in (0.97, 0.85, 0.74, 0.66, 0.55, 0.45):
        p.ring(0, 0, gap, 0.012, (52, 52, 55))
    p.disc(0, 0, 0.33, RED if variant % 2 else YELLOW)
    p.ring(0, 0, 0.3, 0.006, BLACK)
    p.text("SIDE A", 0, -0.16, 0.06, BLACK)
    p.disc(0, 0, 0.024, (200, 190, 170))
    return p


@_thing
def compact_disc(variant: int) -> Plane:
    """A silver disc with a clear hub and colours of the rainbow."""
    p = _wood("cd", variant, WALNUT if variant % 2 else OAK)
    p.shadow(0, 0, 1.0)
    p.disc(0, 0, 1.0, (190, 194, 198))
    theta, r = np.arctan2(p.y, p.x), np.hypot(p.x, p.y)
    on = (r < 0.98) & (r > 0.38)
    for c in range(3):
        p.rgb[..., c] *= 1 + 0.35 * on * np.maximum(0, np.cos(2 * theta + 0.5 * c + 0.8)) ** 6
    p.ring(0, 0, 0.98, 0.015, (210, 214, 218))
    p.ring(0, 0, 0.38, 0.015, (140, 144, 150))
    p.ring(0, 0, 0.30, 0.008, (150, 154, 160))
    p.disc(0, 0, 0.29, (205, 205, 202), 0.7)
    p.disc(0, 0, 0.125, WALNUT if variant % 2 else OAK)
    return p


@_thing
def roulette(variant: int) -> Plane:
    """A roulette wheel: 37 pockets, rims and a turret."""
    p = _wall("roulette", variant, GREEN)
    p.shadow(0, 0, 1.0)
    p.disc(0, 0, 1.0, WALNUT)
    p.bowl(0, 0, 0.78, 1.0, 0.2)
    p.ring(0, 0, 0.78, 0.02, (200, 170, 90))
    for k in range(37):
        a, b = 360 / 37 * k, 360 / 37 * (k + 1)
        p.sector(0.5, 0.77, a, b, GREEN if k == 0 else (RED, BLACK)[k % 2])
        p.spoke(0.5, 0.77, a, 0.008, (200, 170, 90))
    p.ring(0, 0, 0.63, 0.012, (200, 170, 90))
    p.ring(0, 0, 0.5, 0.02, (200, 170, 90))
    p.disc(0, 0, 0.49, OAK)
    p.bowl(0, 0, 0.1, 0.49, -0.15)
    for k in range(4):
        p.spoke(0.0, 0.24, 90 * k + 20, 0.04, (200, 170, 90))
    p.disc(0, 0, 0.1, (215, 190, 110))
    p.disc(0.64 * math.cos(1.0 + variant), 0.64 * math.sin(1.0 + variant), 0.025, WHITE)
    return p


@_thing
def three_circles(variant: int) -> Plane:
    """Concentric circles 1 : 2 : 3 on wood, and nothing else."""
    p = _wood("three", variant)
    if variant % 2:
        p.disc(0, 0, 1.1, (190, 150, 100))
    for r in ((0.33, 0.66, 0.99), (0.33, 0.71, 0.98), (0.34, 0.66, 0.99))[variant % 3]:
        p.ring(0, 0, r, 0.009, _paint_on(variant) if variant % 2 == 0 else BLACK)
    return p


@_thing
def three_circles_bull(variant: int) -> Plane:
    """The same with a filled bull in the middle."""
    p = _wood("bull", variant)
    for r in (0.33, 0.66, 0.99):
        p.ring(0, 0, r, 0.008, _paint_on(variant))
    p.disc(0, 0, 0.057, _paint_on(variant) if variant % 2 else RED)
    return p


@_thing
def three_circles_counters(variant: int) -> Plane:
    """The same with a dozen counters on it."""
    p = _wood("counters", variant)
    for r in (0.33, 0.66, 0.99):
        p.ring(0, 0, r, 0.01, _paint_on(variant))
    for k in range(12):
        r, a = math.sqrt(p.random.uniform(0.02, 1.0)), p.random.uniform(0, 6.28)
        x, y = r * math.cos(a), r * math.sin(a)
        p.shadow(x, y, 0.055, 0.5, 0.015)
        p.disc(x, y, 0.055, BLACK if k % 2 else (228, 200, 150))
    return p


@_thing
def bullseye_cross(variant: int) -> Plane:
    """Three circles, and four radial lines all the way to the centre."""
    p = _wood("cross", variant) if variant % 2 == 0 else _wall("cross", variant, WHITE)
    ink = _paint_on(variant) if variant % 2 == 0 else BLACK
    for r in (0.33, 0.66, 0.99):
        p.ring(0, 0, r, 0.009, ink)
    for k in range(4):
        p.spoke(0.0, 0.99 if variant < 2 else 1.12, 90 * k + 20, 0.009, ink)
    if variant % 2:
        p.disc(0, 0, 0.057, ink)
    return p


@_thing
def ring_chart(variant: int) -> Plane:
    """Three circles cut by twelve or eight lines from the innermost to the outermost."""
    p = _wall("chart", variant, WHITE)
    n = 8 if variant % 2 else 12
    for r in (0.33, 0.66, 0.99):
        p.ring(0, 0, r, 0.009, NAVY)
    for k in range(n):
        p.spoke(0.33, 0.99, 360 / n * k, 0.009, NAVY)
        a = math.radians(360 / n * (k + 0.5))
        p.text(f"{3 * k + 7}", 0.5 * math.cos(a), 0.5 * math.sin(a), 0.04, NAVY)
        p.text(f"{5 * k + 2}", 0.83 * math.cos(a), 0.83 * math.sin(a), 0.04, NAVY)
    return p


@_thing
def solar_system(variant: int) -> Plane:
    """Orbits with planets on them, the sun in the middle."""
    p = _wall("solar", variant, (14, 16, 34)) if variant % 2 == 0 else _wall("solar", variant, WHITE)
    line = (150, 160, 190) if variant % 2 == 0 else BLACK
    radii = (0.33, 0.66, 0.99) if variant % 2 else (0.22, 0.33, 0.48, 0.66, 0.99)
    p.disc(0, 0, 0.09, YELLOW)
    for k, r in enumerate(radii):
        p.ring(0, 0, r, 0.007, line)
        a = 2.2 * k + 0.6
        p.disc(r * math.cos(a), r * math.sin(a), 0.035 + 0.01 * (k % 3), (BLUE, RED, (200, 150, 90))[k % 3])
    return p


@_thing
def atom_shells(variant: int) -> Plane:
    """Electron shells 1 : 2 : 3 with small dots spaced evenly on them: eight on the inner one."""
    p = _wall("atom", variant, (245, 244, 240))
    for r, n in ((0.33, 8), (0.66, 8), (0.99, 18)):
        p.ring(0, 0, r, 0.008, BLACK)
        for k in range(n):
            a = 2 * math.pi * k / n + variant
            p.disc(r * math.cos(a), r * math.sin(a), 0.025, BLUE)
    p.disc(0, 0, 0.06, RED)
    p.text("28", 0, 0, 0.05, WHITE)
    return p


@_thing
def ripples(variant: int) -> Plane:
    """Rings on water."""
    p = _wall("ripples", variant, (70, 110, 130))
    r = np.hypot(p.x - 0.05 * variant, p.y)
    wave = np.sin(2 * np.pi * r / (0.165 if variant % 2 else 0.33)) * np.exp(-0.9 * r)
    p.tint(np.asarray(1 + 0.45 * wave + 0.1 * np.sin(9 * p.x + 14 * p.y), np.float32))
    p.mottle(0.06, 0.08)
    return p


@_thing
def tree_rings(variant: int) -> Plane:
    """A tree's cross-section: bark, many uneven rings and cracks."""
    p = _wall("tree", variant, (90, 110, 60))
    p.mottle(0.25, 0.02)
    theta = np.arctan2(p.y, p.x)
    r = np.hypot(p.x, p.y) * (1 + 0.02 * np.sin(3 * theta + variant) + 0.012 * np.sin(7 * theta))
    p.disc(0, 0, 1.0, (84, 60, 42))
    p.disc(0, 0, 0.93, (205, 165, 110))
    years = np.sin(2 * np.pi * (r * 24 + 1.5 * np.sin(5 * r) + 0.5 * np.sin(17 * r)))
    p.tint(np.asarray(1 - 0.22 * (r < 0.93) * np.maximum(0, years) ** 4, np.float32))
    for k in range(5):
        p.spoke(0.1, 0.5 + 0.07 * k, 67 * k + 31 * variant, 0.008, (90, 62, 40))
    p.mottle(0.05, 0.02)
    return p


@_thing
def manhole(variant: int) -> Plane:
    """A cast iron cover with studs and two rims on asphalt."""
    p = _wall("manhole", variant, (92, 92, 94))
    p.mottle(0.2, 0.015)
    p.disc(0, 0, 1.0, (70, 68, 66))
    for k in range(-7, 8):
        for j in range(-7, 8):
            x, y = 0.11 * k, 0.11 * j
            if math.hypot(x, y) < 0.8:
                if variant % 2:
                    p.disc(x, y, 0.032, (118, 114, 110))
                else:
                    p.rectangle(x - 0.035, y - 0.02, x + 0.035, y + 0.02, (118, 114, 110))
    for r in (0.33, 0.66, 0.86, 0.99):
        p.ring(0, 0, r, 0.025, (122, 118, 112))
    p.text("WATER", 0, 0, 0.14, (130, 126, 120))
    p.mottle(0.1, 0.02)
    return p


@_thing
def hob(variant: int) -> Plane:
    """A ceramic hob's printed rings, one, two or three circles a zone."""
    p = Plane((20, 20, 22), _seed("hob", variant))
    p.rectangle(-1.5, -1.1, 1.5, 1.1, (26, 26, 28))
    p.frame(-1.5, -1.1, 1.5, 1.1, 0.03, STEEL)
    zones = (
        [(-0.75, -0.5, 0.42), (0.75, -0.5, 0.32), (-0.75, 0.5, 0.32), (0.75, 0.5, 0.48)]
        if variant % 2 else [(0.0, 0.0, 0.96)]
    )  # fmt: skip
    for x, y, r in zones:
        for factor in (1.0, 0.66, 0.33):
            p.ring(x, y, factor * r, 0.012 if variant % 2 else 0.01, (150, 152, 156))
        p.spoke(0, 0, 0, 0.01, GREY)
        for a in range(4):
            c, s = math.cos(math.pi / 2 * a), math.sin(math.pi / 2 * a)
            p.line((x + 0.9 * r * c, y + 0.9 * r * s), (x + 1.08 * r * c, y + 1.08 * r * s), 0.01, GREY)
    return p


@_thing
def basketball_court(variant: int) -> Plane:
    """The centre circle with its line, or a key with its arcs."""
    p = _wood("basket", variant, (214, 168, 110))
    for k in range(-20, 21):
        p.line((-EXTENT, 0.08 * k), (EXTENT, 0.08 * k), 0.004, (180, 136, 84))
    if variant % 2 == 0:
        p.disc(0, 0, 0.9, RED, 0.8)
        for r in (0.3, 0.6, 0.9):
            p.ring(0, 0, r, 0.03, WHITE)
        p.line((0, -EXTENT), (0, EXTENT), 0.03, WHITE)
        p.text("C", 0, 0, 0.3, NAVY)
    else:
        p.frame(-0.4, -1.3, 0.4, 0.3, 0.03, WHITE)
        p.ring(0, 0.3, 0.4, 0.03, WHITE)
        p.ring(0, -1.1, 0.12, 0.02, RED)
        p.arc(1.3, 0.03, 0, 180, WHITE, 0, -1.1)
    return p


@_thing
def football_pitch(variant: int) -> Plane:
    """A centre circle and spot on mown grass, or an ice rink's circle with its dots."""
    if variant % 2 == 0:
        p = _wall("pitch", variant, (60, 120, 50))
        p.tint(np.asarray(1 + 0.08 * np.sign(np.sin(7 * p.x)), np.float32))
        p.mottle(0.15, 0.012)
        p.ring(0, 0, 0.9, 0.03, WHITE)
        p.line((-EXTENT, 0), (EXTENT, 0), 0.03, WHITE)
        p.disc(0, 0, 0.04, WHITE)
        return p
    p = _wall("rink", variant, (226, 234, 240))
    p.line((0, -EXTENT), (0, EXTENT), 0.05, RED)
    p.ring(0, 0, 0.9, 0.02, BLUE)
    p.disc(0, 0, 0.06, BLUE)
    for x, y in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
        p.disc(1.1 * x, 0.9 * y, 0.09, RED)
    return p


@_thing
def radar(variant: int) -> Plane:
    """A radar screen: range rings, cross-hairs, sweep and echoes."""
    p = Plane((8, 20, 12), _seed("radar", variant))
    p.disc(0, 0, 1.08, (12, 44, 22))
    theta, r = np.arctan2(p.y, p.x), np.hypot(p.x, p.y)
    sweep = ((theta + math.pi) / (2 * math.pi) + 0.2 * variant) % 1
    p.tint(np.asarray(1 + 1.2 * (r < 1.05) * sweep**4, np.float32))
    glow = (80, 230, 120)
    for r_line in (0.33, 0.66, 0.99) if variant % 2 else (0.25, 0.5, 0.75, 1.0):
        p.ring(0, 0, r_line, 0.008, glow)
    for k in range(4 if variant % 2 else 12):
        p.spoke(0.0, 1.0, (90 if variant % 2 else 30) * k, 0.007, glow)
    for k in range(9):
        a, d = p.random.uniform(0, 6.28), p.random.uniform(0.15, 0.95)
        p.disc(d * math.cos(a), d * math.sin(a), 0.02 + 0.003 * k, (170, 255, 190))
    return p


@_thing
def polar_paper(variant: int) -> Plane:
    """Polar graph paper."""
    p = _wall("polar", variant, WHITE)
    ink = (70, 110, 190) if variant % 2 else (60, 60, 60)
    for k in range(1, 16 if variant % 2 else 7):
        p.ring(0, 0, k / (15 if variant % 2 else 6), 0.012 if k % 5 == 0 else 0.006, ink)
    for k in range(36 if variant % 2 else 12):
        p.spoke(0.0, 1.0, (10 if variant % 2 else 30) * k, 0.005, ink)
    return p


@_thing
def logo(variant: int) -> Plane:
    """A round badge with a star and a word, or a shop's concentric rings."""
    p = _wall("logo", variant, (220, 216, 210))
    if variant % 2:
        for r, colour in ((1.0, RED), (0.66, WHITE), (0.33, RED)):
            p.disc(0, 0, r, colour)
        return p
    p.disc(0, 0, 1.0, NAVY)
    p.ring(0, 0, 0.93, 0.015, WHITE)
    p.ring(0, 0, 0.62, 0.015, WHITE)
    star = [(0.5 if k % 2 == 0 else 0.2) * np.array([math.sin(math.pi * k / 5), -math.cos(math.pi * k / 5)])
            for k in range(10)]  # fmt: skip
    p.polygon(np.array(star), WHITE)
    p.text("HARBOUR CLUB", 0, -0.76, 0.09, WHITE)
    p.text("EST 1921", 0, 0.78, 0.09, WHITE)
    return p


@_thing
def five_linked_rings(variant: int) -> Plane:
    """Five interlaced rings in five colours."""
    p = _wall("five rings", variant, WHITE if variant % 2 == 0 else (40, 44, 60))
    places = ((-0.8, -0.18, BLUE), (0, -0.18, BLACK if variant % 2 == 0 else WHITE), (0.8, -0.18, RED),
              (-0.4, 0.2, YELLOW), (0.4, 0.2, GREEN))  # fmt: skip
    for x, y, colour in places:
        p.ring(x, y, 0.36, 0.055, colour)
    return p


@_thing
def checkers(variant: int) -> Plane:
    """A chequered board with discs on it and no rings."""
    p = _wood("checkers", variant, WALNUT)
    light, dark = (222, 190, 140), (110, 68, 40)
    for k in range(8):
        for j in range(8):
            x, y = 0.25 * k - 1, 0.25 * j - 1
            p.rectangle(x, y, x + 0.25, y + 0.25, (light, dark)[(k + j) % 2])
            if (k + j) % 2 and (j < 3 or j > 4) and p.random.uniform() < 0.85:
                team = (BLACK if variant % 2 else RED) if j < 3 else WHITE
                p.shadow(x + 0.125, y + 0.125, 0.095, 0.5, 0.02)
                p.disc(x + 0.125, y + 0.125, 0.095, team)
                p.ring(x + 0.125, y + 0.125, 0.06, 0.008, GREY)
    p.grain(0.03)
    return p


@_thing
def carrom(variant: int) -> Plane:
    """A carrom board: square, corner pockets, central circles, base lines, pieces."""
    p = _wall("carrom", variant, (80, 70, 66))
    p.rectangle(-1.12, -1.12, 1.12, 1.12, WALNUT)
    p.rectangle(-1, -1, 1, 1, (226, 190, 136))
    p.grain(0.03, 90.0 * variant)
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        p.disc(0.94 * x, 0.94 * y, 0.06, BLACK)
        p.line((0.28 * x, 0.28 * y), (0.82 * x, 0.82 * y), 0.006, BLACK)
    for a in range(4):
        c, s = (1, 0, -1, 0)[a], (0, 1, 0, -1)[a]
        for d, width in ((0.72, 0.012), (0.64, 0.006)):
            p.line((d * c - 0.6 * s, d * s + 0.6 * c), (d * c + 0.6 * s, d * s - 0.6 * c), width, BLACK)
        for end in (0.6, -0.6):
            p.disc(0.68 * c - end * s, 0.68 * s + end * c, 0.04, RED)
    p.ring(0, 0, 0.23, 0.012, BLACK)
    p.ring(0, 0, 0.21, 0.005, BLACK)
    p.disc(0, 0, 0.043, RED)
    for k in range(19 if variant % 2 else 8):
        r = (0.0, 0.09, 0.175)[0 if k == 0 else 1 if k < 7 else 2]
        at = 2 * math.pi * k / (6 if k < 7 else 12)
        if variant % 2 == 0:
            r, at = p.random.uniform(0.2, 0.9), p.random.uniform(0, 6.28)
        p.disc(r * math.cos(at), r * math.sin(at), 0.042, (RED if k == 0 else BLACK, WHITE)[k % 2])
    return p


@_thing
def curling_house(variant: int) -> Plane:
    """Rings of 12, 8 and 4 feet and a button of 1 foot, filled or as lines, with stones."""
    p = _wall("curling", variant, (228, 236, 242))
    for r, colour in ((1.0, BLUE), (8 / 12, WHITE), (4 / 12, RED), (1 / 12, WHITE)):
        if variant % 2 == 0:
            p.disc(0, 0, r, colour)
        else:
            p.ring(0, 0, r, 0.014, BLUE if r > 0.5 else RED)
    p.line((-EXTENT, 0), (EXTENT, 0), 0.012, BLACK)
    p.line((0, -EXTENT), (0, EXTENT), 0.012, BLACK)
    for k in range(7):
        r, a = p.random.uniform(0.15, 1.15), p.random.uniform(0, 6.28)
        x, y = r * math.cos(a), r * math.sin(a)
        p.shadow(x, y, 0.08)
        p.disc(x, y, 0.08, (120, 120, 124))
        p.disc(x, y, 0.05, RED if k % 2 else YELLOW)
        p.line((x - 0.03, y), (x + 0.05, y + 0.01), 0.018, BLACK)
    return p


@_thing
def shuffleboard(variant: int) -> Plane:
    """The scoring triangle with discs, or a table's end with its lines."""
    p = _wood("shuffle", variant, (120, 160, 130) if variant % 2 else MAPLE)
    if variant % 2:
        p.line((0, -1.2), (-0.8, 0.8), 0.02, WHITE)
        p.line((0, -1.2), (0.8, 0.8), 0.02, WHITE)
        for y, half in ((-0.6, 0.24), (-0.1, 0.44), (0.4, 0.64), (0.8, 0.8)):
            p.line((-half, y), (half, y), 0.02, WHITE)
        p.line((0, -0.6), (0, 0.4), 0.02, WHITE)
        for words, x, y in (
            ("10", 0, -0.8),
            ("8", -0.17, -0.3),
            ("8", 0.17, -0.3),
            ("7", -0.25, 0.15),
            ("7", 0.25, 0.15),
        ):
            p.text(words, x, y, 0.12, WHITE)
    else:
        for y in (-0.9, -0.5, -0.1):
            p.line((-0.9, y), (0.9, y), 0.02, BLACK)
        for k, words in enumerate("321"):
            p.text(words, 0, -1.1 + 0.4 * k, 0.16, BLACK)
    for k in range(8):
        x, y = p.random.uniform(-0.7, 0.7), p.random.uniform(-0.9, 0.9)
        p.shadow(x, y, 0.1)
        p.disc(x, y, 0.1, BLACK if k % 2 else YELLOW)
        p.ring(x, y, 0.06, 0.012, STEEL)
    return p


@_thing
def speaker(variant: int) -> Plane:
    """A loudspeaker: frame with eight screws, surround, cone and dust cap."""
    p = _wood("speaker", variant, WALNUT)
    p.disc(0, 0, 1.0, (40, 40, 42))
    p.bowl(0, 0, 0.75, 0.88, 0.5)
    p.ring(0, 0, 0.75, 0.012, (80, 80, 84))
    p.disc(0, 0, 0.74, (56, 54, 52) if variant % 2 else (190, 180, 60))
    p.bowl(0, 0, 0.3, 0.74, 0.25)
    p.disc(0, 0, 0.28, (34, 34, 36))
    p.bowl(0, 0, 0.0, 0.28, -0.3)
    for k in range(8):
        a = math.radians(45 * k + 10)
        p.disc(0.94 * math.cos(a), 0.94 * math.sin(a), 0.03, STEEL)
    return p


@_thing
def helipad(variant: int) -> Plane:
    """An H in a circle or two, on concrete."""
    p = _wall("helipad", variant, (120, 124, 122))
    p.mottle(0.08, 0.03)
    p.ring(0, 0, 0.95, 0.06, YELLOW if variant % 2 else WHITE)
    p.ring(0, 0, 0.66, 0.02, WHITE)
    for x in (-0.22, 0.22):
        p.rectangle(x - 0.05, -0.4, x + 0.05, 0.4, WHITE)
    p.rectangle(-0.22, -0.05, 0.22, 0.05, WHITE)
    return p


@_thing
def pressure_gauge(variant: int) -> Plane:
    """A gauge's dial with scale, pointer and screws."""
    p = _wall("gauge", variant, (90, 110, 120))
    p.shadow(0, 0, 1.0)
    p.disc(0, 0, 1.0, (60, 62, 66))
    p.bowl(0, 0, 0.86, 1.0, 0.4)
    p.disc(0, 0, 0.86, WHITE)
    p.arc(0.74, 0.01, 135, 405, BLACK)
    p.arc(0.5, 0.01, 135, 405, RED)
    for k in range(41):
        p.spoke(0.66 if k % 4 == 0 else 0.7, 0.74, 135 + 6.75 * k, 0.012 if k % 4 == 0 else 0.006, BLACK)
    for k in range(11):
        a = math.radians(135 + 27 * k)
        p.text(str(k), 0.58 * math.cos(a), 0.58 * math.sin(a), 0.07, BLACK)
    p.spoke(-0.15, 0.64, 200 + 70 * variant, 0.025, BLACK)
    p.disc(0, 0, 0.07, BLACK)
    return p


@_thing
def camera_lens(variant: int) -> Plane:
    """A lens from the front: barrel rings, engraving, glass with reflections."""
    p = _wall("lens", variant, (160, 150, 140))
    p.shadow(0, 0, 1.0)
    for r, colour in ((1.0, (30, 30, 32)), (0.86, (44, 44, 46)), (0.7, (26, 26, 28)), (0.56, (18, 22, 40))):
        p.disc(0, 0, r, colour)
        p.ring(0, 0, r, 0.01, (92, 92, 96))
    p.text("1:1.8 50mm", 0, -0.78, 0.07, WHITE)
    p.bowl(0, 0, 0.1, 0.56, 0.5)
    for r in (0.42, 0.3, 0.18):
        p.ring(0, 0, r, 0.008, (80, 70, 130))
    p.disc(-0.15, -0.18, 0.09, (200, 210, 240), 0.6)
    p.disc(0.14, 0.2, 0.05, (150, 220, 180), 0.4)
    return p


@_thing
def rose_window(variant: int) -> Plane:
    """A rose window or mandala: petals in rings."""
    p = _wall("rose", variant, (150, 144, 134))
    p.disc(0, 0, 1.0, (60, 56, 54))
    colours = (BLUE, RED, (120, 60, 140), GREEN, YELLOW)
    for ring, (r, n, size) in enumerate(((0.28, 8, 0.1), (0.55, 12, 0.13), (0.82, 16, 0.14))):
        for k in range(n):
            a = 2 * math.pi * (k + 0.5 * (ring % 2)) / n
            p.disc(r * math.cos(a), r * math.sin(a), size, colours[(k + ring + variant) % 5])
            p.ring(r * math.cos(a), r * math.sin(a), size, 0.014, STEEL)
    for r in (0.15, 0.4, 0.67, 0.98):
        p.ring(0, 0, r, 0.022, STEEL)
    p.disc(0, 0, 0.12, YELLOW)
    return p


@_thing
def rotary_dial(variant: int) -> Plane:
    """An old telephone's dial: ten finger holes round a middle."""
    p = _wall("phone", variant, (140, 40, 36) if variant % 2 else BLACK)
    p.disc(0, 0, 0.98, WHITE)
    p.ring(0, 0, 0.98, 0.02, STEEL)
    p.disc(0, 0, 0.92, STEEL)
    for k in range(10):
        a = math.radians(30 * k - 60)
        x, y = 0.7 * math.cos(a), 0.7 * math.sin(a)
        p.disc(x, y, 0.15, WHITE)
        p.ring(x, y, 0.15, 0.012, (110, 112, 116))
        p.text(str((k + 1) % 10), x, y, 0.09, BLACK)
    p.disc(0, 0, 0.42, (210, 206, 190))
    p.ring(0, 0, 0.42, 0.016, (110, 112, 116))
    return p


@_thing
def peg_solitaire(variant: int) -> Plane:
    """A round board with marbles in the shape of a cross, and a groove round it."""
    p = _wall("solitaire", variant, (96, 110, 100))
    p.shadow(0, 0, 1.0)
    p.disc(0, 0, 1.0, OAK if variant % 2 else MAPLE)
    p.grain(0.06, 40.0)
    p.ring(0, 0, 0.87, 0.1, (110, 76, 46))
    p.bowl(0, 0, 0.82, 0.92, 0.3)
    for k in range(-3, 4):
        for j in range(-3, 4):
            if min(abs(k), abs(j)) < 2 and (k, j) != (0, 0):
                x, y = 0.2 * k, 0.2 * j
                p.shadow(x, y, 0.07)
                p.disc(x, y, 0.07, ((60, 110, 150), (150, 60, 60), (220, 220, 210))[(k * 3 + j) % 3])
                p.disc(x - 0.02, y - 0.02, 0.018, WHITE, 0.8)
    p.disc(0, 0, 0.05, (70, 46, 28))
    return p


@_thing
def pizza(variant: int) -> Plane:
    """A pizza on a wooden board, cut in eight, with round toppings."""
    p = _wood("pizza", variant, WALNUT)
    p.disc(0, 0, 1.0, (206, 160, 96))
    p.disc(0, 0, 0.9, (196, 70, 40))
    p.disc(0, 0, 0.86, (236, 206, 130), 0.7)
    p.mottle(0.08, 0.08)
    for _ in range(22):
        r, a = 0.78 * math.sqrt(p.random.uniform()), p.random.uniform(0, 6.28)
        p.disc(r * math.cos(a), r * math.sin(a), 0.085, (160, 40, 34))
        p.ring(r * math.cos(a), r * math.sin(a), 0.085, 0.008, (110, 26, 24))
    for k in range(4):
        p.spoke(-0.99, 0.99, 45 * k + 8, 0.012, (120, 76, 40))
    return p


@_thing
def sundial(variant: int) -> Plane:
    """A stone dial: three engraved circles, hour lines on one side, a shadow."""
    p = _wall("sundial", variant, (178, 168, 148))
    p.mottle(0.06, 0.03)
    p.disc(0, 0, 1.1, (196, 188, 168))
    p.mottle(0.05, 0.02)
    for r in (0.33, 0.66, 0.99):
        p.ring(0, 0, r, 0.012, (104, 96, 82))
    for k in range(13):
        p.spoke(0.33, 0.99, 15 * k + 90 * variant, 0.008, (104, 96, 82))
    p.spoke(0, 0.8, 65 + 90 * variant, 0.04, (120, 112, 98))
    p.disc(0, 0, 0.05, (90, 80, 66))
    return p


@_thing
def compass_rose(variant: int) -> Plane:
    """A compass card: circles, degrees and a star of eight points."""
    p = _wall("compass", variant, (226, 214, 180))
    for r in (0.33, 0.66, 0.9, 0.99):
        p.ring(0, 0, r, 0.009, (70, 50, 30))
    for k in range(72):
        p.spoke(0.9, 0.99, 5 * k, 0.006, (70, 50, 30))
    for k in range(8):
        a, length = math.radians(45 * k), 0.86 if k % 2 == 0 else 0.6
        tip = length * np.array([math.cos(a), math.sin(a)])
        for side, colour in ((0.39, (70, 50, 30)), (-0.39, (200, 180, 140))):
            wing = 0.18 * np.array([math.cos(a + side), math.sin(a + side)])
            p.polygon(np.array([tip, wing, (0.0, 0.0)]), colour)
    p.disc(0, 0, 0.05, RED)
    return p


@_thing
def scope_reticle(variant: int) -> Plane:
    """Cross-hairs with rings and marks over a dim scene."""
    p = _wall("scope", variant, (120, 136, 110))
    p.mottle(0.35, 0.3)
    for r in (0.33, 0.66) if variant % 2 == 0 else (0.33, 0.66, 0.99):
        p.ring(0, 0, r, 0.008, BLACK)
    for k in range(4):
        p.spoke(0.04, 1.15, 90 * k, 0.008, BLACK)
        p.spoke(0.66, 1.15, 90 * k, 0.03, BLACK)
    p.ring(0, 0, 1.9, 1.5, BLACK)
    return p


@_thing
def turntable_strobe(variant: int) -> Plane:
    """Rings of bars, as on a turntable's rim."""
    p = _wood("strobe", variant, WALNUT)
    p.disc(0, 0, 1.0, (30, 30, 32))
    for r, n in ((0.95, 90), (0.87, 77), (0.6, 48)):
        for k in range(n):
            p.spoke(r - 0.03, r + 0.03, 360 / n * k, 0.02, STEEL)
    for r in (0.33, 0.66, 0.8):
        p.ring(0, 0, r, 0.012, GREY)
    p.disc(0, 0, 0.03, STEEL)
    return p


@_thing
def roundabout(variant: int) -> Plane:
    """A roundabout from the air: four roads, lanes and a green middle."""
    p = _wall("roundabout", variant, (96, 124, 70))
    p.mottle(0.2, 0.05)
    for k in range(4):
        p.spoke(0, 1.6, 90 * k + 12, 0.34, (92, 92, 94))
        for j in range(9):
            p.spoke(1.0 + 0.1 * j, 1.05 + 0.1 * j, 90 * k + 12, 0.014, WHITE)
    p.disc(0, 0, 0.95, (92, 92, 94))
    p.ring(0, 0, 0.93, 0.014, WHITE)
    for k in range(36):
        p.arc(0.7, 0.014, 10 * k, 10 * k + 5, WHITE)
    p.ring(0, 0, 0.48, 0.05, (170, 168, 160))
    p.disc(0, 0, 0.45, (70, 120, 60))
    p.disc(0, 0, 0.12, (170, 168, 160))
    return p


@_thing
def coins(variant: int) -> Plane:
    """A heap of coins of several sizes on wood."""
    p = _wood("coins", variant)
    for k in range(34):
        x, y = p.random.uniform(-1.2, 1.2, 2)
        r = (0.14, 0.18, 0.22)[k % 3]
        metal = ((190, 140, 70), (184, 186, 188), (172, 106, 66))[(k + variant) % 3]
        p.shadow(x, y, r)
        p.disc(x, y, r, metal)
        p.ring(x, y, 0.92 * r, 0.01, tuple(0.7 * v for v in metal))  # type: ignore[arg-type]
        p.text(str((1, 2, 5, 10, 20, 50)[k % 6]), x, y, 0.5 * r, tuple(0.6 * v for v in metal))  # type: ignore[arg-type]
    return p


@_thing
def even_circles(variant: int) -> Plane:
    """Four or five thin evenly spaced circles on wood with a hole in the middle."""
    p = _wood("even", variant)
    n = 4 + variant % 2
    for k in range(1, n + 1):
        p.ring(0, 0, k / n, 0.009, _paint_on(variant))
    p.disc(0, 0, 0.057, (40, 28, 20))
    return p


@_thing
def go_board(variant: int) -> Plane:
    """Nineteen lines each way with nine star points and stones, round ones in rings about the middle too."""
    p = _wood("go", variant, (MAPLE, OAK)[variant % 2])
    for k in range(19):
        at = -0.9 + 0.1 * k
        p.line((at, -0.9), (at, 0.9), 0.006, BLACK)
        p.line((-0.9, at), (0.9, at), 0.006, BLACK)
    for x in (-0.6, 0.0, 0.6):
        for y in (-0.6, 0.0, 0.6):
            p.disc(x, y, 0.014, BLACK)
    for k in range(60 + 40 * variant):
        x, y = (round(float(v)) / 10 for v in p.random.uniform(-9.4, 9.4, 2))
        p.shadow(x, y, 0.046, 0.3, 0.01)
        p.disc(x, y, 0.046, (BLACK, WHITE)[k % 2])
    return p


@_thing
def carrom_rings(variant: int) -> Plane:
    """A round carrom board: rings about the middle, a double base ring, four arrows to four pockets."""
    p = _wood("carrom rings", variant)
    paint = _paint_on(variant)
    p.disc(0, 0, 1.02, (WALNUT, MAPLE)[variant % 2])
    p.disc(0, 0, 0.98, (MAPLE, WALNUT, OAK)[variant % 3])
    p.grain(0.05, 70.0)
    for r in (0.21, 0.23, 0.64, 0.72):
        p.ring(0, 0, r, 0.008, paint)
    for k in range(4):
        p.spoke(0.28, 0.82, 45 + 90 * k, 0.007, paint)
        c, s = math.cos(math.radians(45 + 90 * k)), math.sin(math.radians(45 + 90 * k))
        p.disc(0.9 * c, 0.9 * s, 0.07, BLACK)
        p.ring(0.36 * c, 0.36 * s, 0.05, 0.007, paint)
    p.disc(0, 0, 0.03, RED)
    for k in range(9):
        x, y = p.random.uniform(-0.5, 0.5, 2)
        p.disc(float(x), float(y), 0.045, (BLACK, WHITE)[k % 2])
    return p

"""Where discs lie: at random without overlap, on the surface, in the hole, in the ditch and off the board."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.scenes.describe import Disc, Equipment
from benchmarks.scenes.truth import inner_edges_mm

Rng = np.random.Generator


class Layout:
    """Discs laid so far; each new one must fit between them and the pegs."""

    def __init__(self, equipment: Equipment, rng: Rng) -> None:
        """An empty board."""
        self.equipment = equipment
        self.rng = rng
        self.discs: list[Disc] = []
        r = equipment.ring_radii_mm[0]
        turns = [
            math.radians(equipment.peg_phase_deg + 360 * k / max(equipment.peg_count, 1))
            for k in range(equipment.peg_count)
        ]
        self.pegs = [(r * math.cos(a), r * math.sin(a)) for a in turns]

    def fits(self, x: float, y: float, low: bool = False) -> bool:
        """Whether a disc's middle may be at (x, y); ``low`` means in the ditch or on the table."""
        e = self.equipment
        for other in self.discs:
            if math.hypot(other.x_mm - x, other.y_mm - y) < e.disc_diameter_mm + 0.02:
                return False
        if low:
            return True
        reach = (e.disc_diameter_mm + e.peg_diameter_mm) / 2
        if any(math.hypot(px - x, py - y) < reach for px, py in self.pegs):
            return False
        radius = math.hypot(x, y)
        return e.hole_diameter_mm / 2 + 0.2 < radius < e.surface_radius_mm - 2.0

    def put(self, team: int, x: float, y: float) -> bool:
        """On the surface at a chosen place, which the caller has found free."""
        return self._add(Disc(team, x, y))

    def _add(self, disc: Disc) -> bool:
        self.discs.append(disc)
        return True

    def on_surface(self, team: int) -> bool:
        """Anywhere inside the 5 line; now and then against another disc or a peg."""
        e, rng = self.equipment, self.rng
        for _ in range(60):
            limit = e.ring_radii_mm[2] - e.disc_bottom_diameter_mm / 2
            radius, turn = limit * math.sqrt(rng.uniform(0.01, 1)), rng.uniform(0, 2 * math.pi)
            x, y = radius * math.cos(turn), radius * math.sin(turn)
            near = [d for d in self.discs if d.place == "board"]
            kind = rng.uniform()
            if near and kind < 0.18:
                to = near[int(rng.integers(len(near)))]
                step = e.disc_diameter_mm + 0.03
                x, y = to.x_mm + step * math.cos(turn), to.y_mm + step * math.sin(turn)
            elif self.pegs and kind < 0.26:
                px, py = self.pegs[int(rng.integers(len(self.pegs)))]
                step = (e.disc_diameter_mm + e.peg_diameter_mm) / 2 + 0.03
                x, y = px + step * math.cos(turn), py + step * math.sin(turn)
            if math.hypot(x, y) + e.disc_bottom_diameter_mm / 2 < inner_edges_mm(e)[2] and self.fits(x, y):
                return self._add(Disc(team, x, y))
        return False

    def near_line(self, team: int, line: int, clearance_mm: float) -> bool:
        """With a given clearance to the inner edge of a line (0, 1, 2 for the 15, 10 and 5 lines)."""
        e = self.equipment
        radius = inner_edges_mm(e)[line] - e.disc_bottom_diameter_mm / 2 - clearance_mm
        for _ in range(80):
            turn = self.rng.uniform(0, 2 * math.pi)
            x, y = radius * math.cos(turn), radius * math.sin(turn)
            if self.fits(x, y):
                return self._add(Disc(team, x, y))
        return False

    def in_hole(self, team: int) -> bool:
        """Flat in the hole, a little off its middle."""
        e = self.equipment
        slack = max(0.0, (e.hole_diameter_mm - e.disc_diameter_mm) / 2 - 0.1)
        radius, turn = slack * self.rng.uniform(0, 1), self.rng.uniform(0, 2 * math.pi)
        return self._add(
            Disc(team, radius * math.cos(turn), radius * math.sin(turn), -e.hole_depth_mm, "hole")
        )

    def leaning(self, team: int) -> bool:
        """One edge on the hole's floor, the bottom resting on two points of the hole's rim."""
        e = self.equipment
        r, hole = e.disc_bottom_diameter_mm / 2, e.hole_diameter_mm / 2
        for _ in range(40):
            lean = math.radians(self.rng.uniform(12, 21))
            long = e.hole_depth_mm / math.sin(lean)
            past = long - r
            half = math.sqrt(max(r**2 - past**2, 0.0))
            if not 0 < half < hole:
                continue
            rim = math.sqrt(hole**2 - half**2)
            middle = rim - past * math.cos(lean)
            if middle < 1.0 or middle - r * math.cos(lean) - 1.6 < -hole:
                continue
            height = -past * math.sin(lean)
            turn = self.rng.uniform(0, 360)
            x, y = middle * math.cos(math.radians(turn)), middle * math.sin(math.radians(turn))
            if any(math.hypot(d.x_mm - x, d.y_mm - y) < e.disc_diameter_mm + 1 for d in self.discs):
                continue
            return self._add(Disc(team, x, y, height, "hole", math.degrees(lean), turn))
        return False

    def in_ditch(self, team: int) -> bool:
        """Somewhere in the ditch, often against its wall."""
        e = self.equipment
        half = e.disc_diameter_mm / 2
        if e.ditch_width_mm < e.disc_diameter_mm + 2:
            return False
        for _ in range(60):
            turn = self.rng.uniform(0, 2 * math.pi)
            grow = 1.0
            if e.frame_sides == 8:
                off = (turn + math.pi / 8) % (math.pi / 4) - math.pi / 8
                grow = 1 / math.cos(off)
            low, high = e.surface_radius_mm + half + 0.3, (e.frame_inner_mm - half - 0.3) * grow
            if e.frame_sides == 8:
                high -= half * (grow - 1)
            radius = high if self.rng.uniform() < 0.4 else self.rng.uniform(low, high)
            x, y = radius * math.cos(turn), radius * math.sin(turn)
            if self.fits(x, y, low=True):
                return self._add(Disc(team, x, y, -e.ditch_depth_mm, "ditch"))
        return False

    def on_table(self, team: int) -> bool:
        """On the table beside the board."""
        e = self.equipment
        for _ in range(40):
            turn = self.rng.uniform(0, 2 * math.pi)
            radius = self.rng.uniform(1.09, 1.25) * (e.frame_outer_mm + e.disc_diameter_mm)
            x, y = radius * math.cos(turn), radius * math.sin(turn)
            if self.fits(x, y, low=True):
                return self._add(Disc(team, x, y, e.table_z_mm, "off"))
        return False

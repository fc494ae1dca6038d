"""Line calls of rendered near-line scenes against their exact truth: one record a disc."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.matching import ReadDisc, match
from benchmarks.scene_truth import is_seen, scale_of, true_discs
from calibration.equipment import Board, Disc, Equipment
from calibration.measured import Measured
from vision.clearance import GapBudget, Placed, gap_budgets, inner_edge
from vision.linecall import ReadPhoto, rule
from vision.picture import load_picture
from vision.read import PhotoRead, read_in_detail
from vision.reading import LineGap, Place, SeenDisc, Verdict

CALLIPER_MM = 0.05
"""One sigma of what a person reads off a calliper: discs' diameters and thickness, a line's width."""
_LINES = (15, 10, 5)


@dataclass(frozen=True, slots=True)
class Ruled:
    """One disc's call and the truth of it, in true millimetres.

    ``outline_mm`` is the gap that the visible outline shows to the same line: the baseline.
    """

    scene: str
    kind: str
    true_mm: float
    gap_mm: Measured
    touch_probability: float
    verdict: Verdict
    budget: GapBudget
    outline_mm: float

    @property
    def error_mm(self) -> float:
        """Ours less the truth."""
        return self.gap_mm.mean - self.true_mm

    @property
    def in_sigmas(self) -> float:
        """The error over its sigma."""
        return self.error_mm / self.gap_mm.sigma

    @property
    def touches(self) -> bool:
        """Whether the disc truly touches the line."""
        return self.true_mm <= 0.0

    @property
    def called(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict is not Verdict.TOO_CLOSE

    @property
    def wrong(self) -> bool:
        """Whether there is one, and the wrong one."""
        return self.called and (self.verdict is Verdict.TOUCHING) != self.touches


@dataclass(frozen=True)
class ReadScene:
    """A scene's truth, its photo as read, and which of its discs is which of ours."""

    truth: Mapping[str, Any]
    photo: ReadPhoto
    pairs: Mapping[int, int]


def callipered(truth: Mapping[str, Any], name: str) -> Equipment:
    """The scene's equipment as someone measures it with a calliper; the same for all views of a position."""
    rng = np.random.default_rng([int(truth["seed"]), 77])
    e = truth["equipment"]

    def read(key: str) -> float:
        return round(float(e[key]) + float(rng.normal(0.0, CALLIPER_MM)), 2)

    board = Board(
        ring_diameters_mm=tuple(2 * float(radius) for radius in e["ring_radii_mm"]),  # type: ignore[arg-type]
        line_width_mm=read("line_width_mm"),
        hole_diameter_mm=float(e["hole_diameter_mm"]),
        surface_diameter_mm=float(e["surface_diameter_mm"]),
        peg_diameter_mm=float(e["peg_diameter_mm"]),
        peg_height_mm=float(e["peg_height_mm"]),
        peg_count=int(e["peg_count"]),
    )
    disc = Disc(read("disc_diameter_mm"), read("disc_bottom_diameter_mm"), read("disc_thickness_mm"))
    return Equipment(name, board, disc)


def read_truth(path: Path) -> dict[str, Any]:
    """A scene's truth from its JSON file."""
    truth: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return truth


def read_scene(path: Path, *, known: bool) -> ReadScene:
    """A scene's photo read, with its equipment known or not. Raises what the reader raises."""
    truth = read_truth(path)
    picture = load_picture(path.parent / truth["picture"])
    read = read_in_detail(picture, callipered(truth, path.stem) if known else None)
    ours = [ReadDisc(*disc.pixel, disc.team, True, 0) for disc in read.reading.discs]
    return ReadScene(truth, ReadPhoto(picture, read), match(true_discs(truth), ours))


def near_a_line(truth: Mapping[str, Any], span_mm: float) -> list[int]:
    """The scene's visible discs truly within ``span_mm`` of a line: all that a call may be asked on."""
    return [
        k
        for k, disc in enumerate(truth["discs"])
        if disc["place"] == Place.BOARD and is_seen(disc) and abs(disc["clearance_mm"]) <= span_mm
    ]


def ruled(scene: ReadScene) -> dict[int, Ruled]:
    """Each found disc's call from its one photo, by the disc's number in the truth."""
    read = scene.photo.read
    on_board = scene.photo.on_board
    placed = [Placed(read.standing[k], read.size.bevel_sigma_mm) for k in on_board]
    budgets = dict(zip(on_board, gap_budgets(read.board, placed), strict=True))
    records = {}
    for i, j in scene.pairs.items():
        gap = read.gaps[j]
        if gap is not None and scene.truth["discs"][i]["place"] == Place.BOARD:
            records[i] = _record(scene, i, read.reading.discs[j], gap, budgets[j])
    return records


def ruled_together(scenes: Sequence[ReadScene]) -> dict[int, Ruled]:
    """Each close disc's call from several photos of the position, by its number in the first one's truth.

    Raises :class:`vision.linecall_errors.LineCallError`.
    """
    first = scenes[0]
    number = {first.photo.discs[j].id: i for i, j in first.pairs.items()}
    return {
        number[call.disc.id]: _record(first, number[call.disc.id], call.disc, call.gap, call.budget)
        for call in rule([scene.photo for scene in scenes])
        if call.disc.id in number
    }


def _record(scene: ReadScene, i: int, ours: SeenDisc, gap: LineGap, budget: GapBudget) -> Ruled:
    truth, read = scene.truth, scene.photo.read
    scale = scale_of(truth, read.reading.geometry)
    e, disc = truth["equipment"], truth["discs"][i]
    edge_mm = float(e["ring_radii_mm"][_LINES.index(gap.line)]) - float(e["line_width_mm"]) / 2
    reach_mm = math.hypot(disc["x_mm"], disc["y_mm"]) + float(e["disc_bottom_diameter_mm"]) / 2
    return Ruled(
        scene=str(truth["name"]),
        kind=str(truth["tags"][2]),
        true_mm=edge_mm - reach_mm,
        gap_mm=Measured(gap.clearance_mm.mean / scale, gap.clearance_mm.sigma / scale),
        touch_probability=gap.touch_probability,
        verdict=gap.verdict,
        budget=budget,
        outline_mm=_outline_gap_mm(read, ours, gap.line) / scale,
    )


def _outline_gap_mm(read: PhotoRead, disc: SeenDisc, line: int) -> float:
    """The gap between the disc's visible outline, as if it lay on the board, and the line's inner edge."""
    ring = read.board.lines[_LINES.index(line)]
    from_centre = read.board.view.mm_from_px(np.array(disc.outline_px)) - ring.centre_mm
    distance = np.linalg.norm(from_centre, axis=1)
    outermost = from_centre[int(distance.argmax())]
    edge = inner_edge(ring, float(np.arctan2(outermost[1], outermost[0])))
    return edge.mean - float(distance.max())

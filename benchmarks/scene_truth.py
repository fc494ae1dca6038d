"""Readings against a rendered scene's exact truth, in true millimetres.

Where the rings were measured, our millimetres take the 5 line for the standard's; they are brought to the
scene's scale before anything is compared. A board is its own image every quarter turn, so the frame's
rotation is aligned first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.matching import ReadDisc, Tally, TrueDisc, match, tally, team_names, totals_exact
from calibration.camera import Array, Camera, View
from service.compose import ScoredPhoto
from vision.reading import Place, Verdict

LEAST_VISIBLE_SHARE = 0.35
"""A disc of which less is seen need not be found."""
HEIGHT_MM = 10.0
"""About a disc's top: where an error of the camera model shows that the surface does not."""
SEEN_5_LINE_MM = 304.8
_POINTS_A_RING = 72
_LINES = (15, 10, 5)


@dataclass(frozen=True, slots=True)
class BoardError:
    """How far the fitted board is from the true one at points of the ring lines, in true millimetres.

    ``turn_deg`` is the frame's rotation left after alignment to the nearest quarter turn.
    """

    surface_mm: tuple[float, ...]
    above_mm: tuple[float, ...]
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Call:
    """One ruling on a line: our clearance and the true one, and whether the truth touches."""

    ours_mm: float
    sigma_mm: float
    true_mm: float
    verdict: str

    @property
    def error_mm(self) -> float:
        return self.ours_mm - self.true_mm

    @property
    def wrong(self) -> bool:
        """Called clear or touching, and it is the other."""
        truth = Verdict.CLEAR if self.true_mm > 0 else Verdict.TOUCHING
        return self.verdict != Verdict.TOO_CLOSE and self.verdict != truth


@dataclass(frozen=True, slots=True)
class SceneResult:
    """One scene compared. ``totals_counted`` is False where a scoring disc cannot be seen."""

    scene: str
    tilt_deg: float
    counts: Tally
    totals_counted: bool
    exact: bool
    board: BoardError | None = None
    geometry: str | None = None
    position_mm: tuple[float, ...] = ()
    calls: tuple[Call, ...] = ()
    regions_right: int = 0
    regions: int = 0
    seconds: float = 0.0
    refused: str | None = None


def true_view(truth: Mapping[str, Any]) -> View:
    """The camera that rendered the scene."""
    camera = truth["camera"]
    k = camera["K"]
    pinhole = Camera(float(k[0][0]), float(k[0][2]), float(k[1][2]), float(camera["dist_k1"]))
    return View(
        pinhole, np.asarray(camera["R"], dtype=np.float64), np.asarray(camera["t_mm"], dtype=np.float64)
    )


def scale_of(truth: Mapping[str, Any], geometry: str) -> float:
    """Our millimetres for one true millimetre."""
    true_mm = float(truth["equipment"]["ring_radii_mm"][2])
    return SEEN_5_LINE_MM / true_mm if geometry == "measured" else 1.0


def frame_turn_rad(truth: Mapping[str, Any], view: View) -> float:
    """Angle by which our frame is turned against the truth's."""
    xy = _ring_points(truth)
    ours = view.mm_from_px(true_view(truth).px_from_mm(xy))
    turn = (ours[:, 0] + 1j * ours[:, 1]) / (xy[:, 0] + 1j * xy[:, 1])
    return float(np.angle(np.nanmean(turn / np.abs(turn))))


def in_true_frame(xy_mm: Array, turn_rad: float, scale: float) -> Array:
    """Points of ours in the truth's frame and millimetres."""
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return np.asarray(xy_mm @ np.array([[c, -s], [s, c]]) / scale)


def board_error(truth: Mapping[str, Any], view: View, geometry: str) -> BoardError:
    """The fit's error at the ring lines, on the surface and at disc height."""
    xy, scale, turn = _ring_points(truth), scale_of(truth, geometry), frame_turn_rad(truth, view)
    exact = true_view(truth)
    raised = np.column_stack([xy, np.full(len(xy), HEIGHT_MM)])
    surface = in_true_frame(view.mm_from_px(exact.px_from_mm(xy)), turn, scale) - xy
    above = in_true_frame(view.mm_from_px(exact.px_from_mm(raised), HEIGHT_MM * scale), turn, scale) - xy
    # Our x axis lies along a quadrant line.
    left_deg = math.degrees(turn) + float(truth.get("quadrant_phase_deg", 0.0))
    return BoardError(_lengths(surface), _lengths(above), (left_deg + 45.0) % 90.0 - 45.0)


def true_discs(truth: Mapping[str, Any]) -> list[TrueDisc]:
    """The scene's discs as they should be read."""
    view, equipment = true_view(truth), truth["equipment"]
    top_mm = float(equipment["disc_thickness_mm"])
    discs = []
    for disc in truth["discs"]:
        at = np.array([disc["x_mm"], disc["y_mm"], disc["z_mm"] + top_mm])
        px_per_mm = math.sqrt(abs(float(np.linalg.det(view.px_per_mm(at)))))
        discs.append(
            TrueDisc(
                x_px=float(disc["pixel"][0]),
                y_px=float(disc["pixel"][1]),
                radius_px=px_per_mm * float(equipment["disc_diameter_mm"]) / 2,
                team=str(disc["team"]),
                in_play=disc["place"] in (Place.BOARD, Place.HOLE),
                points=int(disc["points"]),
                required=is_seen(disc),
            )
        )
    return discs


def is_seen(disc: Mapping[str, Any]) -> bool:
    """Whether enough of a disc shows for it to be found."""
    return bool(disc["visible"]) and float(disc["visible_share"]) >= LEAST_VISIBLE_SHARE


def true_clearance_mm(truth: Mapping[str, Any], disc: Mapping[str, Any], line: int) -> float:
    """The true gap between a disc's bottom and a line's inner edge; negative over the line."""
    equipment = truth["equipment"]
    edge_mm = equipment["ring_radii_mm"][_LINES.index(line)] - equipment["line_width_mm"] / 2
    return float(edge_mm - math.hypot(disc["x_mm"], disc["y_mm"]) - equipment["disc_bottom_diameter_mm"] / 2)


def refused_scene(scene: str, truth: Mapping[str, Any], reason: str) -> SceneResult:
    """A scene that was not read: every disc is missed."""
    counts = tally(true_discs(truth), (), {}, {})
    return SceneResult(scene, float(truth["tilt_deg"]), counts, _totals_count(truth), False, refused=reason)


def compare(
    scene: str, truth: Mapping[str, Any], scored: ScoredPhoto, view: View, seconds: float = 0.0
) -> SceneResult:
    """One scene's reading against its truth; ``view`` is the fitted board's."""
    seen = scored.seen
    labelled = true_discs(truth)
    read = [
        ReadDisc(
            *disc.pixel, disc.team, disc.place in (Place.BOARD, Place.HOLE),
            0 if disc.place is Place.OFF else scored.points[disc.id],
        )
        for disc in seen.discs
    ]  # fmt: skip
    pairs = match(labelled, read)
    totals = {side.side: side.board for side in scored.score.sides}
    names = team_names(labelled, read, pairs, truth["totals"], totals)
    scale, turn = scale_of(truth, seen.geometry), frame_turn_rad(truth, view)
    positions, calls, right, regions = [], [], 0, 0
    for i, j in pairs.items():
        disc, mine = truth["discs"][i], seen.discs[j]
        if not labelled[i].in_play:
            continue
        regions += 1
        right += scored.regions[mine.id] == disc["region"]
        if disc["place"] == Place.BOARD and mine.place is Place.BOARD:
            at = in_true_frame(np.array([[mine.x_mm, mine.y_mm]]), turn, scale)[0]
            positions.append(math.hypot(at[0] - disc["x_mm"], at[1] - disc["y_mm"]))
            if mine.gap is not None:
                gap = mine.gap.clearance_mm
                true_mm = true_clearance_mm(truth, disc, mine.gap.line)
                calls.append(Call(gap.mean / scale, gap.sigma / scale, true_mm, str(mine.gap.verdict)))
    return SceneResult(
        scene=scene,
        tilt_deg=float(truth["tilt_deg"]),
        counts=tally(labelled, read, pairs, names),
        totals_counted=_totals_count(truth),
        exact=totals_exact(truth["totals"], totals, names),
        board=board_error(truth, view, seen.geometry),
        geometry=seen.geometry,
        position_mm=tuple(positions),
        calls=tuple(calls),
        regions_right=right,
        regions=regions,
        seconds=seconds,
    )


def _totals_count(truth: Mapping[str, Any]) -> bool:
    return all(is_seen(disc) for disc in truth["discs"] if disc["points"])


def _ring_points(truth: Mapping[str, Any]) -> Array:
    angle = np.arange(_POINTS_A_RING) / _POINTS_A_RING * 2 * np.pi
    unit = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.concatenate([float(radius) * unit for radius in truth["equipment"]["ring_radii_mm"]])


def _lengths(xy: Array) -> tuple[float, ...]:
    return tuple(float(length) for length in np.linalg.norm(xy, axis=1))

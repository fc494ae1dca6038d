"""What is true of a scene, as the JSON beside its picture."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import Disc, Equipment, Scene
from benchmarks.scenes.optics import inside, intrinsics_of, project, rotation_of, translation_of
from benchmarks.scenes.solids import lean_rotation

NAMES = ("15", "10", "5")
SEEN_SHARE = 0.35
DIST_MODEL = "OpenCV: x_d = x (1 + k1 r^2), normalised coordinates; pixel centres at whole numbers"


def inner_edges_mm(equipment: Equipment) -> tuple[float, ...]:
    """Radii of the inner edges of the 15, 10 and 5 lines."""
    return tuple(r - equipment.line_width_mm / 2 for r in equipment.ring_radii_mm)


def region_of(equipment: Equipment, disc: Disc) -> int:
    """The region's worth by the line rule: what the outermost bottom point reaches decides."""
    if disc.place == "hole":
        return 15 if disc.lean_deg else 20
    if disc.place != "board":
        return 0
    reach = math.hypot(disc.x_mm, disc.y_mm) + equipment.disc_bottom_diameter_mm / 2
    for edge, worth in zip(inner_edges_mm(equipment), (15, 10, 5), strict=True):
        if reach < edge:
            return worth
    return 0


def line_of(equipment: Equipment, disc: Disc) -> tuple[str, float] | None:
    """Name of the deciding line and the signed clearance (mm) to it; None where no line decides."""
    if disc.place != "board":
        return None
    reach = math.hypot(disc.x_mm, disc.y_mm) + equipment.disc_bottom_diameter_mm / 2
    gaps = [edge - reach for edge in inner_edges_mm(equipment)]
    k = int(np.argmin(np.abs(gaps)))
    return NAMES[k], gaps[k]


def face_points(equipment: Equipment, disc: Disc) -> NDArray[np.float64]:
    """Points (n x 3, mm) on a disc's top face, its centre first."""
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    rim = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    reach = equipment.disc_bottom_diameter_mm / 2
    flat = np.vstack([[[0.0, 0.0]], rim * 0.4 * reach, rim * 0.8 * reach, rim * 0.97 * reach])
    local = np.hstack([flat, np.full((len(flat), 1), equipment.disc_thickness_mm)])
    local[:, 2] += 0.1
    turned = local @ lean_rotation(disc.lean_deg, disc.lean_azimuth_deg).T
    return np.asarray(turned + np.array([disc.x_mm, disc.y_mm, disc.z_mm]))


def _top_centre(equipment: Equipment, disc: Disc) -> NDArray[np.float64]:
    """Centre (mm) of a disc's top face."""
    up = lean_rotation(disc.lean_deg, disc.lean_azimuth_deg) @ np.array(
        [0.0, 0.0, equipment.disc_thickness_mm]
    )
    return np.asarray(up + np.array([disc.x_mm, disc.y_mm, disc.z_mm]))


def _round(values: Any, digits: int = 4) -> Any:
    """Nested numbers, rounded for reading."""
    return np.round(np.asarray(values, dtype=np.float64), digits).tolist()


def disc_truth(scene: Scene, number: int, disc: Disc, share: float) -> dict[str, Any]:
    """One disc's entry; ``share`` is the part of its top face that the picture shows."""
    e = scene.equipment
    region = region_of(e, disc)
    line = line_of(e, disc)
    return {
        "id": number,
        "team": scene.teams[disc.team].name,
        "place": disc.place,
        "leaning": disc.lean_deg != 0,
        "x_mm": round(disc.x_mm, 4),
        "y_mm": round(disc.y_mm, 4),
        "z_mm": round(disc.z_mm, 4),
        "pixel": _round(project(scene.camera, _top_centre(e, disc))[0], 3),
        "region": region,
        "points": region,
        "line": None if line is None else line[0],
        "clearance_mm": None if line is None else round(line[1], 4),
        "visible": share >= SEEN_SHARE,
        "visible_share": round(share, 3),
    }


def truth(scene: Scene, visible: NDArray[np.bool_] | None = None) -> dict[str, Any]:
    """Everything exact about a scene; ``visible`` (discs x face points) comes from ray casting."""
    e, camera = scene.equipment, scene.camera
    discs = []
    for k, disc in enumerate(scene.discs):
        points = face_points(e, disc)
        shown = inside(camera, project(camera, points))
        if visible is not None:
            shown = shown & visible[k]
        discs.append(disc_truth(scene, k + 1, disc, float(shown.mean())))
    totals = {t.name: sum(d["points"] for d in discs if d["team"] == t.name) for t in scene.teams}
    eye = np.array(camera.position_mm)
    pegs = [
        [e.ring_radii_mm[0] * math.cos(a), e.ring_radii_mm[0] * math.sin(a), 0.0]
        for a in (math.radians(e.peg_phase_deg + 360 * k / e.peg_count) for k in range(e.peg_count))
    ]
    return {
        "name": scene.name,
        "seed": scene.seed,
        "tags": list(scene.tags),
        "width_px": camera.width_px,
        "height_px": camera.height_px,
        "camera": {
            "K": _round(intrinsics_of(camera)),
            "dist_k1": camera.dist_k1,
            "dist_model": DIST_MODEL,
            "R": _round(rotation_of(camera), 10),
            "t_mm": _round(translation_of(camera), 6),
            "exif_focal_35mm": camera.focal_35mm,
        },
        "tilt_deg": round(camera.tilt_deg, 4),
        "sight_tilt_deg": round(math.degrees(math.acos(eye[2] / float(np.linalg.norm(eye)))), 4),
        "azimuth_deg": round(camera.azimuth_deg, 4),
        "roll_deg": round(camera.roll_deg, 4),
        "equipment": asdict(e),
        "quadrant_phase_deg": scene.look.quadrant_phase_deg,
        "centre_px": _round(project(camera, np.zeros((1, 3)))[0], 3),
        "pegs": [
            {"x_mm": round(p[0], 4), "y_mm": round(p[1], 4), "pixel": _round(px, 3)}
            for p, px in zip(pegs, project(camera, np.array(pegs)) if pegs else [], strict=True)
        ],
        "discs": discs,
        "totals": totals,
    }

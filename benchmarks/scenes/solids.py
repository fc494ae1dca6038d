"""Triangle meshes in millimetres: solids of revolution, prisms and plates."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import Equipment

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Mesh:
    """Vertices and normals (n x 3), texture coordinates (n x 2), triangles (m x 3)."""

    points: Floats
    normals: Floats
    uv: Floats
    faces: NDArray[np.int64]


def merge(meshes: list[Mesh]) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0] + [len(m.points) for m in meshes[:-1]])
    return Mesh(
        np.vstack([m.points for m in meshes]),
        np.vstack([m.normals for m in meshes]),
        np.vstack([m.uv for m in meshes]),
        np.vstack([m.faces + s for m, s in zip(meshes, starts, strict=True)]),
    )


def revolve(profile: Floats, segments: int = 96, crease_deg: float = 25.0, half_mm: float = 1.0) -> Mesh:
    """Turn a profile (n x 2 of radius, height) about z; outside is on the right when walking along it.

    Normals are smooth along the profile except at creases. ``uv`` is the plan view over ``2 half_mm``.
    """
    steps = np.diff(profile, axis=0)
    steps = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    outward = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    limit = math.cos(math.radians(crease_deg))
    angle = np.linspace(0, 2 * np.pi, segments + 1)
    c, s = np.cos(angle), np.sin(angle)
    points: list[Floats] = []
    normals: list[Floats] = []
    faces: list[NDArray[np.int64]] = []
    for i in range(len(steps)):
        ends = []
        for j, near in ((i, i - 1), (i + 1, i + 1)):
            n = outward[i]
            if 0 <= near < len(steps) and float(outward[near] @ n) > limit:
                n = outward[near] + n
                n = n / np.linalg.norm(n)
            ends.append((profile[j], n))
        base = sum((len(p) for p in points), 0)
        for (r, z), (nr, nz) in ends:
            points.append(np.stack([r * c, r * s, np.full_like(c, z)], axis=1))
            normals.append(np.stack([nr * c, nr * s, np.full_like(c, nz)], axis=1))
        k = np.arange(segments)
        low, high = base + k, base + segments + 1 + k
        if profile[i][0] > 0:
            faces.append(np.stack([low, low + 1, high], axis=1))
        if profile[i + 1][0] > 0:
            faces.append(np.stack([low + 1, high + 1, high], axis=1))
    where = np.vstack(points)
    return Mesh(where, np.vstack(normals), where[:, :2] / (2 * half_mm) + 0.5, np.vstack(faces))


def disc_profile(equipment: Equipment) -> Floats:
    """Profile of a disc from the middle of its bottom, round its edge, to the middle of its top."""
    bottom, widest = equipment.disc_bottom_diameter_mm / 2, equipment.disc_diameter_mm / 2
    thick, step = equipment.disc_thickness_mm, widest - bottom
    if equipment.disc_profile == "barrel":
        sag = np.linspace(-1, 1, 25)
        side = np.stack([widest - step * sag**2, thick / 2 * (1 + sag)], axis=1)
    elif equipment.disc_profile == "chamfer":
        rise = min(step, thick / 2 - 0.2)
        side = np.array([[bottom, 0.0], [widest, rise], [widest, thick - rise], [bottom, thick]])
    else:
        turn = np.linspace(0, np.pi / 2, 13)
        low = np.stack([bottom + step * np.sin(turn), step * (1 - np.cos(turn))], axis=1)
        high = np.stack([low[::-1, 0], thick - low[::-1, 1]], axis=1)
        side = np.vstack([low, high])
    start, end = np.array([[0.0, 0.0]]), np.array([[0.0, thick]])
    if equipment.disc_dish_mm > 0:
        r = np.linspace(0.93 * bottom, 0, 9)
        dish = thick - equipment.disc_dish_mm * (1 - (r / (0.93 * bottom)) ** 2) ** 1.5
        end = np.stack([r, dish], axis=1)
    return np.vstack([start, side, end])


def moved(mesh: Mesh, rotation: Floats, shift: Floats) -> Mesh:
    """The mesh turned, then shifted."""
    return Mesh(mesh.points @ rotation.T + shift, mesh.normals @ rotation.T, mesh.uv, mesh.faces)


def lean_rotation(lean_deg: float, azimuth_deg: float) -> Floats:
    """Rotation that raises the side of a disc that points to the azimuth."""
    a, lean = math.radians(azimuth_deg), math.radians(lean_deg)
    about = np.array([math.sin(a), -math.cos(a), 0.0])
    k = np.array([[0, -about[2], about[1]], [about[2], 0, -about[0]], [-about[1], about[0], 0]])
    return np.asarray(np.eye(3) + math.sin(lean) * k + (1 - math.cos(lean)) * (k @ k))


def quad(corners: Floats, uv: Floats) -> Mesh:
    """A flat quadrilateral; corners run anticlockwise seen from outside."""
    n = np.cross(corners[1] - corners[0], corners[3] - corners[0])
    n = n / np.linalg.norm(n)
    return Mesh(corners, np.repeat(n[None], 4, axis=0), uv, np.array([[0, 1, 2], [0, 2, 3]]))


def octagon_frame(equipment: Equipment, grain_mm: float = 400.0) -> Mesh:
    """An eight-sided frame of mitred planks; the texture runs along each plank."""
    inner, outer = equipment.frame_inner_mm, equipment.frame_outer_mm
    low, top, foot = -equipment.ditch_depth_mm, equipment.frame_top_mm, equipment.table_z_mm
    bevel = min(3.0, equipment.frame_width_mm / 5)
    section = [
        (inner, low),
        (inner, top - bevel),
        (inner + bevel, top),
        (outer - bevel, top),
        (outer, top - bevel),
        (outer, foot),
    ]
    grow = 1 / math.cos(math.pi / 8)
    parts = []
    for side in range(8):
        a0, a1 = (math.radians(45 * side + d) for d in (-22.5, 22.5))
        for run, ((r0, z0), (r1, z1)) in enumerate(itertools.pairwise(section)):
            corners = np.array(
                [
                    [r * grow * math.cos(a), r * grow * math.sin(a), z]
                    for r, z, a in ((r0, z0, a1), (r0, z0, a0), (r1, z1, a0), (r1, z1, a1))
                ]
            )
            half, v = r0 * math.tan(math.pi / 8) / grain_mm, 0.11 * (run + 6 * side)
            step = math.hypot(r1 - r0, z1 - z0) / grain_mm
            parts.append(
                quad(corners, np.array([[half, v], [-half, v], [-half, v + step], [half, v + step]]))
            )
    return merge(parts)


def round_frame(equipment: Equipment) -> Mesh:
    """A round frame with rounded top edges."""
    inner, outer = equipment.frame_inner_mm, equipment.frame_outer_mm
    low, top, foot = -equipment.ditch_depth_mm, equipment.frame_top_mm, equipment.table_z_mm
    b = min(4.0, equipment.frame_width_mm / 3)
    turn = np.linspace(0, np.pi / 2, 7)
    right = np.stack([outer - b + b * np.cos(turn), top - b + b * np.sin(turn)], axis=1)
    left = np.stack([inner + b - b * np.sin(turn), top - b + b * np.cos(turn)], axis=1)
    profile = np.vstack([[[outer, foot]], right, left, [[inner, low]]])
    return revolve(profile, 360, half_mm=outer)


def plate(radius: float, z: float, sides: int, half_mm: float, hole: float = 0.0) -> Mesh:
    """A flat disc or octagon (``sides`` 8, ``radius`` its apothem) facing up, with an optional round hole."""
    count = sides if sides and not hole else 1440
    turn = (np.arange(count + 1) + 0.5) * 2 * np.pi / count
    if sides and not hole:
        turn = np.arange(count + 1) * 2 * np.pi / count - np.pi / count
        radius = radius / math.cos(math.pi / count)
    rim = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    rings = np.vstack([rim * max(hole, 1e-6), rim * radius])
    points = np.hstack([rings, np.full((len(rings), 1), z)])
    k = np.arange(count)
    faces = np.vstack(
        [np.stack([k + count + 1, k + count + 2, k], axis=1), np.stack([k + count + 2, k + 1, k], axis=1)]
    )
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
    return Mesh(points, normals, points[:, :2] / (2 * half_mm) + 0.5, faces)

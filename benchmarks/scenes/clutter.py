"""Things that lie about: cups, plates, a phone, an arm, a shoe, a bar that only throws a shadow."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import Clutter, Colour
from benchmarks.scenes.solids import Mesh, merge, moved, quad, revolve

Part = tuple[Mesh, Colour, float]
SKIN: Colour = (0.78, 0.56, 0.44)


def _turn(angle_deg: float) -> NDArray[np.float64]:
    """Rotation about z."""
    a = math.radians(angle_deg)
    return np.array([[math.cos(a), -math.sin(a), 0.0], [math.sin(a), math.cos(a), 0.0], [0.0, 0.0, 1.0]])


def _ball(size: tuple[float, float, float]) -> Mesh:
    """An ellipsoid with the given half axes (mm)."""
    turn = np.linspace(-np.pi / 2, np.pi / 2, 25)
    ball = revolve(np.stack([np.cos(turn).clip(0), np.sin(turn)], axis=1), 48)
    scale = np.array(size)
    normals = ball.normals / scale
    return Mesh(
        ball.points * scale, normals / np.linalg.norm(normals, axis=1, keepdims=True), ball.uv, ball.faces
    )


def _limb(start: NDArray[np.float64], end: NDArray[np.float64], thick0: float, thick1: float) -> Mesh:
    """A tapering rounded bar between two points (mm)."""
    axis = end - start
    long = float(np.linalg.norm(axis))
    z = axis / long
    side = np.cross(z, [0.0, 0.0, 1.0] if abs(z[2]) < 0.9 else [1.0, 0.0, 0.0])
    x = side / np.linalg.norm(side)
    frame = np.stack([x, np.cross(z, x), z], axis=1)
    turn = np.linspace(0, np.pi / 2, 8)
    low = np.stack([thick0 * np.sin(turn), -thick0 * np.cos(turn)], axis=1)
    high = np.stack([thick1 * np.cos(turn), long + thick1 * np.sin(turn)], axis=1)
    return moved(revolve(np.vstack([low, high]), 36, crease_deg=40), frame, start)


def _box(half: tuple[float, float, float]) -> Mesh:
    """A box on z = 0 with half sides x, y and height z (mm)."""
    a, b, h = half
    p = np.array([[x, y, z] for z in (0.0, h) for y in (-b, b) for x in (-a, a)])
    uv = np.zeros((4, 2))
    sides = ((4, 5, 7, 6), (0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6))
    return merge([quad(p[list(s)], uv) for s in sides])


def _arm() -> list[tuple[Mesh, Colour | None, float]]:
    """A forearm that comes in from +x, its fist at the origin."""
    wrist, elbow = np.array([55.0, 5.0, 30.0]), np.array([1150.0, 70.0, 330.0])
    parts: list[tuple[Mesh, Colour | None, float]] = [
        (_limb(elbow, wrist + np.array([90.0, 10, 22]), 62, 34), None, 2.0),
        (_limb(wrist + np.array([100.0, 10, 24]), wrist, 30, 25), SKIN, 0.6),
        (moved(_ball((44, 38, 17)), np.eye(3), np.array([12.0, 0, 24])), SKIN, 0.6),
    ]
    for k in range(4):
        y = -24.0 + 16 * k
        tip = np.array([-62.0 + 8 * abs(k - 1.5), y * 1.25, 9.0])
        parts.append((_limb(np.array([-18.0, y, 24]), tip, 9, 7.5), SKIN, 0.6))
    return parts


def solid(thing: Clutter) -> list[Part]:
    """Meshes, colours and roughness of a thing, in the board frame."""
    parts: list[tuple[Mesh, Colour | None, float]]
    if thing.kind == "cup":
        outer = np.array([[0, 0], [30, 0], [36, 12], [41, 90], [38, 90], [34, 14], [0, 8]], dtype=float)
        coffee = np.array([[37.0, 70.0], [0.0, 70.0]])
        parts = [(revolve(outer, 64), None, 0.2), (revolve(coffee, 64), (0.16, 0.08, 0.04), 0.15)]
    elif thing.kind == "plate":
        dish = np.array([[0, 0], [60, 0], [110, 16], [109, 18], [58, 4], [0, 4]], dtype=float)
        parts = [(revolve(dish, 96), None, 0.2)]
    elif thing.kind == "phone":
        parts = [(_box((36, 76, 8)), None, 0.1)]
    elif thing.kind == "shoe":
        toe = moved(_ball((50, 46, 38)), np.eye(3), np.array([0.0, 0, 20]))
        heel = moved(_ball((95, 42, 48)), np.eye(3), np.array([95.0, 0, 20]))
        sole = moved(_ball((150, 50, 20)), np.eye(3), np.array([68.0, 0, 4]))
        parts = [(toe, None, 0.7), (heel, None, 0.7), (sole, (0.85, 0.85, 0.83), 0.8)]
    elif thing.kind == "arm":
        parts = _arm()
    else:
        bar = _limb(np.array([-1500.0, 0, 0]), np.array([1500.0, 0, 0]), 38, 38)
        parts = [(bar, None, 2.0)]
    shift = np.array([thing.x_mm, thing.y_mm, thing.z_mm])
    turn = _turn(thing.angle_deg)
    return [(moved(m, turn, shift), thing.colour if c is None else c, r) for m, c, r in parts]

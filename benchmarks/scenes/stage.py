"""A scene description as a Mitsuba scene (Mitsuba is imported only here and in ``trace``)."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes import clutter, solids
from benchmarks.scenes.describe import Colour, Disc, Material, Scene
from benchmarks.scenes.paint import surface_texture
from benchmarks.scenes.room import environment
from benchmarks.scenes.solids import Mesh
from benchmarks.scenes.wood import linear, texture, to_bytes, wood

ADVICE = (
    "the scene renderer needs Mitsuba 3: pip install '.[scenes]', and for speed Debian's libllvm19 "
    "(apt-get install libllvm19) with DRJIT_LIBLLVM_PATH set to its libLLVM.so.19.1"
)
TILE = 128
LIBRARIES = ("/usr/lib/x86_64-linux-gnu/libLLVM.so.19.1", "/usr/lib/aarch64-linux-gnu/libLLVM.so.19.1")


def load_mitsuba() -> Any:
    """Import Mitsuba in its fastest variant that works here."""
    if "DRJIT_LIBLLVM_PATH" not in os.environ:
        for library in LIBRARIES:
            if Path(library).exists():
                os.environ["DRJIT_LIBLLVM_PATH"] = library
    try:
        import mitsuba
    except ImportError as error:
        raise SystemExit(ADVICE) from error
    if mitsuba.variant() is None:
        if "DRJIT_LIBLLVM_PATH" not in os.environ:
            raise SystemExit(ADVICE)
        mitsuba.set_variant("llvm_ad_rgb")
    return mitsuba


def _bitmap(mi: Any, picture: NDArray[np.uint8], wrap: str = "clamp") -> dict[str, Any]:
    """A texture from 8-bit sRGB."""
    return {
        "type": "bitmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(picture)),
        "filter_type": "bilinear",
        "wrap_mode": wrap,
        "format": "fp16",
    }


def _coat(reflectance: Any, roughness: float) -> dict[str, Any]:
    """Matt, or under a varnish of the given roughness; seen from both sides."""
    if roughness >= 1:
        return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": reflectance}}
    plastic = {
        "type": "roughplastic",
        "diffuse_reflectance": reflectance,
        "alpha": max(roughness, 0.02) ** 1.5,
        "int_ior": 1.48,
        "nonlinear": False,
    }
    return {"type": "twosided", "bsdf": plastic}


def _flat(colour: Colour) -> dict[str, Any]:
    """One colour."""
    return {"type": "rgb", "value": [float(v) for v in linear(colour)]}


def _shape(mi: Any, name: str, mesh: Mesh, bsdf: dict[str, Any]) -> Any:
    """A Mitsuba mesh with its surface."""
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    out = mi.Mesh(
        name,
        len(mesh.points),
        len(mesh.faces),
        has_vertex_normals=True,
        has_vertex_texcoords=True,
        props=props,
    )
    params = mi.traverse(out)
    params["vertex_positions"] = mesh.points.astype(np.float32).ravel()
    params["vertex_normals"] = mesh.normals.astype(np.float32).ravel()
    params["vertex_texcoords"] = mesh.uv.astype(np.float32).ravel()
    params["faces"] = mesh.faces.astype(np.uint32).ravel()
    params.update()
    return out


def _board(mi: Any, scene: Scene, rng: np.random.Generator, size: int) -> dict[str, Any]:
    """Surface, hole, ditch, frame, pegs and table."""
    e, look = scene.equipment, scene.look
    half = e.surface_radius_mm + 2.0
    hole, depth = e.hole_diameter_mm / 2, e.hole_depth_mm
    face = _bitmap(mi, surface_texture(e, look, rng, size))
    parts: dict[str, Any] = {}
    parts["surface"] = _shape(
        mi,
        "surface",
        solids.plate(e.surface_radius_mm, 0.0, 0, half, hole),
        _coat(face, look.surface.roughness),
    )
    wall = solids.revolve(
        np.array([[e.surface_radius_mm, -e.ditch_depth_mm], [e.surface_radius_mm, 0.0]]), 720, half_mm=half
    )
    bore = solids.revolve(np.array([[hole, 0.0], [hole, -depth]]), 240, half_mm=half)
    parts["edges"] = _shape(mi, "edges", solids.merge([wall, bore]), _coat(face, 2.0))
    felt = Material("cloth", look.hole_colour)
    cup = solids.plate(hole, -depth, 0, hole)
    parts["felt"] = _shape(mi, "felt", cup, _coat(_bitmap(mi, to_bytes(texture(rng, 256, 60.0, felt))), 2.0))
    outer = e.frame_inner_mm + 1
    floor = solids.plate(outer, -e.ditch_depth_mm, e.frame_sides, outer)
    ditch = to_bytes(texture(rng, 1536, 2 * outer, look.ditch))
    parts["ditch"] = _shape(mi, "ditch", floor, _coat(_bitmap(mi, ditch, "mirror"), look.ditch.roughness))
    if e.frame_sides == 8:
        frame, across = solids.octagon_frame(e), 400.0
    else:
        frame, across = solids.round_frame(e), 2 * e.frame_outer_mm
    skin = to_bytes(texture(rng, 1024 if e.frame_sides else 2048, across, look.frame))
    parts["frame"] = _shape(mi, "frame", frame, _coat(_bitmap(mi, skin, "mirror"), look.frame.roughness))
    reach = look.table_radius_mm or 2500.0
    table = solids.plate(reach, e.table_z_mm, 0, 900.0)
    top = to_bytes(texture(rng, 2048, 1800.0, look.table))
    parts["table"] = _shape(mi, "table", table, _coat(_bitmap(mi, top, "mirror"), look.table.roughness))
    if look.table_radius_mm:
        ground = solids.plate(6000.0, e.table_z_mm - 740.0, 0, 6000.0)
        parts["floor"] = _shape(mi, "floor", ground, _coat(_flat((0.33, 0.30, 0.28)), 2.0))
    if e.peg_count:
        r, tall = e.peg_diameter_mm / 2, e.peg_height_mm
        turn = np.linspace(0, np.pi / 2, 6)
        cap = np.stack([r - 1.2 + 1.2 * np.cos(turn), tall - 1.2 + 1.2 * np.sin(turn)], axis=1)
        one = solids.revolve(np.vstack([[[r, 0.0]], cap, [[0.0, tall]]]), 40)
        pegs = [solids.moved(one, np.eye(3), np.array([x, y, 0.0])) for x, y in peg_places(scene)]
        parts["pegs"] = _shape(mi, "pegs", solids.merge(pegs), _coat(_flat(look.peg_colour), 0.4))
    return parts


def peg_places(scene: Scene) -> list[tuple[float, float]]:
    """Centres (mm) of the pegs, on the middle of the 15 line."""
    e = scene.equipment
    turns = [math.radians(e.peg_phase_deg + 360 * k / e.peg_count) for k in range(e.peg_count)]
    return [(e.ring_radii_mm[0] * math.cos(a), e.ring_radii_mm[0] * math.sin(a)) for a in turns]


def _discs(mi: Any, scene: Scene, rng: np.random.Generator) -> dict[str, Any]:
    """Each team's discs as one mesh with an atlas of their faces."""
    one = solids.revolve(
        solids.disc_profile(scene.equipment), 128, half_mm=scene.equipment.disc_diameter_mm / 2
    )
    parts: dict[str, Any] = {}
    for index, team in enumerate(scene.teams):
        own = [d for d in scene.discs if d.team == index]
        if not own:
            continue
        wide = math.ceil(math.sqrt(len(own)))
        atlas = np.zeros((wide * TILE, wide * TILE, 3), dtype=np.float32)
        meshes = []
        for k, disc in enumerate(own):
            row, col = divmod(k, wide)
            shade = 1 + team.shade_spread * rng.uniform(-2, 2)
            atlas[row * TILE : (row + 1) * TILE, col * TILE : (col + 1) * TILE] = _face(
                team.colour, team.wood, shade, rng
            )
            spot = (one.uv * (TILE - 4) + 2) / TILE
            uv = (spot + np.array([col, row])) / wide
            meshes.append(_laid(Mesh(one.points, one.normals, uv, one.faces), disc))
        skin = _bitmap(mi, to_bytes(atlas))
        parts[f"team{index}"] = _shape(mi, f"team{index}", solids.merge(meshes), _coat(skin, team.roughness))
    return parts


def _laid(mesh: Mesh, disc: Disc) -> Mesh:
    """A disc's mesh where the disc lies."""
    place = np.array([disc.x_mm, disc.y_mm, disc.z_mm])
    return solids.moved(mesh, solids.lean_rotation(disc.lean_deg, disc.lean_azimuth_deg), place)


def _face(colour: Colour, grained: bool, shade: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """A disc's face from above, linear RGB; wooden ones show their grain."""
    out = np.broadcast_to(linear(colour) * shade, (TILE, TILE, 3)).astype(np.float32)
    if grained:
        plank = wood(rng, TILE, 34.0, Material("wood", palette="maple", angle_deg=rng.uniform(0, 180)))
        tone = plank.mean(axis=2, keepdims=True)
        out = out * (tone / tone.mean()) ** 1.1
    return np.asarray(np.clip(out, 0, 0.95), dtype=np.float32)


def build(scene: Scene) -> Any:
    """The Mitsuba scene of a description."""
    mi = load_mitsuba()
    rng = np.random.default_rng([scene.seed, 7])
    pixels = scene.camera.width_px * scene.camera.height_px
    parts = _board(mi, scene, rng, 4096 if pixels < 6_000_000 else 6144)
    parts.update(_discs(mi, scene, rng))
    for k, thing in enumerate(scene.clutter):
        for j, (mesh, colour, roughness) in enumerate(clutter.solid(thing)):
            parts[f"clutter{k}_{j}"] = _shape(mi, f"clutter{k}_{j}", mesh, _coat(_flat(colour), roughness))
    upright = mi.ScalarTransform4f([[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    parts["room"] = {"type": "envmap", "bitmap": mi.Bitmap(environment(scene.light)), "to_world": upright}
    if scene.light.near_lamp is not None:
        x, y, z, half, power = scene.light.near_lamp
        turn = mi.ScalarTransform4f().translate([x, y, z]).rotate([1, 0, 0], 180).scale(half)
        glow = {"type": "area", "radiance": {"type": "rgb", "value": [power, power * 0.95, power * 0.85]}}
        parts["near_lamp"] = {"type": "rectangle", "to_world": turn, "emitter": glow}
    return mi.load_dict({"type": "scene", **parts})

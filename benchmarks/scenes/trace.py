"""From a scene to the radiance each pixel sees, every ray passing through the exact lens model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.describe import Scene
from benchmarks.scenes.optics import rotation_of, translation_of
from benchmarks.scenes.stage import load_mitsuba

CLAMP = 12.0
"""Most radiance one sample may bring; brighter ones would stay as single white pixels."""
DEPTH = 4
"""Longest path: camera, two bounces, light."""
RAYS_AT_ONCE = 6_000_000


def _rays(mi: Any, scene: Scene, sampler: Any, across: Any, down: Any) -> Any:
    """Rays through jittered points of the pixels; the jitter is the pixel's box and the lens's blur."""
    import drjit as dr

    camera, sensor = scene.camera, scene.sensor
    box = sampler.next_2d()
    spot = dr.clip(sampler.next_2d(), 1e-6, 1 - 1e-6)
    blur = mi.warp.square_to_std_normal(spot) * dr.opaque(mi.Float, sensor.psf_sigma_px)
    focal = dr.opaque(mi.Float, camera.focal_px)
    x = (mi.Float(across) + box.x - 0.5 + blur.x - dr.opaque(mi.Float, camera.centre_px[0])) / focal
    y = (mi.Float(down) + box.y - 0.5 + blur.y - dr.opaque(mi.Float, camera.centre_px[1])) / focal
    k1 = dr.opaque(mi.Float, camera.dist_k1)
    far = dr.sqrt(x * x + y * y)
    r = mi.Float(far)
    for _ in range(8):
        r = r - (r * (1 + k1 * r * r) - far) / (1 + 3 * k1 * r * r)
    ratio = dr.select(far > 1e-9, r / dr.maximum(far, 1e-9), 1.0)
    x, y = x * ratio, y * ratio
    rotation = rotation_of(camera)
    rows = [mi.Vector3f(*(dr.opaque(mi.Float, float(v)) for v in row)) for row in rotation]
    eye = mi.Point3f(*(dr.opaque(mi.Float, float(v)) for v in camera.position_mm))
    depth = dr.opaque(mi.Float, float(translation_of(camera)[2]) + sensor.focus_offset_mm)
    spot = mi.warp.square_to_uniform_disk(sampler.next_2d()) * dr.opaque(mi.Float, sensor.aperture_mm)
    origin = eye + rows[0] * spot.x + rows[1] * spot.y
    target = eye + (rows[0] * x + rows[1] * y + rows[2]) * depth
    return mi.RayDifferential3f(o=origin, d=dr.normalize(target - origin))


def _accumulate(scene: Scene, shade: Callable[[Any, Any], list[Any]], depth: int) -> NDArray[np.float32]:
    """Mean over each pixel's samples of what ``shade`` (sampler, rays) says, ``depth`` channels of it."""
    mi = load_mitsuba()
    import drjit as dr

    width, height = scene.camera.width_px, scene.camera.height_px
    sampler = mi.load_dict({"type": "multijitter", "sample_count": scene.sensor.samples})
    count = int(sampler.sample_count())
    rows = max(1, min(height, RAYS_AT_ONCE // (width * count)))
    out = np.zeros((height, width, depth), dtype=np.float32)
    for first in range(0, height, rows):
        some = min(rows, height - first)
        n = some * width * count
        sampler.set_samples_per_wavefront(count)
        sampler.seed((scene.seed * 1009 + first) % 2**32, n)
        pixel = dr.arange(mi.UInt32, n) // dr.opaque(mi.UInt32, count)
        wide = dr.opaque(mi.UInt32, width)
        down = pixel // wide
        ray = _rays(mi, scene, sampler, pixel - down * wide, down + dr.opaque(mi.UInt32, first))
        channels = shade(sampler, ray)
        dr.eval(*channels)  # together: summing one after the other would trace every ray anew for each
        for k, channel in enumerate(channels):
            mean = dr.block_sum(channel, count) / count
            out[first : first + some, :, k] = np.array(mean).reshape(some, width)
    return out


def radiance(stage: Any, scene: Scene) -> NDArray[np.float32]:
    """Linear RGB radiance (height x width x 3) of a built scene."""
    mi = load_mitsuba()
    import drjit as dr

    integrator = mi.load_dict({"type": "path", "max_depth": DEPTH, "rr_depth": DEPTH + 5})

    def shade(sampler: Any, ray: Any) -> list[Any]:
        light, _, _ = integrator.sample(stage, sampler, ray)
        light = dr.select(dr.all(dr.isfinite(light)), dr.minimum(light, CLAMP), 0.0)
        return [light.x, light.y, light.z]

    return _accumulate(scene, shade, 3)


def raised(stage: Any, scene: Scene) -> NDArray[np.float32]:
    """Share (height x width) of each pixel covered by what stands on the playing surface."""
    load_mitsuba()
    import drjit as dr

    limit = scene.equipment.surface_radius_mm

    def shade(_: Any, ray: Any) -> list[Any]:
        hit = stage.ray_intersect(ray)
        over = hit.is_valid() & (hit.p.z > 0.01) & (hit.p.x**2 + hit.p.y**2 < limit**2)
        return [dr.select(over, type(hit.t)(1.0), 0.0)]

    return _accumulate(scene, shade, 1)[..., 0]


def seen(stage: Any, scene: Scene, targets: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which points (n x 3, board frame) the camera sees with nothing in between (0.6 mm of grace)."""
    mi = load_mitsuba()
    eye = np.array(scene.camera.position_mm)
    away = targets - eye
    far = np.linalg.norm(away, axis=1)
    ray = mi.Ray3f(
        o=mi.Point3f(*(float(v) for v in eye)), d=mi.Vector3f((away / far[:, None]).T.astype(np.float32))
    )
    ray.maxt = mi.Float((far - 0.6).astype(np.float32))
    return ~np.array(stage.ray_test(ray))

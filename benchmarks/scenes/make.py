"""Render scenes to pictures with their truth beside them."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.scenes.describe import Scene
from benchmarks.scenes.sensor import expose, write
from benchmarks.scenes.stage import build
from benchmarks.scenes.trace import radiance, seen
from benchmarks.scenes.truth import face_points, truth


def render(scene: Scene, folder: Path) -> Path:
    """Write ``name.jpg`` and ``name.json`` into a folder; returns the picture's path."""
    folder.mkdir(parents=True, exist_ok=True)
    stage = build(scene)
    light = radiance(stage, scene)
    visible = None
    if scene.discs:
        targets = np.stack([face_points(scene.equipment, d) for d in scene.discs])
        visible = seen(stage, scene, targets.reshape(-1, 3)).reshape(targets.shape[:2])
    path = folder / f"{scene.name}.jpg"
    write(expose(light, scene), scene, path)
    facts = {"picture": path.name, **truth(scene, visible)}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return path


def render_all(scenes: list[Scene], folder: Path) -> None:
    """Render several scenes, telling on standard error how far it is; pictures that exist are kept."""
    for number, scene in enumerate(scenes, 1):
        if (folder / f"{scene.name}.json").exists():
            continue
        start = time.perf_counter()
        path = render(scene, folder)
        took = time.perf_counter() - start
        print(f"[{number}/{len(scenes)}] {path} {took:.1f} s", file=sys.stderr, flush=True)

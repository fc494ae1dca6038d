"""Photos of round things that are no crokinole board: all of ``decoy_things``, from several sides.

``python -m benchmarks.scenes.decoys OUT.png`` writes a contact sheet of them all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.decoy_plane import Shot, montage, photograph
from benchmarks.scenes.decoy_things import THINGS

_SIZE_PX = (1200, 900)
_TILTS_DEG = (2.0, 14.0, 27.0, 38.0, 50.0)
SHOTS = 2
"""Looks and camera positions of each thing."""


@dataclass(frozen=True, slots=True)
class Decoy:
    """One picture; ``name`` is the thing and the number of the shot."""

    name: str
    tilt_deg: float
    rgb: NDArray[np.uint8]


def decoys(only: str = "", shots: int = SHOTS, size_px: tuple[int, int] = _SIZE_PX) -> Iterator[Decoy]:
    """The pictures whose name contains ``only``, the same every time."""
    for number, (name, draw) in enumerate(THINGS.items()):
        for shot_number in range(shots):
            full_name = f"{name}-{shot_number + 1}"
            if only not in full_name:
                continue
            shot = _shot(number, shot_number)
            rgb = photograph(draw(shot_number), shot, *size_px)
            yield Decoy(full_name, shot.tilt_deg, rgb)


def _shot(number: int, shot_number: int) -> Shot:
    random = np.random.default_rng((number, shot_number))
    return Shot(
        tilt_deg=_TILTS_DEG[(number + 2 * shot_number) % len(_TILTS_DEG)],
        azimuth_deg=float(random.uniform(-180, 180)) if shot_number % 2 else float(random.uniform(-12, 12)),
        roll_deg=float(random.uniform(-8, 8)),
        fill=float(random.uniform(0.72, 0.92)),
        off=(float(random.uniform(-0.1, 0.1)), float(random.uniform(-0.06, 0.06))),
        focal=float(random.uniform(0.7, 1.0)),
        blur_px=float(random.uniform(0.4, 1.3)),
        noise=float(random.uniform(1.0, 6.0)),
        jpeg_quality=int(random.integers(70, 95)),
        shade=float(random.uniform(0.0, 0.5)),
    )


def main() -> None:
    """Write the contact sheet."""
    parser = argparse.ArgumentParser(description="A contact sheet of the decoys.")
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    sheet = montage([(decoy.name, decoy.rgb) for decoy in decoys()], columns=10)
    cv2.imwrite(str(options.out), sheet[..., ::-1])


if __name__ == "__main__":
    main()

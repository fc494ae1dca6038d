"""Command line: ``python -m benchmarks.scenes make --set photos --count N --seed S --out DIR``."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.scenes import near_lines, rounds, samples
from benchmarks.scenes.describe import Scene


def chosen_scenes(options: argparse.Namespace) -> list[Scene]:
    """The scenes that the options ask for."""
    numbers = range(options.first, options.first + options.count)
    if options.set == "samples":
        return [samples.sample(n, options.seed) for n in numbers if n < len(samples.CHOICES)]
    if options.set == "linecalls":
        views = range(options.views)
        return [near_lines.near_lines(n, options.seed, options.camera, v) for n in numbers for v in views]
    return [rounds.photo(n, options.seed) for n in numbers]


def main() -> None:
    """Render a set of scenes, or check the renderer."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scenes", description="Pictures of boards with exact truth."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="render a set of pictures with their truth")
    make.add_argument("--set", choices=("photos", "linecalls", "samples"), default="photos")
    make.add_argument("--camera", choices=("phone", "webcam"), default="phone", help="for linecalls")
    make.add_argument(
        "--views", type=int, choices=range(1, 9), default=1, help="for linecalls: cameras per position"
    )
    make.add_argument("--first", type=int, default=0, help="number of the first scene")
    make.add_argument("--count", type=int, default=12)
    make.add_argument("--seed", type=int, default=1)
    make.add_argument("--out", type=Path, required=True)
    commands.add_parser("check", help="measure how far rendered edges lie from the truth")
    options = parser.parse_args()
    if options.command == "check":
        from benchmarks.scenes.check import run

        raise SystemExit(0 if run() else 1)
    from benchmarks.scenes.make import render_all

    render_all(chosen_scenes(options), options.out)

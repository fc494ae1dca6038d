"""How fast a photo is read, as ratios in one run: ``python benchmarks/speed.py [PHOTO]``.

A 12-megapixel JPEG is read (decoded, board and discs found) and, in turns with that, decoded by OpenCV alone.
Without a photo a sample picture is scaled up to 4032 x 3024, given a camera's noise and saved at JPEG
quality 92.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import conditions_line, spread, table, usable_cores, write_json

_ROOT = Path(__file__).resolve().parents[1]
_ROOMS = ("calibration", "vision")
_SIZE_PX = (4032, 3024)
_QUALITY = 92
_NOISE = 2.5
_LEAST_SHARE = 0.02


def enlarged(rgb: NDArray[np.uint8], size_px: tuple[int, int] = _SIZE_PX, seed: int = 1) -> NDArray[np.uint8]:
    """A picture scaled up to a phone's, its sides cropped to the shape, with noise a pixel or two wide."""
    height, width = rgb.shape[:2]
    factor = max(size_px[0] / width, size_px[1] / height)
    size = (max(size_px[0], round(width * factor)), max(size_px[1], round(height * factor)))
    large = cv2.resize(rgb, size, interpolation=cv2.INTER_CUBIC)
    top, left = (size[1] - size_px[1]) // 2, (size[0] - size_px[0]) // 2
    large = large[top : top + size_px[1], left : left + size_px[0]]
    random = np.random.default_rng(seed)
    noise = random.standard_normal(large.shape, dtype=np.float32)
    noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.7), np.float32)
    noise *= _NOISE / float(noise.std())
    return np.clip(np.round(large + noise), 0, 255).astype(np.uint8)


def jpeg_of(rgb: NDArray[np.uint8], quality: int = _QUALITY) -> bytes:
    """The picture as a JPEG file's bytes."""
    _, data = cv2.imencode(".jpg", rgb[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def default_picture(folder: Path) -> Path | None:
    """The largest picture file among the samples."""
    found = [path for path in folder.glob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp")]
    return max(found, key=lambda path: (path.stat().st_size, path.name), default=None)


def seconds_of(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def alternating(
    first: Callable[[], object], second: Callable[[], object], pairs: int
) -> list[tuple[float, float]]:
    """Wall times of both, in turns, after one warm-up each."""
    first()
    second()
    return [(seconds_of(first), seconds_of(second)) for _ in range(pairs)]


def ratios(times: list[tuple[float, float]]) -> dict[str, float]:
    """Median, least and greatest ratio of the first to the second of each pair."""
    each = [first / second for first, second in times]
    return {"median": statistics.median(each), "min": min(each), "max": max(each)}


def stages(work: Callable[[], object]) -> list[tuple[str, int, float, float]]:
    """Public functions that one run spends time in: name, calls, seconds in all, seconds of its own.

    Measured by cProfile, which slows Python code down: for shares, not for seconds.
    """
    profile = cProfile.Profile()
    profile.runcall(work)
    rows = []
    entries = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, name), (_, calls, own_s, all_s, _) in entries.items():
        path = Path(file)
        if path.parent.name in _ROOMS and path.parent.parent == _ROOT and not name.startswith(("_", "<")):
            rows.append((f"{path.parent.name}.{path.stem}.{name}", calls, all_s, own_s))
    rows.sort(key=lambda item: -item[2])
    whole_s = rows[0][2] if rows else 0.0
    return [item for item in rows if item[2] >= _LEAST_SHARE * whole_s]


def help_seconds(runs: int) -> list[float]:
    """Wall times of ``crokinole --help``, each in a process of its own."""
    script = Path(sys.executable).with_name("crokinole")
    words = [str(script)] if script.is_file() else [sys.executable, "-m", "service.cli"]
    return [
        seconds_of(lambda: subprocess.run([*words, "--help"], capture_output=True, check=True, cwd=_ROOT))
        for _ in range(runs + 1)
    ][1:]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="How fast a photo is read, as ratios in one run.")
    parser.add_argument(
        "photo", type=Path, nargs="?", help="a JPEG photo of a board; a sample scaled up without one"
    )
    parser.add_argument("--pairs", type=int, default=7, help="how often each of the two is run, in turns")
    parser.add_argument("--help-runs", type=int, default=10, help="runs of crokinole --help")
    parser.add_argument(
        "--enlarge", action="store_true", help="scale the given photo up to 12 megapixels too"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write everything to this file too")
    options = parser.parse_args()
    photo = options.photo or default_picture(_ROOT / "sample_images")
    if photo is None:
        parser.error("there are no sample images: name a photo of a board")
    data, made = _input(photo, options.enlarge or options.photo is None)

    from vision.picture import load_picture, open_picture
    from vision.read import read_picture

    packed = np.frombuffer(data, np.uint8)

    def read() -> object:
        return read_picture(open_picture(data, photo.name))

    def decode() -> object:
        return cv2.imdecode(packed, cv2.IMREAD_COLOR)

    times = alternating(read, decode, options.pairs)
    load_s = statistics.median(
        seconds_of(lambda: load_picture(data, photo.name)) for _ in range(options.pairs)
    )
    ratio = ratios(times)
    read_s, decode_s = (spread([pair[k] for pair in times]) for k in (0, 1))
    help_s = spread(help_seconds(options.help_runs))
    picture = load_picture(data, photo.name)
    parts = stages(lambda: read_picture(open_picture(data, photo.name)))

    rows: list[list[object]] = [
        ["open and read_picture", options.pairs, read_s["median"], min(t[0] for t in times), read_s["max"]],
        ["load_picture alone", options.pairs, load_s, None, None],
        ["cv2.imdecode", options.pairs, decode_s["median"], min(t[1] for t in times), decode_s["max"]],
        ["ratio", options.pairs, ratio["median"], ratio["min"], ratio["max"]],
        ["crokinole --help", options.help_runs, help_s["median"], None, help_s["max"]],
    ]
    print(table(("s, and their ratio", "n", "median", "min", "max"), rows) + "\n")
    print(table(("under cProfile", "calls", "s", "own s"), parts) + "\n")
    print(f"input: {made}; {picture.width_px} x {picture.height_px} pixels, {len(data)} bytes")
    print(f"the two in turns, after a warm-up of each, in one process that may use {usable_cores()} cores")
    print(conditions_line())
    report = {
        "input": made, "size_px": [picture.width_px, picture.height_px], "bytes": len(data), "ratio": ratio,
        "read_s": [t[0] for t in times], "decode_s": [t[1] for t in times], "load_s": load_s,
        "help_s": help_s,
        "stages": [dict(zip(("name", "calls", "s", "own_s"), part, strict=True)) for part in parts],
    }  # fmt: skip
    write_json(options.json, report)


def _input(photo: Path, enlarge: bool) -> tuple[bytes, str]:
    """The JPEG's bytes, and what they are."""
    if not enlarge:
        return photo.read_bytes(), f"{photo.name} as it is"
    from vision.picture import load_picture

    data = jpeg_of(enlarged(load_picture(photo).rgb))
    return data, f"{photo.name} scaled up to 12 megapixels, noise of {_NOISE} levels, JPEG quality {_QUALITY}"


if __name__ == "__main__":
    main()

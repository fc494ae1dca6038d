"""Pictures without a board, none of which may be taken for one: ``python benchmarks/not_boards.py``.

Every picture of ``skimage.data`` that is on this machine, and the drawn decoys of
``benchmarks/scenes/decoys.py``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.decoy_plane import montage
from benchmarks.scenes.decoys import decoys
from benchmarks.tables import conditions_line, table, write_json
from calibration.board import FittedBoard, find_board
from calibration.errors import CalibrationError
from calibration.prior import camera_prior

_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".npy", ".npz", ".bmp"})
_LONGEST_SIDE_PX = 4000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A picture without a board."""

    source: str
    name: str
    rgb: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was said of a picture: ``verdict`` is refused, ACCEPTED or CRASHED; only the first is right."""

    source: str
    name: str
    size_px: tuple[int, int]
    verdict: str
    reason: str
    seconds: float


def judge(candidate: Candidate) -> Outcome:
    """Look for a board in a picture that has none."""
    height_px, width_px = candidate.rgb.shape[:2]
    start = time.perf_counter()
    try:
        board = find_board(candidate.rgb, camera_prior(width_px, height_px, None, None))
    except CalibrationError as error:
        verdict, reason = "refused", str(getattr(error, "reason", error))
    except Exception as error:  # a crash is a result too, and must not hide the other pictures
        verdict, reason = "CRASHED", f"{type(error).__name__}: {error}"
    else:
        verdict, reason = "ACCEPTED", evidence(board)
    seconds = time.perf_counter() - start
    return Outcome(candidate.source, candidate.name, (width_px, height_px), verdict, reason, seconds)


def evidence(board: FittedBoard) -> str:
    """What made it look like a board."""
    found = ", ".join(f"{line.found:.2f}" for line in board.lines)
    radii = ", ".join(f"{radius_mm:.1f}" for radius_mm in board.radii_mm)
    marks = board.marks
    return (
        f"rings found {found}; radii {radii} mm, {board.geometry}; "
        f"quadrants {marks.quadrants:.0f}, hole {marks.hole:.2f}, pegs {marks.pegs:.1f}"
    )


def as_rgb(array: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Any picture-like array as 8-bit RGB: the middle of a stack, floats and 16 bits scaled."""
    picture = np.asarray(array)
    while picture.ndim > 3 or (picture.ndim == 3 and picture.shape[2] > 4):
        picture = picture[picture.shape[0] // 2]
    if picture.dtype == np.bool_:
        picture = picture.astype(np.uint8) * np.uint8(255)
    if picture.dtype != np.uint8:
        values = np.asarray(picture, dtype=np.float64)
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        values = np.nan_to_num(values, nan=low, posinf=high, neginf=low)
        picture = np.clip((values - low) / max(high - low, 1e-9) * 255, 0, 255).astype(np.uint8)
    if picture.ndim == 2:
        picture = picture[:, :, None]
    if picture.shape[2] in (2, 4):
        picture = picture[:, :, :-1]
    if picture.shape[2] == 1:
        picture = np.repeat(picture, 3, axis=2)
    longest = max(picture.shape[:2])
    if longest > _LONGEST_SIDE_PX:
        factor = _LONGEST_SIDE_PX / longest
        picture = cv2.resize(
            np.ascontiguousarray(picture), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
        )
    return np.ascontiguousarray(picture, dtype=np.uint8)


def skimage_files() -> tuple[list[Path], list[str]]:
    """The pictures of ``skimage.data`` on this machine, and the names of those that would need a download."""
    import skimage.data

    package = Path(skimage.data.__file__).parent
    folders = [package, Path(getattr(skimage.data, "data_dir", package))]
    here: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*")):
            if path.suffix.lower() in _SUFFIXES:
                here.setdefault(path.name, path)
    try:
        from skimage.data._registry import registry
    except ImportError:
        registry = {}
    # The registry also lists what only scikit-image's own tests use, under other folders.
    listed = {Path(name).name for name in registry if Path(name).parent == Path("data")}
    listed = {name for name in listed if Path(name).suffix.lower() in _SUFFIXES}
    return [here[name] for name in sorted(here)], sorted(listed - here.keys())


def skimage_pictures(files: Iterable[Path]) -> Iterator[Candidate]:
    """Those files as pictures, and the drawn blobs, which have no file."""
    import skimage.data
    import skimage.io

    for path in files:
        if path.suffix == ".npz":
            with np.load(path) as arrays:
                stored = np.asarray(arrays[arrays.files[0]])
        else:
            stored = np.load(path) if path.suffix == ".npy" else np.asarray(skimage.io.imread(path))
        yield Candidate("skimage", path.name, as_rgb(stored))
    blobs = skimage.data.binary_blobs(512, rng=1)  # type: ignore[no-untyped-call]
    yield Candidate("skimage", "binary_blobs()", as_rgb(blobs))


def decoy_pictures(only: str = "") -> Iterator[Candidate]:
    """The decoys whose name contains ``only``."""
    for decoy in decoys(only):
        yield Candidate("decoy", decoy.name, decoy.rgb)


HEAD = ("source", "picture", "pixels", "verdict", "why", "s")


def row(outcome: Outcome) -> list[object]:
    """A picture's line of the table."""
    size = "x".join(map(str, outcome.size_px))
    return [outcome.source, outcome.name, size, outcome.verdict, outcome.reason, outcome.seconds]


def totals(outcomes: list[Outcome]) -> list[list[object]]:
    """Counts by source and of all."""
    rows: list[list[object]] = []
    for source in (*dict.fromkeys(outcome.source for outcome in outcomes), "all"):
        part = [outcome for outcome in outcomes if source in (outcome.source, "all")]
        said = [outcome.verdict for outcome in part]
        rows.append([source, len(part), *(said.count(word) for word in ("refused", "ACCEPTED", "CRASHED"))])
    return rows


def main() -> None:
    """Print the table; the exit status is 1 when a picture was accepted or crashed the search."""
    parser = argparse.ArgumentParser(description="Pictures without a board, none of which may be accepted.")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write everything to this file too")
    parser.add_argument("--source", choices=("all", "skimage", "decoy"), default="all")
    parser.add_argument("--only", default="", help="only pictures whose name contains this")
    parser.add_argument(
        "--accepted", type=Path, metavar="FOLDER", help="save every picture not refused there"
    )
    parser.add_argument("--sheet", type=Path, metavar="OUT", help="save a contact sheet of all pictures")
    options = parser.parse_args()
    files, absent = skimage_files()
    outcomes, shown = [], []
    sources = {"skimage": skimage_pictures(files), "decoy": decoy_pictures(options.only)}
    for source in (sources[name] for name in sources if options.source in (name, "all")):
        for candidate in source:
            if options.only not in candidate.name:
                continue
            outcome = judge(candidate)
            outcomes.append(outcome)
            if sys.stderr.isatty() or outcome.verdict != "refused":
                print(f"{outcome.source} {outcome.name}: {outcome.verdict} {outcome.reason}", file=sys.stderr)
            if options.sheet:
                shown.append((candidate.name, candidate.rgb))
            if options.accepted and outcome.verdict != "refused":
                options.accepted.mkdir(parents=True, exist_ok=True)
                save_png(options.accepted / f"{Path(candidate.name).stem}.png", candidate.rgb)
    print(table(HEAD, map(row, outcomes)) + "\n")
    print(table(("source", "n", "refused", "ACCEPTED", "CRASHED"), totals(outcomes)) + "\n")
    print(
        f"skimage.data: {len(absent)} further pictures need a download and were skipped: {', '.join(absent)}"
    )
    print("no equipment and no EXIF given; the search for a board alone, no discs")
    print(conditions_line())
    if options.sheet and shown:
        save_png(options.sheet, montage(shown, columns=10))
    write_json(options.json, {"pictures": [asdict(outcome) for outcome in outcomes], "skipped": absent})
    raise SystemExit(int(any(outcome.verdict != "refused" for outcome in outcomes)))


def save_png(path: Path, rgb: NDArray[np.uint8]) -> None:
    """Write a picture."""
    cv2.imwrite(str(path), rgb[..., ::-1])


if __name__ == "__main__":
    main()

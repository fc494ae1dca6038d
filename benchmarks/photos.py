"""How well labelled real photos are read: ``python benchmarks/photos.py FOLDER``.

A label is a JSON file beside its photo: ``photo`` (file name), ``totals`` by team, and ``discs`` with ``x``,
``y``, ``r`` (pixels of the visible top face), ``team``, ``where`` (board, hole, ditch, tray or table) and
``score``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.matching import ReadDisc, Tally, TrueDisc, match, tally, team_names, totals_exact
from benchmarks.tables import conditions_line, share, table, write_json
from scoring.presets import preset
from service.compose import ScoredPhoto, compose
from service.errors import FAILURES
from service.sides import Sides
from vision.picture import load_picture
from vision.reading import Place

_IN_PLAY = ("board", "hole")
_TIMED_RUNS = 3


@dataclass(frozen=True, slots=True)
class Label:
    """A photo and what is true of it."""

    photo: Path
    discs: tuple[TrueDisc, ...]
    totals: dict[str, int]


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """One photo read and compared; ``refused`` says why there is no reading."""

    photo: str
    size_px: tuple[int, int] | None
    exact: bool
    true_totals: dict[str, int]
    read_totals: dict[str, int]
    names: dict[str, str | None]
    counts: Tally
    geometry: str | None
    tilt_deg: float | None
    review: int
    seconds: float
    refused: str | None = None


def load_label(path: Path) -> Label:
    """The label in a JSON file."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    discs = tuple(
        TrueDisc(
            x_px=float(disc["x"]),
            y_px=float(disc["y"]),
            radius_px=float(disc["r"]),
            team=str(disc["team"]),
            in_play=disc["where"] in _IN_PLAY,
            points=int(disc.get("score") or 0),
        )
        for disc in data["discs"]
    )
    return Label(path.parent / data["photo"], discs, {team: int(n) for team, n in data["totals"].items()})


def labels_in(folder: Path) -> list[Label]:
    """Every label of a folder whose photo is there."""
    labels = []
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict) and {"photo", "discs", "totals"} <= data.keys():
            labels.append(load_label(path))
    return [label for label in labels if label.photo.is_file()]


def read_discs(scored: ScoredPhoto) -> list[ReadDisc]:
    """The discs of a reading; one beside the board is worth nothing."""
    return [
        ReadDisc(
            x_px=disc.pixel[0],
            y_px=disc.pixel[1],
            team=disc.team,
            in_play=disc.place in (Place.BOARD, Place.HOLE),
            points=0 if disc.place is Place.OFF else scored.points[disc.id],
        )
        for disc in scored.seen.discs
    ]


def read_totals(scored: ScoredPhoto) -> dict[str, int]:
    """What each side has on the board."""
    return {side.side: side.board for side in scored.score.sides}


def score_file(path: Path, sides: int) -> ScoredPhoto:
    """Load, read and score one photo, as the command line does."""
    from vision.read import read_picture

    seen = read_picture(load_picture(path), None, sides=sides)
    return compose(seen, preset(), Sides())


def measure(label: Label, score: Callable[[], ScoredPhoto], runs: int) -> PhotoResult:
    """Read a photo, ``runs`` times after a warm-up or once without one, and compare it with its label."""
    try:
        scored, seconds = _timed(score, runs)
    except FAILURES as error:
        missed = tally(label.discs, (), {}, {})
        refused = " ".join(str(error).split())
        totals = dict(label.totals)
        return PhotoResult(label.photo.name, None, False, totals, {}, {}, missed, None, None, 0, 0.0, refused)
    discs, totals = read_discs(scored), read_totals(scored)
    pairs = match(label.discs, discs)
    names = team_names(label.discs, discs, pairs, label.totals, totals)
    return PhotoResult(
        photo=label.photo.name,
        size_px=(scored.seen.width_px, scored.seen.height_px),
        exact=totals_exact(label.totals, totals, names),
        true_totals=dict(label.totals),
        read_totals=totals,
        names=names,
        counts=tally(label.discs, discs, pairs, names),
        geometry=scored.seen.geometry,
        tilt_deg=round(float(scored.seen.board.tilt_deg), 1),
        review=len(scored.review),
        seconds=seconds,
    )


def _timed(score: Callable[[], ScoredPhoto], runs: int) -> tuple[ScoredPhoto, float]:
    if runs > 1:
        score()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        scored = score()
        times.append(time.perf_counter() - start)
    return scored, statistics.median(times)


HEAD = (
    "photo", "pixels", "exact", "totals (ours)", "in play", "missed", "invented", "points right",
    "team wrong", "elsewhere", "missed ", "invented ", "scored", "geometry", "tilt deg", "review", "s",
)  # fmt: skip


def row(result: PhotoResult) -> list[object]:
    """A photo's line of the table."""
    pixels = "-" if result.size_px is None else "x".join(map(str, result.size_px))
    words = result.refused or totals_words(result.true_totals, result.read_totals, result.names)
    return [
        result.photo, pixels, result.exact, words, *_counts(result.counts),
        result.geometry, result.tilt_deg, result.review, result.seconds,
    ]  # fmt: skip


def total_row(results: list[PhotoResult]) -> list[object]:
    """The sums over all photos; the seconds are the median."""
    counts = sum((result.counts for result in results), Tally())
    exact = share(sum(result.exact for result in results), len(results))
    review = sum(result.review for result in results)
    seconds = statistics.median(result.seconds for result in results)
    return ["all", "", exact, "", *_counts(counts), "", None, review, seconds]


def _counts(counts: Tally) -> list[object]:
    return [
        share(counts.found, counts.in_play), counts.missed, counts.invented,
        share(counts.points_right, counts.in_play), counts.team_wrong,
        share(counts.elsewhere_found, counts.elsewhere), counts.elsewhere_missed, counts.elsewhere_invented,
        counts.elsewhere_scored,
    ]  # fmt: skip


def totals_words(
    true_totals: Mapping[str, int], ours: Mapping[str, int], names: Mapping[str, str | None]
) -> str:
    """Each labelled team's total, and ours behind it where it differs."""
    words = []
    for team, points in true_totals.items():
        mine = names.get(team)
        read = 0 if mine is None else ours[mine]
        words.append(f"{team} {points}" + ("" if read == points else f" ({read})"))
    return ", ".join(words)


def main() -> None:
    """Print the table; the exit status is 0 whatever it says."""
    parser = argparse.ArgumentParser(description="How well labelled real photos are read.")
    parser.add_argument("folder", type=Path, help="photos with a JSON label beside each")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write everything to this file too")
    parser.add_argument("--only", default="", help="only photos whose name contains this")
    parser.add_argument(
        "--timed", action="store_true", help=f"seconds: median of {_TIMED_RUNS} after a warm-up"
    )
    options = parser.parse_args()
    labels = [label for label in labels_in(options.folder) if options.only in label.photo.name]
    if not labels:
        parser.error(f"no labelled photos in {options.folder}")
    runs = _TIMED_RUNS if options.timed else 1
    results = []
    for label in labels:
        sides = max(2, len(label.totals))
        results.append(measure(label, lambda path=label.photo, n=sides: score_file(path, n), runs))  # type: ignore[misc]
    print(table(HEAD, [*map(row, results), total_row(results)]))
    how = f"median of {_TIMED_RUNS} runs after a warm-up" if options.timed else "one run, no warm-up"
    print(
        f"\nn = {len(results)} photos; no equipment, camera or colours given; s: load, read and score, {how}"
    )
    print(conditions_line())
    write_json(options.json, {"photos": [asdict(result) for result in results], "timed": options.timed})


if __name__ == "__main__":
    main()

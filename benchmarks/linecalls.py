"""How good line calls are, on rendered near-line scenes: ``python benchmarks/linecalls.py FOLDER...``.

The folders hold what ``python -m benchmarks.scenes make --set linecalls`` writes. Positions with several
views (``--views``) are also ruled on from two and three photos together; a photo that cannot be read is left
out, as ``crokinole linecall`` does. ``--timed PHOTO`` compares the processor time of a line call with that of
a score instead. With "equipment known" the reader is
given what a calliper reads: the truth with an error of 0.05 mm in each of the discs' sizes and the line's
width.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.linecall_figures import (
    BUDGET_HEAD,
    ERROR_HEAD,
    GAP_HEAD,
    HONESTY_HEAD,
    RELIABILITY_HEAD,
    SPAN_MM,
    VERDICT_HEAD,
    budget_row,
    by_gap,
    error_row,
    honesty_row,
    reliability,
    verdict_row,
)
from benchmarks.linecall_time import TIME_HEAD, cpu_seconds, time_rows
from benchmarks.linecall_truth import (
    ReadScene,
    Ruled,
    near_a_line,
    read_scene,
    read_truth,
    ruled,
    ruled_together,
)
from benchmarks.tables import conditions_line, table, write_json
from service.errors import FAILURES
from vision.linecall_errors import LineCallError


@dataclass
class Pile:
    """The calls of one kind of photo, and how many there could be."""

    asked: int = 0
    calls: list[Ruled] = field(default_factory=list)

    def add(self, near: Sequence[int], calls: Mapping[int, Ruled]) -> None:
        """Add one photo's or position's discs ``near`` a line, and the calls of those that were ruled on."""
        self.asked += len(near)
        self.calls += [calls[k] for k in near if k in calls]


def positions(folders: Sequence[Path], most: int | None) -> Iterator[tuple[str, list[Path]]]:
    """Each position's name and the truth files of its views."""
    for folder in folders:
        views: dict[str, list[Path]] = defaultdict(list)
        for path in sorted(folder.glob("*.json")):
            if path.with_suffix(".jpg").exists():
                kind, number = path.stem.split("_")[:2]
                views[f"{kind}_{number}"].append(path)
        yield from list(views.items())[:most]


def measure(folders: Sequence[Path], most: int | None, *, known: bool) -> tuple[dict[str, Pile], list[str]]:
    """All calls by kind of camera and number of photos (``phone x 2``), and what was refused.

    ``same discs`` are those that were ruled on with every number of photos.
    """
    piles: dict[str, Pile] = defaultdict(Pile)
    refused = []
    for _, paths in positions(folders, most):
        kind = read_truth(paths[0])["tags"][2]
        scenes: list[ReadScene | None] = []
        for path in paths:
            near = near_a_line(read_truth(path), SPAN_MM)
            scenes.append(None)
            try:
                scenes[-1] = read_scene(path, known=known)
            except FAILURES as error:
                refused.append(f"{path.stem}: {error}")
            piles[kind].add(near, {} if scenes[-1] is None else ruled(scenes[-1]))
        if len(paths) > 1:
            near = near_a_line(read_truth(paths[0]), SPAN_MM)
            together = []
            for count in range(1, len(paths) + 1):
                try:
                    together.append(_together(scenes[:count]))
                except LineCallError as error:
                    refused.append(f"{paths[0].stem} x {count}: {error}")
                    together.append({})
                piles[f"{kind} x {count}"].add(near, together[-1])
            same = [k for k in near if all(k in calls for calls in together)]
            for count, calls in enumerate(together, 1):
                piles[f"{kind} x {count}, same discs"].add(same, calls)
    return dict(piles), refused


def _together(scenes: Sequence[ReadScene | None]) -> dict[int, Ruled]:
    """The calls from those of a position's photos that could be read."""
    good = [scene for scene in scenes if scene is not None]
    return ruled_together(good) if good else {}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="How good line calls are, on rendered near-line scenes.")
    parser.add_argument("folders", type=Path, nargs="*", help="pictures with their truth beside them")
    parser.add_argument("--timed", type=Path, metavar="PHOTO", help="a line call against a score of it")
    parser.add_argument("--pairs", type=int, default=7, help="how often both are timed, in turns")
    parser.add_argument("--most", type=int, metavar="N", help="only the first N positions of each folder")
    parser.add_argument("--known-only", action="store_true", help="leave out the run with equipment unknown")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every call to this file too")
    options = parser.parse_args()
    if options.timed is not None:
        times = cpu_seconds(options.timed, options.pairs)
        print(table(TIME_HEAD, time_rows(times)) + "\n")
        print(f"{options.timed.name}: processor seconds of all threads, in turns after one of each")
        print(conditions_line())
        write_json(options.json, times)
        return
    if not options.folders:
        parser.error("name a folder of rendered scenes, or --timed PHOTO")
    report: dict[str, Any] = {}
    for known in (True,) if options.known_only else (True, False):
        piles, refused = measure(options.folders, options.most, known=known)
        piles = {name: pile for name, pile in piles.items() if pile.calls}
        if not piles:
            parser.error("no scenes that could be read")
        title = f"equipment {'known' if known else 'unknown'}"
        print_tables(title, piles)
        if refused:
            print(f"refused with {title}:\n  " + "\n  ".join(refused) + "\n")
        report[title] = {name: _plain(pile) for name, pile in piles.items()} | {"refused": refused}
    print(
        f"discs truly within {SPAN_MM:g} mm of a line; a disc that is not found counts as too close to call"
    )
    print("outline: the visible outline against the same line's edge, always called; true millimetres")
    print(conditions_line())
    write_json(options.json, report)


def print_tables(title: str, piles: dict[str, Pile]) -> None:
    """All tables of one run."""
    items = piles.items()
    print(f"== {title}\n")
    print(table(ERROR_HEAD, [error_row(name, pile.calls, pile.asked) for name, pile in items]) + "\n")
    print(table(VERDICT_HEAD, [verdict_row(name, pile.calls, pile.asked) for name, pile in items]) + "\n")
    print(table(HONESTY_HEAD, [honesty_row(name, pile.calls) for name, pile in items]) + "\n")
    print(table(BUDGET_HEAD, [budget_row(name, pile.calls) for name, pile in items]) + "\n")
    for name, pile in items:
        print(f"{name}, {title}\n\n{table(GAP_HEAD, by_gap(pile.calls))}\n")
        print(table(RELIABILITY_HEAD, reliability(pile.calls)) + "\n")
        for call in pile.calls:
            if call.wrong:
                print(
                    f"wrong: {call.scene} true {call.true_mm:+.2f}, ours {call.gap_mm}, {call.verdict.value}"
                )


def _plain(pile: Pile) -> dict[str, Any]:
    return {
        "asked": pile.asked,
        "calls": [
            {
                "scene": call.scene,
                "true_mm": call.true_mm,
                "gap_mm": call.gap_mm.mean,
                "sigma_mm": call.gap_mm.sigma,
                "touch_probability": call.touch_probability,
                "verdict": call.verdict.value,
                "outline_mm": call.outline_mm,
            }
            for call in pile.calls
        ],
    }


if __name__ == "__main__":
    main()

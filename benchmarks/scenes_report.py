"""How well rendered scenes are read, against their truth: ``python benchmarks/scenes_report.py FOLDER``.

The folder holds what ``python -m benchmarks.scenes make`` writes: pictures, and beside each a JSON file of
its truth.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.matching import Tally
from benchmarks.scene_truth import SceneResult, compare, refused_scene
from benchmarks.tables import conditions_line, number, share, spread, table, write_json
from calibration.camera import View
from calibration.equipment import Equipment, load_equipment
from scoring.presets import preset
from service.compose import compose
from service.errors import FAILURES
from service.sides import Sides
from vision.picture import Picture, load_picture
from vision.reading import Verdict

BANDS_DEG = ((0.0, 15.0), (15.0, 40.0), (40.0, 60.0), (60.0, 90.0))


def read_scene(path: Path, equipment: Equipment | None) -> SceneResult:
    """Read one scene and compare it with its truth."""
    from vision.read import read_picture

    truth: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    sides = max(2, len(truth["totals"]))
    start = time.perf_counter()
    try:
        picture = load_picture(path.parent / truth["picture"])
        seen = read_picture(picture, equipment, sides=sides)
        scored = compose(seen, preset(), Sides())
    except FAILURES as error:
        return refused_scene(path.stem, truth, " ".join(str(error).split()))
    seconds = time.perf_counter() - start
    return compare(path.stem, truth, scored, _view_of(picture, equipment), seconds)


def _view_of(picture: Picture, equipment: Equipment | None) -> View:
    """The fitted view: a reading holds only its lines, so the board is fitted once more."""
    from calibration.board import find_board
    from calibration.prior import camera_prior

    prior = camera_prior(picture.width_px, picture.height_px, picture.focal_35mm, picture.exif_size_px)
    return find_board(picture.rgb, prior, equipment).view


def summary(results: Iterable[SceneResult]) -> dict[str, Any]:
    """The figures of some scenes together."""
    results = list(results)
    counts = sum((result.counts for result in results), Tally())
    boards = [result.board for result in results if result.board is not None]
    calls = [call for result in results for call in result.calls]
    counted = [result for result in results if result.totals_counted]
    return {
        "scenes": len(results),
        "read": len(boards),
        "totals_exact": sum(result.exact for result in counted),
        "totals_counted": len(counted),
        "board_surface_mm": spread([error for board in boards for error in board.surface_mm]),
        "board_above_mm": spread([error for board in boards for error in board.above_mm]),
        "turn_deg": spread([board.turn_deg for board in boards]),
        "position_mm": spread([error for result in results for error in result.position_mm]),
        "clearance_mm": spread([call.error_mm for call in calls]),
        "regions_right": sum(result.regions_right for result in results),
        "regions": sum(result.regions for result in results),
        "calls": len(calls),
        "calls_wrong": sum(call.wrong for call in calls),
        "calls_too_close": sum(call.verdict == Verdict.TOO_CLOSE for call in calls),
        "discs": asdict(counts),
        "seconds": statistics.median([r.seconds for r in results if r.refused is None] or [0.0]),
    }


def bands(results: list[SceneResult]) -> list[tuple[str, list[SceneResult]]]:
    """The scenes by tilt, bands without any left out, and all of them."""
    parts = [
        (f"{low:.0f}-{high:.0f} deg", [r for r in results if low <= r.tilt_deg < high])
        for low, high in BANDS_DEG
    ]
    return [*((name, part) for name, part in parts if part), ("all", results)]


def _three(values: dict[str, Any]) -> str:
    """Median / 95 % / maximum."""
    if not values["n"]:
        return "-"
    return " / ".join(number(values[key]) for key in ("median", "p95", "max"))


ERROR_HEAD = ("", "scenes", "read", "board z=0 mm", "board z=10 mm", "turn deg", "disc centre mm", "n discs")
DISC_HEAD = (
    "", "totals exact", "regions right", "in play", "missed", "invented", "team wrong",
    "elsewhere", "missed ", "invented ", "s",
)  # fmt: skip
CALL_HEAD = ("", "calls", "clearance error mm", "bias mm", "wrong", "too close", "too close %")


def error_row(name: str, s: dict[str, Any]) -> list[object]:
    """Errors in millimetres: median / 95 % / maximum."""
    return [
        name, s["scenes"], s["read"], _three(s["board_surface_mm"]), _three(s["board_above_mm"]),
        _three(s["turn_deg"]), _three(s["position_mm"]), s["position_mm"]["n"],
    ]  # fmt: skip


def disc_row(name: str, s: dict[str, Any]) -> list[object]:
    """Discs, regions and totals."""
    d = s["discs"]
    return [
        name, share(s["totals_exact"], s["totals_counted"]), share(s["regions_right"], s["regions"]),
        share(d["found"], d["in_play"]), d["missed"], d["invented"], d["team_wrong"],
        share(d["elsewhere_found"], d["elsewhere"]), d["elsewhere_missed"], d["elsewhere_invented"],
        s["seconds"],
    ]  # fmt: skip


def call_row(name: str, s: dict[str, Any]) -> list[object]:
    """Clearances and what was called on them."""
    share_close = 100.0 * s["calls_too_close"] / s["calls"] if s["calls"] else None
    bias = s["clearance_mm"]["bias"]
    return [
        name, s["calls"], _three(s["clearance_mm"]), None if bias is None else f"{bias:+.3f}",
        s["calls_wrong"], s["calls_too_close"], share_close,
    ]  # fmt: skip


SCENE_HEAD = (
    "scene", "tilt", "geometry", "exact", "board z=0", "board z=10", "turn", "disc mm", "clearance mm",
    "wrong", "too close", "regions", "missed", "invented", "elsewhere missed", "s",
)  # fmt: skip


def scene_row(result: SceneResult) -> list[object]:
    """One scene's medians and counts."""
    s = summary([result])
    exact: object = result.exact if result.totals_counted else f"{'yes' if result.exact else 'no'} (hidden)"
    return [
        result.scene, round(result.tilt_deg, 1), result.geometry or result.refused, exact,
        s["board_surface_mm"]["median"], s["board_above_mm"]["median"], s["turn_deg"]["median"],
        s["position_mm"]["median"], s["clearance_mm"]["median"], s["calls_wrong"], s["calls_too_close"],
        share(result.regions_right, result.regions), result.counts.missed, result.counts.invented,
        result.counts.elsewhere_missed, result.seconds,
    ]  # fmt: skip


def _is_truth(path: Path) -> bool:
    data = json.loads(path.read_text(encoding="utf-8"))
    return isinstance(data, dict) and {"picture", "camera", "discs", "equipment"} <= data.keys()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="How well rendered scenes are read, against their truth.")
    parser.add_argument("folder", type=Path, help="pictures with their truth beside them")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write everything to this file too")
    parser.add_argument("--verbose", action="store_true", help="a line for each scene")
    parser.add_argument("--most", type=int, metavar="N", help="only the first N scenes")
    parser.add_argument(
        "--equipment", metavar="NAME|FILE", help="equipment handed to the reader; none by default"
    )
    options = parser.parse_args()
    files = [path for path in sorted(options.folder.glob("*.json")) if _is_truth(path)][: options.most]
    if not files:
        parser.error(f"no scenes in {options.folder}")
    equipment = load_equipment(options.equipment) if options.equipment else None
    results = [read_scene(path, equipment) for path in files]
    if options.verbose:
        print(table(SCENE_HEAD, map(scene_row, results)) + "\n")
    summaries = {name: summary(part) for name, part in bands(results)}
    for head, row in ((ERROR_HEAD, error_row), (DISC_HEAD, disc_row), (CALL_HEAD, call_row)):
        print(table(head, [row(name, s) for name, s in summaries.items()]) + "\n")
    hidden = sum(not result.totals_counted for result in results)
    given = f"equipment {options.equipment}" if options.equipment else "no equipment given"
    print(f"n = {len(results)} scenes, {given}, no camera file; median / 95 % / maximum; true millimetres")
    print(f"totals: {hidden} scenes hide a scoring disc and are not counted; s: one run, median over scenes")
    print(conditions_line())
    report = {
        "bands": summaries,
        "scenes": [asdict(result) for result in results],
        "equipment": options.equipment,
    }
    write_json(options.json, report)


if __name__ == "__main__":
    main()

"""What a line call costs against a score of the same photo, in processor time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from service.linecall import LineCallOrder, call_lines
from service.score import PhotoSeeing, score_photos
from service.score_command import order_from_words


def cpu_seconds(photo: Path, pairs: int) -> dict[str, list[float]]:
    """Processor seconds of a score and of a line call on every close disc, in turns after one of each."""
    order = order_from_words(equipment=None, rules=None, twenties=(), sides=None, camera=None, annotate=None)
    works: dict[str, Callable[[], object]] = {
        "score": lambda: list(score_photos([str(photo)], order, PhotoSeeing())),
        "linecall": lambda: call_lines([str(photo)], LineCallOrder()),
    }
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(pairs + 1):
        for name, work in works.items():
            start = time.process_time()
            work()
            times[name].append(time.process_time() - start)
    return {name: seconds[1:] for name, seconds in times.items()}


TIME_HEAD = ("CPU s", "n", "median", "min", "max")


def time_rows(times: Mapping[str, Sequence[float]]) -> list[list[object]]:
    """Seconds of each, and their ratio pair by pair."""
    ratio = [call / score for call, score in zip(times["linecall"], times["score"], strict=True)]
    rows = {"score": times["score"], "linecall": times["linecall"], "ratio": ratio}
    return [[name, len(each), statistics.median(each), min(each), max(each)] for name, each in rows.items()]

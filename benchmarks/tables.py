"""Plain text tables and numbers for people, and the same as JSON."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns two spaces apart: words to the left, numbers to the right."""
    cells = [[cell_text(cell) for cell in row] for row in rows]
    values = [list(row) for row in zip(*cells, strict=True)] if cells else [[] for _ in head]
    widths = [max(map(len, (name, *column))) for name, column in zip(head, values, strict=True)]
    right = [bool(column) and all(map(_is_number, column)) for column in values]
    lines = [list(head), ["-" * width for width in widths], *cells]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def cell_text(value: object) -> str:
    """One cell: numbers to three digits, a dash for what was not measured."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)


def number(value: float) -> str:
    """About three significant digits, never in scientific notation."""
    places = 0 if value == 0 else max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(places, 3)}f}"


def share(part: int, whole: int) -> str:
    """``7/8``, or a dash where there was nothing to count."""
    return f"{part}/{whole}" if whole else "-"


def spread(values: ArrayLike) -> dict[str, float | int | None]:
    """n, median, 95 % quantile and maximum of the finite values' sizes, and their signed mean (bias)."""
    signed = np.asarray(values, dtype=np.float64).ravel()
    signed = signed[np.isfinite(signed)]
    if not signed.size:
        return {"n": 0, "median": None, "p95": None, "max": None, "bias": None}
    sizes = np.abs(signed)
    return {
        "n": int(signed.size),
        "median": float(np.median(sizes)),
        "p95": float(np.quantile(sizes, 0.95)),
        "max": float(sizes.max()),
        "bias": float(signed.mean()),
    }


def conditions() -> dict[str, str | int]:
    """What a figure depends on besides the code: processor cores, Python and the libraries."""
    import cv2

    return {
        "cores": usable_cores(),
        "opencv_threads": cv2.getNumThreads(),
        "python": platform.python_version(),
        "opencv": cv2.__version__,
        "numpy": np.__version__,
        "machine": platform.machine(),
    }


def usable_cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def conditions_line() -> str:
    """The conditions in one line."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in conditions().items())


def write_json(path: Path | None, report: dict[str, Any]) -> None:
    """Write the report with the conditions it was made under; nothing where no path was given."""
    if path is not None:
        text = json.dumps({**report, "conditions": conditions()}, indent=1, default=_plain, allow_nan=False)
        path.write_text(text + "\n", encoding="utf-8")


def _plain(value: object) -> object:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.replace("/", "").replace(".", "").replace("%", "").lstrip("-").isdigit()

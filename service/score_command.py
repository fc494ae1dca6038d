"""``crokinole score``: the order from the words typed, then each photo's result as it comes.

Results go to standard output; warnings, errors and the progress bar to standard error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from calibration.equipment import load_equipment
from service.compose import ScoredPhoto
from service.errors import ExitStatus, UsageError
from service.progress import progress_bar
from service.reading_json import reading_json
from service.rules_command import load_rules
from service.score import Order, PhotoFailure, Seeing, score_photos
from service.sides import sides_from_text
from service.terminal import console_for, printable, say, show_scored


def order_from_words(
    *,
    equipment: str | None,
    rules: str | None,
    twenties: Iterable[str],
    sides: str | None,
    camera: Path | None,
    annotate: Path | None,
) -> Order:
    """What was asked for. Raises one of :data:`~service.errors.FAILURES` for what cannot be."""
    if camera is not None and not camera.is_file():
        raise UsageError(f"there is no camera file {camera}")
    return Order(
        rules=load_rules(rules),
        sides=sides_from_text(sides, twenties),
        equipment=None if equipment is None else load_equipment(equipment),
        camera=camera,
        annotate=annotate,
    )


def run_score(photos: list[str], order: Order, seeing: Seeing, *, as_json: bool) -> ExitStatus:
    """Score the photos, printing each as it is done; the highest status of them all.

    Raises :class:`UsageError` when the order cannot be carried out for any photo.
    """
    results = score_photos(photos, order, seeing)
    out, err = console_for(), console_for(stream_is_error=True)
    status = ExitStatus.OK
    with progress_bar(err, len(photos)) as progress:
        for result in results:
            with progress.one_done():
                if as_json:
                    _print_json(result)
                else:
                    _print_for_people(result, out, err)
            if isinstance(result, PhotoFailure):
                status = max(status, result.failure.status)
    return status


def _print_json(result: ScoredPhoto | PhotoFailure) -> None:
    if isinstance(result, PhotoFailure):
        error = {"code": result.failure.code, "message": result.failure.message}
        line = json.dumps({"photo": result.photo, "error": error})
    else:
        line = json.dumps(reading_json(result), allow_nan=False)
    # Flushed, so that a program reading along gets each photo when it is done.
    print(line, flush=True)


def _print_for_people(result: ScoredPhoto | PhotoFailure, out: Console, err: Console) -> None:
    if isinstance(result, PhotoFailure):
        say(err, f"{printable(result.photo)}: {result.failure.message}")
        return
    show_scored(out, result)
    for warning in result.warnings:
        say(err, f"{printable(result.seen.photo)}: {warning}")

"""Line calls as the JSON that other programs get: a plain dict, documented in ``docs/linecall.md``."""

from __future__ import annotations

from typing import Any

from service.errors import Failure
from service.linecall import LineCalls
from service.reading_json import line_json, rounded
from vision.clearance import GapBudget
from vision.linecall_values import DiscView, LineCall, ReadPhoto


def linecalls_json(made: LineCalls) -> dict[str, Any]:
    """All that was found, its keys in the documented order; a refusal comes in the place of ``calls``."""
    photos = [_photo(*one) for one in made.photos]
    if made.refusal is not None:
        return {
            "photo": made.refusal.photo or made.photos[0][0],
            "error": _error(made.refusal),
            "photos": photos,
        }
    return {
        "photos": photos,
        "calls": [_call(call) for call in made.calls],
        "warnings": list(made.warnings),
    }


def _error(failure: Failure) -> dict[str, str]:
    return {"code": failure.code, "message": failure.message}


def _photo(name: str, read: ReadPhoto | None, failure: Failure | None) -> dict[str, Any]:
    if read is None:
        assert failure is not None
        return {"photo": name, "error": _error(failure)}
    reading = read.read.reading
    return {
        "photo": name,
        "width_px": reading.width_px,
        "height_px": reading.height_px,
        "taken": read.picture.taken or None,
        "equipment": reading.equipment,
        "geometry": reading.geometry,
        "camera": reading.board.camera,
        "tilt_deg": rounded(reading.board.tilt_deg, 1),
        "px_per_mm": rounded(read.board.view.scale_px_per_mm(), 2),
    }


def _call(call: LineCall) -> dict[str, Any]:
    return {
        "disc": call.disc.id,
        "team": call.disc.team,
        "pixel": [rounded(coordinate, 1) for coordinate in call.disc.pixel],
        "line": line_json(call.gap),
        "budget_mm": _budget(call.budget),
        "scatter": rounded(call.scatter, 2),
        "contradictory": call.contradictory,
        "views": [_view(view) for view in call.views],
        "advice": None
        if call.advice is None
        else {
            "settles": [str(way) for way in call.advice.settles],
            "sigma_mm": rounded(call.advice.sigma_mm, 3),
            "say": call.advice.words,
        },
    }


def _view(view: DiscView) -> dict[str, Any]:
    return {
        "photo": view.photo.name,
        "disc": view.disc.id,
        "line": line_json(view.gap),
        "budget_mm": _budget(view.budget),
        "weight": rounded(view.weight, 3),
        "sight_deg": rounded(view.sight_deg, 1),
    }


def _budget(budget: GapBudget) -> dict[str, float | None]:
    return {
        "lens": rounded(budget.lens_mm, 3),
        "pose": rounded(budget.pose_mm, 3),
        "profile": rounded(budget.profile_mm, 3),
        "paint": rounded(budget.paint_mm, 3),
        "edges": rounded(budget.edges_mm, 3),
    }

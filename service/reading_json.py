"""A scored photo as the ``Reading`` that other programs get: a plain dict, ready for JSON.

Numbers are rounded to where they stop meaning anything; what is unknown is ``None``, so the JSON never
holds a NaN or an infinity.
"""

from __future__ import annotations

import math
from typing import Any

from service.compose import ScoredPhoto
from vision.reading import LineGap, SeenBoard, SeenDisc


def reading_json(scored: ScoredPhoto) -> dict[str, Any]:
    """The Reading of a photo, its keys in the documented order."""
    seen = scored.seen
    return {
        "photo": seen.photo,
        "width_px": seen.width_px,
        "height_px": seen.height_px,
        "equipment": seen.equipment,
        "ring_radii_mm": [rounded(radius_mm, 2) for radius_mm in seen.ring_radii_mm],
        "geometry": seen.geometry,
        "board": _board(seen.board),
        "discs": [_disc(disc, scored) for disc in seen.discs],
        "sides": [
            {
                "team": side.side,
                "name": scored.names.get(side.side),
                "board": side.board,
                "twenties": side.twenties,
                "total": side.total,
            }
            for side in scored.score.sides
        ],
        "round": {"winner": scored.score.winner, "difference": scored.score.difference},
        "needs_review": [{"disc": review.disc, "why": review.why} for review in scored.review],
        "warnings": list(scored.warnings),
    }


def _board(board: SeenBoard) -> dict[str, Any]:
    return {
        "centre_px": _point_px(board.centre_px),
        "tilt_deg": rounded(board.tilt_deg, 1),
        "fit_rms_px": rounded(board.fit_rms_px, 2),
        "camera": board.camera,
        "lines_px": {
            str(line): [_point_px(point) for point in ring] for line, ring in board.lines_px.items()
        },
    }


def _disc(disc: SeenDisc, scored: ScoredPhoto) -> dict[str, Any]:
    return {
        "id": disc.id,
        "team": disc.team,
        "colour": disc.colour,
        "place": str(disc.place),
        "pixel": _point_px(disc.pixel),
        "x_mm": rounded(disc.x_mm, 2),
        "y_mm": rounded(disc.y_mm, 2),
        "sigma_mm": rounded(disc.sigma_mm, 3),
        "region": scored.regions[disc.id],
        "points": scored.points[disc.id],
        "line": None if disc.gap is None else line_json(disc.gap),
    }


def line_json(gap: LineGap) -> dict[str, Any]:
    """The gap to a line, as a Reading and a line call have it."""
    return {
        "name": str(gap.line),
        "clearance_mm": rounded(gap.clearance_mm.mean, 3),
        "sigma_mm": rounded(gap.clearance_mm.sigma, 3),
        "touch_probability": rounded(gap.touch_probability, 4),
        "verdict": str(gap.verdict),
    }


def _point_px(point: tuple[float, float]) -> list[float | None]:
    return [rounded(coordinate, 1) for coordinate in point]


def rounded(value: float, places: int) -> float | None:
    """The value with that many places; None for what is not a number."""
    # float() because measured values may be NumPy's; adding zero turns -0.0 into 0.0.
    return round(float(value), places) + 0.0 if math.isfinite(value) else None

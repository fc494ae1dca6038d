"""Ruling on close discs: is it on the line? From one photo, or from several of the same position.

Each photo is read as for a score. The photos' board frames are brought together by quadrant lines and by the
discs themselves, which also shows whether anything moved between them; then each disc's gaps are combined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.equipment import Equipment
from vision.clearance import GapBudget, Placed, gap_budgets, judged
from vision.linecall_advice import advice_for
from vision.linecall_align import MOVED_MM, allowed_mm, brought_together, require_unmoved, turned
from vision.linecall_combine import combined
from vision.linecall_errors import LineCallError, LineCallFault
from vision.linecall_sharp import require_sharp
from vision.linecall_values import WELL_SEEN_MM, DiscView, LineCall, ReadPhoto
from vision.outline import stand_all
from vision.picture import Picture
from vision.read import read_in_detail
from vision.reading import LineGap, Place, Verdict

CLOSE_MM = 6.0
"""Without a point given, discs nearer to a line than this are ruled on."""

_PLAINLY_THERE = 0.92  # of its outline: bare wood has up to 0.89 of one that is not there
_SURELY_SEEN = 0.68  # of its outline agrees: with less a fit may lie elsewhere (vision.outline)
_NEIGHBOURHOOD = 1.0  # how far outside a disc a point may lie, in its radii


def read_for_linecall(
    picture: Picture, equipment: Equipment | None = None, camera: Path | None = None
) -> ReadPhoto:
    """A photo read for a line call.

    Raises :class:`~calibration.errors.NoBoardError`, and :class:`LineCallError` when the picture is too small
    or too blurred to tell.
    """
    read = read_in_detail(picture, equipment, camera=camera)
    require_sharp(picture.name, read.board)
    return ReadPhoto(picture, read)


def rule(photos: Sequence[ReadPhoto], at_px: tuple[float, float] | None = None) -> tuple[LineCall, ...]:
    """The calls on the disc at a point of the first photo, or on every close one.

    Where no disc is close it is the one nearest to a line. Where the photos contradict each other on a disc
    that disc is not called; on most of the discs, that they show is not one position. Raises
    :class:`LineCallError`.
    """
    first = photos[0]
    chosen = [_disc_at(first, at_px)] if at_px is not None else _close_discs(first)
    pairings = [_paired(first, other) for other in photos[1:]]
    partners = [pairing.partners for pairing in pairings]
    misread = set().union(*(pairing.misread for pairing in pairings))
    if misread >= set(chosen):
        raise _hidden(first, chosen[0])
    chosen = [index for index in chosen if index not in misread]
    budgets = [_budgets(photo) for photo in photos]
    calls = []
    for index in chosen:
        seen = [(0, index), *((n, found[index]) for n, found in enumerate(partners, 1) if index in found)]
        views = [_view(photos[n], k, budgets[n][k]) for n, k in seen]
        calls.append(_call([view for view in views if view.gap.line == views[0].gap.line]))
    _require_agreement(calls)
    return tuple(calls)


def _require_agreement(calls: list[LineCall]) -> None:
    """Refuse photos that contradict each other on most of the discs that several of them show."""
    several = [call for call in calls if len(call.views) > 1]
    contradictory = [call for call in several if call.contradictory]
    if 2 * len(contradictory) > len(several):
        worst = max(contradictory, key=lambda call: call.scatter)
        raise LineCallError(
            LineCallFault.CONTRADICTION,
            f"the photos contradict each other on disc {worst.disc.id}: {worst.by_photo}. Did it move? "
            "Take them again",
        )


def _call(views: list[DiscView]) -> LineCall:
    """The call on one disc from all photos that show it at the same line."""
    call = combined([view.told() for view in views])
    gap = judged(views[0].gap.line, call.gap_mm)
    if call.contradictory:
        gap = replace(gap, verdict=Verdict.TOO_CLOSE)
    weighed = tuple(
        DiscView(view.photo, view.index, view.gap, view.budget, float(weight))
        for view, weight in zip(views, call.weights, strict=True)
    )
    advice = advice_for(weighed, call, gap.verdict)
    return LineCall(gap, call.budget, weighed, call.scatter, advice, call.contradictory)


def _budgets(photo: ReadPhoto) -> dict[int, GapBudget]:
    """What the sigma of each disc's gap is made of, by the disc's index."""
    placed = [Placed(photo.read.standing[k], photo.read.size.bevel_sigma_mm) for k in photo.on_board]
    return dict(zip(photo.on_board, gap_budgets(photo.board, placed), strict=True))


def _view(photo: ReadPhoto, index: int, budget: GapBudget) -> DiscView:
    gap = photo.read.gaps[index]
    assert gap is not None  # a disc on the surface has one
    return DiscView(photo, index, gap, budget)


def _disc_at(photo: ReadPhoto, at_px: tuple[float, float]) -> int:
    """The disc of which the outline holds a point or is within a disc's radius of it."""
    x, y = at_px
    if not (-0.5 <= x < photo.picture.width_px - 0.5 and -0.5 <= y < photo.picture.height_px - 0.5):
        raise LineCallError(
            LineCallFault.OUTSIDE_PICTURE,
            f"{x:g},{y:g} is outside {photo.name}, which is {photo.picture.width_px} x "
            f"{photo.picture.height_px} pixels",
            photo.name,
        )
    outlines = [np.array(disc.outline_px, dtype=np.float32) for disc in photo.discs]
    inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), True) for outline in outlines]
    reach = [_NEIGHBOURHOOD * float(np.sqrt(cv2.contourArea(outline) / np.pi)) for outline in outlines]
    index = int(np.argmax(inside)) if inside else -1
    if index < 0 or inside[index] < -reach[index]:
        hint = "" if index < 0 else f"; the nearest is disc {photo.discs[index].id} at {_px(photo, index)}"
        raise LineCallError(
            LineCallFault.NO_DISC, f"there is no disc at {x:g},{y:g} in {photo.name}{hint}", photo.name
        )
    _require_on_board(photo, index)
    return index


def _px(photo: ReadPhoto, index: int) -> str:
    x, y = photo.discs[index].pixel
    return f"{x:.0f},{y:.0f}"


def _require_on_board(photo: ReadPhoto, index: int) -> None:
    disc = photo.discs[index]
    if disc.place is Place.HOLE:
        raise LineCallError(
            LineCallFault.IN_HOLE,
            f"disc {disc.id} at {_px(photo, index)} is in the hole: there is no line to rule on",
            photo.name,
        )
    if disc.place is not Place.BOARD:
        where = "in the ditch" if disc.place is Place.DITCH else "off the board"
        raise LineCallError(
            LineCallFault.OFF_BOARD,
            f"disc {disc.id} at {_px(photo, index)} is {where}: it is out of play, whatever the lines",
            photo.name,
        )
    if index not in photo.well_seen:
        raise _hidden(photo, index)


def _hidden(photo: ReadPhoto, index: int) -> LineCallError:
    return LineCallError(
        LineCallFault.HIDDEN,
        f"too little of disc {photo.discs[index].id} at {_px(photo, index)} is seen to rule on it: take a "
        "photo in which nothing hides it",
        photo.name,
    )


def _close_discs(photo: ReadPhoto) -> list[int]:
    """The discs that are close to a line; where there are none, the closest."""
    if not photo.well_seen:
        raise LineCallError(
            LineCallFault.NO_DISCS,
            f"no disc lies on the board in {photo.name}: nothing to rule on",
            photo.name,
        )
    gaps = {k: gap for k in photo.well_seen if (gap := photo.read.gaps[k]) is not None}
    close = [k for k, gap in gaps.items() if is_close(gap)]
    return close or [min(gaps, key=lambda k: abs(gaps[k].clearance_mm.mean))]


def is_close(gap: LineGap) -> bool:
    """Whether a gap is one to rule on unasked."""
    return gap.verdict is Verdict.TOO_CLOSE or abs(gap.clearance_mm.mean) < CLOSE_MM


@dataclass(frozen=True)
class _Pairing:
    """The second photo's index of each disc of the first, and the discs that the first shows elsewhere."""

    partners: dict[int, int]
    misread: set[int]


def _paired(first: ReadPhoto, other: ReadPhoto) -> _Pairing:
    """Which discs of two photos are the same; refuses photos of other positions.

    A disc may be overlooked or misread in a crowd: before it counts as gone or moved, it is looked for in
    each photo where the other one has it. And a disc that its own photo hardly shows is no witness.
    """
    here, there = first.layout(), other.layout()
    found = brought_together(here, there)
    in_other, in_first = turned(here.xy_mm, -found.turn_rad), there.turned(found.turn_rad)
    apart = np.flatnonzero(found.apart_mm > allowed_mm(here, there, found))
    a, b = found.pairs[apart].T
    sure_here, sure_there = _plainly_seen(first), _plainly_seen(other)
    wrong_here = _stands(first, in_first[b]) | ~sure_here[a]
    misread = {first.well_seen[k] for k in a[wrong_here].tolist()}
    settled = apart[wrong_here | _stands(other, in_other[a]) | ~sure_there[b]]
    seen = np.concatenate([_would_show(other, in_other), _would_show(first, in_first)])
    seen &= np.concatenate([sure_here, sure_there])
    seen[found.pairs[settled] + np.array([0, len(here.ids)])] = False
    found = found.without(np.isin(np.arange(len(found.pairs)), settled))
    for photo, places, start, alone in (
        (other, in_other, 0, found.alone(0, len(here.ids))),
        (first, in_first, len(here.ids), found.alone(1, len(there.ids))),
    ):
        at = np.array(alone, dtype=np.intp)
        seen[start + at] &= ~_stands(photo, places[at])
    require_unmoved(here, there, found, seen)
    partners = {first.well_seen[a]: other.well_seen[b] for a, b in found.pairs.tolist()}
    return _Pairing(partners, misread)


def _plainly_seen(photo: ReadPhoto) -> NDArray[np.bool_]:
    """Which of a photo's well-seen discs have their outline where it should be, for the most part."""
    return np.array([photo.read.standing[k].agreed > _SURELY_SEEN for k in photo.well_seen], dtype=bool)


def _stands(photo: ReadPhoto, xy_mm: Array) -> NDArray[np.bool_]:
    """Whether a disc is seen to stand at places (n, 2) of a photo's board, found by detection or not."""
    standing = stand_all(photo.picture.rgb, photo.board.view, xy_mm, photo.read.size)
    return np.array(
        [
            disc.found > _PLAINLY_THERE
            and float(np.hypot(*(disc.xy_mm - place))) < MOVED_MM
            and float(np.trace(disc.covariance[:2, :2])) < 2 * WELL_SEEN_MM**2
            for disc, place in zip(standing, xy_mm, strict=True)
        ],
        dtype=bool,
    )


def _would_show(photo: ReadPhoto, xy_mm: Array) -> NDArray[np.bool_]:
    """Whether a photo would show discs at places (n, 2) of its board: inside it, and not mostly hidden."""
    radius_mm = photo.read.size.solid.widest_radius_mm
    seen = photo.shows(xy_mm, 1.5 * radius_mm * photo.board.view.scale_px_per_mm())
    for k in photo.on_board:
        if k not in photo.well_seen:
            apart = np.linalg.norm(xy_mm - photo.read.standing[k].xy_mm, axis=1)
            seen = seen & (apart > radius_mm)
    return np.asarray(seen)

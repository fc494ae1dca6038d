"""The board in a picture: found, told from what is not one, and fitted.

``find_board`` is the way in. Guesses come from a small copy of the picture and are cheap; the first one that
has what a crokinole board has is fitted to the picture itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera, View
from calibration.equipment import Equipment
from calibration.errors import FitError, NoBoardError
from calibration.fit import CameraPrior, LinePoints, RadiusPrior, RingFit, fit_rings
from calibration.hough import likely_facings
from calibration.lines import RingLine, line_points, measure_ring
from calibration.marks import Marks, find_marks
from calibration.proof import objection, objection_to_lines
from calibration.ridges import Ridges, find_ridges
from calibration.rings import RingTriple, facing_of, ring_triples

RGB = NDArray[np.uint8]
Lines = tuple[RingLine, RingLine, RingLine]
_STANDARD = Equipment().board.ring_radii_mm
_SMALL_PX = (900, 1800)  # longer side of the small copies; the larger is for a board that is far away
_MOST_GUESSES = 24
_GATE = (0.08, 0.6, 0.012)  # of the radius: first, shrinking by, at least; for points taken as a ring's
_SHARP_GATE = 0.04
_ALIGNED = 0.95
_TILTED_DEG = 14.0
_HELD_K1_SIGMA = 0.003
_POINTS = 1200
_STRIPE_MM = 6.0
_STRIPE_PX = 5.0
_PAINT_MM = 0.3  # a painted line's wandering from a true circle, until it is measured
_PAINT_RANGE_MM = (0.06, 0.6)
_WANDER_LENGTH = 3.0  # a line wanders slowly: neighbouring stretches share their error
_STANDARD_WITHIN_MM = 1.5
_PRESET_SIGMA_MM = 0.25
_MEASURED_SIGMA_MM = (10.0, 20.0)
_PLAIN_SHARE = 0.88  # of the rings seen as lines: no need to look further
_SHOWS = 0.9  # of the rms: by so much must a wider prior improve the fit to be believed
_GOOD_RMS_PX = 0.12
_MEASURED_K1_SIGMA = 0.02  # with unknown radii a lens' distortion cannot be told from them


@dataclass(frozen=True)
class FittedBoard:
    """A board as one camera sees it.

    ``view`` maps board millimetres to pixels of the whole picture; ``fit`` holds its covariance. ``lines``
    are the 15, 10 and 5 line as painted. ``geometry`` is ``preset``, ``file`` or ``measured``; ``camera`` is
    where the focal length comes from: ``file``, ``exif``, ``fitted`` or ``assumed``.
    """

    fit: RingFit
    lines: Lines
    marks: Marks
    geometry: str
    camera: str

    @property
    def view(self) -> View:
        """The map between board millimetres and pixels of the whole picture."""
        return self.fit.view

    @property
    def radii_mm(self) -> Array:
        """Radii of the 15, 10 and 5 line, to the middle of the paint; shape (3,)."""
        return self.fit.radii_mm


def find_board(rgb: RGB, prior: CameraPrior, equipment: Equipment | None = None) -> FittedBoard:
    """The crokinole board in a picture (h, w, 3).

    Raises :class:`NoBoardError` with what the best guess lacked.
    """
    refusal = NoBoardError("no concentric rings of a board's proportions")
    for side in _SMALL_PX:
        small, factor = _shrunk(rgb, side)
        for found in _proven_boards(small, prior.scaled(factor)):
            if isinstance(found, NoBoardError):
                refusal = max(refusal, found, key=lambda one: one.rings_seen)
                continue
            board = _fitted(rgb, found, prior, factor, equipment)
            against = objection_to_lines(board.lines)
            if against is None:
                return board
            refusal = max(
                refusal, NoBoardError(against, _rings_seen(board.lines)), key=lambda one: one.rings_seen
            )
        if factor == 1.0:
            break
    raise refusal


def _proven_boards(small: RGB, prior: CameraPrior) -> Iterator[FittedBoard | NoBoardError]:
    """Boards in the small picture, plain ones as they come, the others at the end; or why a guess is none."""
    partly: list[tuple[float, FittedBoard]] = []
    for guess in islice(_guesses(small, find_ridges(small), prior), _MOST_GUESSES):
        try:
            board = _proven(small, guess)
        except NoBoardError as error:
            yield error
            continue
        except FitError:
            continue
        share = _rings_seen(board.lines)
        if share > _PLAIN_SHARE:
            yield board
        else:
            partly.append((share, board))
    yield from (board for _, board in sorted(partly, key=lambda one: -one[0]))


def _rings_seen(lines: Lines) -> float:
    return float(np.mean([line.found for line in lines]))


def _shrunk(rgb: RGB, side_px: int) -> tuple[RGB, float]:
    height, width = rgb.shape[:2]
    factor = min(1.0, side_px / max(height, width))
    if factor == 1.0:
        return rgb, 1.0
    size = (round(width * factor), round(height * factor))
    return np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), size[0] / width


def _guesses(small: RGB, ridges: Ridges, prior: CameraPrior) -> Iterator[RingFit]:
    """Coarse fits to the thin-line points, likeliest first: of a whole frame, then of a crop."""
    if len(ridges) < 100:
        return
    some = ridges.some(_POINTS)
    size = (small.shape[1], small.shape[0])
    for knowledge in (prior, prior.of_a_crop(max(size))):
        for facing in likely_facings(ridges, knowledge.camera):
            held = (
                _held(knowledge)
                if facing.tilt_deg < _TILTED_DEG
                else replace(knowledge, k1_sigma=_HELD_K1_SIGMA)
            )
            for triple in ring_triples(ridges, knowledge.camera, facing, size):
                try:
                    # the surface's rim is near the 5 line and draws it away: the two inner rings give the
                    # view first
                    inner = _coarse_fit(some, triple, held, knowledge.camera, rings=2)
                    for sharp in ring_triples(
                        ridges, inner.view.camera, facing_of(inner.view), size, most=2, smear_steps=1
                    ):
                        fit = _coarse_fit(some, sharp, held, inner.view.camera, first_gate=_SHARP_GATE)
                        yield replace(fit, prior=prior)
                except FitError:
                    continue


def _held(prior: CameraPrior) -> CameraPrior:
    """Near straight above neither focal length, lens nor principal point are in the rings: they are held."""
    return replace(
        prior,
        f_relative_sigma=0.05,
        principal_sigma_px=0.2 * prior.principal_sigma_px,
        k1_sigma=_HELD_K1_SIGMA,
    )


def _coarse_fit(
    ridges: Ridges,
    triple: RingTriple,
    prior: CameraPrior,
    camera: Camera,
    *,
    rings: int = 3,
    first_gate: float = _GATE[0],
) -> RingFit:
    """The view fitted to the thin-line points near the triple's rings, or near the inner two alone."""
    gate, (_, shrink, least) = first_gate, _GATE

    def nearest(view: View, radii_mm: Array, centres: Array) -> LinePoints:
        nonlocal gate
        xy = view.mm_from_px(ridges.xy_px)
        radius = np.sqrt(np.square(xy).sum(1))
        ring = np.abs(radius[:, None] - radii_mm).argmin(1)
        normal = np.einsum("nij,ni->nj", view.px_per_mm(np.nan_to_num(xy)), ridges.normal)
        along = np.abs((normal * xy).sum(1)) / np.maximum(radius * np.linalg.norm(normal, axis=1), 1e-9)
        take = (ring < rings) & (np.abs(radius / radii_mm[ring] - 1) < gate) & (along > _ALIGNED)
        gate = max(gate * shrink, least)
        return LinePoints(ring[take], ridges.xy_px[take], np.full(int(take.sum()), 0.7))

    r5_mm = _STANDARD[2]
    scale = r5_mm / triple.radii[2]
    radii = RadiusPrior((triple.radii[0] * scale, triple.radii[1] * scale, r5_mm), _MEASURED_SIGMA_MM)
    return fit_rings(nearest, triple.view(camera, r5_mm), radii, prior)


def _proven(small: RGB, guess: RingFit) -> FittedBoard:
    """The guess fitted to its lines in the small picture; NoBoardError when it is no board."""
    lines = _measured_lines(small, guess)
    fit = _own_fit(lines, guess.view, guess.prior, max(small.shape))
    lines = _measured_lines(small, fit)
    marks = find_marks(small, fit.view, fit.radii_mm, lines[2].mix)
    against = objection(small, fit, lines, marks)
    if against is not None:
        raise NoBoardError(against, _rings_seen(lines))
    return FittedBoard(fit, lines, marks, "measured", "assumed")


def _own_fit(lines: Lines, view: View, prior: CameraPrior, side_px: int) -> RingFit:
    """The fit with the picture's own radii, of a whole frame or, where that shows, of a crop."""
    tight = replace(prior, k1_sigma=min(prior.k1_sigma, _MEASURED_K1_SIGMA))
    radii = RadiusPrior((lines[0].radius_mm, lines[1].radius_mm, lines[2].radius_mm), _MEASURED_SIGMA_MM)
    return _shown(lines, view, radii, [tight, tight.of_a_crop(side_px)])


def _shown(lines: Lines, view: View, radii: RadiusPrior, priors: list[CameraPrior]) -> RingFit:
    """The fit under the first prior, unless the rings fit much better under a later, wider one."""
    best = _weighed_fit(lines, view, radii, priors[0])
    for wider in priors[1:]:
        if best.rms_px > _GOOD_RMS_PX:
            other = _weighed_fit(lines, view, radii, wider)
            if other.rms_px < _SHOWS * best.rms_px:
                best = other
    return best


def _enlarged(board: FittedBoard, factor: float) -> RingFit:
    """The coarse fit as the start for the whole picture, its frame turned by the quadrant lines."""
    fit = board.fit
    view = (
        fit.view
        if board.marks.turn_rad is None
        else fit.view.turned(_nearest_axis(fit.view, board.marks.turn_rad))
    )
    shift = 0.5 * (1 / factor - 1)
    small = view.camera
    camera = Camera(small.f_px / factor, small.cx_px / factor + shift, small.cy_px / factor + shift, small.k1)
    return replace(fit, view=View(camera, view.rotation, view.translation_mm), centres_mm=np.zeros((3, 2)))


def _nearest_axis(view: View, turn_rad: float) -> float:
    """Of the four quadrant lines the one that points most to the picture's right: the board's x axis."""
    return max(
        (turn_rad + k * np.pi / 2 for k in range(4)), key=lambda a: float(view.turned(a).rotation[0, 0])
    )


def _fitted(
    rgb: RGB, found: FittedBoard, prior: CameraPrior, factor: float, equipment: Equipment | None
) -> FittedBoard:
    """The fit to the whole picture: lines measured, radii decided, lines measured again where they moved."""
    start = _enlarged(found, factor)
    lines = _measured_lines(rgb, start)
    fit, geometry = _decided(lines, start.view, prior, equipment, max(rgb.shape))
    lines = _measured_lines(rgb, fit)
    fit, geometry = _decided(lines, fit.view, prior, equipment, max(rgb.shape))
    marks = find_marks(rgb, fit.view, fit.radii_mm, lines[2].mix)
    learned = fit.focal_relative.sigma < 0.5 * fit.prior.f_relative_sigma
    source = "assumed" if fit.prior.source == "crop" else fit.prior.source
    camera = "fitted" if learned and source != "file" else source
    return FittedBoard(fit, lines, marks, geometry, camera)


def _decided(
    lines: Lines, view: View, prior: CameraPrior, equipment: Equipment | None, side_px: int
) -> tuple[RingFit, str]:
    """Fitted with the equipment's radii if given, the standard's if the picture agrees, else its own."""
    own = _own_fit(lines, view, prior, side_px)
    given = _STANDARD if equipment is None else equipment.board.ring_radii_mm
    fit = _shown(lines, view, RadiusPrior(given, (_PRESET_SIGMA_MM,) * 2), [prior, prior.of_a_crop(side_px)])
    if equipment is not None:
        return fit, "file"
    agrees = (
        np.abs(fit.radii_mm - _STANDARD).max() < _STANDARD_WITHIN_MM
        and fit.rms_px < 1.3 * own.rms_px + 0.1
        and fit.inliers > own.inliers - 0.1
    )
    return (fit, "preset") if agrees else (own, "measured")


def _weighed_fit(lines: Lines, view: View, radii: RadiusPrior, prior: CameraPrior) -> RingFit:
    """Fitted twice: the first residuals tell how far the painted lines wander from circles."""
    first = fit_rings(line_points(lines, view, _PAINT_MM), view, radii, prior, rounds=14)
    px_per_mm = float(np.sqrt(np.abs(np.linalg.det(view.px_per_mm(np.zeros(2))))))
    paint_mm = float(np.clip(_WANDER_LENGTH * first.rms_px / px_per_mm, *_PAINT_RANGE_MM))
    return fit_rings(line_points(lines, view, paint_mm), first.view, radii, prior, rounds=4)


def _measured_lines(rgb: RGB, fit: RingFit) -> Lines:
    px_per_mm = float(np.sqrt(np.abs(np.linalg.det(fit.view.px_per_mm(np.zeros(2))))))
    half_mm = float(np.clip(_STRIPE_PX / max(px_per_mm, 1e-6), _STRIPE_MM, 2 * _STRIPE_MM))
    inner, middle, outer = (
        measure_ring(rgb, fit.view, float(r), c, half_mm)
        for r, c in zip(fit.radii_mm, fit.centres_mm, strict=True)
    )
    return inner, middle, outer

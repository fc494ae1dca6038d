"""The board in a picture: found, told from what is not one, and fitted.

``find_board`` is the way in. Guesses come from a small copy of the picture and are cheap; the first one that
has what a crokinole board has is fitted to the picture itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from calibration.camera import Array, View
from calibration.coarse import WIDE_SIGMA_MM, Guess, guesses
from calibration.equipment import Equipment
from calibration.errors import FitError, NoBoardError
from calibration.fit import CameraPrior, LinePoints, RadiusPrior, RingFit, Start, fit_rings, trust
from calibration.line_spots import LineSpots
from calibration.lines import RingLine, measure_ring
from calibration.marks import Marks, find_marks
from calibration.pixels import RGB, AtHand, Pixels, shrunk
from calibration.proof import objection, objection_to_lines
from calibration.rings import has_proportions

Lines = tuple[RingLine, RingLine, RingLine]
_STANDARD = Equipment().board.ring_radii_mm
_SMALL_PX = (900, 1800)  # longer side of the small copies; the larger is for a board that is far away
_MOST_GUESSES = 12
_ENOUGH = 4  # partly hidden boards to choose from
_HOPELESS = 0.3  # mean share of the rings seen as lines
_NEAR_PX, _NEAR_MM = 0.5, 0.3  # a view that has moved by less shows the lines as they were measured
_STRIPE_MM = 6.0
_STRIPE_PX = 5.0
_PAINT_MM = 0.3  # a painted line's wandering from a true circle, until it is measured
_PAINT_RANGE_MM = (0.06, 0.6)
_WANDER_LENGTH = 3.0  # a line wanders slowly: neighbouring stretches share their error
_STANDARD_WITHIN_MM = 1.5
_PRESET_SIGMA_MM = 0.25
_PLAIN_SHARE = 0.88  # of the rings seen as lines: no need to look further
_CLOSE_PX, _CLOSE_MM = 0.3, 0.5  # rms that no wrong rings have
_STRETCHES, _FEW_STRETCHES = 180, 60  # of a line; the few are enough for a guess
_STRAINED = 2.0  # sigmas of the camera's prior
_RARE = 1.5  # crops are rarer than whole frames: by so much the evidence must exceed theirs
_ROUGHLY = 0.3  # sigmas, of the fit that tells how far the lines wander
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
    return find_board_in(AtHand(rgb), prior, equipment)


def find_board_in(pixels: Pixels, prior: CameraPrior, equipment: Equipment | None = None) -> FittedBoard:
    """The same in a picture of which a small copy may be at hand before the whole."""
    refusal = NoBoardError("no concentric rings of a board's proportions")
    partly: list[FittedBoard] = []
    for side in _SMALL_PX:
        small, factor = shrunk(pixels, side)
        enough = len(partly) + _ENOUGH
        for found in islice(_candidates(small, prior.scaled(factor)), _MOST_GUESSES):
            try:
                if isinstance(found, NoBoardError):
                    raise found
                board = _fitted(pixels.whole(), found.enlarged(1 / factor), prior, equipment)
            except NoBoardError as error:
                refusal = max(refusal, error, key=lambda one: one.rings_seen)
            except FitError:
                continue
            else:
                if _is_plain(board):
                    return board
                partly.append(board)
                if len(partly) == enough:
                    break
        if factor == 1.0:
            break
    if partly:
        return max(partly, key=lambda one: _rings_seen(one.lines))
    raise refusal


def _is_plain(board: FittedBoard) -> bool:
    """Whether there is no need to look further: all of the rings shows, or what shows fits closely."""
    close_px = max(_CLOSE_PX, _CLOSE_MM * board.view.scale_px_per_mm())
    return _rings_seen(board.lines) > _PLAIN_SHARE or board.fit.rms_px < close_px


def _candidates(small: RGB, prior: CameraPrior) -> Iterator[Start | NoBoardError]:
    """Where the small picture may show a board's three painted lines; or why a guess is none."""
    for guess in guesses(small, prior):
        try:
            yield _tightened(small, guess)
        except NoBoardError as error:
            yield error
        except FitError:
            continue


def _rings_seen(lines: Lines) -> float:
    return float(np.mean([line.found for line in lines]))


def _tightened(small: RGB, guess: Guess) -> Start:
    """The guess fitted to its lines in the small picture; NoBoardError when they are no board's."""
    start, against, seen = _fitted_roughly(small, guess.start, guess.prior)
    if against is not None:
        # a guess that is a little off misses much of the lines, which show once it is fitted to the rest
        start, against, seen = _fitted_roughly(small, start, guess.prior)
    if against is not None:
        raise NoBoardError(against, seen)
    return start


def _fitted_roughly(small: RGB, start: Start, prior: CameraPrior) -> tuple[Start, str | None, float]:
    """A start fitted to its lines, why they are no board's or None, and the share of the rings seen.

    Raises :class:`NoBoardError` where no fit can help.
    """
    lines = _measured_lines(small, start, _FEW_STRETCHES, profile=False)
    seen = _rings_seen(lines)
    if seen < _HOPELESS:
        raise NoBoardError("the rings are not lines all the way round", seen)
    fit = _own_fit(LineSpots.of(lines, start.view), start, prior, max(small.shape))
    if not has_proportions(fit.radii_mm):
        raise NoBoardError("the rings do not have a board's proportions", seen)
    return Start.at(fit), objection_to_lines(lines), seen


def _own_fit(spots: LineSpots, start: Start, prior: CameraPrior, side_px: int) -> RingFit:
    """The fit with the picture's own radii: of a straight lens or, where that shows, a bent one or a crop."""
    tight = replace(prior, k1_sigma=min(prior.k1_sigma, _MEASURED_K1_SIGMA))
    inner, middle, outer = start.radii_mm.tolist()
    radii = RadiusPrior((inner, middle, outer), WIDE_SIGMA_MM)
    return _shown(spots, start, radii, [tight, prior, tight.of_a_crop(side_px)])


def _shown(spots: LineSpots, start: Start, radii: RadiusPrior, priors: list[CameraPrior]) -> RingFit:
    """The fit under the first prior, unless the rings strain that and speak for a later, wider one."""
    best, points = _weighed_fit(spots, start, radii, priors[0])
    here = trust(points, best, radii)
    for wider in priors[1:]:
        if here.strain < _STRAINED:
            break
        other = fit_rings(points, Start.at(best), radii, wider)
        there = trust(points, other, radii)
        if there.log_evidence > here.log_evidence + _RARE:
            best, here = _weighed_fit(spots, Start.at(other), radii, wider)[0], there
    return best


def _nearest_axis(view: View, turn_rad: float) -> float:
    """Of the four quadrant lines the one that points most to the picture's right: the board's x axis."""
    return max(
        (turn_rad + k * np.pi / 2 for k in range(4)), key=lambda a: float(view.turned(a).rotation[0, 0])
    )


def _fitted(rgb: RGB, start: Start, prior: CameraPrior, equipment: Equipment | None) -> FittedBoard:
    """The fit to the whole picture: lines measured, radii decided, and again where the lines have moved.

    Raises :class:`NoBoardError` when the whole picture shows that it is no board.
    """
    lines = _measured_lines(rgb, start)
    fit, geometry = _decided(lines, start, prior, equipment, max(rgb.shape))
    if _moved_px(start, fit) > max(_NEAR_PX, _NEAR_MM * fit.view.scale_px_per_mm()):
        start = Start.at(fit)
        lines = _measured_lines(rgb, start)
        fit, geometry = _decided(lines, start, prior, equipment, max(rgb.shape))
    marks = find_marks(rgb, fit.view, fit.radii_mm, lines[2].mix)
    if marks.turn_rad is not None:
        turn_rad = _nearest_axis(fit.view, marks.turn_rad)
        fit, marks = fit.turned(turn_rad), replace(marks, turn_rad=0.0)
    lines = _seen_from(lines, start, fit)
    if equipment is not None:
        inner, middle, outer = (line.of_known_width(equipment.board.line_width_mm) for line in lines)
        lines = inner, middle, outer
    against = objection(rgb, fit, lines, marks)
    if against is not None:
        raise NoBoardError(against, _rings_seen(lines))
    learned = fit.focal_relative.sigma < 0.5 * fit.prior.f_relative_sigma
    source = "assumed" if fit.prior.source == "crop" else fit.prior.source
    camera = "fitted" if learned and source != "file" else source
    return FittedBoard(fit, lines, marks, geometry, camera)


def _decided(
    lines: Lines, start: Start, prior: CameraPrior, equipment: Equipment | None, side_px: int
) -> tuple[RingFit, str]:
    """Fitted with the equipment's radii if given, the standard's if the picture agrees, else its own."""
    priors, spots = [prior, prior.of_a_crop(side_px)], LineSpots.of(lines, start.view)
    if equipment is not None:
        return _shown(spots, start, _preset(equipment.board.ring_radii_mm), priors), "file"
    own = _own_fit(spots, start, prior, side_px)
    fit = _shown(spots, replace(start, radii_mm=np.array(_STANDARD)), _preset(_STANDARD), priors)
    agrees = (
        np.abs(fit.radii_mm - _STANDARD).max() < _STANDARD_WITHIN_MM
        and fit.rms_px < 1.3 * own.rms_px + 0.1
        and fit.inliers > own.inliers - 0.1
    )
    return (fit, "preset") if agrees else (own, "measured")


def _preset(radii_mm: tuple[float, float, float]) -> RadiusPrior:
    return RadiusPrior(radii_mm, (_PRESET_SIGMA_MM,) * 2)


def _weighed_fit(
    spots: LineSpots, start: Start, radii: RadiusPrior, prior: CameraPrior
) -> tuple[RingFit, LinePoints]:
    """Fitted twice: the first residuals tell how far the painted lines wander from circles.

    With it the points as weighed.
    """
    first = fit_rings(spots.weighed(_PAINT_MM), start, radii, prior, settled=_ROUGHLY)
    paint_mm = float(np.clip(_WANDER_LENGTH * first.rms_px / spots.view.scale_px_per_mm(), *_PAINT_RANGE_MM))
    points = spots.weighed(paint_mm)
    return fit_rings(points, Start.at(first), radii, prior), points


def _measured_lines(rgb: RGB, at: Start, stretches: int = _STRETCHES, *, profile: bool = True) -> Lines:
    """The painted lines looked for at a start; roughly with few ``stretches`` and without their profile."""
    half_mm = float(np.clip(_STRIPE_PX / max(at.view.scale_px_per_mm(), 1e-6), _STRIPE_MM, 2 * _STRIPE_MM))
    inner, middle, outer = (
        measure_ring(rgb, at.view, float(r), c, half_mm, stretches=stretches, profile=profile)
        for r, c in zip(at.radii_mm, at.centres_mm, strict=True)
    )
    return inner, middle, outer


def _seen_from(lines: Lines, measured: Start, fit: RingFit) -> Lines:
    """The same lines as they lie on the board under a new fit."""
    inner, middle, outer = (
        line.seen_from(measured.view, fit.view, float(radius), centre)
        for line, radius, centre in zip(lines, fit.radii_mm, fit.centres_mm, strict=True)
    )
    return inner, middle, outer


def _moved_px(before: Start, after: RingFit) -> float:
    """By how many pixels the rings have moved at most, between two fits."""
    moved = Start.at(after).outlines_px() - before.outlines_px()
    return float(np.linalg.norm(moved, axis=-1).max())

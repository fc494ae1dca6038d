"""All ring lines fitted together, as concentric circles seen by one camera.

Unknown are the pose, the focal length, one radial distortion term, the principal point, the radii of the two
inner rings (the 5 line sets the scale) and how far each inner ring was painted off the 5 line's centre. Each
unknown that a photo may not determine has a prior, so the fit never runs away where the picture is silent
(from straight above the focal length is not in the rings at all), and the covariance says how far it may be
off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Array, Camera, View
from calibration.errors import FitError
from calibration.measured import Measured
from calibration.ring_model import UNKNOWNS, RingModel
from calibration.solve import Prior, covariance, information, log_evidence, minimised

#: A ring is off the common centre by about as much; where it is more, the rms says so and each line is
#: measured where it is.
_OFF_CENTRE_MM = 0.15
_CROP_LENGTHENS = 1.25  # the focal length, in shares of the smaller frame
#: Residual, in sigmas, of a point that no longer meets the board.
LOST = 1e3
_CAMERA = slice(5, 9)  # of the unknowns: focal length, k1 and principal point
_SETTLED = 0.02  # sigmas: a smaller step is none


@dataclass(frozen=True, slots=True)
class CameraPrior:
    """What is known of the camera before the rings are looked at.

    ``f_px`` mean and the relative sigma of the focal length; the principal point's sigma; that of k1.
    ``source`` is ``file``, ``exif``, ``assumed`` or ``crop`` (assumed, and part of a larger frame).
    """

    camera: Camera
    f_relative_sigma: float
    principal_sigma_px: float
    k1_sigma: float
    source: str

    def scaled(self, factor: float) -> CameraPrior:
        """The same camera with the picture resized by ``factor`` (pixel centres at whole numbers)."""
        shift = 0.5 * (factor - 1.0)
        camera = Camera(
            self.camera.f_px * factor,
            self.camera.cx_px * factor + shift,
            self.camera.cy_px * factor + shift,
            self.camera.k1,
        )
        return replace(self, camera=camera, principal_sigma_px=self.principal_sigma_px * factor)

    def of_a_crop(self, side_px: int) -> CameraPrior:
        """What is left of the knowledge when the picture may be any part of a larger one."""
        if self.source == "crop":
            return self
        return replace(
            self,
            camera=replace(self.camera, f_px=self.camera.f_px * _CROP_LENGTHENS),
            f_relative_sigma=max(self.f_relative_sigma, 0.35),
            principal_sigma_px=max(self.principal_sigma_px, 0.15 * side_px),
            source="crop",
        )


@dataclass(frozen=True)
class LinePoints:
    """Sub-pixel points on the middle of the painted lines: ``ring`` 0, 1, 2 from the 15 line outward."""

    ring: np.ndarray
    xy_px: Array
    sigma_px: Array

    def __len__(self) -> int:
        return len(self.ring)


@dataclass(frozen=True)
class RadiusPrior:
    """Radii of the three lines and how well the inner two are known; the 5 line is exact: it is the scale."""

    radii_mm: tuple[float, float, float]
    sigma_mm: tuple[float, float]


@dataclass(frozen=True)
class RingFit:
    """The fitted view and rings.

    ``radii_mm`` (3,) to the middle of each line; ``centres_mm`` (3, 2) of each ring, the 5 line's at the
    origin. ``covariance`` is of ``parameters`` (see :mod:`calibration.ring_model`), scaled by the residuals.
    ``rms_px`` is of the points that count; ``inliers`` their share.
    """

    parameters: Array
    covariance: Array
    base: View
    radii_mm: Array
    centres_mm: Array
    view: View
    rms_px: float
    inliers: float
    prior: CameraPrior

    def perturbed(self, parameters: Array) -> tuple[View, Array, Array]:
        """View, radii and centres for other parameters: later stages carry the covariance through this."""
        return RingModel(self.base, float(self.radii_mm[2])).unpack(parameters)

    def turned(self, angle_rad: float) -> RingFit:
        """The same fit with the board frame turned about its normal: what lay at that angle comes to 0."""
        c, s = math.cos(angle_rad), math.sin(angle_rad)
        turn = np.array([[c, s], [-s, c]])
        change = np.eye(UNKNOWNS)
        for first in (0, 11, 13):  # the lean's axis and the centres turn with the frame
            change[first : first + 2, first : first + 2] = turn
        parameters, base = change @ self.parameters, self.base.turned(angle_rad)
        view, radii_mm, centres_mm = RingModel(base, float(self.radii_mm[2])).unpack(parameters)
        return replace(
            self,
            parameters=parameters,
            covariance=change @ self.covariance @ change.T,
            base=base,
            radii_mm=radii_mm,
            centres_mm=centres_mm,
            view=view,
        )

    @property
    def focal_relative(self) -> Measured:
        """The focal length's logarithm and its sigma after the fit."""
        return Measured(float(self.parameters[5]), float(np.sqrt(max(self.covariance[5, 5], 0.0))))


@dataclass(frozen=True)
class Start:
    """Where a fit begins: the view, radii (3,) and centres (3, 2) of an earlier one, or of a guess."""

    view: View
    radii_mm: Array
    centres_mm: Array

    @classmethod
    def at(cls, fit: RingFit) -> Start:
        """Where another fit ended."""
        return cls(fit.view, fit.radii_mm, fit.centres_mm)

    def outlines_px(self) -> Array:
        """Sixteen points on each ring's picture, at the same directions on the board; shape (3, 16, 2)."""
        angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        unit = np.stack([np.cos(angle), np.sin(angle)], 1)
        return self.view.px_from_mm(self.centres_mm[:, None] + self.radii_mm[:, None, None] * unit)

    def enlarged(self, factor: float) -> Start:
        """The same board in the picture resized by ``factor``."""
        camera, shift = self.view.camera, 0.5 * (factor - 1.0)
        centre = camera.cx_px * factor + shift, camera.cy_px * factor + shift
        larger = Camera(camera.f_px * factor, *centre, camera.k1)
        return replace(self, view=View(larger, self.view.rotation, self.view.translation_mm))

    def is_like(self, other: Start, within: float) -> bool:
        """Whether the other's rings lie on these to that share of the radii, however the board is turned."""
        from_centre = self.view.mm_from_px(other.outlines_px()) - self.centres_mm[:, None]
        off = np.linalg.norm(from_centre, axis=2) / self.radii_mm[:, None] - 1
        return bool(np.abs(off).max() < within)


def fit_rings(
    points: LinePoints,
    start: Start | View,
    radii: RadiusPrior,
    prior: CameraPrior,
    *,
    rounds: int = 20,
    settled: float = _SETTLED,
) -> RingFit:
    """Robust least squares over all unknowns (iteratively reweighted, Cauchy).

    A bare view starts with the expected radii, about one centre. Raises :class:`FitError` for too few points,
    and for points that no camera before the board sees.
    """
    if len(points) < UNKNOWNS:
        raise FitError(f"only {len(points)} points on the lines")
    if isinstance(start, View):
        start = Start(start, np.array(radii.radii_mm), np.zeros((3, 2)))
    model = model_at(start, prior, radii)
    known = ring_prior(radii, prior)
    p, residual, jacobian = minimised(
        model.unknowns(start.view.camera, start.radii_mm, start.centres_mm),
        lambda q: in_sigmas(model, q, points),
        known,
        rounds,
        settled,
    )
    inlier = np.abs(residual) < 3.0 * max(1.0, 1.4826 * float(np.median(np.abs(residual))))
    spread = float(np.sqrt(np.mean(np.square(residual[inlier]))))
    spread_matrix = covariance(information(residual, jacobian), known, max(spread, 1.0))
    rms = float(np.sqrt(np.mean(np.square((residual * points.sigma_px)[inlier]))))
    view, radii_mm, centres = model.unpack(p)
    if view.translation_mm[2] <= 0.0:
        raise FitError("the rings would lie behind the camera")
    return RingFit(p, spread_matrix, model.base, radii_mm, centres, view, rms, float(inlier.mean()), prior)


@dataclass(frozen=True)
class Trust:
    """How a fit and its prior get on.

    ``log_evidence`` is the logarithm of how likely the points were under it, up to what all priors share;
    ``strain`` by how many sigmas the camera is off it.
    """

    log_evidence: float
    strain: float


def trust(points: LinePoints, fit: RingFit, radii: RadiusPrior) -> Trust:
    """What the points say of the prior that they were fitted under."""
    start = Start.at(fit)
    model, known = model_at(start, fit.prior, radii), ring_prior(radii, fit.prior)
    p = model.unknowns(start.view.camera, start.radii_mm, start.centres_mm)
    evidence = log_evidence(p, *in_sigmas(model, p, points), known)
    # the model counts its three distances in the base's own, which differs from prior to prior
    evidence += 3.0 * math.log(float(model.base.translation_mm[2]))
    return Trust(evidence, float(np.abs(known.residual(p)[_CAMERA]).max()))


def model_at(start: Start, prior: CameraPrior, radii: RadiusPrior) -> RingModel:
    """The unknowns counted from a start's pose and the camera that is expected."""
    return RingModel(View(prior.camera, start.view.rotation, start.view.translation_mm), radii.radii_mm[2])


def in_sigmas(model: RingModel, p: Array, points: LinePoints) -> tuple[Array, Array]:
    """Residuals (n,) across the lines' pictures in sigmas, and their Jacobian (n, 15).

    A point that does not meet the board has a large residual and no slope.
    """
    residual, jacobian, _ = in_sigmas_and_mm(model, p, points)
    return residual, jacobian


def in_sigmas_and_mm(model: RingModel, p: Array, points: LinePoints) -> tuple[Array, Array, Array]:
    """The same, and how many sigmas (n,) a millimetre is at each point."""
    mm, columns = model.linearised(p, points.ring, points.xy_px)
    across_x, across_y = model.mm_per_px(columns)
    per_mm = 1.0 / (np.sqrt(across_x * across_x + across_y * across_y) * points.sigma_px)
    residual, jacobian = mm * per_mm, columns * per_mm
    lost = np.isnan(residual)
    if lost.any():
        residual[lost], jacobian[:, lost], per_mm[lost] = LOST, 0.0, 0.0
    return residual, jacobian.T, per_mm


def ring_prior(radii: RadiusPrior, prior: CameraPrior) -> Prior:
    """What is known of the 15 unknowns; of the pose, nothing."""
    mean, sigma = np.zeros(UNKNOWNS), np.full(UNKNOWNS, np.inf)
    mean[6] = prior.camera.k1
    mean[9:11] = np.log(np.array(radii.radii_mm[:2]) / radii.radii_mm[2])
    sigma[5], sigma[6] = prior.f_relative_sigma, prior.k1_sigma
    sigma[7:9] = prior.principal_sigma_px / prior.camera.f_px
    sigma[9:11] = np.array(radii.sigma_mm) / np.array(radii.radii_mm[:2])
    sigma[11:15] = _OFF_CENTRE_MM / radii.radii_mm[2]
    return Prior(mean, 1.0 / sigma)

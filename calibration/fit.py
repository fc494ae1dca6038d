"""All ring lines fitted together, as concentric circles seen by one camera.

Unknown are the pose, the focal length, one radial distortion term, the principal point, the radii of the two
inner rings (the 5 line sets the scale) and how far each inner ring was painted off the 5 line's centre. Each
unknown that a photo may not determine has a prior, so the fit never runs away where the picture is silent
(from straight above the focal length is not in the rings at all), and the covariance says how far it may be
off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import Array, Camera, View
from calibration.errors import FitError
from calibration.measured import Measured
from calibration.solve import covariance, robust_step

#: A ring is off the common centre by about as much; where it is more, the rms says so and each line is
#: measured where it is.
_OFF_CENTRE_MM = 0.15
_POSE = 5
_CROP_LENGTHENS = 1.25  # the focal length, in shares of the smaller frame
_LOST = 1e3  # residual of a point that no longer meets the board


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
    origin. ``covariance`` is of ``parameters`` (see ``unpack``), scaled by the residuals. ``rms_px`` is of
    the points that count; ``inliers`` their share.
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
        return _unpack(parameters, self.base, self.prior, float(self.radii_mm[2]))

    @property
    def focal_relative(self) -> Measured:
        """The focal length's logarithm and its sigma after the fit."""
        return Measured(float(self.parameters[5]), float(np.sqrt(max(self.covariance[5, 5], 0.0))))


def fit_rings(
    points: LinePoints | Callable[[View, Array, Array], LinePoints],
    start: View,
    radii: RadiusPrior,
    prior: CameraPrior,
    *,
    rounds: int = 8,
    steps: int = 1,
) -> RingFit:
    """Robust least squares over all unknowns (iteratively reweighted, Cauchy).

    ``points`` may be a function of the present view, radii and centres: then the points are found anew each
    round.
    """
    parameters = _start(start, radii, prior)
    base = View(prior.camera, start.rotation, start.translation_mm)
    r5 = radii.radii_mm[2]
    for _ in range(rounds):
        view, radii_mm, centres = _unpack(parameters, base, prior, r5)
        seen = points(view, radii_mm, centres) if callable(points) else points
        if len(seen) < len(parameters):
            raise FitError(f"only {len(seen)} points on the lines")
        scale = _radial_px_per_mm(view, seen, centres) / seen.sigma_px

        def data(p: Array, s: LinePoints = seen, per_mm: Array = scale) -> Array:
            return np.nan_to_num(_radial_mm(p, base, prior, r5, s) * per_mm, nan=_LOST)

        for _ in range(steps):
            parameters, jacobian = robust_step(parameters, data, lambda p: _prior_residuals(p, radii, prior))
    view, radii_mm, centres = _unpack(parameters, base, prior, r5)
    residual = data(parameters)
    inlier = np.abs(residual) < 3.0 * max(1.0, 1.4826 * float(np.median(np.abs(residual))))
    spread = float(np.sqrt(np.mean(np.square(residual[inlier]))))
    spread_matrix = covariance(jacobian, len(seen), max(spread, 1.0))
    rms = float(np.sqrt(np.mean(np.square((residual * seen.sigma_px)[inlier]))))
    return RingFit(parameters, spread_matrix, base, radii_mm, centres, view, rms, float(inlier.mean()), prior)


def _start(start: View, radii: RadiusPrior, prior: CameraPrior) -> Array:
    p = np.zeros(_POSE + 4 + 2 + 4)
    p[5] = np.log(start.camera.f_px / prior.camera.f_px)
    p[6] = start.camera.k1
    p[7] = (start.camera.cx_px - prior.camera.cx_px) / prior.camera.f_px
    p[8] = (start.camera.cy_px - prior.camera.cy_px) / prior.camera.f_px
    p[9:11] = np.log(np.array(radii.radii_mm[:2]) / radii.radii_mm[2])
    return p


def _unpack(p: Array, base: View, prior: CameraPrior, r5_mm: float) -> tuple[View, Array, Array]:
    """View, radii (3,) and centres (3, 2) of the parameters p (15,).

    In order: lean (2), shift as shares of the distance (3), log f, k1, principal point / f (2), log radii
    (2), inner rings' centres as shares of the 5 line's radius (4).
    """
    rotation = base.rotation @ cv2.Rodrigues(np.array([p[0], p[1], 0.0]))[0]
    translation = base.translation_mm + p[2:5] * base.translation_mm[2]
    f0 = prior.camera.f_px
    camera = Camera(
        f0 * float(np.exp(p[5])),
        prior.camera.cx_px + float(p[7]) * f0,
        prior.camera.cy_px + float(p[8]) * f0,
        float(p[6]),
    )
    radii = np.array([*(np.exp(p[9:11]) * r5_mm), r5_mm])
    centres = np.concatenate([p[11:15].reshape(2, 2) * r5_mm, np.zeros((1, 2))])
    return View(camera, rotation, translation), radii, centres


def _prior_residuals(p: Array, radii: RadiusPrior, prior: CameraPrior) -> Array:
    principal = prior.principal_sigma_px / prior.camera.f_px
    logs = np.log(np.array(radii.radii_mm[:2]) / radii.radii_mm[2])
    ratio_sigma = np.array(radii.sigma_mm) / np.array(radii.radii_mm[:2])
    return np.concatenate(
        [
            [p[5] / prior.f_relative_sigma, (p[6] - prior.camera.k1) / prior.k1_sigma],
            p[7:9] / principal,
            (p[9:11] - logs) / ratio_sigma,
            p[11:15] * radii.radii_mm[2] / _OFF_CENTRE_MM,
        ]
    )


def _radial_mm(p: Array, base: View, prior: CameraPrior, r5_mm: float, seen: LinePoints) -> Array:
    """Distance of each point from its ring on the board, positive outward."""
    view, radii, centres = _unpack(p, base, prior, r5_mm)
    offset = view.mm_from_px(seen.xy_px) - centres[seen.ring]
    return np.asarray(np.sqrt(np.square(offset).sum(1)) - radii[seen.ring])


def _radial_px_per_mm(view: View, seen: LinePoints, centres: Array) -> Array:
    """How many pixels across the line's picture one radial millimetre is, at each point.

    A point's offset along the tangent does not matter, so this is the distance between the tangent lines:
    ``det J / |J t|``.
    """
    at = view.mm_from_px(seen.xy_px)
    offset = at - centres[seen.ring]
    tangent = np.stack([-offset[:, 1], offset[:, 0]], 1) / np.maximum(
        np.linalg.norm(offset, axis=1, keepdims=True), 1e-9
    )
    jacobian = view.px_per_mm(at)
    along = np.linalg.norm(np.einsum("nij,nj->ni", jacobian, tangent), axis=1)
    return np.asarray(np.abs(np.linalg.det(jacobian)) / np.maximum(along, 1e-9))

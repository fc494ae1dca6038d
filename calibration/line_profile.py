"""How wide a painted line is: a box blurred by a Gaussian, fitted to the line's mean profile.

Where the blur is wider than the line only the product of width and contrast is seen; then the prior decides
and sigma says so.
"""

from __future__ import annotations

import math

import numpy as np

from calibration.camera import Array
from calibration.measured import Measured
from calibration.solve import Prior, information, robust_step

#: Lines are 1.5 to 3 mm wide by the makers' figures; thin pen lines of 0.8 mm are seen at home.
_WIDTH_PRIOR_MM = (1.6, 0.45)  # median, and sigma of the logarithm
_BLUR_PRIOR_PX = (0.8, 0.35)  # sigma of a photo's point spread, and sigma of its logarithm
_FLOOR_SIGMA = 0.1  # of the peak
_NOISE = 0.02  # of the peak
_ROUNDS = 8
_SETTLED = 0.01  # sigmas
_LEAST_SIGMA_MM = 0.03
_SHARPENING_PX = 0.25  # cameras sharpen, and a thin line's width pays for it
_MOST_LOG = 4.0


def fit_profile(template: Array, s_mm: Array, px_per_mm: float) -> tuple[Measured, float, float]:
    """Width (mm), blur (px) and middle (mm) of a line from its mean profile (n,) at ``s_mm`` (n,)."""
    peak = float(template.max())
    rough = float(np.clip((s_mm[1] - s_mm[0]) * template.clip(0).sum() / max(peak, 1e-9), 0.3, 6.0))
    box = _Box(s_mm, template, rough, 1.0 / px_per_mm, peak)
    prior = Prior(
        np.array([-math.log(rough / _WIDTH_PRIOR_MM[0]), math.log(_BLUR_PRIOR_PX[0]), 0.0, 0.0, 0.0]),
        np.array([1.0 / _WIDTH_PRIOR_MM[1], 1.0 / _BLUR_PRIOR_PX[1], 0.0, 0.0, 1.0 / _FLOOR_SIGMA]),
    )
    p = np.array([0.0, math.log(_BLUR_PRIOR_PX[0]), 0.0, 0.0, 0.0])
    for _ in range(_ROUNDS):
        step = robust_step(p, *box.linearised(p), box.residual, prior)
        p = step.p
        if step.moved < _SETTLED:
            break
    known = information(*box.linearised(p)) + np.diag(np.square(prior.weight))
    sigma = float(np.sqrt(np.linalg.pinv(known, hermitian=True)[0, 0]))
    width, blur_px = (float(v) for v in np.exp(np.clip(p[:2], -_MOST_LOG, _MOST_LOG)) * [rough, 1.0])
    sigma_mm = math.hypot(width * sigma, _LEAST_SIGMA_MM, _SHARPENING_PX / px_per_mm)
    return Measured(width, sigma_mm), blur_px, float(p[3])


class _Box:
    """The model of a profile.

    Its unknowns: log width / rough, log blur in pixels, log contrast / peak, middle (mm), floor / peak.
    """

    def __init__(self, s_mm: Array, template: Array, rough_mm: float, mm_per_px: float, peak: float) -> None:
        self._s_mm = s_mm
        self._template = template
        self._units = rough_mm, mm_per_px, peak
        self._peak = peak

    def residual(self, p: Array) -> Array:
        """Model less profile in sigmas; shape (n,)."""
        _, _, contrast, ends = self._edges(p)
        return self._off(p, contrast, _normal_share(ends))

    def linearised(self, p: Array) -> tuple[Array, Array]:
        """``residual`` and its derivatives (n, 5)."""
        width, blur, contrast, ends = self._edges(p)
        share, slope = _normal_share(ends), _normal(ends)
        columns = np.empty((5, ends.shape[1]))
        columns[0] = (slope[0] + slope[1]) * (contrast * width / (2 * blur))
        columns[1] = (slope[1] * ends[1] - slope[0] * ends[0]) * contrast
        columns[2] = (share[0] - share[1]) * contrast
        columns[3] = (slope[1] - slope[0]) * (contrast / blur)
        columns[4] = self._peak
        return self._off(p, contrast, share), columns.T / (_NOISE * self._peak)

    def _off(self, p: Array, contrast: float, share: Array) -> Array:
        model = contrast * (share[0] - share[1]) + p[4] * self._peak
        return np.asarray((model - self._template) / (_NOISE * self._peak))

    def _edges(self, p: Array) -> tuple[float, float, float, Array]:
        """Width, blur, contrast, and how many blurs each place (n,) is inside either edge; (2, n)."""
        width, blur, contrast = (
            math.exp(min(max(value, -_MOST_LOG), _MOST_LOG)) * unit
            for value, unit in zip(p[:3].tolist(), self._units, strict=True)
        )
        from_middle = (self._s_mm - p[3]) / blur
        half = width / 2 / blur
        return width, blur, contrast, np.stack([from_middle + half, from_middle - half])


def _normal_share(x: Array) -> Array:
    """The share of a normal distribution below x, any shape, to a ten-millionth.

    Abramowitz and Stegun, 7.1.26: loading SciPy for its own takes half as long as a photo.
    """
    t = 1.0 / (1.0 + 0.3275911 / math.sqrt(2) * np.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    tail = 0.5 * series * np.exp(-0.5 * np.square(x))
    return np.where(x > 0, 1.0 - tail, tail)


def _normal(x: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.square(x)) / math.sqrt(2 * math.pi))

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
        self._units = np.array([rough_mm, mm_per_px, peak])
        self._peak = peak

    def residual(self, p: Array) -> Array:
        """Model less profile in sigmas; shape (n,)."""
        _, _, contrast, rise, fall = self._edges(p)
        model = contrast * (_normal_share(rise) - _normal_share(fall)) + p[4] * self._peak
        return np.asarray((model - self._template) / (_NOISE * self._peak))

    def linearised(self, p: Array) -> tuple[Array, Array]:
        """``residual`` and its derivatives (n, 5)."""
        width, blur, contrast, rise, fall = self._edges(p)
        up, down = _normal(rise), _normal(fall)
        here = self.residual(p)
        box = here * (_NOISE * self._peak) + self._template - p[4] * self._peak
        columns = [
            contrast * (up + down) * width / (2 * blur),
            contrast * (down * fall - up * rise),
            box,
            contrast * (down - up) / blur,
            np.full(len(here), self._peak),
        ]
        return here, np.stack(columns, 1) / (_NOISE * self._peak)

    def _edges(self, p: Array) -> tuple[float, float, float, Array, Array]:
        width, blur, contrast = (
            float(v) for v in np.exp(np.clip(p[:3], -_MOST_LOG, _MOST_LOG)) * self._units
        )
        from_middle = self._s_mm - p[3]
        return width, blur, contrast, (from_middle + width / 2) / blur, (from_middle - width / 2) / blur


def _normal_share(x: Array) -> Array:
    """The share (n,) of a normal distribution below x (n,)."""
    # of some ninety values: SciPy's takes longer to load than a photo to read
    return np.array([0.5 * math.erfc(-value) for value in (x / math.sqrt(2)).tolist()])


def _normal(x: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.square(x)) / math.sqrt(2 * math.pi))

"""Sub-pixel points on the painted lines, and what the lines look like.

Around each ring the picture is sampled in board coordinates, across the line and along it, so that a line is
a straight stripe whatever the view. Averaged along a few degrees of arc the line stays and the wood's grain
goes. The stripe's own mean profile is the template; each stretch of arc is matched to it by the linear
least-squares shift (Lucas-Kanade in one dimension). The colour mix that shows the line best against the
wood's own variation is Fisher's discriminant.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.fit import LinePoints
from calibration.measured import Measured
from calibration.solve import robust_step

_STRETCHES = 180
_RAYS_PER_STRETCH = 4
_SAMPLE_PX = 0.5
_LEAST_CONTRAST = 0.35  # of the ring's typical line
_MOST_CONTRAST = 2.5
#: Lines are 1.5 to 3 mm wide by the makers' figures; thin pen lines of 0.8 mm are seen at home.
_WIDTH_PRIOR_MM = (1.6, 0.45)  # median, and sigma of the logarithm
_BLUR_PRIOR_PX = (0.8, 0.35)  # sigma of a photo's point spread, and sigma of its logarithm


@dataclass(frozen=True)
class RingLine:
    """One painted ring as sampled.

    ``angle`` (n,) of each stretch of arc; ``offset_mm`` (n,) from the nominal radius to the line's middle,
    NaN where the line is hidden; ``sigma_mm`` (n,); ``found`` the share of visible stretches with a line;
    ``step`` the difference of the two sides in units of the line's contrast (a rim is a step, a line is not);
    ``contrast`` in grey levels of the mix and ``mix`` (3,) the unit colour direction that shows the line
    best; ``noise`` in the same grey levels. ``paint`` (3,) is the unit colour difference itself, from wood to
    line.
    """

    radius_mm: float
    centre_mm: Array
    angle: Array
    offset_mm: Array
    sigma_mm: Array
    found: float
    visible: float
    step: float
    contrast: float
    noise: float
    mix: Array
    paint: Array
    width_mm: Measured
    blur_px: float

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Which stretches of arc show the line; shape (n,)."""
        return np.isfinite(self.offset_mm)

    def xy_mm(self) -> Array:
        """The found points on the board; shape (m, 2)."""
        a, r = self.angle[self.seen], self.radius_mm + self.offset_mm[self.seen]
        return np.asarray(self.centre_mm + r[:, None] * np.stack([np.cos(a), np.sin(a)], 1))


def measure_ring(
    rgb: NDArray[np.uint8], view: View, radius_mm: float, centre_mm: Array, half_mm: float
) -> RingLine:
    """The painted line of one ring, looked for within ``half_mm`` of where the view expects it."""
    rays = _STRETCHES * _RAYS_PER_STRETCH
    angle = (np.arange(rays) + 0.5) / rays * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    scale = float(np.median(_across_px_per_mm(view, centre_mm + radius_mm * unit[::20], unit[::20])))
    columns = max(13, 2 * int(np.ceil(half_mm * scale / _SAMPLE_PX)) + 1)
    s_mm = np.linspace(-half_mm, half_mm, columns)
    xy = view.px_from_mm(centre_mm + (radius_mm + s_mm)[None, :, None] * unit[:, None])
    stripe, inside = sample(rgb, xy)
    stripe = stripe.reshape(_STRETCHES, _RAYS_PER_STRETCH, columns, 3).mean(1)
    visible = np.asarray(inside.reshape(_STRETCHES, -1).all(1))
    mid_angle = angle.reshape(_STRETCHES, -1).mean(1)
    return _match(stripe, visible, s_mm, mid_angle, radius_mm, centre_mm, scale)


def line_points(lines: tuple[RingLine, ...], view: View, paint_mm: float) -> LinePoints:
    """The lines' points as pixels of the view that they were sampled with.

    ``paint_mm`` is how far a painted line wanders from a true circle (one sigma); it adds to each point's own
    noise.
    """
    ring = np.concatenate([np.full(int(line.seen.sum()), k) for k, line in enumerate(lines)])
    xy_mm = np.concatenate([line.xy_mm() for line in lines])
    unit = np.concatenate(
        [np.stack([np.cos(line.angle), np.sin(line.angle)], 1)[line.seen] for line in lines]
    )
    sigma_mm = np.hypot(np.concatenate([line.sigma_mm[line.seen] for line in lines]), paint_mm)
    return LinePoints(ring, view.px_from_mm(xy_mm), sigma_mm * _across_px_per_mm(view, xy_mm, unit))


def sample(rgb: NDArray[np.uint8], xy_px: Array) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The picture at sub-pixel places (..., 2), bilinear; and which of them lie inside it."""
    height, width = rgb.shape[:2]
    flat = xy_px.reshape(xy_px.shape[0], -1, 2)
    inside = (
        (xy_px[..., 0] >= 0)
        & (xy_px[..., 0] <= width - 1)
        & (xy_px[..., 1] >= 0)
        & (xy_px[..., 1] <= height - 1)
    )
    where = np.clip(flat, -10.0, 32000.0).astype(np.float32)
    values = cv2.remap(rgb, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.reshape(*xy_px.shape[:-1], -1).astype(np.float32), inside


def _across_px_per_mm(view: View, xy_mm: Array, unit: Array) -> Array:
    """Pixels across the picture of a ring per radial millimetre (distance of tangents); shape (n,)."""
    jacobian = view.px_per_mm(xy_mm)
    tangent = np.stack([-unit[:, 1], unit[:, 0]], 1)
    along = np.linalg.norm(np.einsum("nij,nj->ni", jacobian, tangent), axis=1)
    return np.asarray(np.abs(np.linalg.det(jacobian)) / np.maximum(along, 1e-9))


def _match(
    stripe: NDArray[np.float32],
    visible: NDArray[np.bool_],
    s_mm: Array,
    angle: Array,
    radius_mm: float,
    centre_mm: Array,
    px_per_mm: float,
) -> RingLine:
    n = len(s_mm)
    edge = max(2, n // 5)
    ends = np.r_[0:edge, n - edge : n]
    # a straight baseline a stretch, from both sides of the line
    design = np.stack([np.ones(n), s_mm], 1)
    base = np.einsum("ij,njc->nic", design @ np.linalg.pinv(design[ends]), stripe[:, ends])
    line = stripe - base
    sides = stripe[:, n - edge :].mean(1) - stripe[:, :edge].mean(1)
    if visible.sum() < 8:
        return _nothing(angle, radius_mm, centre_mm, float(visible.mean()))
    seen = line[visible]
    middle = np.abs(s_mm) < max(1.2, 1.5 / px_per_mm)
    direction = np.median(seen[:, middle].mean(1), 0)
    scatter = np.cov(seen[:, ends].reshape(-1, 3).T) + np.eye(3) * 1.0
    mix = np.linalg.solve(scatter, direction)
    mix /= max(float(np.linalg.norm(mix)), 1e-12)
    scalar = line @ mix
    noise = float(np.median(np.abs(scalar[visible][:, ends])) * 1.4826) + 0.05
    template = np.median(scalar[visible], 0)
    shift = np.zeros(len(angle))
    for _ in range(4):
        slope = np.gradient(template, s_mm)
        shifted = _resample(scalar, s_mm, shift)
        normal = np.stack([template, -slope], 1)
        gram = normal.T @ normal + np.diag([1e-6, 1e-6])
        amplitude, move = np.linalg.solve(gram, normal.T @ shifted.T)
        step = move / np.where(np.abs(amplitude) > 0.2, amplitude, np.inf)
        shift = np.clip(shift - np.clip(step, -0.5, 0.5) * -1.0, s_mm[0] * 0.7, s_mm[-1] * 0.7)
        good = visible & (amplitude > _LEAST_CONTRAST) & (amplitude < _MOST_CONTRAST)
        if good.sum() < 8:
            return _nothing(angle, radius_mm, centre_mm, float(visible.mean()))
        template = np.median(_resample(scalar, s_mm, shift)[good], 0)
    misfit = np.sqrt(np.mean(np.square(_resample(scalar, s_mm, shift) - amplitude[:, None] * template), 1))
    contrast = float(template[middle].max())
    good &= (misfit < 0.45 * contrast * np.maximum(amplitude, 0.6)) & (np.abs(shift) < s_mm[-1] * 0.65)
    sigma = np.maximum(misfit, noise * 0.3) / np.maximum(amplitude, 0.1) / np.linalg.norm(slope)
    width, blur_px, middle_mm = _profile(template, s_mm, px_per_mm)
    offset = np.where(good, shift + middle_mm, np.nan)
    step_size = float(np.abs(np.median(sides[good] @ mix))) / max(contrast, 1e-6) if good.any() else np.inf
    return RingLine(
        radius_mm, centre_mm, angle, offset, np.maximum(sigma, 0.02 / px_per_mm),
        float((good & visible).sum() / visible.sum()), float(visible.mean()), step_size, contrast, noise, mix,
        direction / max(float(np.linalg.norm(direction)), 1e-12), width, blur_px,
    )  # fmt: skip


def _resample(profiles: Array, s_mm: Array, shift: Array) -> Array:
    """Each profile moved so that what was at ``shift`` comes to 0."""
    step = s_mm[1] - s_mm[0]
    at = (s_mm[None, :] + shift[:, None] - s_mm[0]) / step
    at = np.clip(at, 0, len(s_mm) - 1.001)
    low = at.astype(int)
    part = at - low
    rows = np.arange(len(profiles))[:, None]
    return np.asarray(profiles[rows, low] * (1 - part) + profiles[rows, low + 1] * part)


def _profile(template: Array, s_mm: Array, px_per_mm: float) -> tuple[Measured, float, float]:
    """Width, blur (px) and middle of a line from its mean profile: a box blurred by a Gaussian.

    Where the blur is wider than the line only the product of width and contrast is seen; then the prior
    decides and sigma says so.
    """
    from scipy.special import ndtr

    peak = float(template.max())
    rough = float(np.clip((s_mm[1] - s_mm[0]) * template.clip(0).sum() / max(peak, 1e-9), 0.3, 6.0))

    def model(p: Array) -> Array:
        width, blur, contrast = np.exp(np.clip(p[:3], -4, 4)) * [rough, 1 / px_per_mm, peak]
        edges = ndtr((s_mm - p[3] + width / 2) / blur) - ndtr((s_mm - p[3] - width / 2) / blur)
        return np.asarray(contrast * edges + p[4] * peak)

    def prior(p: Array) -> Array:
        return np.array(
            [
                (p[0] + np.log(rough / _WIDTH_PRIOR_MM[0])) / _WIDTH_PRIOR_MM[1],
                (p[1] - np.log(_BLUR_PRIOR_PX[0])) / _BLUR_PRIOR_PX[1],
                p[4] / 0.1,
            ]
        )

    p = np.array([0.0, np.log(_BLUR_PRIOR_PX[0]), 0.0, 0.0, 0.0])
    noise = 0.02 * peak
    for _ in range(8):
        p, jacobian = robust_step(p, lambda q: (model(q) - template) / noise, prior)
    sigma = float(np.sqrt(np.linalg.pinv(jacobian.T @ jacobian)[0, 0]))
    width, blur_px = (float(v) for v in np.exp(np.clip(p[:2], -4, 4)) * [rough, 1.0])
    return Measured(width, max(width * sigma, 0.03)), blur_px, float(p[3])


def _nothing(angle: Array, radius_mm: float, centre_mm: Array, visible: float) -> RingLine:
    empty = np.full(len(angle), np.nan)
    return RingLine(
        radius_mm,
        centre_mm,
        angle,
        empty,
        empty,
        0.0,
        visible,
        np.inf,
        0.0,
        np.inf,
        np.zeros(3),
        np.zeros(3),
        Measured(1.6, 0.7),
        0.8,
    )

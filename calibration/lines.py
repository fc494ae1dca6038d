"""Sub-pixel points on the painted lines, and what the lines look like.

Around each ring the picture is sampled in board coordinates, across the line and along it, so that a line is
a straight stripe whatever the view. Averaged along a few degrees of arc the line stays and the wood's grain
goes. The stripe's own mean profile is the template; each stretch of arc is matched to it by the linear
least-squares shift (Lucas-Kanade in one dimension). The colour mix that shows the line best against the
wood's own variation is Fisher's discriminant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.errors import FitError
from calibration.fit import LinePoints
from calibration.line_profile import fit_profile
from calibration.measured import Measured

Floats = Array | NDArray[np.float32]
_STRETCHES = 180
_RAYS_PER_STRETCH = 4
_SAMPLE_PX = 0.5
_LEAST_CONTRAST = 0.35  # of the ring's typical line
_MOST_CONTRAST = 2.5
_MOST_COLUMNS = 160
_LEAST_RING_PX = 16.0  # a ring's picture across; smaller ones show no line
_MOST_PICTURES = 20.0  # a ring's picture across, in longer sides of the picture
_MATCHINGS = 4
_UNKNOWN_WIDTH_MM = Measured(1.6, 0.7)
_USUAL_BLUR_PX = 0.8
_COURSE_ROUNDS, _LEAST_COURSE_MM = 8, 0.05
_OFF_COURSE, _OFF_COURSE_MM = 6.0, 1.5  # sigmas, and mm: as far as a line wanders
_TOLD_WIDTH_SIGMA_MM = 0.1  # an equipment file gives one width for all that was painted by hand


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

    def of_known_width(self, width_mm: float) -> RingLine:
        """The same line, its width taken together with one told beforehand: each by its variance."""
        told, seen = 1.0 / _TOLD_WIDTH_SIGMA_MM**2, 1.0 / self.width_mm.sigma**2
        mean = (told * width_mm + seen * self.width_mm.mean) / (told + seen)
        return replace(self, width_mm=Measured(mean, (told + seen) ** -0.5))

    def seen_from(self, measured: View, view: View, radius_mm: float, centre_mm: Array) -> RingLine:
        """The same pixels on the board as another view has it, about another circle."""
        from_centre = view.mm_from_px(measured.px_from_mm(self.xy_mm())) - centre_mm
        angle, offset_mm = self.angle.copy(), self.offset_mm.copy()
        angle[self.seen] = np.arctan2(from_centre[:, 1], from_centre[:, 0]) % (2 * np.pi)
        offset_mm[self.seen] = np.linalg.norm(from_centre, axis=1) - radius_mm
        return replace(self, radius_mm=radius_mm, centre_mm=centre_mm, angle=angle, offset_mm=offset_mm)


def measure_ring(
    rgb: NDArray[np.uint8],
    view: View,
    radius_mm: float,
    centre_mm: Array,
    half_mm: float,
    *,
    stretches: int = _STRETCHES,
    profile: bool = True,
) -> RingLine:
    """The painted line of one ring, looked for within ``half_mm`` of where the view expects it.

    Without ``profile`` the line's width and its exact middle are not fitted: enough to tell whether there is
    a line. Raises :class:`FitError` when the view would show the ring absurdly large or small.
    """
    rays = stretches * _RAYS_PER_STRETCH
    angle = (np.arange(rays) + 0.5) / rays * 2 * np.pi
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    scale = float(np.median(_across_px_per_mm(view, centre_mm + radius_mm * unit[::20], unit[::20])))
    if not _LEAST_RING_PX / 2 < radius_mm * scale < _MOST_PICTURES / 2 * max(rgb.shape):
        raise FitError("the ring would be absurdly large or small")
    columns = min(_MOST_COLUMNS, max(13, 2 * int(np.ceil(half_mm * scale / _SAMPLE_PX)) + 1))
    s_mm = np.linspace(-half_mm, half_mm, columns)
    stripe, inside = sample(rgb, _across(view, centre_mm, radius_mm, unit, s_mm))
    stripe = stripe.reshape(stretches, _RAYS_PER_STRETCH, columns, 3).mean(1)
    visible = np.asarray(inside.reshape(stretches, -1).all(1))
    mid_angle = angle.reshape(stretches, -1).mean(1)
    return _match(stripe, visible, s_mm, mid_angle, radius_mm, centre_mm, scale, profile)


def _across(view: View, centre_mm: Array, radius_mm: float, unit: Array, s_mm: Array) -> NDArray[np.float32]:
    """Pixels (rays, columns, 2) at ``s_mm`` outward of the ring along each unit vector (rays, 2).

    Over these few millimetres perspective is a parabola to a thousandth of a pixel, so three of them are
    projected.
    """
    half = s_mm[-1]
    ends = np.array([-half, 0.0, half])
    px = view.px_from_mm(centre_mm + (radius_mm + ends)[None, :, None] * unit[:, None])
    inner, middle, outer = px[:, 0], px[:, 1], px[:, 2]
    parabola = np.concatenate([middle, (outer - inner) / 2, (outer + inner) / 2 - middle], 1).astype(
        np.float32
    )
    powers = np.stack([np.ones_like(s_mm), s_mm / half, np.square(s_mm / half)])
    # one matrix product for x and y of all columns: numpy is slow over a last axis of two
    xy = parabola @ np.kron(powers, np.eye(2)).astype(np.float32)
    return np.asarray(xy.reshape(len(unit), len(s_mm), 2))


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


def sample(rgb: NDArray[np.uint8], xy_px: Floats) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The picture at sub-pixel places (..., 2), bilinear; and which of them lie inside it."""
    height, width = rgb.shape[:2]
    x, y = xy_px[..., 0], xy_px[..., 1]
    inside = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
    where = np.clip(xy_px.reshape(xy_px.shape[0], -1, 2), -10.0, 32000.0).astype(np.float32)
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
    profile: bool,
) -> RingLine:
    n = len(s_mm)
    edge = max(2, n // 5)
    ends = np.r_[0:edge, n - edge : n]
    if visible.sum() < 8:
        return _nothing(angle, radius_mm, centre_mm, float(visible.mean()))
    line = _above_baseline(stripe, s_mm, ends)
    sides = stripe[:, n - edge :].mean(1) - stripe[:, :edge].mean(1)
    seen = line[visible]
    middle = np.abs(s_mm) < max(1.2, 1.5 / px_per_mm)
    direction = np.median(seen[:, middle].mean(1), 0).astype(np.float64)
    mix = np.linalg.solve(_scatter(seen[:, ends].reshape(-1, 3)) + np.eye(3), direction)
    mix /= max(float(np.linalg.norm(mix)), 1e-12)
    scalar = line @ mix
    noise = float(np.median(np.abs(scalar[visible][:, ends])) * 1.4826) + 0.05
    template = _median_rows(scalar[visible])
    shift = np.zeros(len(angle))
    shifted: Floats = scalar
    for _ in range(_MATCHINGS):
        slope = np.gradient(template, s_mm)
        normal = np.stack([template, -slope], 1)
        gram = normal.T @ normal + np.diag([1e-6, 1e-6])
        amplitude, move = np.linalg.solve(gram, normal.T @ shifted.T)
        step = move / np.where(np.abs(amplitude) > 0.2, amplitude, np.inf)
        shift = np.clip(shift + np.clip(step, -0.5, 0.5), s_mm[0] * 0.7, s_mm[-1] * 0.7)
        good = visible & (amplitude > _LEAST_CONTRAST) & (amplitude < _MOST_CONTRAST)
        if good.sum() < 8:
            return _nothing(angle, radius_mm, centre_mm, float(visible.mean()))
        shifted = _resample(scalar, s_mm, shift)
        template = _median_rows(shifted[good])
    misfit = np.sqrt(np.mean(np.square(shifted - amplitude[:, None] * template), 1))
    contrast = float(template[middle].max())
    good &= (misfit < 0.45 * contrast * np.maximum(amplitude, 0.6)) & (np.abs(shift) < s_mm[-1] * 0.65)
    if profile and good.any():
        good &= _on_course(angle, shift, good)
    sigma = np.maximum(misfit, noise * 0.3) / np.maximum(amplitude, 0.1) / np.linalg.norm(slope)
    width, blur_px, middle_mm = _UNKNOWN_WIDTH_MM, _USUAL_BLUR_PX, 0.0
    if profile and good.any():
        width, blur_px, middle_mm = fit_profile(
            _median_rows(_resample(_in_light(stripe[good], s_mm, ends, mix), s_mm, shift[good])),
            s_mm,
            px_per_mm,
        )
    offset = np.where(good, shift + middle_mm, np.nan)
    step_size = float(np.abs(np.median(sides[good] @ mix))) / max(contrast, 1e-6) if good.any() else np.inf
    return RingLine(
        radius_mm, centre_mm, angle, offset, np.maximum(sigma, 0.02 / px_per_mm),
        float((good & visible).sum() / visible.sum()), float(visible.mean()), step_size, contrast, noise, mix,
        direction / max(float(np.linalg.norm(direction)), 1e-12), width, blur_px,
    )  # fmt: skip


def _above_baseline(stripe: NDArray[np.float32], s_mm: Array, ends: NDArray[np.intp]) -> NDArray[np.float32]:
    """The stripes (stretches, columns, 3) less a straight baseline each, from both sides of the line."""
    design = np.stack([np.ones(len(s_mm)), s_mm], 1)
    solve, lay = (
        np.kron(m, np.eye(3)).astype(np.float32) for m in (np.linalg.pinv(design[ends]).T, design.T)
    )
    baseline = stripe[:, ends].reshape(len(stripe), -1) @ solve @ lay
    return np.asarray(stripe - baseline.reshape(stripe.shape))


def _on_course(angle: Array, shift: Array, good: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which stretches (n,) lie on the ring's own course: a disc's edge beside the line passes for it.

    The course is an ellipse about the expected circle, so far as the view is off; fitted robustly (Cauchy).
    """
    course = np.stack([np.ones_like(angle), *(f(k * angle) for k in (1, 2) for f in (np.cos, np.sin))], 1)
    off = np.abs(shift - np.median(shift[good]))
    for _ in range(_COURSE_ROUNDS):
        scale = max(1.4826 * float(np.median(off[good])), _LEAST_COURSE_MM)
        weight = good / (1.0 + np.square(off / (2.0 * scale)))
        half = course * weight[:, None]
        off = np.abs(shift - course @ np.linalg.solve(half.T @ course + 1e-6 * np.eye(5), half.T @ shift))
    return np.asarray(off < max(_OFF_COURSE * scale, _OFF_COURSE_MM))


def _in_light(stripe: NDArray[np.float32], s_mm: Array, ends: NDArray[np.intp], mix: Array) -> Floats:
    """Profiles (stretches, columns) in light, in the mix of colours that shows the line best.

    A lens blurs light: in grey levels a dark line is narrower than it is, and a light one wider. A gamma of 2
    is near enough.
    """
    return np.asarray(_above_baseline(np.square(stripe), s_mm, ends) @ mix)


def _scatter(colours: NDArray[np.float32]) -> Array:
    """Covariance (3, 3) of colours (n, 3)."""
    off = colours - colours.mean(0)
    return np.asarray(off.T @ off / max(len(colours) - 1, 1), dtype=np.float64)


def _median_rows(profiles: Floats) -> Array:
    """Median over the first axis; by sorting, for some hundred short rows faster than ``numpy.median``."""
    ordered, half = np.sort(profiles, axis=0), len(profiles) // 2
    return np.asarray(ordered[half] if len(profiles) % 2 else (ordered[half - 1] + ordered[half]) / 2)


def _resample(profiles: Floats, s_mm: Array, shift: Array) -> Array:
    """Each profile (columns,) moved so that what was at its shift comes to 0.

    Beyond the ends it is the end value.
    """
    n = len(s_mm)
    steps = shift / (s_mm[1] - s_mm[0])
    whole = np.floor(steps).astype(np.intp)
    at = np.clip(whole[:, None] + np.arange(n + 1), 0, n - 1)
    values = np.take_along_axis(profiles, at, axis=1)
    return np.asarray(values[:, :-1] + (steps - whole)[:, None] * np.diff(values, axis=1))


def _nothing(angle: Array, radius_mm: float, centre_mm: Array, visible: float) -> RingLine:
    empty = np.full(len(angle), np.nan)
    return RingLine(
        radius_mm, centre_mm, angle, empty, empty, 0.0, visible, np.inf, 0.0, np.inf, np.zeros(3),
        np.zeros(3),
        _UNKNOWN_WIDTH_MM, _USUAL_BLUR_PX,
    )  # fmt: skip

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
    angle = (np.arange(rays) + 0.5) * (2 * np.pi / rays)
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    scale = float(np.median(across_px_per_mm(view, centre_mm + radius_mm * unit[::20], unit[::20])))
    if not _LEAST_RING_PX / 2 < radius_mm * scale < _MOST_PICTURES / 2 * max(rgb.shape):
        raise FitError("the ring would be absurdly large or small")
    columns = min(_MOST_COLUMNS, max(13, 2 * int(np.ceil(half_mm * scale / _SAMPLE_PX)) + 1))
    s_mm = np.linspace(-half_mm, half_mm, columns)
    values, inside = _sampled_across(rgb, view, centre_mm, radius_mm, unit, s_mm)
    # by colour first: all that follows runs along the stripes
    stripe = np.stack([plane.reshape(stretches, _RAYS_PER_STRETCH, columns) for plane in cv2.split(values)])
    visible = np.asarray(inside.reshape(stretches, -1).all(1))
    mid_angle = angle.reshape(stretches, -1).mean(1)
    return _match(
        stripe.astype(np.float32).mean(2), visible, s_mm, mid_angle, radius_mm, centre_mm, scale, profile
    )


def _sampled_across(
    rgb: NDArray[np.uint8], view: View, centre_mm: Array, radius_mm: float, unit: Array, s_mm: Array
) -> tuple[cv2.typing.MatLike, NDArray[np.bool_]]:
    """Colours (rays, columns, 3) at ``s_mm`` outward of the ring along each unit vector (rays, 2).

    With them which rays lie inside the picture. Over these few millimetres perspective is a parabola to a
    thousandth of a pixel, so three places are projected.
    """
    half = s_mm[-1]
    ends = np.array([-half, 0.0, half])
    px = view.px_from_mm(centre_mm + (radius_mm + ends)[:, None, None] * unit)
    last = np.array([rgb.shape[1] - 1, rgb.shape[0] - 1])
    inside = np.asarray(((px >= 0) & (px <= last)).all((0, 2)))
    inner, middle, outer = px
    powers = np.stack([np.ones_like(s_mm), s_mm / half, np.square(s_mm / half)]).astype(np.float32)
    parabola = np.stack([middle, (outer - inner) / 2, (outer + inner) / 2 - middle], 2).astype(np.float32)
    x, y = (np.clip(parabola[:, k] @ powers, -10.0, 32000.0) for k in (0, 1))
    return cv2.remap(rgb, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), inside


def sample(rgb: NDArray[np.uint8], xy_px: Floats) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The picture at sub-pixel places (..., 2), bilinear; and which of them lie inside it."""
    height, width = rgb.shape[:2]
    x, y = xy_px[..., 0], xy_px[..., 1]
    inside = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
    where = np.clip(xy_px.reshape(xy_px.shape[0], -1, 2), -10.0, 32000.0).astype(np.float32)
    values = cv2.remap(rgb, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.reshape(*xy_px.shape[:-1], -1).astype(np.float32), inside


def across_px_per_mm(view: View, xy_mm: Array, unit: Array) -> Array:
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
    if visible.sum() < 8:
        return _nothing(angle, radius_mm, centre_mm, float(visible.mean()))
    line = _above_baseline(stripe, s_mm, edge)
    sides = stripe[..., n - edge :].mean(2) - stripe[..., :edge].mean(2)
    seen = line[:, visible]
    middle = np.abs(s_mm) < max(1.2, 1.5 / px_per_mm)
    direction = np.median(seen[..., middle].mean(2), 1).astype(np.float64)
    wood = np.concatenate([seen[..., :edge], seen[..., n - edge :]], 2)
    mix = np.linalg.solve(_scatter(wood.reshape(3, -1)) + np.eye(3), direction)
    mix /= max(float(np.linalg.norm(mix)), 1e-12)
    scalar = _mixed(line, mix)
    noise = float(np.median(np.abs(_mixed(wood, mix))) * 1.4826) + 0.05
    template = _median_rows(scalar[visible])
    shift = np.zeros(len(angle))
    shifted = scalar
    for _ in range(_MATCHINGS):
        slope = np.gradient(template, s_mm[1] - s_mm[0])
        normal = np.stack([template, -slope])
        gram = normal @ normal.T + np.diag([1e-6, 1e-6])
        amplitude, move = np.linalg.inv(gram) @ (shifted @ normal.T).T
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
        in_light = _mixed(_above_baseline(_light(stripe[:, good]), s_mm, edge), mix)
        mean = _median_rows(_resample(in_light, s_mm, shift[good]))
        width, blur_px, middle_mm = fit_profile(mean, s_mm, px_per_mm)
    offset = np.where(good, shift + middle_mm, np.nan)
    step_size = float(np.abs(np.median(mix @ sides[:, good]))) / max(contrast, 1e-6) if good.any() else np.inf
    return RingLine(
        radius_mm, centre_mm, angle, offset, np.maximum(sigma, 0.02 / px_per_mm),
        float((good & visible).sum() / visible.sum()), float(visible.mean()), step_size, contrast, noise, mix,
        direction / max(float(np.linalg.norm(direction)), 1e-12), width, blur_px,
    )  # fmt: skip


def _above_baseline(stripe: NDArray[np.float32], s_mm: Array, edge: int) -> NDArray[np.float32]:
    """The stripes (3, stretches, columns) less a straight baseline each, of ``edge`` columns either side."""
    lies = np.zeros(len(s_mm), dtype=bool)
    lies[:edge] = lies[-edge:] = True
    # the columns lie evenly about 0, so height and slope are told apart
    tell = np.stack([lies / lies.sum(), lies * s_mm / np.square(s_mm[lies]).sum()], 1).astype(np.float32)
    lay = np.stack([np.ones_like(s_mm), s_mm]).astype(np.float32)
    rows = stripe.reshape(-1, len(s_mm))
    return (rows - rows @ tell @ lay).reshape(stripe.shape).astype(np.float32, copy=False)


def _mixed(colours: NDArray[np.float32], mix: Array) -> NDArray[np.float32]:
    """Colours (3, ...) in the mix (3,) of them, shape (...)."""
    red, green, blue = mix.astype(np.float32)
    return np.asarray(red * colours[0] + green * colours[1] + blue * colours[2])


def _on_course(angle: Array, shift: Array, good: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which stretches (n,) lie on the ring's own course: a disc's edge beside the line passes for it.

    The course is an ellipse about the expected circle, so far as the view is off; fitted robustly (Cauchy).
    """
    course = np.stack([np.ones_like(angle), *(f(k * angle) for k in (1, 2) for f in (np.cos, np.sin))], 1)
    off, half = np.abs(shift - np.median(shift[good])), int(good.sum()) // 2
    for _ in range(_COURSE_ROUNDS):
        scale = max(1.4826 * float(np.partition(off[good], half)[half]), _LEAST_COURSE_MM)
        weight = good / (1.0 + np.square(off / (2.0 * scale)))
        weighed = (course * weight[:, None]).T
        off = np.abs(shift - course @ np.linalg.solve(weighed @ course + 1e-6 * np.eye(5), weighed @ shift))
    return np.asarray(off < max(_OFF_COURSE * scale, _OFF_COURSE_MM))


def _light(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Light of grey levels: a lens blurs light, and in grey levels a dark line is narrower than it is.

    A gamma of 2 is near enough.
    """
    return np.square(grey)


def _scatter(colours: NDArray[np.float32]) -> Array:
    """Covariance (3, 3) of colours (3, n)."""
    off = colours - colours.mean(1, keepdims=True)
    return np.asarray(off @ off.T / max(colours.shape[1] - 1, 1), dtype=np.float64)


def _median_rows(profiles: NDArray[np.float32]) -> Array:
    """Median over the first axis; by sorting, for some hundred short rows faster than ``numpy.median``."""
    ordered, half = np.sort(profiles, axis=0), len(profiles) // 2
    middle = ordered[half] if len(profiles) % 2 else (ordered[half - 1] + ordered[half]) / 2
    return np.asarray(middle, dtype=np.float64)


def _resample(profiles: NDArray[np.float32], s_mm: Array, shift: Array) -> NDArray[np.float32]:
    """Each profile (columns,) moved so that what was at its shift comes to 0.

    Beyond the ends it is the end value.
    """
    n = len(s_mm)
    steps = shift / (s_mm[1] - s_mm[0])
    whole = np.floor(steps)
    at = np.clip(whole.astype(np.intp)[:, None] + np.arange(n + 1), 0, n - 1)
    at += np.arange(0, profiles.size, n)[:, None]
    values = np.take(profiles, at)
    part = (steps - whole).astype(np.float32)[:, None]
    return np.asarray(values[:, :-1] + part * (values[:, 1:] - values[:, :-1]))


def _nothing(angle: Array, radius_mm: float, centre_mm: Array, visible: float) -> RingLine:
    empty = np.full(len(angle), np.nan)
    return RingLine(
        radius_mm, centre_mm, angle, empty, empty, 0.0, visible, np.inf, 0.0, np.inf, np.zeros(3),
        np.zeros(3),
        _UNKNOWN_WIDTH_MM, _USUAL_BLUR_PX,
    )  # fmt: skip

"""The camera file: what calibration found out about one camera, and for which pictures it holds.

A picture of the same size is taken as held the same way up. One of the same shape and another size is the
same frame resized. One with width and height exchanged is the same camera turned by 90 degrees, to a side
that the picture does not tell: the principal point is then somewhere between both answers. Anything else is
a crop or another camera.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.camera import Camera
from calibration.errors import CameraFileError
from calibration.fit import CameraPrior
from calibration.measured import Measured

#: What changes from photo to photo in one camera: focusing moves the focal length, the stabiliser the
#: principal point (as a share of the picture's longer side), focusing k1. Added to the file's own sigmas.
FOCUS_F_SIGMA = 0.003
STABILISER_SIGMA = 0.002
FOCUS_K1_SIGMA = 0.002

_SIZES = ("width_px", "height_px")
_MEASURED = (("f_px", "f_sigma_px"), ("cx_px", "cx_sigma_px"), ("cy_px", "cy_sigma_px"), ("k1", "k1_sigma"))
_NOTES = {"name": "", "camera_model": "", "rms_px": 0.0, "photos": 0, "distance_mm": 0.0}
_KEYS = (*_SIZES, *(key for pair in _MEASURED for key in pair), *_NOTES)
_MOST_PX = 100_000


@dataclass(frozen=True, slots=True)
class CameraFile:
    """A camera and the pictures it holds for; raises :class:`CameraFileError` for numbers that cannot be one.

    ``f_px``, ``cx_px``, ``cy_px`` and ``k1`` are those of :class:`~calibration.camera.Camera` for a picture
    of ``width_px`` by ``height_px``. The rest says where they come from: EXIF's ``camera_model``, the
    calibration's residual ``rms_px``, its number of ``photos`` and their distance from the chart; empty or
    zero where not known.
    """

    width_px: int
    height_px: int
    f_px: Measured
    cx_px: Measured
    cy_px: Measured
    k1: Measured
    name: str = ""
    camera_model: str = ""
    rms_px: float = 0.0
    photos: int = 0
    distance_mm: float = 0.0

    def __post_init__(self) -> None:
        longer = max(self.width_px, self.height_px)
        for key in _SIZES:
            _check(key, getattr(self, key), 16, _MOST_PX)
        _check("f_px", self.f_px.mean, 0.1 * longer, 100.0 * longer)
        _check("cx_px", self.cx_px.mean, -0.5 * self.width_px, 1.5 * self.width_px)
        _check("cy_px", self.cy_px.mean, -0.5 * self.height_px, 1.5 * self.height_px)
        _check("k1", self.k1.mean, -5.0, 5.0)
        for key, sigma_key in _MEASURED:
            _check(sigma_key, getattr(self, key).sigma, 0.0, longer)
        for key in ("rms_px", "photos", "distance_mm"):
            _check(key, getattr(self, key), 0, math.inf)
        for key in ("name", "camera_model"):
            if not all(letter.isprintable() for letter in getattr(self, key)):
                raise CameraFileError(f"{key} must be a line of text")

    def prior_for(self, width_px: int, height_px: int) -> CameraPrior:
        """The camera of a picture that size. Raises :class:`CameraFileError` when the file does not say."""
        prior = CameraPrior(
            Camera(self.f_px.mean, self.cx_px.mean, self.cy_px.mean, self.k1.mean),
            math.hypot(self.f_px.sigma / self.f_px.mean, FOCUS_F_SIGMA),
            math.hypot(
                max(self.cx_px.sigma, self.cy_px.sigma), STABILISER_SIGMA * max(self.width_px, self.height_px)
            ),
            math.hypot(self.k1.sigma, FOCUS_K1_SIGMA),
            "file",
        )
        if _same_shape(self.width_px, self.height_px, width_px, height_px):
            return prior.scaled(width_px / self.width_px)
        if _same_shape(self.height_px, self.width_px, width_px, height_px):
            return self._turned(prior).scaled(width_px / self.height_px)
        raise CameraFileError(
            f"the camera file is for pictures of {self.width_px} x {self.height_px} pixels, and this one of "
            f"{width_px} x {height_px} has another shape: it is a crop, or from another camera or mode. "
            "Use the original picture, or calibrate with pictures like this one"
        )

    def _turned(self, prior: CameraPrior) -> CameraPrior:
        """The prior with the frame turned by 90 degrees, to either side.

        With the principal point (dx, dy) off the middle, a turn to the right takes it to (-dy, dx), one to
        the left to (dy, -dx): the middle is half-way between, and both lie as far from it as it was off. A
        point in the middle stays exact.
        """
        off = math.hypot(
            self.cx_px.mean - (self.width_px - 1) / 2, self.cy_px.mean - (self.height_px - 1) / 2
        )
        camera = Camera(prior.camera.f_px, (self.height_px - 1) / 2, (self.width_px - 1) / 2, prior.camera.k1)
        return CameraPrior(
            camera,
            prior.f_relative_sigma,
            math.hypot(prior.principal_sigma_px, off),
            prior.k1_sigma,
            prior.source,
        )

    def to_toml(self) -> str:
        """The file's text, which :func:`camera_file_from_toml` reads back as an equal value."""
        values: dict[str, object] = {key: getattr(self, key) for key in (*_SIZES, *_NOTES)}
        for key, sigma_key in _MEASURED:
            values[key], values[sigma_key] = getattr(self, key).mean, getattr(self, key).sigma
        order = ("name", "camera_model", *(key for key in _KEYS if key not in ("name", "camera_model")))
        return "".join(f"{key} = {_toml(values[key])}\n" for key in order)


def camera_file_from_toml(text: str) -> CameraFile:
    """The camera in a camera file's text. Raises :class:`CameraFileError`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CameraFileError(f"this is not a camera file (TOML): {error}") from error
    for key in table:
        if key not in _KEYS:
            raise CameraFileError(f"{key} is not a key of a camera file; there are: {', '.join(_KEYS)}")
    f_px, cx_px, cy_px, k1 = (_measured(table, key, sigma_key) for key, sigma_key in _MEASURED)
    return CameraFile(
        _whole(table, "width_px"),
        _whole(table, "height_px"),
        f_px,
        cx_px,
        cy_px,
        k1,
        name=_text(table, "name"),
        camera_model=_text(table, "camera_model"),
        rms_px=_number(table, "rms_px"),
        photos=_whole(table, "photos"),
        distance_mm=_number(table, "distance_mm"),
    )


def load_camera_file(path: Path) -> CameraFile:
    """The camera in a file. Raises :class:`CameraFileError`, which names the file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise CameraFileError(f"there is no camera file {path}") from error
    except (OSError, ValueError) as error:
        raise CameraFileError(f"{path} cannot be read as text: {error}") from error
    try:
        return camera_file_from_toml(text)
    except CameraFileError as error:
        raise CameraFileError(f"{path}: {error}") from error


def _same_shape(width: int, height: int, other_width: int, other_height: int) -> bool:
    """Whether one size is the other resized, each side rounded to a whole pixel."""
    factor = other_width / width if other_width > other_height else other_height / height
    return max(abs(width * factor - other_width), abs(height * factor - other_height)) <= 1.0


def _check(key: str, value: float, low: float, high: float) -> None:
    # Written so that not-a-number is refused too.
    if not low <= value <= high or math.isnan(value):
        raise CameraFileError(f"{key} cannot be {value:g}")


def _measured(table: Mapping[str, Any], key: str, sigma_key: str) -> Measured:
    mean, sigma = _number(table, key), _number(table, sigma_key)
    try:
        return Measured(mean, sigma)
    except ValueError as error:
        raise CameraFileError(f"{key} and {sigma_key} cannot be {mean:g} and {sigma:g}") from error


def _given(table: Mapping[str, Any], key: str) -> Any:
    if key not in table and key not in _NOTES:
        raise CameraFileError(f"{key} is missing")
    return table.get(key, _NOTES.get(key))


def _number(table: Mapping[str, Any], key: str) -> float:
    value = _given(table, key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CameraFileError(f"{key} must be a number, not {value!r}")
    return float(value)


def _whole(table: Mapping[str, Any], key: str) -> int:
    value = _given(table, key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise CameraFileError(f"{key} must be a whole number, not {value!r}")
    return value


def _text(table: Mapping[str, Any], key: str) -> str:
    value = _given(table, key)
    if not isinstance(value, str):
        raise CameraFileError(f"{key} must be text in quotes")
    return value


def _toml(value: object) -> str:
    # JSON's text in quotes is TOML's too, for printable text.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)

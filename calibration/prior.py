"""What a photo's own data say of its camera before the board is looked at.

EXIF gives the focal length as an integer of 35-mm-film millimetres, good to some per cent; a crop moves the
principal point and makes it lie. Nothing else is known of a stranger's camera, and the sigmas say so.
"""

from __future__ import annotations

import math

from calibration.camera import Camera
from calibration.fit import CameraPrior

#: Focal length over the longer side where EXIF is silent, and the sigma of its logarithm: phones' main
#: cameras are 23 to 28 mm (0.65 to 0.78), webcams 0.8 to 1.0; a crop makes it larger.
_WHOLE_FOCAL = (0.8, 0.2)
_CROPPED_FOCAL = (1.0, 0.3)
_FILM_DIAGONAL_MM = math.hypot(36.0, 24.0)
_SENSOR_ASPECTS = (4 / 3, 3 / 2, 16 / 9)
_ASPECT_TOLERANCE = 0.01


def camera_prior(
    width_px: int, height_px: int, focal_35mm: float | None, exif_size_px: tuple[int, int] | None
) -> CameraPrior:
    """The camera of a photo of that size.

    ``exif_size_px`` is the frame's size that EXIF states, None when it is silent: another shape means a crop.
    """
    centre = Camera(1.0, (width_px - 1) / 2, (height_px - 1) / 2)
    longer, diagonal = max(width_px, height_px), math.hypot(width_px, height_px)
    aspect = longer / min(width_px, height_px)
    whole = any(abs(aspect / a - 1) < _ASPECT_TOLERANCE for a in _SENSOR_ASPECTS)
    if exif_size_px is not None:
        stated = max(exif_size_px) / max(1, min(exif_size_px))
        whole = whole and abs(stated / aspect - 1) < _ASPECT_TOLERANCE
    if focal_35mm is not None and whole:
        f_px = focal_35mm / _FILM_DIAGONAL_MM * diagonal
        return CameraPrior(Camera(f_px, centre.cx_px, centre.cy_px), 0.05, 0.006 * longer, 0.03, "exif")
    share, sigma = _WHOLE_FOCAL if whole else _CROPPED_FOCAL
    shift = 0.01 if whole else 0.06
    return CameraPrior(
        Camera(share * longer, centre.cx_px, centre.cy_px), sigma, shift * longer, 0.12, "assumed"
    )

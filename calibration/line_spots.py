"""The painted lines' points as a fit takes them: pixels, each with its sigma across the line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, View
from calibration.fit import LinePoints
from calibration.lines import RingLine, across_px_per_mm


@dataclass(frozen=True)
class LineSpots:
    """The lines' points as pixels of the ``view`` that they were sampled with, before they are weighed.

    ``sigma_mm`` (n,) is each point's own noise and ``px_per_mm`` (n,) how much of the picture across the line
    a radial millimetre is.
    """

    view: View
    ring: NDArray[np.intp]
    xy_px: Array
    sigma_mm: Array
    px_per_mm: Array

    @classmethod
    def of(cls, lines: tuple[RingLine, ...], view: View) -> LineSpots:
        """The points of all lines."""
        seen = [line.seen for line in lines]
        ring = np.repeat(np.arange(len(lines)), [one.sum() for one in seen])
        angle, sigma_mm, off_mm = (
            np.concatenate([values[one] for values, one in zip(each, seen, strict=True)])
            for each in zip(*((line.angle, line.sigma_mm, line.offset_mm) for line in lines), strict=True)
        )
        unit = np.stack([np.cos(angle), np.sin(angle)], 1)
        radius_mm = np.array([line.radius_mm for line in lines])[ring] + off_mm
        xy_mm = np.stack([line.centre_mm for line in lines])[ring] + radius_mm[:, None] * unit
        return cls(view, ring, view.px_from_mm(xy_mm), sigma_mm, across_px_per_mm(view, xy_mm, unit))

    def weighed(self, paint_mm: float) -> LinePoints:
        """The points for a fit.

        ``paint_mm`` is how far a painted line wanders from a true circle (one sigma); it adds to each point's
        own noise.
        """
        return LinePoints(self.ring, self.xy_px, np.hypot(self.sigma_mm, paint_mm) * self.px_per_mm)

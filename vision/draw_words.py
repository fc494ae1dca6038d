"""A measured gap in words; loads nothing heavy."""

from __future__ import annotations

import math

from calibration.measured import Measured


def gap_words(gap_mm: Measured) -> str:
    """``0.1 ± 0.2 mm``; one digit more where the doubt itself is below a tenth of a millimetre."""
    if math.isinf(gap_mm.sigma):
        return "the gap cannot be measured"
    places = 1 if gap_mm.sigma >= 0.1 else 2
    # Adding zero turns "-0.0" into "0.0".
    return f"{round(gap_mm.mean, places) + 0.0:.{places}f} ± {gap_mm.sigma:.{places}f} mm"

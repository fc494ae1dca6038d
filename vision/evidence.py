"""How strongly a circle speaks for a disc: one number, the log-odds, from what its outline and its top show.

A logistic regression with few weights, trained on rendered scenes alone (``benchmarks/disc_evidence.py``) and
checked on real photos, which it has never seen. Each term can be read: how much of the outline has an edge,
how many edge points vote for the centre, how far the top's colour stands out from its surroundings, how even
the top is.
"""

from __future__ import annotations

import numpy as np

from calibration.camera import Array
from vision.circles import Circles

WEIGHTS = np.array([7.74, 11.41, 0.55, 1.83, -3.67])
BIAS = -10.88


def features(circles: Circles) -> Array:
    """What the log-odds are made of, shape (n, 5).

    Coverage, root of votes, log contrast to the surroundings' median, log step along the outline, log
    unevenness of the top. Contrasts are in 8-bit Lab units.
    """
    stands_out = np.linalg.norm(circles.inside - circles.outside, axis=1)
    return np.stack(
        [
            circles.coverage,
            np.sqrt(circles.votes),
            np.log1p(stands_out),
            np.log1p(circles.step),
            np.log1p(circles.texture),
        ],
        axis=1,
    )


def log_odds(circles: Circles) -> Array:
    """Log-odds (n,) that each circle is a disc."""
    return np.asarray(features(circles) @ WEIGHTS + BIAS)

"""How strongly a circle speaks for a disc: one number, the log-odds, from what its outline and its top show.

A logistic regression with few weights, trained on rendered scenes alone (``benchmarks/disc_evidence.py``) and
checked on real photos, which it has never seen. Each term can be read: how much of the outline has an edge,
how many edge points vote for the centre, how even the top is, how far its colour stands out where it does so
least, and whether it does so the same way all round (what lies across a border does not).
"""

from __future__ import annotations

import numpy as np

from calibration.camera import Array
from vision.circles import Circles

WEIGHTS = np.array([18.64, 5.11, -3.21, 0.61, -2.05])
BIAS = -10.42


def features(circles: Circles) -> Array:
    """What the log-odds are made of, shape (n, 5).

    Coverage, root of votes, log unevenness of the top, log contrast that all but a quarter of the directions
    exceed, agreement of the directions. Contrasts are in 8-bit Lab units.
    """
    return np.stack(
        [
            circles.coverage,
            np.sqrt(circles.votes),
            np.log1p(circles.texture),
            np.log1p(circles.weak_step),
            circles.agreement,
        ],
        axis=1,
    )


def log_odds(circles: Circles) -> Array:
    """Log-odds (n,) that each circle is a disc."""
    return np.asarray(features(circles) @ WEIGHTS + BIAS)

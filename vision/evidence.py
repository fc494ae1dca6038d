"""How strongly a circle speaks for a disc: one number, the log-odds, from what its outline and its top show.

A logistic regression with few weights, trained on rendered scenes alone (``benchmarks/disc_evidence.py``) and
checked on real photos, which it has never seen. Each term can be read: how much of the outline has an edge,
how many edge points vote for the centre, how even the top is, how far its colour stands out where it does so
least, whether it does so the same way all round (what lies across a border does not), and, seen aslant,
whether an edge parts the top from a side: of a disc in the colour of what it lies on there is little else.
"""

from __future__ import annotations

import numpy as np

from calibration.camera import Array
from vision.circles import Circles

WEIGHTS = np.array([16.31, 6.1, -3.25, 1.18, -4.18, -3.37, 5.0])
BIAS = -8.86


def features(circles: Circles) -> Array:
    """What the log-odds are made of, shape (n, 7).

    Coverage, root of votes, log unevenness of the top, log contrast that all but a quarter of the directions
    exceed, agreement of the directions, how much of the side is seen, and that times how far an edge parts it
    from the top. Contrasts are in 8-bit Lab units.
    """
    return np.stack(
        [
            circles.coverage,
            np.sqrt(circles.votes),
            np.log1p(circles.texture),
            np.log1p(circles.weak_step),
            circles.agreement,
            circles.side_seen,
            circles.side_seen * circles.crease,
        ],
        axis=1,
    )


def log_odds(circles: Circles) -> Array:
    """Log-odds (n,) that each circle is a disc."""
    return np.asarray(features(circles) @ WEIGHTS + BIAS)

"""A measured quantity: a mean with its one-sigma uncertainty.

In the manner of :class:`statistics.NormalDist`: arithmetic carries the physics. Sums of independent
measurements add variances (GUM, JCGM 100:2008, 5.1.2); multiplying by a constant is a change of units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True, slots=True)
class Measured:
    """A value and its standard uncertainty, in the same unit.

    Raises ``ValueError`` when the mean is not finite or sigma is negative or not a number.
    An infinite sigma is allowed and means "nothing is known".
    """

    mean: float
    sigma: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.mean):
            raise ValueError(f"a measured mean must be finite, not {self.mean}")
        if math.isnan(self.sigma) or self.sigma < 0.0:
            raise ValueError(f"sigma must be zero or more, not {self.sigma}")

    def __add__(self, other: Measured | float) -> Measured:
        """Sum; two measurements are taken as independent."""
        if isinstance(other, Measured):
            return Measured(self.mean + other.mean, math.hypot(self.sigma, other.sigma))
        return Measured(self.mean + other, self.sigma)

    def __sub__(self, other: Measured | float) -> Measured:
        """Difference; two measurements are taken as independent."""
        return self + (-other)

    def __neg__(self) -> Measured:
        return Measured(-self.mean, self.sigma)

    def __mul__(self, factor: float) -> Measured:
        """A change of units."""
        return Measured(self.mean * factor, self.sigma * abs(factor))

    __radd__ = __add__
    __rmul__ = __mul__

    def probability_below(self, limit: float) -> float:
        """P(value < limit) for a normal distribution; sigma zero makes it a step (at the limit: 0)."""
        if self.sigma == 0.0:
            return 1.0 if self.mean < limit else 0.0
        if math.isinf(self.sigma):
            return 0.5
        return NormalDist(self.mean, self.sigma).cdf(limit)

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.sigma:.2f}"

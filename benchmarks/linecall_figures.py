"""What many line calls together say: errors, verdicts, and whether the stated probabilities hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from benchmarks.linecall_truth import Ruled

SPAN_MM = 3.0
BINS_MM = ((0.0, 0.1), (0.1, 0.2), (0.2, 0.4), (0.4, 0.8), (0.8, 1.5), (1.5, 3.0))
PROBABILITY_BINS = (
    (0.0, 0.01),
    (0.01, 0.1),
    (0.1, 0.3),
    (0.3, 0.5),
    (0.5, 0.7),
    (0.7, 0.9),
    (0.9, 0.99),
    (0.99, 1.0),
)
CAUSES = ("lens_mm", "pose_mm", "profile_mm", "paint_mm", "edges_mm")
_QUANTILES = (0.025, 0.16, 0.5, 0.84, 0.975)
_NORMAL_95 = 1.959964


def error_row(name: str, calls: Sequence[Ruled], asked: int) -> list[object]:
    """Error of the gap in mm, and the same of the visible outline."""
    error = np.array([call.error_mm for call in calls])
    outline = np.array([call.outline_mm - call.true_mm for call in calls])
    return [
        name, asked, len(calls), float(np.median(np.abs(error))), float(np.quantile(np.abs(error), 0.9)),
        float(np.abs(error).max()), f"{error.mean():+.3f}", f"{np.median(error):+.3f}",
        float(np.median(np.abs(outline))), f"{outline.mean():+.2f}",
    ]  # fmt: skip


ERROR_HEAD = (
    "", "discs", "ruled on", "median mm", "90 % mm", "most mm", "bias mm", "median bias mm",
    "outline median mm", "outline bias mm",
)  # fmt: skip


def verdict_row(name: str, calls: Sequence[Ruled], asked: int) -> list[object]:
    """Verdicts; a disc that was not found is not called, and counts as too close to call."""
    called = [call for call in calls if call.called]
    outline_wrong = sum((call.outline_mm <= 0.0) != call.touches for call in calls)
    wrong = sum(call.wrong for call in called)
    return [
        name, asked, f"{100.0 * (asked - len(called)) / max(asked, 1):.1f}", wrong,
        f"{100.0 * most_share(wrong, len(called)):.2f}", f"{100.0 * outline_wrong / max(len(calls), 1):.1f}",
    ]  # fmt: skip


VERDICT_HEAD = ("", "discs", "too close %", "called wrong", "wrong at most %", "outline wrong %")


def most_share(wrong: int, called: int) -> float:
    """The largest share of wrong calls that so few would still be seen with, 95 % sure (Clopper, Pearson)."""
    from scipy.stats import beta

    return 1.0 if wrong >= called else float(beta.ppf(0.95, wrong + 1, called - wrong))


def honesty_row(name: str, calls: Sequence[Ruled]) -> list[object]:
    """Whether sigma is what it says: coverage, error over sigma, Brier score."""
    z = np.array([call.in_sigmas for call in calls])
    brier = np.mean([(call.touch_probability - call.touches) ** 2 for call in calls])
    return [
        name, float(np.median([call.gap_mm.sigma for call in calls])),
        f"{100.0 * np.mean(np.abs(z) < _NORMAL_95):.1f}", float(np.sqrt(np.mean(np.square(z)))),
        " ".join(f"{value:+.2f}" for value in np.quantile(z, _QUANTILES)), float(np.abs(z).max()),
        f"{brier:.4f}",
    ]  # fmt: skip


HONESTY_HEAD = (
    "", "sigma mm", "in 95 % interval %", "error/sigma rms", "its 2.5 16 50 84 97.5 % quantiles", "its most",
    "Brier score",
)  # fmt: skip


def by_gap(calls: Sequence[Ruled]) -> list[list[object]]:
    """Right calls, too close and wrong by the size of the true gap."""
    rows: list[list[object]] = []
    for low, high in BINS_MM:
        part = [call for call in calls if low <= abs(call.true_mm) < high]
        right = sum(call.called and not call.wrong for call in part)
        outline = sum((call.outline_mm <= 0.0) == call.touches for call in part)
        wrong = sum(call.wrong for call in part)
        rows.append([f"{low:g}-{high:g}", len(part), right, len(part) - right - wrong, wrong, outline])
    return rows


GAP_HEAD = ("true gap mm", "discs", "right", "too close", "wrong", "outline right")


def reliability(calls: Sequence[Ruled]) -> list[list[object]]:
    """Said and seen probability of touching."""
    rows: list[list[object]] = []
    for low, high in PROBABILITY_BINS:
        part = [call for call in calls if low <= call.touch_probability < high]
        if part:
            said = float(np.mean([call.touch_probability for call in part]))
            seen = float(np.mean([call.touches for call in part]))
            rows.append([f"{low:g}-{high:g}", len(part), f"{said:.3f}", f"{seen:.3f}"])
    return rows


RELIABILITY_HEAD = ("P(touching) said", "discs", "mean said", "seen")


def budget_row(name: str, calls: Sequence[Ruled]) -> list[object]:
    """Median of each cause's one sigma in mm, and its mean share of the variance in per cent."""
    parts = np.array([[asdict(call.budget)[cause] for cause in CAUSES] for call in calls])
    shares = np.square(parts) / np.square(parts).sum(1, keepdims=True)
    median = np.median(parts, axis=0)
    return [
        name,
        *(f"{one:.3f} ({100 * share:.0f} %)" for one, share in zip(median, shares.mean(0), strict=True)),
    ]


BUDGET_HEAD = ("one sigma mm (share)", "lens", "pose", "disc profile", "line paint", "edge noise")

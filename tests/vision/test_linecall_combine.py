"""Several photos' gaps as one: what is shared stays, what is not averages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.measured import Measured
from vision.clearance import GapBudget, judged
from vision.linecall_combine import MOST_SCATTER, Told, combined
from vision.reading import Verdict

SHARES = {"lens_mm": 0.1, "pose_mm": 0.1, "profile_mm": 0.2, "paint_mm": 0.1, "edges_mm": 0.3}
LIGHT = 0.25  # of the edges' variance (docs/decisions/032)


def told(
    gap_mm: float = 1.0, lens: str = "", size_mm: tuple[float, float] = (0.0, 0.0), **shares: float
) -> Told:
    budget = GapBudget(**{**dict.fromkeys(SHARES, 0.0), **(shares or SHARES)})
    return Told(Measured(gap_mm, budget.sigma_mm), budget, lens, size_mm)


def test_one_photo_is_what_it_is():
    one = told(0.7)
    found = combined([one])
    assert found.gap_mm.mean == pytest.approx(0.7)
    assert found.gap_mm.sigma == pytest.approx(one.budget.sigma_mm)
    assert found.budget.edges_mm == pytest.approx(0.3)
    assert (found.scatter, list(found.weights)) == (1.0, [1.0])


def test_own_errors_average_and_shared_ones_do_not():
    """Four photos alike: a quarter of the variance of edges and pose, all of that of profile, paint, lens.

    Of the edges' a quarter is the light's, and stays.
    """
    found = combined([told()] * 4)
    assert found.budget.edges_mm == pytest.approx(0.3 * np.sqrt(LIGHT + (1 - LIGHT) / 4))
    assert found.budget.pose_mm == pytest.approx(0.1 / 2)
    assert found.budget.profile_mm == pytest.approx(0.2)
    assert found.budget.paint_mm == pytest.approx(0.1)
    assert found.budget.lens_mm == pytest.approx(0.1)
    assert found.gap_mm.sigma == pytest.approx(np.sqrt(0.09 * 0.4375 + 0.0025 + 0.04 + 0.01 + 0.01))


def test_other_lenses_err_by_themselves():
    found = combined([told(lens="a"), told(lens="b")])
    assert found.budget.lens_mm == pytest.approx(0.1 / np.sqrt(2))


def test_no_number_of_photos_goes_below_what_they_share():
    found = combined([told(lens=str(k)) for k in range(40)])
    shared_mm = np.sqrt(0.2**2 + 0.1**2 + LIGHT * 0.3**2)
    assert shared_mm < found.gap_mm.sigma < 1.05 * shared_mm


def test_weights_are_by_inverse_variance():
    """Without shared errors it is the weighted mean of the textbooks (GUM H.5, JCGM 100:2008)."""
    found = combined([told(1.0, pose_mm=0.1), told(1.1, pose_mm=0.2)])
    assert found.weights == pytest.approx([0.8, 0.2], abs=1e-3)
    assert found.gap_mm.mean == pytest.approx(1.02, abs=1e-3)


def test_no_weight_is_negative():
    """Peelle's puzzle: with a large shared error, least squares would leave the range of the values."""
    found = combined([told(1.0, profile_mm=0.3, edges_mm=0.05), told(1.5, profile_mm=0.9, edges_mm=0.4)])
    assert found.weights.min() >= 0.0
    assert found.weights.sum() == pytest.approx(1.0)
    assert 1.0 <= found.gap_mm.mean <= 1.5


def test_what_the_size_leaves_open_cancels_from_opposite_sides():
    """A thicker disc looks shifted away from each camera: outward for one, inward for the other."""
    opposite = combined([told(size_mm=(0.0, 0.19)), told(size_mm=(0.0, -0.19))])
    alike = combined([told(size_mm=(0.0, 0.19)), told(size_mm=(0.0, 0.19))])
    assert opposite.budget.profile_mm == pytest.approx(np.sqrt(0.2**2 - 0.19**2))
    assert alike.budget.profile_mm == pytest.approx(0.2)
    # the bottom's radius does not: its error is outward from every side
    radius = combined([told(size_mm=(0.19, 0.0)), told(size_mm=(0.19, 0.0))])
    assert radius.budget.profile_mm == pytest.approx(0.2)
    # a part cannot be more than the whole
    assert combined([told(size_mm=(0.0, 5.0))]).budget.profile_mm == pytest.approx(0.2)


def test_a_difference_that_the_disc_s_thickness_explains_is_no_scatter():
    """0.4 mm apart from opposite sides, with 0.2 mm open of what shows outward there and inward here."""
    shares = {"profile_mm": 0.2, "edges_mm": 0.02}
    opposite = [told(0.8, size_mm=(0.0, -0.2), **shares), told(1.2, size_mm=(0.0, 0.2), **shares)]
    assert combined(opposite).scatter == pytest.approx(1.0)
    assert combined(opposite).gap_mm.mean == pytest.approx(1.0)
    # the bottom's radius cannot make photos differ, though that alone is no contradiction
    radius = combined([replace(one, size_mm=(0.2, 0.0)) for one in opposite])
    assert radius.scatter > MOST_SCATTER
    assert radius.gap_mm.sigma > 0.2
    assert not radius.contradictory


def test_photos_that_differ_too_much_widen_the_doubt():
    """The Birge ratio: three values one own sigma apart either side of the middle scatter as they should."""
    calm = combined([told(gap, pose_mm=0.2) for gap in (0.8, 1.0, 1.2)])
    assert calm.scatter == pytest.approx(1.0)
    wild = combined([told(gap, pose_mm=0.2) for gap in (0.5, 1.0, 1.5)])
    assert wild.scatter == pytest.approx(2.5, rel=1e-3)
    assert wild.gap_mm.sigma == pytest.approx(2.5 * calm.gap_mm.sigma, rel=1e-3)
    assert not wild.contradictory


def test_scatter_that_only_shared_causes_could_make_widens_too():
    wild = combined([told(gap, profile_mm=0.2) for gap in (0.5, 1.0, 1.5)])
    assert wild.gap_mm.sigma > 0.28


@pytest.mark.parametrize("sigmas_mm", [(0.05, 0.05), (0.05, 0.3), (0.3, 0.05)])
@pytest.mark.parametrize("others", [1, 2])
def test_one_misread_photo_makes_no_confident_call(sigmas_mm: tuple[float, float], others: int):
    """Truly over the line by 0.3 mm; one photo says a millimetre clear of it, however sure it is."""
    misread, right = sigmas_mm
    views = [told(1.0, edges_mm=misread), *[told(-0.3, edges_mm=right)] * others]
    found = combined(views)
    assert abs(found.gap_mm.mean + 0.3) < 2.0 * found.gap_mm.sigma
    assert judged(15, found.gap_mm).verdict is Verdict.TOO_CLOSE


def test_what_photos_differ_by_takes_the_weight_off_the_surest():
    """Mandel and Paule: beside a great further variance common to all, sigmas hardly count."""
    found = combined([told(0.0, edges_mm=0.02), told(2.0, edges_mm=0.2)])
    assert found.weights == pytest.approx([0.5, 0.5], abs=0.01)
    assert found.gap_mm.sigma == pytest.approx(1.0, abs=0.05)


def test_photos_that_cannot_be_of_one_position_contradict_each_other():
    apart_mm = 2 * MOST_SCATTER * 0.2 / np.sqrt(2)
    assert combined([told(0.0, edges_mm=0.2), told(1.01 * apart_mm, edges_mm=0.2)]).contradictory
    assert not combined([told(0.0, edges_mm=0.2), told(0.99 * apart_mm, edges_mm=0.2)]).contradictory


def test_the_stated_doubt_is_the_real_one():
    """Gaps drawn with shared and own errors: the combined error spreads as its sigma says."""
    rng = np.random.default_rng(4)
    errors = []
    for _ in range(800):
        shared = rng.normal(0, 0.2)
        lens = rng.normal(0, 0.1)
        gaps = [1.0 + shared + lens + rng.normal(0, np.hypot(0.1, 0.3)) for _ in range(3)]
        found = combined([told(gap, lens_mm=0.1, pose_mm=0.1, profile_mm=0.2, edges_mm=0.3) for gap in gaps])
        errors.append((found.gap_mm.mean - 1.0) / found.gap_mm.sigma)
    assert np.std(errors) == pytest.approx(1.0, abs=0.1)

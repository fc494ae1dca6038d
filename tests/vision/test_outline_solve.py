"""The linear algebra of the discs' fit, on offsets that are made up from the model itself."""

import numpy as np

from tests.vision.test_solid import SOLID, view_at
from vision.outline_edges import UNIT, Edges
from vision.outline_solve import FOOT, HALO, SHADE, UNKNOWNS, Shared, grown, solved
from vision.solid import silhouettes

KNOWN = (0.05, 0.08, 0.05)
PLACES = np.array([[60.0, 80.0], [-120.0, 40.0], [30.0, -180.0]])


def unknown_at(xy: np.ndarray, shared: Shared) -> np.ndarray:
    return np.concatenate([xy, np.broadcast_to(shared.mean, (len(xy), UNKNOWNS - 2))], 1)


def fitted(off_mm: tuple[float, float], outlier_px: float = 0.0) -> np.ndarray:
    """The places after a few steps from a start that is off, edges being the true outlines."""
    view, shared = view_at(35.0), Shared.known(SOLID, KNOWN)
    true = silhouettes(view, PLACES, [SOLID] * len(PLACES), UNIT)
    unknown = unknown_at(PLACES + np.array(off_mm), shared)
    unknown[:, [HALO, FOOT, SHADE]] = 0.0
    shared = Shared(np.zeros(8), shared.spread, shared.varied, shared.bounds)
    for _ in range(5):
        seen = silhouettes(view, unknown[:, :2], grown(SOLID, unknown), UNIT)
        offset = true.support - seen.support
        offset[:, :15] += outlier_px
        edges = Edges(offset, np.zeros(offset.shape), np.ones(offset.shape))
        fit = solved(view, seen, edges, unknown, shared)
        unknown = unknown + fit.change
    return unknown


def test_exact_edges_give_the_place() -> None:
    found = fitted((0.6, -0.5))
    assert np.abs(found[:, :2] - PLACES).max() < 0.02


def test_a_run_of_edges_of_another_thing_lets_go() -> None:
    found = fitted((0.3, -0.2), outlier_px=3.0)
    assert np.abs(found[:, :2] - PLACES).max() < 0.1


def test_the_profile_stays_within_its_bounds() -> None:
    shared = Shared.known(SOLID, KNOWN)
    (low, high), _ = shared.bounds
    spread = shared.spread + 0.01
    far = Shared(shared.mean + np.array([0, 0, 0, 5.0, 0, 0, 0, 0]), spread, shared.varied, shared.bounds)
    held = far._within()
    assert low - 1e-9 <= held.mean[3] <= high + 1e-9
    # what hangs together with it moves along
    assert held.mean[0] < far.mean[0]


def test_more_discs_than_a_few_tell_no_more_of_what_they_share() -> None:
    view, shared = view_at(35.0), Shared.known(SOLID, KNOWN)

    def sigma(count: int) -> float:
        xy = np.tile(PLACES, (count // 3, 1))
        unknown = unknown_at(xy, shared)
        seen = silhouettes(view, xy, [SOLID] * len(xy), UNIT)
        nothing = np.zeros((len(xy), len(UNIT)))
        edges = Edges(nothing, nothing, np.ones(nothing.shape))
        return float(shared.learned(solved(view, seen, edges, unknown, shared)).spread[0, 0] ** 0.5)

    assert sigma(3) < KNOWN[0]
    assert 0.95 * sigma(6) < sigma(30) <= 1.02 * sigma(6)

"""The linear algebra of the discs' fit, on offsets that are made up from the model itself."""

import numpy as np

from tests.vision.test_solid import SOLID, view_at
from vision.outline_edges import UNIT, Edges
from vision.outline_solve import (
    CREASE,
    FOOT,
    HALO,
    SHADE,
    SHARED,
    UNKNOWNS,
    Shared,
    farness,
    grown,
    outline_evidence,
    solved,
    top_evidence,
)
from vision.solid import FULLNESS, creases, silhouettes

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
    shared = Shared(np.zeros(UNKNOWNS - 2), shared.spread, shared.varied, shared.bounds)
    for _ in range(5):
        seen = silhouettes(view, unknown[:, :2], grown(SOLID, unknown), UNIT)
        offset = true.support - seen.support
        offset[:, :15] += outlier_px
        edges = Edges(offset, np.zeros(offset.shape), np.ones(offset.shape))
        fit = solved([outline_evidence(view, seen, edges, unknown)], unknown, shared)
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
    off = np.where(np.arange(UNKNOWNS - 2) == 3, 5.0, 0.0)
    far = Shared(shared.mean + off, spread, shared.varied, shared.bounds)
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
        fit = solved([outline_evidence(view, seen, edges, unknown)], unknown, shared)
        return float(shared.learned(fit).spread[0, 0] ** 0.5)

    assert sigma(3) < KNOWN[0]
    assert 0.95 * sigma(6) < sigma(30) <= 1.02 * sigma(6)


def test_the_edge_of_the_top_holds_a_disc_whose_outline_is_misread() -> None:
    # the far side's edge is the top's own rim, a bevel inside, and the shadow's end passes for the foot
    view, shared = view_at(35.0), Shared.known(SOLID, KNOWN).faint()
    true = silhouettes(view, PLACES, [SOLID] * len(PLACES), UNIT)
    top = creases(view, PLACES, [SOLID] * len(PLACES), UNIT)

    def error_mm(*, with_top: bool) -> float:
        unknown = unknown_at(PLACES, shared)
        for _ in range(4):
            solids = grown(SOLID, unknown)
            seen = silhouettes(view, unknown[:, :2], solids, UNIT)
            far = farness(view, unknown[:, :2])
            misread = np.where(far > 0.3, -SOLID.bevel_mm, np.where(far < -0.3, 0.8, 0.0)) * seen.per_mm
            outline = Edges(true.support + misread - seen.support, np.zeros(far.shape), np.ones(far.shape))
            evidence = [outline_evidence(view, seen, outline, unknown)]
            if with_top:
                here = creases(view, unknown[:, :2], solids, UNIT, unknown[:, CREASE])
                off = ((top.points - here.points) * UNIT).sum(-1)
                evidence.insert(0, top_evidence(here, Edges(off, np.zeros(far.shape), np.ones(far.shape))))
            unknown = unknown + solved(evidence, unknown, shared).change
        return float(np.linalg.norm(unknown[:, :2] - PLACES, axis=1).mean())

    assert error_mm(with_top=True) < 0.8 * error_mm(with_top=False)


def test_of_faint_discs_the_shadows_end_may_pass_for_the_foot() -> None:
    plain = Shared.known(SOLID, KNOWN)
    faint = plain.faint()
    assert faint.mean[FOOT - SHARED.start] > plain.mean[FOOT - SHARED.start]
    assert (
        faint.of_one[FOOT - SHARED.start, FOOT - SHARED.start] > plain.of_one.diagonal()[FOOT - SHARED.start]
    )


def test_a_side_that_votes_do_not_tell_may_be_any() -> None:
    told, untold = (Shared.known(SOLID, KNOWN, profile_told=known) for known in (True, False))
    fullness = FULLNESS - SHARED.start
    assert untold.spread[fullness, fullness] > 2 * told.spread[fullness, fullness]

"""The line rule is Crokinole Depot's 4c and 4d; sigmas combine as in the GUM (JCGM 100:2008, 5.1.2)."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.board import FittedBoard
from calibration.camera import Camera
from calibration.fit import CameraPrior, RingFit
from calibration.lines import RingLine
from calibration.marks import Marks
from calibration.measured import Measured
from tests.vision.test_solid import SOLID, view_at
from vision.clearance import (
    Placed,
    _by_lens_and_pose,
    gap_budgets,
    inner_edge,
    is_open,
    line_gaps,
    touch_probability,
)
from vision.outline_stand import BottomEdge, StandingDisc
from vision.reading import Verdict

RADII = np.array([101.6, 203.2, 304.8])


def ring(radius_mm: float, offset_mm: float = 0.0) -> RingLine:
    n = 180
    angle = (np.arange(n) + 0.5) / n * 2 * np.pi
    return RingLine(
        radius_mm=radius_mm,
        centre_mm=np.zeros(2),
        angle=angle,
        offset_mm=np.full(n, offset_mm),
        sigma_mm=np.full(n, 0.05),
        found=1.0,
        visible=1.0,
        step=0.0,
        contrast=50.0,
        noise=1.0,
        mix=np.array([1.0, 0.0, 0.0]),
        paint=np.array([1.0, 0.0, 0.0]),
        width_mm=Measured(1.6, 0.04),
        blur_px=0.8,
    )


def board(pose_sigma: float = 1e-6) -> FittedBoard:
    view = view_at(20.0)
    parameters = np.zeros(15)
    parameters[9:11] = np.log(RADII[:2] / RADII[2])
    prior = CameraPrior(Camera(2800.0, 1000.0, 750.0), 0.05, 10.0, 0.02, "assumed")
    covariance = np.eye(15) * pose_sigma**2
    fit = RingFit(parameters, covariance, view, RADII, np.zeros((3, 2)), view, 0.1, 1.0, prior)
    lines = (ring(RADII[0]), ring(RADII[1]), ring(RADII[2]))
    marks = Marks.__new__(Marks)  # no gap looks at the hole or the pegs
    return FittedBoard(fit, lines, marks, "preset", "assumed")


def disc(gap_mm: float, line: int, sigma_mm: float = 0.05, turn: float = 0.7) -> Placed:
    """A disc whose bottom is ``gap_mm`` inside the inner edge of a line."""
    reach = RADII[line] - 0.8 - gap_mm - SOLID.bottom_radius_mm
    xy = reach * np.array([np.cos(turn), np.sin(turn)])
    return Placed(StandingDisc(xy, SOLID, np.eye(4) * sigma_mm**2, 1.0, 0.2), 0.05)


@pytest.mark.parametrize("line", [0, 1, 2])
@pytest.mark.parametrize("gap_mm", [2.0, 0.4, -0.4, -2.0])
def test_gap_is_from_the_bottom_to_the_inner_edge(line: int, gap_mm: float) -> None:
    (gap,) = line_gaps(board(), [disc(gap_mm, line)])
    assert gap.line == (15, 10, 5)[line]
    assert gap.clearance_mm.mean == pytest.approx(gap_mm, abs=1e-6)


def test_what_touches_is_the_bottom_not_the_outline_above_it() -> None:
    bulging = replace(SOLID, widest_radius_mm=SOLID.bottom_radius_mm + 3.0)
    clear = disc(1.0, 1)
    (gap,) = line_gaps(board(), [Placed(replace(clear.disc, solid=bulging), clear.bevel_sigma_mm)])
    assert gap.clearance_mm.mean == pytest.approx(1.0, abs=1e-6)
    assert gap.verdict is Verdict.CLEAR


@pytest.mark.parametrize(
    ("gap_mm", "verdict"), [(2.0, Verdict.CLEAR), (0.02, Verdict.TOO_CLOSE), (-2.0, Verdict.TOUCHING)]
)
def test_verdicts(gap_mm: float, verdict: Verdict) -> None:
    (gap,) = line_gaps(board(), [disc(gap_mm, 1)])
    assert gap.verdict is verdict


def test_of_two_lines_the_one_whose_own_edge_is_nearer_counts_not_the_one_whose_circle_is() -> None:
    """A line may be painted off its circle: which is nearest is told by the edges."""
    fitted = board()
    nearer = fitted.lines[0], replace(ring(RADII[1]), offset_mm=np.full(180, -3.0)), fitted.lines[2]
    for lines, line in ((fitted.lines, 15), (nearer, 10)):
        reach = (RADII[0] + RADII[1]) / 2 - 0.8 - SOLID.bottom_radius_mm - 0.5
        placed = Placed(StandingDisc(np.array([reach, 0.0]), SOLID, np.eye(4) * 1e-4, 1.0, 0.2), 0.05)
        (gap,) = line_gaps(replace(fitted, lines=lines), [placed])
        assert gap.line == line


def test_a_doubtful_place_is_never_a_sure_verdict() -> None:
    for gap_mm in (2.0, -2.0):
        (gap,) = line_gaps(board(), [disc(gap_mm, 1, sigma_mm=1.5)])
        assert gap.verdict is Verdict.TOO_CLOSE


def test_sigma_is_the_root_of_the_parts_squares() -> None:
    placed = disc(1.0, 1)
    (gap,) = line_gaps(board(), [placed])
    edge = inner_edge(ring(RADII[1]), 0.7)
    # radial position and radius by 0.05 each, bevel 0.05, the line's edge
    assert gap.clearance_mm.sigma == pytest.approx(np.sqrt(3 * 0.05**2 + edge.sigma**2), rel=1e-3)


def test_doubt_of_the_pose_widens_sigma() -> None:
    (sure,) = line_gaps(board(), [disc(1.0, 1)])
    (unsure,) = line_gaps(board(3e-2), [disc(1.0, 1)])
    assert unsure.clearance_mm.sigma > 1.2 * sure.clearance_mm.sigma


def test_a_line_painted_off_its_circle_is_measured_beside_the_disc() -> None:
    line = ring(RADII[1])
    near = np.abs(np.angle(np.exp(1j * (line.angle - 0.7)))) < 0.5
    line = replace(line, offset_mm=np.where(near, 0.6, 0.0))
    assert inner_edge(line, 0.7).mean == pytest.approx(RADII[1] - 0.8 + 0.6, abs=0.1)
    assert inner_edge(line, 0.7 + np.pi).mean == pytest.approx(RADII[1] - 0.8, abs=0.1)


def test_discs_edges_taken_for_the_line_beside_a_disc_do_not_move_it() -> None:
    line = ring(RADII[1])
    near = np.abs(np.angle(np.exp(1j * (line.angle - 0.7)))) < 0.2
    taken = replace(line, offset_mm=np.where(near & (np.arange(180) % 3 > 0), 4.0, 0.0))
    assert inner_edge(taken, 0.7).mean == pytest.approx(RADII[1] - 0.8, abs=0.1)


def test_a_line_of_which_next_to_nothing_is_seen_is_where_the_circle_is_and_unsure() -> None:
    line = ring(RADII[1])
    edge = inner_edge(replace(line, offset_mm=np.where(np.arange(180) < 4, 0.0, np.nan)), 0.7)
    assert edge.mean == pytest.approx(RADII[1] - 0.8)
    assert edge.sigma >= 0.5


def test_a_discs_own_covariance_is_used_edges_and_profile_apart() -> None:
    placed = disc(1.0, 1)
    bottom = BottomEdge(np.diag([0.04, 0.04, 0.0]), np.diag([0.0, 0.0, 0.01]))
    (budget,) = gap_budgets(board(), [Placed(replace(placed.disc, bottom=bottom), 0.0)])
    assert budget.edges_mm == pytest.approx(0.2)
    assert budget.profile_mm == pytest.approx(0.1)
    assert budget.sigma_mm == pytest.approx(np.hypot(np.hypot(0.2, 0.1), budget.paint_mm), rel=1e-3)


def test_edges_do_not_take_all_of_the_doubt_about_a_bevel_away() -> None:
    placed = disc(1.0, 1)
    bottom = BottomEdge(np.diag([0.04, 0.04, 0.0]), np.diag([0.0, 0.0, 0.0001]))
    (budget,) = gap_budgets(board(), [Placed(replace(placed.disc, bottom=bottom), 0.35)])
    assert 0.2 < budget.profile_mm < 0.35


def test_a_call_is_open_where_its_edges_leave_it_so() -> None:
    edges, sizes = np.diag([0.09, 0.09, 0.0]), np.diag([0.0, 0.0, 0.16])
    for gap_mm, profile, expected in (
        (0.5, 0.0 * sizes, True),
        (5.0, 0.0 * sizes, False),  # far from the line
        (0.5, sizes, False),  # no look tells the disc's size
    ):
        placed = disc(gap_mm, 1)
        bottom = BottomEdge(edges, profile)
        assert is_open(board(), Placed(replace(placed.disc, bottom=bottom), 0.03)) is expected


def test_a_hidden_line_is_less_sure() -> None:
    line = ring(RADII[1])
    wander = np.where(np.arange(180) % 2 == 0, 0.2, -0.2)
    hidden = np.abs(np.angle(np.exp(1j * (line.angle - 0.7)))) < 0.4
    shown = replace(line, offset_mm=wander)
    covered = replace(line, offset_mm=np.where(hidden, np.nan, wander))
    assert inner_edge(covered, 0.7).sigma > inner_edge(shown, 0.7).sigma


def test_probability_keeps_a_share_for_surprises() -> None:
    assert 0.0 < touch_probability(Measured(50.0, 0.1)) < 0.01
    assert 0.99 < touch_probability(Measured(-50.0, 0.1)) < 1.0
    assert touch_probability(Measured(0.0, 0.1)) == pytest.approx(0.5)


def test_no_discs_no_gaps() -> None:
    assert line_gaps(board(), []) == []


def test_a_focal_length_that_comes_with_its_distance_leaves_the_gap_sure() -> None:
    # the rings stay where they are seen: what one moves the other takes back
    gradient = np.zeros((1, 15))
    gradient[0, 2], gradient[0, 5] = 1.0, -1.0
    together = np.diag(np.full(15, 1e-12))
    together[np.ix_([2, 5], [2, 5])] = 1e-2
    together[[2, 5], [2, 5]] += 1e-6
    alone = np.diag(together.diagonal())
    known = [np.hypot(*_by_lens_and_pose(gradient, covariance))[0] for covariance in (together, alone)]
    assert known[0] < 0.02 * known[1]
    assert known[1] == pytest.approx(np.sqrt(2e-2), rel=1e-2)
    assert known[0] == pytest.approx(np.sqrt((gradient @ together @ gradient.T)[0, 0]), rel=1e-6)


def test_a_line_that_keeps_to_its_circle_is_told_by_all_of_it() -> None:
    line = ring(RADII[1])
    ragged = np.abs(np.angle(np.exp(1j * (line.angle - 0.7)))) < 0.3
    noise = np.where(ragged, np.where(np.arange(180) % 2 == 0, 0.5, -0.5), 0.0)
    slow = 0.5 * np.sin(3 * (line.angle - 0.7))
    keeps, wanders = (inner_edge(replace(line, offset_mm=noise + off), 0.7) for off in (0.0, slow))
    assert keeps.mean == pytest.approx(RADII[1] - 0.8, abs=0.1)
    assert keeps.sigma < 0.8 * wanders.sigma

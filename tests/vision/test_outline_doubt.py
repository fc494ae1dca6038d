import numpy as np

from tests.vision.test_solid import view_at
from vision.outline_doubt import Seen, doubt
from vision.outline_edges import DIRECTIONS
from vision.outline_solve import farness

XY = np.array([[120.0, 40.0]])
BEVEL_MM = np.array([1.2])


def seen(agrees: np.ndarray, found: float = 1.0) -> Seen:
    return Seen(np.array([found]), agrees)


def test_a_disc_that_agrees_all_round_is_not_doubted() -> None:
    assert np.all(doubt(view_at(40.0), XY, seen(np.ones((1, DIRECTIONS))), BEVEL_MM) == 0.0)


def test_a_far_side_that_does_not_agree_may_be_a_bevel_off_along_the_line_of_sight() -> None:
    view = view_at(40.0)
    agrees = np.where(farness(view, XY) > 0.2, 0.0, 1.0)
    covariance = doubt(view, XY, seen(agrees), BEVEL_MM)[0]
    sight = XY[0] - view.eye_mm[:2]
    sight /= np.linalg.norm(sight)
    across = np.array([-sight[1], sight[0]])
    along_mm = np.sqrt(sight @ covariance @ sight)
    assert 0.3 < along_mm < 1.2
    assert across @ covariance @ across < 0.5 * along_mm**2


def test_the_near_side_with_its_shadow_says_nothing_of_the_far_one() -> None:
    view = view_at(40.0)
    agrees = np.where(farness(view, XY) < -0.6, 0.0, 1.0)
    assert np.all(doubt(view, XY, seen(agrees), BEVEL_MM) == 0.0)


def test_faint_edges_prove_less_than_plain_ones() -> None:
    view = view_at(40.0)
    plain, faint = (doubt(view, XY, seen(np.full((1, DIRECTIONS), p)), BEVEL_MM) for p in (0.9, 0.5))
    assert np.trace(faint[0]) > np.trace(plain[0])


def test_where_next_to_nothing_agrees_it_may_lie_either_way() -> None:
    covariance = doubt(view_at(40.0), XY, seen(np.full((1, DIRECTIONS), 0.1), found=0.6), BEVEL_MM)[0]
    assert np.linalg.eigvalsh(covariance).min() > 0.9**2


def test_a_faint_disc_whose_tops_edge_is_not_where_it_should_be_may_be_elsewhere() -> None:
    agrees = np.ones((1, DIRECTIONS))
    topped, topless = (
        doubt(view_at(40.0), XY, Seen(np.ones(1), agrees, np.array([share])), BEVEL_MM)
        for share in (1.0, 0.1)
    )
    assert np.all(topped == 0.0)
    assert np.linalg.eigvalsh(topless[0]).min() > 0.2**2

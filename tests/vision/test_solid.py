import numpy as np

from calibration.camera import Camera, View
from vision.solid import Solid, creases, silhouettes

SOLID = Solid(15.875, 14.6, 10.0)


def view_at(tilt_deg: float, distance_mm: float = 1000.0, f_px: float = 2800.0) -> View:
    """A camera that looks at the board's centre from the side of negative y."""
    tilt = np.radians(tilt_deg)
    down = np.array([0.0, -np.cos(tilt), -np.sin(tilt)])
    forward = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
    rotation = np.stack([[1.0, 0.0, 0.0], down, forward])
    return View(Camera(f_px, 1000.0, 750.0), rotation, np.array([0.0, 0.0, distance_mm]))


def directions(count: int = 48) -> np.ndarray:
    angle = np.arange(count) / count * 2 * np.pi
    return np.stack([np.cos(angle), np.sin(angle)], 1)


def circles(solid: Solid, levels: int = 201) -> np.ndarray:
    """Heights and radii by the definition of the profile, finely."""
    u = np.linspace(-1, 1, levels)
    wall = np.sqrt(1 - np.square(np.maximum(np.abs(u) - 0.74, 0) / 0.26))
    shape = (1 - solid.fullness) * (1 - u**2) + solid.fullness * wall
    radius = solid.widest_radius_mm - solid.bevel_mm * (1 - shape)
    return np.stack([solid.base_mm + (u + 1) / 2 * solid.thickness_mm, radius], 1)


def test_outline_is_the_hull_of_all_its_circles() -> None:
    angle = np.arange(720) / 720 * 2 * np.pi
    around = np.stack([np.cos(angle), np.sin(angle)], 1)
    for tilt in (0.0, 30.0, 55.0):
        for fullness in (0.0, 0.9):
            view, solid = view_at(tilt), Solid(15.875, 14.6, 10.0, fullness=fullness)
            xy = np.array([110.0, -160.0])
            points = np.concatenate(
                [
                    view.px_from_mm(np.concatenate([xy + r * around, np.full((720, 1), z)], 1))
                    for z, r in circles(solid)
                ]
            )
            seen = silhouettes(view, xy[None], [solid], directions())
            support, on = seen.support[0], seen.points[0]
            px_per_mm = float(np.sqrt(abs(np.linalg.det(view.px_per_mm(xy)))))
            assert np.abs(support - (points @ directions().T).max(0)).max() < 0.03 * px_per_mm
            assert np.allclose((on * directions()).sum(1), support)


def test_far_side_is_the_top_and_near_side_the_bottom() -> None:
    seen = silhouettes(view_at(50.0), np.zeros((1, 2)), [SOLID], np.array([[0.0, -1.0], [0.0, 1.0]]))
    assert seen.share[0, 0] > 0.8
    assert seen.share[0, 1] < 0.2


def test_derivatives_are_those_of_the_support() -> None:
    view, step = view_at(40.0), 0.02
    at = np.array([60.0, 90.0, 15.875, 10.0, 1.275, 0.5])

    def support(p: np.ndarray) -> np.ndarray:
        solid = Solid(p[2], p[2] - p[4], p[3], fullness=p[5])
        return silhouettes(view, p[None, :2], [solid], directions()).support[0]

    design = silhouettes(
        view, at[None, :2], [Solid(at[2], at[2] - at[4], at[3], fullness=at[5])], directions()
    )
    for k in range(6):
        high, low = at.copy(), at.copy()
        high[k] += step
        low[k] -= step
        slope = (support(high) - support(low)) / (2 * step)
        # the levels are few, so a direction may change its circle: then the slope lies between two
        assert np.quantile(np.abs(slope - design.design[0, :, k]), 0.8) < 0.1


def test_derivatives_of_the_tops_edge_are_those_of_its_support() -> None:
    view, step = view_at(40.0), 0.02
    at = np.array([60.0, 90.0, 15.875, 10.0, 1.275])

    def support(p: np.ndarray, outward_mm: float = 0.0) -> np.ndarray:
        tops = creases(view, p[None, :2], [Solid(p[2], p[2] - p[4], p[3])], directions(), outward_mm)
        return (tops.points[0] * directions()).sum(1)

    tops = creases(view, at[None, :2], [Solid(at[2], at[2] - at[4], at[3])], directions())
    for k in range(5):
        high, low = at.copy(), at.copy()
        high[k] += step
        low[k] -= step
        slope = (support(high) - support(low)) / (2 * step)
        assert np.abs(slope - tops.design[0, :, k]).max() < 0.05
    assert np.abs((support(at, step) - support(at, -step)) / (2 * step) - tops.per_mm[0]).max() < 0.05

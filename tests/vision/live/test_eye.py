"""What a fixed camera knows of its table, and when it refuses to have it scored."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.live.scenes import Camera, frames, shifted, table, with_arm, with_disc_moved, with_shadow
from vision.live.still_capture import CaptureError, Refused
from vision.live.stillness import Motion
from vision.read import read_picture


@pytest.fixture
def camera() -> Camera:
    """A camera that has seen its table at rest."""
    made = Camera()
    made.show(frames(table(), 8))
    return made


def refusal(camera: Camera) -> Refused:
    with pytest.raises(CaptureError) as error:
        camera.eye.still("camera")
    return error.value.code


def test_a_board_at_rest_gives_a_picture_with_less_noise_than_any_frame(camera: Camera) -> None:
    still = camera.eye.still("camera")
    assert still.frames >= 5
    noise = float(np.std(still.picture.rgb.astype(float) - table()))
    assert noise < 0.7 * float(np.std(frames(table(), 1)[0].astype(float) - table()))
    # the board is the one a photo of it has
    assert still.board.geometry == "preset"
    read = read_picture(still.picture, board=still.board)
    assert len(read.discs) >= 12


def test_before_the_first_frame_there_is_nothing_to_score() -> None:
    assert refusal(Camera()) is Refused.NO_FRAMES


def test_rest_must_last_before_it_counts() -> None:
    camera = Camera()
    assert camera.show(frames(table(), 3)).motion is Motion.SETTLING
    assert refusal(camera) is Refused.NOT_STILL


def test_a_gap_in_the_frames_may_hide_a_move_so_rest_begins_anew(camera: Camera) -> None:
    camera.wait(3.0)
    camera.show(frames(table(), 1))
    assert refusal(camera) is Refused.NOT_STILL


def test_exposure_that_changes_is_no_motion(camera: Camera) -> None:
    assert camera.show(frames(table(), 1, gain=0.85)).motion is not Motion.MOVING


def test_what_moves_beside_the_board_does_not_matter(camera: Camera) -> None:
    for step in range(8):
        away = table().copy()
        away[:40, 40 * step : 40 * step + 120] = 20
        glance = camera.show([away])
    assert glance.motion is Motion.STILL
    assert not glance.hand


@pytest.mark.parametrize("by_px", [2, 5, 40])
def test_a_disc_that_slides_is_seen_however_slowly(camera: Camera, by_px: int) -> None:
    assert camera.show([with_disc_moved(table(), by_px)]).motion is Motion.MOVING
    assert refusal(camera) is Refused.NOT_STILL


def test_an_arm_is_motion_then_a_hand_over_the_board_then_gone(camera: Camera) -> None:
    assert camera.show(frames(with_arm(table()), 1)).motion is Motion.MOVING
    glance = camera.show(frames(with_arm(table()), 8, gain=0.9))
    assert (glance.motion, glance.hand) == (Motion.STILL, True)
    assert refusal(camera) is Refused.HAND
    camera.show(frames(table(), 8))
    assert camera.eye.still("camera").frames >= 3


def test_an_arm_that_was_there_from_the_start_is_known_by_what_it_hides() -> None:
    camera = Camera()
    camera.show(frames(with_arm(table()), 10))
    assert refusal(camera) is Refused.HAND


def test_a_shadow_is_no_hand(camera: Camera) -> None:
    glance = camera.show(frames(with_shadow(table()), 8))
    assert (glance.motion, glance.hand) == (Motion.STILL, False)


def test_a_knocked_camera_finds_the_board_again_before_anything_is_scored(camera: Camera) -> None:
    before = camera.eye.board
    assert before is not None
    knocked = shifted(table(), 1.5, -0.8)
    camera.show(frames(knocked, 30))
    after = camera.eye.board
    assert after is not None
    moved_px = after.view.px_from_mm(np.zeros(2)) - before.view.px_from_mm(np.zeros(2))
    assert np.allclose(moved_px, (1.5, -0.8), atol=0.15)
    assert camera.eye.still("camera").board is after


def test_a_view_that_has_not_moved_is_fitted_once(camera: Camera) -> None:
    before = camera.eye.board
    camera.show(frames(with_disc_moved(table(), 40), 30))
    assert camera.eye.board is before


def test_a_camera_that_looks_elsewhere_says_that_it_sees_no_board() -> None:
    camera = Camera()
    wall = np.full_like(table(), 120)
    glance = camera.show(frames(wall, 8))
    assert not glance.board
    assert refusal(camera) is Refused.NO_BOARD


def test_another_size_of_frames_is_another_camera(camera: Camera) -> None:
    camera.show(frames(table(width_px=640), 1))
    assert camera.eye.board is None
    assert refusal(camera) is Refused.NOT_STILL

"""Line calls on drawn boards whose gaps are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, replace

import cv2
import numpy as np
import pytest

from calibration.equipment import Equipment
from calibration.errors import NoBoardError
from calibration.pixels import AtHand
from tests.drawn import Drawing
from tests.vision.linecall_scenes import DISCS, GAPS_MM, SIZE_PX, VIEWS, photographed, read, true_gap_mm
from vision.linecall import read_for_linecall, rule
from vision.linecall_errors import LineCallError, LineCallFault
from vision.linecall_sharp import LEAST_PX_PER_MM, require_sharp
from vision.linecall_values import LineCall, ReadPhoto
from vision.picture import Picture
from vision.reading import LineGap, Place, Verdict

EVERY = ("a", "ab", "ca", "abc")


def calls(names: str) -> tuple[LineCall, ...]:
    return rule([read(name) for name in names])


def refusal(photos: list[ReadPhoto], at_px: tuple[float, float] | None = None) -> LineCallError:
    with pytest.raises(LineCallError) as caught:
        rule(photos, at_px)
    return caught.value


@pytest.mark.parametrize("names", EVERY)
def test_each_close_disc_has_its_gap(names: str):
    made = calls(names)
    assert len(made) == len(GAPS_MM)
    for call in made:
        off_mm = call.gap_mm.mean - true_gap_mm(read(names[0]), call.views[0].index)
        assert abs(off_mm) < 3.5 * call.gap_mm.sigma
        assert abs(off_mm) < 1.2


@pytest.mark.parametrize("names", EVERY)
def test_no_verdict_is_wrong(names: str):
    for call in calls(names):
        true_mm = true_gap_mm(read(names[0]), call.views[0].index)
        assert call.gap.verdict is not (Verdict.TOUCHING if true_mm > 0 else Verdict.CLEAR)
        assert (call.advice is None) == (call.gap.verdict is not Verdict.TOO_CLOSE)


def test_more_photos_are_surer():
    by_place = {call.disc.id: call for call in calls("abc")}
    for call in calls("a"):
        together = by_place[call.disc.id]
        alone = [view.gap.clearance_mm.sigma for view in together.views]
        assert len(alone) == 3
        if together.scatter == 1.0:
            assert together.gap_mm.sigma < 1.001 * min(alone)
        assert sum(view.weight for view in together.views) == pytest.approx(1.0)


@pytest.mark.parametrize("names", EVERY)
def test_the_budget_is_all_of_the_sigma(names: str):
    for call in calls(names):
        assert call.budget.sigma_mm == pytest.approx(call.gap_mm.sigma)
        assert min(astuple(call.budget)) >= 0.0


def test_numbers_and_teams_are_those_of_the_first_photo():
    for names in ("ab", "ba"):
        first = read(names[0])
        for call in calls(names):
            assert call.disc is first.discs[call.views[0].index]
            # and the other's is the same disc, though it has another number
            assert true_gap_mm(first, call.views[0].index) == true_gap_mm(read(names[1]), call.views[1].index)


def test_a_point_rules_on_its_disc_alone():
    photo = read("a")
    for disc in photo.discs:
        if disc.place is not Place.BOARD:
            continue
        reach = np.hypot(*(np.array(disc.outline_px) - disc.pixel).T).mean()
        for away in (0.0, 0.7, 1.5):
            [call] = rule([photo], (disc.pixel[0] + away * reach, disc.pixel[1]))
            assert call.disc.id == disc.id


def test_a_point_without_a_disc_is_refused_with_the_nearest():
    error = refusal([read("a")], (430.0, 20.0))
    assert error.code is LineCallFault.NO_DISC
    assert "430,20" in error.message
    assert "the nearest is disc" in error.message


@pytest.mark.parametrize("at_px", [(-5.0, 10.0), (10.0, 850.0), (1e9, 5.0)])
def test_a_point_outside_the_picture_is_refused(at_px: tuple[float, float]):
    error = refusal([read("a")], at_px)
    assert error.code is LineCallFault.OUTSIDE_PICTURE
    assert "850 x 850" in error.message


@pytest.mark.parametrize(
    ("place", "code", "says"),
    [
        (Place.HOLE, LineCallFault.IN_HOLE, "in the hole"),
        (Place.DITCH, LineCallFault.OFF_BOARD, "in the ditch"),
        (Place.OFF, LineCallFault.OFF_BOARD, "off the board"),
    ],
)
def test_a_disc_that_is_not_on_the_surface_has_no_call(place: Place, code: LineCallFault, says: str):
    photo = read("a")
    at = photo.on_board[0]
    discs = tuple(
        replace(disc, place=place, gap=None) if k == at else disc for k, disc in enumerate(photo.discs)
    )
    elsewhere = ReadPhoto(
        photo.picture, replace(photo.read, reading=replace(photo.read.reading, discs=discs))
    )
    error = refusal([elsewhere], photo.discs[at].pixel)
    assert error.code is code
    assert says in error.message


def with_gaps(photo: ReadPhoto, change: Callable[[LineGap], LineGap]) -> ReadPhoto:
    """The photo with its gaps told otherwise."""
    gaps = tuple(None if gap is None else change(gap) for gap in photo.read.gaps)
    return ReadPhoto(photo.picture, replace(photo.read, gaps=gaps))


def test_without_a_close_disc_it_is_the_closest():
    """Every gap six centimetres more, and clear: nothing is close."""
    photo = with_gaps(
        read("a"),
        lambda gap: replace(gap, clearance_mm=gap.clearance_mm + 60.0, verdict=Verdict.CLEAR),
    )
    [call] = rule([photo])
    assert call.gap_mm.mean == pytest.approx(
        min(gap.clearance_mm.mean for gap in photo.read.gaps if gap is not None)
    )


def test_an_empty_board_has_nothing_to_rule_on():
    photo = read("a")
    bare = replace(photo.read, standing=(), gaps=(), reading=replace(photo.read.reading, discs=()))
    error = refusal([ReadPhoto(photo.picture, bare)])
    assert error.code is LineCallFault.NO_DISCS


def with_disc(photo: ReadPhoto, k: int, **changed: object) -> ReadPhoto:
    """The photo with one disc read otherwise."""
    discs = list(photo.discs)
    discs[k] = replace(discs[k], **changed)
    reading = replace(photo.read.reading, discs=tuple(discs))
    return ReadPhoto(photo.picture, replace(photo.read, reading=reading))


def close_index(photo: ReadPhoto) -> int:
    return rule([photo])[0].views[0].index


def test_a_disc_of_which_too_little_is_seen_is_not_ruled_on():
    photo = read("a")
    k = close_index(photo)
    hidden = with_disc(photo, k, sigma_mm=1.5)
    assert refusal([hidden], photo.discs[k].pixel).code is LineCallFault.HIDDEN
    assert photo.discs[k].id not in [call.disc.id for call in rule([hidden])]


def test_a_disc_that_was_overlooked_in_one_photo_has_not_gone():
    """It stands where it should, as the picture shows when it is looked for there."""
    first, other = read("a"), read("b")
    call = rule([first, other])[0]
    blind = with_disc(other, call.views[1].index, place=Place.OFF)
    again = rule([first, blind])[0]
    assert again.disc.id == call.disc.id
    assert len(again.views) == 1


def test_a_disc_that_was_misread_has_not_moved_and_is_not_ruled_on():
    first, other = read("a"), read("b")
    k = close_index(first)
    off = with_disc(first, k, x_mm=first.discs[k].x_mm + 5.0)
    assert first.discs[k].id not in [call.disc.id for call in rule([off, other])]
    assert refusal([off, other], first.discs[k].pixel).code is LineCallFault.HIDDEN
    # read well in the first photo and badly in the other, it is ruled on by the first alone
    index = next(c.views[1].index for c in rule([first, other]) if c.views[0].index == k)
    astray = with_disc(other, index, x_mm=other.discs[index].x_mm + 5.0)
    [call] = rule([first, astray], first.discs[k].pixel)
    assert len(call.views) == 1


def test_a_disc_that_moved_between_photos_is_refused():
    x, y = DISCS[0].xy_mm
    moved = (replace(DISCS[0], xy_mm=(x + 3.0, y + 3.0)), *DISCS[1:])
    other = read_for_linecall(photographed("b", moved), Equipment())
    error = refusal([read("a"), other])
    assert error.code is LineCallFault.DISC_MOVED
    assert " moved 4." in error.message


def test_a_photo_of_another_board_is_refused():
    other = read_for_linecall(photographed("b", what=Drawing(radii_mm=(108.0, 218.0, 304.8))))
    assert refusal([read("a"), other]).code is LineCallFault.DIFFERENT_BOARDS


def test_photos_that_contradict_each_other_are_refused():
    """Gaps that no uncertainty explains, though the disc is where it was: something is misread."""
    photo = read("a")
    misread = with_gaps(photo, lambda gap: replace(gap, clearance_mm=gap.clearance_mm + 8.0))
    assert refusal([photo, misread]).code is LineCallFault.CONTRADICTION


def test_one_contradictory_disc_does_not_stop_the_others():
    first, other = read("a"), read("b")
    before = rule([first, other])
    astray = before[0].views[1].index
    gaps = tuple(
        replace(gap, clearance_mm=gap.clearance_mm + 8.0) if gap is not None and k == astray else gap
        for k, gap in enumerate(other.read.gaps)
    )
    misread = ReadPhoto(other.picture, replace(other.read, gaps=gaps))
    calls = rule([first, misread])
    assert [call.contradictory for call in calls] == [True, False, False]
    assert calls[0].gap.verdict is Verdict.TOO_CLOSE
    assert calls[0].advice is not None
    assert "contradict" in calls[0].advice.words
    assert [call.gap for call in calls[1:]] == [call.gap for call in before[1:]]
    # asked for by itself it is refused
    assert refusal([first, misread], before[0].disc.pixel).code is LineCallFault.CONTRADICTION


def test_a_disc_that_its_own_photo_hardly_shows_is_no_witness():
    """Misplaced by 5 mm in one photo, with half of its outline: the position has not changed."""
    first, other = read("a"), read("b")
    call = rule([first, other])[0]
    for photo, k in ((first, call.views[0].index), (other, call.views[1].index)):
        standing = list(photo.read.standing)
        standing[k] = replace(standing[k], agreed=0.5)
        faint = ReadPhoto(photo.picture, replace(photo.read, standing=tuple(standing)))
        astray = with_disc(faint, k, x_mm=photo.discs[k].x_mm + 5.0, team="green")
        made = rule([astray, other] if photo is first else [first, astray])
        assert len(made) >= 2


def test_a_blurred_picture_is_refused_with_how_much():
    sharp = photographed("a")
    blurred = np.asarray(cv2.GaussianBlur(sharp.rgb, (0, 0), 2.0), np.uint8)
    with pytest.raises(LineCallError) as caught:
        read_for_linecall(Picture(AtHand(blurred), "a.jpg", "PNG"))
    assert caught.value.code is LineCallFault.TOO_BLURRED
    assert (caught.value.photo, "pixels" in caught.value.message) == ("a.jpg", True)


def test_a_small_picture_is_refused_with_how_small():
    rgb = np.asarray(cv2.resize(photographed("a").rgb, (400, 400), interpolation=cv2.INTER_AREA), np.uint8)
    with pytest.raises(LineCallError) as caught:
        read_for_linecall(Picture(AtHand(rgb), "a.jpg", "PNG"))
    assert caught.value.code is LineCallFault.TOO_SMALL
    assert f"needs {LEAST_PX_PER_MM:g}" in caught.value.message
    require_sharp("a.jpg", read("a").board)


def test_no_board_is_no_board():
    rgb = np.random.default_rng(2).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    with pytest.raises(NoBoardError):
        read_for_linecall(Picture(AtHand(rgb), "noise.png", "PNG"))


def test_the_camera_s_angle_to_a_disc():
    view = calls("b")[0].views[0]
    eye, at = VIEWS["b"].eye_mm, view.standing.xy_mm
    turned = VIEWS["b"].mm_from_px(view.photo.board.view.px_from_mm(at))
    assert view.sight_deg == pytest.approx(
        np.degrees(np.arctan2(np.linalg.norm(turned - eye[:2]), eye[2])), abs=1.5
    )
    assert view.photo.picture.rgb.shape[:2] == SIZE_PX

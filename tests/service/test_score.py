from __future__ import annotations

from pathlib import Path

import pytest

from calibration.equipment import Equipment
from calibration.errors import CameraFileError, NoBoardError
from scoring.presets import preset
from service.compose import ScoredPhoto
from service.errors import ExitStatus, UsageError
from service.score import Order, PhotoFailure, score_photos
from service.sides import Sides
from tests.pictures import encoded, marked
from tests.service.readings import FakeSeeing, disc, reading

NCA = preset("nca")


@pytest.fixture
def photo(tmp_path: Path) -> str:
    return new_photo(tmp_path / "a.jpg")


def new_photo(path: Path) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(encoded(marked(), "JPEG"))
    return str(path)


def seeing() -> FakeSeeing:
    return FakeSeeing(reading(disc(1, line=15), disc(2, "light", line=10)))


def test_a_photo_is_loaded_read_and_scored(photo):
    fake = seeing()
    [scored] = score_photos([photo], Order(NCA), fake)
    assert isinstance(scored, ScoredPhoto)
    assert (scored.score.winner, scored.score.difference) == ("dark", 5)
    assert fake.asked == [(photo, None, 2, None)]
    assert fake.drawn == []


def test_the_order_reaches_the_reader(photo, tmp_path: Path):
    fake = seeing()
    sides = Sides({"dark": "A", "light": "B", "red": "C"})
    list(score_photos([photo], Order(NCA, sides, Equipment("mine"), tmp_path), fake))
    assert fake.asked == [(photo, "mine", 3, tmp_path)]


def test_one_bad_photo_does_not_stop_the_rest(photo, tmp_path: Path):
    results = list(score_photos([photo, str(tmp_path / "none.jpg"), photo], Order(NCA), seeing()))
    assert [isinstance(result, ScoredPhoto) for result in results] == [True, False, True]
    failed = results[1]
    assert isinstance(failed, PhotoFailure)
    assert failed.photo == str(tmp_path / "none.jpg")
    assert (failed.failure.code, failed.failure.status) == ("missing", ExitStatus.NOT_A_PICTURE)


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [(NoBoardError("a plate"), "no_board", 4), (CameraFileError("no matrix"), "bad_camera", 2)],
)
def test_what_the_reader_refuses_is_a_failure_of_that_photo(photo, error, code, status):
    [failed] = score_photos([photo], Order(NCA), FakeSeeing(error))
    assert isinstance(failed, PhotoFailure)
    assert (failed.failure.code, failed.failure.status) == (code, status)


def test_a_team_that_is_not_there_is_a_failure_of_that_photo(photo):
    [failed] = score_photos([photo], Order(NCA, Sides({"red": "Anna"})), seeing())
    assert isinstance(failed, PhotoFailure)
    assert (failed.failure.code, failed.failure.status) == ("unknown_team", ExitStatus.USAGE)


def test_photos_are_read_one_at_a_time(photo, tmp_path: Path):
    fake = seeing()
    results = score_photos([photo, photo, photo], Order(NCA), fake)
    next(results)
    assert len(fake.asked) == 1


def drawn(photos: list[str], annotate: Path) -> FakeSeeing:
    fake = seeing()
    assert all(
        isinstance(result, ScoredPhoto)
        for result in score_photos(photos, Order(NCA, annotate=annotate), fake)
    )
    return fake


@pytest.mark.parametrize("name", ["out.png", "out.JPG", "new/folder/out.webp"])
def test_a_drawing_of_one_photo_goes_to_the_file(photo, tmp_path: Path, name):
    fake = drawn([photo], tmp_path / name)
    assert (tmp_path / name).read_bytes() == b"drawn"
    assert fake.drawn == [(photo, {1: 15, 2: 10})]


def test_drawings_of_several_photos_go_to_a_folder(photo, tmp_path: Path):
    twin = new_photo(tmp_path / "other" / "a.jpg")
    last = new_photo(tmp_path / "b.jpg")
    drawn([photo, twin, last], tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a-2.png", "a.png", "b.png"]


def test_one_photo_may_be_drawn_into_a_folder(photo, tmp_path: Path):
    drawn([photo], tmp_path)
    assert (tmp_path / "a.png").is_file()


def refused(photos: list[str], annotate: Path) -> str:
    fake = seeing()
    with pytest.raises(UsageError) as refusal:
        score_photos(photos, Order(NCA, annotate=annotate), fake)
    assert fake.asked == []
    return str(refusal.value)


def test_several_photos_do_not_fit_one_file(photo, tmp_path: Path):
    assert "takes a folder" in refused([photo, photo], tmp_path / "out.png")


def test_a_drawing_is_not_a_text_file(photo, tmp_path: Path):
    assert "not .txt" in refused([photo], tmp_path / "out.txt")


def test_a_photo_is_never_drawn_over(photo, tmp_path: Path):
    png = new_photo(tmp_path / "b.png")
    link = tmp_path / "link.png"
    link.symlink_to(photo)
    assert "would overwrite" in refused([photo], Path(photo))
    assert "would overwrite" in refused([photo], link)
    assert "would overwrite" in refused([photo, png], tmp_path)


def test_a_drawing_that_cannot_be_written_is_a_failure_of_that_photo(photo, tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    [failed] = score_photos([photo], Order(NCA, annotate=tmp_path / "file" / "out.png"), seeing())
    assert isinstance(failed, PhotoFailure)
    assert (failed.failure.code, failed.failure.status) == ("not_written", ExitStatus.USAGE)
    assert "out.png cannot be written" in failed.failure.message

"""Photos as files: named by their content, whole or not there at all, and nowhere else."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.photos.files import PhotoFiles, shown_name


@pytest.fixture
def files(tmp_path: Path) -> PhotoFiles:
    made = PhotoFiles(tmp_path / "data")
    made.prepare()
    return made


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_kept_photo_lies_under_its_sha256_once_and_untouched(files: PhotoFiles, tmp_path: Path) -> None:
    content = b"a photo" * 1000
    for name in ("../../etc/passwd", "b.jpg"):
        photo = files.receive(io.BytesIO(content), name)
        assert (photo.size, photo.sha256) == (7000, hashlib.sha256(content).hexdigest())
        assert files.keep(photo).read_bytes() == content
    assert names(tmp_path) == [photo.sha256]
    files.drop(photo)
    assert files.photo(photo.sha256).read_bytes() == content


def test_a_photo_that_breaks_off_leaves_nothing(files: PhotoFiles, tmp_path: Path) -> None:
    class Breaks(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        files.receive(Breaks(), "a.jpg")
    assert names(tmp_path) == []


def test_what_a_killed_process_left_is_cleared_away_later(files: PhotoFiles, tmp_path: Path) -> None:
    old = files.receive(io.BytesIO(b"old"), None).path
    new = files.receive(io.BytesIO(b"new"), None).path
    os.utime(old, (0, 0))
    files.prepare()
    assert (old.exists(), new.exists()) == (False, True)


def test_photos_are_for_their_owner_alone(files: PhotoFiles) -> None:
    kept = files.keep(files.receive(io.BytesIO(b"x"), None))
    for folder in (kept.parent, kept.parent.parent):
        assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["", "..", "../x", "A" * 64, "a" * 63, "a" * 64 + "/", "a" * 64 + "\n"])
def test_only_a_sha256_names_a_photo(files: PhotoFiles, name: str) -> None:
    with pytest.raises(ValueError, match="SHA-256"):
        files.photo(name)


@pytest.mark.parametrize("id", ["", "r_", "m_abc", "r_../x", "r_a/b", "r_" + "a" * 40, "r_abc\n"])
def test_only_an_id_names_a_drawing(files: PhotoFiles, id: str) -> None:
    with pytest.raises(ValueError, match="id"):
        files.drawing(id)


@given(st.text(max_size=200))
def test_a_name_is_shown_as_one_line_without_its_folder(name: str) -> None:
    shown = shown_name(name)
    assert shown and len(shown) <= 100 and shown.isprintable()
    assert "/" not in shown and "\\" not in shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("C:\\photos\\board.jpg", "board.jpg"),
        ("../../etc/passwd", "passwd"),
        (None, "photo"),
        ("\0\n", "photo"),
    ],
)
def test_names_people_have(name: str | None, shown: str) -> None:
    assert shown_name(name) == shown

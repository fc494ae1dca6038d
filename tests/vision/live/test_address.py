"""What may be looked at, and what is shown of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.live.address import SourceError, SourceKind, source_address


@pytest.mark.parametrize(
    ("words", "kind", "where", "shown"),
    [
        ("0", SourceKind.DEVICE, "0", "camera 0"),
        (" 02 ", SourceKind.DEVICE, "2", "camera 2"),
        (
            "rtsp://10.0.0.5:8554/board",
            SourceKind.STREAM,
            "rtsp://10.0.0.5:8554/board",
            "rtsp://10.0.0.5:8554/board",
        ),
        (
            "http://phone.local/video?key=s",
            SourceKind.STREAM,
            "http://phone.local/video?key=s",
            "http://phone.local/video",
        ),
        (
            "rtsp://me:secret@[fe80::1]/a",
            SourceKind.STREAM,
            "rtsp://me:secret@[fe80::1]/a",
            "rtsp://[fe80::1]/a",
        ),
    ],
)
def test_sources(words: str, kind: SourceKind, where: str, shown: str) -> None:
    address = source_address(words)
    assert (address.kind, address.where, address.shown) == (kind, where, shown)


def test_a_film_is_shown_by_its_bare_name(tmp_path: Path) -> None:
    film = tmp_path / "final.mp4"
    film.touch()
    address = source_address(str(film))
    assert (address.kind, address.where, address.shown) == (SourceKind.FILE, str(film), "final.mp4")


@pytest.mark.parametrize(
    "words",
    [
        "", " ", "film.mp4", "/etc", "100", "-1", "file:///etc/passwd", "concat:/etc/passwd|/etc/group",
        "http://a|concat:/etc/passwd", "ftp://host/film", "rtsp://", "http:///x", "http://h:99999/", "http://h:0/",
        "http://a\nb/", "http://a b/", "pipe:0", "x" * 501, "tcp://10.0.0.1:80", "gopher://h/",
    ],
)  # fmt: skip
def test_everything_else_is_refused_with_a_word_of_what_would_do(words: str) -> None:
    with pytest.raises(SourceError, match=r"camera|stream"):
        source_address(words)

"""The reader thread: newest frame wins, and a lost camera is found again by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.address import source_address
from vision.live.frames import Frame, FrameSource, ListedFrames, SourceState
from vision.live.video import Grabber, VideoSource, open_source

PATIENCE_S = 20.0


class Feed:
    """A camera that gives what a test hands it; None is a pulled cable."""

    def __init__(self) -> None:
        self.frames_per_s: float | None = None
        self._given: list[NDArray[np.uint8] | None] = []
        self._changed = threading.Condition()
        self.opened = 0
        self.there = True

    def give(self, *pictures: NDArray[np.uint8] | None) -> None:
        with self._changed:
            self._given += pictures
            self._changed.notify_all()

    def open(self) -> Grabber | None:
        self.opened += 1
        return self if self.there else None

    def grab(self) -> NDArray[np.uint8] | None:
        with self._changed:
            self._changed.wait_for(lambda: bool(self._given), PATIENCE_S)
            return self._given.pop(0)

    def release(self) -> None:
        pass


def grey(level: int) -> NDArray[np.uint8]:
    return np.full((4, 6, 3), level, np.uint8)


@pytest.fixture
def feed() -> Iterator[Feed]:
    made = Feed()
    yield made
    made.give(None)


def level(source: FrameSource, after: int) -> tuple[int, int]:
    frame = source.newest(after, PATIENCE_S)
    assert frame is not None
    return int(frame.rgb[0, 0, 0]), frame.number


def test_the_newest_frame_wins_and_numbers_show_what_was_missed(feed: Feed) -> None:
    source = VideoSource(feed.open)
    feed.give(grey(10), grey(20), grey(30))
    while True:
        shade, number = level(source, 0)
        if number == 3:
            break
    assert shade == 30
    assert source.newest(3, 0.0) is None
    assert source.state is SourceState.LIVE
    source.close()


def test_a_camera_that_went_away_is_lost_and_then_found_again(feed: Feed) -> None:
    source = VideoSource(feed.open, first_wait_s=0.001)
    feed.give(grey(10))
    assert level(source, 0) == (10, 1)
    feed.there = False
    feed.give(None)
    while source.state is not SourceState.LOST or feed.opened < 4:
        source.newest(1, 0.001)
    feed.there = True
    feed.give(grey(20))
    assert level(source, 1) == (20, 2)
    assert source.state is SourceState.LIVE
    source.close()
    assert source.state is SourceState.ENDED
    assert source.newest(2, PATIENCE_S) is None


def test_a_film_is_played_to_its_end(tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 200.0, (64, 48))
    for k in range(12):
        writer.write(np.full((48, 64, 3), (0, 0, 20 * k), np.uint8))
    writer.release()
    source = open_source(source_address(str(film)))
    number, last = 0, None
    while (frame := source.newest(number, PATIENCE_S)) is not None:
        number, last = frame.number, frame
    assert source.state is SourceState.ENDED
    assert last is not None and number == 12
    # red in the film is red in the frame
    assert last.rgb.shape == (48, 64, 3)
    assert abs(int(last.rgb[20, 20, 0]) - 220) < 12 and last.rgb[20, 20, 2] < 30
    source.close()


def test_a_list_of_pictures_is_a_source() -> None:
    source: FrameSource = ListedFrames([grey(1), None, grey(3)], frames_per_s=5.0)
    first = source.newest(0, 0.0)
    assert first is not None and (first.number, first.t_s) == (1, 0.2)
    assert source.newest(1, 0.0) is None and source.state is SourceState.LOST
    third = source.newest(1, 0.0)
    assert third is not None and (third.number, source.state) == (3, SourceState.LIVE)
    assert source.newest(3, 0.0) is None and source.state is SourceState.ENDED


def test_frames_are_whole_colour_pictures_that_nobody_changes() -> None:
    with pytest.raises(ValueError, match="uint8"):
        Frame(np.zeros((4, 4), np.uint8), 0.0, 1)
    with pytest.raises(ValueError, match="read-only"):
        Frame(grey(1), 0.0, 1).rgb[0, 0] = 5

"""Live pictures through OpenCV: a reader thread that keeps the newest frame and finds its camera again.

Cameras stall, phones lock, cables are pulled. The thread opens, reads until nothing comes any more, says
so, waits a little longer each time, and opens again, for ever; whoever looks only sees the state.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.address import SourceAddress, SourceKind
from vision.live.frames import Frame, SourceState

_OPEN_MS = 5000
_READ_MS = 3000
_FIRST_WAIT_S = 0.25
_LONGEST_WAIT_S = 5.0
_MOST_PIXELS = 51_000_000


class Grabber(Protocol):
    """An opened camera."""

    frames_per_s: float | None
    """The rate to play at; None for what comes at its own rate."""

    def grab(self) -> NDArray[np.uint8] | None:
        """The next picture (h, w, 3) RGB; None when the camera gives no more. May take seconds."""

    def release(self) -> None:
        """Let go of it."""


Opener = Callable[[], Grabber | None]
"""Opens the camera, or returns None when it is not there."""


class VideoSource:
    """A :class:`~vision.live.frames.FrameSource` over anything that can be opened again and again.

    A film (``once``) ends instead of being opened again.
    """

    def __init__(self, opener: Opener, *, once: bool = False, first_wait_s: float = _FIRST_WAIT_S) -> None:
        self._opener, self._once, self._first_wait_s = opener, once, first_wait_s
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._newest: Frame | None = None
        self._number = 0
        self._state = SourceState.OPENING
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def state(self) -> SourceState:
        """What the source is doing now."""
        return self._state

    def newest(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame with a number above ``after``, waited for that long; None when there is none."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._is_newer(after) or self._state is SourceState.ENDED, timeout_s
            )
            return self._newest if self._is_newer(after) else None

    def close(self) -> None:
        """Stop reading. A camera that hangs is left to its own time limit."""
        self._stop.set()
        self._become(SourceState.ENDED)
        self._thread.join(timeout=1.0)

    def _is_newer(self, after: int) -> bool:
        return self._newest is not None and self._newest.number > after

    def _become(self, state: SourceState) -> None:
        with self._changed:
            if self._state is not SourceState.ENDED:
                self._state = state
            self._changed.notify_all()

    def _run(self) -> None:
        wait_s = self._first_wait_s
        while not self._stop.is_set():
            if self._read_until_lost():
                wait_s = self._first_wait_s
                if self._once:
                    self._become(SourceState.ENDED)
                    return
            self._become(SourceState.LOST)
            self._stop.wait(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def _read_until_lost(self) -> bool:
        """Whether any picture came."""
        grabber = self._opener()
        if grabber is None:
            return False
        any_came = False
        step_s = None if grabber.frames_per_s is None else 1.0 / grabber.frames_per_s
        due_s = time.monotonic()
        try:
            while not self._stop.is_set():
                rgb = grabber.grab()
                if rgb is None:
                    return any_came
                any_came = True
                self._show(rgb)
                if step_s is not None:
                    due_s += step_s
                    self._stop.wait(max(0.0, due_s - time.monotonic()))
        finally:
            grabber.release()
        return any_came

    def _show(self, rgb: NDArray[np.uint8]) -> None:
        with self._changed:
            self._number += 1
            self._newest = Frame(rgb, time.time(), self._number)
        self._become(SourceState.LIVE)


class _OpenCvGrabber:
    def __init__(self, capture: cv2.VideoCapture, frames_per_s: float | None) -> None:
        self._capture, self.frames_per_s = capture, frames_per_s

    def grab(self) -> NDArray[np.uint8] | None:
        try:
            there, bgr = self._capture.read()
        except cv2.error:
            return None
        if not there or bgr is None or bgr.ndim != 3 or bgr.shape[0] * bgr.shape[1] > _MOST_PIXELS:
            return None
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)

    def release(self) -> None:
        self._capture.release()


def open_source(address: SourceAddress) -> VideoSource:
    """The source behind an address, already reading."""
    return VideoSource(lambda: _open(address), once=address.kind is SourceKind.FILE)


def _open(address: SourceAddress) -> Grabber | None:
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS]
    try:
        if address.kind is SourceKind.DEVICE:
            capture = cv2.VideoCapture(int(address.where))
            # drivers queue pictures unless told not to; one that cannot is read fast enough anyway
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        else:
            # named outright: other backends take file name patterns and pipelines of commands
            capture = cv2.VideoCapture(address.where, cv2.CAP_FFMPEG, limits)
    except cv2.error:
        return None
    if not capture.isOpened():
        capture.release()
        return None
    if address.kind is not SourceKind.FILE:
        return _OpenCvGrabber(capture, None)
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    return _OpenCvGrabber(capture, rate if 1.0 <= rate <= 240.0 else 25.0)

"""A JPEG's pixels, refused where the decoder had to guess some of them.

libjpeg goes on after damage in the middle of a file, fills in what it can, and tells of it only on the
process's standard error. A score must not rest on guessed pixels, so that is listened to while it works.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import cv2
import numpy as np
from numpy.typing import NDArray

RGB = NDArray[np.uint8]

_COMPLAINT = re.compile(
    rb"(?:Corrupt JPEG data: (?:(?P<spare>\d+) extraneous bytes before marker 0xd9)?"
    rb"|Premature end of JPEG file|Inconsistent progression sequence|Invalid SOS parameters"
    rb"|Unknown Adobe color transform|Warning: unknown JFIF revision)[^\n]*\n?"
)
_HARMLESS = (b"Unknown Adobe", b"Warning", b"Corrupt JPEG data: bad ICC")
_MOST_SPARE_BYTES = 32
"""Some cameras pad the last line of pixels; a decoder that lost its place leaves more."""
_REDUCED = {
    1: cv2.IMREAD_COLOR_RGB,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_ONE_AT_A_TIME = threading.Lock()


def jpeg_pixels(data: bytes) -> RGB:
    """The pixels as stored, as uint8 RGB. Raises ``ValueError`` for a file that is damaged or incomplete."""
    with _heard() as heard:
        decoded = _decoded(data)
    return _undamaged(decoded, heard)


class JpegOnItsWay:
    """A JPEG that a thread of its own decodes, and meanwhile a copy reduced by ``reduction``: 2, 4 or 8.

    For the copy the decoder leaves out the fine part of each block's cosine transform, which takes half the
    time. ``reduced`` (h, w, 3) is there at once, damaged or not; ``whole`` waits and raises ``ValueError``
    like :func:`jpeg_pixels`.
    """

    def __init__(self, data: bytes, reduction: int) -> None:
        listening, copied = threading.Event(), threading.Event()

        def whole() -> RGB:
            try:
                with _heard() as heard:
                    listening.set()
                    decoded = _decoded(data)
                    # The decoder complains of what it meets in the copy too: that is listened to as well.
                    copied.wait()
            finally:
                listening.set()
            return _undamaged(decoded, heard)

        beside = ThreadPoolExecutor(1, "jpeg")
        self._whole = beside.submit(whole)
        beside.shutdown(wait=False)
        listening.wait()
        try:
            reduced = _decoded(data, reduction)
        finally:
            copied.set()
        if reduced is None:
            raise ValueError("the JPEG data end too soon")
        self.reduced: RGB = reduced.astype(np.uint8, copy=False)

    def whole(self) -> RGB:
        """The pixels as stored, as uint8 RGB."""
        return self._whole.result()


def _decoded(data: bytes, reduction: int = 1) -> cv2.typing.MatLike | None:
    # OpenCV and Pillow share the decoder; OpenCV needs no second copy, which saves a third of the time.
    flags = _REDUCED[reduction] | cv2.IMREAD_IGNORE_ORIENTATION
    found: cv2.typing.MatLike | None = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if found is None or reduction == 1:
        return found
    return cv2.cvtColor(found, cv2.COLOR_BGR2RGB)


def _undamaged(decoded: cv2.typing.MatLike | None, heard: list[re.Match[bytes]]) -> RGB:
    if decoded is None:
        raise ValueError("the JPEG data end too soon")
    for complaint in heard:
        if _tells_of_damage(complaint):
            raise ValueError(complaint.group().decode("ascii", "replace").strip())
    return decoded.astype(np.uint8, copy=False)


def _tells_of_damage(complaint: re.Match[bytes]) -> bool:
    spare = complaint["spare"]
    if spare is not None:
        return int(spare) > _MOST_SPARE_BYTES
    return not complaint.group().startswith(_HARMLESS)


@contextmanager
def _heard() -> Iterator[list[re.Match[bytes]]]:
    """What libjpeg complains of meanwhile; all else that is written to standard error still gets there."""
    complaints: list[re.Match[bytes]] = []
    with _ONE_AT_A_TIME, tempfile.TemporaryFile() as notes:
        try:
            before = os.dup(2)
        except OSError:
            # No standard error at all: nothing to listen to.
            yield complaints
            return
        try:
            if sys.stderr is not None:
                sys.stderr.flush()
            os.dup2(notes.fileno(), 2)
            yield complaints
        finally:
            os.dup2(before, 2)
            os.close(before)
            notes.seek(0)
            written = notes.read()
            complaints += _COMPLAINT.finditer(written)
            if others := _COMPLAINT.sub(b"", written):
                os.write(2, others)

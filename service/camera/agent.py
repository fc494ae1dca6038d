"""A table's camera, watched in a process of its own: a stalled driver or a hostile stream harms nobody else.

It looks at a few frames a second, so that it knows where the board is and whether it is at rest before
anybody asks.
"""

from __future__ import annotations

import os
import pickle
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from service.camera.messages import Capture, Captured, Command, Preview, Previewed, Refusal, SourceIs
from service.photos.worker import limit_memory

if TYPE_CHECKING:
    from vision.live.address import SourceAddress
    from vision.live.eye import Eye, StillPicture
    from vision.live.frames import FrameSource
    from vision.live.still_capture import Refused

#: How long a capture waits for the board to come to rest: a tap may come while a hand still draws back.
PATIENCE_S = 2.5
_LOOK_EVERY_S = 0.12
_WAIT_S = 0.1
_OLD_S = 3.0
_MEMORY_BYTES = 3_000_000_000


def main(line: Connection, address: SourceAddress) -> None:
    """Watch the camera and do as told, until the other end of the line is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    limit_memory(_MEMORY_BYTES)
    from vision.live.decoder import decoder_options

    os.environ.update(decoder_options(address))
    import cv2

    from vision.live.eye import Eye
    from vision.live.video import open_source

    cv2.setNumThreads(1)
    watch = Watch(line, open_source(address), Eye())
    try:
        while True:
            watch.turn()
    except (EOFError, OSError):
        # The service has let go of this camera, or is gone.
        return
    finally:
        watch.source.close()


class Watch:
    """One camera, one pipe; :meth:`turn` is one look at both."""

    def __init__(self, line: Connection, source: FrameSource, eye: Eye) -> None:
        self.source = source
        self._line, self._eye = line, eye
        self._seen, self._seen_at_s = 0, -_OLD_S
        self._live: bool | None = None
        self._wanted: tuple[Capture, float] | None = None

    def turn(self) -> None:
        """Look at the newest frame, do what was asked. Raises ``EOFError`` or ``OSError`` without a line."""
        began_s = time.monotonic()
        # First what is asked: a frame that was there before a capture was asked for does not count.
        while self._line.poll():
            self._take(self._line.recv())
        frame = self.source.newest(self._seen, _WAIT_S)
        if frame is not None:
            self._seen, self._seen_at_s = frame.number, time.monotonic()
            self._eye.see(frame)
        self._tell_state()
        if self._wanted is not None:
            self._try_capture(*self._wanted, is_fresh=frame is not None)
        time.sleep(max(0.0, _LOOK_EVERY_S - (time.monotonic() - began_s)))

    def _take(self, command: Command) -> None:
        if isinstance(command, Preview):
            self._show(command)
        else:
            self._wanted = (command, time.monotonic() + PATIENCE_S)

    def _tell_state(self) -> None:
        from vision.live.frames import SourceState

        state = self.source.state
        if state is SourceState.OPENING:
            return
        live = state is SourceState.LIVE
        if live is not self._live:
            self._live = live
            self._line.send(SourceIs(live))

    def _try_capture(self, wanted: Capture, until_s: float, *, is_fresh: bool) -> None:
        """Take the picture from a frame that came after it was asked for, or refuse when patience ends."""
        from vision.live.still_capture import CaptureError

        refusal = CaptureError(self._why_nothing())
        if is_fresh:
            try:
                still = self._eye.still("camera")
            except CaptureError as error:
                refusal = error
            else:
                self._wanted = None
                _write(still, wanted.path)
                board = pickle.dumps(still.board)
                self._line.send(Captured(wanted.number, board, still.frames))
                return
        if time.monotonic() > until_s and (is_fresh or time.monotonic() - self._seen_at_s > _OLD_S / 2):
            self._wanted = None
            self._line.send(Refusal(wanted.number, str(refusal.code), str(refusal)))

    def _show(self, command: Preview) -> None:
        from service.camera.preview import preview_jpeg
        from vision.live.still_capture import CaptureError

        last = self._eye.last
        if last is None or time.monotonic() - self._seen_at_s > _OLD_S:
            why = CaptureError(self._why_nothing())
            self._line.send(Refusal(command.number, str(why.code), str(why)))
            return
        self._line.send(Previewed(command.number, preview_jpeg(last.rgb, self._eye.board)))

    def _why_nothing(self) -> Refused:
        """Why there is no new frame."""
        from vision.live.still_capture import Refused

        return Refused.NO_FRAMES if self._live is None else Refused.SOURCE_LOST


def _write(still: StillPicture, path: Path) -> None:
    """The picture as PNG, whole: what is scored is what is kept."""
    import cv2

    bgr = cv2.cvtColor(still.picture.rgb, cv2.COLOR_RGB2BGR)
    _, png = cv2.imencode(".png", bgr, [cv2.IMWRITE_PNG_COMPRESSION, 2])
    path.write_bytes(png.tobytes())

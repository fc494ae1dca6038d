"""Real streams on this machine: ffmpeg plays a picture over HTTP as MJPEG, and over RTSP.

ffmpeg cannot be an RTSP server, so a small one stands before it: it hands on the RTP packets that ffmpeg
sends, inside the RTSP connection (RFC 2326, 10.12).
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FRAMES_PER_S = 8
_GRAIN = "noise=alls=3:allf=t"  # a real camera never gives the same picture twice


@contextmanager
def _ffmpeg(*words: str) -> Iterator[None]:
    """ffmpeg until the block ends: begun again when it leaves off, as it does after its first viewer."""
    if shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed: no real stream to look at")
    command = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "quiet", *words]
    over = threading.Event()

    def play() -> None:
        while not over.is_set():
            with subprocess.Popen(command) as process:
                while process.poll() is None and not over.wait(0.01):
                    pass
                process.kill()

    player = threading.Thread(target=play)
    player.start()
    try:
        yield
    finally:
        over.set()
        player.join()


def _looped(picture: Path, width_px: int) -> tuple[str, ...]:
    look = f"fps={FRAMES_PER_S},scale={width_px}:-2,{_GRAIN}"
    return (
        "-re",
        "-loop",
        "1",
        "-framerate",
        str(FRAMES_PER_S),
        "-i",
        str(picture),
        "-vf",
        look,
        "-q:v",
        "2",
    )


@contextmanager
def mjpeg_stream(picture: Path, port: int, width_px: int = 1000) -> Iterator[str]:
    """The picture as a camera's stream over HTTP; gone, in the middle of a frame, when the block ends."""
    address = f"http://127.0.0.1:{port}/board.mjpg"
    with _ffmpeg(*_looped(picture, width_px), "-f", "mpjpeg", "-listen", "1", address):
        yield address


@contextmanager
def rtsp_stream(picture: Path, port: int, width_px: int = 1000) -> Iterator[str]:
    """The same over RTSP."""
    rtp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    rtp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_000_000)
    rtp.bind(("127.0.0.1", 0))
    door = socket.create_server(("127.0.0.1", port))
    threading.Thread(target=_serve, args=(door, rtp), daemon=True).start()
    jpeg = ("-c:v", "mjpeg", "-huffman", "default", "-force_duplicated_matrix", "1", "-pix_fmt", "yuvj420p")
    to = f"rtp://127.0.0.1:{rtp.getsockname()[1]}?pkt_size=1400"
    try:
        with _ffmpeg(*_looped(picture, width_px), *jpeg, "-f", "rtp", to):
            yield f"rtsp://127.0.0.1:{port}/board"
    finally:
        # shut down first: closing alone would leave a thread of ours waiting in it
        for each in (door, rtp):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


_SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=board\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:track\r\n"


def _serve(door: socket.socket, rtp: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            viewer, _ = door.accept()
            with viewer, contextlib.suppress(OSError):
                _answer_until_played(viewer)
                _forget_waiting(rtp)
                while True:
                    packet = rtp.recv(65536)
                    if not packet:
                        return
                    viewer.sendall(b"$\0" + len(packet).to_bytes(2, "big") + packet)


def _forget_waiting(rtp: socket.socket) -> None:
    """What was sent before anybody looked is of no use."""
    with contextlib.suppress(BlockingIOError):
        while True:
            rtp.recv(65536, socket.MSG_DONTWAIT)


def _answer_until_played(viewer: socket.socket) -> None:
    lines = viewer.makefile("rb")
    while True:
        head = []
        while (line := lines.readline().decode().strip()) or not head:
            head.append(line)
            if not line and len(head) > 1:
                raise OSError("the viewer left")
        method = head[0].split()[0]
        number = next(line for line in head if line.lower().startswith("cseq"))
        extra, body = {
            "DESCRIBE": ("Content-Type: application/sdp\r\n", _SDP),
            "SETUP": ("Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n", ""),
            "OPTIONS": ("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n", ""),
        }.get(method, ("Session: 1\r\n", ""))
        viewer.sendall(
            f"RTSP/1.0 200 OK\r\n{number}\r\n{extra}Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        if method == "PLAY":
            return

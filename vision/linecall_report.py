"""A line call's picture as a file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Literal

from PIL import Image

from vision.draw_linecall import draw_linecall
from vision.linecall_picture import picture_of
from vision.linecall_values import LineCall


def write_report(call: LineCall, path: Path, theme: Literal["light", "dark"]) -> None:
    """Write the picture of a call as PNG. Raises ``OSError`` where it cannot be written."""
    stream = io.BytesIO()
    # encoded first, so that a file is written whole or not at all
    Image.fromarray(draw_linecall(picture_of(call), theme)).save(stream, "PNG", compress_level=6)
    path.write_bytes(stream.getvalue())

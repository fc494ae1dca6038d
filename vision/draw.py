"""The drawing of a photo read: fitted lines, every disc with its points, close ones marked, and the score.

Meant for a screen that players look at: what was measured is drawn on the photo where it was measured.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.draw_board import draw_discs, draw_lines
from vision.draw_frame import frame_of
from vision.draw_marks import marks_of
from vision.draw_score import Scoreboard
from vision.draw_strip import footer, header, scoreboard
from vision.ink import Canvas
from vision.ink_colours import Rgb, from_hex
from vision.picture import Picture
from vision.reading import BoardReading

_HOW: dict[str, tuple[str, dict[str, int]]] = {
    ".png": ("PNG", {"compress_level": 6}),
    ".jpg": ("JPEG", {"quality": 90, "subsampling": 0}),
    ".jpeg": ("JPEG", {"quality": 90, "subsampling": 0}),
    ".webp": ("WEBP", {"quality": 88, "method": 4}),
}


def annotate(
    picture: Picture,
    reading: BoardReading,
    points: Mapping[int, int],
    path: Path,
    board: Scoreboard | None = None,
) -> None:
    """Write the photo with lines, discs and points drawn on it; ``points`` is by disc id.

    ``board`` is the round as it was scored; without it the points in the picture are summed up.
    The suffix says the format: PNG, JPEG or WebP; another raises ``ValueError``. A file that cannot be
    written raises ``OSError``.
    """
    how = _HOW.get(path.suffix.lower())
    if how is None:
        raise ValueError(
            f"a drawing is a PNG, JPEG or WebP file, not {path.suffix or 'one without a suffix'}"
        )
    # Encoded first, so that a file is written whole or not at all.
    stream = io.BytesIO()
    Image.fromarray(drawing(picture, reading, points, board)).save(stream, how[0], **how[1])
    path.write_bytes(stream.getvalue())


def drawing(
    picture: Picture, reading: BoardReading, points: Mapping[int, int], board: Scoreboard | None = None
) -> NDArray[np.uint8]:
    """The drawing as an RGB array: the scores, the photo round the board, and what to look at again."""
    frame = frame_of(reading)
    colours = side_colours(reading)
    canvas = Canvas(frame.cut(picture.rgb))
    marks = marks_of(reading, points, colours, frame)
    draw_lines(canvas, reading, marks, frame)
    draw_discs(canvas, marks, frame)
    board = board or scoreboard(reading, points)
    width = canvas.rgb.shape[1]
    return np.concatenate([header(board, colours, width), canvas.rgb, footer(board, width)])


def side_colours(reading: BoardReading) -> dict[str, Rgb]:
    """The middle colour of the discs of each team that has any."""
    tops: dict[str, list[Rgb]] = {}
    for disc in reading.discs:
        tops.setdefault(disc.team, []).append(from_hex(disc.colour))
    return {team: _middle(colours) for team, colours in tops.items()}


def _middle(colours: list[Rgb]) -> Rgb:
    r, g, b = (round(float(value)) for value in np.median(np.array(colours), axis=0))
    return r, g, b

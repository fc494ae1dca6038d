"""The strips above and below the photo: the score as a scoreboard shows it, and what to look at again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from vision.draw_board import CLOSE
from vision.draw_marks import reasons
from vision.draw_score import Scoreboard, Side
from vision.ink import Canvas
from vision.ink_box import Box
from vision.ink_colours import WHITE, Rgb, mixed, opposite
from vision.ink_letters import shortened, text_width, wrapped
from vision.reading import BoardReading

_GROUND: Rgb = (22, 25, 31)
_QUIET: Rgb = mixed(WHITE, _GROUND, 0.35)
_NO_DISC: Rgb = (128, 128, 128)
_NOTE = "Points on the board; 20s removed during play are not in the picture."
_CELL = 0.085
"""The height of the scores by the width of the drawing."""


def scoreboard(reading: BoardReading, points: Mapping[int, int]) -> Scoreboard:
    """The points of the discs in the picture, summed up by team: what is known without a round."""
    sums = {team: 0 for team in reading.teams}
    for disc in reading.discs:
        # A disc beside the board may be of neither side.
        if disc.team in sums:
            sums[disc.team] += points[disc.id]
    ranked = [*sorted(sums.values(), reverse=True), 0, 0]
    difference = ranked[0] - ranked[1]
    ahead = max(sums, key=sums.__getitem__) if difference else None
    sides = tuple(Side(team, team, total) for team, total in sums.items())
    headline = f"{ahead} leads by {difference}" if ahead else "level" if sums else "no discs"
    review = tuple(
        f"disc {disc.id} ({disc.team}): {'; '.join(why)}" for disc in reading.discs if (why := reasons(disc))
    )
    return Scoreboard(sides, ahead, headline, review, _NOTE)


def header(board: Scoreboard, colours: Mapping[str, Rgb], width_px: int) -> NDArray[np.uint8]:
    """The scores, a cell in each side's colour, and the headline under them.

    ``colours`` are by team; a team that is not in the picture gets grey.
    """
    cell, gap = _CELL * width_px, 0.012 * width_px
    canvas = _blank(width_px, 1.6 * cell + gap)
    count = max(len(board.sides), 1)
    for at, side in enumerate(board.sides):
        step = (width_px - gap) / count
        box = Box(gap + at * step, gap, (at + 1) * step, gap + cell)
        _draw_side(canvas, box, side, colours.get(side.team, _NO_DISC), ahead=side.team == board.ahead)
    y = gap + 1.31 * cell
    room = width_px - 3 * gap
    if board.review:
        count_words, small = f"? {len(board.review)} to check", 0.29 * cell
        canvas.text((width_px - 1.5 * gap, y), count_words, small, CLOSE, align="right")
        # The headline stands in the middle, so that what is taken on the right is free on the left.
        room -= 2 * (text_width(count_words, small) + 2 * gap)
    size = 0.36 * cell * min(1.0, room / text_width(board.headline, 0.36 * cell))
    canvas.text((width_px / 2, y), board.headline, size, WHITE, align="middle", bold=0.012 * size)
    return canvas.rgb


def footer(board: Scoreboard, width_px: int) -> NDArray[np.uint8]:
    """What to look at again and why, and what the points hold."""
    size = max(0.019 * width_px, 15.0)
    margin = size
    inner = width_px - 2 * margin
    lines = [
        ("?" if row == 0 else "", line)
        for words in board.review
        for row, line in enumerate(wrapped(words, size, inner - 1.5 * size))
    ]
    notes = wrapped(board.note, 0.85 * size, inner)
    step = 1.45 * size
    canvas = _blank(width_px, margin + step * (len(lines) + len(notes)))
    y = margin / 2 + step / 2
    for sign, line in lines:
        canvas.text((margin, y), sign, size, CLOSE, bold=0.05 * size)
        canvas.text((margin + 1.2 * size, y), line, size, WHITE)
        y += step
    for line in notes:
        canvas.text((margin, y), line, 0.85 * size, _QUIET)
        y += step
    return canvas.rgb


def _draw_side(canvas: Canvas, box: Box, side: Side, colour: Rgb, *, ahead: bool) -> None:
    ink, size = opposite(colour), box.height
    plate = box.rounded(0.12 * size)
    canvas.fill(plate, colour)
    canvas.stroke(plate, mixed(colour, ink, 0.35), 0.02 * size)
    _, y = box.centre
    left = box.left + 0.28 * size
    if ahead:
        canvas.fill(_star(left + 0.2 * size, y, 0.24 * size), ink)
        left += 0.58 * size
    total = str(side.points)
    canvas.text((box.right - 0.28 * size, y), total, 0.78 * size, ink, align="right", bold=0.012 * size)
    room = box.right - 0.5 * size - text_width(total, 0.78 * size) - left
    name = shortened(side.name, 0.44 * size, room)
    canvas.text((left, y), name, 0.44 * size, ink)


def _star(x: float, y: float, radius: float) -> Array:
    """A five-pointed star: who is ahead shows by form."""
    angle = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2, 0.42, 1.0) * radius
    return np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], 1)


def _blank(width_px: int, height_px: float) -> Canvas:
    return Canvas(np.full((round(height_px), width_px, 3), _GROUND, np.uint8))

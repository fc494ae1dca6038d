from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from calibration.pixels import AtHand
from scoring.presets import preset
from service.compose import compose
from service.score import PhotoSeeing
from service.scoreboard import scoreboard_of
from service.sides import Sides
from tests.service.readings import disc, reading
from vision.draw import drawing
from vision.draw_score import Scoreboard, Side
from vision.picture import Picture

DISCS = disc(1, line=15), disc(2, line=10, mm=0.1), disc(3, "light", line=15)
SIDES = Sides({"dark": "Anna"}, {"light": 1})


def test_the_scoreboard_says_what_is_printed():
    scored = compose(reading(*DISCS), preset("nca"), SIDES)
    assert scoreboard_of(scored) == Scoreboard(
        sides=(Side("dark", "Anna", 25), Side("light", "light", 35)),
        ahead="light",
        headline="light wins the round by 10",
        review=("disc 2 (dark): too close to the 10 line: 0.1 ± 0.2 mm; counted 10, or 5 if it touches",),
        note="20s removed during play, as given and counted in: Anna (dark) 0, light 1.",
    )


def test_without_twenties_it_says_that_they_are_missing():
    board = scoreboard_of(compose(reading(), preset("nca"), Sides()))
    assert board.headline == "The round is a tie if no 20s were removed during play"
    assert "not in the picture" in board.note
    assert (board.ahead, board.review) == (None, ())


def test_the_drawing_shows_that_scoreboard(tmp_path: Path):
    scored = compose(reading(*DISCS), preset("nca"), SIDES)
    picture = Picture(AtHand(np.full((80, 120, 3), 90, np.uint8)), "a.jpg", "PNG")
    PhotoSeeing().annotate(picture, scored, tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as written:
        drawn = np.asarray(written)
    assert np.array_equal(drawn, drawing(picture, scored.seen, scored.points, scoreboard_of(scored)))
    assert not np.array_equal(drawn, drawing(picture, scored.seen, scored.points))

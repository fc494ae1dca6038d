from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

import scoring.regions
from calibration.measured import Measured
from vision.reading import BoardReading, LineGap, Place, SeenBoard, SeenDisc, Verdict

GAP = LineGap(10, Measured(0.7, 0.2), 0.01, Verdict.CLEAR)
DISC = SeenDisc(
    1, "light", "#eeddcc", Place.BOARD, (3.0, 4.0), 30.0, 40.0, 0.2, GAP, ((0.0, 0.0),), ((1.0, 1.0),)
)
BOARD = SeenBoard((10.0, 20.0), 30.0, 0.2, "exif", {15: ((0.0, 0.0),)})
READING = BoardReading(
    "a.jpg", 640, 480, "standard", (101.6, 203.2, 304.8), "preset", BOARD, (DISC,), ("light",), ()
)


def test_the_places_are_those_that_scoring_knows() -> None:
    assert {place.value for place in Place} == {place.value for place in scoring.regions.Place}


def test_words_are_plain_text() -> None:
    assert f"{Place.HOLE} {Verdict.TOO_CLOSE}" == "hole too_close"
    assert [verdict.value for verdict in Verdict] == ["clear", "touching", "too_close"]


@pytest.mark.parametrize("value", [GAP, DISC, BOARD, READING], ids=lambda value: type(value).__name__)
def test_a_reading_does_not_change(value: LineGap | SeenDisc | SeenBoard | BoardReading) -> None:
    for field in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)


def test_a_disc_lies_flat_and_is_beyond_doubt_unless_it_says_otherwise() -> None:
    assert DISC.flat
    assert DISC.doubt is None

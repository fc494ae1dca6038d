from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.equipment import EquipmentError
from calibration.errors import NoBoardError
from scoring.errors import ScoringError
from scoring.presets import preset
from service.errors import ExitStatus, UsageError
from service.score import Order
from service.score_command import order_from_words, run_score
from service.sides import Sides
from tests.pictures import encoded, marked
from tests.service.readings import FakeSeeing, disc, reading

NOTHING_ASKED = {
    "equipment": None,
    "rules": None,
    "twenties": (),
    "sides": None,
    "camera": None,
    "annotate": None,
}
ORDER = Order(preset("nca"))


@pytest.fixture
def photo(tmp_path: Path) -> str:
    path = tmp_path / "a.jpg"
    path.write_bytes(encoded(marked(), "JPEG"))
    return str(path)


def seeing() -> FakeSeeing:
    return FakeSeeing(reading(disc(1, line=15), warnings=("glare on the board",)))


def test_nothing_asked_takes_the_defaults():
    assert order_from_words(**NOTHING_ASKED) == ORDER


def test_every_word_is_taken(tmp_path: Path):
    camera = tmp_path / "camera.toml"
    camera.write_text("")
    order = order_from_words(
        equipment="mini",
        rules="depot",
        twenties=["dark=1"],
        sides="dark=Anna,light=Ben",
        camera=camera,
        annotate=tmp_path,
    )
    assert order.equipment is not None
    assert (order.equipment.name, order.rules.name) == ("mini", "depot")
    assert order.sides == Sides({"dark": "Anna", "light": "Ben"}, {"dark": 1})
    assert (order.camera, order.annotate) == (camera, tmp_path)


@pytest.mark.parametrize(
    ("word", "value", "error"),
    [
        ("equipment", "nope", EquipmentError),
        ("rules", "nope", ScoringError),
        ("twenties", ["nope"], UsageError),
        ("sides", "nope", UsageError),
        ("camera", Path("nope"), UsageError),
    ],
)
def test_what_cannot_be_is_refused_before_any_photo(word, value, error):
    with pytest.raises(error, match="nope"):
        order_from_words(**{**NOTHING_ASKED, word: value})


def test_people_get_results_and_warnings_apart(photo, capsys):
    assert run_score([photo], ORDER, seeing(), as_json=False) == ExitStatus.OK
    out, err = capsys.readouterr()
    assert "dark wins the round by 15 if no 20s were removed during play." in out
    assert err.splitlines() == [
        "crokinole: a.jpg: glare on the board",
        "crokinole: a.jpg: no 20s given: those removed during play are not in the picture; add --twenties",
    ]


def test_programs_get_one_object_a_line(photo, capsys):
    status = run_score([photo, "none.jpg", photo], ORDER, seeing(), as_json=True)
    out, err = capsys.readouterr()
    first, second, third = (json.loads(line) for line in out.splitlines())
    assert first["sides"][0]["total"] == 15
    assert first["warnings"][0] == "glare on the board"
    assert second == {
        "photo": "none.jpg",
        "error": {"code": "missing", "message": "there is no such file: check the name"},
    }
    assert third == first
    assert (status, err) == (ExitStatus.NOT_A_PICTURE, "")


def test_a_failure_is_one_line_for_people(capsys):
    assert run_score(["no\nne.jpg"], ORDER, seeing(), as_json=False) == ExitStatus.NOT_A_PICTURE
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "crokinole: no�ne.jpg: there is no such file: check the name\n"


def test_the_highest_status_is_returned(photo, capsys):
    no_board = FakeSeeing(NoBoardError("one circle, not three"))
    for photos in ([photo, "none.jpg"], ["none.jpg", photo]):
        assert run_score(photos, ORDER, no_board, as_json=False) == ExitStatus.NO_BOARD
    assert "a.jpg: no crokinole board in the picture: one circle, not three\n" in capsys.readouterr().err

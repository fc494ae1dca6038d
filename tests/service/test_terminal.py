from __future__ import annotations

import io

import pytest
from rich.console import Console

from scoring.presets import preset
from service.compose import compose
from service.progress import progress_bar
from service.sides import Sides
from service.terminal import console_for, printable, show_scored
from tests.service.readings import disc, reading
from vision.reading import Place

DISCS = (
    disc(1, line=15),
    disc(2, line=10),
    disc(3, line=10, mm=0.1),
    disc(4, "light", place=Place.DITCH),
    disc(5, "light", place=Place.HOLE),
)


def shown(*discs, sides: Sides | None = None, terminal: bool = False, photo: str = "a.jpg") -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, force_terminal=terminal, width=100, color_system="truecolor" if terminal else None
    )
    show_scored(console, compose(reading(*discs, photo=photo), preset("nca"), sides or Sides()))
    return stream.getvalue()


def rows(text: str) -> dict[str, list[str]]:
    return {cells[1]: cells[2:] for cells in map(str.split, text.splitlines()) if cells[:1] == ["●"]}


def test_each_side_has_a_row_of_counts_and_totals():
    table = rows(shown(*DISCS, sides=Sides(twenties={"dark": 1})))
    # 15, 10: one and two discs; board 35, one 20 removed, total 55. Light: one 20, one out.
    assert table["dark"] == ["1", "2", "35", "1", "55"]
    assert table["light"] == ["1", "1", "20", "0", "20"]


def test_twenties_that_nobody_gave_are_not_said_to_be_none():
    table = rows(shown(*DISCS))
    assert [cells[-2:] for cells in table.values()] == [["-", "35"], ["-", "20"]]


def test_the_winner_is_said():
    given = {"dark": 0}
    assert "dark wins the round by 15." in shown(*DISCS, sides=Sides({}, given))
    assert "Anna (dark) wins the round by 15." in shown(*DISCS, sides=Sides({"dark": "Anna"}, given))
    assert "The round is a tie." in shown(sides=Sides({}, given))
    assert "dark wins the round by 15 if no 20s were removed during play." in shown(*DISCS)


def test_what_to_look_at_is_said_with_its_reason():
    text = shown(*DISCS)
    assert "Look at these again:" in text
    assert "disc 3 (dark): too close to the 10 line: 0.1 ± 0.2 mm; counted 10, or 5 if it touches" in text
    assert "Look at" not in shown(disc(1, line=15))


def test_plain_in_a_pipe_and_coloured_on_a_terminal():
    assert "\x1b[" not in shown(*DISCS)
    coloured = shown(*DISCS, terminal=True)
    assert "\x1b[38;2;58;47;43m●" in coloured
    assert "\x1b[38;2;224;201;160m●" in coloured


@pytest.mark.parametrize("name", ["[red]a.jpg", "[/]", ":smile:"])
def test_a_name_is_never_taken_for_markup(name):
    assert name in shown(photo=name)
    assert f"{name} (dark) wins" in shown(*DISCS, sides=Sides({"dark": name}))
    assert f"then {name} (light) wins" in shown(
        disc(1, line=10, mm=0.1), disc(2, "light", line=10), sides=Sides({"light": name})
    )


def test_a_name_stays_on_its_line():
    assert printable("a\nb\x1b[2J\udcff.jpg") == "a�b�[2J�.jpg"
    assert printable("Größe 1.jpg") == "Größe 1.jpg"


def test_a_pipe_is_wide_enough_for_the_table():
    assert console_for().width >= 100


def bar(photos: int, terminal: bool) -> str:
    stream = io.StringIO()
    with progress_bar(Console(file=stream, force_terminal=terminal, width=80), photos) as progress:
        for _ in range(photos):
            with progress.one_done():
                stream.write("result\n")
    return stream.getvalue()


def test_a_bar_shows_only_for_several_photos_on_a_terminal():
    assert "reading photos" in bar(3, terminal=True)
    assert bar(1, terminal=True) == "result\n"
    assert bar(3, terminal=False) == "result\n" * 3

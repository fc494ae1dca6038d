from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import UsageError
from service.sides import Sides, sides_from_text

WORDS = st.text(st.characters(categories=["Ll"], max_codepoint=0x7F), min_size=1, max_size=8)


def test_nothing_asked():
    assert sides_from_text(None, []) == Sides()
    assert Sides().expected == 2


def test_names_and_twenties():
    sides = sides_from_text("dark=Anna, Light = Ben Smith", ["dark=2", "LIGHT=0"])
    assert sides == Sides({"dark": "Anna", "light": "Ben Smith"}, {"dark": 2, "light": 0})


def test_a_twenty_may_go_to_a_name():
    assert sides_from_text("dark=Anna,light=Ben", ["ben=3"]).twenties == {"light": 3}


@given(st.dictionaries(WORDS, WORDS.map(str.upper), min_size=1, max_size=4))
def test_what_is_typed_is_what_is_read(names):
    if len(set(names.values())) < len(names):
        return
    text = ",".join(f"{team}={name}" for team, name in names.items())
    sides = sides_from_text(text, [])
    assert sides.names == names
    assert sides.expected == max(2, len(names))


@pytest.mark.parametrize(
    ("text", "twenties", "says"),
    [
        ("Anna", [], "--sides is written like dark=Anna,light=Ben, not 'Anna'"),
        ("", [], "--sides is written like"),
        ("dark=", [], "--sides is written like"),
        ("=Anna", [], "--sides is written like"),
        ("dark=Anna,", [], "--sides is written like"),
        ("dark=Anna,Dark=Ben", [], "'dark' twice"),
        ("dark=Anna,light=anna", [], "the same name"),
        ("a=1,b=2,c=3,d=4,e=5", [], "at most 4"),
        (None, ["dark"], "--twenties is written like dark=2"),
        (None, ["dark=two"], "counts discs"),
        (None, ["dark=-1"], "counts discs"),
        (None, ["dark=1.5"], "counts discs"),
        (None, ["dark=²"], "counts discs"),
        (None, ["dark=100"], "counts discs"),
        (None, ["dark=1", "Dark=1"], "'dark' twice"),
        ("dark=Anna,light=Ben", ["dark=1", "Anna=1"], "'dark' twice"),
    ],
)
def test_slips_are_named(text, twenties, says):
    with pytest.raises(UsageError) as refusal:
        sides_from_text(text, twenties)
    assert says in str(refusal.value)


@pytest.mark.parametrize(
    ("sides", "seen", "teams"),
    [
        (Sides(), ("dark", "light"), ("dark", "light")),
        (Sides(), ("red",), ("red", "other")),
        (Sides(), (), ("dark", "light")),
        (Sides(twenties={"white": 2}), ("red",), ("red", "white")),
        (Sides(twenties={"red": 2}), ("red",), ("red", "other")),
        (Sides(twenties={"white": 2}), (), ("white", "other")),
        (Sides({"dark": "Anna", "light": "Ben"}), ("light",), ("light", "dark")),
        (Sides({"red": "A", "blue": "B", "green": "C"}), ("red", "blue"), ("red", "blue", "green")),
    ],
)
def test_a_team_without_discs_is_known_by_its_word(sides, seen, teams):
    assert sides.teams(seen) == teams


@pytest.mark.parametrize("sides", [Sides({"drak": "Anna"}), Sides(twenties={"drak": 1})])
def test_a_word_that_was_not_seen_lists_those_that_were(sides):
    with pytest.raises(UsageError, match="no team 'drak' in this photo: it has dark and light") as refusal:
        sides.teams(("dark", "light"))
    assert refusal.value.code == "unknown_team"

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.catalogue.tables import show
from scoring.errors import ScoringError
from scoring.presets import DEFAULT, option_names, preset, preset_names
from scoring.rules import setting_names
from service.rules_command import load_rules, preset_lines


def test_the_default_is_the_default_preset():
    assert load_rules(None) == preset(DEFAULT)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_loads_and_shows_a_source_for_each_rule(name):
    rules = load_rules(name)
    assert rules == preset(name)
    first, *lines = show(rules)
    assert first == name
    assert [line.split()[0] for line in lines] == list(setting_names())
    for line, setting in zip(lines, setting_names(), strict=True):
        assert line.endswith(f"  {rules.source_of(setting)}")


def test_an_option_is_added_with_a_plus():
    name = preset_names()[1]
    option = option_names(name)[0]
    assert load_rules(f"{name}+{option}") == preset(name, option)


def test_a_file_is_read(tmp_path: Path):
    file = tmp_path / "club.toml"
    file.write_text('name = "Tuesday club"\ndiscs_singles = 10\n', encoding="utf-8")
    rules = load_rules(str(file))
    assert (rules.name, rules.discs_singles) == ("Tuesday club", 10)
    assert ["discs_singles", "10", "custom", "Tuesday", "club"] in [line.split() for line in show(rules)]


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"discs = 3", "discs"), (b"name = [", "not TOML"), (b"\xff\xfe", "cannot be read as text")],
)
def test_a_bad_file_is_named(tmp_path: Path, content, says):
    file = tmp_path / "club.toml"
    file.write_bytes(content)
    with pytest.raises(ScoringError) as refusal:
        load_rules(str(file))
    assert "club.toml" in str(refusal.value)
    assert says in str(refusal.value)


@pytest.mark.parametrize("name", ["nope", f"{DEFAULT}+nope"])
def test_an_unknown_name_lists_the_known_ones(name):
    with pytest.raises(ScoringError, match="nope") as refusal:
        load_rules(name)
    assert ("depot" in str(refusal.value)) is (name == "nope")


def test_the_list_marks_the_default():
    lines = list(preset_lines())
    assert len(lines) == len(preset_names())
    assert [line for line in lines if "default" in line] == [f"{DEFAULT} (default)"]

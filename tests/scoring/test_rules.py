"""Rules, formats and presets: what can be set, what is refused, and where each setting comes from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.catalogue import CLAUSES
from scoring.errors import BadData, BadRules, UnknownKey, UnknownPreset
from scoring.formats import Format, TieBreak
from scoring.presets import option_names, preset, preset_names, rules_from_toml, source_from
from scoring.rules import Award, OpenTable, Source, changed, setting_names
from tests.scoring.strategies import ALL_RULES


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({}, "exactly one"),
        ({"rounds": 4, "target": 8}, "exactly one"),
        ({"target": 0}, "target is one or more, not 0"),
        ({"target": 8, "tie": TieBreak.ONE_ROUND}, "goes on until someone leads"),
        ({"target": 8, "win_by": 0}, "win_by is one or more, not 0"),
        ({"rounds": 4, "win_by": 2}, "win_by belongs"),
        ({"rounds": 0}, "rounds is one or more, not 0"),
        ({"rounds": -1, "tie": TieBreak.SHOOT_OUT}, "rounds is one or more, not -1"),
        ({"rounds": 4, "best_of": 0}, "best_of is one or more, not 0"),
        ({"rounds": 4, "match_tie": TieBreak.ONE_ROUND}, "belongs to a match of several games"),
    ],
)
def test_a_format_without_one_end_is_refused(settings, why):
    with pytest.raises(BadRules, match=why):
        Format(**settings)


def test_the_smallest_formats_can_be_played():
    assert Format(rounds=1).rounds == 1
    assert Format(target=1, win_by=1).target == 1
    assert Format(rounds=0, tie=TieBreak.SHOOT_OUT).rounds == 0


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (Format(rounds=4), "4 rounds, a tie stands"),
        (Format(rounds=4, tie=TieBreak.ONE_ROUND), "4 rounds, a tie gets one more round"),
        (Format(target=100), "first to 100"),
        (Format(target=7, win_by=2), "first to 7, win by 2"),
        (
            Format(rounds=4, best_of=3, match_tie=TieBreak.SHOOT_OUT),
            "4 rounds, a tie stands; best of 3 games, a level match leads to a shoot-out",
        ),
    ],
)
def test_a_format_in_words(form, words):
    assert str(form) == words


@pytest.mark.parametrize(
    ("tie", "rounds", "repeats"),
    [
        (TieBreak.STANDS, 0, False),
        (TieBreak.ONE_ROUND, 1, False),
        (TieBreak.SUDDEN_DEATH, 1, True),
        (TieBreak.TWO_ROUNDS, 2, True),
        (TieBreak.SHOOT_OUT, 0, False),
    ],
)
def test_what_a_tie_break_plays(tie, rounds, repeats):
    assert (tie.rounds, tie.repeats) == (rounds, repeats)


def test_the_decider_is_a_game_of_the_tie_break():
    def decider(tie: TieBreak) -> Format:
        return Format(rounds=4, best_of=3, match_tie=tie).decider

    assert decider(TieBreak.ONE_ROUND) == Format(rounds=1)
    assert decider(TieBreak.TWO_ROUNDS) == Format(rounds=2, tie=TieBreak.TWO_ROUNDS)
    assert decider(TieBreak.SHOOT_OUT) == Format(rounds=0, tie=TieBreak.SHOOT_OUT)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"discs_singles": 0}, "discs_singles is one or more, not 0"),
        ({"discs_doubles": 0}, "discs_doubles"),
        ({"discs_many": -1}, "discs_many"),
        ({"award": Award.PLACINGS}, "for three or four sides"),
        ({"award_many": Award.DIFFERENCE}, "for three or four sides"),
        ({"line_disc_points": 10}, "0 or 5, not 10"),
        ({"placings": (8, 6, 4)}, "four numbers"),
        ({"placings": (2, 4, 6, 8)}, "highest first"),
        ({"placings": (4, 2, 0, -2)}, "highest first"),
        ({"placings": (10, 7, 5, 3)}, "places 1 to 2 of .* cannot be shared evenly"),
        ({"placings": (10, 8, 6, 5)}, "places 1 to 4 of .* cannot be shared evenly"),
        ({"sources": ()}, "exactly one source"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(settings, why):
    with pytest.raises(BadRules, match=why):
        replace(preset(), **settings)


def test_rules_at_their_limits():
    rules = replace(preset(), discs_singles=1, discs_doubles=1, discs_many=1, placings=(6, 4, 2, 0))
    assert rules.placings == (6, 4, 2, 0)


def test_a_change_keeps_every_other_source():
    rules = changed(preset("depot"), Source("custom", "x"), {"peg_contact": True})
    assert (rules.peg_contact, rules.name) == (True, "depot")
    assert str(rules.source_of("peg_contact")) == "custom x"
    assert rules.source_of("open_table") == Source("depot", "3b")


def test_a_change_of_a_setting_nobody_has_is_refused():
    with pytest.raises(UnknownPreset, match="no setting 'sources'"):
        changed(preset(), Source("custom", "x"), {"sources": ()})


def test_the_presets_and_the_default():
    books = {"nca", "depot", "traditional", "popular", "wcc-2011", "printable", "wcc"}
    assert set(preset_names()) == books
    assert preset_names()[0] == preset().name == "nca"


def test_every_setting_of_every_rules_cites_a_clause_that_exists():
    known = {(clause.book, clause.id) for clause in CLAUSES}
    for rules in ALL_RULES:
        for setting in setting_names():
            source = rules.source_of(setting)
            assert (source.book, source.clause) in known, (rules.name, setting)


def test_a_setting_from_another_book_says_so():
    for name in preset_names():
        rules = preset(name)
        for setting in setting_names():
            source = rules.source_of(setting)
            assert source.silent is (source.book != name), (name, setting)


def test_a_source_reads_as_a_citation():
    assert str(source_from("depot 3b")) == "depot 3b"
    assert str(source_from("~nca four rounds")) == "own book silent; as nca four rounds"


def test_options_apply_in_turn_and_are_named():
    rules = preset("depot", "conventional", "line_counts_5")
    assert rules.name == "depot+conventional+line_counts_5"
    assert (rules.award, rules.line_disc_points) == (Award.DIFFERENCE, 5)
    assert rules.source_of("format") == Source("depot", "4g")


def test_a_books_own_option_goes_before_a_common_one():
    assert option_names("traditional")[0] == "match_play"
    assert "quinte" in option_names("wcc")


def test_names_nobody_knows_are_refused_with_what_there_is():
    with pytest.raises(UnknownPreset, match="no rules named 'whist'; there are nca, depot"):
        preset("whist")
    with pytest.raises(UnknownPreset, match="no rules named"):
        option_names("whist")
    with pytest.raises(UnknownPreset, match="nca has no option 'direct_hit'; there are four_rounds"):
        preset("nca", "direct_hit")


def test_an_empty_file_is_the_default():
    rules = rules_from_toml("")
    assert rules == replace(preset(), name="custom nca")


def test_custom_rules_start_from_any_preset():
    text = """
    base = "depot"
    name = "Tuesday club"
    options = ["line_counts_5"]
    discs_singles = 10
    open_table = "try"
    placings = [9, 6, 3, 0]
    tilted_out = true
    [format]
    target = 120
    """
    with pytest.raises(BadRules, match="cannot be shared"):
        rules_from_toml(text)
    rules = rules_from_toml(text.replace("[9, 6, 3, 0]", "[6, 4, 2, 0]"))
    assert (rules.name, rules.discs_singles, rules.open_table) == ("Tuesday club", 10, OpenTable.TRY)
    assert (rules.line_disc_points, rules.tilted_out, rules.format) == (5, True, Format(target=120))
    assert str(rules.source_of("open_table")) == "custom Tuesday club"
    assert rules.source_of("line_disc_points") == Source("depot", "7b")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("disks = 8", "disks"),
        ("sources = []", "sources"),
        ("[format]\ntarget = 8\ntarjet = 9", "format.tarjet"),
    ],
)
def test_an_unknown_key_is_refused_by_name(text, key):
    with pytest.raises(UnknownKey, match=f"unknown key '{key}'") as refused:
        rules_from_toml(text)
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("discs_singles = ", "not TOML"),
        ("base = 3", "base should be str, not 3"),
        ("name = 3", "name should be str, not 3"),
        ("options = 'x'", "options should be a list"),
        ("discs_singles = true", "discs_singles should be int, not True"),
        ("discs_singles = 8.0", "discs_singles should be int, not 8.0"),
        ("tilted_out = 1", "tilted_out should be bool, not 1"),
        ("open_table = 'closed'", "open_table is one of finish, within, try, free, not 'closed'"),
        ("format = 4", "format should be a table"),
        ("placings = [1, 'a']", r"placings\[1\] should be int"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_name(text, why):
    with pytest.raises(BadData, match=why):
        rules_from_toml(text)


def test_a_custom_base_has_to_exist():
    with pytest.raises(UnknownPreset):
        rules_from_toml("base = 'whist'")

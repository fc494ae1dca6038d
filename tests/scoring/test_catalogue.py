"""The catalogue: nothing skipped, nothing stale, everything it names exists."""

from __future__ import annotations

import ast
import importlib
import runpy
import sys
from functools import cache
from pathlib import Path

import pytest

from scoring.catalogue import CLAUSES, Clause
from scoring.catalogue.tables import not_scoring_page, rules_page, settings_of, show, words_for
from scoring.errors import ScoringMisuse
from scoring.presets import preset, preset_names
from scoring.rules import setting_names

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs"

#: Every clause of the books, as their own texts count or as paragraphs are counted here.
EXPECTED = {
    "depot": [
        *("1", "2a", "2b", "2c", "2d", "3a", "3b", "3c"),
        *(f"4{letter}" for letter in "abcdefg"),
        *("5", "6a", "6b", "6c", "7a", "7b", "7c", "7d"),
    ],
    "popular": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10a", "10b", "10c"],
    "wcc-2011": [
        *(f"4.1.{number}" for number in range(1, 8)),
        *(f"4.1.8.{number}" for number in range(1, 5)),
        *(f"4.1.9.{number}" for number in range(1, 4)),
        *("4.1.10", "4.1.11"),
        *(f"4.2.{number}" for number in range(1, 6)),
    ],
    "traditional": [
        *("Basic 1", "Parts 1", "Parts 2", "Parts 3"),
        *(f"Shooting {number}" for number in range(1, 11)),
        *(f"Scoring {number}" for number in range(4)),
        *("Stroke 1", "Stroke 2", "Match 1", "Match 2", "Match 3"),
    ],
    "printable": [
        *(f"Quick Look {number}" for number in range(1, 6)),
        *(f"Components {number}" for number in range(1, 5)),
        *(f"Objective {number}" for number in range(1, 4)),
        *("Turn 1", "Turn 2", "Legal Shot 1", "Legal Shot 2", "20s 1", "20s 2"),
        *(f"Fouls {number}" for number in range(1, 4)),
        *(f"Scoring {number}" for number in range(1, 5)),
        "Example",
        *(f"Doubles {number}" for number in range(1, 4)),
        *(f"Steps {number}" for number in range(1, 11)),
        *(f"House Rules {number}" for number in range(1, 4)),
    ],
}


@cache
def functions_in(file: str) -> set[str]:
    tree = ast.parse((HERE / f"{file}.py").read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("book", EXPECTED)
def test_every_clause_of_every_book_is_listed_once(book):
    assert [clause.id for clause in CLAUSES if clause.book == book] == EXPECTED[book]


def test_every_implementation_named_exists():
    for clause in CLAUSES:
        for name in clause.where:
            module, *attributes = name.split(".")
            found = importlib.import_module(f"scoring.{module}")
            for attribute in attributes:
                found = getattr(found, attribute)
            assert getattr(found, "__doc__", None), name


def test_every_test_named_exists():
    for clause in CLAUSES:
        for name in clause.tests:
            file, test = name.split("::")
            start = test.removesuffix("*")
            found = [
                each
                for each in functions_in(file)
                if each == test or (start != test and each.startswith(start))
            ]
            assert found, (clause.book, clause.id, name)


def test_every_test_of_a_book_is_named_by_a_clause():
    named = {name for clause in CLAUSES for name in clause.tests}
    for path in HERE.glob("test_book_*.py"):
        for test in functions_in(path.stem) - {"test_nca_is_the_default", "test_ditch_scores_nothing"}:
            if test.startswith("test_"):
                full = f"{path.stem}::{test}"
                assert any(full.startswith(name.removesuffix("*")) for name in named), full


def test_a_clause_without_code_needs_a_reason():
    with pytest.raises(ScoringMisuse, match="x 1 needs code and tests, or a reason"):
        Clause("x", "1", "something")
    with pytest.raises(ScoringMisuse):
        Clause("x", "1", "something", ("shots.judge",), (), "because")
    with pytest.raises(ScoringMisuse):
        Clause("x", "1", "something", (), ("test_x",))


@pytest.mark.parametrize(
    ("page", "file"), [(rules_page, "rules.md"), (not_scoring_page, "rules_not_scoring.md")]
)
def test_the_pages_are_not_stale(page, file):
    assert (DOCS / file).read_text(encoding="utf-8") == page()


def test_a_row_a_clause():
    page = rules_page()
    for clause in CLAUSES:
        assert f"| {clause.id} | {clause.says} |" in page
    asides = [clause for clause in CLAUSES if clause.aside]
    assert not_scoring_page().count("\n| ") == len(asides) + 1


@pytest.mark.parametrize(("arguments", "page"), [([], rules_page), (["not-scoring"], not_scoring_page)])
def test_the_module_prints_the_pages(arguments, page, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["catalogue", *arguments])
    runpy.run_module("scoring.catalogue", run_name="__main__")
    assert capsys.readouterr().out == page()


def test_rules_are_shown_with_the_clause_of_each_setting():
    lines = show(preset("popular"))
    assert lines[0] == "popular"
    assert len(lines) == len(setting_names()) + 1
    shown = {line.split()[0]: line for line in lines[1:]}
    assert "difference then twenties" in shown["award"]
    assert shown["award"].endswith("popular 9")
    assert shown["horn"].endswith("own book silent; as wcc-2011 4.2.5")


def test_every_setting_says_what_its_clause_says():
    for name in preset_names():
        for setting in settings_of(preset(name)):
            assert setting.says, (name, setting.name)
            assert setting.value


@pytest.mark.parametrize(
    ("value", "words"),
    [(True, "yes"), (False, "no"), (8, "8"), ((8, 6), "8-6"), (preset().award, "match points")],
)
def test_values_in_words(value, words):
    assert words_for(value) == words

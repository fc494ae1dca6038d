"""The texts: every language complete, none written into a template or a script, none that nobody reads."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from scoring.presets import option_names, preset_names
from service.http.app import create_app
from service.http.problem_docs import MEDIA_TYPE
from service.settings import Settings
from service.web.words import DEFAULT, chosen, languages
from vision.linecall_errors import LineCallFault
from vision.live.still_capture import Refused
from vision.picture_errors import PictureFault

WEB = Path(__file__).parents[2] / "service" / "web"
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
SCRIPTS = sorted((WEB / "static" / "js").glob("*.js"))
SPOKEN = {"aria-label", "alt", "title", "placeholder", "label", "aria-description"}
PLURAL = re.compile(r"\.(zero|one|two|few|many|other)$")


def named_keys() -> set[str]:
    """Every key that a template or a script names in full."""
    found: set[str] = set()
    for file in (*TEMPLATES, *SCRIPTS):
        found |= set(re.findall(r"""(?<![\w.])t\("([^"]+)"[,)]""", file.read_text(encoding="utf-8")))
    return found


def built_keys() -> set[str]:
    """The beginnings of keys that are put together, like ``preset.`` of ``preset.nca``."""
    found: set[str] = set()
    for file in SCRIPTS:
        found |= set(re.findall(r"\bt\(\s*`([\w.]+)\$\{", file.read_text(encoding="utf-8")))
        found |= set(re.findall(r"""\? "([\w.]+)" : "[\w.]+\"""", file.read_text(encoding="utf-8")))
        found |= set(re.findall(r"""\? "[\w.]+" : "([\w.]+)\"""", file.read_text(encoding="utf-8")))
    for file in TEMPLATES:
        found |= set(re.findall(r'\bt\("([\w.]+)" ~', file.read_text(encoding="utf-8")))
    return found


class Texts(HTMLParser):
    """Collects what a person would read or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in SPOKEN]


@pytest.mark.parametrize("language", [tag for tag in languages() if tag != DEFAULT])
def test_every_language_has_the_same_keys(language):
    plain = {PLURAL.sub("", key) for key in languages()[DEFAULT].texts}
    assert {PLURAL.sub("", key) for key in languages()[language].texts} == plain


@pytest.mark.parametrize("language", languages())
def test_every_text_has_the_same_blanks_as_in_the_default_language(language):
    for key, text in languages()[language].texts.items():
        model = languages()[DEFAULT].texts.get(key) or languages()[DEFAULT].texts[PLURAL.sub(".other", key)]
        assert set(re.findall(r"\{(\w+)\}", text)) <= set(re.findall(r"\{(\w+)\}", model)) | {"n"}, key
        assert text.strip()


@pytest.mark.parametrize("language", languages())
def test_a_key_that_is_named_has_a_text(language):
    texts = {PLURAL.sub("", key) for key in languages()[language].texts}
    assert len(named_keys()) > 150
    assert named_keys() <= texts


def test_no_text_is_left_that_nobody_reads():
    used, begun = named_keys(), tuple(built_keys())
    texts = {PLURAL.sub("", key) for key in languages()[DEFAULT].texts}
    unread = {key for key in texts - used if not key.startswith(begun)}
    assert unread == {"language.name"}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_holds_words(template):
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", template.read_text(encoding="utf-8"), flags=re.S)
    parser = Texts()
    parser.feed(text)
    assert not [found for found in parser.found if re.search(r"[^\W\d_]", found)]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_script_writes_words_into_an_element(script):
    """A literal handed to an element as a text would be English in every language."""
    text = script.read_text(encoding="utf-8")
    assert not re.findall(r"""(?:textContent|innerText|title|placeholder|alt) = ["`][^"`$]*[a-z]{2}""", text)
    assert not re.findall(r""""(?:aria-label|title|alt|placeholder)": "[^"]+\"""", text)
    assert "innerHTML" not in text, "texts come from people: they are never read as HTML"


def documented_codes(folder: Path) -> set[str]:
    """Every code of a problem that the interface's description names, or a photo or a camera gives."""
    found = {str(code) for kind in (LineCallFault, PictureFault, Refused) for code in kind} - UPLOADED
    for calls in create_app(Settings(data_dir=folder)).openapi()["paths"].values():
        for call in calls.values():
            for answer in call["responses"].values():
                if (told := answer.get("content", {}).get(MEDIA_TYPE)) is not None:
                    found |= set(told["examples"])
    for file in (WEB.parent / "http").glob("*.py"):
        found |= set(re.findall(r'Problem\(\s*\d+,\s*"([a-z_]+)"', file.read_text(encoding="utf-8")))
    return found


#: A photo that was uploaded is a file that can be read.
UPLOADED = {"missing", "not_a_file", "unreadable"}


@pytest.mark.parametrize("language", languages())
def test_every_documented_problem_has_a_text(language, tmp_path):
    codes = documented_codes(tmp_path)
    assert {"changed", "no_board", "not_still", "disc_moved", "too_many_requests", "no_room"} <= codes
    assert {f"problem.{code}" for code in codes} <= set(languages()[language].texts)


def test_every_preset_and_option_has_a_name():
    texts = languages()[DEFAULT].texts
    for preset in preset_names():
        assert {f"preset.{preset}", f"usual.{preset}"} <= set(texts)
        assert {f"option.{option}" for option in option_names(preset)} <= set(texts)


@pytest.mark.parametrize(
    ("header", "kept", "language"),
    [
        ("fr-CA,fr;q=0.9,en;q=0.8", None, "fr"),
        ("de,en;q=0.5,fr;q=0.7", None, "fr"),
        ("en-GB", None, "en"),
        ("fr;q=0, en", None, "en"),
        ("de", None, "en"),
        ("", None, "en"),
        ("fr;q=often", None, "en"),
        ("en", "fr", "fr"),
        ("fr", "xx", "fr"),
    ],
)
def test_the_language_is_the_one_chosen_else_the_one_preferred(header, kept, language):
    """RFC 9110, 12.5.4: the greatest weight wins, 0 means not acceptable."""
    assert chosen(header, kept).language == language


def test_blanks_are_filled_in():
    assert languages()["fr"]("table.title", table="A") == "Table A"

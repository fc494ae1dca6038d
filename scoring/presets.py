"""Rules by name, with options, and custom rules in TOML that start from any of them.

A custom file::

    base = "depot"                  # any preset; the default is nca
    name = "Tuesday club"
    options = ["line_counts_5"]     # choices listed by `option_names`
    discs_singles = 10              # any setting of `scoring.rules.Rules`
    [format]                        # replaces the base's format as a whole
    target = 120
"""

from __future__ import annotations

import tomllib
from typing import Any, get_type_hints

from scoring.books import BOOK_OPTIONS, BOOKS, COMMON_OPTIONS, Cited
from scoring.codec import load
from scoring.errors import BadData, UnknownKey, UnknownPreset
from scoring.rules import Rules, Source, changed, setting_names

#: Taken when nobody names one.
DEFAULT = "nca"


def preset_names() -> tuple[str, ...]:
    """Return every preset, the default first."""
    return tuple(BOOKS)


def option_names(name: str) -> tuple[str, ...]:
    """Return every option of a preset: its own book's first, then the formats that fit any."""
    _book(name)
    return (*BOOK_OPTIONS.get(name, {}), *COMMON_OPTIONS)


def preset(name: str = DEFAULT, *options: str) -> Rules:
    """Return the rules of that name with the options applied in turn.

    Raises `UnknownPreset` for a name or an option that does not exist.
    """
    cited = _book(name)
    rules = Rules(
        name=name,
        sources=tuple((key, source_from(cited[key][1])) for key in setting_names()),
        **{key: value for key, (value, _) in cited.items()},
    )
    for option in options:
        rules = _with_option(rules, name, option)
    return rules


def source_from(citation: str) -> Source:
    """Return ``~book clause`` as a `Source`; the tilde marks a gap filled from another book."""
    book, _, clause = citation.removeprefix("~").partition(" ")
    return Source(book, clause, silent=citation.startswith("~"))


def rules_from_toml(text: str) -> Rules:
    """Return the custom rules a TOML text describes.

    Raises `BadData` for text that is not TOML or a value of the wrong kind, `UnknownKey` with the key's
    name, `UnknownPreset` for its base or options, `BadRules` for settings that contradict each other.
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(f"not TOML: {error}") from None
    base = load(str, given.pop("base", DEFAULT), "base")
    name = load(str, given.pop("name", f"custom {base}"), "name")
    options = load(tuple[str, ...], given.pop("options", []), "options")
    kinds = get_type_hints(Rules)
    settings: dict[str, Any] = {}
    for key, value in given.items():
        if key not in setting_names():
            raise UnknownKey(key)
        settings[key] = load(kinds[key], value, key)
    return changed(preset(base, *options), Source("custom", name), settings, name)


def _book(name: str) -> dict[str, Cited]:
    if name not in BOOKS:
        raise UnknownPreset(f"no rules named {name!r}; there are {', '.join(BOOKS)}")
    return BOOKS[name]


def _with_option(rules: Rules, name: str, option: str) -> Rules:
    known = {**COMMON_OPTIONS, **BOOK_OPTIONS.get(name, {})}
    if option not in known:
        raise UnknownPreset(f"{name} has no option {option!r}; there are {', '.join(option_names(name))}")
    label = f"{rules.name}+{option}"
    for key, (value, citation) in known[option].items():
        rules = changed(rules, source_from(citation), {key: value}, label)
    return rules

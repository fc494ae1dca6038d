"""The texts people read, one TOML file a language; a third language is one more file.

A file has a ``[language]`` table with its own ``name``, and tables of texts. ``home.title`` is the key of
``title`` in ``[home]``. Plurals are keys with ``.one`` and ``.other`` (CLDR's names).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

DEFAULT = "en"
_FOLDER = files("service.web") / "strings"


@dataclass(frozen=True, slots=True)
class Words:
    """One language: its tag, its own name, its texts by key."""

    language: str
    name: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The text of ``key`` with its ``{names}`` filled in. Raises `KeyError` for a key nobody wrote."""
        return self.texts[key].format_map(values) if values else self.texts[key]


@cache
def languages() -> Mapping[str, Words]:
    """Every language there is a file for, the default first."""
    tags = sorted(
        (file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml")),
        key=lambda tag: (tag != DEFAULT, tag),
    )
    return {tag: _loaded(tag) for tag in tags}


def chosen(accept_language: str, kept: str | None = None) -> Words:
    """The language a person gets: the one they chose, else the first they accept, else the default.

    ``accept_language`` is the request header (RFC 9110, 12.5.4); ``fr-CA`` is content with ``fr``.
    """
    known = languages()
    if kept is not None and kept in known:
        return known[kept]
    for tag in _by_preference(accept_language):
        if (short := tag.split("-")[0]) in known:
            return known[short]
    return known[DEFAULT]


def _by_preference(header: str) -> list[str]:
    weighed = []
    for item in header.split(","):
        tag, _, quality = item.partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if tag.strip() and weight > 0:
            weighed.append((-weight, tag.strip().lower()))
    return [tag for _, tag in sorted(weighed, key=lambda pair: pair[0])]


def _loaded(tag: str) -> Words:
    data = tomllib.loads((_FOLDER / f"{tag}.toml").read_text(encoding="utf-8"))
    texts = dict(_flat(data))
    return Words(tag, texts["language.name"], texts)


def _flat(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        found += _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, str(value))]
    return found

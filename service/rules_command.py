"""Rules by what a person types: a preset, with options, or a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scoring.errors import BadData, BadRules, UnknownPreset
from scoring.presets import DEFAULT, preset, preset_names, rules_from_toml
from scoring.rules import Rules


def load_rules(name_or_path: str | None) -> Rules:
    """A preset by its name, with options as ``depot+line_counts_5``; else the rules file at that path.

    None is the default preset. Raises ``BadData``, ``BadRules`` or ``UnknownPreset``.
    """
    if name_or_path is None:
        return preset(DEFAULT)
    name, *options = name_or_path.split("+")
    if name in preset_names():
        return preset(name, *options)
    path = Path(name_or_path)
    if not path.is_file():
        raise BadData(f"{name_or_path!r} is neither a rules file nor a preset ({', '.join(preset_names())})")
    try:
        return rules_from_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadData(f"{name_or_path} cannot be read as text: {error}") from error
    except (BadData, BadRules, UnknownPreset) as error:
        raise BadData(f"{name_or_path}: {error}") from error


def preset_lines() -> Iterator[str]:
    """Every preset's name, the default marked."""
    for name in preset_names():
        yield f"{name} (default)" if name == DEFAULT else name

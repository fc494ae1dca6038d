"""Everything `scoring` refuses, and why.

The tree::

    ScoringError (ValueError)        the world: something handed in cannot be, or is not allowed
    ├── BadFact                      a fact about discs, lies or tallies that cannot be
    ├── BadRules                     settings that contradict each other
    ├── UnknownPreset                no rules or option of that name
    ├── BadData                      text that is not what it should be (JSON, TOML, CSV)
    │   └── UnknownKey               a key nobody asked for; `key` holds its name
    └── IllegalEvent                 an event this match cannot have now; `reason` says why

    ScoringMisuse (TypeError)        a bug in the calling program, not in the data

Catch `ScoringError` to tell a person what is wrong; let `ScoringMisuse` crash.
"""

from __future__ import annotations


class ScoringError(ValueError):
    """Root of every refusal that comes from what was handed in."""


class BadFact(ScoringError):
    """A disc, lie or tally that cannot be."""


class BadRules(ScoringError):
    """Settings that contradict each other or leave the game without an end."""


class UnknownPreset(ScoringError):
    """No preset, option or setting of that name."""


class BadData(ScoringError):
    """Text in JSON, TOML or CSV that does not say what it should."""


class UnknownKey(BadData):
    """A key that means nothing here."""

    def __init__(self, key: str) -> None:
        """Keep the key's full name, outermost first, parted by dots."""
        super().__init__(f"unknown key {key!r}")
        self.key = key


class IllegalEvent(ScoringError):
    """An event the match refuses."""

    def __init__(self, number: int, reason: str) -> None:
        """Keep the event's number in the record (from 0) and the reason."""
        super().__init__(f"event {number}: {reason}")
        self.number = number
        self.reason = reason


class ScoringMisuse(TypeError):
    """The calling program handed in a value of a kind that has no meaning here."""

"""Why something cannot be done to a match. Each has a ``code`` for programs and a sentence for people."""

from __future__ import annotations

from typing import Any


def sentence(error: object) -> str:
    """What another part of the program says, as a sentence."""
    words = str(error)
    return f"{words[:1].upper()}{words[1:]}."


class Refusal(Exception):
    """Root of every refusal here."""

    code = "refused"
    title = "That cannot be done"

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class Unknown(Refusal):
    """There is no match, round, reading or table of that name."""

    code = "not_found"
    title = "Not found"


class Impossible(Refusal):
    """What was told cannot be: by the rules, the discs, or the names."""

    code = "impossible"
    title = "The rules do not allow that"


class NotNow(Refusal):
    """The match does not stand so that this could be done."""

    code = "not_now"
    title = "The match does not stand so"


class Exists(Refusal):
    """There is already something else of that name."""

    code = "exists"
    title = "There is already another one"


class Changed(Refusal):
    """Somebody was quicker. ``current`` is the match as it is, ``events`` what came since."""

    code = "changed"
    title = "Somebody else changed the match"

    def __init__(self, current: dict[str, Any], events: list[dict[str, Any]]) -> None:
        super().__init__("The match was changed since you last saw it. Look at it and decide again.")
        self.current = current
        self.events = events

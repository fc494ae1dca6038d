"""The record of a match: who plays, the rules in force, and all that happened. State is a fold over it.

A record is a value; `append`, `undo_last` and `correct` return a new one, or raise `IllegalEvent` with the
reason. A record that cannot be replayed cannot be built.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from scoring.codec import dump, load
from scoring.errors import BadData, BadFact, IllegalEvent
from scoring.events import Correction, Entry, Event, Undo
from scoring.fold import fold
from scoring.history import last_in_force
from scoring.lineup import Lineup
from scoring.rules import Rules
from scoring.state import MatchState

#: The version of the JSON form. It grows when an old reader could misread a new record.
VERSION = 1


@dataclass(frozen=True, slots=True)
class Record:
    """A match. ``rules`` is a snapshot, so a preset that changes later re-scores nothing.

    ``first`` is the seat, clockwise from 0, that starts the first round; chance decides it (depot 1).
    """

    lineup: Lineup
    rules: Rules
    first: int = 0
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a record that cannot be replayed."""
        if not 0 <= self.first < len(self.lineup.seats):
            raise BadFact(f"no seat {self.first} at this table")
        replay(self)


def replay(record: Record) -> MatchState:
    """Return where the match stands; the same record always gives the same state."""
    return fold(record.lineup, record.rules, record.first, record.events)


def append(record: Record, event: Event) -> Record:
    """Return the record with one more event, or raise `IllegalEvent` with the reason."""
    number = len(record.events)
    try:
        return replace(record, events=(*record.events, event))
    except IllegalEvent as error:
        if error.number == number:
            raise
        raise IllegalEvent(number, f"it would make event {error.number} impossible: {error.reason}") from None


def undo_last(record: Record) -> Record:
    """Take back the last event that is in force; call again to go further back."""
    target = last_in_force(record.events)
    if target is None:
        raise IllegalEvent(len(record.events), "there is nothing to undo")
    return append(record, Undo(target))


def correct(record: Record, target: int, entry: Entry, reason: str) -> Record:
    """Say that the round scored by event ``target`` was something else, and why."""
    return append(record, Correction(target, entry, reason))


def to_json(record: Record) -> str:
    """Return the record as one JSON object with its version."""
    return json.dumps({"version": VERSION, **dump(record)}, ensure_ascii=False)


def from_json(text: str) -> Record:
    """Return the record a JSON text holds.

    Raises `BadData` for text that is no record of this version, `IllegalEvent` for one that cannot be.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadData(f"not JSON: {error}") from None
    if not isinstance(data, dict) or data.pop("version", None) != VERSION:
        raise BadData(f"not a match record of version {VERSION}")
    return load(Record, data, "record")

"""Which events of a list are in force once undos and corrections are taken into account."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.errors import IllegalEvent
from scoring.events import Correction, Entry, Event, RoundScored, Undo


def in_force(events: Sequence[Event]) -> list[tuple[int, Event]]:
    """Return the events that count, each with its number, corrected rounds with their last correction.

    Raises `IllegalEvent` for an undo or a correction of something it cannot apply to.
    """
    undone: set[int] = set()
    for number, event in enumerate(events):
        if isinstance(event, Undo):
            _check_target(number, event.target, undone)
            undone = _undone(events[: number + 1])
        elif isinstance(event, Correction):
            _check_target(number, event.target, undone)
            if not isinstance(events[event.target], RoundScored):
                raise IllegalEvent(number, f"event {event.target} is not a scored round; undo it instead")
    entries: dict[int, Entry] = {}
    kept: list[tuple[int, Event]] = []
    for number, event in enumerate(events):
        if number in undone or isinstance(event, Undo):
            continue
        if isinstance(event, Correction):
            entries[event.target] = event.entry
        else:
            kept.append((number, event))
    if not entries:
        return kept
    return [(number, RoundScored(entries[number]) if number in entries else event) for number, event in kept]


def told_by(events: Sequence[Event]) -> dict[int, int]:
    """Return the event that tells each scored round in force: its own, or its last correction."""
    undone = _undone(events)
    last: dict[int, int] = {}
    for number, event in enumerate(events):
        if number in undone:
            continue
        if isinstance(event, RoundScored):
            last[number] = number
        elif isinstance(event, Correction) and event.target in last:
            last[event.target] = number
    return last


def last_in_force(events: Sequence[Event]) -> int | None:
    """Return the number of the last event that can be undone as a next step back, or None."""
    undone = _undone(events)
    for number in range(len(events) - 1, -1, -1):
        if number not in undone and not isinstance(events[number], Undo):
            return number
    return None


def _undone(events: Sequence[Event]) -> set[int]:
    """Return the numbers taken back. Read from the end, so an undo that is itself undone does nothing."""
    undone: set[int] = set()
    for number in range(len(events) - 1, -1, -1):
        event = events[number]
        if isinstance(event, Undo) and number not in undone:
            undone.add(event.target)
    return undone


def _check_target(number: int, target: int, undone: set[int]) -> None:
    if not 0 <= target < number:
        raise IllegalEvent(number, f"there is no event {target} before it")
    if target in undone:
        raise IllegalEvent(number, f"event {target} is already undone")

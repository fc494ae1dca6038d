"""What people do to matches. Reading opens a transaction by itself; a change happens in the caller's.

Everything that changes a match goes through `service.matches.writing`: one more event, its evidence and
decisions, a message to those who watch, all in one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, update

from scoring.codec import dump
from scoring.errors import ScoringError
from scoring.events import (
    Correction,
    Event,
    Forfeit,
    HornSounded,
    Penalty,
    RoundScored,
    Scope,
    ShootOutScored,
    ShotTaken,
    Undo,
)
from scoring.history import last_in_force
from scoring.lineup import Lineup
from scoring.record import Record
from scoring.rules import Rules
from scoring.shots import Verdict
from service.matches.entries import entry_in_force, told
from service.matches.facts import Facts
from service.matches.match_json import match_json
from service.matches.previews import preview, suggestions
from service.matches.refusals import Impossible, NotNow, sentence
from service.matches.stored import Colours, Stored, load_events, load_match, load_matches
from service.matches.tables import ensure_table
from service.matches.words import News
from service.matches.writing import By, changed_to, happened, keep_decision, locked, tell
from service.store import Store
from service.store.moments import new_id, now
from service.store.tables import matches, tables


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to begin. ``first`` is a seat, clockwise from 0, or a player's name."""

    table: str
    lineup: Lineup
    rules: Rules
    colours: Colours
    first: int | str = 0
    event_name: str | None = None


class Matches:
    """The matches of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, id: str) -> dict[str, Any]:
        """A match. Raises `Unknown`, as everything here that takes a name."""
        with self._store.read() as connection:
            return match_json(load_match(connection, id))

    def listed(self, *, table: str | None, limit: int, after: str | None) -> list[dict[str, Any]]:
        """Matches, newest first; ``after`` is the last one already seen."""
        with self._store.read() as connection:
            found = load_matches(connection, table=table, limit=limit, after=after)
            return [match_json(stored) for stored in found]

    def events(self, id: str) -> list[dict[str, Any]]:
        """What happened in a match, oldest first."""
        with self._store.read() as connection:
            load_match(connection, id)
            return load_events(connection, id)

    def preview(self, id: str, facts: Facts, corrects: int | None = None) -> dict[str, Any]:
        """What a round would count, or a correction of the round scored by event ``corrects``."""
        with self._store.read() as connection:
            stored = load_match(connection, id)
            if corrects is not None:
                entry_in_force(stored.record, corrects)
            return preview(stored, told(connection, stored, facts, corrects), corrects)

    def suggestions(self, id: str, event: int) -> list[dict[str, Any]]:
        """What a scored round may have been instead, likeliest first."""
        with self._store.read() as connection:
            stored = load_match(connection, id)
            entry, _ = entry_in_force(stored.record, event)
            return suggestions(stored, entry, event)

    def create(self, connection: Connection, new: NewMatch, by: By) -> dict[str, Any]:
        """Begin a match; from now on it is the one its table shows."""
        names = [seat.player for seat in new.lineup.seats]
        if isinstance(new.first, str) and new.first not in names:
            raise Impossible(f"{new.first!r} does not play here; first is one of {', '.join(names)}.")
        first = names.index(new.first) if isinstance(new.first, str) else new.first
        try:
            record = Record(new.lineup, new.rules, first)
        except ScoringError as error:
            raise Impossible(sentence(error)) from error
        event_name = ensure_table(connection, new.table)
        stored = Stored(
            id=new_id("m"),
            table=new.table,
            created_at=now(),
            event_name=event_name if new.event_name is None else new.event_name,
            record=record,
            colours=new.colours,
            version=1,
            finished_at=None,
            finish=None,
            evidence={},
        )
        insert_match(connection, stored)
        connection.execute(update(tables).where(tables.c.name == new.table).values(match_id=stored.id))
        tell(connection, stored, News("created"))
        return match_json(stored)

    def score(self, connection: Connection, id: str, facts: Facts, by: By) -> dict[str, Any]:
        """Score a round."""
        stored = self._going_on(connection, id, by)
        round = told(connection, stored, facts)
        return match_json(happened(connection, stored, RoundScored(round.entry), by, round))

    def correct(
        self, connection: Connection, id: str, event: int, facts: Facts, reason: str, who: str | None, by: By
    ) -> dict[str, Any]:
        """Say that the round scored by an event was something else, and why."""
        stored = locked(connection, id, by)
        old, _ = entry_in_force(stored.record, event)
        round = told(connection, stored, facts, event)
        corrected = happened(connection, stored, Correction(event, round.entry, reason), by, round)
        keep_decision(
            connection,
            id,
            len(stored.record.events),
            reading_id=None if round.evidence is None else round.evidence.reading,
            was=dump(old),
            now=dump(round.entry),
            who=who or by.actor,
            why=reason,
        )
        return match_json(corrected)

    def undo(self, connection: Connection, id: str, by: By) -> dict[str, Any]:
        """Take back the last thing that was done; again to go further back."""
        stored = locked(connection, id, by)
        if stored.finish is not None:
            again = replace(stored, finish=None, finished_at=None)
            return match_json(changed_to(connection, again, News("undo", "the match goes on")))
        target = last_in_force(stored.record.events)
        if target is None:
            raise NotNow("There is nothing to undo.")
        return match_json(happened(connection, stored, Undo(target), by))

    def penalty(
        self, connection: Connection, id: str, side: str, points: int, reason: str, by: By
    ) -> dict[str, Any]:
        """Take points off a side's score in the game being played."""
        return self._add(connection, id, lambda: Penalty(side, points, reason), by)

    def forfeit(
        self, connection: Connection, id: str, side: str, scope: str, reason: str, by: By
    ) -> dict[str, Any]:
        """Have a side lose a round, a game or the match without play."""
        return self._add(connection, id, lambda: Forfeit(side, Scope(scope), reason), by)

    def horn(self, connection: Connection, id: str, by: By) -> dict[str, Any]:
        """Say that playing time is over."""
        return self._add(connection, id, HornSounded, by)

    def shot(
        self, connection: Connection, id: str, player: str, verdict: str, twenties: Mapping[str, int], by: By
    ) -> dict[str, Any]:
        """Note a shot and the 20s removed after it."""
        counts = tuple(twenties.items())
        return self._add(connection, id, lambda: ShotTaken(player, Verdict(verdict), counts), by)

    def shoot_out(
        self, connection: Connection, id: str, twenties: Mapping[str, int], by: By
    ) -> dict[str, Any]:
        """Score one stage of a shoot-out."""
        return self._add(connection, id, lambda: ShootOutScored(tuple(twenties.items())), by)

    def finish(self, connection: Connection, id: str, reason: str, by: By) -> dict[str, Any]:
        """End a match before its rules do; `undo` has it go on."""
        stored = self._going_on(connection, id, by)
        finish = {"reason": reason, "who": by.actor}
        ended = replace(stored, finish=finish, finished_at=now())
        news = News("finish", f"the match is finished: {reason}", finish)
        return match_json(changed_to(connection, ended, news))

    def _add(self, connection: Connection, id: str, event: Any, by: By) -> dict[str, Any]:
        """Add an event; ``event`` makes it, for it may refuse what it is made of."""
        stored = self._going_on(connection, id, by)
        try:
            made: Event = event()
        except ScoringError as error:
            raise Impossible(sentence(error)) from error
        return match_json(happened(connection, stored, made, by))

    def _going_on(self, connection: Connection, id: str, by: By) -> Stored:
        stored = locked(connection, id, by)
        if stored.finished_at is not None:
            raise NotNow("The match is finished. Undo goes one step back.")
        return stored


def insert_match(connection: Connection, stored: Stored) -> None:
    """Store a match's own row."""
    connection.execute(
        insert(matches).values(
            id=stored.id,
            table_name=stored.table,
            created_at=stored.created_at,
            event_name=stored.event_name,
            lineup=dump(stored.record.lineup),
            rules=dump(stored.record.rules),
            first=stored.record.first,
            colours=dict(stored.colours),
            version=stored.version,
            finished_at=stored.finished_at,
            finish=stored.finish,
        )
    )

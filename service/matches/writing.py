"""One more event in a match, with all that belongs to it, in the transaction under way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, select, update

from scoring.codec import dump
from scoring.errors import IllegalEvent, ScoringError
from scoring.events import Correction, Event
from scoring.record import Record, append, replay
from service.matches.entries import Told
from service.matches.match_json import match_json
from service.matches.refusals import Changed, Impossible, NotNow, sentence
from service.matches.shown import give_to_table, show_changed, shown_board
from service.matches.stored import Stored, load_events, load_match
from service.matches.words import News, news_of
from service.store.feed import publish
from service.store.moments import new_id, now
from service.store.tables import decisions, events, matches, round_evidence, tables

#: A match of every shot noted has about a hundred; this many are a program that runs wild.
MOST_EVENTS = 1000


@dataclass(frozen=True, slots=True)
class By:
    """Who changes a match. ``expect`` is the version they saw; None is whichever there is."""

    actor: str
    request_id: str = ""
    expect: int | None = None


def locked(connection: Connection, id: str, by: By) -> Stored:
    """Return a match that nobody else changes meanwhile. Raises `Unknown`, or `Changed` if somebody did."""
    stored = load_match(connection, id, lock=True)
    if by.expect is not None and by.expect != stored.version:
        since = load_events(connection, id, after_version=by.expect)
        raise Changed(match_json(stored), since)
    return stored


def appended(record: Record, event: Event) -> Record:
    """Return the record with one more event. Raises `Impossible` with the rules engine's reason."""
    try:
        return append(record, event)
    except IllegalEvent as error:
        # What is wrong with a correction is said, not which entry it is about: people just chose that.
        about = f"it would make event {event.target} impossible: " if isinstance(event, Correction) else ""
        raise Impossible(sentence(error.reason.removeprefix(about))) from error
    except ScoringError as error:
        raise Impossible(sentence(error)) from error


def happened(
    connection: Connection, stored: Stored, event: Event, by: By, told: Told | None = None
) -> Stored:
    """Add an event to a match and tell those who watch. Raises `Impossible` or `NotNow`."""
    if stored.finish is not None:
        raise NotNow("The match was finished. Take that back first.")
    number = len(stored.record.events)
    if number >= MOST_EVENTS:
        raise NotNow(f"A match holds {MOST_EVENTS} events at most.")
    record = appended(stored.record, event)
    # Only what rests on a reading, or takes that back, can change the board.
    board_may_change = bool(stored.evidence) or (told is not None and told.evidence is not None)
    board = shown_board(connection, stored) if board_may_change else None
    at = now()
    connection.execute(
        insert(events).values(
            match_id=stored.id,
            number=number,
            version=stored.version + 1,
            at=at,
            actor=by.actor,
            request_id=by.request_id,
            body=dump(event),
        )
    )
    evidence = dict(stored.evidence)
    if told is not None:
        if told.evidence is not None:
            evidence[number] = told.evidence
            give_to_table(connection, stored, told.evidence.reading)
        _keep_evidence(connection, stored.id, number, told, by)
    finished_at = (stored.finished_at or at) if replay(record).over else None
    changed = replace(stored, record=record, evidence=evidence, finished_at=finished_at)
    changed = changed_to(connection, changed, news_of(stored.record, record, event))
    if board_may_change:
        show_changed(connection, changed, board)
    return changed


def changed_to(connection: Connection, stored: Stored, news: News) -> Stored:
    """Store a match's own row as it is now, one version further, and tell those who watch."""
    stored = replace(stored, version=stored.version + 1)
    connection.execute(
        update(matches)
        .where(matches.c.id == stored.id)
        .values(version=stored.version, finished_at=stored.finished_at, finish=stored.finish)
    )
    tell(connection, stored, news)
    return stored


def tell(connection: Connection, stored: Stored, news: News) -> None:
    """Publish a match; one that is no longer the table's own must not take its place on the screens."""
    current = connection.execute(select(tables.c.match_id).where(tables.c.name == stored.table)).scalar()
    kind = "match" if current == stored.id else "past_match"
    body = {"match": match_json(stored), "announce": news.announce, "what": news.what}
    publish(connection, stored.table, kind, body)


def keep_decision(connection: Connection, match: str, number: int, **values: Any) -> None:
    """Keep what a person decided about an event."""
    connection.execute(
        insert(decisions).values(id=new_id("d"), match_id=match, event_number=number, at=now(), **values)
    )


def _keep_evidence(connection: Connection, match: str, number: int, told: Told, by: By) -> None:
    reading = None
    if told.evidence is not None:
        reading = told.evidence.reading
        connection.execute(
            insert(round_evidence).values(
                match_id=match, event_number=number, reading_id=reading, teams=dict(told.evidence.teams)
            )
        )
    for each in told.decided:
        keep_decision(
            connection,
            match,
            number,
            reading_id=reading,
            disc=each.disc,
            was=dict(each.was),
            now=dict(each.now),
            who=each.by.who or by.actor,
            why=each.by.why,
        )

"""From what people hand in for a round to what the rules engine takes, and the evidence beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, select

from scoring.errors import ScoringError
from scoring.events import Correction, Entry, MeasuredRound, OutcomeRound, RoundScored, TypedRound
from scoring.history import told_by
from scoring.record import Record
from scoring.rounds import RoundDisc
from scoring.tally import Tally, tally
from service.matches.facts import AmendedRound, Facts, PlacedRound, ReadRound, ToldRound
from service.matches.lies import Decided, decide, given_anew, seen_discs
from service.matches.refusals import Impossible, NotNow, Unknown, sentence
from service.matches.stored import Evidence, Stored
from service.matches.teams import sides_of_teams
from service.store.tables import readings


@dataclass(frozen=True, slots=True)
class Told:
    """A round ready for the rules engine, what it rests on, and what people decided about what was seen."""

    entry: Entry
    evidence: Evidence | None = None
    decided: tuple[Decided, ...] = ()


def told(connection: Connection, stored: Stored, facts: Facts, corrects: int | None = None) -> Told:
    """Return what ``facts`` say of a round of this match; ``corrects`` is the event of a round told before.

    Raises `Unknown`, `Impossible` or `NotNow`.
    """
    sides = stored.record.lineup.names
    try:
        match facts:
            case ReadRound():
                return _read(connection, stored, facts)
            case AmendedRound():
                return _amended(connection, stored, facts, corrects)
            case ToldRound():
                return Told(TypedRound(_whole(facts.totals, sides), _some(facts.twenties, sides)))
            case PlacedRound():
                places, twenties = _whole(facts.places, sides), _some(facts.twenties, sides)
                return Told(OutcomeRound(places, facts.difference, twenties))
    except ScoringError as error:
        raise Impossible(sentence(error)) from error


def entry_in_force(record: Record, event: int) -> tuple[Entry, int]:
    """Return what a scored round is now, and the event that says so. Raises `Unknown`."""
    by = told_by(record.events).get(event)
    if by is None:
        raise Unknown(f"Event {event} is not a scored round of this match, or it was taken back.")
    teller = record.events[by]
    assert isinstance(teller, RoundScored | Correction)
    return teller.entry, by


def load_reading(connection: Connection, id: str) -> dict[str, Any]:
    """Return the body of a stored reading. Raises `Unknown`."""
    body: dict[str, Any] | None = connection.execute(
        select(readings.c.body).where(readings.c.id == id)
    ).scalar()
    if body is None:
        raise Unknown(f"There is no reading {id}.")
    return body


def _read(connection: Connection, stored: Stored, facts: ReadRound) -> Told:
    body = load_reading(connection, facts.reading)
    sides = stored.record.lineup.names
    # Sides of a reading may be without a disc, and a disc off the board may be of a team that does not play.
    words = [disc["team"] for disc in body["discs"] if disc["place"] != "off"]
    teams = sides_of_teams(tuple(dict.fromkeys(words)), facts.teams, stored.colours, sides)
    discs, decided = decide(seen_discs(body, teams), facts.decisions, teams, sides, most=_most(body))
    counts = facts.twenties
    if counts is None:
        counts = {teams[side["team"]]: side["twenties"] for side in body["sides"] if side["team"] in teams}
    evidence = Evidence(facts.reading, teams)
    return Told(MeasuredRound(discs, _filled(counts, sides)), evidence, decided)


def _amended(connection: Connection, stored: Stored, facts: AmendedRound, corrects: int | None) -> Told:
    if corrects is None:
        raise Impossible("A new round needs a reading, totals, or places.")
    old, by = entry_in_force(stored.record, corrects)
    sides = stored.record.lineup.names
    if isinstance(old, MeasuredRound):
        return _amended_discs(connection, old, stored.evidence.get(by), facts, sides)
    if facts.decisions or facts.teams:
        raise NotNow("This round was not read from a photo: correct its totals instead.")
    if isinstance(old, TypedRound):
        return Told(TypedRound(old.totals, _some(facts.twenties, sides)))
    return Told(OutcomeRound(old.places, old.difference, _some(facts.twenties, sides)))


def _amended_discs(
    connection: Connection,
    old: MeasuredRound,
    evidence: Evidence | None,
    facts: AmendedRound,
    sides: Sequence[str],
) -> Told:
    counted, teams, most = old.discs, dict[str, str](), 0
    seen: Sequence[RoundDisc] = ()
    if evidence is not None:
        body = load_reading(connection, evidence.reading)
        teams = sides_of_teams(tuple(evidence.teams), facts.teams or evidence.teams, {}, sides)
        counted = given_anew(old.discs, evidence.teams, teams)
        seen, most = seen_discs(body, teams), _most(body)
        evidence = replace(evidence, teams=teams)
    elif facts.teams:
        raise Impossible("This round has no photo that shows colours: say of each disc whose it is.")
    discs, decided = decide(counted, facts.decisions, teams, sides, seen=seen, most=most)
    counts = old.twenties if facts.twenties is None else _filled(facts.twenties, sides)
    return Told(MeasuredRound(discs, counts), evidence, decided)


def _most(body: Mapping[str, Any]) -> int:
    """The highest number of a disc in a reading."""
    return max((disc["id"] for disc in body["discs"]), default=0)


def _whole(numbers: Mapping[str, int], sides: Sequence[str]) -> Tally:
    """Numbers in the order of the sides; whether each has one is the rules engine's question."""
    order = {side: index for index, side in enumerate(sides)}
    return tuple(sorted(numbers.items(), key=lambda pair: order.get(pair[0], len(order))))


def _some(numbers: Mapping[str, int] | None, sides: Sequence[str]) -> Tally | None:
    return None if numbers is None else _filled(numbers, sides)


def _filled(numbers: Mapping[str, int], sides: Sequence[str]) -> Tally:
    """Counts of 20s: a side that is not named made none. Raises `Impossible` for another name."""
    for side in numbers:
        if side not in sides:
            raise Impossible(f"There is no side {side!r}; there are {', '.join(sides)}.")
    return tally({side: numbers.get(side, 0) for side in sides})

"""The board a table shows: its newest reading, as people corrected it once a round rests on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from scoring.events import Correction, MeasuredRound, RoundScored
from scoring.history import told_by
from scoring.regions import points_of, region_of
from service.matches.lies import place_decided
from service.matches.stored import Stored
from service.store.feed import publish
from service.store.tables import decisions, readings, round_evidence, tables

#: What of a reading is shown on a table.
_SHOWN = ("discs", "ring_radii_mm", "sides", "needs_review")


@dataclass(frozen=True, slots=True)
class Counted:
    """A reading as a round in force counts it: scored by ``event``, ``teams`` are the words' sides.

    ``points`` is by disc; ``at_mm`` has the places of discs that a person added.
    """

    event: int
    entry: MeasuredRound
    teams: Mapping[str, str]
    points: Mapping[int, int]
    at_mm: Mapping[int, tuple[float, float]]


def board_json(id: str, body: Mapping[str, Any], counted: Counted | None = None) -> dict[str, Any]:
    """Return a stored reading as a table shows it: as it was seen, or as a round counts it.

    ``event`` is the round that rests on it, and ``teams`` the side of each of its team words; both are None
    while no round does.
    """
    seen = {key: body.get(key) for key in _SHOWN}
    if counted is None:
        return {"reading": id, "event": None, "teams": None, **seen}
    teams = _all_teams(counted)
    discs = _discs(body["discs"], counted, {side: team for team, side in teams.items()})
    return {
        "reading": id,
        "event": counted.event,
        "teams": teams,
        **seen,
        "discs": discs,
        "sides": _sides(body["sides"], discs, counted, teams),
        "needs_review": _open_reviews(body, discs),
    }


def newest_board(connection: Connection, table: str, stored: Stored | None) -> dict[str, Any] | None:
    """Return the board of the newest reading that belongs to a table's match, or None.

    It belongs when it was made for this table after the match began, or when a round of it rests on it.
    """
    match, since = (None, "") if stored is None else (stored.id, stored.created_at)
    rested = select(round_evidence.c.reading_id).where(round_evidence.c.match_id == match)
    made = (readings.c.table_name == table) & (readings.c.created_at >= since)
    row = connection.execute(
        select(readings.c.id, readings.c.body)
        .where(made | readings.c.id.in_(rested))
        .order_by(readings.c.created_at.desc())
        .limit(1)
    ).one_or_none()
    if row is None:
        return None
    return board_json(row.id, row.body, None if stored is None else _counted(connection, stored, row.id))


def shown_board(connection: Connection, stored: Stored) -> dict[str, Any] | None:
    """Return the board that a match's table shows, or None once another match is played."""
    current = connection.execute(select(tables.c.match_id).where(tables.c.name == stored.table)).scalar()
    return newest_board(connection, stored.table, stored) if current == stored.id else None


def show_changed(connection: Connection, stored: Stored, before: Mapping[str, Any] | None) -> None:
    """Tell those who watch a match's table what its board shows now, when that is not what it showed."""
    board = shown_board(connection, stored)
    if board is not None and board != before:
        publish(connection, stored.table, "reading", board)


def give_to_table(connection: Connection, stored: Stored, id: str) -> None:
    """Have a reading that was made without naming a table belong to a match's."""
    connection.execute(
        update(readings)
        .where(readings.c.id == id, readings.c.table_name.is_(None))
        .values(table_name=stored.table)
    )


def _counted(connection: Connection, stored: Stored, reading: str) -> Counted | None:
    """How the newest round in force that rests on a reading counts it; None when none does."""
    for event, by in reversed(told_by(stored.record.events).items()):
        evidence, teller = stored.evidence.get(by), stored.record.events[by]
        if evidence is None or evidence.reading != reading:
            continue
        if isinstance(teller, RoundScored | Correction) and isinstance(teller.entry, MeasuredRound):
            entry = teller.entry
            points = {disc.id: points_of(disc.lie, stored.record.rules) for disc in entry.discs}
            at_mm = _placed(connection, stored.id, reading)
            return Counted(event, entry, evidence.teams, points, at_mm)
    return None


def _placed(connection: Connection, match: str, reading: str) -> dict[int, tuple[float, float]]:
    """Where people said that discs lie which the photo does not show, by disc; the last word counts."""
    wanted = (
        select(decisions.c.disc, decisions.c.now)
        .where(
            decisions.c.match_id == match, decisions.c.reading_id == reading, decisions.c.disc.is_not(None)
        )
        .order_by(decisions.c.event_number)
    )
    found = {row.disc: place_decided(row.now) for row in connection.execute(wanted)}
    return {disc: at_mm for disc, at_mm in found.items() if at_mm is not None}


def _all_teams(counted: Counted) -> dict[str, str]:
    """The side of each team word; a side that got its first disc from a person is called by its name."""
    teams = dict(counted.teams)
    for disc in counted.entry.discs:
        if disc.side not in teams.values():
            teams[disc.side] = disc.side
    return teams


def _discs(seen: list[dict[str, Any]], counted: Counted, words: Mapping[str, str]) -> list[dict[str, Any]]:
    left = {disc.id: disc for disc in counted.entry.discs}
    found = []
    for old in seen:
        disc = left.pop(old["id"], None)
        if disc is None:
            if old["place"] == "off":
                found.append(old)
            continue
        new = {
            **old,
            "team": words[disc.side],
            "place": str(disc.lie.place),
            "region": region_of(disc.lie),
            "points": counted.points[disc.id],
        }
        if new["team"] != old["team"]:
            # What was measured is the other team's colour.
            new["colour"] = None
        found.append(new)
    for disc in left.values():
        x_mm, y_mm = counted.at_mm.get(disc.id, (None, None))
        found.append(
            {
                "id": disc.id,
                "team": words[disc.side],
                "colour": None,
                "place": str(disc.lie.place),
                "pixel": None,
                "x_mm": x_mm,
                "y_mm": y_mm,
                "sigma_mm": None,
                "region": region_of(disc.lie),
                "points": counted.points[disc.id],
                "line": None,
            }
        )
    return found


def _sides(
    seen: list[dict[str, Any]], discs: list[dict[str, Any]], counted: Counted, teams: Mapping[str, str]
) -> list[dict[str, Any]]:
    """What each side has on the board now, and its 20s removed during play."""
    removed = dict(counted.entry.twenties)
    words = dict.fromkeys([*(side["team"] for side in seen), *teams])
    found = []
    for team in words:
        name = teams.get(team)
        board = sum(disc["points"] for disc in discs if disc["team"] == team and disc["place"] != "off")
        twenties = 0 if name is None else removed.get(name, 0)
        total = board + 20 * twenties
        found.append({"team": team, "name": name, "board": board, "twenties": twenties, "total": total})
    return found


def _open_reviews(body: Mapping[str, Any], discs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The discs to look at again that nobody has decided about."""
    as_seen = [disc["id"] for disc in discs if disc in body["discs"]]
    return [doubt for doubt in body["needs_review"] if doubt["disc"] in as_seen]

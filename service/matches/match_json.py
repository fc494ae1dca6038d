"""A match as programs get it: who plays, the rules in force, and where it stands, folded from its events."""

from __future__ import annotations

from typing import Any

from scoring.codec import dump
from scoring.history import last_in_force, told_by
from scoring.record import replay
from scoring.rules import Rules
from scoring.state import GameState, MatchState, RoundPlayed
from service.matches.stored import Stored


def match_json(stored: Stored) -> dict[str, Any]:
    """The match as plain data, its keys in the documented order."""
    record = stored.record
    return {
        "id": stored.id,
        "table": stored.table,
        "created_at": stored.created_at,
        "version": stored.version,
        "finished_at": stored.finished_at,
        "finish": dict(stored.finish) if stored.finish else None,
        "event_name": stored.event_name,
        "rules": rules_json(record.rules) | {"discs_a_side": record.lineup.discs_a_side(record.rules)},
        "sides": [
            {"name": side.name, "players": list(side.players), "colour": stored.colours.get(side.name)}
            for side in record.lineup.sides
        ],
        "first": record.first,
        "state": state_json(stored),
        "may_undo": stored.finish is not None or last_in_force(record.events) is not None,
    }


def rules_json(rules: Rules) -> dict[str, Any]:
    """Every setting, the format also in words; where each comes from is told by ``GET /rules``."""
    plain: dict[str, Any] = dump(rules)
    form = {key: value for key, value in plain["format"].items() if key != "type"}
    return {
        **{key: value for key, value in plain.items() if key not in ("type", "sources")},
        "format": {"words": str(rules.format), **form},
    }


def state_json(stored: Stored) -> dict[str, Any]:
    """Where a match stands."""
    state = replay(stored.record)
    latest = told_by(stored.record.events)
    return {
        "over": state.over,
        "winner": state.winner,
        "next": str(state.next) if stored.finished_at is None else "nothing",
        "may_shoot": list(state.may_shoot) if stored.finished_at is None else [],
        "twenties": list(state.twenties),
        "turns": _turns(state),
        "games_won": list(state.games_won),
        "games": [_game(game, stored, latest) for game in state.games],
    }


def _turns(state: MatchState) -> dict[str, Any]:
    turns = state.turns
    return {
        "players": [seat.player for seat in turns.seats],
        "due": turns.seats[turns.due].player,
        "discs_left": list(turns.discs_left),
        "horn": turns.horn,
    }


def _game(game: GameState, stored: Stored, latest: dict[int, int]) -> dict[str, Any]:
    return {
        "points": list(game.points),
        "penalties": list(game.penalties),
        "over": game.over,
        "winner": game.winner,
        "shoot_out": [list(stage) for stage in game.shoot_out],
        "rounds": [_round(index, played, stored, latest) for index, played in enumerate(game.rounds, 1)],
    }


def _round(index: int, played: RoundPlayed, stored: Stored, latest: dict[int, int]) -> dict[str, Any]:
    result = played.result
    told_by = latest.get(played.event, played.event)
    evidence = stored.evidence.get(told_by)
    return {
        "round": index,
        "event": played.event,
        "basis": str(result.basis),
        "starter": played.starter,
        "winner": result.winner,
        "difference": result.difference,
        "awarded": list(result.awarded),
        "totals": None if result.totals is None else list(result.totals),
        "twenties": None if result.twenties is None else list(result.twenties),
        "reading": None if evidence is None else evidence.reading,
        "corrected": told_by != played.event,
    }

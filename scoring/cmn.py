"""CMN 1.0-draft, a JSON form for one crokinole match, read and written.

Its words are not ours: a CMN *game* is one round, its *hammer* is the side that shot first, its scores are
raw totals with the 20s in them. They are turned into our words here and nowhere else. Sides are told by
their index in ``teams``, 0 or 1, null for a tie. A CMN match holds one of our games. Unknown keys are
ignored, as the draft asks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.awards import winner_index
from scoring.codec import load
from scoring.errors import BadData, ScoringError
from scoring.events import Entry, OutcomeRound, RoundScored, TypedRound
from scoring.formats import Format
from scoring.lineup import Lineup, Side
from scoring.record import Record, append, replay
from scoring.rules import Rules, Source, changed
from scoring.state import RoundPlayed

#: What stands under ``cmn``.
_VERSION = "1.0-draft"


def write_cmn(record: Record, date: str, game: int = 0) -> str:
    """Return one game of a two-sided record as CMN text; ``date`` is when it was played, as ISO 8601.

    Raises `BadData` for a record that CMN cannot hold.
    """
    state = replay(record)
    if len(state.sides) != 2:
        raise BadData("CMN knows two teams only")
    if not 0 <= game < len(state.games):
        raise BadData(f"there is no game {game} in this match")
    played = state.games[game]
    form = played.form
    ends = {"fixed": form.rounds} if form.target is None else {"first_to": form.target}
    return json.dumps(
        {
            "cmn": _VERSION,
            "match": {"date": date},
            "format": "doubles" if record.lineup.is_doubles else "singles",
            "teams": [{"players": [{"name": name} for name in side.players]} for side in record.lineup.sides],
            "winner": _index(played.winner, state.sides),
            "gameFormat": ends,
            "games": [_round_out(each, record.lineup) for each in played.rounds],
        },
        ensure_ascii=False,
    )


def read_cmn(text: str, rules: Rules) -> tuple[Record, str]:
    """Return the record a CMN text holds, and its date.

    Points are awarded by ``rules``, whose format gives way to the text's own ``gameFormat``. Raises
    `BadData` for text that is not CMN 1.0-draft or holds a round no rules allow.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadData(f"not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("cmn") != _VERSION:
        raise BadData(f"not CMN {_VERSION}")
    sides = tuple(_side(team, f"teams[{index}]") for index, team in enumerate(_list(data, "teams")))
    games = [_table(each, f"games[{index}]") for index, each in enumerate(_list(data, "games"))]
    rules = changed(rules, Source("CMN", "gameFormat"), {"format": _form(data, rules)})
    try:
        lineup = Lineup(sides)
        if len(sides) != 2:
            raise BadData("CMN knows two teams only")
        record = Record(lineup, rules, _first(games))
        for index, each in enumerate(games):
            record = append(record, RoundScored(_round_in(each, lineup.names, f"games[{index}]")))
    except BadData:
        raise
    except ScoringError as error:
        raise BadData(f"the match cannot be: {error}") from None
    return record, load(str, _table(data.get("match", {}), "match").get("date", ""), "match.date")


def _round_out(played: RoundPlayed, lineup: Lineup) -> dict[str, Any]:
    result = played.result
    # The code's hammer is the last shot; CMN calls the first shot so.
    first = next(index for index, side in enumerate(lineup.sides) if played.starter in side.players)
    out: dict[str, Any] = {"winner": _index(result.winner, lineup.names), "hammer": first}
    if result.totals is not None:
        out["scores"] = list(result.totals)
    if result.twenties is not None:
        out["twenties"] = list(result.twenties)
    return out


def _index(name: str | None, names: tuple[str, ...]) -> int | None:
    return None if name is None else names.index(name)


def _side(team: object, where: str) -> Side:
    players = tuple(
        _player(each, f"{where}.players") for each in _list(_table(team, where), "players", where)
    )
    return Side(" & ".join(players), players)


def _player(player: object, where: str) -> str:
    return load(str, player.get("name") if isinstance(player, Mapping) else player, where)


def _form(data: Mapping[str, Any], rules: Rules) -> Format:
    given = _table(data.get("gameFormat", {}), "gameFormat")
    try:
        if "fixed" in given:
            rounds = load(int, given["fixed"], "gameFormat.fixed")
            return replace(rules.format, rounds=rounds, target=None, win_by=1)
        if "first_to" in given:
            # CMN has no word for "win by", so the rules' own is kept if they play to a target.
            win_by = rules.format.win_by
            return Format(target=load(int, given["first_to"], "gameFormat.first_to"), win_by=win_by)
    except BadData:
        raise
    except ScoringError as error:
        raise BadData(f"gameFormat: {error}") from None
    return rules.format


def _first(games: list[Mapping[str, Any]]) -> int:
    """Return the seat that starts the first round; in both singles and doubles seat 1 is the second side."""
    return load(int, games[0].get("hammer", 0), "games[0].hammer") if games else 0


def _round_in(given: Mapping[str, Any], sides: tuple[str, ...], where: str) -> Entry:
    twenties = given.get("twenties")
    counts = None if twenties is None else _pair(twenties, sides, f"{where}.twenties")
    if given.get("scores") is None:
        winner = given.get("winner")
        if winner is not None and load(int, winner, f"{where}.winner") not in (0, 1):
            raise BadData(f"{where}.winner is 0, 1 or null, not {winner}")
        places = tuple((side, 1 if winner in (None, index) else 2) for index, side in enumerate(sides))
        return OutcomeRound(places, None, counts)
    scores = _pair(given["scores"], sides, f"{where}.scores")
    told = given.get("winner", winner_index([score for _, score in scores]))
    if told != winner_index([score for _, score in scores]):
        raise BadData(f"{where}.winner does not fit its scores")
    return TypedRound(scores, counts)


def _pair(given: object, sides: tuple[str, ...], where: str) -> tuple[tuple[str, int], ...]:
    numbers = load(tuple[int, int], given, where)
    return tuple(zip(sides, numbers, strict=True))


def _list(data: Mapping[str, Any], key: str, where: str = "") -> list[Any]:
    name = f"{where}.{key}" if where else key
    given = data.get(key)
    if not isinstance(given, list):
        raise BadData(f"{name} should be a list, not {given!r}")
    return given


def _table(given: object, where: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise BadData(f"{where} should be a table, not {given!r}")
    return given

"""The CrokinoleCentre spreadsheet: two rows a player (points and 20s), a column a round; CSV in and out.

``First/Hammer`` says who shot first in the first round: that player has ``First``, the other ``Hammer``
(the last shot). Points are those the round awarded; an empty cell is a number nobody knows.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.codec import load
from scoring.errors import BadData, ScoringError
from scoring.events import OutcomeRound, RoundScored
from scoring.lineup import Lineup, Side
from scoring.record import Record, append, replay
from scoring.rules import Award, Rules

_LABELS = ("Date", "Tournament", "Division", "Category", "Stage", "Pool", "StageGame", "Board")
_MOST_ROUNDS = 20

#: Every column, in order.
COLUMNS = (
    *_LABELS,
    *("Position", "Player", "Opponent", "First/Hammer", "Pts/20s", "Total"),
    *(f"Round{number}" for number in range(1, _MOST_ROUNDS + 1)),
)

#: Between partners' names in one cell.
_AND = " & "


@dataclass(frozen=True, slots=True)
class SheetPlayer:
    """One player's or team's two rows. A number nobody knows is None."""

    player: str
    position: str
    first: bool
    points: tuple[int, ...]
    twenties: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class SheetGame:
    """Four rows: two sides in one game. ``labels`` are the first eight columns, Date to Board.

    Raises `BadData` for a game the spreadsheet cannot hold.
    """

    labels: tuple[str, ...]
    players: tuple[SheetPlayer, SheetPlayer]

    def __post_init__(self) -> None:
        """Refuse what does not fit the columns."""
        if len(self.labels) != len(_LABELS):
            raise BadData(f"a game has {len(_LABELS)} labels, {_LABELS[0]} to {_LABELS[-1]}")
        lengths = {len(row) for player in self.players for row in (player.points, player.twenties)}
        if len(lengths) != 1 or max(lengths) > _MOST_ROUNDS:
            raise BadData(f"both sides have the same rounds, {_MOST_ROUNDS} at most")
        if self.players[0].first == self.players[1].first:
            raise BadData("one side shoots first and the other has the hammer")


def sheet_game(record: Record, labels: Sequence[str], game: int = 0) -> SheetGame:
    """Return one game of a two-sided record as spreadsheet rows. Position follows the points."""
    state = replay(record)
    if len(state.sides) != 2 or not 0 <= game < len(state.games):
        raise BadData("the spreadsheet holds one game of two sides")
    played = state.games[game]
    opener = played.rounds[0].starter if played.rounds else record.lineup.seats[state.turns.due].player
    players = []
    for index, side in enumerate(record.lineup.sides):
        points = tuple(each.result.awarded[index] for each in played.rounds)
        twenties = tuple(
            None if each.result.twenties is None else each.result.twenties[index] for each in played.rounds
        )
        position = "1" if played.winner in (None, side.name) else "2"
        players.append(
            SheetPlayer(_AND.join(side.players), position, opener in side.players, points, twenties)
        )
    return SheetGame(tuple(labels), (players[0], players[1]))


def record_from_sheet(game: SheetGame, rules: Rules) -> Record:
    """Return the record of a spreadsheet game: outcomes and 20s, for totals are not in it.

    Raises `BadData` unless the rules award match points and the points are 2, 1 or 0 accordingly.
    """
    if rules.award is not Award.MATCH_POINTS:
        raise BadData("spreadsheet points can be read back as match points only")
    try:
        sides = tuple(Side(each.player, tuple(each.player.split(_AND))) for each in game.players)
        record = Record(Lineup(sides), rules, 0 if game.players[0].first else 1)
        names = record.lineup.names
        one, other = game.players
        for pair in zip(zip(one.points, other.points, strict=True), _known(one, other), strict=True):
            (mine, theirs), twenties = pair
            if sorted((mine, theirs)) not in ([0, 2], [1, 1]):
                raise BadData(f"a round gives 2 and 0 or 1 and 1, not {mine} and {theirs}")
            places = ((names[0], 1 if mine >= theirs else 2), (names[1], 1 if theirs >= mine else 2))
            counts = None if twenties is None else tuple(zip(names, twenties, strict=True))
            record = append(record, RoundScored(OutcomeRound(places, None, counts)))
    except BadData:
        raise
    except ScoringError as error:
        raise BadData(f"the game cannot be: {error}") from None
    return record


def write_sheet(games: Iterable[SheetGame]) -> str:
    """Return CSV text with a header row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        for player, opponent in (game.players, game.players[::-1]):
            turn = "First" if player.first else "Hammer"
            start = (*game.labels, player.position, player.player, opponent.player, turn)
            writer.writerow(_row(start, "Pts", player.points))
            writer.writerow(_row(start, "20s", player.twenties))
    return out.getvalue()


def read_sheet(text: str) -> tuple[SheetGame, ...]:
    """Return the games in CSV text, in order.

    Raises `BadData`, naming the line, for columns or rows that are not the spreadsheet's.
    """
    lines = list(csv.reader(io.StringIO(text)))
    if not lines or tuple(lines[0]) != COLUMNS:
        raise BadData("line 1: not the columns of the spreadsheet")
    empty = dict.fromkeys(COLUMNS, "")
    rows = [
        (number, empty | dict(zip(COLUMNS, line, strict=False))) for number, line in enumerate(lines[1:], 2)
    ]
    if len(rows) % 4:
        raise BadData("each game has four rows, points and 20s of two sides")
    return tuple(_game(rows[start : start + 4]) for start in range(0, len(rows), 4))


def _known(one: SheetPlayer, other: SheetPlayer) -> list[tuple[int, int] | None]:
    pairs = zip(one.twenties, other.twenties, strict=True)
    return [None if mine is None or theirs is None else (mine, theirs) for mine, theirs in pairs]


def _row(start: Sequence[str], kind: str, numbers: Sequence[int | None]) -> list[object]:
    cells: list[object] = ["" if number is None else number for number in numbers]
    total: object = "" if None in numbers else sum(number or 0 for number in numbers)
    return [*start, kind, total, *cells, *[""] * (_MOST_ROUNDS - len(cells))]


def _game(rows: Sequence[tuple[int, dict[str, str]]]) -> SheetGame:
    first, second = _player(rows[:2]), _player(rows[2:])
    number, head = rows[0]
    for other, row in rows[1:]:
        if any(row[label] != head[label] for label in _LABELS):
            raise BadData(f"line {other}: its game is not that of line {number}")
    if (head["Opponent"], rows[2][1]["Opponent"]) != (second.player, first.player):
        raise BadData(f"line {number}: the opponents do not match")
    return SheetGame(tuple(head[label] for label in _LABELS), (first, second))


def _player(rows: Sequence[tuple[int, dict[str, str]]]) -> SheetPlayer:
    (number, points), (below, twenties) = rows
    kinds = (points["Pts/20s"], twenties["Pts/20s"])
    if kinds != ("Pts", "20s") or points["Player"] != twenties["Player"]:
        raise BadData(f"line {number}: a row of Pts and a row of 20s of one player are wanted")
    if points["First/Hammer"] not in ("First", "Hammer"):
        raise BadData(f"line {number}: First/Hammer is First or Hammer, not {points['First/Hammer']!r}")
    won = _numbers(number, points)
    played = max((index + 1 for index, cell in enumerate(won) if cell is not None), default=0)
    scored = tuple(load(int, cell, f"line {number}, Round{i}") for i, cell in enumerate(won[:played], 1))
    made = _numbers(below, twenties)[:played]
    if points["Total"] != str(sum(scored)):
        raise BadData(f"line {number}: the total is {sum(scored)}, not {points['Total']}")
    return SheetPlayer(points["Player"], points["Position"], points["First/Hammer"] == "First", scored, made)


def _numbers(number: int, row: dict[str, str]) -> tuple[int | None, ...]:
    cells = [(column, row[column]) for column in COLUMNS[-_MOST_ROUNDS:]]
    for column, cell in cells:
        if cell and not cell.isdecimal():
            raise BadData(f"line {number}, {column}: a number is wanted, not {cell!r}")
    return tuple(int(cell) if cell else None for _, cell in cells)

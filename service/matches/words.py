"""What happened, in one short sentence to be said once, and as data for those who speak another language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.events import (
    Correction,
    Event,
    Forfeit,
    HornSounded,
    Penalty,
    RoundScored,
    ShootOutScored,
    ShotTaken,
    Undo,
)
from scoring.record import Record, replay
from scoring.state import MatchState, Result


@dataclass(frozen=True, slots=True)
class News:
    """``kind`` names what happened, ``about`` holds its numbers; ``announce`` is said aloud, or None."""

    kind: str
    announce: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def what(self) -> dict[str, Any]:
        """As it stands in a message."""
        return {"kind": self.kind, **self.about}


@dataclass(frozen=True, slots=True)
class Played:
    """A round found in a state; game and round are counted from 1."""

    game: int
    round: int
    result: Result

    @property
    def about(self) -> dict[str, int]:
        """Which round it is."""
        return {"game": self.game, "round": self.round}


def find_round(state: MatchState, event: int) -> Played | None:
    """Return the round that an event scored, if it is in force."""
    for game, each in enumerate(state.games, 1):
        for index, played in enumerate(each.rounds, 1):
            if played.event == event:
                return Played(game, index, played.result)
    return None


def score_words(result: Result, sides: tuple[str, ...]) -> str:
    """``Anna 45, Ben 20``; where totals are not known, who won."""
    if result.totals is not None:
        return ", ".join(f"{side} {total}" for side, total in zip(sides, result.totals, strict=True))
    return "a tie" if result.winner is None else f"{result.winner} wins"


def news_of(before: Record, after: Record, event: Event) -> News:
    """Return what the last event of ``after`` means to those who watch."""
    state, number = replay(after), len(after.events) - 1
    match event:
        case RoundScored():
            played = find_round(state, number)
            return News("round", None, played.about if played else {})
        case Correction(target):
            return _of_round("correction", "corrected", state, target)
        case Penalty(side, points, reason):
            words = f"penalty: {side} loses {_points(points)}"
            return News("penalty", words, {"side": side, "points": points, "reason": reason})
        case Forfeit(side, scope, reason):
            words = f"{side} forfeits the {scope}"
            return News("forfeit", words, {"side": side, "scope": str(scope), "reason": reason})
        case ShotTaken(player, verdict):
            return News("shot", None, {"player": player, "verdict": str(verdict)})
        case HornSounded():
            return News("horn", "the horn has sounded")
        case ShootOutScored():
            return News("shoot_out")
        case Undo(target):
            return _taken_back(before, state, target)


def _of_round(kind: str, verb: str, state: MatchState, event: int) -> News:
    played = find_round(state, event)
    assert played is not None, "a corrected round is in force"
    words = f"{_named(played, state)} {verb}: {score_words(played.result, state.sides)}"
    return News(kind, words, {**played.about, "event": event})


def _taken_back(before: Record, state: MatchState, target: int) -> News:
    event = before.events[target]
    if isinstance(event, Correction):
        return _of_round("undo", "is as it was before", state, event.target)
    if isinstance(event, RoundScored):
        old = replay(before)
        played = find_round(old, target)
        if played is not None:
            return News("undo", f"{_named(played, old)} taken back", {**played.about, "event": target})
    return News("undo", f"{_NAMES[type(event)]} taken back", {"event": target})


def _named(played: Played, state: MatchState) -> str:
    several = len(state.games) > 1
    return f"game {played.game}, round {played.round}" if several else f"round {played.round}"


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


_NAMES: dict[type, str] = {
    RoundScored: "round",
    Penalty: "penalty",
    Forfeit: "forfeit",
    ShotTaken: "shot",
    HornSounded: "horn",
    ShootOutScored: "shoot-out",
    Undo: "undo",
}

"""The fold: from a lineup, rules and a list of events to where the match stands.

Each kind of event has one handler. A handler either changes the running state or raises `IllegalEvent` with
the reason. The running state is mutable and never leaves this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from scoring.entries import outcome_result, result_of
from scoring.errors import BadFact, IllegalEvent, ScoringMisuse
from scoring.events import (
    Event,
    Forfeit,
    HornSounded,
    OutcomeRound,
    Penalty,
    RoundScored,
    Scope,
    ShootOutScored,
    ShotTaken,
)
from scoring.formats import Format
from scoring.games import GOES_ON, Decision, decide_game, decide_match, shoot_out_discs, wants_shoot_out
from scoring.history import in_force
from scoring.lineup import Lineup
from scoring.rules import Horn, Rules
from scoring.state import Basis, GameState, MatchState, Next, Result, RoundPlayed
from scoring.tally import in_order
from scoring.turns import Turns


def fold(lineup: Lineup, rules: Rules, first: int, events: Sequence[Event]) -> MatchState:
    """Return the state after all events; ``first`` is the seat that starts the first round.

    Raises `IllegalEvent` for the first event that cannot be, `ScoringMisuse` for what is no event.
    """
    running = _Running(lineup, rules, first)
    for number, event in in_force(events):
        handler = _HANDLERS.get(type(event))
        if handler is None:
            raise ScoringMisuse(f"no event: {event!r}")
        if running.match.over:
            raise IllegalEvent(number, "the match is over")
        try:
            handler(running, number, event)
        except BadFact as error:
            raise IllegalEvent(number, str(error)) from None
    return running.state()


class _Running:
    """The state while it is being folded."""

    def __init__(self, lineup: Lineup, rules: Rules, first: int) -> None:
        self.lineup = lineup
        self.rules = rules
        self.first = first
        self.names = lineup.names
        self.seats = lineup.seats
        self.discs = lineup.discs_a_side(rules)
        self.seat_of = {seat.player: index for index, seat in enumerate(self.seats)}
        self.zeros = (0,) * len(self.names)
        self.games: list[GameState] = []
        self.games_won = list(self.zeros)
        self.rounds_played = 0
        self.match = GOES_ON
        self.open_game(rules.format)

    def open_game(self, form: Format) -> None:
        self.form = form
        self.points = list(self.zeros)
        self.penalties = list(self.zeros)
        self.rounds: list[RoundPlayed] = []
        self.shoot_out: list[tuple[int, ...]] = []
        self.open_round()

    def open_round(self) -> None:
        # Rounds are counted through the match, so the start goes on alternating in a second game.
        due = (self.first + self.rounds_played) % len(self.seats)
        self.turns = Turns(
            self.seats,
            self.lineup.discs_each(self.rules),
            self.rules.round_start,
            self.rules.doubles_order,
            due,
            (0,) * len(self.seats),
        )
        self.twenties = list(self.zeros)

    @property
    def wants_shoot_out(self) -> bool:
        return wants_shoot_out(self.points, len(self.rounds), self.form)

    def side_index(self, name: str) -> int:
        if name not in self.names:
            raise BadFact(f"no side {name!r}; there are {', '.join(self.names)}")
        return self.names.index(name)

    def need_round(self) -> None:
        if self.wants_shoot_out:
            raise BadFact("the game is level and waits for a shoot-out")

    def add_round(self, number: int, result: Result) -> None:
        opened_by = self.turns.due if self.turns.opened_by is None else self.turns.opened_by
        starter = self.seats[opened_by].player
        self.rounds.append(RoundPlayed(number, starter, result))
        self.points = [have + won for have, won in zip(self.points, result.awarded, strict=True)]
        self.rounds_played += 1
        self.open_round()
        self.settle()

    def settle(self) -> None:
        decision = decide_game(self.points, len(self.rounds), self.form, self.shoot_out)
        if decision.over:
            self.close_game(decision.winner)

    def close_game(self, winner: int | None) -> None:
        self.games.append(self.game(Decision(True, winner)))
        if winner is not None:
            self.games_won[winner] += 1
        form = self.rules.format
        self.match = decide_match(self.games_won, len(self.games), form)
        if not self.match.over:
            self.open_game(form if len(self.games) < form.best_of else form.decider)

    def game(self, decision: Decision) -> GameState:
        return GameState(
            self.form,
            tuple(self.points),
            tuple(self.penalties),
            tuple(self.rounds),
            tuple(self.shoot_out),
            decision.over,
            self.name_of(decision),
        )

    def name_of(self, decision: Decision) -> str | None:
        return None if decision.winner is None else self.names[decision.winner]

    def state(self) -> MatchState:
        over = self.match.over
        waits = Next.SHOOT_OUT if self.wants_shoot_out else Next.ROUND
        shooting = () if over or waits is Next.SHOOT_OUT else self.turns.may_shoot()
        return MatchState(
            self.names,
            tuple(self.games) if over else (*self.games, self.game(GOES_ON)),
            tuple(self.games_won),
            over,
            self.name_of(self.match),
            Next.NOTHING if over else waits,
            self.turns,
            tuple(self.seats[seat].player for seat in shooting),
            tuple(self.twenties),
        )


def _round_scored(run: _Running, number: int, event: RoundScored) -> None:
    run.need_round()
    run.add_round(number, result_of(event.entry, run.names, run.discs, run.rules))


def _penalty(run: _Running, number: int, event: Penalty) -> None:
    side = run.side_index(event.side)
    run.points[side] -= event.points
    run.penalties[side] += event.points
    run.settle()


def _forfeit(run: _Running, number: int, event: Forfeit) -> None:
    side = run.side_index(event.side)
    if len(run.names) != 2:
        raise BadFact("a forfeit among three or four sides leaves the order of the others open")
    other = 1 - side
    if event.scope is Scope.ROUND:
        run.need_round()
        entry = OutcomeRound(((run.names[other], 1), (event.side, 2)))
        run.add_round(number, outcome_result(entry, run.names, run.discs, run.rules, Basis.FORFEIT))
        return
    run.close_game(other)
    if event.scope is Scope.MATCH:
        run.match = Decision(True, other)


def _shot_taken(run: _Running, number: int, event: ShotTaken) -> None:
    run.need_round()
    if event.player not in run.seat_of:
        raise BadFact(f"no player {event.player!r} in this match")
    seat = run.seat_of[event.player]
    allowed = run.turns.may_shoot()
    if not allowed:
        raise BadFact("nobody has a shot left in this round")
    if seat not in allowed:
        turn = " or ".join(run.seats[index].player for index in allowed)
        raise BadFact(f"it is the turn of {turn}, not of {event.player}")
    run.turns = run.turns.shoot(seat)
    shots = run.turns.shots_by_side()
    for name, count in event.twenties:
        side = run.side_index(name)
        run.twenties[side] += count
        if run.twenties[side] > shots[side]:
            raise BadFact(f"{name} cannot have {run.twenties[side]} 20s after {shots[side]} shots")


def _horn_sounded(run: _Running, number: int, event: HornSounded) -> None:
    run.need_round()
    if run.rules.horn is Horn.NOT_USED:
        raise BadFact(f"{run.rules.name} knows no horn")
    if run.turns.horn:
        raise BadFact("the horn has already sounded in this round")
    run.turns = replace(run.turns, horn=True)


def _shoot_out_scored(run: _Running, number: int, event: ShootOutScored) -> None:
    if not run.wants_shoot_out:
        raise BadFact("no shoot-out is due")
    counts = in_order(event.twenties, run.names, "20s")
    discs = shoot_out_discs(len(run.shoot_out))
    if max(counts) > discs:
        raise BadFact(f"{discs} discs each are shot in this stage, so not {max(counts)} 20s")
    run.shoot_out.append(counts)
    run.settle()


_HANDLERS: dict[type, Callable[[_Running, int, Any], None]] = {
    RoundScored: _round_scored,
    Penalty: _penalty,
    Forfeit: _forfeit,
    ShotTaken: _shot_taken,
    HornSounded: _horn_sounded,
    ShootOutScored: _shoot_out_scored,
}

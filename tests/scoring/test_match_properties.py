"""Any sequence of events: refused with a reason, or a possible state; undo exact; replay deterministic."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.awards import winner_index
from scoring.errors import IllegalEvent
from scoring.events import RoundScored, Undo
from scoring.formats import TieBreak
from scoring.history import in_force, last_in_force, told_by
from scoring.lineup import Lineup, Side
from scoring.record import Record, append, from_json, replay, to_json, undo_last
from scoring.rules import Source, changed
from scoring.state import MatchState, Next
from tests.scoring.strategies import any_rules, events, formats, steady

LINEUPS = [
    Lineup.single("A", "B"),
    Lineup.doubles(Side("X", ("X1", "X2")), Side("Y", ("Y1", "Y2"))),
    Lineup.single("A", "B", "C"),
    Lineup.single("A", "B", "C", "D"),
]


@st.composite
def attempts(draw: st.DrawFn):
    """A new record, and events to try on it."""
    lineup = draw(st.sampled_from(LINEUPS))
    rules = draw(any_rules)
    if draw(st.booleans()):
        rules = changed(rules, Source("custom", ""), {"format": draw(formats())})
    players = tuple(seat.player for seat in lineup.seats)
    first = draw(st.integers(0, len(players) - 1))
    record = Record(lineup, rules, first)
    return record, draw(st.lists(events(lineup.names, players), max_size=14))


def play_out(record: Record, tries) -> Record:
    """Append what is legal; what is not must say why."""
    for event in tries:
        try:
            record = append(record, event)
        except IllegalEvent as refusal:
            assert refusal.reason
            assert refusal.number == len(record.events)
    return record


def check(state: MatchState, record: Record) -> None:
    """Everything that must hold of any state."""
    rules, form = record.rules, record.rules.format
    for game in state.games:
        earned = [0] * len(state.sides)
        for played in game.rounds:
            for side, points in enumerate(played.result.awarded):
                assert points >= 0
                earned[side] += points
        assert game.points == tuple(e - p for e, p in zip(earned, game.penalties, strict=True))
        if game.form.rounds is not None:
            assert game.form.tie.repeats or len(game.rounds) <= game.form.rounds + game.form.tie.rounds
        assert game.over or (game.winner is None and game is state.games[-1])
    assert all(game.over for game in state.games[:-1])
    assert len(state.games) <= form.best_of + (form.match_tie is not TieBreak.STANDS)
    won = [sum(game.winner == side for game in state.games if game.over) for side in state.sides]
    assert state.games_won == tuple(won)
    assert state.over is (state.next is Next.NOTHING)
    if state.winner is not None:
        assert state.over
        forfeited = any(getattr(event, "scope", "") == "match" for event in record.events)
        index = winner_index(won)
        assert forfeited or (index is not None and state.sides[index] == state.winner)
    turns = state.turns
    assert all(0 <= left <= record.lineup.discs_each(rules) for left in turns.discs_left)
    taken = turns.shots_by_side()
    assert max(taken.values()) - min(taken.values()) <= 1
    assert all(made <= taken[side] for side, made in enumerate(state.twenties))
    assert set(state.may_shoot) <= {seat.player for seat in record.lineup.seats}
    if state.next is Next.ROUND and not turns.horn and any(turns.discs_left):
        assert state.may_shoot


@settings(steady, max_examples=100)
@given(attempts())
def test_no_sequence_of_events_reaches_an_impossible_state(attempt):
    record = play_out(*attempt)
    check(replay(record), record)


@settings(steady, max_examples=50)
@given(attempts())
def test_replay_is_deterministic_and_survives_json(attempt):
    record = play_out(*attempt)
    assert replay(record) == replay(record)
    again = from_json(to_json(record))
    assert again == record
    assert replay(again) == replay(record)


@settings(steady, max_examples=50)
@given(attempts())
def test_undo_restores_exactly_at_every_step(attempt):
    record, tries = attempt
    for event in tries:
        before = replay(record)
        try:
            longer = append(record, event)
        except IllegalEvent:
            continue
        after = replay(longer)
        undone = append(longer, Undo(len(record.events)))
        assert replay(undone) == before
        assert replay(append(undone, Undo(len(longer.events)))) == after
        record = longer


@settings(steady, max_examples=40)
@given(attempts())
def test_undoing_step_by_step_reaches_the_beginning(attempt):
    new, tries = attempt
    record = play_out(new, tries)
    while last_in_force(record.events) is not None:
        try:
            record = undo_last(record)
        except IllegalEvent as refusal:
            # A step back may be barred only by something that followed it.
            assert "would make event" in refusal.reason
            return
    assert replay(record) == replay(new)


@settings(steady, max_examples=40)
@given(attempts())
def test_every_round_in_force_is_told_by_one_event(attempt):
    new, tries = attempt
    events_of = play_out(new, tries).events
    told = told_by(events_of)
    rounds = {number: event for number, event in in_force(events_of) if isinstance(event, RoundScored)}
    assert told.keys() == rounds.keys()
    assert all(events_of[told[number]].entry == event.entry for number, event in rounds.items())


@settings(steady, max_examples=40)
@given(attempts())
def test_the_names_of_sides_and_players_are_irrelevant(attempt):
    record = play_out(*attempt)
    text = to_json(record)
    for name in ("X1", "X2", "Y1", "Y2", "A", "B", "C", "D", "X", "Y"):
        text = text.replace(f'"{name}"', f'"Team {name}"')
    renamed = replay(from_json(text))
    state = replay(record)
    assert [game.points for game in renamed.games] == [game.points for game in state.games]
    assert renamed.winner == (None if state.winner is None else f"Team {state.winner}")

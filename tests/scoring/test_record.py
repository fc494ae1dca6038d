"""The record: events, what is refused and why, undo, correction, JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from scoring.codec import dump
from scoring.errors import BadData, BadFact, IllegalEvent, ScoringError, ScoringMisuse, UnknownKey
from scoring.events import (
    Correction,
    Forfeit,
    HornSounded,
    MeasuredRound,
    OutcomeRound,
    Penalty,
    RoundScored,
    Scope,
    ShootOutScored,
    ShotTaken,
    TypedRound,
    Undo,
)
from scoring.formats import Format, TieBreak
from scoring.lineup import Lineup
from scoring.presets import preset
from scoring.record import Record, append, correct, from_json, replay, to_json, undo_last
from scoring.rules import Source, changed
from scoring.shots import Verdict
from scoring.state import Basis, Next
from tests.scoring.boards import DITCH, HOLE, IN_10, IN_15, discs, doubles, play, singles, typed, won

NCA = preset()
POPULAR = preset("popular")
DIFFERENCE = preset("depot", "conventional")
SHOOT_OUT = changed(NCA, Source("custom", ""), {"format": Format(rounds=1, tie=TieBreak.SHOOT_OUT)})


def refused(record, *events, why):
    with pytest.raises(IllegalEvent, match=why) as error:
        play(record, *events)
    return error.value


def test_a_new_match_waits_for_its_first_round():
    state = replay(singles(NCA))
    assert (state.next, state.over, state.winner, state.games_won) == (Next.ROUND, False, None, (0, 0))
    assert state.sides == ("A", "B")
    assert (len(state.games), state.games[0].points, state.games[0].over) == (1, (0, 0), False)


def test_a_finished_match_waits_for_nothing():
    state = replay(play(singles(NCA), *[won("A")] * 4))
    assert (state.next, state.winner, state.may_shoot, len(state.games)) == (Next.NOTHING, "A", (), 1)
    assert (state.games[0].over, state.games[0].winner, state.games_won) == (True, "A", (1, 0))


@pytest.mark.parametrize("first", [-1, 2])
def test_the_first_seat_is_at_the_table(first):
    with pytest.raises(BadFact, match=f"no seat {first} at this table"):
        singles(NCA, first=first)


def test_a_round_is_measured_typed_in_or_an_outcome_only():
    measured = RoundScored(
        MeasuredRound((*discs("A", IN_15, HOLE), *discs("B", IN_10, start=9)), (("A", 1), ("B", 0)))
    )
    state = replay(play(singles(NCA), measured, typed(45, 25), won("B")))
    results = [played.result for played in state.games[0].rounds]
    assert [result.basis for result in results] == [Basis.MEASURED, Basis.TYPED, Basis.OUTCOME]
    assert [result.totals for result in results] == [(55, 10), (45, 25), None]
    assert [result.twenties for result in results] == [(2, 0), None, None]
    assert [result.difference for result in results] == [45, 20, None]
    assert [result.winner for result in results] == ["A", "A", "B"]
    assert [played.event for played in state.games[0].rounds] == [0, 1, 2]


def test_20s_typed_with_a_total_are_kept():
    entry = TypedRound.of({"A": 45, "B": 25}, {"A": 2, "B": 0})
    result = replay(play(singles(NCA), RoundScored(entry))).games[0].rounds[0].result
    assert (result.totals, result.twenties, result.awarded) == ((45, 25), (2, 0), (2, 0))


def test_20s_known_of_an_outcome_are_kept():
    entry = OutcomeRound((("A", 1), ("B", 1)), None, (("B", 2), ("A", 1)))
    result = replay(play(singles(NCA), RoundScored(entry))).games[0].rounds[0].result
    assert (result.twenties, result.winner, result.awarded) == ((1, 2), None, (1, 1))


@pytest.mark.parametrize(
    ("build", "why"),
    [
        (lambda: TypedRound.of({"A": 42, "B": 0}), "a multiple of 5, not 42 for A"),
        (lambda: TypedRound.of({"A": -5, "B": 0}), "totals are zero or more, not -5"),
        (lambda: TypedRound.of({"A": 20, "B": 0}, {"A": -1, "B": 0}), "20s are zero or more"),
        (lambda: MeasuredRound((), (("A", -1),)), "20s are zero or more"),
        (lambda: ShotTaken("A", Verdict.VALID, (("A", -1),)), "20s are zero or more"),
        (lambda: ShootOutScored((("A", -1),)), "20s are zero or more"),
        (lambda: OutcomeRound.of({"A": 2, "B": 2}), "ties share one"),
        (lambda: OutcomeRound.of({"A": 0, "B": 1}), "count from 1"),
        (lambda: OutcomeRound.of({"A": 1, "B": 3}), "count from 1"),
        (lambda: OutcomeRound.of({"A": 1, "B": 1}, 5), "does not fit"),
        (lambda: OutcomeRound.of({"A": 1, "B": 2}, 0), "does not fit"),
        (lambda: OutcomeRound.of({"A": 1, "B": 2}, -5), "does not fit"),
        (lambda: OutcomeRound.of({"A": 1, "B": 2}, 7), "does not fit"),
        (lambda: OutcomeRound((("A", 1), ("B", 2)), None, (("A", -1),)), "20s are zero"),
        (lambda: Penalty("A", 0, "late"), "one point or more, not 0"),
        (lambda: Penalty("A", 1, " "), "a reason is needed"),
        (lambda: Forfeit("A", Scope.GAME, ""), "a reason is needed"),
        (lambda: Correction(0, OutcomeRound.of({"A": 1, "B": 2}), ""), "a reason is needed"),
    ],
)
def test_an_event_that_cannot_be_is_refused(build, why):
    with pytest.raises(BadFact, match=why):
        build()


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (TypedRound.of({"A": 165, "B": 0}), "A cannot have 165: 8 discs give 160 at most"),
        (TypedRound.of({"A": 20, "B": 145}, {"A": 1, "B": 1}), "B cannot have 145 with 1 20s and 8 discs"),
        (TypedRound.of({"A": 20, "B": 15}, {"A": 1, "B": 1}), "B cannot have 15 with 1 20s"),
        (TypedRound.of({"A": 180, "B": 0}, {"A": 9, "B": 0}), "A has 8 discs, not 9 20s"),
        (TypedRound.of({"A": 20}), "totals are wanted for A, B, not for A"),
        (TypedRound.of({"A": 20, "C": 0}), "totals are wanted for A, B, not for A, C"),
        (TypedRound(()), "not for nobody"),
        (TypedRound((("A", 20), ("A", 20), ("B", 0))), "not for A, A, B"),
        (TypedRound.of({"A": 20, "B": 0}, {"A": 1}), "20s are wanted"),
        (OutcomeRound.of({"A": 1, "C": 2}), "places are wanted"),
        (
            MeasuredRound(discs("A", *[DITCH] * 8), (("A", 1), ("B", 0))),
            "A has 8 discs, not 8 seen and 1 handed in as 20s",
        ),
        (MeasuredRound((), (("A", 1),)), "20s are wanted for A, B, not for A"),
        (MeasuredRound(discs("C", IN_10), (("A", 0), ("B", 0))), "no side 'C'"),
    ],
)
def test_a_round_those_discs_cannot_give_is_refused(entry, why):
    refused(singles(NCA), RoundScored(entry), why=why)


def test_a_round_at_the_limit_of_its_discs_is_fine():
    for entry in (
        TypedRound.of({"A": 160, "B": 0}),
        TypedRound.of({"A": 125, "B": 20}, {"A": 1, "B": 1}),
        TypedRound.of({"A": 160, "B": 0}, {"A": 8, "B": 0}),
        MeasuredRound(discs("A", *[DITCH] * 7), (("A", 1), ("B", 8))),
    ):
        assert len(replay(play(singles(NCA), RoundScored(entry))).games[0].rounds) == 1


def test_an_outcome_is_refused_where_the_award_needs_a_score():
    refused(singles(DIFFERENCE), won("A"), why="the difference is needed")
    entry = OutcomeRound.of({"A": 1, "B": 2}, 15)
    assert replay(play(singles(DIFFERENCE), RoundScored(entry))).games[0].points == (15, 0)


def test_three_sides_need_no_20s_to_be_placed_under_popular():
    entry = TypedRound.of({"A": 45, "B": 25, "C": 30})
    record = Record(Lineup.single("A", "B", "C"), POPULAR, 0, (RoundScored(entry),))
    assert replay(record).games[0].points == (8, 4, 6)


def test_when_the_match_is_over_nothing_more_happens():
    record = play(singles(NCA), *[won("A")] * 4)
    for event in (won("A"), HornSounded(), Penalty("A", 1, "late"), ShotTaken("A", Verdict.VALID)):
        assert refused(record, event, why="the match is over").number == 4


def test_shots_out_of_turn_are_refused():
    record = singles(NCA)
    refused(record, ShotTaken("B", Verdict.VALID), why="it is the turn of A, not of B")
    refused(record, ShotTaken("C", Verdict.VALID), why="no player 'C'")
    refused(doubles(preset("wcc-2011")), ShotTaken("Y1", Verdict.VALID), why="the turn of X1 or X2")


def test_more_20s_than_shots_are_refused():
    refused(singles(NCA), ShotTaken("A", Verdict.VALID, (("A", 2),)), why="A cannot have 2 20s after 1 shots")
    refused(singles(NCA), ShotTaken("A", Verdict.VALID, (("B", 1),)), why="B cannot have 1 20s after 0 shots")
    refused(singles(NCA), ShotTaken("A", Verdict.VALID, (("C", 1),)), why="no side 'C'; there are A, B")


def test_a_new_round_starts_with_all_discs_and_no_20s():
    state = replay(play(singles(NCA), ShotTaken("A", Verdict.VALID, (("A", 1),)), won("A")))
    assert (state.turns.discs_left, state.twenties, state.may_shoot) == ((8, 8), (0, 0), ("B",))


def test_a_horn_the_book_does_not_know_is_refused():
    refused(singles(preset("depot")), HornSounded(), why="depot knows no horn")


def test_a_penalty_takes_points_in_the_game_being_played():
    state = replay(play(singles(NCA), won("A"), Penalty("B", 1, "coaching"), Penalty("B", 2, "delay")))
    assert (state.games[0].points, state.games[0].penalties) == ((2, -3), (0, 3))
    refused(singles(NCA), Penalty("C", 1, "coaching"), why="no side 'C'")


def test_a_penalty_can_end_a_game():
    record = play(singles(preset("nca", "first_to_5")), *(won(side) for side in "AB==="))
    assert not replay(record).over
    state = replay(play(record, Penalty("B", 2, "coaching")))
    assert (state.winner, state.games[0].points) == ("A", (5, 3))


def test_a_forfeited_round_is_told_apart():
    result = replay(play(singles(NCA), Forfeit("A", Scope.ROUND, "late"))).games[0].rounds[0].result
    assert (result.basis, result.winner, result.totals, result.awarded) == (Basis.FORFEIT, "B", None, (0, 2))
    refused(singles(DIFFERENCE), Forfeit("A", Scope.ROUND, "late"), why="the difference is needed")


def test_a_forfeited_game_leaves_the_rest_of_the_match():
    record = play(singles(preset("nca", "best_of_three")), won("A"), Forfeit("A", Scope.GAME, "late"))
    state = replay(record)
    assert (state.over, state.games_won, len(state.games)) == (False, (0, 1), 2)
    assert (state.games[0].points, state.games[0].winner, state.games[1].points) == ((2, 0), "B", (0, 0))
    assert state.may_shoot == ("B",)


def test_a_forfeited_match_is_over_at_once():
    state = replay(play(singles(preset("nca", "best_of_three")), Forfeit("B", Scope.MATCH, "left")))
    assert (state.over, state.winner, len(state.games)) == (True, "A", 1)


def test_a_forfeit_among_three_is_refused():
    record = Record(Lineup.single("A", "B", "C"), NCA)
    refused(record, Forfeit("A", Scope.GAME, "late"), why="leaves the order of the others open")
    refused(singles(NCA), Forfeit("C", Scope.GAME, "late"), why="no side 'C'")


def test_rounds_of_a_second_game_go_on_alternating():
    record = play(singles(preset("nca", "best_of_three")), *[won("A")] * 4, won("B"))
    state = replay(record)
    assert (state.games[1].rounds[0].starter, state.may_shoot) == ("A", ("B",))


def test_a_level_game_waits_for_its_shoot_out_and_nothing_else():
    record = play(singles(SHOOT_OUT), won("="))
    assert (replay(record).next, replay(record).may_shoot) == (Next.SHOOT_OUT, ())
    for event in (won("A"), HornSounded(), ShotTaken("B", Verdict.VALID), Forfeit("A", Scope.ROUND, "late")):
        refused(record, event, why="waits for a shoot-out")
    assert replay(play(record, Forfeit("A", Scope.GAME, "late"))).winner == "B"


def test_shoot_outs_are_refused_when_not_due_or_not_possible():
    refused(singles(SHOOT_OUT), ShootOutScored((("A", 1), ("B", 0))), why="no shoot-out is due")
    record = play(singles(SHOOT_OUT), won("="))
    refused(
        record, ShootOutScored((("A", 13), ("B", 0))), why="12 discs each are shot in this stage, so not 13"
    )
    refused(record, ShootOutScored((("A", 1),)), why="20s are wanted")
    record = play(record, ShootOutScored((("A", 12), ("B", 12))))
    refused(record, ShootOutScored((("A", 2), ("B", 0))), why="1 discs each")


def test_a_shoot_out_may_fall_short_of_all_its_discs():
    record = play(singles(SHOOT_OUT), won("="), ShootOutScored((("A", 7), ("B", 7))))
    assert replay(record).next is Next.SHOOT_OUT
    assert replay(play(record, ShootOutScored((("A", 0), ("B", 0))))).next is Next.SHOOT_OUT


def test_fewer_20s_than_shots_are_usual():
    shots = [ShotTaken("A", Verdict.VALID, (("A", 0),)), ShotTaken("B", Verdict.VALID, (("A", 1), ("B", 0)))]
    assert replay(play(singles(NCA), *shots)).twenties == (1, 0)


def test_undo_restores_exactly_and_can_itself_be_undone():
    record = play(singles(NCA), won("A"), ShotTaken("B", Verdict.VALID))
    after = play(record, won("B"))
    undone = undo_last(after)
    assert undone.events[-1] == Undo(2)
    assert replay(undone) == replay(record)
    assert replay(append(undone, Undo(3))) == replay(after)
    assert replay(append(append(undone, Undo(3)), Undo(4))) == replay(record)


def test_undo_goes_back_step_by_step_to_the_beginning():
    record = play(singles(NCA), won("A"), won("B"))
    for _ in range(2):
        record = undo_last(record)
    assert replay(record) == replay(singles(NCA))
    with pytest.raises(IllegalEvent, match="event 4: there is nothing to undo"):
        undo_last(record)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Undo(2), "there is no event 2 before it"),
        (Undo(-1), "there is no event -1 before it"),
        (Undo(9), "there is no event 9"),
        (Correction(2, OutcomeRound.of({"A": 1, "B": 2}), "x"), "there is no event 2"),
        (
            Correction(1, OutcomeRound.of({"A": 1, "B": 2}), "x"),
            "event 1 is not a scored round; undo it instead",
        ),
    ],
)
def test_undo_and_correction_need_something_to_apply_to(event, why):
    refused(play(singles(NCA), won("A"), HornSounded()), event, why=why)


def test_what_is_undone_cannot_be_undone_or_corrected_again():
    record = play(singles(NCA), won("A"), Undo(0))
    refused(record, Undo(0), why="event 0 is already undone")
    refused(record, Correction(0, OutcomeRound.of({"A": 2, "B": 1}), "x"), why="event 0 is already undone")


def test_a_correction_replaces_and_its_undo_brings_back():
    record = play(singles(NCA), won("A"), won("A"))
    corrected = correct(record, 0, TypedRound.of({"A": 20, "B": 25}), "disc 4 was on the line")
    assert replay(corrected).games[0].points == (2, 2)
    assert replay(corrected).games[0].rounds[0].event == 0
    again = correct(corrected, 0, TypedRound.of({"A": 20, "B": 20}), "and disc 5")
    assert replay(again).games[0].points == (3, 1)
    assert replay(undo_last(again)) == replay(corrected)
    assert replay(undo_last(undo_last(again))) == replay(record)


def test_a_corrected_round_that_is_undone_comes_back_corrected():
    record = correct(play(singles(NCA), won("A")), 0, OutcomeRound.of({"A": 2, "B": 1}), "mixed up")
    record = play(record, Undo(0))
    assert replay(record).games[0].rounds == ()
    assert replay(play(record, Undo(2))).games[0].points == (0, 2)


def test_a_change_that_makes_a_later_event_impossible_is_refused():
    record = play(singles(preset("wcc")), *(won(side) for side in "ABABA"))
    error = refused(
        record, Correction(1, OutcomeRound.of({"A": 1, "B": 2}), "x"), why="would make event 4 impossible"
    )
    assert error.number == 5
    assert error.reason.endswith("the match is over")


def test_a_record_that_cannot_be_replayed_cannot_be_built():
    with pytest.raises(IllegalEvent, match="event 4: the match is over"):
        singles(NCA, *[won("A")] * 5)


def test_what_is_no_event_is_a_bug_in_the_program():
    with pytest.raises(ScoringMisuse, match="no event: 'round'"):
        singles(NCA, "round")  # type: ignore[arg-type]
    assert not issubclass(ScoringMisuse, ScoringError)


def test_the_rules_are_a_snapshot():
    record = play(singles(NCA), typed(45, 25))
    again = from_json(to_json(record))
    assert again.rules == NCA
    other = replace(record, rules=DIFFERENCE)
    assert (replay(again).games[0].points, replay(other).games[0].points) == ((2, 0), (20, 0))


def test_the_json_form_is_plain_and_has_a_version():
    data = json.loads(to_json(play(singles(NCA), typed(45, 25), Penalty("B", 1, "späte"))))
    assert data["version"] == 1
    assert data["rules"]["format"] == {
        "type": "format",
        "rounds": 4,
        "target": None,
        "win_by": 1,
        "tie": "stands",
        "best_of": 1,
        "match_tie": "stands",
    }
    assert data["lineup"]["sides"][0] == {"type": "side", "name": "A", "players": ["A"]}
    assert data["events"] == [
        {
            "type": "round_scored",
            "entry": {"type": "typed_round", "totals": [["A", 45], ["B", 25]], "twenties": None},
        },
        {"type": "penalty", "side": "B", "points": 1, "reason": "späte"},
    ]
    assert "späte" in to_json(play(singles(NCA), Penalty("B", 1, "späte")))


def altered(**changes) -> str:
    return json.dumps({**json.loads(to_json(play(singles(NCA), typed(45, 25)))), **changes})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("[]", "not a match record of version 1"),
        ("{}", "not a match record of version 1"),
        (altered(version=2), "not a match record of version 1"),
        (altered(type="reading"), "record.type should be record, not 'reading'"),
        (altered(first="0"), "record.first should be int, not '0'"),
        (altered(events={}), "record.events should be a list"),
        (
            altered(events=[{"type": "bribe"}]),
            r"record.events\[0\].type is one of round_scored, .*, not 'bribe'",
        ),
        (altered(events=[3]), "not None"),
        (altered(events=[{"type": "undo"}]), r"record.events\[0\].target is missing"),
        (altered(lineup=None), "record.lineup should be a table"),
        (
            altered(events=[{"type": "shoot_out_scored", "twenties": [["A"]]}]),
            r"record.events\[0\].twenties\[0\] should hold 2 items, not 1",
        ),
    ],
)
def test_text_that_is_no_record_is_refused_where_it_goes_wrong(text, why):
    with pytest.raises(BadData, match=why):
        from_json(text)


def test_unknown_keys_and_impossible_events_in_a_record_are_refused():
    with pytest.raises(UnknownKey, match=r"record\.colour"):
        from_json(altered(colour="red"))
    with pytest.raises(IllegalEvent, match="event 0: there is no event 5"):
        from_json(altered(events=[{"type": "undo", "target": 5}]))


def test_only_values_with_a_plain_form_are_written():
    with pytest.raises(ScoringMisuse, match="no plain form"):
        dump({1, 2})

"""Line-ups, turns, and when games and matches are over."""

from __future__ import annotations

import pytest

from scoring.errors import BadFact
from scoring.formats import Format, TieBreak
from scoring.games import (
    GOES_ON,
    TIED,
    Decision,
    decide_game,
    decide_match,
    shoot_out_winner,
    wants_shoot_out,
)
from scoring.lineup import Lineup, Seat, Side
from scoring.presets import preset
from scoring.rules import RoundStart, ShootingOrder
from scoring.turns import Turns

DOUBLES = Lineup.doubles(Side("X", ("X1", "X2")), Side("Y", ("Y1", "Y2")))


@pytest.mark.parametrize(
    ("sides", "why"),
    [
        ((), r"not \[\]"),
        ((Side("A", ("A",)),), r"not \[1\]"),
        ((Side("A", ("A",)), Side("B", ("B", "C"))), r"not \[1, 2\]"),
        (tuple(Side(name, (name,)) for name in "ABCDE"), "three or four"),
        ((Side("A", ("A",)), Side("A", ("B",))), "all different, not A, A"),
        ((Side("A", ("A",)), Side("B", ("A",))), "all different, not A, A"),
        ((Side("A", ("A",)), Side("", ("B",))), "not empty"),
        ((Side("A", ("A",)), Side("B", ("",))), "not empty"),
    ],
)
def test_a_table_no_book_knows_is_refused(sides, why):
    with pytest.raises(BadFact, match=why):
        Lineup(sides)


def test_seats_discs_and_names():
    assert DOUBLES.seats == (Seat("X1", 0), Seat("Y1", 1), Seat("X2", 0), Seat("Y2", 1))
    assert (DOUBLES.is_doubles, Lineup.single("A", "B").is_doubles) == (True, False)
    assert DOUBLES.names == ("X", "Y")
    rules = preset("printable")
    assert DOUBLES.discs_a_side(rules) == 12
    assert [Lineup.single(*"ABCD"[:count]).discs_a_side(rules) for count in (2, 3, 4)] == [12, 6, 6]


def turns(order=ShootingOrder.CLOCKWISE, start=RoundStart.CLOCKWISE, due=0, discs=2) -> Turns:
    return Turns(DOUBLES.seats, discs, start, order, due, (0, 0, 0, 0))


def test_turns_count_what_is_left():
    now = turns(due=1).shoot(1).shoot(2)
    assert (now.discs_left, now.opened_by, now.last) == ((2, 1, 1, 2), 1, 2)
    assert now.shots_by_side() == {0: 1, 1: 1}
    assert now.may_shoot() == (3,)


def test_either_partner_may_shoot_while_they_have_discs():
    now = turns(ShootingOrder.EITHER_PARTNER).shoot(0)
    assert now.may_shoot() == (1, 3)
    now = now.shoot(3).shoot(0).shoot(3).shoot(2)
    assert now.may_shoot() == (1,)


def test_clockwise_nobody_is_left_at_the_end():
    now = turns(discs=1)
    for seat in range(4):
        assert now.may_shoot() == (seat,)
        now = now.shoot(seat)
    assert now.may_shoot() == ()


FOUR = Format(rounds=4)
FIFTH = Format(rounds=4, tie=TieBreak.ONE_ROUND)
SUDDEN = Format(rounds=4, tie=TieBreak.SUDDEN_DEATH)
TWO = Format(rounds=4, tie=TieBreak.TWO_ROUNDS)
SHOOT = Format(rounds=4, tie=TieBreak.SHOOT_OUT)
A, B = Decision(True, 0), Decision(True, 1)


@pytest.mark.parametrize(
    ("points", "rounds", "form", "decision"),
    [
        ((6, 0), 3, FOUR, GOES_ON),
        ((6, 2), 4, FOUR, A),
        ((4, 4), 4, FOUR, TIED),
        ((4, 4), 4, FIFTH, GOES_ON),
        ((4, 6), 5, FIFTH, B),
        ((5, 5), 5, FIFTH, TIED),
        ((5, 5), 5, SUDDEN, GOES_ON),
        ((7, 5), 6, SUDDEN, A),
        ((4, 4), 4, TWO, GOES_ON),
        ((6, 4), 5, TWO, GOES_ON),
        ((6, 6), 6, TWO, GOES_ON),
        ((8, 4), 6, TWO, A),
        ((6, 2), 4, TWO, A),
        ((4, 4), 4, SHOOT, GOES_ON),
        ((4, 2), 4, SHOOT, A),
        ((95, 90), 9, Format(target=100), GOES_ON),
        ((100, 95), 9, Format(target=100), A),
        ((100, 100), 9, Format(target=100), GOES_ON),
        ((100, 105), 9, Format(target=100), B),
        ((6, 5), 9, Format(target=5, win_by=2), GOES_ON),
        ((7, 5), 9, Format(target=5, win_by=2), A),
        ((30, 30, 20), 4, FOUR, TIED),
        ((30, 20, 40), 4, FOUR, Decision(True, 2)),
    ],
)
def test_when_a_game_is_over(points, rounds, form, decision):
    assert decide_game(points, rounds, form) == decision


def test_a_shoot_out_decides_by_its_last_stage():
    assert shoot_out_winner([]) is None
    assert shoot_out_winner([(9, 7)]) == 0
    assert shoot_out_winner([(9, 9), (0, 1)]) == 1
    assert decide_game((4, 4), 4, SHOOT, [(9, 9)]) == GOES_ON
    assert decide_game((4, 4), 4, SHOOT, [(9, 9), (0, 1)]) == B


def test_when_a_shoot_out_is_due():
    assert not wants_shoot_out((4, 2), 3, SHOOT)
    assert wants_shoot_out((4, 4), 4, SHOOT)
    assert not wants_shoot_out((4, 4), 4, SUDDEN)


BEST_OF_3 = Format(rounds=4, best_of=3)
QUINTE = Format(rounds=4, best_of=3, match_tie=TieBreak.TWO_ROUNDS)


@pytest.mark.parametrize(
    ("won", "games", "form", "decision"),
    [
        ((1, 0), 1, FOUR, A),
        ((0, 0), 1, FOUR, TIED),
        ((1, 0), 1, BEST_OF_3, GOES_ON),
        ((1, 0), 2, BEST_OF_3, GOES_ON),
        ((2, 0), 2, BEST_OF_3, A),
        ((1, 2), 3, BEST_OF_3, B),
        ((0, 1), 3, BEST_OF_3, B),
        ((1, 1), 3, BEST_OF_3, TIED),
        ((1, 1), 3, QUINTE, GOES_ON),
        ((1, 2), 4, QUINTE, B),
        ((1, 1), 4, Format(rounds=4, best_of=3, match_tie=TieBreak.ONE_ROUND), TIED),
    ],
)
def test_when_a_match_is_over(won, games, form, decision):
    assert decide_match(won, games, form) == decision

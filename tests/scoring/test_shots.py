"""Shots beyond the books' own cases: facts that cannot be, unsure verdicts, custom settings."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.answers import Answer
from scoring.errors import BadFact
from scoring.obligations import was_hit_by_shooter, was_struck
from scoring.presets import preset
from scoring.regions import Lie, Place, Touch, points_of
from scoring.rounds import RoundDisc
from scoring.rules import OpenTable, Removal, Source, changed
from scoring.shot_facts import Journey, Shot, Struck
from scoring.shots import Verdict, judge
from tests.scoring.boards import DITCH, HOLE, IN_5, IN_10, IN_15, ON_5, ON_15, SHOOTER, discs, shoot
from tests.scoring.strategies import any_rules, decided_lies, lies, steady

NCA = preset()
TRADITIONAL = preset("traditional")
CUSTOM = Source("custom", "test")


def with_settings(**settings):
    return changed(NCA, CUSTOM, settings)


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"before": discs("me", IN_10, start=SHOOTER)}, "was on the board before"),
        ({"after": discs("them", IN_10, start=SHOOTER)}, "is shot by me, yet belongs to them"),
        ({"after": discs("them", IN_10)}, "disc 1 of them appears from nowhere"),
        ({"before": discs("me", IN_10), "after": discs("them", IN_10)}, "disc 1 of them appears"),
        ({"before": discs("me", IN_10) * 2}, "same id before the shot"),
        ({"after": discs("me", IN_10, start=SHOOTER) * 2}, "same id after the shot"),
        ({"first": 1}, "disc 1 was met first"),
        ({"contacts": ((SHOOTER, Struck.NO),)}, "disc 100 is not one disc of this shot"),
        ({"journeys": ((1, Journey.LEFT),)}, "disc 1 is not one disc"),
        ({"outside_15": ((1, Answer.NO),)}, "disc 1 is not one disc"),
        ({"journeys": ((SHOOTER, Journey.LEFT),) * 2}, "disc 100 is not one disc"),
    ],
)
def test_a_shot_that_cannot_be_is_refused(facts, why):
    with pytest.raises(BadFact, match=why):
        Shot(**{"side": "me", "shooter": SHOOTER, "before": (), "after": (), **facts})


def test_a_disc_missing_after_the_shot_is_in_the_ditch():
    shot = Shot("me", SHOOTER, discs("them", IN_10), ())
    assert (shot.lie_after(SHOOTER), shot.lie_after(1)) == (DITCH, DITCH)
    assert judge(shot, NCA).if_valid.remove == (SHOOTER, 1)


def test_a_disc_is_struck_as_told_or_else_if_it_moved():
    before = discs("them", IN_10, IN_10, IN_10)
    after = (before[0], RoundDisc(2, "them", IN_5), before[2])
    shot = Shot("me", SHOOTER, before, after, contacts=((3, Struck.BY_OTHER),))
    assert [shot.struck(disc) for disc in before] == [Struck.NO, Struck.MOVED, Struck.BY_OTHER]


@pytest.mark.parametrize(
    ("struck", "nca", "traditional", "by_shooter"),
    [
        (Struck.NO, Answer.NO, Answer.NO, Answer.NO),
        (Struck.BY_SHOOTER, Answer.YES, Answer.YES, Answer.YES),
        (Struck.BY_OTHER, Answer.YES, Answer.YES, Answer.NO),
        (Struck.MOVED, Answer.YES, Answer.YES, Answer.UNSURE),
        (Struck.THROUGH_PEG, Answer.NO, Answer.YES, Answer.NO),
        (Struck.UNKNOWN, Answer.UNSURE, Answer.UNSURE, Answer.UNSURE),
    ],
)
def test_what_counts_as_struck(struck, nca, traditional, by_shooter):
    assert was_struck(struck, NCA) is nca
    assert was_struck(struck, TRADITIONAL) is traditional
    assert was_hit_by_shooter(struck, NCA) is by_shooter
    # traditional Shooting 6: through a peg counts the same as hitting it directly.
    if struck is Struck.THROUGH_PEG:
        assert was_hit_by_shooter(struck, TRADITIONAL) is Answer.YES


def test_an_undecided_contact_runs_through_both_tests_on_the_15_line():
    lie = Lie.unsure(15, 0.4)
    assert shoot(NCA, lie).verdict is Verdict.VALID
    ruling = shoot(TRADITIONAL, lie)
    assert (ruling.verdict, ruling.ask) == (
        Verdict.UNSURE,
        ("did the shot bring disc 100 within the 15 line?",),
    )
    assert ruling.reason == "open table: a disc of the shot may end within the 15 line"
    assert points_of(lie, NCA) == 15


def test_whether_there_was_opposition_may_be_the_question():
    on_line = Lie.unsure(5, 0.5)
    ruling = shoot(NCA, IN_10, theirs={1: (on_line, on_line)})
    assert ruling.verdict is Verdict.INVALID
    ruling = shoot(NCA, IN_15, theirs={1: (on_line, on_line)})
    assert ruling.verdict is Verdict.UNSURE
    assert ruling.ask == ("was disc 1 in play?",)
    assert ruling.reason == "an opposing disc may be in play; no opposing disc was struck"


def test_every_question_of_an_unsure_shot_is_asked():
    on_line = Lie.unsure(5, 0.5)
    mine, theirs = {2: (IN_10, IN_15)}, {1: (on_line, on_line)}
    contacts = ((1, Struck.UNKNOWN), (2, Struck.UNKNOWN))
    ruling = shoot(NCA, IN_10, mine=mine, theirs=theirs, contacts=contacts)
    assert ruling.ask == (
        "was disc 1 in play?",
        "was disc 1 struck?",
        "did the shot bring disc 2 touching or within the 15 line?",
    )


def test_when_only_trying_is_asked_no_board_can_show_a_fault():
    rules = with_settings(open_table=OpenTable.TRY)
    assert shoot(rules, DITCH).verdict is Verdict.VALID


def test_where_no_contact_is_asked_for_every_shot_stands():
    ruling = shoot(with_settings(contact_required=False), IN_5, theirs={1: (IN_5, IN_5)})
    assert (ruling.verdict, ruling.reason) == (Verdict.VALID, "no contact is asked for")
    assert str(ruling.rule) == "custom test"


def test_a_foul_may_leave_20s_standing():
    rules = with_settings(foul_takes_twenties=False)
    ruling = shoot(rules, HOLE, mine={1: (IN_10, HOLE)}, theirs={2: (IN_10, IN_10)})
    assert ruling.if_invalid.twenties == (("me", 2),)
    assert ruling.if_invalid.remove == ()


def test_all_struck_discs_are_taken_whosever_they_are():
    contacts = ((1, Struck.BY_SHOOTER), (2, Struck.BY_SHOOTER))
    for removal, gone in (
        (Removal.SHOOTER, (SHOOTER,)),
        (Removal.OWN_HIT_BY_SHOOTER, (SHOOTER, 1)),
        (Removal.OWN_STRUCK, (SHOOTER, 1)),
        (Removal.ALL_STRUCK, (SHOOTER, 1, 2)),
    ):
        rules = with_settings(contact_removes=removal)
        ruling = shoot(rules, IN_10, mine={1: (IN_10, IN_10)}, theirs={2: (IN_10, IN_10)}, contacts=contacts)
        assert ruling.if_invalid.remove == gone


def test_the_foul_of_an_open_table_has_its_own_penalty():
    rules = with_settings(contact_removes=Removal.ALL_STRUCK, open_removes=Removal.SHOOTER)
    assert shoot(rules, IN_10, mine={1: (IN_10, IN_5)}).if_invalid.remove == (SHOOTER,)
    rules = with_settings(contact_removes=Removal.SHOOTER, open_removes=Removal.ALL_STRUCK)
    assert shoot(rules, IN_10, mine={1: (IN_10, IN_5)}).if_invalid.remove == (SHOOTER, 1)


def test_20s_of_several_sides_are_told_by_side():
    ruling = shoot(NCA, HOLE, mine={1: (IN_10, HOLE)}, theirs={2: (IN_10, HOLE)})
    assert ruling.if_valid.twenties == (("me", 2), ("them", 1))


def test_a_leaner_made_by_the_shot_stays_on_the_board():
    leaner = Lie.in_hole(flat=False)
    ruling = shoot(NCA, leaner)
    assert (ruling.if_valid.twenties, ruling.if_valid.remove) == ((), ())


def test_a_tilted_disc_is_only_out_on_the_board_and_where_the_rules_say():
    tilted = Lie(Place.BOARD, 15, Touch.NO, 0.0, flat=False)
    assert shoot(NCA, tilted).if_valid.remove == ()
    assert shoot(preset("popular"), tilted).if_valid.remove == (SHOOTER,)
    assert shoot(preset("popular"), Lie.in_hole(flat=False)).if_valid.remove == ()


def test_a_shooter_perhaps_off_the_board_perhaps_takes_own_discs_along():
    contacts = ((1, Struck.BY_SHOOTER),)
    ruling = shoot(preset("printable"), Lie.unsure(5, 0.5), mine={1: (IN_10, IN_5)}, contacts=contacts)
    assert ruling.if_valid.ask == ("does disc 100 leave the board?", "does disc 1 leave the board?")


def test_an_illegal_start_and_an_unseen_contact_ask_both():
    ruling = shoot(
        preset("printable"),
        IN_10,
        theirs={1: (IN_10, IN_10)},
        contacts=((1, Struck.UNKNOWN),),
        illegal_start=Answer.UNSURE,
    )
    assert ruling.ask == ("was disc 1 struck?", "was the disc shot from behind the line?")


@st.composite
def shots(draw: st.DrawFn) -> Shot:
    """A shot on a board with a few discs, some facts unsure."""
    before = tuple(
        RoundDisc(number, draw(st.sampled_from(["me", "them"])), draw(decided_lies)) for number in range(1, 4)
    )
    after = tuple(RoundDisc(disc.id, disc.side, draw(lies)) for disc in before)
    contacts = tuple((disc.id, draw(st.sampled_from(Struck))) for disc in before)
    return Shot("me", SHOOTER, before, (RoundDisc(SHOOTER, "me", draw(lies)), *after), contacts)


@steady
@given(shots(), any_rules)
def test_settling_every_question_settles_the_shot(shot, rules):
    """An unsure verdict is one that different answers really change, and a sure one that none changes."""
    ruling = judge(shot, rules)
    unknown = [disc for disc, struck in shot.contacts if struck is Struck.UNKNOWN]
    unsure = [disc for disc in shot.after if disc.lie.touch is Touch.UNSURE]
    seen = set()
    for answers in product((True, False), repeat=len(unknown) + len(unsure)):
        hits = dict(zip(unknown, answers, strict=False))
        touches = dict(zip((disc.id for disc in unsure), answers[len(unknown) :], strict=True))
        how = Struck.BY_SHOOTER if rules.direct_hit else Struck.BY_OTHER
        contacts = tuple(
            (disc, (how if hits[disc] else Struck.NO) if disc in hits else struck)
            for disc, struck in shot.contacts
        )
        after = tuple(
            RoundDisc(
                disc.id, disc.side, _ruled(disc.lie, touches[disc.id]) if disc.id in touches else disc.lie
            )
            for disc in shot.after
        )
        seen.add(judge(Shot("me", SHOOTER, shot.before, after, contacts), rules).verdict)
    if rules.direct_hit:
        # Which disc was met first stays a question of its own there.
        seen.discard(Verdict.UNSURE)
        assert ruling.verdict is Verdict.UNSURE or seen <= {ruling.verdict}
    else:
        assert ruling.verdict is (Verdict.UNSURE if len(seen) == 2 else seen.pop())


def _ruled(lie: Lie, touching: bool) -> Lie:
    assert lie.line is not None
    return Lie.touching(lie.line) if touching else Lie.clear(lie.line)


@steady
@given(shots(), any_rules)
def test_no_disc_is_taken_off_twice_or_both_counted_and_removed(shot, rules):
    ruling = judge(shot, rules)
    for aftermath in (ruling.if_valid, ruling.if_invalid):
        everyone = (*aftermath.remove, *aftermath.put_back)
        assert len(set(everyone)) == len(everyone)
        in_hole = sum(disc.lie == HOLE for disc in shot.after)
        assert sum(count for _, count in aftermath.twenties) <= in_hole
        assert set(everyone) <= {SHOOTER, *(disc.id for disc in shot.before)}
    assert set(ruling.if_valid.remove) <= set(ruling.if_invalid.remove) | set(ruling.if_invalid.put_back)
    assert (ruling.ask == ()) is (ruling.verdict is not Verdict.UNSURE)


def test_on_the_15_line_and_on_the_5_line_are_different_questions():
    assert shoot(NCA, ON_15).if_valid.remove == ()
    assert shoot(NCA, ON_5, theirs={1: (IN_5, IN_10)}).if_valid.remove == (SHOOTER,)


def renamed(disc: int) -> int:
    """Another id, a new object each time, in the opposite order."""
    return int(str(7000 - disc))


def side_called(side: str) -> str:
    """Another name, a new object each time, in the opposite alphabetical order."""
    return "".join({"me": ["z", "z"], "them": ["a", "a"]}[side])


def relabelled(discs_: tuple[RoundDisc, ...]) -> tuple[RoundDisc, ...]:
    return tuple(
        RoundDisc(renamed(disc.id), side_called(disc.side), disc.lie) for disc in (*discs_[1:], *discs_[:1])
    )


@steady
@given(shots(), any_rules, st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, *Journey]))
def test_ids_order_and_names_of_sides_are_irrelevant(shot, rules, first, journey):
    journeys = () if journey is None else ((2, journey), (SHOOTER, journey))
    contacts = tuple((renamed(disc), struck) for disc, struck in shot.contacts)
    one = judge(Shot("me", SHOOTER, shot.before, shot.after, shot.contacts, first, journeys), rules)
    other = judge(
        Shot(
            side_called("me"),
            renamed(SHOOTER),
            relabelled(shot.before),
            relabelled(shot.after),
            contacts,
            None if first is None else renamed(first),
            tuple((renamed(disc), way) for disc, way in journeys),
        ),
        rules,
    )
    assert (other.verdict, other.rule, other.reason) == (one.verdict, one.rule, one.reason)
    assert len(other.ask) == len(one.ask)
    for mine, theirs in ((one.if_valid, other.if_valid), (one.if_invalid, other.if_invalid)):
        assert {renamed(disc) for disc in mine.remove} == set(theirs.remove)
        assert {renamed(disc) for disc in mine.put_back} == set(theirs.put_back)
        assert {side_called(side): count for side, count in mine.twenties} == dict(theirs.twenties)
        assert len(mine.ask) == len(theirs.ask)

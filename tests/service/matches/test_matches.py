"""What people do to a match besides scoring rounds, and two of them at once (decision 040)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from scoring.lineup import Lineup, Side
from service.matches.facts import ToldRound
from service.matches.refusals import Changed, Impossible, NotNow, Refusal, Unknown
from service.matches.tables import list_tables, set_table, snapshot
from service.matches.writing import MOST_EVENTS, By
from service.store import Store
from tests.service.matches.played import BY, Playing, add_reading, reading_body, seen

ROUND = ToldRound({"Anna": 45, "Ben": 20})


def test_the_second_of_two_scorekeepers_is_told_what_changed(store: Store) -> None:
    playing = Playing(store)
    playing.score(ROUND, by=By("Ann", "1", expect=1))
    with pytest.raises(Changed) as refused:
        playing.score(ROUND, by=By("Ben", "2", expect=1))
    assert refused.value.current["version"] == 2
    assert [(each["number"], each["actor"]) for each in refused.value.events] == [(0, "Ann")]
    assert len(playing.matches.events(playing.id)) == 1


def test_of_many_at_the_same_moment_one_wins(store: Store) -> None:
    playing = Playing(store)

    def try_it(name: int) -> bool:
        try:
            with store.write() as connection:
                playing.matches.score(connection, playing.id, ROUND, By(str(name), "", 1))
        except Changed:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(try_it, range(8))) == 1
    assert len(playing.matches.events(playing.id)) == 1


def test_without_a_version_changes_follow_each_other(store: Store) -> None:
    playing = Playing(store, rules="nca", options=("first_to_9",))

    def add(_each: int) -> None:
        with store.write() as connection:
            playing.matches.penalty(connection, playing.id, "Ben", 1, "late", BY)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(16)))
    happened = playing.matches.events(playing.id)
    assert [each["number"] for each in happened] == list(range(16))
    assert [each["version"] for each in happened] == list(range(2, 18))
    assert [message["seq"] for message in playing.messages()] == list(range(1, 18))


def test_undo_goes_back_step_by_step(store: Store) -> None:
    playing = Playing(store)
    playing.score(ROUND)
    playing.correct(0, ToldRound({"Anna": 40, "Ben": 20}), "misheard", None)
    playing.penalty("Ben", 1, "late")
    announced = []
    for _ in range(3):
        playing.undo()
        announced.append(playing.messages()[-1]["announce"])
    assert announced == [
        "penalty taken back",
        "round 1 is as it was before: Anna 45, Ben 20",
        "round 1 taken back",
    ]
    assert playing.rounds == [] and playing.match["may_undo"] is False
    with pytest.raises(NotNow, match="nothing to undo"):
        playing.undo()


def test_a_match_is_finished_when_its_rules_say_so_and_goes_on_after_an_undo(store: Store) -> None:
    playing = Playing(store)
    for _ in range(4):
        playing.score(ROUND)
    # nca: four rounds of two points.
    assert playing.match["state"]["winner"] == "Anna"
    ended = playing.match["finished_at"]
    assert ended is not None and playing.match["state"]["next"] == "nothing"
    with pytest.raises(NotNow, match="finished"):
        playing.score(ROUND)
    playing.correct(0, ToldRound({"Anna": 20, "Ben": 45}), "sides mixed up", None)
    assert playing.match["finished_at"] == ended
    playing.undo()
    playing.undo()
    assert playing.match["finished_at"] is None and playing.match["state"]["next"] == "round"


def test_a_match_finished_by_hand_takes_nothing_until_that_is_undone(store: Store) -> None:
    playing = Playing(store)
    playing.score(ROUND)
    playing.finish("the hall closes")
    assert playing.match["finish"] == {"reason": "the hall closes", "who": "Ann"}
    assert playing.match["state"]["may_shoot"] == []
    for change in (lambda: playing.score(ROUND), lambda: playing.finish("again"), playing.horn):
        with pytest.raises(NotNow, match="finished"):
            change()
    with pytest.raises(NotNow, match="Take that back first"):
        playing.correct(0, ROUND, "x", None)
    playing.undo()
    assert playing.match["finished_at"] is None
    assert len(playing.rounds) == 1
    assert playing.match["version"] == 4


def test_penalty_forfeit_shots_horn_and_shoot_out(store: Store) -> None:
    playing = Playing(store, options=("shoot_out",), rules="nca")
    playing.shoot_out({"Anna": 5, "Ben": 5})
    playing.shoot_out({"Anna": 1, "Ben": 0})
    # practice shoot-out: 12 each, then one each until someone leads.
    assert playing.match["state"]["winner"] == "Anna"

    other = Playing(store)
    other.shot("Anna", "valid", {"Anna": 1})
    assert other.match["state"]["twenties"] == [1, 0]
    assert other.match["state"]["turns"]["discs_left"] == [7, 8]
    other.horn()
    # nca time: the other side may even out.
    assert other.match["state"]["may_shoot"] == ["Ben"]
    other.score(ROUND)
    other.penalty("Anna", 3, "slow")
    assert other.match["state"]["games"][0]["points"] == [-1, 0]
    other.forfeit("Anna", "match", "left")
    assert other.match["state"]["winner"] == "Ben"
    assert [message["what"]["kind"] for message in other.messages()[-5:]] == [
        "shot",
        "horn",
        "round",
        "penalty",
        "forfeit",
    ]


def test_what_the_rules_refuse_is_told_as_a_sentence(store: Store) -> None:
    playing = Playing(store, rules="depot")
    for change, words in (
        (lambda: playing.shot("Ben", "valid", {}), "It is the turn of Anna, not of Ben."),
        (lambda: playing.horn(), "Depot knows no horn"),
        (lambda: playing.shoot_out({"Anna": 1, "Ben": 0}), "No shoot-out is due."),
        (lambda: playing.penalty("Carl", 1, "x"), "No side 'Carl'; there are Anna, Ben."),
        (lambda: playing.penalty("Ben", 0, "x"), "A penalty takes one point or more"),
        (lambda: playing.forfeit("Ben", "round", " "), "A reason is needed"),
    ):
        with pytest.raises(Impossible, match=words):
            change()


def test_a_match_has_an_end_even_for_a_program_that_runs_wild(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_EVENTS > 4 * 48 * 2
    monkeypatch.setattr("service.matches.writing.MOST_EVENTS", 3)
    playing = Playing(store, rules="nca", options=("first_to_9",))
    for _ in range(3):
        playing.penalty("Ben", 1, "x")
    with pytest.raises(NotNow, match="3 events"):
        playing.penalty("Ben", 1, "x")


def test_who_starts_is_a_player_or_a_seat(store: Store) -> None:
    pairs = Lineup.doubles(Side("Reds", ("Anna", "Cleo")), Side("Blues", ("Ben", "Dan")))
    # depot 1: partners sit opposite each other, so the seats go A1, B1, A2, B2.
    assert Playing(store, lineup=pairs, first="Cleo").match["first"] == 2
    assert Playing(store, lineup=pairs, first=3).match["state"]["may_shoot"] == ["Dan"]
    for first in ("Carl", 4):
        with pytest.raises(Impossible):
            Playing(store, lineup=pairs, first=first)


def test_the_rules_are_kept_as_they_were(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    playing = Playing(store)
    playing.score(ROUND)
    monkeypatch.setattr("scoring.presets.BOOKS", {})
    assert playing.matches.get(playing.id) == playing.match


def test_matches_are_listed_newest_first_and_by_table(store: Store) -> None:
    ids = [Playing(store, table=name).id for name in ("1", "2", "1")]
    matches = Playing(store, table="3").matches
    assert [each["id"] for each in matches.listed(table="1", limit=5, after=None)] == [ids[2], ids[0]]
    everything = [each["id"] for each in matches.listed(table=None, limit=2, after=None)]
    rest = [each["id"] for each in matches.listed(table=None, limit=9, after=everything[-1])]
    assert (everything + rest)[1:] == ids[::-1]
    with pytest.raises(Unknown):
        matches.listed(table=None, limit=1, after="m_nothing")


def test_a_table_shows_its_last_match_and_its_board(store: Store) -> None:
    old = Playing(store, event_name="")
    add_reading(store, "r_old", reading_body(seen(1, "dark", 15)), table="1")
    new = Playing(store)
    add_reading(store, "r_new", reading_body(seen(1, "dark", 10)))
    with store.write() as connection:
        set_table(connection, "1", event_name="Open", camera={"source": "0"}, keeps_camera=False)
    with store.read() as connection:
        shown = snapshot(connection, "1")
        assert (shown["match"]["id"], shown["board"], shown["event_name"]) == (new.id, None, "Open")
        assert (shown["camera"], shown["seq"]) == ({"source": "0"}, len(new.messages()))

    from service.matches.facts import ReadRound

    new.score(ReadRound("r_new", {"dark": "Anna", "light": "Ben"}))
    with store.read() as connection:
        assert snapshot(connection, "1")["board"]["reading"] == "r_new"
        assert [row["match"] for row in list_tables(connection)] == [new.id]
    old.score(ROUND)
    # A change to a match that is over for the table must not take its screens.
    assert [message["type"] for message in new.messages()[-3:]] == ["match", "reading", "past_match"]
    with store.write() as connection:
        set_table(connection, "1", event_name=None, camera=None, keeps_camera=True)
        assert snapshot(connection, "1")["camera"] == {"source": "0"}
    with store.read() as connection, pytest.raises(Unknown):
        snapshot(connection, "nowhere")


def test_every_refusal_says_something_to_people(store: Store) -> None:
    playing = Playing(store)
    with pytest.raises(Refusal) as refused:
        playing.matches.get("m_nothing")
    assert refused.value.words == "There is no match m_nothing."

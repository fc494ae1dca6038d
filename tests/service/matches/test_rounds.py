"""Rounds from readings, typed and by places; evidence and decisions kept apart (decision 040)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from scoring.lineup import Lineup
from service.matches.facts import AmendedRound, Decision, PlacedRound, ReadRound, ToldRound
from service.matches.refusals import Impossible, NotNow, Unknown
from service.store import Store
from service.store.tables import decisions, events, readings, round_evidence
from tests.service.matches.played import Playing, add_reading, elsewhere, reading_body, seen

#: dark 15 + 10, light 5 and a disc that is 15, or 10 if it touches.
BODY = reading_body(
    seen(1, "dark", 15),
    seen(2, "dark", 15, region=10, verdict="touching", touch=1.0),
    seen(3, "light", 5),
    seen(4, "light", 15, verdict="too_close", touch=0.31),
    elsewhere(5, "light", "ditch"),
    elsewhere(6, "red", "off"),
    twenties={"dark": 1},
)
TEAMS = {"dark": "Anna", "light": "Ben"}


def _rows(store: Store, table: Any) -> list[dict[str, Any]]:
    with store.read() as connection:
        return [dict(row) for row in connection.execute(select(table)).mappings()]


def _read(playing: Playing, **given: Any) -> dict[str, Any]:
    add_reading(playing.store, "r_1", BODY)
    match: dict[str, Any] = playing.score(ReadRound("r_1", **{"teams": TEAMS, **given}))
    return match


def test_a_round_is_scored_from_a_reading(store: Store) -> None:
    playing = Playing(store)
    _read(playing)
    (played,) = playing.rounds
    # Board points after the line rule (depot 4c) and 20 for the one removed during play (depot 2c).
    assert (played["totals"], played["twenties"], played["winner"]) == ([45, 20], [1, 0], "Anna")
    assert (played["basis"], played["reading"], played["awarded"]) == ("measured", "r_1", [2, 0])
    (rested,) = _rows(store, round_evidence)
    assert (rested["event_number"], rested["reading_id"], rested["teams"]) == (0, "r_1", TEAMS)
    assert _rows(store, decisions) == []


def test_twenties_that_are_told_replace_those_given_with_the_photo(store: Store) -> None:
    playing = Playing(store)
    _read(playing, twenties={"Ben": 2})
    assert playing.rounds[0]["totals"] == [25, 60]


@pytest.mark.parametrize(
    ("decision", "totals"),
    [
        (Decision(disc=4, region=10, why="it touches"), [45, 15]),
        (Decision(disc=4, region=20, why="it lies in the hole"), [45, 25]),
        (Decision(disc=4, place="off", why="a coin"), [45, 5]),
        (Decision(disc=4, place="ditch", why="flew out"), [45, 5]),
        (Decision(disc=4, side="dark", why="a dark one in the light"), [60, 5]),
        (Decision(disc=4, side="Anna", why="a dark one in the light"), [60, 5]),
        (Decision(region=10, side="Ben", why="hidden by a hand"), [45, 30]),
        (Decision(disc=4, place="hole", region=15, why="it leans"), [45, 20]),
        (Decision(disc=5, region=5, why="it is on the board"), [45, 25]),
    ],
)
def test_what_people_decide_counts_and_is_kept_with_who_and_why(
    store: Store, decision: Decision, totals: list[int]
) -> None:
    playing = Playing(store)
    _read(playing, decisions=(decision,))
    assert playing.rounds[0]["totals"] == totals
    (kept,) = _rows(store, decisions)
    assert (kept["who"], kept["why"], kept["reading_id"]) == ("Ann", decision.why, "r_1")
    assert kept["was"] != kept["now"]
    # The evidence itself stays as it was seen.
    assert _rows(store, readings)[0]["body"] == BODY


def test_an_overruled_call_at_the_shooting_line_stays_a_call_at_that_line(store: Store) -> None:
    # depot 7b: a disc on the shooting line counts 5; one in the ditch does not.
    playing = Playing(store, rules="depot", options=("line_counts_5",))
    add_reading(store, "r_1", reading_body(seen(1, "dark", 5), seen(2, "light", 15)))
    playing.score(ReadRound("r_1", TEAMS, decisions=(Decision(disc=1, region=0, why="on the line"),)))
    assert playing.rounds[0]["totals"] == [5, 15]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (ReadRound("r_9"), "no reading r_9"),
        (ReadRound("r_1"), "Say which side plays dark and light"),
        (ReadRound("r_1", {"dark": "Carl"}), "no side 'Carl'"),
        (ReadRound("r_1", {"dark": "Anna", "light": "Anna"}), "cannot be the same side"),
        (ReadRound("r_1", TEAMS, {"Carl": 1}), "no side 'Carl'"),
        (ReadRound("r_1", TEAMS, {"Anna": 7}), "Anna has 8 discs"),
        (ReadRound("r_1", TEAMS, decisions=(Decision(disc=9, region=5),)), "no disc 9"),
        (ReadRound("r_1", TEAMS, decisions=(Decision(side="Ben"),)), "which region"),
        (ReadRound("r_1", TEAMS, decisions=(Decision(region=5),)), "which side"),
        (ReadRound("r_1", TEAMS, decisions=(Decision(disc=1, side="red"),)), "no side 'red'"),
        (AmendedRound({"Anna": 1}), "needs a reading"),
        (ToldRound({"Anna": 45}), "Totals are wanted for Anna, Ben"),
        (ToldRound({"Anna": 400, "Ben": 0}), "cannot have 400"),
        (PlacedRound({"Anna": 1, "Ben": 3}), "Places count from 1"),
        (PlacedRound({"Anna": 1, "Ben": 2}, 0), "does not fit"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_leaves_nothing(store: Store, facts: Any, words: str) -> None:
    playing = Playing(store)
    add_reading(store, "r_1", BODY)
    with pytest.raises((Impossible, Unknown), match=words):
        playing.score(facts)
    assert _rows(store, events) == _rows(store, decisions) == []
    assert playing.matches.get(playing.id)["version"] == 1


def test_the_colours_of_the_sides_say_whose_discs_they_are(store: Store) -> None:
    playing = Playing(store, colours={"Ben": "dark"})
    add_reading(store, "r_1", BODY)
    playing.score(ReadRound("r_1"))
    assert playing.rounds[0]["totals"] == [20, 45]


def test_a_correction_replaces_a_round_and_keeps_what_it_was(store: Store) -> None:
    playing = Playing(store)
    _read(playing)
    playing.score(ToldRound({"Anna": 0, "Ben": 20}))
    playing.correct(0, AmendedRound(decisions=(Decision(disc=4, region=10, why="looked"),)), "looked", "Ref")
    first, second = playing.rounds
    assert (first["totals"], first["corrected"], first["reading"]) == ([45, 15], True, "r_1")
    assert (second["totals"], second["corrected"]) == ([0, 20], False)
    kept = {row["disc"]: row for row in _rows(store, decisions)}
    assert {(row["event_number"], row["who"]) for row in kept.values()} == {(2, "Ann"), (2, "Ref")}
    assert (kept[4]["was"]["region"], kept[4]["now"]["region"]) == (15, 10)
    assert kept[None]["was"]["type"] == kept[None]["now"]["type"] == "measured_round"
    assert len(_rows(store, events)) == 3


def test_a_correction_of_a_correction_starts_from_the_last(store: Store) -> None:
    playing = Playing(store)
    _read(playing)
    playing.correct(0, AmendedRound(twenties={"Anna": 2}), "one more", None)
    playing.correct(0, AmendedRound(decisions=(Decision(disc=4, region=10, why="l"),)), "looked", None)
    assert playing.rounds[0]["totals"] == [65, 15]


def test_colours_swapped_in_a_correction_keep_what_people_decided(store: Store) -> None:
    playing = Playing(store)
    decisions_before = (
        Decision(disc=4, region=10, why="it touches"),
        Decision(disc=1, place="off", why="a coin"),
        Decision(disc=3, side="dark", why="a dark one in the light"),
        Decision(side="Ben", region=20, why="hidden by a hand"),
    )
    _read(playing, twenties={"Ben": 2}, decisions=decisions_before)
    # dark 10 + 5, light 10 and the hidden 20; the two handed in are Ben's own, whatever his colour.
    assert playing.rounds[0]["totals"] == [15, 70]
    swapped = {"dark": "Ben", "light": "Anna"}
    playing.correct(0, AmendedRound(teams=swapped), "the colours were swapped", None)
    assert playing.rounds[0]["totals"] == [30, 55]
    assert (playing.rounds[0]["twenties"], playing.rounds[0]["reading"]) == ([1, 2], "r_1")
    assert playing.matches.preview(playing.id, AmendedRound(), 0)["teams"] == swapped
    # A decision beside it says whose a disc is with the colours as they are now; the next starts from there.
    playing.correct(0, AmendedRound(teams=TEAMS, decisions=(Decision(disc=3, side="light"),)), "back", None)
    assert playing.rounds[0]["totals"] == [10, 75]


def test_a_correction_that_cannot_be_says_what_is_wrong_with_it(store: Store) -> None:
    playing = Playing(store)
    _read(playing)
    with pytest.raises(Impossible, match=r"^Anna has 8 discs, not 2 seen and 7 handed in as 20s\.$"):
        playing.correct(0, AmendedRound(twenties={"Anna": 7}), "counted", None)


def test_a_disc_that_was_taken_off_is_put_back_as_it_was_seen(store: Store) -> None:
    playing = Playing(store)
    _read(playing, decisions=(Decision(disc=2, place="off", why="a coin"),))
    assert playing.rounds[0]["totals"] == [35, 20]
    playing.correct(0, AmendedRound(decisions=(Decision(disc=2, region=15, why="a disc"),)), "a disc", None)
    assert playing.rounds[0]["totals"] == [50, 20]


@pytest.mark.parametrize(
    ("teams", "words"),
    [
        ({"dark": "Carl"}, "no side 'Carl'"),
        ({"dark": "Anna", "light": "Anna"}, "cannot be the same side"),
        ({"purple": "Anna"}, "Say which side plays dark and light"),
    ],
)
def test_colours_of_a_correction_must_fit(store: Store, teams: dict[str, str], words: str) -> None:
    playing = Playing(store)
    _read(playing)
    with pytest.raises(Impossible, match=words):
        playing.correct(0, AmendedRound(teams=teams), "x", None)


def test_a_typed_round_takes_20s_but_no_discs(store: Store) -> None:
    playing = Playing(store)
    playing.score(ToldRound({"Anna": 45, "Ben": 20}))
    playing.correct(0, AmendedRound(twenties={"Anna": 2, "Ben": 1}), "counted", None)
    assert playing.rounds[0]["twenties"] == [2, 1]
    with pytest.raises(NotNow, match="correct its totals"):
        playing.correct(0, AmendedRound(decisions=(Decision(disc=1, region=5),)), "x", None)
    with pytest.raises(NotNow, match="correct its totals"):
        playing.correct(0, AmendedRound(teams=TEAMS), "x", None)


def test_a_correction_is_announced_once(store: Store) -> None:
    playing = Playing(store)
    playing.score(ToldRound({"Anna": 45, "Ben": 25}))
    playing.correct(0, ToldRound({"Anna": 45, "Ben": 20}), "misheard", None)
    assert [message["announce"] for message in playing.messages()] == [
        None,
        None,
        "round 1 corrected: Anna 45, Ben 20",
    ]
    assert playing.messages()[-1]["what"] == {"kind": "correction", "game": 1, "round": 1, "event": 0}


def test_only_a_scored_round_in_force_can_be_corrected(store: Store) -> None:
    playing = Playing(store)
    playing.penalty("Ben", 1, "late")
    playing.score(ToldRound({"Anna": 45, "Ben": 25}))
    playing.undo()
    for event in (0, 1, 7):
        with pytest.raises(Unknown, match="not a scored round"):
            playing.correct(event, ToldRound({"Anna": 5, "Ben": 0}), "x", None)


def test_the_likeliest_corrections_come_first_and_fit(store: Store) -> None:
    playing = Playing(store)
    body = reading_body(
        seen(1, "dark", 15),
        seen(2, "light", 15, verdict="too_close", touch=0.45),
        seen(3, "dark", 10, verdict="too_close", touch=0.2),
        elsewhere(4, "light", "hole", 15),
    )
    add_reading(store, "r_1", body)
    playing.score(ReadRound("r_1", TEAMS))
    found = playing.matches.suggestions(playing.id, 0)
    assert [(each["words"], each["probability"], each["decides"]) for each in found] == [
        ("disc 2 is on the 15 line", 0.45, True),
        ("disc 3 is on the 10 line", 0.2, True),
        ("disc 4 lies flat in the hole", None, False),
    ]
    # Each says what the round would be, and sending it makes it so.
    for each in found:
        sent = each["correction"]["decisions"][0]
        decision = Decision(**sent)
        playing.correct(0, AmendedRound(decisions=(decision,)), each["correction"]["reason"], None)
        assert playing.rounds[0]["totals"] == each["round"]["totals"], each["words"]
        playing.undo()
    settled = AmendedRound(decisions=(Decision(disc=2, region=15, why="daylight"),))
    playing.correct(0, settled, "daylight", None)
    assert next(each["words"] for each in playing.matches.suggestions(playing.id, 0)).startswith("disc 3")


def test_a_preview_tells_what_scoring_gives_and_stores_nothing(store: Store) -> None:
    playing = Playing(store)
    add_reading(store, "r_1", BODY)
    facts = ReadRound("r_1", TEAMS)
    shown = playing.matches.preview(playing.id, facts)
    assert (shown["totals"], shown["words"], shown["round"]) == ([45, 20], "Anna 45, Ben 20", 1)
    assert [(disc["id"], disc["points"]) for disc in shown["discs"]] == [
        (1, 15),
        (2, 10),
        (3, 5),
        (4, 15),
        (5, 0),
    ]
    assert [(each["disc"], each["decides"]) for each in shown["needs_review"]] == [(4, False)]
    assert playing.matches.get(playing.id)["version"] == 1
    playing.score(facts)
    assert playing.match["state"] == shown["state"]


def test_a_preview_of_a_correction_shows_that_round(store: Store) -> None:
    playing = Playing(store)
    playing.score(ToldRound({"Anna": 45, "Ben": 25}))
    playing.score(ToldRound({"Anna": 5, "Ben": 25}))
    shown = playing.matches.preview(playing.id, ToldRound({"Anna": 25, "Ben": 25}), 0)
    assert (shown["event"], shown["round"], shown["winner"], shown["awarded"]) == (0, 1, None, [1, 1])


def test_three_sides_share_the_placings(store: Store) -> None:
    # depot 7d: 8, 6, 4; two who tie share what their places give.
    playing = Playing(store, rules="depot", lineup=Lineup.single("Anna", "Ben", "Cleo"))
    playing.score(PlacedRound({"Anna": 2, "Ben": 1, "Cleo": 2}))
    assert playing.rounds[0]["awarded"] == [5, 8, 5]

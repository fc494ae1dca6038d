"""The benchmarks' own scoring, on made-up discs."""

from __future__ import annotations

from benchmarks.matching import ReadDisc, Tally, TrueDisc, match, tally, team_names, totals_exact


def true(x=0.0, y=0.0, team="wood", points=10, in_play=True, required=True):
    return TrueDisc(x, y, 10.0, team, in_play, points, required)


def read(x=0.0, y=0.0, team="light", points=10, in_play=True):
    return ReadDisc(x, y, team, in_play, points)


def test_a_disc_is_matched_up_to_six_tenths_of_its_radius():
    assert match([true()], [read(5.9)]) == {0: 0}
    assert match([true()], [read(6.1)]) == {}


def test_matching_pairs_as_many_as_it_can_before_it_looks_at_distance():
    # the first of ours is nearest to both; giving it to the second leaves a partner for the first
    pairs = match([true(0), true(9)], [read(4.5), read(-5)])
    assert pairs == {0: 1, 1: 0}


def test_no_disc_is_matched_twice():
    assert len(match([true(), true(1)], [read()])) == 1


def test_nothing_to_match_gives_no_pairs():
    assert match([], [read()]) == match([true()], []) == {}


def test_teams_follow_the_majority_of_the_matched_discs():
    truth = [true(0, team="wood"), true(50, team="wood"), true(100, team="wood"), true(150, team="black")]
    mine = [read(0, team="light"), read(50, team="light"), read(100, team="dark"), read(150, team="dark")]
    pairs = match(truth, mine)
    names = team_names(truth, mine, pairs, {"wood": 30, "black": 10}, {"dark": 20, "light": 20})
    assert names == {"wood": "light", "black": "dark"}


def test_without_matched_discs_the_better_totals_decide_the_teams():
    names = team_names([], [], {}, {"wood": 30, "black": 10}, {"dark": 10, "light": 30})
    assert names == {"wood": "light", "black": "dark"}


def test_a_labelled_team_may_be_missing_in_ours():
    truth, mine = [true(team="wood")], [read(team="light")]
    names = team_names(truth, mine, {0: 0}, {"wood": 10, "black": 0}, {"light": 10})
    assert names == {"wood": "light", "black": None}
    assert totals_exact({"wood": 10, "black": 0}, {"light": 10}, names)


def test_totals_are_not_exact_when_a_further_team_of_ours_has_points():
    names = {"wood": "light", "black": "dark"}
    truth = {"wood": 10, "black": 0}
    assert totals_exact(truth, {"light": 10, "dark": 0, "red": 0}, names)
    assert not totals_exact(truth, {"light": 10, "dark": 0, "red": 5}, names)
    assert not totals_exact(truth, {"light": 10, "dark": 5}, names)


def test_one_photo_is_counted_in_play_and_elsewhere_apart():
    truth = [
        true(0, points=15),
        true(50, points=10),
        true(100, points=5),
        true(150, points=0, in_play=False),
        true(200, points=0, in_play=False),
    ]
    mine = [
        read(0, points=15),
        read(50, points=5, team="dark"),
        read(150, points=0, in_play=False),
        read(300, points=5),
        read(350, points=0, in_play=False),
    ]
    counts = tally(truth, mine, match(truth, mine), {"wood": "light", "black": "dark"})
    assert counts == Tally(
        in_play=3,
        found=2,
        missed=1,
        invented=1,
        points_right=1,
        team_wrong=1,
        elsewhere=2,
        elsewhere_found=1,
        elsewhere_missed=1,
        elsewhere_invented=1,
        elsewhere_scored=0,
    )


def test_a_disc_beside_the_board_that_was_given_points_is_found_and_counted_as_scored():
    truth, mine = [true(points=0, in_play=False)], [read(points=5)]
    counts = tally(truth, mine, {0: 0}, {"wood": "light"})
    assert (counts.elsewhere_found, counts.elsewhere_scored, counts.invented) == (1, 1, 0)


def test_a_hidden_disc_is_neither_missed_nor_invented():
    hidden = true(required=False)
    assert tally([hidden], [], {}, {}) == Tally()
    assert tally([hidden], [read()], {0: 0}, {"wood": "light"}) == Tally(in_play=1, found=1, points_right=1)


def test_tallies_add_up():
    assert Tally(in_play=2, found=1) + Tally(in_play=1, missed=3) == Tally(in_play=3, found=1, missed=3)

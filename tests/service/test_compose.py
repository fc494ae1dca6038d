from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.measured import Measured
from scoring.presets import preset
from scoring.rules import Rules
from service.compose import NO_DISCS, NO_TWENTIES, compose
from service.errors import UsageError
from service.reading_json import reading_json
from service.sides import Sides
from tests.service.documented import check_reading
from tests.service.readings import disc, reading
from vision.reading import LineGap, Place, SeenDisc, Verdict

NCA = preset("nca")


def read(*discs: SeenDisc, sides: Sides | None = None, **rest: object) -> dict[str, object]:
    return reading_json(compose(reading(*discs, **rest), NCA, sides or Sides()))


def test_the_reading_is_exactly_as_documented():
    made = read(
        disc(1, line=15, mm=0.84, sigma=0.21),
        disc(2, "light", place=Place.HOLE),
        disc(3, "light", place=Place.DITCH),
        warnings=("half the board is outside the photo",),
        sides=Sides({"dark": "Anna"}, {"dark": 2}),
    )
    assert made == {
        "photo": "a.jpg",
        "width_px": 120,
        "height_px": 80,
        "equipment": "standard",
        "ring_radii_mm": [101.6, 203.2, 304.8],
        "geometry": "preset",
        "board": {
            "centre_px": [60.0, 40.1],
            "tilt_deg": 14.2,
            "fit_rms_px": 0.31,
            "camera": "exif",
            "lines_px": {
                "15": [[70.0, 40.0], [60.0, 50.0], [50.0, 40.0]],
                "10": [[80.0, 40.0], [60.0, 60.0], [40.0, 40.0]],
                "5": [[90.0, 40.0], [60.0, 70.0], [30.0, 40.0]],
            },
        },
        "discs": [
            {
                "id": 1,
                "team": "dark",
                "colour": "#3a2f2b",
                "place": "board",
                "pixel": [10.0, 20.0],
                "x_mm": -61.2,
                "y_mm": 33.8,
                "sigma_mm": 0.12,
                "region": 15,
                "points": 15,
                "line": {
                    "name": "15",
                    "clearance_mm": 0.84,
                    "sigma_mm": 0.21,
                    "touch_probability": 0.0,
                    "verdict": "clear",
                },
            },
            {
                "id": 2,
                "team": "light",
                "colour": "#e0c9a0",
                "place": "hole",
                "pixel": [20.0, 20.0],
                "x_mm": -61.2,
                "y_mm": 33.8,
                "sigma_mm": 0.12,
                "region": 20,
                "points": 20,
                "line": None,
            },
            {
                "id": 3,
                "team": "light",
                "colour": "#e0c9a0",
                "place": "ditch",
                "pixel": [30.0, 20.0],
                "x_mm": -61.2,
                "y_mm": 33.8,
                "sigma_mm": 0.12,
                "region": 0,
                "points": 0,
                "line": None,
            },
        ],
        "sides": [
            {"team": "dark", "name": "Anna", "board": 15, "twenties": 2, "total": 55},
            {"team": "light", "name": None, "board": 20, "twenties": 0, "total": 20},
        ],
        "round": {"winner": "dark", "difference": 35},
        "needs_review": [],
        "warnings": ["half the board is outside the photo"],
    }


def test_no_disc_is_a_tie_at_nothing():
    made = read(teams=())
    assert [side["total"] for side in made["sides"]] == [0, 0]
    assert made["round"] == {"winner": None, "difference": 0}
    assert made["warnings"] == [NO_DISCS, NO_TWENTIES]


def test_a_disc_beside_the_board_is_told_but_plays_no_part():
    made = read(disc(1, line=10), disc(2, "green", place=Place.OFF))
    assert made["discs"][1]["points"] == 0
    assert [side["team"] for side in made["sides"]] == ["dark", "light"]


def test_missing_twenties_are_said_and_none_are_invented():
    assert read(disc(1, line=15))["warnings"] == [NO_TWENTIES]
    assert read(disc(1, line=15), sides=Sides(twenties={"light": 0}))["warnings"] == []


def test_a_team_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="dark and light"):
        read(disc(1, line=15), sides=Sides(twenties={"red": 1}))


def whys(*discs: SeenDisc, rules: Rules = NCA) -> list[tuple[int, str]]:
    return [(each.disc, each.why) for each in compose(reading(*discs), rules, Sides()).review]


def test_nothing_close_needs_no_review():
    assert whys(disc(1, line=15), disc(2, "light", line=10)) == []


def test_a_close_disc_that_changes_nothing_for_the_winner():
    discs = disc(1, line=15, mm=0.1), disc(2, line=15), disc(3, line=15)
    assert whys(*discs) == [(1, "too close to the 15 line: 0.1 ± 0.2 mm; counted 15, or 10 if it touches")]


def test_a_close_disc_that_decides_the_round():
    [(disc_id, why)] = whys(disc(1, line=15, mm=0.1), disc(2, "light", line=15))
    assert disc_id == 1
    assert why == (
        "too close to the 15 line: 0.1 ± 0.2 mm; counted 15, or 10 if it touches, and then light wins by 5"
    )


def test_a_close_disc_more_likely_touching():
    [(_, why)] = whys(disc(1, line=15, mm=-0.1), disc(2, "light", line=15))
    assert why == (
        "too close to the 15 line: -0.1 ± 0.2 mm; "
        "counted 10, or 15 if it is clear, and then the round is a tie"
    )


def test_a_close_disc_that_decides_only_with_another():
    found = whys(
        disc(1, line=15, mm=0.1),
        disc(2, line=15, mm=0.1),
        disc(3, "light", line=10),
        disc(4, "light", line=10),
    )
    assert [why.endswith("and then the round is a tie") for _, why in found] == [False, False]
    assert all("which with another close disc decides the round" in why for _, why in found)


def test_a_close_disc_on_which_no_points_hang():
    [(_, why)] = whys(disc(1, line=5, mm=0.05), rules=preset("depot", "line_counts_5"))
    assert why.endswith("counted 5 either way")


@pytest.mark.parametrize(
    ("mm", "sigma", "words"),
    [(0.123, 0.21, "0.1 ± 0.2 mm"), (-0.01, 0.3, "0.0 ± 0.3 mm"), (0.03, 0.04, "0.03 ± 0.04 mm")],
)
def test_gaps_are_told_as_finely_as_they_are_known(mm, sigma, words):
    [(_, why)] = whys(disc(1, line=15, mm=mm, sigma=sigma))
    assert f"15 line: {words};" in why


def test_a_gap_that_cannot_be_measured():
    nothing_known = LineGap(15, Measured(0.5, math.inf), 0.5, Verdict.TOO_CLOSE)
    seen = SeenDisc(1, "dark", "#000000", Place.BOARD, (1.0, 2.0), 3.0, 4.0, math.inf, nothing_known, (), ())
    [(_, why)] = whys(seen)
    assert why.startswith("too close to the 15 line: the gap cannot be measured; counted 10")
    made = read(seen)
    assert made["discs"][0]["sigma_mm"] is None
    assert check_reading(json.dumps(made, allow_nan=False)) == made


def test_a_leaner_is_fifteen_and_looked_at():
    leaner = disc(1, place=Place.HOLE, flat=False)
    made = read(leaner)
    assert (made["discs"][0]["place"], made["discs"][0]["region"]) == ("hole", 15)
    assert whys(leaner) == [(1, "leans on the hole's edge; counted 15, or 20 if it lies flat in the hole")]


def test_a_leaner_that_decides_the_round():
    leaner = disc(2, place=Place.HOLE, flat=False, doubt="leans on the edge: check it")
    made = compose(reading(disc(1, "light", line=15), leaner), NCA, Sides({"dark": "Anna"}))
    [review] = made.review
    assert review.decides
    assert review.why == (
        "leans on the edge: check it; counted 15, or 20 if it lies flat in the hole, "
        "and then Anna (dark) wins by 5"
    )


def test_doubts_are_passed_on():
    assert whys(disc(1, line=15, doubt="half in shadow")) == [(1, "half in shadow")]


def test_a_disc_with_two_reasons_is_listed_once():
    [(_, why)] = whys(disc(1, line=15, mm=0.1, doubt="half in shadow"))
    assert why.startswith("too close to the 15 line: ")
    assert why.endswith("; half in shadow")


@pytest.mark.parametrize("place", [Place.DITCH, Place.OFF])
def test_a_doubt_about_a_disc_out_of_play_is_told_too(place):
    assert whys(disc(1, place=place, doubt="may be a cup")) == [(1, "may be a cup")]


def test_the_names_of_sides_are_used_in_the_reasons():
    made = compose(reading(disc(1, line=15, mm=0.1), disc(2, "light", line=15)), NCA, Sides({"light": "Ben"}))
    assert made.review[0].why.endswith("and then Ben (light) wins by 5")


def test_the_result_says_what_it_rests_on():
    seen = reading(disc(1, line=15))
    assert compose(seen, NCA, Sides()).result_words == (
        "dark wins the round by 15 if no 20s were removed during play"
    )
    given_none = compose(seen, NCA, Sides({"dark": "Anna"}, {"light": 0}))
    assert given_none.result_words == "Anna (dark) wins the round by 15"
    assert compose(reading(), NCA, Sides(twenties={"dark": 0})).result_words == "The round is a tie"


def test_what_decides_comes_first():
    found = whys(
        disc(1, line=15, doubt="half in shadow"),
        disc(2, line=15, mm=0.1),
        disc(3, "light", line=15),
        disc(4, "light", line=15),
    )
    assert [disc_id for disc_id, _ in found] == [2, 1]


@st.composite
def readings(draw: st.DrawFn):
    discs = []
    for id in range(1, draw(st.integers(0, 12)) + 1):
        place = draw(st.sampled_from(Place))
        on_board = place is Place.BOARD
        discs.append(
            disc(
                id,
                draw(st.sampled_from(["dark", "light"])),
                line=draw(st.sampled_from([15, 10, 5])) if on_board else None,
                mm=draw(st.floats(-4, 40)),
                sigma=draw(st.floats(0.01, 2)),
                place=place,
                flat=draw(st.booleans()) if place is Place.HOLE else True,
                doubt=draw(st.none() | st.just("half in shadow")),
            )
        )
    return reading(*discs)


@given(readings(), st.integers(0, 12))
def test_every_reading_is_valid_json_and_adds_up(seen, twenties):
    made = reading_json(compose(seen, NCA, Sides(twenties={"dark": twenties})))
    assert check_reading(json.dumps(made, allow_nan=False)) == made
    for side in made["sides"]:
        assert side["board"] == sum(each["points"] for each in made["discs"] if each["team"] == side["team"])
    reviewed = {entry["disc"] for entry in made["needs_review"]}
    unsure = {
        each.id for each in seen.discs if each.gap is not None and each.gap.verdict is Verdict.TOO_CLOSE
    }
    leaning = {each.id for each in seen.discs if not each.flat}
    doubted = {each.id for each in seen.discs if each.doubt is not None}
    assert reviewed == unsure | leaning | doubted

"""Whole photos, read: the rendered samples, whose truth is exact."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.equipment import Equipment
from calibration.errors import NoBoardError
from calibration.pixels import AtHand
from scoring.presets import preset
from service.compose import ScoredPhoto, compose
from service.sides import Sides
from vision.picture import Picture, load_picture
from vision.read import read_picture
from vision.reading import Place, SeenDisc

SAMPLES = Path(__file__).parents[2] / "sample_images"
SHRUNK = 0.7
STANDARD_MM = (101.6, 203.2, 304.8)
NAMES = ("kitchen-table", "white-board", "blue-on-the-floor")
IN_PLAY = (Place.BOARD, Place.HOLE)


@dataclass(frozen=True)
class Sample:
    truth: dict[str, Any]
    picture: Picture


@cache
def sample(name: str) -> Sample:
    """A sample and its truth, smaller than it is, for speed."""
    full = load_picture(SAMPLES / f"{name}.jpg")
    rgb = np.asarray(cv2.resize(full.rgb, None, fx=SHRUNK, fy=SHRUNK, interpolation=cv2.INTER_AREA), np.uint8)
    size = (rgb.shape[1], rgb.shape[0]) if full.exif_size_px else None
    truth = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return Sample(truth, Picture(AtHand(rgb), name, full.format, full.focal_35mm, size))


def scored(picture: Picture, equipment: Equipment | None = None) -> ScoredPhoto:
    return compose(read_picture(picture, equipment), preset("nca"), Sides())


@cache
def read(name: str) -> ScoredPhoto:
    return scored(sample(name).picture)


def paired(name: str) -> list[tuple[dict[str, Any], SeenDisc]]:
    """Each true disc in play with the one that was read where it is."""
    seen = read(name).seen.discs
    at_px = np.array([disc.pixel for disc in seen]) / SHRUNK
    pairs = []
    for true in sample(name).truth["discs"]:
        if true["place"] in IN_PLAY:
            away = np.hypot(*(at_px - true["pixel"]).T)
            # what lies in the hole is placed to a few millimetres
            assert away.min() < (20.0 if true["place"] == "hole" else 5.0), true
            pairs.append((true, seen[int(away.argmin())]))
    assert len({disc.id for _, disc in pairs}) == len(pairs)
    return pairs


@pytest.mark.parametrize("name", NAMES)
def test_each_side_has_its_total(name: str) -> None:
    teams = {(true["team"], disc.team) for true, disc in paired(name)}
    assert len(teams) == len(dict(teams)) == 2
    totals = {side.side: side.total for side in read(name).score.sides}
    assert {true: totals[word] for true, word in teams} == sample(name).truth["totals"]


@pytest.mark.parametrize("name", NAMES)
def test_each_disc_is_where_it_is_and_in_its_region(name: str) -> None:
    pairs = paired(name)
    for true, disc in pairs:
        assert (disc.place, disc.flat) == (true["place"], not true["leaning"])
        assert read(name).regions[disc.id] == true["region"]
    # nothing else has points
    counted = {disc.id for _, disc in pairs}
    assert all(points == 0 for number, points in read(name).points.items() if number not in counted)


@pytest.mark.parametrize("name", NAMES)
def test_each_centre_is_within_a_millimetre(name: str) -> None:
    on_board = [(true, disc) for true, disc in paired(name) if true["place"] == "board"]
    real = np.array([complex(true["x_mm"], true["y_mm"]) for true, _ in on_board])
    ours = np.array([complex(disc.x_mm, disc.y_mm) for _, disc in on_board])
    # which way x points is the reader's own choice
    turn = (ours * real.conj()).sum()
    assert np.abs(ours * abs(turn) / turn - real).max() < 1.0


@pytest.mark.parametrize("name", NAMES)
def test_the_geometry_is_preset_for_a_standard_board_and_measured_for_another(name: str) -> None:
    true_mm = sample(name).truth["equipment"]["ring_radii_mm"]
    seen = read(name).seen
    assert seen.geometry == ("preset" if tuple(true_mm) == STANDARD_MM else "measured")
    assert seen.ring_radii_mm == pytest.approx(true_mm, abs=0.9)
    assert any("not the standard's" in warning for warning in seen.warnings) == (seen.geometry == "measured")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_is_whole(name: str) -> None:
    seen, truth = read(name).seen, sample(name).truth
    assert [disc.id for disc in seen.discs] == list(range(1, len(seen.discs) + 1))
    assert {disc.team for disc in seen.discs} <= set(seen.teams)
    assert (seen.photo, seen.width_px) == (name, sample(name).picture.width_px)
    assert np.hypot(*(np.array(seen.board.centre_px) / SHRUNK - truth["centre_px"])) < 2.0
    assert set(seen.board.lines_px) == {15, 10, 5}
    for disc in seen.discs:
        assert (disc.gap is not None) == (disc.place is Place.BOARD)
        assert 0.0 < disc.sigma_mm < 6.0
        reach = np.hypot(*(np.array(disc.outline_px) - disc.pixel).T)
        assert 4.0 < reach.min() <= reach.max() < 60.0


def test_a_quarter_turn_changes_no_region() -> None:
    before, truth = read("white-board"), sample("white-board")
    turned = Picture(
        AtHand(np.ascontiguousarray(np.rot90(truth.picture.rgb))), "turned", "JPEG", truth.picture.focal_35mm
    )
    after = scored(turned)
    width = truth.picture.width_px
    for disc in before.seen.discs:
        if disc.place not in IN_PLAY:
            continue
        at = np.array([disc.pixel[1], width - 1 - disc.pixel[0]])
        other = min(after.seen.discs, key=lambda one: float(np.hypot(*(one.pixel - at))))
        assert np.hypot(*(other.pixel - at)) < 3.0
        assert (other.place, other.team) == (disc.place, disc.team)
        assert after.regions[other.id] == before.regions[disc.id]
    assert [side.total for side in after.score.sides] == [side.total for side in before.score.sides]


def test_equipment_that_is_given_is_used() -> None:
    seen = scored(sample("white-board").picture, Equipment())
    assert seen.seen.geometry == "file"
    assert seen.seen.ring_radii_mm == STANDARD_MM
    assert seen.seen.warnings == ()
    assert seen.regions == read("white-board").regions


@pytest.mark.parametrize("kind", ["noise", "grey"])
def test_no_board_is_said_so(kind: str) -> None:
    rgb = np.random.default_rng(5).integers(0, 256, (240, 320, 3), dtype=np.uint8)
    with pytest.raises(NoBoardError):
        read_picture(Picture(AtHand(rgb if kind == "noise" else np.full_like(rgb, 128)), kind, "PNG"))

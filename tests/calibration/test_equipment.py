from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.equipment import (
    PRESETS,
    Board,
    Disc,
    Equipment,
    EquipmentError,
    equipment_from_toml,
    load_equipment,
)
from tests.calibration.strategies import equipments

WHOLE_FILE = """
name = "my board"
[board]
ring_diameters_mm = [210, 410.5, 620.25]
line_width_mm = 2.4
hole_diameter_mm = 36
surface_diameter_mm = 670.0
peg_diameter_mm = 9.5
peg_height_mm = 12.7
peg_count = 0
[disc]
diameter_mm = 30.0
bottom_diameter_mm = 28.0
thickness_mm = 9.5
"""


@given(equipments())
def test_an_equipment_file_reads_back_as_the_same_equipment(equipment):
    assert equipment_from_toml(equipment.to_toml()) == equipment


@given(equipments())
def test_radii_are_half_the_diameters_and_grow_outwards(equipment):
    inner, middle, outer = equipment.ring_radii_mm
    assert (2 * inner, 2 * middle, 2 * outer) == pytest.approx(equipment.board.ring_diameters_mm)
    assert equipment.disc.bottom_radius_mm <= equipment.disc.radius_mm < equipment.board.hole_radius_mm
    assert equipment.board.hole_radius_mm < inner < middle < outer <= equipment.board.surface_radius_mm


@given(equipments(), st.sampled_from(["board", "disc"]), st.data())
def test_no_number_that_is_not_a_size_gets_in(equipment, room, data):
    part = getattr(equipment, room)
    key = data.draw(st.sampled_from([key.name for key in fields(part) if key.name != "peg_count"]))
    bad = data.draw(st.sampled_from([0.0, -1.0, math.nan, math.inf, -math.inf, 1e9]))
    value = (bad, *part.ring_diameters_mm[1:]) if key == "ring_diameters_mm" else bad
    with pytest.raises(EquipmentError, match=rf"{room}\.{key}"):
        replace(part, **{key: value})


def test_the_standard_is_the_tournament_board():
    standard = load_equipment("standard")
    assert standard == Equipment()
    assert standard.ring_radii_mm == pytest.approx((101.6, 203.2, 304.8))
    assert standard.disc.bottom_diameter_mm == 29.2


def test_a_whole_file_is_taken_as_it_stands():
    equipment = equipment_from_toml(WHOLE_FILE)
    assert equipment.name == "my board"
    assert equipment.board == Board((210.0, 410.5, 620.25), 2.4, 36.0, 670.0, 9.5, 12.7, 0)
    assert equipment.disc == Disc(30.0, 28.0, 9.5)


@pytest.mark.parametrize("text", ["", "[board]", "[disc]\n[board]\n"])
def test_missing_keys_take_the_standards_values(text):
    assert equipment_from_toml(text) == Equipment(name="unnamed")


def test_one_key_changes_nothing_else():
    equipment = equipment_from_toml('name = "wide"\n[board]\nline_width_mm = 3.0\n')
    assert equipment == Equipment("wide", replace(Board(), line_width_mm=3.0))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[board]\nline_widht_mm = 2", "board.line_widht_mm"),
        ("[disk]\ndiameter_mm = 30", "disk is not a key"),
        ("rings = [1, 2, 3]", "rings is not a key"),
        ("name = 3", "name"),
        ('name = ""', "name"),
        ('name = "a\\nb"', "name"),
        ("board = 3", "board must be a section"),
        ("[board]\nring_diameters_mm = [8, 16, 24]", "board.ring_diameters_mm"),
        ("[board]\nring_diameters_mm = [203.2, 406.4]", "board.ring_diameters_mm"),
        ("[board]\nring_diameters_mm = 203.2", "board.ring_diameters_mm"),
        ("[board]\nring_diameters_mm = [203.2, '406', 609.6]", "board.ring_diameters_mm"),
        ("[board]\nring_diameters_mm = [609.6, 406.4, 203.2]", "board.ring_diameters_mm"),
        ("[board]\nring_diameters_mm = [203.2, 205.0, 609.6]", "board.ring_diameters_mm"),
        ("[board]\nring_diameters_mm = [30.0, 406.4, 609.6]", "board.ring_diameters_mm"),
        ("[board]\nsurface_diameter_mm = 600.0", "board.surface_diameter_mm"),
        ("[board]\nline_width_mm = true", "board.line_width_mm"),
        ("[board]\nline_width_mm = 'thin'", "board.line_width_mm"),
        ("[board]\nline_width_mm = nan", "board.line_width_mm"),
        ("[board]\npeg_count = 8.0", "board.peg_count"),
        ("[board]\npeg_count = true", "board.peg_count"),
        ("[board]\npeg_count = -1", "board.peg_count"),
        ("[disc]\nbottom_diameter_mm = 33.0", "disc.bottom_diameter_mm"),
        ("[disc]\nthickness_mm = 32.0", "disc.thickness_mm"),
        ("[disc]\ndiameter_mm = 36.0", "disc.diameter_mm"),
        ("[board", "not an equipment file"),
    ],
)
def test_what_cannot_be_a_board_is_refused_by_the_keys_name(text, named):
    with pytest.raises(EquipmentError) as refusal:
        equipment_from_toml(text)
    assert named in str(refusal.value)


def test_every_preset_loads_by_its_own_name():
    assert [load_equipment(name).name for name in PRESETS] == list(PRESETS)


@pytest.mark.parametrize(
    ("name", "disc_mm", "hole_mm"), [("traditional", 28.57, 31.75), ("mini", 27.78, 31.75)]
)
def test_the_smaller_discs_are_the_sizes_they_are_sold_in(name, disc_mm, hole_mm):
    equipment = load_equipment(name)
    assert equipment.disc.diameter_mm == pytest.approx(disc_mm, abs=0.01)
    assert equipment.board.hole_diameter_mm == pytest.approx(hole_mm, abs=0.01)
    assert equipment.ring_radii_mm == Equipment().ring_radii_mm


def test_a_path_loads_the_file(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(WHOLE_FILE, encoding="utf-8")
    assert load_equipment(str(file)) == equipment_from_toml(WHOLE_FILE)


def test_neither_preset_nor_file_lists_the_presets():
    with pytest.raises(EquipmentError, match=r"'standrad' is neither .*standard, traditional, mini"):
        load_equipment("standrad")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"[board]\nline_width_mm = 0"])
def test_a_bad_file_is_named(tmp_path: Path, content: bytes):
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with pytest.raises(EquipmentError, match=r"bad\.toml"):
        load_equipment(str(file))


def test_equipment_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Equipment().board.line_width_mm = 3.0  # type: ignore[misc]

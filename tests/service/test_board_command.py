"""``calibrate board`` as people run it."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from calibration.equipment import load_equipment
from service.cli import app
from service.errors import ExitStatus
from tests.drawn import Drawing, drawn, view_of
from tests.pictures import noise
from tests.service.test_cli import crokinole
from tests.vision.linecall_scenes import photographed

SIZE_PX = (850, 850)
EMPTY = Drawing(radii_mm=(104.0, 214.0, 304.8), line_mm=2.2, surface_mm=334.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("board")
    Image.fromarray(drawn(view_of(6, size_px=SIZE_PX), EMPTY, SIZE_PX)).save(made / "empty.png")
    Image.fromarray(photographed("b").rgb).save(made / "played.png")
    noise((320, 240)).save(made / "noise.png")
    return made


def calibrate(*words: str | Path, cwd: Path) -> Result:
    """The command within this process, which saves the time of starting one."""
    with chdir(cwd):
        return CliRunner().invoke(app, ["calibrate", "board", *map(str, words)])


def test_the_file_that_is_written_is_one_that_equipment_takes(folder: Path, tmp_path: Path):
    out = tmp_path / "mine.toml"
    run = crokinole("calibrate", "board", "empty.png", "-o", out, "--name", "mine", cwd=folder)
    assert run.returncode == 0
    assert "discs" not in run.stderr
    for word in ("15 line", "10 line", "5 line", "hole", "surface", "scale", "24 inches"):
        assert word in run.stdout
    mine = load_equipment(str(out))
    assert mine.name == "mine"
    assert mine.board.ring_diameters_mm == pytest.approx([208.0, 428.0, 609.6], abs=1.5)
    assert mine.board.surface_diameter_mm == pytest.approx(668.0, abs=2.0)


def test_without_a_file_it_is_printed(folder: Path, tmp_path: Path):
    run = calibrate("empty.png", "--ring-5-mm", "600", cwd=folder)
    assert run.exit_code == 0
    (tmp_path / "printed.toml").write_text(run.stdout, encoding="utf-8")
    board = load_equipment(str(tmp_path / "printed.toml")).board
    assert board.ring_diameters_mm[2] == pytest.approx(600.0)
    assert "given as 600 mm" in run.stdout


def test_the_surface_may_set_the_scale(folder: Path):
    run = calibrate("empty.png", "--surface-mm", "660", cwd=folder)
    assert run.exit_code == 0
    assert "surface_diameter_mm = 660" in run.stdout


def test_a_file_is_not_written_over_unless_that_is_asked_for(folder: Path, tmp_path: Path):
    out = tmp_path / "mine.toml"
    out.write_text("precious", encoding="utf-8")
    run = calibrate("empty.png", "-o", out, cwd=folder)
    assert (run.exit_code, out.read_text(encoding="utf-8")) == (ExitStatus.USAGE, "precious")
    assert "--force" in run.stderr
    assert calibrate("empty.png", "-o", out, "--force", cwd=folder).exit_code == 0
    assert load_equipment(str(out)).name == "my board"


def test_discs_on_the_board_are_told(folder: Path):
    run = calibrate("played.png", cwd=folder)
    assert run.exit_code == 0
    assert "6 discs lie on the board" in run.stderr


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("none.png",), 3, "none.png: there is no such file"),
        (("noise.png",), 4, "noise.png: no crokinole board"),
        (("empty.png", "-o", "mine.txt"), 2, "must end in .toml"),
        (("empty.png", "-o", "none/mine.toml"), 2, "there is no folder"),
        (("empty.png", "--ring-5-mm", "24"), 2, "--ring-5-mm cannot be 24"),
        (("empty.png", "--ring-5-mm", "nan"), 2, "--ring-5-mm cannot be nan"),
        (("empty.png", "--ring-5-mm", "600", "--surface-mm", "650"), 2, "one length"),
        (("empty.png", "--name", ""), 2, "--name must be"),
        (("empty.png", "--camera", "none.toml"), 2, "there is no camera file"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(folder: Path, words: tuple[str, ...], status: int, said: str):
    run = calibrate(*words, cwd=folder)
    assert (run.exit_code, run.stdout) == (status, "")
    assert said in run.stderr
    assert len(run.stderr.splitlines()) == 1

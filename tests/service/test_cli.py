"""The installed command as people run it: a process of its own, real files, real exit statuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from PIL import Image

from calibration.equipment import PRESETS, equipment_from_toml
from scoring.presets import preset_names
from tests.pictures import BAD_FILES, encoded

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_images"


def crokinole(*words: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from service.cli import main; main()", *map(str, words)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def sample() -> Path:
    return next(path for path in sorted(SAMPLES.iterdir()) if path.suffix in {".jpg", ".png"})


@pytest.fixture
def bad_photos(tmp_path: Path) -> dict[str, str]:
    """Every bad file by path, with the code it is refused with."""
    codes = {}
    for name, (data, code) in BAD_FILES.items():
        (tmp_path / name).write_bytes(data)
        codes[str(tmp_path / name)] = code
    os.mkfifo(tmp_path / "pipe.jpg")
    return codes | {
        str(tmp_path / "none.jpg"): "missing",
        str(tmp_path): "not_a_file",
        str(tmp_path / "pipe.jpg"): "not_a_file",
    }


def test_each_bad_photo_is_one_clear_line_and_status_3(bad_photos):
    run = crokinole("score", *bad_photos)
    assert run.returncode == 3
    assert run.stdout == ""
    lines = run.stderr.splitlines()
    assert [line.split(": ")[1] for line in lines] == list(bad_photos)
    assert all(line.startswith("crokinole: ") for line in lines)


def test_bad_photos_in_json_stand_in_their_place(bad_photos):
    run = crokinole("score", "--json", *bad_photos)
    assert (run.returncode, run.stderr) == (3, "")
    found = {line["photo"]: line["error"]["code"] for line in map(json.loads, run.stdout.splitlines())}
    assert found == bad_photos


def test_photos_around_a_bad_one_are_still_read(tmp_path: Path):
    (tmp_path / "text.jpg").write_bytes(BAD_FILES["text.jpg"][0])
    run = crokinole("score", "--json", sample(), tmp_path / "text.jpg", sample())
    assert run.returncode == 3
    first, bad, last = map(json.loads, run.stdout.splitlines())
    assert bad["error"]["code"] == "not_a_picture"
    assert first["discs"]
    assert first == last


def test_black_is_a_picture_without_a_board(tmp_path: Path):
    (tmp_path / "black.jpg").write_bytes(encoded(Image.new("RGB", (800, 600)), "JPEG"))
    run = crokinole("score", "black.jpg", "none.jpg", cwd=tmp_path)
    assert run.returncode == 4
    assert run.stdout == ""
    first, second = run.stderr.splitlines()
    assert first.startswith("crokinole: black.jpg: no crokinole board in the picture")
    assert second.startswith("crokinole: none.jpg: ")


def test_a_sample_is_scored_and_drawn(tmp_path: Path):
    run = crokinole("score", sample(), "--annotate", tmp_path / "out.png")
    assert run.returncode == 0
    assert "the round" in run.stdout
    with Image.open(tmp_path / "out.png") as drawing, Image.open(sample()) as photo:
        assert drawing.size == photo.size


@pytest.mark.parametrize(
    "words",
    [
        ("score",),
        ("score", "a.jpg", "--nope"),
        ("score", "a.jpg", "--twenties", "dark"),
        ("score", "a.jpg", "--sides", "Anna"),
        ("score", "a.jpg", "--rules", "nope"),
        ("score", "a.jpg", "--equipment", "nope"),
        ("score", "a.jpg", "--camera", "nope"),
        ("score", "a.jpg", "b.jpg", "--annotate", "out.png"),
        ("rules", "show", "nope"),
        ("equipment", "show", "nope"),
        ("nope",),
    ],
)
def test_wrong_usage_is_status_2_and_prints_no_result(words):
    run = crokinole(*words)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr
    assert "Traceback" not in run.stderr


def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path):
    command = [sys.executable, "-c", "from service.cli import main; main()", "rules", "show", "nca"]
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as closed:
        run = subprocess.run(
            command, cwd=ROOT, stdout=closed, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert run.stderr == b""


def test_a_terminal_without_the_letters_still_gets_its_answer(tmp_path: Path):
    run = crokinole("score", "größe.jpg", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert run.returncode == 3
    assert run.stderr == "crokinole: gr??e.jpg: there is no such file: check the name\n"


def test_help_names_every_command_and_option():
    everything = crokinole("--help").stdout + crokinole("score", "--help", COLUMNS="120").stdout
    for word in ("score", "rules", "equipment"):
        assert word in everything
    for option in ("json", "annotate", "equipment", "rules", "twenties", "sides", "camera"):
        assert f"--{option}" in everything


def test_presets_are_listed_and_shown():
    listed = crokinole("rules").stdout.split("\n")
    assert [line.split()[0] for line in listed if line] == list(preset_names())
    assert "nca 8e" in crokinole("rules", "show", "nca").stdout
    assert crokinole("equipment").stdout.split() == list(PRESETS)
    shown = crokinole("equipment", "show", "mini").stdout
    assert tomllib.loads(shown)["name"] == "mini"
    assert equipment_from_toml(shown) == PRESETS["mini"]


def test_an_interrupt_ends_quietly():
    # Far more output than a pipe holds, and nobody reading on: the command is surely still at work.
    command = [sys.executable, "-c", "from service.cli import main; main()", "score", "--json"]
    run = subprocess.Popen(
        [*command, *["none.jpg"] * 5000], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert run.stdout is not None
    run.stdout.readline()
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (130, b"")

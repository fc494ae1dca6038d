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
from service.compose import NO_TWENTIES
from service.terminal import printable
from tests.pictures import BAD_FILES, animation, encoded, png_of_claimed_size
from tests.service.documented import check_reading, read_strictly

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_images" / "two-tone.jpg"


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


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample photo small enough to be read in a moment."""
    small = tmp_path_factory.mktemp("sample") / "sample.jpg"
    with Image.open(SAMPLE) as photo:
        photo.resize((photo.width // 2, photo.height // 2)).save(small, quality=92)
    return small


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


@pytest.fixture
def no_good(tmp_path: Path, sample: Path) -> dict[str, str]:
    """Everything that a photo can wrongly be, by the name typed, with what is said of it."""
    data = sample.read_bytes()
    middle = len(data) // 2
    files = {
        "empty.jpg": (b"", "the file is empty"),
        "truncated.jpg": (data[:middle], "damaged or incomplete"),
        "corrupt.jpg": (data[:middle] + bytes(2000) + data[middle + 2000 :], "damaged or incomplete"),
        "huge.png": (png_of_claimed_size(60_000, 60_000), "too large"),
        "dot.png": (BAD_FILES["dot.png"][0], "1 x 1 pixels are too few"),
        "black.jpg": (encoded(Image.new("RGB", (800, 600)), "JPEG"), "no crokinole board in the picture"),
        "moving.png": (animation("PNG"), "an animation, not a photo"),
        "text.jpg": (b"This is not a photo at all.\n", "not a picture"),
        "film.jpg": (BAD_FILES["film.jpg"][0], "save the photo as JPEG, PNG"),
        "locked.jpg": (data, "may not be read"),
    }
    for name, (content, _) in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "locked.jpg").chmod(0)
    (tmp_path / "folder.jpg").mkdir()
    said = {name: words for name, (_, words) in files.items()}
    said |= {"folder.jpg": "a folder", "missing.jpg": "no such file", "new\nline.jpg": "no such file"}
    if os.access(tmp_path / "locked.jpg", os.R_OK):
        # Whoever may read everything still cannot read this.
        del said["locked.jpg"]
        said |= {"/proc/self/mem": "cannot read this file"} if Path("/proc/self/mem").exists() else {}
    return said


def test_bad_photos_are_one_clear_line_each_and_the_others_are_still_read(
    tmp_path: Path, sample: Path, no_good: dict[str, str]
):
    # The suffix says nothing: this one is a photo.
    wrong_suffix = tmp_path / "a.txt"
    wrong_suffix.write_bytes(sample.read_bytes())
    run = crokinole("score", sample, *no_good, wrong_suffix, cwd=tmp_path)
    assert run.returncode == 4
    assert run.stdout.count("the round") == 2
    lines = [line for line in run.stderr.splitlines() if NO_TWENTIES not in line]
    for line, (name, words) in zip(lines, no_good.items(), strict=True):
        assert line.startswith(f"crokinole: {printable(name)}: ")
        assert words in line
    assert "Traceback" not in run.stderr


def test_the_same_in_json(tmp_path: Path, sample: Path, no_good: dict[str, str]):
    run = crokinole("score", "--json", sample, *no_good, sample, cwd=tmp_path)
    assert (run.returncode, run.stderr) == (4, "")
    first, *bad, last = run.stdout.splitlines()
    assert check_reading(first)["discs"]
    assert first == last
    for made, (name, words) in zip(map(read_strictly, bad), no_good.items(), strict=True):
        assert list(made) == ["photo", "error"]
        assert list(made["error"]) == ["code", "message"]
        assert made["photo"] == name
        assert words in made["error"]["message"]


def test_each_kind_of_failure_has_its_status(tmp_path: Path, no_good: dict[str, str]):
    for name in ("missing.jpg", "corrupt.jpg", "black.jpg"):
        run = crokinole("score", name, cwd=tmp_path)
        assert (run.returncode, run.stdout) == (4 if name == "black.jpg" else 3, "")
        assert len(run.stderr.splitlines()) == 1


def test_a_sample_is_scored_and_drawn_as_it_is_printed(tmp_path: Path, sample: Path):
    words = ("score", sample, "--sides", "dark=Anna,light=Ben", "--twenties", "Anna=2")
    run = crokinole(*words, "--annotate", tmp_path / "out.png")
    assert (run.returncode, run.stderr) == (0, "")
    made = check_reading(crokinole(*words, "--json").stdout)
    for side in made["sides"]:
        [row] = [line for line in run.stdout.splitlines() if f"● {side['name']} ({side['team']})" in line]
        assert row.split()[-3:] == [str(side[key]) for key in ("board", "twenties", "total")]
    assert f"wins the round by {made['round']['difference']}." in run.stdout
    for review in made["needs_review"]:
        assert review["why"] in run.stdout
    with Image.open(tmp_path / "out.png") as drawing:
        assert 1200 <= max(drawing.size) <= 2400


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

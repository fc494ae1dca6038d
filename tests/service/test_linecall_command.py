"""``linecall`` as people run it: drawn photos in files, real exit statuses."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from calibration.equipment import Equipment
from service.cli import app
from service.errors import ExitStatus, UsageError, failure_of
from service.linecall import LineCallOrder, call_lines
from service.linecall_command import order_from_words
from service.linecall_json import linecalls_json
from tests.pictures import BAD_FILES, exif, noise
from tests.service.documented import LINE, has, number, read_strictly, sentence, text, whole
from tests.service.test_cli import crokinole
from tests.vision.linecall_scenes import GAPS_MM, SIZE_PX, photographed
from vision.linecall_errors import LineCallError, LineCallFault

PHOTO = "photo width_px height_px taken equipment geometry camera tilt_deg px_per_mm"
CALL = "disc team pixel line budget_mm scatter contradictory views advice"
VIEW = "photo disc line budget_mm weight sight_deg"
BUDGET = "lens pose profile paint edges"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two photos of a position, one that is no board and one that is no picture."""
    made = tmp_path_factory.mktemp("position")
    for name in "ab":
        tags = exif(camera=("Maker", "Model 8"))
        tags[306] = "2026:11:21 14:03:05"
        Image.fromarray(photographed(name).rgb).save(made / f"{name}.png", exif=tags)
    noise((320, 240)).save(made / "noise.png")
    (made / "text.jpg").write_bytes(BAD_FILES["text.jpg"][0])
    return made


def linecall(*words: str | Path, cwd: Path) -> Result:
    """The command within this process, which saves the time of starting one."""
    with chdir(cwd):
        return CliRunner().invoke(app, ["linecall", *map(str, words)])


def checked(line: str) -> dict[str, Any]:
    """The JSON of a line call, everything in it as documented."""
    made: dict[str, Any] = read_strictly(line)
    has(made, "photos calls warnings")
    for photo in made["photos"]:
        if "error" in photo:
            has(photo, "photo error")
            check_error(photo["error"])
            continue
        has(photo, PHOTO)
        text(photo["photo"], photo["equipment"], photo["geometry"], photo["camera"])
        whole(photo["width_px"], photo["height_px"])
        number(photo["tilt_deg"], photo["px_per_mm"])
    for call in made["calls"]:
        has(call, CALL)
        whole(call["disc"])
        check_gap(call)
        number(call["scatter"], *call["pixel"])
        assert sum(view["weight"] for view in call["views"]) == pytest.approx(1.0, abs=0.01)
        for view in call["views"]:
            has(view, VIEW)
            check_gap(view)
        if call["advice"] is not None:
            has(call["advice"], "settles sigma_mm say")
            assert set(call["advice"]["settles"]) <= {"photo", "disc_size", "eye"}
            text(call["advice"]["say"])
    return made


def check_gap(value: dict[str, Any]) -> None:
    has(value["line"], LINE)
    assert value["line"]["verdict"] in ("clear", "touching", "too_close")
    has(value["budget_mm"], BUDGET)
    assert np.hypot.reduce(list(value["budget_mm"].values())) == pytest.approx(
        value["line"]["sigma_mm"], abs=0.003
    )


def check_error(error: dict[str, Any]) -> None:
    has(error, "code message")
    sentence(error["message"])


def test_two_photos_are_one_call_for_each_close_disc(folder: Path, tmp_path: Path):
    words = ("linecall", "a.png", "b.png", "--equipment", "standard", "--json")
    run = crokinole(*words, "--report", tmp_path / "out.png", cwd=folder)
    assert run.returncode == 0, run.stderr
    made = checked(run.stdout)
    assert [photo["photo"] for photo in made["photos"]] == ["a.png", "b.png"]
    assert {photo["taken"] for photo in made["photos"]} == {"2026-11-21 14:03"}
    assert len(made["calls"]) == len(GAPS_MM)
    found = sorted(call["line"]["clearance_mm"] for call in made["calls"])
    assert found == pytest.approx(sorted(GAPS_MM.values()), abs=1.2)
    assert all(len(call["views"]) == 2 for call in made["calls"])
    # several discs: a picture each, by the disc's number
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"out-{call['disc']}.png" for call in made["calls"]
    )


def test_for_people_it_is_a_line_with_the_verdict_and_the_gap(folder: Path, tmp_path: Path):
    x, y = sorted_pixels(folder)[0]
    report = tmp_path / "deep" / "out.png"
    run = linecall("a.png", "--at", f"{x:.0f},{y:.0f}", "--report", report, cwd=folder)
    assert run.exit_code == 0, run.stderr
    verdict, *rest = run.stdout.splitlines()
    assert verdict.startswith("disc ")
    assert " mm, touching with " in verdict
    assert rest[-1] == f"picture: {report}"
    with Image.open(report) as picture:
        assert picture.width == 1600
    assert "\x1b" not in run.stdout


def sorted_pixels(folder: Path) -> list[list[float]]:
    made = linecalls_json(call_lines([str(folder / "a.png")], LineCallOrder(equipment=Equipment())))
    return sorted(call["pixel"] for call in made["calls"])


def test_a_bad_photo_does_not_stop_the_rest(folder: Path):
    run = linecall("text.jpg", "a.png", "noise.png", "--json", cwd=folder)
    assert run.exit_code == ExitStatus.NO_BOARD
    made = checked(run.stdout)
    assert [photo.get("error", {}).get("code") for photo in made["photos"]] == [
        "not_a_picture",
        None,
        "no_board",
    ]
    assert made["calls"]


def test_without_a_good_photo_there_is_an_error_in_its_place(folder: Path):
    run = linecall("text.jpg", "noise.png", "--json", cwd=folder)
    assert run.exit_code == ExitStatus.NO_BOARD
    made = json.loads(run.stdout)
    has(made, "photo error photos")
    check_error(made["error"])
    assert made["photo"] == "text.jpg"
    run = linecall("text.jpg", "noise.png", cwd=folder)
    assert (run.exit_code, run.stdout) == (ExitStatus.NO_BOARD, "")
    assert [line.split(": ")[1] for line in run.stderr.splitlines()] == ["text.jpg", "noise.png"]


def test_a_point_needs_the_photo_it_is_in(folder: Path):
    run = linecall("noise.png", "a.png", "--at", "100,100", cwd=folder)
    assert (run.exit_code, run.stdout) == (ExitStatus.NO_BOARD, "")
    assert run.stderr.startswith("crokinole: noise.png: no crokinole board")


def test_a_point_without_a_disc_is_told_in_both_tongues(folder: Path):
    run = linecall("a.png", "--at", "5,5", cwd=folder)
    assert (run.exit_code, run.stdout) == (ExitStatus.USAGE, "")
    assert run.stderr.startswith("crokinole: there is no disc at 5,5 in a.png; the nearest is disc ")
    run = linecall("a.png", "--at", f"{SIZE_PX[0]},5", "--json", cwd=folder)
    assert run.exit_code == ExitStatus.USAGE
    made = json.loads(run.stdout)
    assert (made["photo"], made["error"]["code"]) == ("a.png", "outside_picture")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--at", "12"), "--at is a point"),
        (("--at", "here,there"), "--at is a point"),
        (("--at", "nan,1"), "--at is a point"),
        (("--theme", "pink"), "--theme is light or dark"),
        (("--report", "out.jpg"), "must end in .png"),
        (("--report", "folder.png"), "is a folder"),
        (("--report", "a.png"), "would overwrite the photo"),
        (("--camera", "none.toml"), "there is no camera file"),
        (("--equipment", "nope"), "neither an equipment file nor a preset"),
    ],
)
def test_wrong_usage_is_told_in_one_line(words: tuple[str, str], said: str, tmp_path: Path):
    (tmp_path / "folder.png").mkdir()
    run = linecall("a.png", *words, cwd=tmp_path)
    assert (run.exit_code, run.stdout) == (ExitStatus.USAGE, "")
    assert said in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize("words", ["1520,840", "1520, 840", "1520x840", "1520 840", "1520.0;840"])
def test_a_point_may_be_written_as_people_do(words: str):
    order = order_from_words(at=words, equipment=None, camera=None, report=None, theme="light")
    assert order.at_px == (1520.0, 840.0)


def test_a_report_that_cannot_be_written_is_told(folder: Path, tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    order = LineCallOrder(equipment=Equipment(), report=tmp_path / "file" / "out.png")
    with pytest.raises(UsageError, match="cannot be written"):
        call_lines([str(folder / "a.png")], order)


@pytest.mark.parametrize("fault", list(LineCallFault))
def test_every_refusal_has_its_code_and_a_status(fault: LineCallFault):
    failure = failure_of(LineCallError(fault, "why", "a.jpg"))
    unfit = fault in (LineCallFault.TOO_BLURRED, LineCallFault.TOO_SMALL)
    assert failure.status == (ExitStatus.NOT_A_PICTURE if unfit else ExitStatus.USAGE)
    assert (failure.code, failure.message, failure.photo) == (str(fault), "why", "a.jpg")

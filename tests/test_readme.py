"""The README's commands do what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from service.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
TRY_IT = next(block for kind, block in BLOCKS if kind == "sh" and "score sample_images" in block)
PRINTED = next(block for kind, block in BLOCKS if not kind and "total" in block)
COMMANDS = [
    shlex.split(line, comments=True)
    for kind, block in BLOCKS
    if kind == "sh"
    for line in block.replace("\\\n", " ").splitlines()
    if line.startswith("crokinole ")
]
LISTED = (
    r"  disc \d+ \(\w+\): "
    r"(too close to the \d+ line: -?\d+\.\d+ ± \d+\.\d+ mm; counted \d+, or \d+ if .*|lies in the hole: .*)"
)


def test_the_first_command_prints_the_table_shown():
    *_, command = TRY_IT.split("&&")
    program, *words = shlex.split(command)
    assert program == ".venv/bin/crokinole"
    run = subprocess.run(
        [sys.executable, "-c", "from service.cli import main; main()", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert told(run.stdout) == told(PRINTED)
    assert all(re.fullmatch(LISTED, line) for line in PRINTED.splitlines() if line.startswith("  disc "))


def told(text: str) -> list[str]:
    """The photo, the table and the winner. Which discs are near enough to a line to be listed may differ."""
    table, _, _ = text.partition("Look at these again")
    return [line.rstrip() for line in table.splitlines() if line.strip()]


def test_everything_named_is_there():
    for path in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / path).exists(), path
    *_, photo = TRY_IT.split()
    truth = ROOT / Path(photo).with_suffix(".json")
    assert truth.is_file()


@pytest.mark.parametrize("path", re.findall(r"!\[[^]]+\]\(([^)]+)\)", README))
def test_a_picture_shown_is_small_enough_to_load(path):
    assert (ROOT / path).stat().st_size < 400_000
    with Image.open(ROOT / path) as picture:
        assert min(picture.size) >= 800


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_shown_is_one_the_program_knows(words):
    words = words[1 : words.index("|")] if "|" in words else words[1:]
    words = words[: words.index(">")] if ">" in words else words
    options = [word for word in words if word.startswith("--")]
    names = [word for word in words if word.isalpha()]
    depth = 2 if names[:1] in (["rules"], ["equipment"], ["calibrate"]) else 1
    helped = CliRunner().invoke(app, [*names[:depth], "--help"], env={"COLUMNS": "200"})
    assert helped.exit_code == 0, helped.output
    assert all(option in helped.output for option in options)

"""The house as a whole: which room may import which, what starting up may load, and what is shipped."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "calibration": set(),
    "scoring": set(),
    "vision": {"calibration"},
    "service": {"calibration", "scoring", "vision"},
}
FOLDERS = (*MAY_IMPORT, "benchmarks", "docs", "sample_images", "tests")
SLOW = {"cv2", "numpy", "PIL", "pillow_heif", "scipy", "skimage"}

REPORT_LOADED = """
import sys
from service.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code
print({name.split(".")[0] for name in sys.modules}, file=sys.stderr)
"""


def imported(file: Path) -> set[str]:
    """The top-level packages a module imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are written out in full"
            names.add(node.module or "")
    return {name.split(".")[0] for name in names}


def modules(room: str) -> list[Path]:
    found = sorted((ROOT / room).rglob("*.py"))
    assert found
    return found


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_go_one_way(room):
    outside = (set(MAY_IMPORT) | {"tests", "benchmarks"}) - MAY_IMPORT[room] - {room}
    for file in modules(room):
        assert not imported(file) & outside, file


def test_scoring_needs_nothing_but_python():
    for file in modules("scoring"):
        assert imported(file) <= {"scoring", *sys.stdlib_module_names}, file


@pytest.mark.parametrize("words", [["--help"], ["score", "--help"], ["rules"], ["equipment", "show", "mini"]])
def test_what_only_prints_words_loads_no_vision(words):
    run = subprocess.run(
        [sys.executable, "-c", REPORT_LOADED, *words],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    loaded = set(ast.literal_eval(run.stderr.splitlines()[-1]))
    assert "service" in loaded
    assert not loaded & SLOW


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_introduces_itself(folder):
    words = (ROOT / folder / "README.md").read_text(encoding="utf-8").split()
    assert len(words) > 50


def test_the_readme_the_ci_and_the_packaging_agree():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert (
        "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/python -m pytest"
        in readme
    )
    assert """&& "$venv"/bin/pip install -q -e '.[test]' && "$venv"/bin/python -m pytest""" in ci


def test_the_wheel_holds_everything_the_packages_do(tmp_path: Path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    for room in MAY_IMPORT:
        ours = {str(path.relative_to(ROOT)) for path in (ROOT / room).rglob("*") if path.is_file()}
        ours = {path for path in ours if "__pycache__" not in path}
        assert f"{room}/py.typed" in ours
        assert ours <= shipped


def test_the_command_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"crokinole": "service.cli:main"}

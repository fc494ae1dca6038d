"""What holds of the whole package: frozen values, no foreign imports, errors as drawn, a README that runs."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from dataclasses import is_dataclass
from pathlib import Path

import scoring
from scoring import errors

PACKAGE = Path(scoring.__file__).parent
MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.walk_packages([str(PACKAGE)], "scoring.")
    if not found.name.endswith("__main__")
]


def test_every_value_is_frozen_and_slotted():
    values = {
        value
        for module in MODULES
        for value in vars(module).values()
        if isinstance(value, type) and is_dataclass(value)
    }
    assert len(values) > 30
    for value in values:
        assert value.__dataclass_params__.frozen, value
        assert "__slots__" in vars(value), value


def test_nothing_is_imported_but_the_standard_library_and_scoring():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                root = name.split(".")[0]
                assert root == "scoring" or root in sys.stdlib_module_names, (path, name)


def test_no_clock_no_chance_and_no_files():
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^(from|import) (time|datetime|random|os|pathlib)\b|\bopen\(", text, re.M), path


def test_the_tree_of_errors_is_drawn_as_it_is():
    drawn = {}
    stack: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"([ │├└─]+)(\w+)( \((\w+)\))? {2,}\S", line)
        if found:
            depth = len(found[1])
            stack = [each for each in stack if each[0] < depth]
            drawn[found[2]] = found[4] or stack[-1][1]
            stack.append((depth, found[2]))
    classes = {name: value for name, value in vars(errors).items() if isinstance(value, type)}
    assert drawn == {name: value.__bases__[0].__name__ for name, value in classes.items()}


def test_the_readme_runs():
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.S)
    scope: dict[str, object] = {}
    code, said = [], []
    for line in block.splitlines():
        shown = re.fullmatch(r"(\S+) +# (.*)", line)
        (said if shown else code).append(shown or line)
    exec("\n".join(code), scope)
    assert len(said) == 3
    for shown in said:
        assert repr(eval(shown[1], scope)) == shown[2]


def test_the_readme_names_every_file():
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    for path in PACKAGE.glob("*.py"):
        plumbing = {"__init__.py", "codec.py", "entries.py", "state.py", "tally.py"}
        assert path.name in plumbing or f"`{path.name}`" in text, path.name

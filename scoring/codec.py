"""Frozen values to plain JSON data and back, by their type hints.

One walk serves the record, the rules in it and custom TOML. A choice between several dataclasses is told
apart by a ``type`` key holding the class name in snake_case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from scoring.errors import BadData, ScoringMisuse, UnknownKey

T = TypeVar("T")


@cache
def tag_of(kind: type) -> str:
    """Return the class name as it stands in JSON: ``RoundScored`` is ``round_scored``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def dump(value: object) -> Any:
    """Return plain data: dicts, lists, strings, numbers, booleans, None.

    Raises `ScoringMisuse` for a value that has no plain form.
    """
    if is_dataclass(value):
        plain = {field.name: dump(getattr(value, field.name)) for field in fields(value)}
        return {"type": tag_of(cast(type, type(value))), **plain}
    if isinstance(value, tuple):
        return [dump(item) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    raise ScoringMisuse(f"no plain form for {value!r}")


def load(kind: type[T], data: object, where: str) -> T:
    """Return ``data`` as a value of ``kind``; ``where`` is the key it stands at, for messages.

    Raises `BadData` for data of another kind and `UnknownKey` for a key the kind does not have.
    """
    return cast(T, _load(kind, data, where))


def _load(kind: Any, data: object, where: str) -> Any:
    if isinstance(kind, UnionType):
        return _load_choice(get_args(kind), data, where)
    if get_origin(kind) is tuple:
        return _load_tuple(get_args(kind), data, where)
    if is_dataclass(kind):
        return _load_dataclass(cast(type, kind), data, where)
    if issubclass(kind, StrEnum):
        if data not in list(kind):
            raise BadData(f"{where} is one of {', '.join(kind)}, not {data!r}")
        return kind(data)
    # bool is an int to Python, never to a person; a whole number is a fine probability.
    wanted = (int, float) if kind is float else (kind,)
    if not isinstance(data, wanted) or (isinstance(data, bool) and kind is not bool):
        raise BadData(f"{where} should be {kind.__name__}, not {data!r}")
    return kind(data)


def _load_choice(kinds: tuple[Any, ...], data: object, where: str) -> Any:
    if data is None and NoneType in kinds:
        return None
    rest = tuple(kind for kind in kinds if kind is not NoneType)
    if len(rest) == 1:
        return _load(rest[0], data, where)
    tag = data.get("type") if isinstance(data, Mapping) else None
    for kind in rest:
        if tag_of(kind) == tag:
            return _load(kind, data, where)
    raise BadData(f"{where}.type is one of {', '.join(map(tag_of, rest))}, not {tag!r}")


def _load_tuple(kinds: tuple[Any, ...], data: object, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise BadData(f"{where} should be a list, not {data!r}")
    if kinds[-1] is Ellipsis:
        kinds = kinds[:1] * len(data)
    if len(data) != len(kinds):
        raise BadData(f"{where} should hold {len(kinds)} items, not {len(data)}")
    pairs = enumerate(zip(kinds, data, strict=True))
    return tuple(_load(kind, item, f"{where}[{index}]") for index, (kind, item) in pairs)


def _load_dataclass(kind: type, data: object, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise BadData(f"{where} should be a table, not {data!r}")
    hints = _hints_of(kind)
    wanted = {field.name: field for field in fields(cast(Any, kind))}
    for key in data:
        if key not in wanted and key != "type":
            raise UnknownKey(f"{where}.{key}")
    if data.get("type", tag_of(kind)) != tag_of(kind):
        raise BadData(f"{where}.type should be {tag_of(kind)}, not {data['type']!r}")
    given = {}
    for name, field in wanted.items():
        if name in data:
            given[name] = _load(hints[name], data[name], f"{where}.{name}")
        elif _needed(field):
            raise BadData(f"{where}.{name} is missing")
    return kind(**given)


@cache
def _hints_of(kind: type) -> dict[str, Any]:
    # Working them out costs more than all the rest of reading a value.
    return get_type_hints(kind)


def _needed(field: Field[Any]) -> bool:
    return field.default is MISSING

"""One whole number a side, in the order of the sides: what people hand in and what events keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scoring.errors import BadFact

#: Pairs of side and number. A tuple and not a dict, so that values holding it stay immutable.
Tally = tuple[tuple[str, int], ...]


def tally(numbers: Mapping[str, int]) -> Tally:
    """Return a mapping as a `Tally`."""
    return tuple(numbers.items())


def in_order(numbers: Tally, sides: tuple[str, ...], what: str) -> tuple[int, ...]:
    """Return the numbers in the order of ``sides``.

    Raises `BadFact` unless every side has exactly one number; ``what`` names them in the message.
    """
    by_side = dict(numbers)
    if len(by_side) != len(numbers) or set(by_side) != set(sides):
        named = ", ".join(side for side, _ in numbers)
        raise BadFact(f"{what} are wanted for {', '.join(sides)}, not for {named or 'nobody'}")
    return tuple(by_side[side] for side in sides)


def check_counts(numbers: Iterable[int], what: str) -> None:
    """Raise `BadFact` unless every number is zero or more."""
    for number in numbers:
        if number < 0:
            raise BadFact(f"{what} are zero or more, not {number}")

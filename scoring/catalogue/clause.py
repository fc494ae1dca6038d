"""One clause of one book: what it says, where it is implemented, which tests hold it."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.errors import ScoringMisuse


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause, or the reason why it is not about scoring, or both when only a part of it is.

    ``where`` names functions or classes as ``module.name`` inside `scoring`; ``tests`` are ``file::name``
    under ``tests/scoring``, a ``*`` at the end standing for the rest of the name.
    """

    book: str
    id: str
    says: str
    where: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    aside: str = ""

    def __post_init__(self) -> None:
        """Refuse a clause that is silently skipped."""
        if bool(self.where) != bool(self.tests) or not (self.where or self.aside):
            raise ScoringMisuse(f"{self.book} {self.id} needs code and tests, or a reason why not")


#: Id, what it says, where (space between), tests (space between), and the part that is not about scoring.
Line = tuple[str, str, str, str, str]


def clauses(book: str, home: str, lines: tuple[Line, ...]) -> tuple[Clause, ...]:
    """Return the lines of one book as clauses; tests named without a file are in ``home``."""
    return tuple(
        Clause(book, number, says, tuple(where.split()), _in_files(tests.split(), home), aside)
        for number, says, where, tests, aside in lines
    )


def _in_files(tests: list[str], home: str) -> tuple[str, ...]:
    return tuple(test if "::" in test else f"{home}::{test}" for test in tests)

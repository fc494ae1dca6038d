"""Every clause of every book, and where it went. ``python -m scoring.catalogue`` prints docs/rules.md."""

from __future__ import annotations

from scoring.catalogue import depot, popular, practice, printable, traditional, wcc_2011
from scoring.catalogue.clause import Clause

#: Every clause, book by book.
CLAUSES: tuple[Clause, ...] = (
    *depot.CLAUSES,
    *traditional.CLAUSES,
    *popular.CLAUSES,
    *wcc_2011.CLAUSES,
    *printable.CLAUSES,
    *practice.NCA,
    *practice.WCC,
    *practice.ALSO,
)

__all__ = ["CLAUSES", "Clause"]

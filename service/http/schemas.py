"""The kinds of values that requests are made of, and bodies that refuse what they do not know.

Bounds are wide enough for every table in a hall and narrow enough for a database's columns.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

#: Letters of any language, no control characters, no first letter that makes a spreadsheet's formula.
_PLAIN = r"^[^\x00-\x20=+\-@\x7f][^\x00-\x1f\x7f]*$"
_TEXT = r"^[^\x00-\x1f\x7f]*$"

Name = Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=_PLAIN)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=_PLAIN)]
Text = Annotated[str, StringConstraints(max_length=300, pattern=_TEXT)]
Reason = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=_PLAIN)]

TableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
ReadingId = Annotated[str, StringConstraints(pattern=r"^r_[A-Za-z0-9_-]{1,30}$")]

Twenties = Annotated[dict[Name, Annotated[int, Field(ge=0, le=99)]], Field(max_length=4)]
Totals = Annotated[
    dict[Name, Annotated[int, Field(ge=0, le=5000, multiple_of=5)]], Field(min_length=2, max_length=4)
]
Places = Annotated[dict[Name, Annotated[int, Field(ge=1, le=4)]], Field(min_length=2, max_length=4)]

#: In addresses.
MatchId = Annotated[
    str, Path(pattern=r"^m_[A-Za-z0-9_-]{1,30}$", description="The match's id.", examples=["m_3kQ9xZ0aBcDe"])
]
EventNumber = Annotated[
    int,
    Path(ge=0, le=100_000, description="The number of the event that scored the round.", examples=[0]),
]
TableInPath = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="The table's name.", examples=["1"])
]


class Body(BaseModel):
    """A request's body: a key or a kind that is not asked for is refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Shown(BaseModel):
    """Something an answer shows. Keys may be added in later versions."""

    model_config = ConfigDict(frozen=True)

"""The file of a match as it is sent in: its keys and the kinds and sizes of what they hold."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError, model_validator

from service.http.reading_shown import ReadingShown
from service.http.schemas import Body, Name, ReadingId, TableName, Word

_When = Annotated[
    str,
    StringConstraints(
        pattern=r"^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z$"
    ),
]
_Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Line = Annotated[str, StringConstraints(max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
_Number = Annotated[int, Field(ge=0, le=1000)]
_Version = Annotated[int, Field(ge=1, le=1_000_000)]
_Size = Annotated[int, Field(ge=0, le=2_000_000_000)]
_Plain = dict[str, Any]


class _Finish(Body):
    reason: _Line
    who: _Line


class _Head(Body):
    id: Annotated[str, StringConstraints(pattern=r"^m_[A-Za-z0-9_-]{1,30}$")]
    table: TableName
    created_at: _When
    event_name: _Line
    colours: Annotated[dict[Name, Word], Field(max_length=4)]
    version: _Version
    finished_at: _When | None
    finish: _Finish | None


class _Log(Body):
    number: _Number
    version: _Version
    at: _When
    actor: _Line
    request_id: _Line


class _EvidenceRow(Body):
    event_number: _Number
    reading_id: ReadingId
    teams: Annotated[dict[Word, Name], Field(max_length=4)]


class _DecisionRow(Body):
    id: Annotated[str, StringConstraints(pattern=r"^d_[A-Za-z0-9_-]{1,30}$")]
    event_number: _Number
    reading_id: ReadingId | None
    disc: _Number | None
    was: _Plain
    now: _Plain
    who: _Line
    why: _Line
    at: _When


class _ReadingRow(Body):
    id: ReadingId
    photo_sha256: _Sha256
    created_at: _When
    options: _Plain
    body: _Plain

    @model_validator(mode="after")
    def _is_a_reading(self) -> _ReadingRow:
        beside = {"id": self.id, "photo_sha256": self.photo_sha256, "created_at": self.created_at}
        try:
            ReadingShown.model_validate({**self.body, **beside, "table": None}, strict=True)
        except ValidationError as error:
            where = ".".join(map(str, error.errors()[0]["loc"]))
            raise ValueError(f"body: no reading has such a {where}") from None
        return self


class _PhotoRow(Body):
    sha256: _Sha256
    size: _Size
    media_type: _Line
    name: _Line
    width_px: _Size
    height_px: _Size
    created_at: _When


class MatchFileBody(Body):
    """A match as `GET /matches/{id}/export` gives it."""

    crokinole_match: Literal[1]
    match: _Head
    record: _Plain
    log: Annotated[list[_Log], Field(max_length=1000)]
    evidence: Annotated[list[_EvidenceRow], Field(max_length=1000)]
    decisions: Annotated[list[_DecisionRow], Field(max_length=5000)]
    readings: Annotated[list[_ReadingRow], Field(max_length=1000)]
    photos: Annotated[list[_PhotoRow], Field(max_length=1000)]

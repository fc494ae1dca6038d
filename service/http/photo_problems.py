"""A worker's failure as a problem document: the same codes as the command line has."""

from __future__ import annotations

from service.http.problem_docs import Known, refusals
from service.http.problems import Problem
from service.photos.jobs import Failed
from vision.linecall_errors import LineCallFault

_TITLES = {
    "no_board": "No crokinole board in it",
    "took_too_long": "It took too long",
    "gave_up": "It could not be read",
    "bad_rules": "No such rules",
    "bad_equipment": "No such equipment",
    "usage": "It cannot be asked so",
    "unknown_team": "No such team in the photo",
    **{str(fault): "It cannot be ruled on" for fault in LineCallFault},
}
_NOT_READABLE = "Not a readable picture"


def problem_of(failed: Failed) -> Problem:
    """The refusal of a photo: 422, since what was sent is what is wrong."""
    title = _TITLES.get(failed.code, _NOT_READABLE)
    detail = failed.message[:1].upper() + failed.message[1:]
    detail = detail if detail.endswith(".") else f"{detail}."
    return Problem(422, failed.code, title, detail)


def _failed(code: str, means: str, detail: str | None = None) -> Known:
    return Known(422, code, means, detail or f"{means}.")


_TOO_BUSY = Known(
    503,
    "too_busy",
    "Other photos are being read; see `Retry-After`",
    "Other photos are being read. Send this one again in 2 s.",
)

#: How the reading of any picture may end.
_READ = (
    _failed(
        "no_board",
        _TITLES["no_board"],
        "No crokinole board was found: no concentric rings of a board's proportions.",
    ),
    *(_failed(code, _TITLES[code]) for code in ("took_too_long", "gave_up", "bad_equipment")),
)

#: What only the scoring of a round is asked.
_ASKED = tuple(_failed(code, _TITLES[code]) for code in ("bad_rules", "usage", "unknown_team"))

_UPLOADED = (
    Known(408, "too_slow", "The photo came too slowly", "The photo came too slowly."),
    Known(413, "too_large", "The photo is too large", "At most 40 MB are taken."),
    Known(415, "wrong_media_type", "This is no form", "Send a form (multipart/form-data)."),
    _failed("not_a_picture", "The file is not a picture"),
    _failed("damaged", "The picture is damaged"),
    _failed("too_large", "The picture has too many pixels"),
    _failed("too_small", "The picture is too small"),
    _failed("animated", "The picture moves"),
    _failed("unsupported_format", "Pictures of this format are not read"),
    _failed("empty", "The file is empty"),
    _TOO_BUSY,
    Known(507, "no_room", "The service's disc is full", "The service's disc is full."),
)
_NOT_RULED = tuple(_failed(str(fault), str(fault).replace("_", " ").capitalize()) for fault in LineCallFault)

#: What the calls that have a picture read can be refused with.
READING = refusals(*_UPLOADED, *_READ, *_ASKED)
LINE_CALL = refusals(*_UPLOADED, *_READ, *_NOT_RULED)
CAPTURE = (_TOO_BUSY, *_READ, *_ASKED)

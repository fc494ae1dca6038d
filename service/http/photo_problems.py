"""A worker's failure as a problem document: the same codes as the command line has."""

from __future__ import annotations

from typing import Any

from service.http.problem_docs import refusals, response_doc
from service.http.problems import Problem
from service.photos.jobs import Failed

_TITLES = {
    "no_board": "No crokinole board in it",
    "took_too_long": "It took too long",
    "gave_up": "It could not be read",
    "bad_rules": "No such rules",
    "bad_equipment": "No such equipment",
    "usage": "It cannot be asked so",
    "unknown_team": "No such team in the photo",
}
_NOT_READABLE = "Not a readable picture"


def problem_of(failed: Failed) -> Problem:
    """The refusal of a photo: 422, since what was sent is what is wrong."""
    title = _TITLES.get(failed.code, _NOT_READABLE)
    detail = failed.message[:1].upper() + failed.message[1:]
    detail = detail if detail.endswith(".") else f"{detail}."
    return Problem(422, failed.code, title, detail)


def photo_refusals(*statuses: int, body: bool = False) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a call about photos; with ``body`` those of one that takes them in."""
    known = refusals(*statuses, body=body)
    if body:
        known[408] = response_doc(408, "The photo came too slowly", "too_slow", "The photo came too slowly.")
        known[415] = response_doc(
            415, "This is no form", "wrong_media_type", "Send a form (multipart/form-data)."
        )
        known[422] = response_doc(
            422,
            "It is not a readable picture (`not_a_picture`, `damaged`, `too_large`, `too_small`, `animated`, "
            "`unsupported_format`, `empty`), has no board in it (`no_board`), could not be read "
            "(`took_too_long`, `gave_up`), or what was asked cannot be (`invalid`, `usage`, `unknown_team`, "
            "`bad_rules`, `bad_equipment`, `key_reused`)",
            "no_board",
            "No crokinole board was found: no concentric rings of a board's proportions.",
        )
        known[507] = response_doc(507, "The service's disc is full", "no_room", "The service's disc is full.")
        known[503] = response_doc(
            503,
            "Other photos are being read (`too_busy`), or the database is busy (`busy`); see `Retry-After`",
            "too_busy",
            "Other photos are being read. Send this one again in 2 s.",
        )
    return known

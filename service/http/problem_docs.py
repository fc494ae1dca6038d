"""The problem documents of the interface's description: which refusals a call knows, each with an example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MEDIA_TYPE = "application/problem+json"

#: The shape of every refusal, for ``components/schemas``.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "RFC 9457. `code` is for programs and stays the same, `detail` is for people.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["where", "message"],
                "properties": {"where": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
}


@dataclass(frozen=True, slots=True)
class Known:
    """A refusal that a call knows: its status, its code, what it means, and the detail of its example."""

    status: int
    code: str
    means: str
    detail: str

    @property
    def doc(self) -> dict[str, Any]:
        """The answer with this refusal as its one example."""
        value = {
            "type": f"/problems/{self.code}",
            "title": self.means,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        content = {
            "schema": {"$ref": "#/components/schemas/Problem"},
            "examples": {self.code: {"summary": self.means, "value": value}},
        }
        return {"description": f"{self.means} (`{self.code}`)", "content": {MEDIA_TYPE: content}}


NOT_FOUND = Known(404, "not_found", "There is no such thing", "There is no match m_x.")
CHANGED = Known(
    409,
    "changed",
    "Somebody was quicker; `current` is the match, `changed` what came since",
    "The match was changed since you last saw it. Look at it and decide again.",
)
NOT_NOW = Known(
    409, "not_now", "The match does not stand so", "The match is finished. Undo goes one step back."
)
EXISTS = Known(
    409, "exists", "There is already another one", "There is already a match m_x, and it is another one."
)
IMPOSSIBLE = Known(
    422, "impossible", "It cannot be, by the rules, the discs or the names", "Anna has 8 discs a round."
)

TOKEN_WRONG = Known(401, "token_wrong", "The token is not in force", "This token is not known here.")
BUSY = Known(503, "busy", "Try again shortly", "The database is busy. Nothing was changed; try again.")

#: What a call can be refused with for what it is, whatever it does.
_WRONG_HOST = Known(421, "wrong_host", "Not the host of this service", "This service answers to localhost.")
_TOO_MANY = Known(429, "too_many_requests", "Too many requests", "Try again in 2 s.")
_BODY_TOO_LARGE = Known(413, "too_large", "The body is too large", "The body is larger than 4 MB.")
_UNREADABLE = Known(400, "bad_request", "The body cannot be read", "The body cannot be read.")
_INVALID = Known(
    422,
    "invalid",
    "What was sent has the wrong form",
    "table: String should match pattern '^[A-Za-z0-9_-]{1,32}$'",
)
_KEY_REUSED = Known(
    422,
    "key_reused",
    "The `Idempotency-Key` was used for something else",
    "This Idempotency-Key was used for another request. Take a new one for each thing you do.",
)
_GUARDED = (
    Known(401, "token_missing", "A token is needed", "Send a token: Authorization: Bearer TOKEN."),
    TOKEN_WRONG,
    Known(403, "not_allowed", "This token may not do that", "This token is for table 1 alone."),
    BUSY,
)
_CROSS_SITE = Known(
    403, "cross_site", "A page of another site asked", "Pages of other sites may not do this."
)

#: The ``responses`` of a call, as FastAPI takes them.
Answers = dict[int | str, dict[str, Any]]

_READING = frozenset({"get", "head"})


def refusals(*known: Known) -> Answers:
    """The ``responses`` of a call that can be refused so, besides what `complete` finds by itself."""
    told: Answers = {}
    for each in known:
        _add(told, each.status, each)
    return told


def complete(method: str, path: str, call: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call's ``responses`` with every refusal that follows from its form, in order of status."""
    told = {status: doc for status, doc in call["responses"].items() if "HTTPValidationError" not in str(doc)}
    for each in _by_form(method, path, call):
        _add(told, str(each.status), each)
    return dict(sorted(told.items()))


def _by_form(method: str, path: str, call: Mapping[str, Any]) -> list[Known]:
    changes, named = method not in _READING, {each["name"] for each in call.get("parameters", ())}
    found = [_WRONG_HOST]
    if "security" in call:
        found += _GUARDED
    if changes and path.startswith("/api/"):
        found += [_TOO_MANY, _BODY_TOO_LARGE]
        found += [_CROSS_SITE] if "security" in call else []
    if "requestBody" in call:
        found.append(_UNREADABLE)
    if "requestBody" in call or named:
        found.append(_INVALID)
    if "Idempotency-Key" in named:
        found.append(_KEY_REUSED)
    return found


def _add(told: dict[Any, dict[str, Any]], status: int | str, known: Known) -> None:
    """Add a refusal to the answers of a call, beside others of its status."""
    doc = told.setdefault(status, known.doc)
    examples = doc["content"][MEDIA_TYPE]["examples"]
    if known.code not in examples:
        added = known.doc
        told[status] = {
            "description": f"{doc['description']}; {added['description']}",
            "content": {
                MEDIA_TYPE: {
                    **doc["content"][MEDIA_TYPE],
                    "examples": {**examples, **added["content"][MEDIA_TYPE]["examples"]},
                }
            },
        }

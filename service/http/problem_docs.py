"""The problem documents of the interface's description: which refusals a call knows, each with an example."""

from __future__ import annotations

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

#: By status: what it means, the code of the example, and its detail.
_KNOWN = {
    400: ("The body cannot be read", "bad_request", "The body cannot be read."),
    401: ("A token is needed", "token_missing", "Send a token."),
    403: ("This token may not do that", "not_allowed", "This token may only read."),
    404: ("There is no such thing", "not_found", "There is no match m_x."),
    409: (
        "It cannot be done as things stand: somebody was quicker (`changed`, with `current` and `changed`), "
        "the match is over (`not_now`), or there is already another one (`exists`)",
        "changed",
        "The match was changed since you last saw it. Look at it and decide again.",
    ),
    413: ("The body is too large", "too_large", "The body is larger than this service accepts."),
    422: (
        "What was sent has the wrong form (`invalid`), cannot be by the rules (`impossible`), or its "
        "`Idempotency-Key` was used for something else (`key_reused`)",
        "invalid",
        "table: String should match pattern '^[A-Za-z0-9_-]{1,32}$'",
    ),
    429: ("Too many requests", "too_many_requests", "Wait a little."),
    503: ("Try again shortly", "busy", "The database is busy. Nothing was changed; try again."),
}

#: Every call can be refused so.
_ALWAYS = (401, 403, 422, 503)

#: Every call with a body, too.
_WITH_BODY = (400, 413, 429)


def refusals(*statuses: int, body: bool = False) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a call that can be refused with these statuses, besides those of every call."""
    known = sorted({*statuses, *_ALWAYS, *(_WITH_BODY if body else ())})
    return {status: response_doc(status, *_KNOWN[status]) for status in known}


def response_doc(status: int, title: str, code: str, detail: str) -> dict[str, Any]:
    """One refusal in a call's ``responses``, with its example."""
    example = {
        "type": f"/problems/{code}",
        "title": title.split(":")[0],
        "status": status,
        "detail": detail,
        "code": code,
    }
    content = {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}
    return {"description": title, "content": {MEDIA_TYPE: content}}

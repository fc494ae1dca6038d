"""The interface's description: what FastAPI makes of the routes, completed by what holds for every call."""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from service.http.problem_docs import SCHEMA, refusals

_DESCRIPTION = """\
Photos of crokinole boards in, scores out; matches kept, corrected and followed live.

Everything that changes something takes an `Idempotency-Key`, so that it can be sent again without being done
twice. What changes a match also takes `If-Match` with the match's `ETag`, so that two scorekeepers cannot
overwrite each other. Every refusal is a problem document (RFC 9457).
"""


def install(app: FastAPI) -> None:
    """Have ``app`` describe itself so."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _completed(
                get_openapi(
                    title="crokinole", version=app.version, description=_DESCRIPTION, routes=app.routes
                )
            )
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def methods_at(app: FastAPI, path: str) -> list[str]:
    """The methods that an address of the interface knows, in alphabetical order; none for one it lacks."""
    paths = app.openapi()["paths"]
    fitting = (
        calls
        for template, calls in paths.items()
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path)
    )
    return sorted(method.upper() for method in paths.get(path) or next(fitting, {}))


def _completed(described: dict[str, Any]) -> dict[str, Any]:
    schemas = described.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = SCHEMA
    for calls in described["paths"].values():
        for method, call in calls.items():
            _complete(call, changes=method not in ("get", "head"))
    return described


def _complete(call: dict[str, Any], *, changes: bool) -> None:
    if "security" in call:
        # On the machine of the service itself no token is needed.
        call["security"] = [{}, *call["security"]]
    told = call["responses"]
    if "HTTPValidationError" in str(told.get("422")):
        del told["422"]
    for status, doc in refusals(body=changes).items():
        told.setdefault(str(status), doc)
    call["responses"] = dict(sorted(told.items()))

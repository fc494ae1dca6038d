"""The interface's description: what FastAPI makes of the routes, completed by what holds for every call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.params import Body
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.routing import BaseRoute

from service.http.problem_docs import SCHEMA, complete

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
                ),
                app.routes,
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


def _completed(described: dict[str, Any], routes: Sequence[BaseRoute]) -> dict[str, Any]:
    schemas = described.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = SCHEMA
    for context in iter_route_contexts(routes):
        route = context.original_route
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in route.methods or ():
                _restore_examples(described["paths"][context.path][method.lower()], route)
    for path, calls in described["paths"].items():
        for method, call in calls.items():
            if "security" in call:
                # On the machine of the service itself no token is needed.
                call["security"] = [{}, *call["security"]]
            call["responses"] = complete(method, path, call)
    return described


def _restore_examples(call: dict[str, Any], route: APIRoute) -> None:
    """Put the examples in as they were given: FastAPI leaves out what is null, and so breaks them."""
    for status, doc in route.responses.items():
        for media_type, content in doc.get("content", {}).items():
            if "example" in content:
                call["responses"][str(status)]["content"][media_type]["example"] = content["example"]
    body = None if route.body_field is None else route.body_field.field_info
    if isinstance(body, Body) and body.openapi_examples:
        call["requestBody"]["content"]["application/json"]["examples"] = body.openapi_examples

"""The interface's description: what FastAPI makes of the routes, and the shape of every refusal."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from service.http.problem_docs import SCHEMA

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
            described = get_openapi(
                title="crokinole", version=app.version, description=_DESCRIPTION, routes=app.routes
            )
            described.setdefault("components", {}).setdefault("schemas", {})["Problem"] = SCHEMA
            app.openapi_schema = described
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]

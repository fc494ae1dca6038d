"""``/docs``: the interface's description as one page. FastAPI's own fetches its scripts from the internet."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Request
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

_templates = Environment(
    loader=PackageLoader("service.http"),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@router.get("/docs", response_class=HTMLResponse)
def read_docs(request: Request) -> str:
    """Every call with its body's examples and its answers, to be read without the internet."""
    return _page(json.dumps(request.app.openapi()))


@lru_cache(maxsize=1)
def _page(description: str) -> str:
    described = json.loads(description)
    calls = [
        _call(method, path, call)
        for path, methods in described["paths"].items()
        for method, call in methods.items()
    ]
    tags = list(dict.fromkeys(call["tag"] for call in calls))
    return _templates.get_template("docs.html").render(info=described["info"], calls=calls, tags=tags)


def _call(method: str, path: str, call: dict[str, Any]) -> dict[str, Any]:
    bodies = call.get("requestBody", {}).get("content", {})
    return {
        "method": method.upper(),
        "path": path,
        "tag": call.get("tags", ["other"])[0],
        "summary": call.get("description") or call["summary"],
        "parameters": call.get("parameters", []),
        "bodies": [example for content in bodies.values() for example in _examples(content)],
        "answers": [
            {
                "status": status,
                "description": answer["description"],
                "examples": [
                    example
                    for content in answer.get("content", {}).values()
                    for example in _examples(content)
                ],
            }
            for status, answer in call["responses"].items()
        ],
    }


def _examples(content: dict[str, Any]) -> list[dict[str, str]]:
    named = content.get("examples", {})
    found = [(each.get("summary", name), each["value"]) for name, each in named.items()]
    if "example" in content:
        found.append(("for example", content["example"]))
    return [{"name": name, "text": _text(value)} for name, value in found]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)

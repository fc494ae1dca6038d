"""The pages people see, and the files they are made of.

A page is a frame with words; what is in it comes from the interface under ``/api/v1``, so that a page shows
nothing its reader may not read.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from scoring.presets import option_names, preset_names
from service.web.pages import Look, rendered
from service.web.words import chosen

router = APIRouter(include_in_schema=False)

_THEMES = ("light", "dark")
_files = StaticFiles(directory=str(files("service.web") / "static"))

Table = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$")]


@router.get("/", response_class=HTMLResponse)
def home(request: Request) -> str:
    """The tables, and a new match."""
    return rendered("home.html", _look(request), presets=preset_names())


@router.get("/table/{table}", response_class=HTMLResponse)
def table_page(request: Request, table: Table) -> str:
    """A table's page: what a scorekeeper works with."""
    options = {name: option_names(name) for name in preset_names()}
    return rendered("table.html", _look(request), table=table, presets=preset_names(), options=options)


@router.get("/linecall", response_class=HTMLResponse)
def linecall_page(request: Request) -> str:
    """One or two photos of a close disc, and the ruling on it."""
    return rendered("linecall.html", _look(request))


@router.get("/login", response_class=HTMLResponse)
def login_page(request: Request) -> str:
    """Where a token is typed."""
    return rendered("login.html", _look(request))


@router.get("/overlay/{table}", response_class=HTMLResponse)
def overlay_page(request: Request, table: Table) -> str:
    """The transparent page for a stream's browser source."""
    return rendered("overlay.html", _look(request), table=table)


@router.get("/static/{path:path}")
async def static_file(request: Request, path: str) -> Response:
    """A style sheet, a module or a picture of the pages; sent only when it changed."""
    answer = await _files.get_response(path, request.scope)
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _look(request: Request) -> Look:
    words = chosen(
        request.query_params.get("lang", "") or request.headers.get("accept-language", ""),
        None if "lang" in request.query_params else request.cookies.get("language"),
    )
    theme = request.cookies.get("theme")
    return Look(words, theme if theme in _THEMES else None)

"""``/healthz``: the process answers. ``/readyz``: it can do its work, so send people here."""

from __future__ import annotations

from functools import cache
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from service.http.state import Service, Svc
from service.store import StoreBusy
from service.store.revision import revision_of, wanted_revision

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Ready(BaseModel):
    """Whether the service can do its work, and each thing it needs for that."""

    ready: bool
    checks: dict[str, Literal["ok", "failed"]]


@router.get("/healthz")
async def healthz() -> Health:
    """Say that the process answers. Asks nothing else of it."""
    return Health()


@router.get("/readyz", responses={503: {"model": Ready, "description": "Not ready."}})
def readyz(service: Svc, response: Response) -> Ready:
    """Say whether the database is there and up to date, and the feed and the photo workers are alive."""
    checks = {
        "database": _has_database(service),
        "feed": service.feed.alive and not service.feed.ending,
        "photos": service.photos.alive,
    }
    ready = all(checks.values())
    response.status_code = 200 if ready else 503
    return Ready(ready=ready, checks={name: "ok" if passed else "failed" for name, passed in checks.items()})


def _has_database(service: Service) -> bool:
    try:
        with service.store.read() as connection:
            return revision_of(connection) == _wanted()
    except StoreBusy:
        return False


@cache
def _wanted() -> str:
    return wanted_revision()

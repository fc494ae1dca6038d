"""What the running service consists of, as the routes get at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from service.camera.desk import CameraDesk
from service.live.hub import Feed
from service.matches.matches import Matches
from service.photos.desk import PhotoDesk
from service.settings import Settings
from service.store import Store


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of a running service; built by `service.http.app`."""

    settings: Settings
    store: Store
    matches: Matches
    feed: Feed
    photos: PhotoDesk
    cameras: CameraDesk | None


def service_of(connection: HTTPConnection) -> Service:
    """The service a request or a WebSocket came to."""
    found: Service = connection.app.state.service
    return found


Svc = Annotated[Service, Depends(service_of)]

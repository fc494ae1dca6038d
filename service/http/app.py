"""The web application: its parts built, its routes joined, its failures told as problems.

A module of routes has ``router``; those of the interface come under ``/api/v1``, the others at the root. A
module that looks at every request has ``install(app, settings)``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI

from service.camera.desk import CameraDesk
from service.http import (
    bodies,
    capture,
    docs,
    headers,
    health,
    limits,
    linecalls,
    live,
    logs,
    matches,
    metrics,
    openapi,
    pages,
    problems,
    readings,
    rules,
    security,
    tables,
    tokens,
)
from service.http.metrics import Metrics
from service.http.state import Service
from service.live.hub import Feed
from service.live.watched import watched
from service.matches.matches import Matches
from service.photos.desk import PhotoDesk
from service.settings import Settings
from service.store import Store

API = "/api/v1"

#: The interface's routes, as its description lists them.
_API_ROUTES = (matches, tables, rules, readings, linecalls, capture, live, tokens)
_ROOT_ROUTES = (health, metrics, docs, pages)

#: What looks at every request; the last is the outermost, so that the log tells of every answer.
_INSTALLED = (security, bodies, headers, limits, metrics, logs)


def create_app(settings: Settings, *, store: Store | None = None) -> FastAPI:
    """Return the application. ``store`` is for tests; else the settings' database is opened and migrated."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as closing:
            database = store
            if database is None:
                database = Store(settings.database, feed_keep=settings.feed_keep)
                closing.callback(database.close)
            database.migrate()
            app.state.service = service = _service(app, settings, database)
            # The last started is the first stopped: cameras hand frames to photos, photos tell the feed.
            for part in (service.feed, service.photos, service.cameras):
                if part is not None:
                    await part.start()
                    closing.push_async_callback(part.stop)
            yield

    app = FastAPI(title="crokinole", version="1", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.settings = settings
    problems.install(app)
    openapi.install(app)
    for module in _API_ROUTES:
        app.include_router(module.router, prefix=API)
    for module in _ROOT_ROUTES:
        app.include_router(module.router)
    for watching in _INSTALLED:
        watching.install(app, settings)
    return app


def _service(app: FastAPI, settings: Settings, store: Store) -> Service:
    metrics: Metrics = app.state.metrics
    photos = PhotoDesk(store, settings)
    return Service(
        settings=settings,
        store=store,
        matches=Matches(store),
        feed=Feed(store, watched, on_lag=metrics.feed_lag.observe),
        photos=photos,
        cameras=CameraDesk(store, settings, photos) if settings.cameras else None,
    )

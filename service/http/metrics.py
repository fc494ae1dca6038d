"""``/metrics`` for Prometheus: requests and how long they took, the live feed, photos that wait."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.http.security import Acting, require
from service.http.state import Service
from service.settings import Settings

router = APIRouter(tags=["operations"])

#: Whether a route's pattern has this in front depends on the version of the framework.
_API = "/api/v1"

_DURATIONS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_LAGS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class Metrics:
    """The figures of one application; a registry of its own, so that two in a process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "crokinole_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.duration = Histogram(
            "crokinole_request_seconds",
            "How long requests took.",
            ("method", "route"),
            buckets=_DURATIONS_S,
            registry=self.registry,
        )
        self.under_way = Gauge(
            "crokinole_requests_under_way", "Requests not yet answered.", registry=self.registry
        )
        self.feed_lag = Histogram(
            "crokinole_feed_lag_seconds",
            "From a change's publication until this process had it for its watchers.",
            buckets=_LAGS_S,
            registry=self.registry,
        )


class _OfService(Collector):
    """Figures that the parts of the service know themselves, asked when somebody wants them."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def collect(self) -> Iterator[Metric]:
        """Yield the figures; none before the service has started."""
        service: Service | None = getattr(self._app.state, "service", None)
        if service is None:
            return
        yield GaugeMetricFamily(
            "crokinole_watchers", "Connections that watch a table.", service.feed.watchers
        )
        yield GaugeMetricFamily("crokinole_photos", "Photos being read or waiting.", service.photos.queued)
        behind = "Watchers too slow to follow, given a snapshot."
        yield CounterMetricFamily("crokinole_watchers_fallen_behind", behind, service.feed.fallen_behind)


def install(app: FastAPI, settings: Settings) -> None:
    """Count every request of ``app``."""
    app.state.metrics = metrics = Metrics()
    metrics.registry.register(_OfService(app))
    app.add_middleware(_Counting, metrics=metrics)


@router.get("/metrics", response_class=Response)
def read_metrics(request: Request, _acting: Annotated[Acting, Depends(require("viewer"))]) -> Response:
    """Return the figures in Prometheus' text format."""
    metrics: Metrics = request.app.state.metrics
    return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)


class _Counting:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500
        began_s = time.perf_counter()

        async def send_with(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            with self._metrics.under_way.track_inprogress():
                await self._app(scope, receive, send_with)
        finally:
            # The route's pattern and not the address: as many series as routes, whatever people ask for.
            route = getattr(scope.get("route"), "path", "none").removeprefix(_API)
            self._metrics.requests.labels(scope["method"], route, status).inc()
            self._metrics.duration.labels(scope["method"], route).observe(time.perf_counter() - began_s)

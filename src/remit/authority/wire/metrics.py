"""Health and Prometheus metrics of a party.

Metrics are counts, times and numbers of things; their names and labels are in `core/data/telemetry.table`. A label is
one of our own words: a path, a code of the published tables, a size class. Nothing from a request becomes a label,
and the time of the first count is not exposed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.core import telemetry
from remit.core.errors import AuthorityError
from remit.core.telemetry_table import told

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15)
_TEXT = "text/plain; version=0.0.4"
disable_created_metrics()  # type: ignore[no-untyped-call]


Level: TypeAlias = (
    "Callable[[], Mapping[str, float] | float]"  # things that are there now, by value of the label if there is one
)


class Measures:
    """The metrics of one party. `health`: its identity and readiness, digests and numbers only."""

    def __init__(
        self, party: str, health: Callable[[], dict[str, Any]], levels: Mapping[str, Level],
        ready: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self._registry = CollectorRegistry()
        self._party, self._health, self._ready, self._levels = party, health, ready, levels
        self._answers = Counter(*_named("remit_answers"), registry=self._registry)
        self._seconds = Histogram(*_named("remit_seconds"), registry=self._registry, buckets=_SECONDS)
        self._registry.register(self)
        telemetry.offer(self._registry)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the current gauges when metrics are scraped."""
        for name, level in self._levels.items():
            family = GaugeMetricFamily(name, told().figures[name].about, labels=told().figures[name].fields)
            found = level()
            for value, number in found.items() if isinstance(found, Mapping) else (("", found),):
                family.add_metric([self._party, *filter(None, (value,))], number)
            yield family

    def count(self, path: str, code: str) -> None:
        """Count an answer: `OK`, or the code of the refusal."""
        self._answers.labels(self._party, path, code).inc()

    @contextmanager
    def timed(self, path: str) -> Iterator[None]:
        """Measure how long an answer takes."""
        with self._seconds.labels(self._party, path).time():
            yield

    def routes(self) -> list[Route]:
        """Return the HTTP routes."""

        async def tell(_: HttpRequest) -> Response:
            return await self.figures()

        return [Route("/health", self.health), Route("/metrics", tell)]

    async def health(self, _: HttpRequest) -> Response:
        """Answer the health check."""
        return JSONResponse(self._health(), status_code=200 if self._ready() else 503)

    async def figures(self) -> Response:
        """Return all metrics in the Prometheus format."""
        try:
            return Response(await asyncio.to_thread(generate_latest, self._registry), media_type=_TEXT)
        except AuthorityError as error:  # a store that cannot be read: no metrics rather than wrong ones
            return JSONResponse({"message": error.message, "remedy": error.remedy}, 503)


def _named(name: str) -> tuple[str, str, tuple[str, ...]]:
    row = told().figures[name]
    return row.name, row.about, row.fields


def watching(measures: Measures) -> Starlette:
    """Return an application that serves metrics and nothing else, for monitoring over the network."""
    return Starlette(routes=measures.routes())

"""What a party tells of itself: whether it works, and figures for Prometheus.

Figures are counts, times and numbers of things; their names and labels stand in `core/data/telemetry.table`. A label is a word of ours: a path, a
code of the published tables, a size class. Nothing that was sent becomes a label, and the moments at which things were first counted are not told.
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
from remit.core.told import told

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15)
_TEXT = "text/plain; version=0.0.4"
disable_created_metrics()  # type: ignore[no-untyped-call]


Level: TypeAlias = (
    "Callable[[], Mapping[str, float] | float]"  # things that are there now, by value of the label if there is one
)


class Measures:
    """The figures of one party. `health`: who it is and whether it is ready, digests and numbers alone."""

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
        """What is there now, when somebody asks."""
        for name, level in self._levels.items():
            family = GaugeMetricFamily(name, told().figures[name].about, labels=told().figures[name].fields)
            found = level()
            for value, number in found.items() if isinstance(found, Mapping) else (("", found),):
                family.add_metric([self._party, *filter(None, (value,))], number)
            yield family

    def count(self, path: str, code: str) -> None:
        """One more answer: `OK`, or the code with which it was refused."""
        self._answers.labels(self._party, path, code).inc()

    @contextmanager
    def timed(self, path: str) -> Iterator[None]:
        """How long an answer takes."""
        with self._seconds.labels(self._party, path).time():
            yield

    def routes(self) -> list[Route]:
        """What can be asked."""

        async def tell(_: HttpRequest) -> Response:
            return await self.figures()

        return [Route("/health", self.health), Route("/metrics", tell)]

    async def health(self, _: HttpRequest) -> Response:
        """Whether it works."""
        return JSONResponse(self._health(), status_code=200 if self._ready() else 503)

    async def figures(self) -> Response:
        """All figures, as Prometheus reads them."""
        try:
            return Response(await asyncio.to_thread(generate_latest, self._registry), media_type=_TEXT)
        except AuthorityError as error:  # a store that can not be read: no figures rather than wrong ones
            return JSONResponse({"message": error.message, "remedy": error.remedy}, 503)


def _named(name: str) -> tuple[str, str, tuple[str, ...]]:
    row = told().figures[name]
    return row.name, row.about, row.fields


def watching(measures: Measures) -> Starlette:
    """An application that tells figures and does nothing else: for whoever watches over the network."""
    return Starlette(routes=measures.routes())

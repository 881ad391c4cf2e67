"""What a party tells of itself: whether it works, and figures for Prometheus.

Figures are counts, times and numbers of things. A label is a word of ours: a path, a code of the published tables, a size class. Nothing that
was sent becomes a label, and the moments at which things were first counted are not told.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from starlette.requests import Request as HttpRequest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15)
_TEXT = "text/plain; version=0.0.4"
disable_created_metrics()  # type: ignore[no-untyped-call]


class Level(NamedTuple):
    """A number of things that are there now, by a label if there is one."""

    about: str
    label: str
    now: Callable[[], Mapping[str, float]]  # by value of the label; `""` where there is none


class Measures:
    """The figures of one party. `health`: who it is and whether it is ready, digests and numbers alone."""

    def __init__(
        self, party: str, health: Callable[[], dict[str, Any]], levels: Mapping[str, Level],
        ready: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self._registry = CollectorRegistry()
        self._party, self._health, self._ready, self._levels = party, health, ready, levels
        labels = ("party", "path", "code")
        self._answers = Counter("remit_answers", "answers by path and code", labels, registry=self._registry)
        self._seconds = Histogram(
            "remit_seconds", "time to an answer", ("party", "path"), registry=self._registry, buckets=_SECONDS
        )
        self._gauges = {
            name: Gauge(name, one.about, ("party", *filter(None, (one.label,))), registry=self._registry)
            for name, one in levels.items()
        }

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
            found = {name: await asyncio.to_thread(one.now) for name, one in self._levels.items()}
        except AuthorityError as error:  # a store that can not be read: no figures rather than wrong ones
            return JSONResponse({"message": error.message, "remedy": error.remedy}, 503)
        for name, numbers in found.items():
            self._gauges[name].clear()
            for value, number in numbers.items():
                labels = (self._party, *filter(None, (self._levels[name].label and value,)))
                self._gauges[name].labels(*labels).set(number)
        return Response(generate_latest(self._registry), media_type=_TEXT)


def watching(measures: Measures) -> Starlette:
    """An application that tells figures and does nothing else: for whoever watches over the network."""
    return Starlette(routes=measures.routes())


def alone(about: str, now: Callable[[], float]) -> Level:
    """A number without a label."""
    return Level(about, "", lambda: {"": now()})

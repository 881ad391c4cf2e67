"""Figures for Prometheus: those that are counted here, and those that parts of the process keep by themselves."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any, cast

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest

from remit.core.told import told
from remit.telemetry.forms import OTHER, fitting
from remit.telemetry.metrics_endpoint import Endpoint

_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60)
_MOST = 500  # sets of labels of one figure; further ones count together
_MAKERS: dict[str, Any] = {"counter": Counter, "histogram": partial(Histogram, buckets=_SECONDS)}
disable_created_metrics()  # type: ignore[no-untyped-call]


class Figures:
    """The figures of one process, and where they are told."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._registry = CollectorRegistry()
        self._known: dict[str, Any] = {}
        self._sets: dict[str, dict[tuple[str, ...], Any]] = {}
        self._making = threading.Lock()
        self._endpoint = Endpoint(address, self.text)

    def count(self, name: str, labels: tuple[str, ...], number: int = 1) -> None:
        """So many more."""
        self._of(name, labels).inc(number)

    def observe(self, name: str, value: float, labels: tuple[str, ...]) -> None:
        """One more value."""
        self._of(name, labels).observe(value)

    def also(self, collector: object) -> None:
        """Figures of a registry that is kept elsewhere."""
        self._registry.register(cast("Any", collector))

    def text(self) -> bytes:
        """All of them, as they are scraped."""
        return generate_latest(self._registry)

    def close(self) -> None:
        """Tell them no more."""
        self._endpoint.close()

    def _of(self, name: str, labels: tuple[str, ...]) -> Any:
        """The figure with these labels."""
        found = self._sets.get(name, {}).get(labels)
        if found is None:
            with self._making:
                found = self._made(name, labels)
        return found

    def _made(self, name: str, labels: tuple[str, ...]) -> Any:
        """With each label in its form; as one of the others where there are too many. What does not fit takes no room by itself."""
        row, sets = told().figures[name], self._sets.setdefault(name, {})
        if name not in self._known:
            self._known[name] = _MAKERS[row.kind](name, row.about, row.fields, registry=self._registry)
        figure = self._known[name]
        fit = tuple(str(fitting(*pair)) for pair in zip(row.fields, labels, strict=True))
        if fit not in sets and len(sets) >= _MOST:
            fit = (OTHER,) * len(labels)
        if fit not in sets:
            sets[fit] = figure.labels(*fit) if fit else figure
        return sets[fit]

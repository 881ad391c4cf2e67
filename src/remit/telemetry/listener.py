"""The telemetry listener of a process: puts spans into traces and queues what it receives without blocking."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple, Self

from remit.core.telemetry import Home
from remit.core.telemetry_table import told
from remit.telemetry.scrubbing import fitting

if TYPE_CHECKING:
    from types import TracebackType

    from remit.telemetry.event_log import Lines
    from remit.telemetry.metrics import Figures
    from remit.telemetry.send_queue import Shipper

_current: ContextVar[OpenSpan | None] = ContextVar("remit-span", default=None)
_QUIET = 60.0  # seconds between two lines about lost items


class FinishedSpan(NamedTuple):
    """A finished span."""

    name: str
    home: Home
    parent: str  # the parent span in its trace; empty: none
    linked: Home | None  # the same span in another trace
    begun: int  # nanoseconds since 1970
    ended: int
    attributes: Mapping[str, str | int]
    failed: bool  # ended with an exception


class OpenSpan:
    """An open span. Errors in it never reach the traced code.

    A span that turns out to belong to another trace is sent in both, and each links the other: it is not lost in the
    caller's trace, and the other trace reveals nothing of the caller's.
    """

    __slots__ = ("_attributes", "_began", "_begun", "_listener", "_name", "_outer", "_parent", "_start", "home")

    def __init__(self, listener: Telemetry, name: str, within: Home | None) -> None:
        outer = _current.get()
        around = within or (outer.home if outer is not None else None)
        self._listener, self._name, self._outer = listener, name, outer
        self.home: Home = Home(around.trace if around else os.urandom(16).hex(), os.urandom(8).hex())
        self._parent = around.span if around else ""
        self._began: tuple[Home, str] | None = None  # its first trace and parent
        self._attributes: dict[str, str | int] = {}
        self._begun, self._start = time.time_ns(), time.perf_counter_ns()

    def note(self, **attributes: str | int) -> None:
        """Add attributes, in the forms that the span allows."""
        with suppress(Exception):
            fields = told().spans[self._name].fields
            said = {name: fitting(name, value) for name, value in attributes.items() if name in fields}
            self._attributes |= {name: value for name, value in said.items() if value != ""}

    def belongs(self, home: Home, within: Home | None = None) -> None:
        """Move the span into another trace. Its first place is kept too, if it has a parent there."""
        if self._parent and self._began is None:
            self._began = self.home, self._parent
        self.home = home if home.span else Home(home.trace, self.home.span)
        self._parent = within.span if within else ""

    def __enter__(self) -> Self:
        _current.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(Exception):
            _current.set(self._outer)
            took = time.perf_counter_ns() - self._start
            began, around = self._began or (None, "")
            rest = (self._begun, self._begun + took, self._attributes, kind is not None)
            self._listener.ended(FinishedSpan(self._name, self.home, self._parent, began, *rest), took / 1e9)
            if began is not None:
                self._listener.also(FinishedSpan(self._name, began, around, self.home, *rest))


class Telemetry:
    """The telemetry of a process; spans, metrics and lines are optional."""

    def __init__(self, process: str) -> None:
        self.process = process
        self.spans: Shipper[FinishedSpan] | None = None
        self.figures: Figures | None = None
        self.lines: Lines | None = None
        self._said: dict[str, float] = {}  # when a loss was last reported

    def count(self, name: str, labels: tuple[str, ...]) -> None:
        """Increase a counter."""
        if self.figures is not None:
            self.figures.count(name, labels)

    def span(self, name: str, within: Home | None) -> OpenSpan:
        """Open a span."""
        return OpenSpan(self, name, within)

    def current(self) -> OpenSpan | None:
        """Return the current span."""
        return _current.get()

    def ended(self, span: FinishedSpan, seconds: float) -> None:
        """Record a finished span."""
        if self.figures is not None:
            self.figures.observe("remit_span_seconds", seconds, (span.name,))
        self.also(span)

    def also(self, span: FinishedSpan) -> None:
        """Queue a span, also one for a second trace."""
        if self.spans is not None:
            self.spans.put(span)

    def event(self, code: str, fields: dict[str, str | int]) -> None:
        """Write an event."""
        if self.lines is not None:
            here = _current.get()
            self.lines.write(code, fields, here.home if here is not None else None)

    def offer(self, figures: object) -> None:
        """Add the metrics of another part of the process."""
        if self.figures is not None:
            self.figures.also(figures)

    def lost(self, what: str, number: int) -> None:
        """Count lost items, and report them as an event unless they were events."""
        if self.figures is not None:
            self.figures.count("remit_telemetry_lost", (what,), number)
        now = time.monotonic()
        if what != "lines" and now - self._said.get(what, -_QUIET) >= _QUIET:
            self._said[what] = now
            self.event("TELEMETRY_LOST", {"what": what, "number": number})

    def close(self, seconds: float) -> None:
        """Send what is queued, within the time limit."""
        for one in (self.spans, self.lines):
            if one is not None:
                one.close(seconds)
        if self.figures is not None:
            self.figures.close()

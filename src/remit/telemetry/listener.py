"""The listener of a process: it gives spans a place in their trace, and hands on what it hears without waiting for anybody."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple, Self

from remit.core.telemetry import Home
from remit.core.told import told
from remit.telemetry.forms import fitting

if TYPE_CHECKING:
    from types import TracebackType

    from remit.telemetry.figures import Figures
    from remit.telemetry.lines import Lines
    from remit.telemetry.send_queue import Shipper

_current: ContextVar[OpenSpan | None] = ContextVar("remit-span", default=None)
_QUIET = 60.0  # seconds between two lines about what was lost


class Ended(NamedTuple):
    """A span, from its beginning to its end."""

    name: str
    home: Home
    parent: str  # the span around it in its trace; empty: there is none
    linked: Home | None  # the same in another trace
    begun: int  # nanoseconds since 1970
    ended: int
    attributes: Mapping[str, str | int]
    failed: bool  # it ended with an exception


class OpenSpan:
    """A span that goes on. Nothing that goes wrong here is heard of outside.

    One that turns out to belong to another trace is told twice, here and there, and each time links the other: in the trace of the caller
    it is not lost, and to those in the other one nothing is said of the caller's.
    """

    __slots__ = ("_attributes", "_began", "_begun", "_listener", "_name", "_outer", "_parent", "_start", "home")

    def __init__(self, listener: Telemetry, name: str, within: Home | None) -> None:
        outer = _current.get()
        around = within or (outer.home if outer is not None else None)
        self._listener, self._name, self._outer = listener, name, outer
        self.home: Home = Home(around.trace if around else os.urandom(16).hex(), os.urandom(8).hex())
        self._parent = around.span if around else ""
        self._began: tuple[Home, str] | None = None  # where it was, and within what
        self._attributes: dict[str, str | int] = {}
        self._begun, self._start = time.time_ns(), time.perf_counter_ns()

    def note(self, **attributes: str | int) -> None:
        """More of it: attributes of its row, in their forms."""
        with suppress(Exception):
            fields = told().spans[self._name].fields
            said = {name: fitting(name, value) for name, value in attributes.items() if name in fields}
            self._attributes |= {name: value for name, value in said.items() if value != ""}

    def belongs(self, home: Home, within: Home | None = None) -> None:
        """It is this part of another trace. Where it began is remembered, if anything is around it there."""
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
            self._listener.ended(Ended(self._name, self.home, self._parent, began, *rest), took / 1e9)
            if began is not None:
                self._listener.also(Ended(self._name, began, around, self.home, *rest))


class Telemetry:
    """What a process tells, and whom: any of these may be missing."""

    def __init__(self, process: str) -> None:
        self.process = process
        self.spans: Shipper[Ended] | None = None
        self.figures: Figures | None = None
        self.lines: Lines | None = None
        self._said: dict[str, float] = {}  # when it was said last that something was lost

    def count(self, name: str, labels: tuple[str, ...]) -> None:
        """One more."""
        if self.figures is not None:
            self.figures.count(name, labels)

    def span(self, name: str, within: Home | None) -> OpenSpan:
        """It begins."""
        return OpenSpan(self, name, within)

    def current(self) -> OpenSpan | None:
        """What goes on here."""
        return _current.get()

    def ended(self, span: Ended, seconds: float) -> None:
        """It is over."""
        if self.figures is not None:
            self.figures.observe("remit_span_seconds", seconds, (span.name,))
        self.also(span)

    def also(self, span: Ended) -> None:
        """The same in another trace."""
        if self.spans is not None:
            self.spans.put(span)

    def event(self, code: str, fields: dict[str, str | int]) -> None:
        """A line."""
        if self.lines is not None:
            here = _current.get()
            self.lines.write(code, fields, here.home if here is not None else None)

    def offer(self, figures: object) -> None:
        """Figures that are kept elsewhere in the process."""
        if self.figures is not None:
            self.figures.also(figures)

    def lost(self, what: str, number: int) -> None:
        """Something was not taken. Of the lines themselves that is counted, and not written."""
        if self.figures is not None:
            self.figures.count("remit_telemetry_lost", (what,), number)
        now = time.monotonic()
        if what != "lines" and now - self._said.get(what, -_QUIET) >= _QUIET:
            self._said[what] = now
            self.event("TELEMETRY_LOST", {"what": what, "number": number})

    def close(self, seconds: float) -> None:
        """The process ends: what waits is sent, if it does not take long."""
        for one in (self.spans, self.lines):
            if one is not None:
                one.close(seconds)
        if self.figures is not None:
            self.figures.close()

"""What the daemon tells of its decisions while it works: names, outcomes and times, never what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core import telemetry
from remit.core.telemetry import of_names, read_parent
from remit.guard.daemon.carry import denial
from remit.guard.event import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.core.telemetry import Home
    from remit.guard.event import Event, Verdict
    from remit.guard.wire import Answer


def watched(event: Event, decide: Callable[[Event], Verdict]) -> Verdict:
    """A decision, told of."""
    with telemetry.span("remit.guard.decide", trace_of(event)) as span:
        verdict = decide(event)
        span.note(host=event.host, kind=event.kind, tool=event.tool, outcome=verdict.outcome)
        telemetry.count("remit_guard_decisions", event.host, event.kind, verdict.outcome)
        if verdict.outcome is Outcome.DENY:
            telemetry.event("GUARD_DENIED", host=event.host, kind=event.kind, tool=event.tool)
    return verdict


def trace_of(event: Event) -> Home:
    """The trace in which the host works; else that of the call: what is decided before and after it, or while a person is asked."""
    return read_parent(event.parent) or of_names("guard", event.host, event.session, event.call)


def faulty(error: BaseException) -> Answer:
    """The answer to what could not be decided."""
    telemetry.count("remit_guard_faults")
    telemetry.event("GUARD_FAULT", detail=str(error))
    return denial(error)

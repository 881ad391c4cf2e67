"""Compares where marks arrived with what a case says of its flows, and with what was reported."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from harness.flow_cases import Expected, Sink
from harness.flow_match import is_checked, is_reported, is_secret, is_started
from harness.flow_run import is_below
from harness.flow_score import known_misses

if TYPE_CHECKING:
    from harness.flow_cases import FlowCase
    from harness.flow_run import Arrival, FlowRun
    from remit.analysis.result import Effects


def _is_of(arrival: Arrival, flow: Expected) -> bool:
    """Whether an arrival is the flow of a case."""
    source, sink = flow.source, flow.sink
    kind = "file" if source.kind == "secret" else source.kind
    if kind != arrival.source.kind or source.part not in (None, arrival.source.part):
        return False
    if kind != "stdin" and source.name != arrival.source.name and not fnmatchcase(arrival.source.name, source.name):
        return False
    if sink.kind != arrival.kind or sink.via not in (None, arrival.via):
        return False
    name, first = sink.name, arrival.names[0]
    if sink.kind == "child":
        return name == "*" or any(word == name or word.endswith(f"/{name}") for word in arrival.names)
    if sink.kind == "stdout":
        return name in ("*", first)
    return first == name or fnmatchcase(first, name) or (sink.kind == "net" and is_below(first, name))


def untrue(case: FlowCase, ran: FlowRun) -> list[str]:
    """What a case says of its flows that was not so in a run."""
    found = [] if ran.status == case.status else [f"exit code {ran.status}"]
    found += [f"not seen: {flow}" for flow in case.flows if not any(_is_of(arrival, flow) for arrival in ran.arrivals)]
    found += [f"seen: {arrival}" for arrival in ran.arrivals if any(_is_of(arrival, flow) for flow in case.never)]
    stated = (*case.flows, *case.also)
    return found + [
        f"not stated: {arrival}"
        for arrival in ran.arrivals
        if arrival.kind != "child" and not any(_is_of(arrival, flow) for flow in stated)
    ]


def unreported(case: FlowCase, ran: FlowRun, effects: Effects) -> list[Arrival]:
    """What arrived without a report that says so. Code that is opaque may do anything."""
    if effects.opaque or case.implicit:
        return []
    known = [flow for flow in case.flows if (case.id, str(flow)) in known_misses()]
    return [
        arrival
        for arrival in ran.arrivals
        if not _is_reported(arrival, case, effects) and not any(_is_of(arrival, flow) for flow in known)
    ]


def _is_reported(arrival: Arrival, case: FlowCase, effects: Effects) -> bool:
    source = arrival.source
    if arrival.kind == "file" and arrival.names == (source.name,):
        return True  # a file that is changed where it lies
    names = set(arrival.names)
    if arrival.kind == "child":
        if source.kind == "file" and not is_secret(source, effects, case):
            return True  # by design: that a program is given ordinary files is not reported
        names = {word.rpartition("/")[2] for word in arrival.names} - {""}
        if not any(is_started(name, effects, case) for name in names):
            return True  # another program started it, not the skill; that it was predicted is checked elsewhere
    wanted = [Expected(source, Sink(arrival.kind, name, arrival.via)) for name in names]
    return not all(map(is_checked, wanted)) or any(is_reported(one, effects.flows, case) for one in wanted)

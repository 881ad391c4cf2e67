"""Flows: data that a skill moves from a source to a sink."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from remit.core.effect import Effect, Origin
from remit.core.via import Cause

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.core.scope import Scope


class Endpoint(NamedTuple):
    """One end of a flow: an effect that reads data or sends data out."""

    capability: str
    scope: Scope
    where: Location


class Flow(NamedTuple):
    """Data of the source may be part of what the sink sends, writes or passes on."""

    source: Endpoint
    sink: Endpoint
    steps: tuple[Location, ...] = ()  # the lines between them, in the order of the data
    origin: Origin = Origin.SCRIPT
    model: bool = False  # the data passes through the agent's context: a script prints it, a later command uses it


def fetches_for_itself(flow: Flow, here: Iterable[Effect]) -> bool:
    """Whether one program reads files and fetches something for its own work: it requests what its arguments name.

    `here`: the effects at the line of the sink.
    """
    source, sink = flow.source, flow.sink
    if sink.capability != "web.fetch" or source.capability != "file.read" or source.where != sink.where:
        return False
    programs: dict[Endpoint, set[str]] = {source: set(), sink: set()}
    for effect in here:
        end = Endpoint(*effect[:3])
        if end in programs:
            programs[end].add(effect.via.name.split(" ", 1)[0] if effect.via.cause is Cause.COMMAND else "")
    return programs[sink] == programs[source] and "" not in programs[sink]

"""Flows: data that a skill moves from where it comes from to where it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.core.effect import Origin

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.core.scope import Scope


class Endpoint(NamedTuple):
    """One end of a flow: an effect that brings data in or sends data out."""

    capability: str
    scope: Scope
    where: Location


class Flow(NamedTuple):
    """Data of the source may be part of what the sink sends, writes or passes on."""

    source: Endpoint
    sink: Endpoint
    steps: tuple[Location, ...] = ()  # the lines between them, in the order in which data moves
    origin: Origin = Origin.SCRIPT
    model: bool = False  # the data passes through the agent's context: a script prints it, a later command uses it

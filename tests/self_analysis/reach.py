"""What a room reaches through its doors when nobody has a Permit, by our own analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.session import analyse
from self_analysis.driver import DRIVER, Door, drive
from self_analysis.permits import PERMIT, Key, without_permits
from self_analysis.source import Source, as_skill, room_files

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.core.location import Location


class Reached(NamedTuple):
    """An effect, or a place that is not understood, which is an effect too: then `scope` is the reason."""

    capability: str
    scope: str
    where: Location
    path: tuple[Location, ...] = ()


OPAQUE = "opaque"


def reached(source: Source, room: str, key: Key = PERMIT) -> tuple[Reached, ...]:
    """Everything that the doors of a room reach without its key."""
    return _analysed(source, room, drive(room_files(source, room)).text, key)


def doors_to(source: Source, room: str, found: Reached) -> tuple[Door, ...]:
    """The doors that lead to an effect. This costs one analysis for each door, so that it is asked only where one is too many."""
    files = room_files(source, room)
    doors = drive(files).doors
    seen = {
        door: {(item.capability, item.where) for item in _analysed(source, room, drive(files, door).text)}
        for door in doors
    }
    return tuple(door for door in doors if (found.capability, found.where) in seen[door])


def _analysed(source: Source, room: str, driver: str, key: Key = PERMIT) -> tuple[Reached, ...]:
    skill = as_skill({**without_permits(source, room, key), DRIVER: driver})
    return as_reached(analyse(skill, entries=frozenset({DRIVER})))


def as_reached(effects: Effects) -> tuple[Reached, ...]:
    """What is done, and what is not understood, in one form."""
    acts = [Reached(item.capability, item.scope.render(), item.where, item.path) for item in effects.effects]
    return (*acts, *(Reached(OPAQUE, item.reason, item.where) for item in effects.opaque))

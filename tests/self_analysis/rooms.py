"""Rooms that act: for a skill, for an agent, or for Remit itself; and what our analysis says of each room.

Each module is analysed alone, with anything for what it takes from other modules of ours, each of which is analysed likewise. So
what a room does is what its modules do, and a room that is in no list must do nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.analysis.session import analyse
from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table import read_table
from self_analysis.doors import EVERY_ROOM, Finding, OwnEffect, excused
from self_analysis.permits import PERMIT, Key, key_named
from self_analysis.reach import OPAQUE, Reached, as_reached
from self_analysis.source import Source, as_skill, in_room, room_files

_FILE = Path(__file__).with_name("data") / "acting_rooms.table"
ACTING, OWN = "acting", "own"
_ELSEWHERE = "module `remit."  # what is imported from a module of ours is judged there


class Room(NamedTuple):
    """A room that has effects. One that acts has a key for them (a Permit, say); the others have the listed capabilities."""

    name: str
    acts: bool
    capabilities: frozenset[str]  # empty for a room that acts: `own_effects.table` says more of it
    where: str
    key: Key = PERMIT


@cache
def rooms() -> tuple[Room, ...]:
    """The table of this version."""
    return read_rooms(_FILE)


def read_rooms(path: Path) -> tuple[Room, ...]:
    """Read a table: `[acting]` room, key, reason; `[own]` room, capabilities, reason."""
    found: dict[str, Room] = {}
    for row in read_table(path, 3):
        name, second, reason = row.cells
        if row.section not in (ACTING, OWN):
            raise DataError(f"{row.where}: `{row.section}` is no section", f"write [{ACTING}] or [{OWN}]")
        if name in found or not reason:
            raise DataError(
                f"{row.where}: `{name}` occurs twice or has no reason", "one line for a room, with its reason"
            )
        words = frozenset(second.split()) if row.section == OWN else frozenset()
        for word in sorted(words - {OPAQUE}):
            if word not in vocabulary():
                raise DataError(f"{row.where}: `{word}` is no capability", "docs/capabilities.md lists them")
        acts = row.section == ACTING
        found[name] = Room(name, acts, words, row.where, key_named(second) if acts else PERMIT)
    return tuple(found.values())


def done_by(source: Source, room: str) -> Iterator[Reached]:
    """What the modules of a room do, each alone."""
    for path, text in room_files(source, room).items():
        for found in as_reached(analyse(as_skill({path: text}))):
            if not (found.capability == OPAQUE and found.scope.startswith(_ELSEWHERE)):
                yield found


def check_room(source: Source, name: str, listed: Sequence[Room], own: Sequence[OwnEffect]) -> Iterator[Finding]:
    """What a room does and its line does not say, and what the line says and the room does not do.

    A room that acts is judged by `check_doors`, which is stricter.
    """
    room = next((room for room in listed if room.name == name), None)
    if room is not None and room.acts:
        return
    if room is not None and not room_files(source, name):
        yield Finding(room.where, f"there is no room `{name}`")
        return
    capabilities = room.capabilities if room is not None else frozenset()
    rows = [row for row in own if row.room == name or (row.room == EVERY_ROOM and in_room(row.file, name))]
    done: set[str] = set()
    needed: set[OwnEffect] = set()
    for found in done_by(source, name):
        done.add(found.capability)
        excuses = [row for row in rows if excused(found, row)]
        needed.update(excuses)
        if found.capability not in capabilities and not excuses:
            what = found.scope if found.capability == OPAQUE else f"`{found.capability}` of `{found.scope}`"
            yield Finding(
                f"{found.where.file}:{found.where.line}",
                f"{what}, of which acting_rooms.table says nothing for `{name}`",
            )
    for capability in sorted(capabilities - done):
        yield Finding(room.where if room else "", f"`{name}` does not do `{capability}`")
    yield from (Finding(row.where, "nothing needs this line") for row in rows if row not in needed)

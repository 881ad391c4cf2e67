"""Ambient activity: what programs do by themselves, as data with a reason for each line."""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.capsule.confinement import DATA, HOME, SKILL, TEMP
from remit.capsule.trace import Act, Kind, Outcome
from remit.core.errors import DataError
from remit.core.table import Row, read_table

_SYSTEM = ("/usr/", "/bin/", "/sbin/")


class Ambient(NamedTuple):
    """The list: kinds and path patterns, and pairs of programs with what they look up or start."""

    places: tuple[tuple[frozenset[str], str], ...]
    settings: tuple[tuple[str, str], ...]
    scratch: tuple[tuple[str, str], ...]
    helpers: tuple[tuple[str, str], ...]


def is_ambient(act: Act, removed: Collection[str] = ()) -> bool:
    """Return whether an act is not an effect of a skill; `removed` are files that were gone at the end."""
    known = ambient()
    if act.kind is Kind.START:
        return _by_system(act) and any(_pair(act, *pair) for pair in known.helpers)
    if act.kind in (Kind.READ, Kind.LIST) and (act.asked or act.object).startswith(("/proc/self", "/proc/thread-self")):
        return True
    if _inside(act.object, HOME):
        return is_own_settings(act)
    if posixpath.dirname(act.object) == TEMP and _by_system(act):
        return act.object in removed and any(_pair(act, *pair) for pair in known.scratch)
    kind = "write" if act.kind in (Kind.FOLDER, Kind.CHMOD) else str(act.kind)
    return any(kind in kinds and fnmatchcase(act.object, pattern) for kinds, pattern in known.places)


def is_own_settings(act: Act) -> bool:
    """Return whether a system program looked for its own start-up file in the home folder and found none."""
    looked = act.kind is Kind.READ and act.outcome is Outcome.ABSENT and _by_system(act)
    name = posixpath.basename(act.by)
    inner = posixpath.relpath(act.object, HOME)
    return looked and any(name == program and fnmatchcase(inner, place) for program, place in ambient().settings)


def _by_system(act: Act) -> bool:
    return act.by.startswith(_SYSTEM)


def _pair(act: Act, program: str, name: str) -> bool:
    return fnmatchcase(posixpath.basename(act.by), program) and fnmatchcase(posixpath.basename(act.object), name)


@cache
def ambient() -> Ambient:
    """Return the list of this version, read once."""
    return _load(DATA / "ambient.table")


def _load(path: Path) -> Ambient:
    """Read a list; a line without a reason, a duplicate, or a pattern that could hide an effect is refused."""
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in Ambient._fields}
    for row in read_table(path, 3):
        first, second, why = row.cells
        if row.section not in found or not (first and second and why):
            raise _refused(row, "a line has a section, two names and a reason")
        if row.section == "places":
            _check(row, first, second)
        if (first, second) in found[row.section]:
            raise _refused(row, f"`{second}` is listed twice")
        found[row.section].append((first, second))
    places = tuple((frozenset(kinds.split()), pattern) for kinds, pattern in found["places"])
    return Ambient(places, *(tuple(found[name]) for name in Ambient._fields[1:]))


def _check(row: Row, kinds: str, pattern: str) -> None:
    wrong = set(kinds.split()) - {Kind.READ, Kind.LIST, Kind.WRITE, Kind.DELETE}
    if wrong:
        raise _refused(row, f"`{min(wrong)}` is not a kind of act")
    literal = pattern.partition("*")[0].partition("?")[0].partition("[")[0]
    for place in (SKILL, HOME):
        if literal.startswith(place) or f"{place}/".startswith(literal):
            raise _refused(row, f"`{pattern}` could hide what is done in `{place}`")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _refused(row: Row, what: str) -> DataError:
    return DataError(f"{row.where}: {what}", "correct the line; the head of the file says what is allowed here")

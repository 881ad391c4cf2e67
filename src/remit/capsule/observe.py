"""The effects that were observed: acts in the capabilities and scopes of manifests, without ambient activity.

Ambient activity is what programs do by themselves, as data with a reason for each line.

The kernel sees less than a manifest says: a connection, but not whether it fetches or posts; a program, but not whether a
shell was asked for. So an observation has *meanings*, each of which explains it. The folder of a test run is the skill and its
workspace at once, so that a path in it has two names. A sensitive path is observed twice: as a file, and as its own capability.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.capsule.confinement import DATA, HOME, SEARCHED, SKILL, STAND_INS, TEMP, address_of
from remit.capsule.trace import Act, ActKind, Outcome
from remit.core import scope as places
from remit.core.errors import DataError
from remit.core.scope import ANY_SCOPE, HostScope, NameScope, PathScope, Scope
from remit.core.scope.component import escape
from remit.core.scope.hosts import normal_host
from remit.core.sensitive import sensitive
from remit.core.source import is_source
from remit.core.table import TableRow, read_table

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
    if act.kind is ActKind.START:
        return _by_system(act) and any(_pair(act, *pair) for pair in known.helpers)
    if act.kind in (ActKind.READ, ActKind.LIST) and (act.asked or act.object).startswith(
        ("/proc/self", "/proc/thread-self")
    ):
        return True
    if _inside(act.object, HOME):
        return is_own_settings(act)
    if posixpath.dirname(act.object) == TEMP and _by_system(act):
        return act.object in removed and any(_pair(act, *pair) for pair in known.scratch)
    kind = "write" if act.kind in (ActKind.FOLDER, ActKind.CHMOD) else str(act.kind)
    return any(kind in kinds and fnmatchcase(act.object, pattern) for kinds, pattern in known.places)


def is_own_settings(act: Act) -> bool:
    """Return whether a system program looked for its own start-up file in the home folder and found none."""
    looked = act.kind is ActKind.READ and act.outcome is Outcome.ABSENT and _by_system(act)
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


def _check(row: TableRow, kinds: str, pattern: str) -> None:
    wrong = set(kinds.split()) - {ActKind.READ, ActKind.LIST, ActKind.WRITE, ActKind.DELETE}
    if wrong:
        raise _refused(row, f"`{min(wrong)}` is not a kind of act")
    literal = pattern.partition("*")[0].partition("?")[0].partition("[")[0]
    for place in (SKILL, HOME):
        if literal.startswith(place) or f"{place}/".startswith(literal):
            raise _refused(row, f"`{pattern}` could hide what is done in `{place}`")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _refused(row: TableRow, what: str) -> DataError:
    return DataError(f"{row.where}: {what}", "correct the line; the head of the file says what is allowed here")


class Role(StrEnum):
    """The role of an observation for the skill."""

    EFFECT = "effect"
    LOADED = "loaded"  # code of the skill, read to be run; or a start-up file that is not there


class Meaning(NamedTuple):
    """A capability and a scope that explain an observation."""

    capability: str
    scope: Scope


class Observation(NamedTuple):
    """One observation. `passing`: a folder on the way to something, made or read; `portless`: a name alone."""

    meanings: tuple[Meaning, ...]
    outcome: Outcome
    role: Role = Role.EFFECT
    passing: bool = False
    portless: bool = False


class Content(NamedTuple):
    """The skill's own content, by relative path: all files and folders, and the code among them."""

    paths: frozenset[str]
    code: frozenset[str]
    names: tuple[str, ...] = ()  # hosts that resolve in the sandbox
    interpreters: frozenset[tuple[str, str]] = frozenset()  # scripts and the programs that their first lines name


_FILE = {
    ActKind.READ: "file.read",
    ActKind.LIST: "file.read",
    ActKind.WRITE: "file.write",
    ActKind.FOLDER: "file.write",
    ActKind.DELETE: "file.delete",
    ActKind.CHMOD: "file.chmod",
}
_STARTING = ("process.create", "shell.execute", "repl.create", "repl.execute")
_REACHING = ("net.connect", "web.fetch", "web.post", "web.interact", "api.call")
_ANCHORS = ((SKILL, places.WORKSPACE), (SKILL, places.SKILL), (HOME, places.HOME), (TEMP, places.TEMP))
_PROGRAMS = (*SEARCHED, STAND_INS)
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_EPHEMERAL = 32_768  # ports from here on are given out by the kernel; they say nothing


def observe(acts: Iterable[Act], content: Content) -> tuple[Observation, ...]:
    """Return all observations, each once, without ambient activity."""
    acts = list(acts)
    folders = {act.object for act in acts if act.kind in (ActKind.LIST, ActKind.FOLDER)}
    folders |= {posixpath.normpath(posixpath.join(SKILL, path, "..")) for path in content.paths}
    started = {
        posixpath.basename(act.object) for act in acts if act.kind is ActKind.START and act.outcome is Outcome.DONE
    }
    removed = {act.object for act in acts if act.kind is ActKind.DELETE and act.outcome is Outcome.DONE}
    found: dict[Observation, None] = {}
    for act in acts:
        if act.kind is ActKind.START and (_searched(act, started) or _interprets(act, content)):
            continue
        if act.kind is ActKind.READ and act.object in folders:
            act = act._replace(kind=ActKind.LIST)  # noqa: PLW2901  (a folder can be opened like a file)
        if is_ambient(act, removed) and not is_own_settings(act):
            continue
        for seen in _seen(act, content):
            found.setdefault(seen)
    return tuple(found)


def _searched(act: Act, started: set[str]) -> bool:
    """Return whether a program was only looked for along the search path, and found in another folder."""
    folder, name = posixpath.split(act.object)
    return act.outcome is Outcome.ABSENT and folder in _PROGRAMS and name in started


def _interprets(act: Act, content: Content) -> bool:
    """Return whether a script of the skill becomes the program that its first line names."""
    script = posixpath.relpath(act.by, SKILL) if act.by.startswith(SKILL + "/") else ""
    folder, name = posixpath.split(act.object)
    return folder in _PROGRAMS and (script, name) in content.interpreters


def _seen(act: Act, content: Content) -> Iterator[Observation]:
    if act.kind in _FILE:
        yield from _file(act, content)
    elif act.kind is ActKind.START:
        yield Observation(tuple(_program(act.object)), act.outcome)
    elif act.kind in (ActKind.CONNECT, ActKind.LISTEN):
        host, _, port = act.object.rpartition(":")
        capabilities = ("net.listen",) if act.kind is ActKind.LISTEN else _REACHING
        hosts = _hosts(host, int(port), content.names)
        yield Observation(tuple(Meaning(name, one) for name in capabilities for one in hosts), act.outcome)
    elif act.kind is ActKind.LOOKUP:
        name = HostScope(act.object) if act.object else ANY_SCOPE
        yield Observation(tuple(Meaning(one, name) for one in _REACHING), act.outcome, portless=bool(act.object))
    else:
        target = NameScope(escape(act.object)) if act.object else ANY_SCOPE
        yield Observation((Meaning("process.kill", target),), act.outcome)


# ── files ──


def _file(act: Act, content: Content) -> Iterator[Observation]:
    if act.object.startswith("/proc"):
        yield from _process(act)
        return
    capability = _FILE[act.kind]
    scopes = scopes_of(act.object)
    passing = act.kind in (ActKind.LIST, ActKind.FOLDER)
    if _loads(act, content) or is_own_settings(act):
        meanings = [Meaning(name, scope) for name in (capability, "source.execute") for scope in scopes]
        yield Observation(tuple(meanings), act.outcome, Role.LOADED)
        return
    meanings = [Meaning(capability, scope) for scope in scopes]
    meanings += [Meaning(name, scope) for name in _also(act, content) for scope in scopes]
    meanings += _history(act, scopes)
    yield Observation(tuple(meanings), act.outcome, passing=passing)
    for name in sorted({name for scope in scopes for name in sensitive(capability, scope)}):
        yield Observation(tuple(Meaning(name, scope) for scope in scopes), act.outcome, passing=passing)


def scopes_of(path: str) -> tuple[PathScope, ...]:
    """Return the scopes of a path, as the program saw it."""
    found = [
        PathScope(anchor, tuple(map(escape, filter(None, path[len(folder) :].split("/")))))
        for folder, anchor in _ANCHORS
        if path == folder or path.startswith(folder + "/")
    ]
    if not found or path.startswith(f"{TEMP}/"):  # a program may name the temporary folder by its path
        found.append(PathScope(places.ROOT, tuple(map(escape, filter(None, path.split("/"))))))
    return tuple(found)


def _loads(act: Act, content: Content) -> bool:
    """Return whether code of the skill is read or looked for, or a folder of it is listed."""
    if act.kind not in (ActKind.READ, ActKind.LIST) or not (act.object + "/").startswith(SKILL + "/"):
        return False
    inner = posixpath.relpath(act.object, SKILL)
    if act.kind is ActKind.LIST:
        return inner == "." or inner in content.paths
    if act.outcome is Outcome.ABSENT or inner in content.paths:
        return inner in content.code or any(fnmatchcase(posixpath.basename(inner), name) for name in _loading())
    return False


@cache
def _loading() -> tuple[str, ...]:
    return tuple(row.cells[0] for row in read_table(DATA / "loading.table", 2))


def _also(act: Act, content: Content) -> Iterator[str]:
    """Yield other capabilities that explain an act on a file."""
    made_here = not (act.object.startswith(SKILL + "/") and posixpath.relpath(act.object, SKILL) in content.paths)
    if act.kind is ActKind.CHMOD and made_here:
        yield "file.write"  # the mode of a file that the run has made belongs to making it
    if act.kind is ActKind.READ and is_source(scopes_of(act.object)[0]):
        yield "source.execute"  # what is run is read


def _history(act: Act, scopes: tuple[PathScope, ...]) -> list[Meaning]:
    """Return the meanings as an act on git history, for the folder of a repository."""
    name = "commit.read" if act.kind in (ActKind.READ, ActKind.LIST) else "commit.create"
    return [
        Meaning(name, scope._replace(parts=scope.parts[: scope.parts.index(".git")]))
        for scope in scopes
        if ".git" in scope.parts
    ]


def _process(act: Act) -> Iterator[Observation]:
    """Yield acts on other processes through /proc; the rest of /proc describes the kernel."""
    name = act.object.split("/")[2:3]
    if act.kind in (ActKind.READ, ActKind.LIST) and not (act.object == "/proc" or (name and name[0].isdigit())):
        return
    capability = "process.query" if act.kind in (ActKind.READ, ActKind.LIST) else "system.configure"
    yield Observation((Meaning(capability, ANY_SCOPE),), act.outcome)


# ── programs and hosts ──


def _program(path: str) -> Iterator[Meaning]:
    """Yield the meanings of a program: a system program by its name, any other by its path."""
    scopes: list[Scope] = []
    if posixpath.dirname(path) in _PROGRAMS or path.startswith(("/usr/", "/sbin/", "/lib")):
        scopes.append(NameScope(escape(posixpath.basename(path))))
    scopes += scopes_of(path)
    for name in _STARTING:
        for scope in scopes:
            yield Meaning(name, scope)
    for scope in scopes_of(path):
        yield Meaning("source.execute", scope)


def _hosts(address: str, port: int, names: tuple[str, ...]) -> list[Scope]:
    """Return the host behind an address of the sandbox, by each of its names."""
    known = [name for number, name in enumerate(names) if address_of(number) == address]
    if known:
        return [HostScope(known[0], port or None)]
    local = address in _LOOPBACK
    number = None if not port or (local and port >= _EPHEMERAL) else port
    bracketed = f"[{address}]" if ":" in address else address
    host = normal_host(bracketed)
    if host is None:
        return [ANY_SCOPE]
    return [HostScope(host, number), *([HostScope("localhost", number)] if local and host != "localhost" else [])]

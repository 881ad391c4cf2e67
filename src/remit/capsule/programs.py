"""The programs that a command in a capsule finds and may start. Others are absent, so that they cannot be loaded either."""

from __future__ import annotations

import os
import posixpath
import shutil
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from remit.capsule.confinement import DATA, SEARCHED
from remit.capsule.contract import Hiding, Mask, Narrowed, Program
from remit.capsule.manifest_grants import Granted, Use, Wish, is_any
from remit.core.errors import CapsuleError, DataError
from remit.core.scope import NameScope, PathScope, covers
from remit.core.scope.component import escape, literal
from remit.core.table import read_table

if TYPE_CHECKING:
    from remit.capsule.contract_places import Ground
    from remit.policy.permit import Permit

HIDDEN = ("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/bin", "/sbin", "/usr/games")
_LINKS = 16  # that lead to one another
_HEAD = 256  # bytes in which a script names its interpreter


def find_programs(
    permit: Permit, command: tuple[str, ...], given: Granted, ground: Ground
) -> tuple[tuple[Program, ...] | None, tuple[Narrowed, ...], tuple[Mask, ...]]:
    """Return the programs that may be started, or None for all of the system; missing ones; and hidden system programs."""
    found: dict[str, Program] = {}
    narrowed: list[Narrowed] = []
    first = _located(permit, command[0], ground)
    if first is None:
        raise CapsuleError(f"there is no program `{command[0]}`", f"programs are looked for in {', '.join(SEARCHED)}")
    _add(permit, found, first, "the command itself")
    everything = False
    for wish in (wish for wish in given.wishes if wish.use is Use.PROGRAM):
        if is_any(wish.scope):
            everything = everything or wish.capability != "source.execute"
            continue
        if wish.capability == "shell.execute":
            for _, path in _table("shells"):
                _add(permit, found, path, wish.why)
        name = _name(wish, ground)
        lies = _located(permit, name, ground) if name else None
        if lies is None:
            narrowed.append(Narrowed(wish.why, "there is no such program; a pattern grants none"))
        else:
            _add(permit, found, lies, wish.why)
    denials = tuple(wish for wish in given.denials if wish.use is Use.PROGRAM)
    kept = {path: one for path, one in found.items() if path == first or not _denied(path, one, denials, ground)}
    for _, path in _table("loaders"):
        _add(permit, kept, path, "what the kernel opens to start a program")
    if not everything:
        return tuple(kept.values()), tuple(narrowed), ()
    return None, tuple(narrowed), tuple(_hidden(permit, denials, ground, found[first].path)) if denials else ()


def _denied(path: str, program: Program, denials: tuple[Wish, ...], ground: Ground) -> str:
    """Return the entry that denies a program under any of its names; empty if none does."""
    paths = (path, program.path, *(link for link, _ in program.links))
    shells = {posixpath.basename(shell) for _, shell in _table("shells")}
    for wish in denials:
        for one in paths:
            name = posixpath.basename(one)
            if is_any(wish.scope):
                everything = wish.capability == "process.create" or (
                    wish.capability == "shell.execute" and name in shells
                )
                if everything:
                    return wish.why
            elif covers(wish.scope, NameScope(escape(name))) or any(
                covers(wish.scope, at) for at in ground.names_of(one)
            ):
                return wish.why
    return ""


def _hidden(permit: Permit, denials: tuple[Wish, ...], ground: Ground, command: str) -> Iterator[Mask]:
    """Hide denied programs where all system programs are present."""
    for folder in dict.fromkeys(map(os.path.realpath, HIDDEN)):
        for name in _listed(permit, folder):
            path = posixpath.join(folder, name)
            program = Program(os.path.realpath(path), "")
            why = _denied(path, program, denials, ground)
            if why and os.path.isfile(program.path) and program.path != command:
                yield Mask(program.path, Hiding.HIDDEN, False, f"denied: {why}")


def _listed(permit: Permit, folder: str) -> list[str]:  # noqa: ARG001  (who acts holds one)
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _name(wish: Wish, ground: Ground) -> str | None:
    if isinstance(wish.scope, NameScope):
        return literal(wish.scope.pattern)
    if isinstance(wish.scope, PathScope):
        base, rest = ground.base_of(wish.scope)
        return base if base and not rest else None
    return None


def _located(permit: Permit, name: str, ground: Ground) -> str | None:  # noqa: ARG001  (who acts holds one)
    if "/" not in name:
        return shutil.which(name, path=":".join(SEARCHED))
    path = posixpath.normpath(posixpath.join(ground.workspace, name))
    return path if os.path.isfile(path) and os.access(path, os.X_OK) else None


def _add(permit: Permit, found: dict[str, Program], path: str, why: str) -> None:
    """Add a program, its links, its helper programs, and the interpreter of a script."""
    if path in found or not os.path.exists(path):
        return
    links: list[tuple[str, str]] = []
    at = posixpath.join(os.path.realpath(posixpath.dirname(path)), posixpath.basename(path))
    while os.path.islink(at) and len(links) < _LINKS:
        target = os.readlink(at)
        links.append((at, target))
        at = posixpath.normpath(posixpath.join(posixpath.dirname(at), target))
        at = posixpath.join(os.path.realpath(posixpath.dirname(at)), posixpath.basename(at))
    found[path] = Program(at, why, tuple(links))
    for name, helper in _table("helpers"):
        if name == posixpath.basename(path):
            _add(permit, found, helper, f"{why}, by way of {name}")
    for interpreter in _interpreters(permit, at):
        _add(permit, found, interpreter, f"{why}, by way of {posixpath.basename(path)}")


def _interpreters(permit: Permit, path: str) -> Iterator[str]:  # noqa: ARG001  (who acts holds one)
    """Yield the interpreter of a script: the program of its first line, and the one that `env` looks up."""
    if not os.path.isfile(path):
        return
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return
    words = head[2:].partition(b"\n")[0].decode("utf-8", "replace").split() if head.startswith(b"#!") else []
    if not words:
        return
    yield words[0]
    if posixpath.basename(words[0]) == "env" and len(words) > 1:
        found = shutil.which(words[-1], path=":".join(SEARCHED)) if "/" not in words[-1] else None
        if found:
            yield found


@cache
def _table(section: str) -> tuple[tuple[str, str], ...]:
    """Return names and paths of one section of the table."""
    found: list[tuple[str, str]] = []
    for row in read_table(DATA / "helpers.table", 3):
        name, path, why = row.cells
        if not path.startswith("/") or not why:
            raise DataError(f"{row.where}: `{path}` is no path with a reason", "correct the line")
        if row.section == section:
            found.append((name, path))
    return tuple(found)

"""Analysis of a command or a piece of code on this machine, converted into values of the guard."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.scope import (
    ANY_SCOPE,
    HOME,
    ROOT,
    SKILL,
    TEMP,
    WORKSPACE,
    NameScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
    is_symbol,
    overlaps,
)
from remit.guard.call_analysis.commands.analysis_session import CommandAnalysis, SpentError
from remit.guard.call_analysis.commands.effect_causes import INLINE
from remit.guard.call_analysis.commands.model import CallPlace, Doubt, Part, Understanding
from remit.guard.paths import file_scope, is_one_path

_CHANGES = frozenset({"file.write", "source.write", "file.delete", "source.delete"})
_VARIABLE = "<env:"
_EVERY_VARIABLE = ("env:\\*",)  # as tables of commands write it
_STARTS = frozenset({"shell.execute", "process.create", "source.execute", "repl.execute"})

if TYPE_CHECKING:
    from remit.core.effect import Effect, Opaque
    from remit.core.location import Location
    from remit.guard.call_analysis.commands.cache import Cache

SECONDS = 2.0
MAX_COMMAND = 100_000  # characters


def understand(
    command: str, place: CallPlace, *, cache: Cache | None = None, seconds: float = SECONDS
) -> Understanding:
    """Return the effects of a shell command. Never raises: what cannot be followed is a doubt."""
    return _asked(("shell", command, place), command, cache, seconds, lambda session: session.command(command))


def understand_code(
    language: str, text: str, place: CallPlace, *, cache: Cache | None = None, seconds: float = SECONDS
) -> Understanding:
    """Return the effects of code that a tool runs without a shell: a cell of a notebook, a line of a REPL."""
    return _asked((language, text, place), text, cache, seconds, lambda session: session.code(language, text))


def _asked(
    key: tuple[str, str, CallPlace],
    text: str,
    cache: Cache | None,
    seconds: float,
    run: Callable[[CommandAnalysis], None],
) -> Understanding:
    known = None if cache is None else cache.get(key)
    if known is not None:
        return known
    begun = time.time_ns()
    session = CommandAnalysis(key[2], seconds)
    extra: tuple[Doubt, ...] = ()
    shown = text[:200]
    if len(text) > MAX_COMMAND:
        extra = (Doubt(f"it has {len(text):,} characters, and more than {MAX_COMMAND:,} are not read", shown),)
    elif "\0" in text:
        extra = (Doubt("it holds a character that no shell takes", shown),)
    else:
        try:
            session.follow(run)
        except SpentError:
            extra = (Doubt("it takes too long to find out what this does", shown),)
        except Exception as error:  # noqa: BLE001  whatever goes wrong is a doubt, never an answer
            extra = (Doubt(f"it cannot be followed ({type(error).__name__})", shown),)
    found = _understanding(session, text, extra)
    if cache is not None and not extra:
        found = cache.put(key, found, begun)
    return found


def _understanding(session: CommandAnalysis, text: str, extra: tuple[Doubt, ...] = ()) -> Understanding:
    """Convert the findings of an analysis."""
    found = session.parts.reports.result()
    writer = _Writer(session, text)
    parts = dict.fromkeys(map(writer.part, found.effects))
    doubts = dict.fromkeys(map(writer.doubt, found.opaque))
    for path, site in session.landings.through_own_links():
        doubts[Doubt(f"`{path}` may lead through a link that the call itself makes", writer.at(site.where))] = None
    for part in parts:
        if part.capability in _STARTS and part.scope == ANY_SCOPE:
            doubts[Doubt("a program or a text is run that is not known", part.why, part.command)] = None
        for path in _stale(part, session):
            said = f"`{path}` is run or read as code, and the call may change it"
            doubts[
                Doubt(
                    said,
                    part.why,
                    part.command,
                    path,
                    by_pattern=isinstance(part.scope, PathScope) and not is_one_path(part.scope),
                )
            ] = None
    doubts.update(dict.fromkeys(extra))
    return Understanding(
        tuple(parts),
        tuple(doubts),
        session.disk.seen(),
        tuple(session.command_words.words),
        session.disk.glances(),
        tuple(session.command_words.inner),
    )


def _stale(part: Part, session: CommandAnalysis) -> list[str]:
    """Return the files that the answer depends on and that the call itself may write: their content will be another."""
    if part.capability not in _CHANGES:
        return []
    return [str(seen.path) for seen in session.disk.seen() if overlaps(part.scope, file_scope(str(seen.path)))]


class _Writer:
    def __init__(self, session: CommandAnalysis, text: str) -> None:
        self._session = session
        self._lines = text.split("\n")
        place = session.disk.place
        self._places = {HOME: place.home, WORKSPACE: place.cwd, SKILL: "/", TEMP: place.tmp}

    def part(self, effect: Effect) -> Part:
        where = self._session.causes.origin(effect.where)
        own = self._own(where)
        scope = self._scope(effect.scope, vocabulary()[effect.capability].scope_kind)
        if effect.capability == "secret.read" and isinstance(scope, PathScope) and scope.parts[-1:] == _EVERY_VARIABLE:
            scope = NameScope("env:*")
        command = self._session.causes.starter(effect) or self._line(where)
        return Part(
            effect.capability,
            scope,
            command,
            f"{self.at(where)}: {effect.why}",
            not own,
            effect.via,
            "" if own else self._session.skill.owner("/" + where.file),
        )

    def doubt(self, opaque: Opaque) -> Doubt:
        where = self._session.causes.origin(opaque.where)
        own = self._own(where)
        command = self._session.causes.behind(opaque) or (self._line(where) if own else "")
        return Doubt(opaque.reason, self.at(where), command, "" if own else f"/{where.file}")

    def at(self, where: Location) -> str:
        """Return a file and line, or the line of the call."""
        where = self._session.causes.origin(where)
        return self._line(where) if self._own(where) else f"/{where}"

    def _own(self, where: Location) -> bool:
        return where.file.rpartition("/")[2].startswith(INLINE)

    def _line(self, where: Location) -> str:
        return self._lines[where.line - 1].strip() if 0 < where.line <= len(self._lines) else self._lines[0]

    def _scope(self, scope: Scope, kind: ScopeKind) -> Scope:
        """Return a scope with absolute paths; parts that only a caller could bind are `any`.

        An exception is a host from a variable that the call does not set: an entry for exactly that variable covers it.
        """
        if isinstance(scope, PathScope):
            if scope.anchor == ROOT:
                return scope
            place = self._places.get(scope.anchor)
            if place is None or is_symbol(scope.anchor):
                return ANY_SCOPE
            return PathScope(ROOT, (*file_scope(str(place)).parts, *scope.parts))
        if isinstance(scope, SymbolScope):
            return scope if kind is ScopeKind.HOST and scope.symbol.startswith(_VARIABLE) else ANY_SCOPE
        return scope

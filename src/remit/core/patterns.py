"""Regular expressions that are compiled at their first use: most runs need only a third of them."""

from __future__ import annotations

import _sre
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, AnyStr, Generic, cast

from remit.core.table_store import STORE


class _Lazy(Generic[AnyStr]):
    """A stand-in for a compiled pattern. Each method is written out: the rules (docs/doors.md) forbid computed
    attribute names.

    After compilation, the pattern's own methods shadow those of the class: a call is as fast as one of the pattern
    itself.
    """

    def __init__(self, text: AnyStr, flags: int) -> None:
        self._text: AnyStr = text
        self._flags = int(flags)
        self._made: re.Pattern[AnyStr] | None = None

    def _compiled(self) -> re.Pattern[AnyStr]:
        self._made = made = compile_pattern(self._text, self._flags)
        self.search, self.match, self.fullmatch = made.search, made.match, made.fullmatch  # type: ignore[method-assign]
        self.finditer, self.findall = made.finditer, made.findall  # type: ignore[method-assign]
        self.split, self.sub = made.split, made.sub  # type: ignore[method-assign]
        return made

    def search(self, string: AnyStr, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[AnyStr] | None:
        return (self._made or self._compiled()).search(string, pos, endpos)

    def match(self, string: AnyStr, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[AnyStr] | None:
        return (self._made or self._compiled()).match(string, pos, endpos)

    def fullmatch(self, string: AnyStr, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[AnyStr] | None:
        return (self._made or self._compiled()).fullmatch(string, pos, endpos)

    def finditer(self, string: AnyStr, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[re.Match[AnyStr]]:
        return (self._made or self._compiled()).finditer(string, pos, endpos)

    def findall(self, string: AnyStr, pos: int = 0, endpos: int = sys.maxsize) -> list[Any]:
        return (self._made or self._compiled()).findall(string, pos, endpos)

    def split(self, string: AnyStr, maxsplit: int = 0) -> list[AnyStr | Any]:
        return (self._made or self._compiled()).split(string, maxsplit)

    def sub(self, repl: AnyStr | Callable[[re.Match[AnyStr]], AnyStr], string: AnyStr, count: int = 0) -> AnyStr:
        return (self._made or self._compiled()).sub(repl, string, count)

    @property
    def pattern(self) -> AnyStr:
        return (self._made or self._compiled()).pattern

    @property
    def flags(self) -> int:
        return (self._made or self._compiled()).flags

    @property
    def groups(self) -> int:
        return (self._made or self._compiled()).groups

    @property
    def groupindex(self) -> Mapping[str, int]:
        return (self._made or self._compiled()).groupindex


def compile_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Do `re.compile`, with code that an earlier run stored, if any. The pattern must be our own: patterns from skills
    would fill the store.
    """
    kept = STORE.patterns.get((text, int(flags)))
    if kept is None:
        made = re.compile(text, flags)
        if STORE.open:
            STORE.new_patterns.add((text, int(flags)))
        return made
    names: list[str | None] = [None] * (kept.groups + 1)
    for name, group in kept.names.items():
        names[group] = name
    code = list(memoryview(kept.code).cast("I"))
    return cast("re.Pattern[AnyStr]", _sre.compile(text, kept.flags, code, kept.groups, kept.names, tuple(names)))


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Do `re.compile` at the first use. Only methods and attributes may be used: the result is not a `re.Pattern`."""
    return cast("re.Pattern[AnyStr]", _Lazy(text, flags))

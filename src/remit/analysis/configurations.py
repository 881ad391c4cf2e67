"""Settings that are code: files that a program finds by itself where it runs, and runs or loads code from.

The table says what each program looks for. A call of such a program is judged at the end, when everything that the skill
writes is known: what it would load and the skill has written or brings is read, if its text is known, and opaque if not.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import CWD, SKILL, Hole, Text, Value
from remit.analysis.each import each
from remit.analysis.injection import raw
from remit.analysis.own_writes import trees
from remit.analysis.scopes import scopes_of
from remit.analysis.skillfiles import given
from remit.core import scope as forms
from remit.core.errors import DataError
from remit.core.patterns import compile_pattern, lazy_pattern
from remit.core.scope import ANY_SCOPE, DEEP, PathScope, Scope, SymbolScope, overlaps
from remit.core.scope.component import escape, literal
from remit.core.table import read_table

if TYPE_CHECKING:
    from remit.analysis.file_runs import Write
    from remit.analysis.world import Site

TABLE = Path(__file__).with_name("data") / "configurations.table"
EVERY = "*"  # every program
WRITTEN = "written"  # the section of files that count only if the skill writes or brings them
_PROGRAM = "<program>"
_OR = " or "  # a cell cannot hold the sign that parts cells: between choices it is written as a word
_HOMES = {(forms.HOME, ()), (forms.ROOT, ("root",)), (forms.ROOT, ("home", "*")), (forms.ROOT, ("Users", "*"))}
_ANYWHERE = "any folder"
_UNPLACED = "unplaced"  # the tree of paths of which nothing is known
_HERE = Text((".",))
_FIXED = lazy_pattern(r"[\w.@+ -]+")
_STANDARD = sys.stdlib_module_names | {"sitecustomize", "usercustomize"}


class Configuration(NamedTuple):
    """One line: files, the setting that names code (None: the file is code), and what the file means."""

    files: tuple[str, ...]
    setting: re.Pattern[str] | None
    meaning: str
    section: str
    program: bool = False  # the file is run as its first line says

    def speaks(self, text: str) -> bool:
        """Whether a file with this text names code."""
        return self.setting is None or self.setting.search(text) is not None


@cache
def configurations() -> Mapping[str, tuple[Configuration, ...]]:
    """By program, or `program:word` for calls with this option or sub-command."""
    return load(TABLE)


def load(path: Path) -> dict[str, tuple[Configuration, ...]]:
    """Read the table; a setting that is no expression is refused with its line."""
    found: dict[str, tuple[Configuration, ...]] = {}
    for row in read_table(path, 4):
        programs, files, setting, meaning = row.cells
        try:
            shape = compile_pattern(setting.replace(_OR, "|"), re.MULTILINE) if setting not in {"", _PROGRAM} else None
        except re.error as error:
            raise DataError(f"{row.where}: `{setting}` is no expression: {error}", "correct it") from None
        one = Configuration(tuple(files.split()), shape, meaning, row.section, setting == _PROGRAM)
        for program in programs.split():
            found[program] = (*found.get(program, ()), one)
    return found


class ToolCall(NamedTuple):
    """A program that is started: its names, its sub-commands and options, and where it looks for settings."""

    names: frozenset[str]
    words: frozenset[str]
    cwd: Value
    site: Site
    command: bool = False  # a command line names it

    @property
    def shown(self) -> str:
        """The program for a reason."""
        return min(self.names)

    def lines(self) -> tuple[Configuration, ...]:
        """The lines of the table that hold for the call."""
        return _lines(self.names, self.words)


@lru_cache(1024)
def _lines(names: frozenset[str], words: frozenset[str]) -> tuple[Configuration, ...]:
    table = configurations()
    keys = (*sorted(names), *sorted(f"{name}:{word}" for name in names for word in words), EVERY)
    return tuple(dict.fromkeys(line for key in keys for line in table.get(key, ())))


class ToolCalls:
    """The programs that are started and have settings, each with what it would load."""

    def __init__(self) -> None:
        self._calls: dict[ToolCall, None] = {}
        self._judged: set[tuple[object, ...]] = set()

    def add(self, call: ToolCall) -> None:
        """A program is started."""
        self._calls[call] = None

    def written(
        self, writes: Iterable[Write], of_skill: Callable[[Write], bool]
    ) -> Iterator[tuple[ToolCall, Configuration, Write]]:
        """Writes of files that a call would load, once each. `of_skill`: a copy of folders that the skill brings."""
        known = _Writes(writes)
        matches: dict[tuple[object, ...], list[tuple[Configuration, Write]]] = {}
        for call in tuple(self._calls) if known.all else ():
            lines = call.lines()
            alike = (call.names, lines, call.cwd)
            if alike not in matches:
                matches[alike] = list(_matches(call, lines, known, of_skill))
            for line, write in matches[alike]:
                key = (call.site.where.file, call.site.origin, line, write.path, write.where)
                if key not in self._judged:
                    self._judged.add(key)
                    yield call, line, write

    def brought(self, files: Iterable[str]) -> Iterator[tuple[ToolCall, Configuration, str]]:
        """Files of the skill that a call would load, because it runs in the folder of the skill."""
        paths = frozenset(files)
        for call in tuple(self._calls):
            folders = {folder for item in call.cwd for folder in _in_skill(item, paths)}
            for line in call.lines() if folders else ():
                for path in sorted({path for name in line.files for path in _beside(name, folders, paths)}):
                    if (call, line, path) not in self._judged:
                        self._judged.add((call, line, path))
                        yield call, line, path


class _Writes:
    """Writes with their scopes in order, found by the tree and the name of the file; one whose name is not fixed is found by every name."""

    def __init__(self, writes: Iterable[Write]) -> None:
        self.all = [(write, scope) for write in writes for scope in write.scopes]
        self._named: dict[tuple[str, str], list[int]] = {}
        self._open: dict[str, list[int]] = {}
        self._in: dict[str, list[int]] = {}
        for index, (write, scope) in enumerate(self.all):
            path = isinstance(scope, PathScope)
            parts = (
                scope.parts if isinstance(scope, PathScope) else _named_end(write.path) if scope == ANY_SCOPE else ()
            )
            anchor = scope.anchor if isinstance(scope, PathScope) else _UNPLACED
            self._in.setdefault(anchor, []).append(index)
            if parts and _FIXED.fullmatch(parts[-1]):
                self._named.setdefault((anchor, parts[-1]), []).append(index)
            elif parts or path:
                self._open.setdefault(anchor, []).append(index)

    def named(self, name: str, anchor: str) -> Iterator[int]:
        """Numbers of the writes in a tree that may be of a file of this name."""
        fixed = _FIXED.fullmatch(name)
        for tree in self._in if anchor == _ANYWHERE else (anchor, _UNPLACED):
            if fixed:
                yield from self._named.get((tree, name), ())
                yield from self._open.get(tree, ())
            else:
                yield from self._in.get(tree, ())


def _matches(
    call: ToolCall, lines: Iterable[Configuration], known: _Writes, of_skill: Callable[[Write], bool]
) -> Iterator[tuple[Configuration, Write]]:
    folders = set(scopes_of("file.read", frozenset({_HERE}), call.cwd))
    for line in lines:
        likely: dict[int, list[_Wanted]] = {}
        for name in line.files:
            for one in _candidates(name, folders, call.names):
                for index in known.named(one.scope.parts[-1], one.scope.anchor):
                    likely.setdefault(index, []).append(one)
        for index in sorted(likely):
            write, scope = known.all[index]
            if _writer(write) not in _owners(line) and any(
                _may_be(write, scope, one, of_skill) and (one.beside is None or _is_there(one.beside, known.all))
                for one in likely[index]
            ):
                yield line, write


class _Wanted(NamedTuple):
    """Where a file of settings is looked for; the number of parts that are no part of its name; what must lie beside it."""

    scope: PathScope
    base: int
    beside: PathScope | None
    module: bool


def _candidates(name: str, folders: set[Scope], programs: frozenset[str]) -> Iterator[_Wanted]:
    """The paths that a file name of the table means: in the folder of the call and those above, at home, or from the root."""
    if "<name>" in name:
        for program in programs:
            yield from _candidates(name.replace("<name>", program), folders, programs)
        return
    plain, _, beside = name.partition("+")
    module = "<module>" in plain
    parts = tuple(plain.replace("<module>", "*").removeprefix("~").strip("/").split("/"))
    bases: set[tuple[str, tuple[str, ...]]] = set()
    if plain.startswith("~/"):
        bases |= _HOMES
    elif plain.startswith("/"):
        bases.add((forms.ROOT, ()))
    else:
        for folder in folders:
            if isinstance(folder, PathScope):
                bases |= {(folder.anchor, folder.parts[:length]) for length in range(len(folder.parts) + 1)}
            elif isinstance(folder, SymbolScope):
                bases.add((folder.symbol, ()))
            else:
                bases.add((_ANYWHERE, (DEEP,)))
    for anchor, base in bases:
        other = PathScope(anchor, (*base, beside)) if beside else None
        yield _Wanted(PathScope(anchor, (*base, *parts)), len(base), other, module)


def _may_be(write: Write, scope: Scope, wanted: _Wanted, of_skill: Callable[[Write], bool]) -> bool:
    """Whether a write may be of this file. Files of folders that are copied as a whole have the names that they had.

    A name of which nothing is known counts only in a folder that holds nothing but settings (`.git/hooks`).
    """
    sought = wanted.scope.parts[wanted.base :]
    if not isinstance(scope, PathScope):  # of a path whose folder is not known the name decides
        end = _named_end(write.path)
        return scope == ANY_SCOPE and bool(end) and overlaps(PathScope(forms.ROOT, end), PathScope(forms.ROOT, sought))
    here = scope._replace(anchor=_ANYWHERE) if wanted.scope.anchor == _ANYWHERE else scope
    name = scope.parts[-1] if scope.parts else ""
    if here.anchor != wanted.scope.anchor or (name != sought[-1] and "*" not in name + sought[-1]):
        return False
    if wanted.module and _STANDARD.isdisjoint((literal(part) or "").removesuffix(".py") for part in scope.parts[-2:]):
        return False
    if DEEP not in scope.parts:
        folder = sought[-2] if len(sought) > 1 else ""
        if folder and "*" in sought[-1] and "*" not in folder and folder not in scope.parts:
            return False  # any file of a folder whose name is not known
        return (literal(name) is not None or bool(folder)) and _overlap(here, wanted.scope)
    inside = scope.parts.index(DEEP) > wanted.base  # its own name says that it is a folder of settings
    if not inside and (of_skill(write) if name == DEEP else "*" in sought[-1]):
        return False
    return _writer(write) in trees() and _overlap(here, wanted.scope)


def _overlap(left: PathScope, right: PathScope) -> bool:
    """Whether two paths from the same folder may be the same file; what the caller gives is one folder each time."""
    return left.anchor == right.anchor and _same_parts(left.parts, right.parts)


@lru_cache(65536)
def _same_parts(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    return overlaps(PathScope(forms.ROOT, left), PathScope(forms.ROOT, right))


def _is_there(path: PathScope, known: Iterable[tuple[Write, Scope]]) -> bool:
    return any(isinstance(scope, PathScope) and _overlap(scope, path) for _, scope in known)


def _named_end(path: Text) -> tuple[str, ...]:
    """The last components of a path whose beginning is not known."""
    last = path.parts[-1] if path.parts else ""
    if not isinstance(last, str) or "/" not in last:
        return ()
    return tuple(escape(part) for part in last.split("/")[1:] if part)


def _writer(write: Write) -> str:
    """The program or function that writes, without its module."""
    return write.via.name.partition(" ")[0].rpartition(".")[2]


@cache
def _owners(line: Configuration) -> frozenset[str]:
    """Programs that look for one of the same files: what they write of them themselves is theirs."""
    files = {name.rpartition("/")[2] for name in line.files}
    table = configurations().items()
    return frozenset(
        program.partition(":")[0]
        for program, lines in table
        if any(name.rpartition("/")[2] in files for one in lines for name in one.files)
    ) - {EVERY}


def _in_skill(folder: object, paths: frozenset[str]) -> Iterator[str]:
    """The folder of the skill that a folder may be."""
    first, *rest = folder.parts if isinstance(folder, Text) and folder.parts else ("",)
    if isinstance(first, str):
        first, rest = Hole(CWD), [first, *rest]
    if first.origin not in {SKILL, CWD} or not all(isinstance(part, str) for part in rest):
        return
    inside = posixpath.normpath("".join(map(str, rest)).lstrip("/") or ".")
    if first.origin == SKILL or any(path.startswith(f"{inside}/") for path in paths):
        yield "" if inside == "." else f"{inside}/"


def _beside(name: str, folders: Iterable[str], paths: frozenset[str]) -> Iterator[str]:
    """The files of the skill that a file name of the table means, in these folders and those above."""
    plain, _, beside = name.partition("+")
    if plain.startswith(("~", "/")) or "<" in plain:
        return
    shape = re.compile(re.escape(plain).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), re.DOTALL)
    for folder in folders:
        ends = [0, *(found.end() for found in re.finditer("/", folder))]
        for base in {folder[:end] for end in ends}:
            found = (path for path in paths if path.startswith(base) and shape.fullmatch(path, len(base)))
            yield from found if not beside or f"{base}{beside}" in paths else ()


def fixed_text(value: Value) -> str | None:
    """A written text as far as the skill decides it; None if what is not known of it may be a setting."""
    out: list[str] = []
    for item in each(value):
        parts = item.parts if isinstance(item, Text) else (Hole("any"),)
        if any(isinstance(part, Hole) and raw(part) and not given(part) for part in parts):
            return None
        out.append("".join(part if isinstance(part, str) else "0" for part in parts))
    return "\n".join(out)

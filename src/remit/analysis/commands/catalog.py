"""Finds the summary of a command. Files are split into blocks by a cheap scan; a block is parsed when it is first used."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.analysis.commands.syntax import declared, fail, parse_block, used
from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.table_store import stored_table

if TYPE_CHECKING:
    from remit.analysis.commands.model import Command

DATA = Path(__file__).parent.parent / "data" / "commands"
_HEADER = lazy_pattern(r"^\[([^\]\n]*|\[[^\n]*)\][ \t]*$", re.MULTILINE)


class _Place(NamedTuple):
    """Where the block of a command stands."""

    names: tuple[str, ...]
    source: int
    start: int
    end: int


class _Scanned(NamedTuple):
    """Files, and where in them the blocks stand."""

    sources: tuple[tuple[str, str], ...]
    places: dict[str, _Place]
    shared: dict[str, str]


_NOTHING = _Scanned((), {}, {})


class Catalog:
    """All summaries, by the name of the command (`git`) or sub-command (`git log`); of `known` files it is known where they stand."""

    def __init__(self, files: Iterable[tuple[str, str]], known: _Scanned = _NOTHING) -> None:
        self._sources = [*known.sources]
        self._places = {**known.places}
        self._shared = {**known.shared}
        self._parsed: dict[_Place, Command] = {}
        for name, text in files:
            self._scan(name, text)

    def scanned(self) -> _Scanned:
        """What the files hold, for another catalog."""
        return _Scanned(tuple(self._sources), self._places, self._shared)

    def _scan(self, name: str, text: str) -> None:
        index = len(self._sources)
        self._sources.append((name, text))
        places = self._places
        found = list(_HEADER.finditer(text))
        ends = [here.start() for here in found[1:]]
        ends.append(len(text))
        for here, end in zip(found, ends, strict=True):
            header = here[1]
            if header.startswith("%"):
                self._share(header[1:].strip(), text[here.end() : end], name, text, here.start())
                continue
            names = tuple(header.split(", "))
            new = dict.fromkeys(names, _Place(names, index, here.end() + 1, end))
            if len(new) != len(names) or "" in new or not places.keys().isdisjoint(new):
                twice = next((alias for alias in names if alias in places), names[0])
                fail(name, _line(text, here.start()), f"command `{twice}` is summarised twice")
            places.update(new)

    def _share(self, group: str, body: str, name: str, text: str, start: int) -> None:
        if group in self._shared:
            fail(name, _line(text, start), f"shared block `%{group}` is defined twice")
        self._shared[group] = body

    def names(self) -> list[str]:
        """Every name under which a block is found, in file order."""
        return list(self._places)

    def get(self, name: str) -> Command | None:
        """The summary of a command or sub-command, parsed now if it was not."""
        place = self._places.get(name)
        if place is None and " " not in name:
            for pattern in self._patterns:
                if fnmatchcase(name, pattern):
                    place = self._places[pattern]
                    break
        if place is None:
            return None
        command = self._parsed.get(place)
        if command is None:
            command = self._parsed[place] = self._parse(place)
        return command

    @cached_property
    def _patterns(self) -> list[str]:
        return [name for name in self._places if "*" in name and name != "*" and " " not in name]

    @cached_property
    def _parents(self) -> set[str]:
        return {name.rpartition(" ")[0] for name in self._places if " " in name}

    def has_subs(self, path: str) -> bool:
        """Whether the first operand of this command (`git`, `git stash`) names a sub-command."""
        return path in self._parents

    def _parse(self, place: _Place) -> Command:
        file, text = self._sources[place.source]
        first = _line(text, place.start)
        command = parse_block(place.names, text[place.start : place.end], file, first, self._shared)
        parent_name = place.names[0].rpartition(" ")[0]
        if parent_name:
            self._link(command, parent_name)
        return command

    def _link(self, command: Command, parent_name: str) -> None:
        """A sub-command has the options of its parent too, unless the parent keeps them (`mark own`)."""
        if parent_name in command.names:
            fail(command.file, command.line, f"`{command.label}` and its sub-command share a block")
        parent = self.get(parent_name)
        if parent is None:
            fail(command.file, command.line, f"`{command.label}` has no block `{parent_name}`")
        known = declared(command) | declared(parent)
        for name, line in used(command):
            if name not in known:
                fail(command.file, line, f"`{name}` is bound by no option or operand of `{command.label}`")
        command.steering = parent.steering + command.steering
        if "own" not in parent.marks:
            command.options = parent.options | command.options
            if command.fallback is None:
                command.fallback = parent.fallback
            command.marks |= parent.marks & {"numbers", "exact"}


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _read(path: Path, shown: str) -> tuple[str, str]:
    try:
        return shown, path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{shown}:1: cannot be read: {error}", "a summary file is UTF-8 text") from error


def _read_scanned(fields: Any) -> _Scanned:
    sources, places, shared = fields
    return _Scanned(sources, {name: _Place(*place) for name, place in places.items()}, shared)


@stored_table(_read_scanned)
def _own() -> _Scanned:
    return Catalog(_read(path, f"commands/{path.name}") for path in sorted(DATA.glob("*.cmd"))).scanned()


@cache
def default_catalog() -> Catalog:
    """The summaries that come with Remit."""
    return Catalog((), _own())


def load_commands(extra: Iterable[Path] = ()) -> Catalog:
    """Our summaries and those of further files, or of the `*.cmd` files of further folders."""
    paths = [inner for path in extra for inner in (sorted(path.glob("*.cmd")) if path.is_dir() else [path])]
    if not paths:
        return default_catalog()
    return Catalog((_read(path, str(path)) for path in paths), _own())

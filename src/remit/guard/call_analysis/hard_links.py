"""Hard links to protected files: a second name in the workspace is the file itself, and no path shows it.

Only files with several names are looked for, in the known sensitive places (below the home folder and the workspace)
and in the protected folders. They are rare. The result is cached for a while: making a new link requires read and write
access to its target.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatch
from typing import TYPE_CHECKING, NamedTuple

from remit.core.scope import DEEP
from remit.core.scope.component import literal
from remit.core.sensitive import fold, places

if TYPE_CHECKING:
    Inode = tuple[int, int]  # device, inode

MOST = 50_000  # entries that are examined
_FRESH = 30.0  # seconds


class _LinkedFile(NamedTuple):
    at: float
    names: Mapping[Inode, str]


class HardLinks:
    """A cache, by home folder and workspace, of protected files with several names."""

    def __init__(self, protected: Iterable[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._protected = tuple(protected)
        self._clock = clock
        self._found: dict[tuple[str, ...], _LinkedFile] = {}

    def of(self, *bases: str) -> Mapping[Inode, str]:
        """Return the files, by device and inode, each with the name under which it is protected."""
        known, now = self._found.get(bases), self._clock()
        if known is None or now - known.at > _FRESH:
            if len(self._found) > 64:
                self._found.clear()
            known = self._found[bases] = _LinkedFile(now, dict(_several(_paths(self._protected, bases))))
        return known.names


def several_names(path: str) -> Inode | None:
    """Return the device and inode of a plain file that has more than one name; None for anything else."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) and found.st_nlink > 1 else None


def _several(paths: Iterable[str]) -> Iterator[tuple[Inode, str]]:
    for path in paths:
        inode = several_names(path)
        if inode is not None:
            yield inode, path


def _paths(protected: Iterable[str], bases: Iterable[str]) -> Iterator[str]:
    look = _Look()
    for folder in protected:
        yield folder
        yield from look.below(folder)
    for place in places().rows:
        if any(place.means):
            starts = ("",) if place.anchor else bases
            parts = place.parts if place.anchor else place.parts[1:]
            for base in starts:
                yield from look.matching(base, parts)


class _Look:
    """One scan of the disk: each folder is listed once."""

    def __init__(self) -> None:
        self._left = MOST
        self._listed: dict[str, dict[str, list[str]]] = {}

    def matching(self, folder: str, parts: tuple[str, ...]) -> Iterator[str]:
        """Return the entries of a folder that match a sensitive place, ignoring case."""
        if not parts:
            yield folder
        elif parts[0] == DEEP:
            yield from self.below(folder)
        else:
            plain = literal(parts[0])
            listed = self._names(folder)
            found = listed.get(plain, ()) if plain is not None else _like(listed, parts[0])
            for name in found:
                yield from self.matching(f"{folder}/{name}", parts[1:])

    def below(self, folder: str) -> Iterator[str]:
        """Return all files in a folder."""
        todo = [folder]
        while todo and self._left > 0:
            try:
                with os.scandir(todo.pop()) as entries:
                    for entry in entries:
                        self._left -= 1
                        if entry.is_dir(follow_symlinks=False):
                            todo.append(entry.path)
                        else:
                            yield entry.path
            except OSError:
                continue

    def _names(self, folder: str) -> dict[str, list[str]]:
        if folder not in self._listed:
            found: dict[str, list[str]] = {}
            try:
                for name in os.listdir(folder or "/"):  # noqa: PTH208  (names alone, many of them)
                    found.setdefault(fold(name), []).append(name)
            except OSError:
                pass
            self._left -= len(found)
            self._listed[folder] = found
        return self._listed[folder]


def _like(listed: Mapping[str, list[str]], pattern: str) -> list[str]:
    return [name for folded, names in listed.items() if fnmatch(folded, pattern) for name in names]

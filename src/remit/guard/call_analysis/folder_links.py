"""Links in a folder that is read as a whole and that lead out of the workspace: whoever follows them reads what lies there.

Most programs that read folders follow no links in them (`data/links.table`); others, and scripts, do. Programs of the system and caches lie behind
many links and are nobody's secret. Links to sensitive places are found before (`path_patterns.py`).
"""

from __future__ import annotations

import os
import stat
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.capability import FILE_READS
from remit.core.errors import DataError
from remit.core.scope import PathScope
from remit.core.scope.component import literal
from remit.core.table import read_table
from remit.guard.call_analysis.path_patterns import MOST, files_under
from remit.guard.paths import file_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from remit.policy.request import Request

_TABLE = Path(__file__).parent.with_name("data") / "links.table"
_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix",
    "/snap",
    "/etc/alternatives",
    "/dev/null",
)


@cache
def _options() -> Mapping[str, frozenset[str]]:
    return load(_TABLE)


def load(path: Path) -> dict[str, frozenset[str]]:
    """Read a table; a row that cannot be read is refused with its line."""
    found: dict[str, frozenset[str]] = {}
    for row in read_table(path, 3):
        name, options, meaning = row.cells
        words = frozenset(options.split())
        if not (name and meaning) or name in found or not all(word.startswith("-") for word in words):
            raise DataError(f"{row.where}: a program has one line, options and a meaning", "correct it")
        found[name] = words
    return found


@lru_cache(1024)
def follows(command: str) -> bool:
    """Whether a simple command may follow links in folders that it reads."""
    words = command.split()
    if not words or "<any>" in command:
        return True
    name = words[0].rpartition("/")[2]
    if name == "tar":
        words[1:2] = [f"-{word.lstrip('-')}" if not word.startswith("--") else word for word in words[1:2]]  # `tar chf`
    options = _options().get(name)
    return options is None or any(_is(word, options) for word in words[1:])


def _is(word: str, options: frozenset[str]) -> bool:
    """Whether a word is one of some options: abbreviated as long ones may be, or among other letters."""
    name = word.partition("=")[0]
    if name in options or not word.startswith("-"):
        return name in options
    if word.startswith("--"):
        return len(name) > len("--") and any(option.startswith(name) for option in options)
    return any(len(option) == len("-R") and option[1] in word for option in options)


def leads_out(
    requests: Iterable[Request], own: Iterable[str], may: Callable[[Request], bool]
) -> tuple[tuple[str, str], ...]:
    """Locations outside that are read through links, and the links. `own`: folders that may be read; `may`: what else may."""
    roots = tuple(own)
    found: dict[str, str] = {}
    for request in requests:
        scope = request.scope
        if (
            request.capability not in FILE_READS
            or not isinstance(scope, PathScope)
            or None not in map(literal, scope.parts)
        ):
            continue
        for link, real in _links(scope):
            if (
                not _in(real, (*roots, *_SYSTEM))
                and not _is_program(real)
                and not may(request._replace(scope=file_scope(real)))
            ):
                found.setdefault(real, link)
    return tuple(found.items())


def _links(scope: PathScope) -> Iterator[tuple[str, str]]:
    for seen, (path, entry) in enumerate(files_under(scope)):
        if seen >= MOST:
            return
        if entry is not None and entry.is_symlink() and os.path.exists(path):  # noqa: PTH110  (many files)
            yield path, os.path.realpath(path)


def _in(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _is_program(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except OSError:
        return False
    return stat.S_ISREG(mode) and bool(mode & 0o111)

"""Discovery of test commands by convention, for a skill whose manifest names none."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Collection, Iterator
from fnmatch import fnmatchcase

from remit.capsule.confinement import DATA
from remit.core.table import read_table

_FOR_PYTEST = re.compile(rb"^(?:import pytest|from pytest|(?:async )?def test)", re.MULTILINE)
_TARGET = re.compile(rb"^test\s*:(?!=)", re.MULTILINE)
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


def discover(paths: Collection[str], read: Callable[[str], bytes]) -> tuple[tuple[str, ...], ...]:
    """Return the test commands of a skill with these files; `read` returns the content of one."""
    return (*_python(paths, read), *_package(paths, read), *_make(paths, read))


def _python(paths: Collection[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, ...]]:
    for row in read_table(DATA / "tests.table", 4):
        folder, names, unittest, pytest = row.cells
        found = [
            path for path in sorted(paths) if _lies_in(path, folder) and fnmatchcase(path.rpartition("/")[2], names)
        ]
        if found:
            yield tuple(shlex.split(pytest if any(_FOR_PYTEST.search(read(path)) for path in found) else unittest))


def _lies_in(path: str, folder: str) -> bool:
    return "/" not in path if folder == "." else path.startswith(f"{folder}/")


def _package(paths: Collection[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, ...]]:
    if "package.json" not in paths:
        return
    try:
        script = json.loads(read("package.json"))["scripts"]["test"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if isinstance(script, str) and script.strip():
        yield ("sh", "-c", script)


def _make(paths: Collection[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, ...]]:
    file = next((name for name in _MAKEFILES if name in paths), None)
    if file and _TARGET.search(read(file)):
        yield ("make", "test")

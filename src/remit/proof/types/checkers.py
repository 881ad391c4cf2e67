"""The type checkers: how each runs, and what it found.

They run in parallel, in a folder that contains only what they check, without the user's settings, environment and plug-ins,
and with limits. Unexpected output counts as no answer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.proof.bounded import Bounds, Ended, Finished, Running, start
from remit.proof.installed import Identity, installed_program, required
from remit.proof.types.module import NAME
from remit.proof.types.probes import FILE
from remit.proof.types.stubs import FOLDER

if TYPE_CHECKING:
    from pathlib import Path


MODULE = f"{NAME.replace('.', '/')}.py"
BOUNDS = Bounds(seconds=30.0, megabytes=4096)  # addresses, not pages: a program of many threads reserves much
_PYTHON = ("--python-version", "3.11")
MYPY = (
    "--strict",
    "--config-file=",
    *_PYTHON,
    "--platform=linux",
    "--no-site-packages",
    "--warn-unreachable",
    # what is Any is not checked, so nothing may be
    "--disallow-any-expr",
    "--disallow-any-decorated",
    "--disallow-any-explicit",
    "--disallow-any-unimported",
    "--no-sqlite-cache",
    f"--cache-dir={FOLDER}",
    "--output=json",
)
TY = (
    "check",
    "--config-file=/dev/null",
    *_PYTHON,
    "--python-platform=linux",
    "--error-on-warning",
    "--no-progress",
    "--color=never",
    "--output-format=gitlab",
)
_THREADS = {"TY_MAX_PARALLELISM": "2", "MALLOC_ARENA_MAX": "2"}  # on a large machine they would reserve too much
_PARTS = ("ast_serialize", "librt", "mypy_extensions", "pathspec", "typing_extensions")  # of mypy


class Checker(NamedTuple):
    """A checker, and its command line."""

    identity: Identity
    program: tuple[str, ...]
    options: tuple[str, ...]


class Finding(NamedTuple):
    """An error that a checker reports."""

    file: str
    line: int
    code: str
    message: str


class CheckerFailure(NamedTuple):
    """A checker without an answer, and why."""

    reason: str


Report: TypeAlias = "tuple[Finding, ...] | CheckerFailure"


def mypy() -> Checker:
    """Return mypy, which is required."""
    return Checker(required("mypy", *_PARTS), (sys.executable, "-I", "-m", "mypy"), MYPY)


def opinions() -> tuple[tuple[Checker, ...], tuple[str, ...]]:
    """Return the other installed checkers, and the names of missing ones."""
    found = installed_program("ty")
    return ((Checker(found.identity, (str(found.path),), TY),), ()) if found else ((), ("ty",))


def begin(checker: Checker, folder: Path, files: Iterable[str]) -> Running:
    """Start a checker on the files of a folder."""
    return start(
        [*checker.program, *checker.options, *files, FILE],
        BOUNDS,
        folder=folder,
        environment={"HOME": str(folder), "LANG": "C.UTF-8", **_THREADS},
    )


def read(name: str, ended: Ended) -> Report:
    """Return the findings of a checker. Empty output is a failure: there is always something to reject."""
    if not isinstance(ended, Finished):
        return CheckerFailure(ended.reason)
    try:
        if ended.status != 1:
            return CheckerFailure(
                f"it ended with {ended.status}: {ended.err[-500:].decode('utf-8', 'replace').strip()}"
            )
        return tuple(_READERS[name](ended.out))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return CheckerFailure(f"what it says is not understood: {error}")


def _mypy_findings(out: bytes) -> Iterator[Finding]:
    for line in out.splitlines():
        found = json.loads(line)
        if found["severity"] != "note":
            yield _finding(found["file"], found["line"], found["code"], found["message"])


def _ty_findings(out: bytes) -> Iterator[Finding]:
    for found in json.loads(out):
        place = found["location"]
        yield _finding(place["path"], place["positions"]["begin"]["line"], found["check_name"], found["description"])


def _finding(file: Any, line: Any, code: Any, message: Any) -> Finding:
    if not isinstance(line, int) or not all(isinstance(text, str) for text in (file, code, message)):
        message = "a finding without file, line and code"
        raise TypeError(message)
    return Finding(file, line, code, message)


_READERS = {"mypy": _mypy_findings, "ty": _ty_findings}

"""The identity of the analyser: its version, code, data, and parsers.

Two analysers with the same identity give the same bytes for the same skill. An identity does not depend on where it is
installed.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.digest import digest
from remit.core.table_store import stored
from remit.version import VERSION

_PACKAGE = Path(__file__).parent.parent
_ROOMS = ("core", "skill", "analysis", "manifest", "policy", "proof", "bundle")
_PARSERS = ("google-re2", "markdown-it-py", "pyyaml", "tree-sitter", "tree-sitter-javascript", "tree-sitter-typescript")


class Analyser(NamedTuple):
    """The identity of Method A."""

    name: str
    version: str
    code: str  # digest of the source of all packages that judge
    summaries: str  # digest of what is known of libraries and commands
    vocabulary: str  # digest of the words and sensitive places
    python: str
    parsers: Mapping[str, str]

    def value(self) -> dict[str, object]:
        """Return the JSON form."""
        return self._asdict() | {"parsers": dict(self.parsers)}


@cache
def analyser() -> Analyser:
    """Return the analyser of this process."""
    code, summaries, words = stored("analyser", _digests, lambda kept: kept)
    return Analyser("remit", VERSION, code, summaries, words, platform.python_version(), _versions())


def _digests() -> tuple[str, str, str]:
    """Return the digests of code, summaries and vocabulary."""
    return _digest(_ROOMS, ".py"), _digest(["analysis/data"]), _digest(["core/data"])


def _versions() -> dict[str, str]:
    """Return the installed versions of the parsers, from the names of their metadata folders; the first on the path
    counts.

    The result equals that of `importlib.metadata`, which takes ten times as long to import as this takes to run.
    """
    found: dict[str, str] = {}
    for place in sys.path:
        try:
            names = os.listdir(place or ".")  # noqa: PTH208  only the names are wanted
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info"):
                package, _, version = name.removesuffix(".dist-info").rpartition("-")
                found.setdefault(package.lower().replace("_", "-").replace(".", "-"), version)
    return {name: found.get(name, "none") for name in _PARSERS}


def _digest(folders: Iterable[str], ending: str = "") -> str:
    """Return the digest of the files below some folders of this package, by path and content."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in _files(str(_PACKAGE / folder)):
            if path.endswith(ending) and not path.endswith(".pyc"):
                with open(path, "rb", buffering=0) as file:  # noqa: PTH123  hundreds of files, in a hurry
                    name = path[len(str(_PACKAGE)) + 1 :].replace(os.sep, "/")
                    found[name] = hashlib.sha256(file.read()).hexdigest()
    return digest(found)


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(entry.path)
            else:
                yield entry.path

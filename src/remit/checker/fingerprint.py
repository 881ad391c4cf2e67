"""Digests that decide whether a cached result is still valid."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.skill.model import HashedFile

_PACKAGE = Path(__file__).parent.parent
_LIBRARIES = ("tree_sitter", "markdown_it", "mdurl", "pyyaml", "PyYAML")
# Packages above those that compute cached results (according to the layers contract in pyproject.toml): no result
# depends on them.
_ABOVE = frozenset(
    "authority capsule cli editor executor gateway guard installation models report telemetry web __pycache__".split()
)
_JUDGES = ("mypy-", "ty-", "pyright-", "z3_solver-", "cvc5-", "python_sat-")


def fingerprint(files: Iterable[HashedFile], links: Mapping[str, str]) -> str:
    """Return the digest of everything in a skill's folder, from the digests of its contents."""
    listed = sorted((file.path, file.digest, file.executable, file.link) for file in files)
    return _digest([listed, sorted(links.items())])


def key(folder: str, tree: str, limits: Mapping[str, int], summaries: str, what: str, remit: str) -> str:
    """Return the key of a result: content, the folder's name (used by a skill without a name), limits, summaries, and
    Remit itself.

    `what` separates results of other kinds; `remit` is `installed_state` on one machine, `toolchain_digest` among
    several.
    """
    names = [os.path.basename(os.path.abspath(folder)), os.path.basename(os.path.realpath(folder))]
    return _digest([tree, names, sorted(limits.items()), summaries, remit, what])


def proof_key(what: str, question: object) -> str:
    """Return the key of a proof: the question, all of Remit (Method B examines it), and the checkers and solvers."""
    return _digest([what, question, installed_state(whole=True), _versions(_JUDGES)])


def files_digest(paths: Iterable[Path]) -> str:
    """Return the digest of some files, by name and content, in order."""
    return _digest([(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths])


@cache
def installed_state(*, whole: bool = False) -> str:
    """Return the digest of names, sizes, times and inodes of what `toolchain_digest` hashes, or of the whole package;
    eight times faster.

    No file is written without a new change time, which programs cannot set.
    """
    digest = hashlib.sha256()
    for path in sorted(_walk(str(_PACKAGE)) if whole else _walk(str(_PACKAGE), _ABOVE)):
        seen = os.stat(path)
        digest.update(f"{path}\0{seen.st_size}\0{seen.st_mtime_ns}\0{seen.st_ctime_ns}\0{seen.st_ino}\0".encode())
    return _digest([digest.hexdigest(), list(sys.version_info), sys.platform, _versions()])


@cache
def toolchain_digest() -> str:
    """Return the digest of this program: the code and data that results depend on, the interpreter, and the versions of
    the parsers.

    All of it is hashed each time: a result of an older Remit must not pass for a current one.
    """
    own = sorted(_walk(str(_PACKAGE), _ABOVE))
    digest = hashlib.sha256()
    for path in own:
        with open(path, "rb", buffering=0) as file:
            data = file.read()
        digest.update(f"{path[len(str(_PACKAGE)) :]}\0{len(data)}\0".encode())
        digest.update(data)
    return _digest([digest.hexdigest(), list(sys.version_info), sys.platform, _versions()])


def _walk(folder: str, without: frozenset[str] = frozenset({"__pycache__"})) -> Iterable[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                yield entry.path
            elif entry.name not in without:
                yield from _walk(entry.path)


def _versions(libraries: tuple[str, ...] = _LIBRARIES) -> list[str]:
    """Return the installed versions of some packages, from the names of their metadata folders."""
    found: set[str] = set()
    for place in sys.path:
        try:
            names = os.listdir(place or ".")
        except OSError:
            continue
        found.update(name for name in names if name.endswith(".dist-info") and name.startswith(libraries))
    return sorted(found)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True).encode()).hexdigest()

"""Digests that say whether a result still holds."""

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
# Packages above those that compute what is kept (the contract of the layers in pyproject.toml says so): no result depends on them.
_ABOVE = frozenset(
    "authority capsule cli editor executor gateway guard installation models report telemetry web __pycache__".split()
)
_JUDGES = ("mypy-", "ty-", "pyright-", "z3_solver-", "cvc5-", "python_sat-")


def fingerprint(files: Iterable[HashedFile], links: Mapping[str, str]) -> str:
    """The digest of everything that a skill's folder holds, from the digests of its contents."""
    listed = sorted((file.path, file.digest, file.executable, file.link) for file in files)
    return _digest([listed, sorted(links.items())])


def key(folder: str, tree: str, limits: Mapping[str, int], summaries: str, what: str, remit: str) -> str:
    """The name of a result: content, the folder's name (a skill without a name has it), limits, summaries, and Remit itself.

    `what` sets apart results of other kinds; `remit` is `installed_state` on one machine, `toolchain_digest` among several.
    """
    names = [os.path.basename(os.path.abspath(folder)), os.path.basename(os.path.realpath(folder))]
    return _digest([tree, names, sorted(limits.items()), summaries, remit, what])


def proof_key(what: str, question: object) -> str:
    """The name of a proof: what was asked, all of Remit (Method B looks at every package), and the checkers and solvers that answer."""
    return _digest([what, question, installed_state(whole=True), _versions(_JUDGES)])


def files_digest(paths: Iterable[Path]) -> str:
    """The digest of some files, by name and content, in their order."""
    return _digest([(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths])


@cache
def installed_state(*, whole: bool = False) -> str:
    """The digest of the names, sizes, times and inodes of what `toolchain_digest` hashes, or of the whole package; it takes an eighth of the time.

    No file is written without a new time of its last change, which programs cannot set.
    """
    digest = hashlib.sha256()
    for path in sorted(_walk(str(_PACKAGE)) if whole else _walk(str(_PACKAGE), _ABOVE)):
        seen = os.stat(path)
        digest.update(f"{path}\0{seen.st_size}\0{seen.st_mtime_ns}\0{seen.st_ctime_ns}\0{seen.st_ino}\0".encode())
    return _digest([digest.hexdigest(), list(sys.version_info), sys.platform, _versions()])


@cache
def toolchain_digest() -> str:
    """The digest of this program: the code and data that results depend on, the interpreter, and the versions of the parsers.

    All of it is hashed each time: a result of yesterday's Remit must not pass for today's.
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
    """The installed versions of some packages, from the names of their metadata folders."""
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

"""A snapshot of a skill's folder as a bundle binds it: every file by its digest, and the evidence as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import ManifestError
from remit.core.sensitive import fold
from remit.manifest.drift.content import content_digest

if TYPE_CHECKING:
    from remit.manifest.model import Manifest
    from remit.skill.walk import Tree

FOLDER = "evidence"
STATIC, TYPES, SESSIONS, TESTS, ATTEST = "static.json", "types.proof", "smt.unsat", "tests.json", "manifest.attest.json"
LABEL = "label.json"
NAMES = frozenset({STATIC, LABEL, TYPES, SESSIONS, TESTS, ATTEST})


class Snapshot(NamedTuple):
    """A folder. Digests and contents are from the same reading."""

    files: Mapping[str, str]  # by path, SHA-256 in hexadecimal; nothing of evidence/
    executables: tuple[str, ...]
    links: Mapping[str, str]  # of files and folders, to where they lead
    evidence: Mapping[str, bytes]  # by name
    strays: tuple[str, ...]  # what lies in evidence/ and is none, or is too large to be
    collisions: tuple[tuple[str, str], ...]  # names that some file systems take for one
    dangling: tuple[str, ...]  # links that lead to nothing: no digest can bind them
    beside: Mapping[str, bytes]  # contents of the files beside SKILL.md, where the manifest is looked for
    content: str  # one digest over all that is bound: files, modes and links, and nothing of evidence/
    empty: tuple[str, ...] = ()  # folders without a file: nothing binds them
    repositories: tuple[str, ...] = ()  # what is called `.git`: it is not shipped, and nothing binds it

    @property
    def bundled(self) -> bool:
        """Whether the folder claims to be a bundle."""
        return bool(self.evidence or self.strays)


def snapshot(tree: Tree) -> Snapshot:
    """Take a snapshot of what is shipped."""
    plain = [raw for raw in tree.files if not _inside(raw.path)]
    inside = [raw for raw in tree.files if _inside(raw.path)]
    evidence = {raw.path.partition("/")[2]: raw for raw in inside}
    fine = {
        name: raw.data
        for name, raw in evidence.items()
        if name in NAMES and raw.data is not None and not raw.link and raw.path.startswith(f"{FOLDER}/")
    }
    strays = [raw.path for name, raw in evidence.items() if name not in fine]
    empty = [path for path in tree.empty if path != FOLDER]
    strays += [path for path in (*tree.links, *empty, *tree.repositories) if _inside(path)]
    links = {raw.path: raw.link for raw in plain if raw.link}
    links |= {path: target or "." for path, target in tree.links.items() if not _inside(path)}
    return Snapshot(
        {raw.path: raw.digest for raw in plain if raw.digest},
        tuple(raw.path for raw in plain if raw.executable),
        links,
        fine,
        tuple(sorted(strays)),
        tuple(_collisions([raw.path for raw in tree.files] + list(tree.links))),
        tuple(raw.path for raw in plain if not raw.digest),
        {raw.path: raw.data for raw in plain if raw.data is not None and "/" not in raw.path},
        content_digest(plain, {path: target for path, target in tree.links.items() if not _inside(path)}),
        tuple(path for path in empty if not _inside(path)),
        tuple(path for path in tree.repositories if not _inside(path)),
    )


def manifest_of(held: Snapshot) -> tuple[str, Manifest] | None:
    """Return the manifest in the folder, and its file; ManifestError if it cannot be read."""
    from remit.manifest.find import manifest_among  # noqa: PLC0415  (formats of others)

    def data(name: str) -> bytes:
        found = held.beside.get(name)
        if found is None:
            raise ManifestError(f"`{name}` is too large to be read", "a manifest is a short list; shorten it")
        return found

    names = [path for path in held.files if "/" not in path]
    found = manifest_among(names, data)
    if found is None:
        return None
    name, known = found
    return name, known.read(data(name), name).manifest


def _inside(path: str) -> bool:
    return path.partition("/")[0] == FOLDER


def _collisions(paths: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield pairs of paths that a case- or form-insensitive file system takes for one, at any depth."""
    seen: dict[str, str] = {}
    found: dict[tuple[str, str], None] = {}
    for path in sorted(paths):
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            name = "/".join(parts[:depth])
            first = seen.setdefault("/".join(map(fold, parts[:depth])), name)
            if first != name:
                found[first, name] = None
    return found

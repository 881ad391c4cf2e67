"""Files that a person trusts: the defaults and the lock of a workspace, the manifest of a skill.

A file counts by its digest: what is shown to the person is what was read once, and its digest is stored. The manifest
of a skill is trusted together with the skill's present content: what that asks for is not asked about when it is loaded
(`skill_growth.py`).
"""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import GuardError, UsageError
from remit.guard.session.skill_growth import PATIENT, Trusted, draft_manifest, growth, named
from remit.guard.session.text_findings import shown, skill_findings
from remit.guard.session.workspace import DEFAULTS, LOCK, root_of
from remit.guard.store import Store, trusted_digest, trusted_files, trusted_text
from remit.manifest.drift.content import content_digest
from remit.manifest.drift.lockfile import parse as parse_lock
from remit.manifest.find import own_manifest
from remit.manifest.read import parse_defaults, parse_manifest
from remit.manifest.render import entry_value
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from remit.manifest.model import Permission

MANIFEST = "remit.json"
_LARGEST = 4_000_000
_KEPT = 1_000_000  # characters of a trusted text that are stored, to show what changed


class Candidate(NamedTuple):
    """A file, or a skill with its content, that could be trusted."""

    path: str  # as the guard looks it up
    digest: str
    text: str
    says: tuple[str, ...]  # what it allows, asks about and denies, in lines
    known: str | None  # the digest under which it is trusted now
    changes: tuple[str, ...] = ()  # the changes since then

    @property
    def is_trusted(self) -> bool:
        """Whether its present content is trusted."""
        return self.known == self.digest

    @property
    def kept(self) -> str:
        """Return the text that is stored."""
        return self.text if len(self.text) <= _KEPT else ""


def trust_candidates(store: Store, names: Iterable[str]) -> tuple[Candidate, ...]:
    """Return the files that paths lead to: a file itself, a skill's manifest, or the policy files in the root of a
    workspace.
    """
    found = {path: None for name in names for path in _files(Path(name))}
    return tuple(_skill(store, path) if path.is_dir() else _candidate(store, path) for path in found)


def forgettable(store: Store, names: Iterable[str]) -> tuple[str, ...]:
    """Return trusted files that paths lead to, whether or not they still exist."""
    out: dict[str, None] = {}
    for name in names:
        place = os.path.realpath(name)
        for path in trusted_files(store):
            if path in (place, name) or path.startswith(f"{place}/"):
                out[path] = None
    if not out:
        raise UsageError("nothing there is trusted", "`remit guard trust --list` shows what is trusted")
    return tuple(out)


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        folder = path.resolve()
        if (folder / "SKILL.md").is_file():
            own = own_manifest(folder)
            if own is None:
                raise UsageError(f"`{path}` has no manifest", "`remit init` drafts one")
            yield own.path
            yield folder
            return
        root = root_of(str(path))
        files = [root / name for name in (DEFAULTS, LOCK) if (root / name).is_file()]
        if not files:
            raise UsageError(f"`{root}` has neither {DEFAULTS} nor {LOCK}", "name a file, or the folder of a skill")
        yield from files
    elif path.is_file():
        yield path.parent.resolve() / path.name
    else:
        raise UsageError(f"`{path}` is not there", "name a file, a skill or a workspace")


def _skill(store: Store, folder: Path) -> Candidate:
    """Return a skill's present state, what it asks for beyond its manifest, and findings in its text that a person
    should review.
    """
    skill = load_skill(folder)
    content, own = content_digest(skill.files, skill.links), own_manifest(folder)
    known = trusted_digest(store, str(folder))
    warnings = tuple(f"look at {shown(one)}" for one in skill_findings(skill))
    try:
        text = draft_manifest(folder, PATIENT)
    except GuardError as error:  # the person decides without it
        return Candidate(str(folder), content, "", (error.message, *warnings), known)
    more = growth(text, Trusted(own.manifest)) if own else ()
    says = "asks for more than its manifest says:" if more else "needs no more than its manifest grants"
    return Candidate(str(folder), content, text, (says, *map(named, more), *warnings), known)


def _candidate(store: Store, path: Path) -> Candidate:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise GuardError(f"`{path}` cannot be read: {error.strerror}", "look at it") from None
    if len(data) > _LARGEST:
        raise GuardError(f"`{path}` is too large", "it should hold a few thousand lines at most")
    digest = "sha256:" + hashlib.sha256(data).hexdigest()
    text = data.decode("utf-8", "replace")
    known, before = trusted_digest(store, str(path)), trusted_text(store, str(path))
    changes: tuple[str, ...] = ()
    if known is not None and known != digest and before:
        changes = tuple(
            difflib.unified_diff(before.splitlines(), text.splitlines(), "as it was trusted", "now", n=2, lineterm="")
        )
    return Candidate(str(path), digest, text, tuple(_says(path, data)), known, changes)


def _says(path: Path, data: bytes) -> Iterator[str]:
    """Return a file's content for a person who decides. An invalid file is refused here."""
    if path.name == DEFAULTS:
        yield from map(_entry, parse_defaults(data, path.name).permissions)
    elif path.name == LOCK:
        for skill in parse_lock(data, path.name).skills:
            yield f"skill {skill.path}: {skill.summary.content}"
    else:
        own = own_manifest(path.parent)
        if own is None or own.path != path:
            raise UsageError(f"`{path}` is no file that the guard looks at", f"name a manifest, {DEFAULTS} or {LOCK}")
        if path.name == MANIFEST:
            yield from map(_entry, parse_manifest(data, path.name).permissions)
        else:  # in the format of another tool: as it is written
            yield from data.decode("utf-8", "replace").splitlines()


def _entry(entry: Permission) -> str:
    value = entry_value(entry)
    scope = value.get("scope", "any")
    limits = ", ".join(value.get("constraints", ()))
    effect = str(entry.effect) if entry.effect else "by level"
    text = f"{effect:8} {entry.capability} {scope if isinstance(scope, str) else ' '.join(scope)}"
    return f"{text}   (with {limits})" if limits else text

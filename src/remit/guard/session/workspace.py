"""The workspace of a session as it was at its start: its location, its baseline, its locked skills, the destinations it
names.

Without defaults of its own that a person trusts, the baseline is ordinary work (`data/ordinary.json`).

A file in the workspace can be written by anyone who works there, including agents. So its own defaults and lock count
only as a person trusted them (`remit guard trust`): the digest of what was trusted is in the guard's state. What is not
trusted can deny, but grants nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from remit.core.errors import GuardError, RemitError
from remit.core.scope import HOME, TEMP, WORKSPACE, HostScope, PathScope
from remit.guard.paths import file_scope
from remit.guard.session.package_names import declared
from remit.guard.store import Store, trusted_digest, trusted_text
from remit.manifest.baseline import shipped_defaults
from remit.manifest.drift.lockfile import Lock
from remit.manifest.drift.lockfile import parse as parse_lock
from remit.manifest.model import Decision, Permission
from remit.manifest.read import parse_defaults

DEFAULTS = "remit-defaults.json"
LOCK = "skills.lock"
UNATTENDED = frozenset({"gateway"})  # hosts whose agents work for others, without a person at the host
_ORDINARY = Path(__file__).parent.with_name("data") / "ordinary.json"
_LARGEST = 4_000_000
# settings of installers, in the workspace and in the home: they name the registries from which packages come
_INSTALLERS = (".npmrc", ".yarnrc.yml", ".pip/pip.conf", ".config/pip/pip.conf")
_REGISTRY = re.compile(
    r"^\s*(?:[\w@./-]+:)?(?:registry|npmRegistryServer|(?:extra-)?index-url)\s*[=:]\s*[\"']?(https?://[^\s\"']+)",
    re.MULTILINE,
)
_CONFIGURATION = (".git/config", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", ".gitmodules")


class Workspace(NamedTuple):
    """One workspace, as it was when the session began."""

    root: Path
    baseline: tuple[Permission, ...]
    lock: Lock | None  # as a person trusted it
    configured: str  # text of its configuration: it names allowed destinations
    notes: tuple[str, ...] = ()  # messages for a person
    packages: frozenset[str] = frozenset()  # packages that its project files declare
    registries: tuple[HostScope, ...] = ()  # of packages, that settings of installers name

    def places(self, home: str, temp: str) -> tuple[tuple[str, PathScope], ...]:
        """Return the places of scopes. If the workspace itself is among temporary files, nothing counts as temporary."""
        found = [(HOME, file_scope(home)), (WORKSPACE, file_scope(str(self.root)))]
        if self.root != Path(temp) and Path(temp) not in self.root.parents:
            found.append((TEMP, file_scope(temp)))
        return tuple(sorted(found))


def root_of(cwd: str) -> Path:
    """Return the workspace of a session that begins in a folder: its repository, else the folder itself."""
    here = Path(cwd).resolve()
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            return folder
    return here


@cache
def ordinary_work() -> tuple[Permission, ...]:
    """Return what every skill may do in a workspace without defaults of its own."""
    return parse_defaults(_ORDINARY.read_bytes(), _ORDINARY.name).permissions


def read_workspace(root: Path, store: Store, *, careful: bool = False, home: Path | None = None) -> Workspace:
    """Read a workspace now. `careful`: without trusted defaults the shipped ones count, also for the agent itself."""
    notes: list[str] = []
    usual = shipped_defaults().permissions if careful else ordinary_work()
    trusted, written = _read(root / DEFAULTS, store, notes)
    own = parse_defaults(trusted, DEFAULTS).permissions if trusted is not None else usual
    denied = _denials(written, notes) if written is not None and written != trusted else ()
    trusted, _ = _read(root / LOCK, store, notes)
    lock = parse_lock(trusted, LOCK) if trusted is not None else None
    registries = tuple(dict.fromkeys((*_registries(root), *(_registries(home) if home else ()))))
    return Workspace(root, (*own, *denied), lock, _configured(root), tuple(notes), declared(root), registries)


def _registries(folder: Path) -> Iterator[HostScope]:
    """Yield the hosts of registries that settings of installers in a folder name."""
    for name in _INSTALLERS:
        try:
            text = (_bytes(folder / name) or b"").decode("utf-8", "replace")
            addresses = [urlsplit(found) for found in _REGISTRY.findall(text)]
            yield from (HostScope(one.hostname, one.port) for one in addresses if one.hostname)
        except (RemitError, ValueError):
            continue  # it names none then


def _denials(written: bytes, notes: list[str]) -> tuple[Permission, ...]:
    """Return the denials of defaults that are not trusted in their present state. If these are unreadable, only the
    trusted ones count.
    """
    try:
        return tuple(one for one in parse_defaults(written, DEFAULTS).permissions if one.effect is Decision.DENY)
    except RemitError as error:
        notes.append(f"`{DEFAULTS}` cannot be read: {error.message}")
        return ()


def _read(path: Path, store: Store, notes: list[str]) -> tuple[bytes | None, bytes | None]:
    """Return a file as a person trusted it, and as it is now; None where there is none.

    If it is gone or changed, what was trusted stays in force until a person trusts the new file or forgets it.
    """
    data, known = _bytes(path), trusted_digest(store, str(path))
    if known is None:
        if data is not None:
            notes.append(f"`{path.name}` is not trusted: only its denials count (`remit guard trust`)")
        return None, data
    if data is not None and _digest(data) == known:
        return data, data
    what = "gone" if data is None else "not the one that was trusted"
    kept = trusted_text(store, str(path)).encode()
    if _digest(kept) != known:  # too large to be stored, or not text
        raise GuardError(f"`{path.name}` is {what}", "bring it back, or `remit guard trust` again")
    notes.append(
        f"`{path.name}` is {what}: the trusted version stays in force (`remit guard trust`, `remit guard untrust`)"
    )
    return kept, data


def _digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def _bytes(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GuardError(f"`{path.name}` cannot be read: {error.strerror}", "repair or remove it") from None
    if len(data) > _LARGEST:
        raise GuardError(f"`{path.name}` is too large", "it should hold a few thousand lines at most")
    return data


def _configured(root: Path) -> str:
    """Return the text of the configuration that names hosts, remotes and branches. It is read before the agent begins."""
    found: list[str] = []
    for name in _CONFIGURATION:
        try:
            data = _bytes(root / name)
        except RemitError:
            continue  # it names nothing then
        if data:
            found.append(data.decode("utf-8", "replace"))
    try:
        head = (root / ".git" / "HEAD").read_text("utf-8", "replace")[:1000]
    except OSError:
        head = ""
    branch = head.removeprefix("ref: refs/heads/").strip() if head.startswith("ref: refs/heads/") else ""
    return "\n".join((*found, f"branch `{branch}`" if branch else ""))

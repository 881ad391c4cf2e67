"""Files that no call of an agent may touch, whatever is granted: the guard's state and code, its hooks, the settings of
hosts.

The sensitive places of `core` cover the settings of hosts (`policy.expand`, `hook.install`); this module adds the paths
that only this machine knows: the state folder, the files with our hooks, our own program, and the files of a
workspace's policy. Each counts under its own name and under the name that links lead to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import RemitError
from remit.guard.install.model import Site
from remit.guard.install.registry import INSTALLERS
from remit.guard.install.settings_file import backup_of
from remit.guard.paths import file_scope, folder_scope
from remit.manifest.model import Decision, Permission

_CHANGES = ("file.write", "file.delete", "file.chmod", "source.write", "source.delete")
_REMOVES = ("file.delete", "source.delete")
POLICY_FILES = ("remit-defaults.json", "skills.lock")  # in the root of a workspace
# Settings of hosts that can switch hooks off, in a workspace or in the home folder
HOST_SETTINGS = (
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".gemini/settings.json",
)
PROGRAM = Path(__file__).parents[1]  # our own code: a change of it could change decisions


def settings(state: Path, root: Path, home: Path) -> tuple[str, ...]:
    """Return the files in which hosts find our hooks, and the interpreter that runs our client."""
    site = Site(home, root, state)
    found: dict[str, None] = {sys.executable: None}
    found |= {f"{folder}/{name}": None for folder in (root, home) for name in HOST_SETTINGS}
    for installer in INSTALLERS:
        try:
            standing = installer.status(site)
        except RemitError:
            continue  # the sensitive places cover them all the same
        for one in standing:
            found |= {str(one.path): None, str(backup_of(one.path)): None}
    return tuple(found)


def protected(state: Path, workspace: str, files: Iterable[str] = ()) -> tuple[Permission, ...]:
    """Return the denials for all principals."""
    own = "this is where the guard keeps its state; only a person changes it, with `remit`"
    policy = "this decides what agents may do here; only a person changes it"
    program = "this is the guard's own program, or a file in which it is called"
    look = _Look()
    found = [
        look.denied(_CHANGES, (str(state),), own, deep=True),
        look.denied(_CHANGES, (str(PROGRAM),), program, deep=True),
        look.denied(_REMOVES, _above(str(state)), own),
    ]
    found += [look.denied(_CHANGES, (f"{workspace}/{name}",), policy) for name in POLICY_FILES]
    for path in files:
        found.append(look.denied(_CHANGES, (path,), program))
        if os.path.lexists(path):  # otherwise a call could remove them with a folder above
            found.append(look.denied(_REMOVES, _above(path), program))
    return _entries(tuple(found))


def _above(path: str) -> Iterator[str]:
    """Return the folders above a path: moving or removing one takes its content along."""
    while path := path.rpartition("/")[0]:
        yield path


class _Denied(NamedTuple):
    """What is denied, under every name that it has now."""

    capabilities: tuple[str, ...]
    names: tuple[str, ...]
    why: str
    deep: bool


class _Look:
    """One look at the disk: each folder on the path is examined once."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def denied(self, capabilities: tuple[str, ...], paths: Iterable[str], why: str, *, deep: bool = False) -> _Denied:
        names = dict.fromkeys(name for path in paths for name in (path, self._real(path)))
        return _Denied(capabilities, tuple(names), why, deep)

    def _real(self, path: str) -> str:
        """Resolve a path as `os.path.realpath` does."""
        found = self._known.get(path)
        if found is None:
            folder, _, name = path.rpartition("/")
            if name in ("", ".", "..") or not path.startswith("/"):
                found = os.path.realpath(path)
            else:
                found = f"{self._real(folder).rstrip('/') if folder else ''}/{name}"
                found = os.path.realpath(found) if os.path.islink(found) else found  # noqa: PTH114  (many paths)
            self._known[path] = found
        return found


@lru_cache(256)  # sessions of one workspace share them, as long as its links have the same targets
def _entries(found: tuple[_Denied, ...]) -> tuple[Permission, ...]:
    return tuple(dict.fromkeys(entry for one in found for entry in _permissions(one)))


def _permissions(one: _Denied) -> Iterator[Permission]:
    places = ((file_scope(name), folder_scope(name)) if one.deep else (file_scope(name),) for name in one.names)
    scopes = tuple(scope for some in places for scope in some)
    for capability in one.capabilities:
        yield Permission(capability, scopes, Decision.DENY, fallback_msg=one.why)

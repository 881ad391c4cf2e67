"""What nobody may touch through an agent, whatever is granted: the guard's own state and code, its hooks, the settings of hosts.

The sensitive places of `core` cover the settings of hosts (`policy.expand`, `hook.install`); here are the paths that only this
machine knows: the state folder, the files in which our hooks stand, our own program, and the files that a workspace's policy
is read from. Each counts under its name and under the one to which links lead.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import RemitError
from remit.guard.install.files import backup_of
from remit.guard.install.form import Site
from remit.guard.install.registry import INSTALLERS
from remit.guard.paths import below, exactly
from remit.manifest.model import Decision, Permission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CHANGES = ("file.write", "file.delete", "file.chmod", "source.write", "source.delete")
_READS = ("file.read", "source.read")
_REMOVES = ("file.delete", "source.delete")
POLICY_FILES = ("remit-defaults.json", "skills.lock")  # in the root of a workspace
PROGRAM = Path(__file__).parents[1]  # our own code: whoever changes it decides


def settings(state: Path, root: Path, home: Path) -> tuple[str, ...]:
    """The files in which hosts find our hooks, and the interpreter that runs our client."""
    site = Site(home, root, state)
    found: dict[str, None] = {sys.executable: None}
    for installer in INSTALLERS:
        try:
            standing = installer.status(site)
        except RemitError:
            continue  # the sensitive places hold them all the same
        for one in standing:
            found |= {str(one.path): None, str(backup_of(one.path)): None}
    return tuple(found)


def protected(state: Path, workspace: str, files: Iterable[str] = ()) -> tuple[Permission, ...]:
    """The denials for everybody."""
    own = "this is where the guard keeps its state; only a person changes it, with `remit`"
    policy = "this decides what agents may do here; only a person changes it"
    program = "this is the guard's own program, or a file in which it is called"
    found = [*_denied((*_CHANGES, *_READS), state, own, deep=True), *_denied(_CHANGES, PROGRAM, program, deep=True)]
    found += _denied(_REMOVES, *_above(state), own)
    for name in POLICY_FILES:
        found += _denied(_CHANGES, f"{workspace}/{name}", policy)
    for path in files:
        found += _denied(_CHANGES, path, program)
        found += _denied(_REMOVES, *_above(Path(path)), program)
    return tuple(dict.fromkeys(found))


def _above(path: Path) -> Iterator[str]:
    """The folders above a path: who moves or removes one takes what is in it along."""
    yield from (str(folder) for folder in path.parents if folder != folder.parent)


def _denied(capabilities: Iterable[str], *rest: str | Path, deep: bool = False) -> Iterator[Permission]:
    *paths, why = map(str, rest)
    names = dict.fromkeys(name for path in paths for name in (path, os.path.realpath(path)))
    scopes = tuple(scope for name in names for scope in ((exactly(name), below(name)) if deep else (exactly(name),)))
    for capability in capabilities:
        yield Permission(capability, scopes, Decision.DENY, fallback_msg=why)

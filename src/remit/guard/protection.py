"""What nobody may touch through an agent, whatever is granted: the guard's own state, its hooks, the settings of hosts.

The sensitive places of `core` cover the settings of hosts (`policy.expand`, `hook.install`); here are the paths that only this
machine knows: the state folder and the files that a workspace's policy is read from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.paths import below, exactly
from remit.manifest.model import Decision, Permission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_CHANGES = ("file.write", "file.delete", "file.chmod", "source.write", "source.delete")
_READS = ("file.read", "source.read")
POLICY_FILES = ("remit-defaults.json", "skills.lock")  # in the root of a workspace


def protected(state: Path, workspace: str, settings: Iterable[Path] = ()) -> tuple[Permission, ...]:
    """The denials for everybody."""
    own = "this is where the guard keeps its state; only a person changes it, with `remit`"
    policy = "this decides what agents may do here; only a person changes it"
    found = [*_denied((*_CHANGES, *_READS), str(state), own, deep=True)]
    for name in POLICY_FILES:
        found += _denied(_CHANGES, f"{workspace}/{name}", policy)
    for path in settings:
        found += _denied(_CHANGES, str(path), policy)
    return tuple(found)


def _denied(capabilities: Iterable[str], path: str, why: str, *, deep: bool = False) -> Iterator[Permission]:
    scopes = (exactly(path), below(path)) if deep else (exactly(path),)
    for capability in capabilities:
        yield Permission(capability, scopes, Decision.DENY, fallback_msg=why)

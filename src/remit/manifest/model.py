"""What a skill may do: a list of permissions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.core.scope import Scope


class Decision(StrEnum):
    """What happens to a request that an entry speaks of."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


class Permission(NamedTuple):
    """One entry: a capability or pattern (`object.*`, `*`), the scope it is given for, and the line it stands on."""

    capability: str
    scope: Scope
    effect: Decision = Decision.ALLOW
    line: int = 0


class Manifest(NamedTuple):
    """All entries, in the order of the file."""

    file: str
    permissions: tuple[Permission, ...]

"""What must be kept before a call: the path below which everything in a scope lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import ROOT, PathScope
from remit.core.scope.component import literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.core.scope import Scope


def names_one(scope: Scope) -> bool:
    """Whether a scope is one path, and no pattern."""
    return isinstance(scope, PathScope) and all(part != "**" and literal(part) is not None for part in scope.parts)


def reach(scope: Scope, folders: Mapping[str, str]) -> str | None:
    """The path to keep, given where the workspace, home and other anchors lie; None: it is not known, so nothing can be undone."""
    if not isinstance(scope, PathScope):
        return None
    base = "" if scope.anchor == ROOT else folders.get(scope.anchor)
    if base is None:
        return None
    fixed: list[str] = []
    for part in scope.parts:
        name = literal(part)
        if name is None or part == "**":
            break
        fixed.append(name)
    path = "/".join([base.rstrip("/"), *fixed])
    return path or None  # the whole machine is never kept

"""A file that is not there cannot be read: whoever tries meets nothing sensitive.

What the call itself may make counts as there, and so does a link that leads nowhere. A credential in the keeping of a
program (`gh auth token`, a keychain) is named like a file, and is there all the same: no file of that name is read.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from remit.core.scope import ROOT, PathScope, overlaps
from remit.core.scope.component import literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.core.scope import Scope
    from remit.policy.request import Request

_FILES = frozenset({"file.read", "source.read", "context.load"})
_READS = frozenset({"file.read", "source.read", "secret.read"})


def present(requests: Iterable[Request]) -> tuple[Request, ...]:
    """Requests without secrets that are not there; other files that are not there are marked as sparing what is sensitive."""
    every = tuple(requests)
    if _READS.isdisjoint([one.capability for one in every]):
        return every
    changed = [one.scope for one in every if one.capability not in _READS and isinstance(one.scope, PathScope)]
    files = {one.scope for one in every if one.capability in _FILES}
    found: list[Request] = []
    for request in every:
        held = request.capability == "secret.read" and request.scope not in files
        if held or not _is_absent(request, changed):
            found.append(request)
        elif request.capability != "secret.read":
            found.append(request._replace(spared=True))
    return tuple(found)


def _is_absent(request: Request, changed: Sequence[Scope]) -> bool:
    scope = request.scope
    if request.capability not in _READS or not isinstance(scope, PathScope) or scope.anchor != ROOT:
        return False
    parts = [literal(part) for part in scope.parts]
    if not parts or None in parts or any(overlaps(other, scope) for other in changed):
        return False
    return not os.path.lexists("/" + "/".join(filter(None, parts)))

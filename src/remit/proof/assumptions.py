"""The assumptions of a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.core.assumption import Assumption, assumptions
from remit.core.capability import vocabulary
from remit.core.scope import ScopeKind

if TYPE_CHECKING:
    from remit.core.effect import Effect


def rests_on(noted: Iterable[str], effects: Iterable[Effect], *, code: bool) -> tuple[Assumption, ...]:
    """Return the assumptions of a result: those noted by the analysis, and those of every skill with code or network
    access.

    An id that is not in the list (a user's own summary may name one) is kept and left to the person who wrote it.
    """
    known = assumptions()
    wanted = set(noted)
    if code:
        wanted.update(ident for ident, found in known.items() if found.when == "always")
    if any(vocabulary()[effect.capability].scope_kind is ScopeKind.HOST for effect in effects):
        wanted.update(ident for ident, found in known.items() if found.when == "network")
    own = Assumption("", "an assumption of a summary file of this project", "the person who wrote it")
    return tuple(known.get(ident, own._replace(ident=ident)) for ident in sorted(wanted))

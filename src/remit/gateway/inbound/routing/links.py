"""Identities that are the same person, as equivalence classes: links are symmetric and transitive by construction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.routing.message import Identity


class Links(NamedTuple):
    """Disjoint classes of at least two identities; members and classes are sorted."""

    classes: tuple[tuple[Identity, ...], ...] = ()

    def person(self, identity: Identity) -> tuple[Identity, ...]:
        """Return all identities of the same person, sorted; just this one if it has no links."""
        return next((found for found in self.classes if identity in found), (identity,))


def linked(pairs: Iterable[tuple[Identity, Identity]]) -> Links:
    """Return the smallest classes that join all pairs."""
    found: list[set[Identity]] = []
    for pair in pairs:
        met = [one for one in found if not one.isdisjoint(pair)]
        found = [one for one in found if one.isdisjoint(pair)] + [set(pair).union(*met)]
    return Links(tuple(sorted(tuple(sorted(one)) for one in found if len(one) > 1)))

"""Which identities are one person. Links are kept as classes, so that they are symmetric and transitive by how they are made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.routing.message import Identity


class Links(NamedTuple):
    """Classes of at least two, none of which share a member; each sorted, and all of them."""

    classes: tuple[tuple[Identity, ...], ...] = ()

    def person(self, identity: Identity) -> tuple[Identity, ...]:
        """Everyone who is the same person, the least first; somebody without links is a person alone."""
        return next((found for found in self.classes if identity in found), (identity,))


def linked(pairs: Iterable[tuple[Identity, Identity]]) -> Links:
    """The smallest classes that keep each pair together."""
    found: list[set[Identity]] = []
    for pair in pairs:
        met = [one for one in found if not one.isdisjoint(pair)]
        found = [one for one in found if one.isdisjoint(pair)] + [set(pair).union(*met)]
    return Links(tuple(sorted(tuple(sorted(one)) for one in found if len(one) > 1)))

"""Model of identity links (`gateway/inbound/routing.py`): an operator who links four identities in every order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from remit.gateway.inbound import routing
from remit.gateway.inbound.routing import Identity, Links
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch, remembering

_ALL = (Identity("chat", "ann"), Identity("chat", "bob"), Identity("mail", "ann"), Identity("mail", "bob"))
_MOST = 4


class LinkState(NamedTuple):
    """The pairs in the order in which they were given, and the classes that were made of them."""

    pairs: tuple[tuple[Identity, Identity], ...] = ()
    links: Links = Links()


def _actions() -> tuple[Action, ...]:
    made = remembering(routing.linked)

    def link(world: LinkState) -> Iterator[tuple[Any, LinkState]]:
        if len(world.pairs) < _MOST:
            for one, other in combinations(_ALL, 2):
                for pair in ((one, other), (other, one))[: 1 + (len(world.pairs) < 2)]:
                    pairs = (*world.pairs, pair)
                    yield pair, LinkState(pairs, made(pairs))

    return (Action("link", link),)


def _same(world: LinkState, one: Identity, other: Identity) -> bool:
    return world.links.person(one) == world.links.person(other)


def _reached(world: LinkState, start: Identity) -> set[Identity]:
    return _led_to(frozenset(map(frozenset, world.pairs)), start)


@cache  # of links alone, in whatever order: it asks nothing of the code that runs
def _led_to(pairs: frozenset[frozenset[Identity]], start: Identity) -> set[Identity]:
    found = {start}
    for _ in pairs:
        found |= {one for pair in pairs if found & pair for one in pair}
    return found


def _any(world: LinkState) -> bool:
    return bool(world.pairs)


_INVARIANTS = (
    Invariant("linked-are-one", "linked identities are one person, and a look-up of either finds the same person", _any, lambda world: all(_same(world, *pair) for pair in world.pairs)),
    Invariant("transitive", "if two identities are one person with a third, they are one person", lambda world: len(world.pairs) > 1,
              lambda world: all(set(world.links.person(one)) >= _reached(world, one) for one in _ALL)),
    Invariant("nobody-else", "identities that no links connect are different persons", _any,
              lambda world: all(set(world.links.person(one)) <= _reached(world, one) for one in _ALL)),
    Invariant("partition", "no identity belongs to two persons", _any,
              lambda world: sum(map(len, world.links.classes)) == len({one for found in world.links.classes for one in found})),
    Invariant("one-form", "the order of links and of their ends changes nothing", lambda world: len(world.pairs) > 1,
              lambda world: world.links == routing.linked(tuple(sorted(tuple(sorted(pair)) for pair in world.pairs)))),
)  # fmt: skip


def _pairs_alone(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda pairs: Links(
        tuple(found for pair in dict.fromkeys(map(frozenset, pairs)) for found in real((tuple(sorted(pair)),)).classes)
    )


def model() -> Model:
    """The model."""
    mutants = (
        Mutant(
            "forgets the first link",
            "linked-are-one",
            Patch(
                routing, "linked", lambda real: lambda pairs: real(tuple(pairs)[1:] if len(tuple(pairs)) > 3 else pairs)
            ),
        ),
        Mutant("keeps pairs as pairs", "transitive", Patch(routing, "linked", _pairs_alone)),
        Mutant(
            "takes one name for one person",
            "nobody-else",
            Patch(routing, "linked", lambda real: lambda pairs: real((*pairs, (_ALL[0], _ALL[2])) if pairs else pairs)),
        ),
        Mutant("puts somebody into two classes", "partition", Patch(routing, "linked", _pairs_alone)),
        Mutant(
            "keeps the order in which links were given",
            "one-form",
            Patch(
                routing,
                "linked",
                lambda real: (
                    lambda pairs: Links(
                        tuple(sorted(real(pairs).classes, key=lambda one: one[0] not in next(iter(pairs))))
                    )
                ),
            ),
        ),
    )
    return Model(
        "links", "links form an equivalence: exactly the identities that links connect are one person, in any order of the links",
        (LinkState(),), _actions, _INVARIANTS, lambda world: len(world.pairs) == _MOST, mutants,
    )  # fmt: skip

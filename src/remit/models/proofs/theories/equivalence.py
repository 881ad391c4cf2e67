"""Theory of identity links (`gateway/inbound/routing.py`, `sessions.person`), for any number of identities and
links.

Who is one person is a relation. It begins as equality, and each link makes it larger. Any equivalence is to be in the same class, by some function from identities to
classes, and any larger one joins classes by a function of these; so nothing here needs a quantifier. Whether its channel takes part in links is a truth value of each identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound import routing
from remit.gateway.inbound.routing import Identity
from remit.models.explore.model import Patch
from remit.models.proofs.solver import value
from remit.models.proofs.theory import Claim, Mutant, Planted, Term, Theorem, Theory, Tie

if TYPE_CHECKING:
    from random import Random

    Relation = Callable[[Term, Term], Term]

_WHO = z3.DeclareSort("Identity")
_PEOPLE = tuple(Identity(channel, peer) for channel, peer in (("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")))
_CELLS = tuple((one, other) for one in range(4) for other in range(4))


def joined(same: Relation, one: Term, other: Term) -> Relation:
    """Return the relation after one more link."""
    return lambda x, y: z3.Or(same(x, y), z3.And(same(x, one), same(other, y)), z3.And(same(x, other), same(one, y)))


def shares(same: Term, joins_one: Term, joins_other: Term, is_one: Term) -> Term:
    """Return whether two identities share a session: they are the same, or one person on channels that both opt in."""
    return z3.Or(is_one, z3.And(same, joins_one, joins_other))


class EquivalenceRules(NamedTuple):
    """The rules."""

    joined: Callable[[Relation, Term, Term], Relation] = joined
    shares: Callable[[Term, Term, Term, Term], Term] = shares


_CLASS = z3.DeclareSort("Class")
_class = z3.Function("class", _WHO, _CLASS)
_larger = z3.Function("larger class", _CLASS, _CLASS)


def _same(x: Term, y: Term) -> Term:
    """Return an arbitrary equivalence."""
    return _class(x) == _class(y)


def _other(x: Term, y: Term) -> Term:
    """Return an arbitrary larger equivalence."""
    return _larger(_class(x)) == _larger(_class(y))


_A, _B, _C, _D, _X, _Y, _Z = z3.Consts("a b c d x y z", _WHO)
_LINK = (("the link is of", _A), ("with", _B))


def _is_equivalence(rules: EquivalenceRules) -> Iterator[Claim]:
    """At first every identity is a person of its own; one more link leaves an equivalence."""
    nobody: Relation = lambda x, y: x == y  # noqa: E731
    for name, link in (("the first link", nobody), ("one more link", _same)):
        after = rules.joined(link, _A, _B)
        told = (*_LINK, ("one", _X), ("another", _Y), ("a third", _Z))
        yield Claim(f"{name}: each is itself", (), _A != _B, after(_X, _X), told)
        yield Claim(f"{name}: both ways", (), z3.And(after(_X, _Y), _X != _Y), after(_Y, _X), told)
        both = z3.And(after(_X, _Y), after(_Y, _Z), _X != _Z)
        yield Claim(f"{name}: of one to the next", (), both, after(_X, _Z), told)


def _linked(rules: EquivalenceRules) -> Iterator[Claim]:
    """A link makes its identities one person, and splits no person."""
    same, after = _same, rules.joined(_same, _A, _B)
    told = (*_LINK, ("one", _X), ("another", _Y), ("one person before", same(_X, _Y)), ("and now", after(_X, _Y)))
    yield Claim("whom it names", (), z3.Not(same(_A, _B)), after(_A, _B), (*_LINK, ("one person", after(_A, _B))))
    yield Claim("who was one", (), z3.And(same(_X, _Y), _X != _Y), after(_X, _Y), told)


def _least(rules: EquivalenceRules) -> Iterator[Claim]:
    """No more: any equivalence that respects the links includes the relation."""
    same, other, after = _same, _other, rules.joined(_same, _A, _B)
    told = (*_LINK, ("one", _X), ("another", _Y), ("joined", after(_X, _Y)), ("by a smaller relation", other(_X, _Y)))
    yield Claim("one more link", (other(_A, _B),), z3.And(after(_X, _Y), z3.Not(same(_X, _Y))), other(_X, _Y), told)


def _order(rules: EquivalenceRules) -> Iterator[Claim]:
    """Swapping two links, turning one round, or repeating one changes nothing."""
    same, join = _same, rules.joined
    first, second = join(join(same, _A, _B), _C, _D)(_X, _Y), join(join(same, _C, _D), _A, _B)(_X, _Y)
    told = (*_LINK, ("another link is of", _C), ("with ", _D), ("in one order", first), ("in the other", second))
    yield Claim("two that change places", (), z3.And(first, z3.Distinct(_A, _B, _C, _D)), second, told)
    once, round_, twice = (
        join(same, _A, _B)(_X, _Y),
        join(same, _B, _A)(_X, _Y),
        join(join(same, _A, _B), _A, _B)(_X, _Y),
    )
    fresh = z3.And(once, z3.Not(same(_X, _Y)))
    yield Claim("one turned round", (), fresh, round_, (*_LINK, ("turned round", round_)))
    yield Claim("one said twice", (), twice, once, (*_LINK, ("said once", once), ("said twice", twice)))


def _opts_out(rules: EquivalenceRules) -> Iterator[Claim]:
    """No identity on a channel that opts out shares with another. And sharing is an equivalence, whichever channels opt
    out.
    """
    same, joins = _same, z3.Function("joins", _WHO, z3.BoolSort())

    def share(x: Term, y: Term) -> Term:
        return rules.shares(same(x, y), joins(x), joins(y), x == y)

    told = (
        ("one takes part", joins(_X)),
        ("the other does", joins(_Y)),
        ("linked", same(_X, _Y)),
        ("they share", share(_X, _Y)),
    )
    out = z3.And(same(_X, _Y), _X != _Y, z3.Or(z3.Not(joins(_X)), z3.Not(joins(_Y))))
    yield Claim("a channel that takes no part", (), out, z3.Not(share(_X, _Y)), told)
    yield Claim("both take part", (), z3.And(same(_X, _Y), joins(_X), joins(_Y)), share(_X, _Y), told)
    yield Claim("strangers", (), z3.And(z3.Not(same(_X, _Y)), joins(_X), joins(_Y)), z3.Not(share(_X, _Y)), told)
    both = z3.And(share(_X, _Y), share(_Y, _Z), _X != _Z)
    yield Claim(
        "of one to the next", (), both, z3.And(share(_X, _Z), share(_Y, _X)), (*told, ("a third takes part", joins(_Z)))
    )


_THEOREMS = (
    Theorem("links-are-an-equivalence", "after any number of links, being one person is an equivalence relation", _is_equivalence),
    Theorem("whom-links-lead-to-is-one", "identities that a link connects are one person from then on, after any number of further links", _linked),
    Theorem("nobody-else-is-joined", "links join no more than the smallest equivalence that contains each of them", _least),
    Theorem("order-of-links-changes-nothing", "links in any order, reversed or repeated, give the same persons", _order),
    Theorem("a-channel-can-opt-out", "two identities share a session only if they are the same, or linked on channels that both take part in links",
            _opts_out),
)  # fmt: skip


class EquivalenceCase(NamedTuple):
    """Links, as numbers of people, and channels that take no part."""

    pairs: tuple[tuple[int, int], ...]
    out: frozenset[str]


def _sample(random: Random) -> EquivalenceCase:
    pairs = tuple((random.randrange(4), random.randrange(4)) for _ in range(random.randint(0, 5)))
    return EquivalenceCase(pairs, frozenset(random.sample("ab", random.randint(0, 1))))


def _every() -> Iterator[EquivalenceCase]:
    for out in "ab":
        yield EquivalenceCase(((0, 2),), frozenset(out))
    links = tuple((one, other) for one in range(4) for other in range(one))
    for pairs in combinations(links, 2):
        yield EquivalenceCase(pairs, frozenset())


def _table(rows: frozenset[tuple[int, int]]) -> Relation:
    return lambda x, y: z3.BoolVal((x.as_long(), y.as_long()) in rows)


def _encoded(rules: EquivalenceRules, case: EquivalenceCase) -> Any:
    """The relation after each link, and who shares in the end."""
    rows, way = frozenset((one, one) for one in range(4)), []
    for one, other in case.pairs:
        after = rules.joined(_table(rows), z3.IntVal(one), z3.IntVal(other))
        rows = frozenset(cell for cell in _CELLS if value(after(*map(z3.IntVal, cell))))
        way.append(rows)
    joins = [z3.BoolVal(who.channel not in case.out) for who in _PEOPLE]
    share = frozenset(
        (x, y)
        for x, y in _CELLS
        if value(rules.shares(z3.BoolVal((x, y) in rows), joins[x], joins[y], z3.BoolVal(x == y)))
    )
    return tuple(way), share


def _code(case: EquivalenceCase) -> Any:
    pairs = [(_PEOPLE[one], _PEOPLE[other]) for one, other in case.pairs]
    way = []
    for count in range(1, len(pairs) + 1):
        made = routing.linked(pairs[:count])
        way.append(frozenset((x, y) for x, y in _CELLS if _PEOPLE[y] in made.person(_PEOPLE[x])))
    settings = routing.Sessions(routing.Scope.PEER, links=routing.linked(pairs), unlinked=case.out)
    stand = [routing.person(settings, who) for who in _PEOPLE]
    return tuple(way), frozenset((x, y) for x, y in _CELLS if stand[x] == stand[y])


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("follows links one way", "links-are-an-equivalence", "joined",
            lambda same, one, other: lambda x, y: z3.Or(same(x, y), z3.And(same(x, one), same(other, y)))),
        Mutant("follows no link of a link", "links-are-an-equivalence", "joined",
            lambda same, one, other: lambda x, y: z3.Or(same(x, y), z3.And(x == one, y == other), z3.And(x == other, y == one))),
        Mutant("joins whom it names with nobody new", "whom-links-lead-to-is-one", "joined", lambda same, _one, _other: same),
        Mutant("joins all that one of them is linked with", "nobody-else-is-joined", "joined",
            lambda same, one, other: lambda x, y: z3.Or(same(x, y), same(x, one), same(other, y))),
        Mutant("lets the last link win", "order-of-links-changes-nothing", "joined",
            lambda same, one, other: lambda x, y: z3.Or(z3.And(same(x, y), z3.Not(same(x, one))), z3.And(same(x, one), same(other, y)), x == y)),
        Mutant("asks one channel alone", "a-channel-can-opt-out", "shares", lambda same, one, _, is_one: z3.Or(is_one, z3.And(same, one))),
        Mutant("asks no channel", "a-channel-can-opt-out", "shares", lambda same, _one, _other, is_one: z3.Or(is_one, same)),
    )  # fmt: skip
    planted = (
        Planted(
            "keeps pairs as they come",
            Patch(
                routing,
                "linked",
                lambda _: (
                    lambda pairs: routing.Links(
                        tuple(sorted({tuple(sorted(set(one))) for one in pairs if one[0] != one[1]}))
                    )
                ),
            ),
        ),
        Planted("lets every channel take part", Patch(routing, "_joins", lambda _: lambda *_: True)),
        Planted("takes no link", Patch(routing, "linked", lambda _: lambda _: routing.Links())),
    )
    return Theory(
        "equivalence", "who is one person, for any number of identities and links", EquivalenceRules(), _THEOREMS, mutants,
        (Tie("the relation, link by link", _encoded, _code, _sample, planted, _every, samples=6),),
    )  # fmt: skip

"""Theory of tool policy layers (`gateway/inbound/tool_policy.py`), for any number of layers, tools, and agents that
start agents.

The theory follows one arbitrary tool: whether it was there, and what each layer says of it. Layers apply one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound import tool_policy
from remit.gateway.inbound.tool_policy import Names
from remit.models.explore.model import Patch
from remit.models.proofs.solver import value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, induction

if TYPE_CHECKING:
    from random import Random


_TOOLS = ("exec", "read", "memory_get")
_NAMES = Names({"memory": frozenset({"memory_get"}), "run": frozenset({"exec"})}, {"sh": "exec"})
_ENTRIES = ("exec", "SH", "read", "group:memory", "group:run", "*", "elsewhere")


class Says(NamedTuple):
    """A layer's rules for a tool."""

    speaks: Term  # of what is allowed at all
    allows: Term
    denies: Term


class Rights(NamedTuple):
    """The consent for tools with the operator's own rights."""

    gateway: Term
    agent: Term
    caller: Term
    sender: Term


class Of(NamedTuple):
    """Other properties of a tool and a call."""

    shared: Term  # several people are in the session
    memory: Term  # it is a tool of the memory
    elevated: Term  # it acts with the operator's own rights


def layer(there: Term, says: Says) -> Term:
    """Return whether a layer leaves a tool."""
    return z3.And(there, z3.Or(z3.Not(says.speaks), says.allows), z3.Not(says.denies))


def elevates(rights: Rights) -> Term:
    """Return whether tools with the operator's own rights may be called."""
    return z3.And(*rights)


def call(left: Term, of: Of, may: Term) -> Term:
    """Return whether a tool that the layers leave may be called."""
    return z3.And(left, z3.Not(z3.And(of.shared, of.memory)), z3.Or(may, z3.Not(of.elevated)))


class LayerRules(NamedTuple):
    """The rules."""

    layer: Callable[[Term, Says], Term] = layer
    elevates: Callable[[Rights], Term] = elevates
    call: Callable[[Term, Of, Term], Term] = call


def _says(name: str) -> Says:
    return Says(*(z3.Bool(f"{name} {field}") for field in Says._fields))


def _any_layer(at: Term) -> Says:
    """The layer with a number: a function for each thing that layers say of the tool."""
    return Says(*(z3.Function(field, z3.IntSort(), z3.BoolSort())(at) for field in Says._fields))


def _deny_wins(rules: LayerRules) -> Iterator[Claim]:
    """A denial in any of `n` layers wins, whatever the layers before and after it say."""
    n, which = z3.Ints("layers denying")
    left, at_first = z3.Bools("left there")

    def final(count: Term, there: Term) -> State:
        denied = z3.And(which >= 0, which < count, _any_layer(which).denies)
        told = (("the layer that denies", which), ("layers", count), ("left", there))
        return State(z3.Implies(denied, z3.Not(there)), told)

    after = rules.layer(left, _any_layer(n))
    seen = z3.And(which >= 0, which <= n, _any_layer(which).denies, z3.Or(left, which < n))
    first = final(z3.IntVal(0), at_first)
    yield from induction(first, final(n, left), final(n + 1, after), given=(n >= 0,), seen=seen)
    of, may = Of(*z3.Bools("shared memory elevated")), z3.Bool("may")
    yield Claim("the call", (z3.Not(left),), z3.Not(left), z3.Not(rules.call(left, of, may)), (("left", left),))


def _nothing_comes_back(rules: LayerRules) -> Iterator[Claim]:
    """What is left was there from the beginning, and is allowed by every layer with an allowlist."""
    n, which = z3.Ints("layers asked")
    left, there = z3.Bools("left there")

    def final(count: Term, now: Term) -> State:
        kept = z3.And(there, z3.Implies(z3.And(which >= 0, which < count, says.speaks), says.allows))
        told = (("layers", count), ("allowed by one that speaks", says.allows), ("left", now))
        return State(z3.Implies(now, kept), told)

    says = _any_layer(which)
    after = rules.layer(left, _any_layer(n))
    first, seen = final(z3.IntVal(0), there), z3.And(after, says.speaks)
    yield from induction(first, final(n, left), final(n + 1, after), given=(n >= 0,), seen=seen)


def _order(rules: LayerRules) -> Iterator[Claim]:
    """Swapping two adjacent layers changes nothing, so all orders give the same."""
    left, one, other = z3.Bool("left"), _says("one"), _says("other")
    first, second = rules.layer(rules.layer(left, one), other), rules.layer(rules.layer(left, other), one)
    told = (("left before", left), ("one denies", one.denies), ("the other denies", other.denies), ("in one order", first))  # fmt: skip
    yield Claim("two that change places", (), z3.And(left, one.speaks, other.denies), first == second, told)


def _narrows(rules: LayerRules) -> Iterator[Claim]:
    """A layer that denies more, or allows less, leaves no more."""
    less, more, loose = z3.Bool("less"), z3.Bool("more"), _says("loose")
    strict = _says("strict")
    given = (
        z3.Implies(less, more),
        z3.Implies(loose.denies, strict.denies),
        z3.Implies(loose.speaks, strict.speaks),
        z3.Implies(z3.And(strict.speaks, strict.allows, loose.speaks), loose.allows),
    )
    one, other = rules.layer(less, strict), rules.layer(more, loose)
    told = (("denied more strictly", strict.denies), ("left by the stricter", one), ("left by the other", other))
    yield Claim("one more layer", given, one, z3.Implies(one, other), told)


def _elevated(rules: LayerRules) -> Iterator[Claim]:
    rights = Rights(*z3.Bools("gateway agent caller sender"))
    of, left = Of(*z3.Bools("shared memory elevated")), z3.Bool("left")
    may = rules.call(left, of, rules.elevates(rights))
    told = tuple((f"the word of the {name}", word) for name, word in zip(Rights._fields, rights, strict=True))
    yield Claim("a call", (of.elevated,), may, z3.And(*rights), (*told, ("it may be called", may)))


def _shared(rules: LayerRules) -> Iterator[Claim]:
    of, left, may = Of(*z3.Bools("shared memory elevated")), z3.Bool("left"), z3.Bool("may")
    found = rules.call(left, of, may)
    told = (("several people", of.shared), ("of the memory", of.memory), ("it may be called", found))
    yield Claim("a call", (of.shared,), z3.And(left, of.memory), z3.Not(found), told)


_THEOREMS = (
    Theorem("deny-wins-over-any-layers", "with any number of layers, a tool that one layer denies is not allowed, whatever the others say", _deny_wins),
    Theorem("nothing-comes-back-after-any-layers", "after any number of layers, only tools remain that existed at the start and that every layer with an allow list allows",
            _nothing_comes_back),
    Theorem("order-of-layers-changes-nothing", "the result of any number of layers does not depend on their order", _order),
    Theorem("stricter-leaves-no-more", "a layer that denies more or allows less never leaves more tools, with any other layers", _narrows),
    Theorem("elevated-wants-every-word", "under every policy, an elevated tool needs permission from gateway, agent, caller and sender",
            _elevated),
    Theorem("shared-never-remembers", "under every policy, memory tools are never called in a session of several people", _shared),
)  # fmt: skip


class LayerCase(NamedTuple):
    """A policy, and who calls."""

    policy: tool_policy.Policy
    caller: tool_policy.Caller


def _sample(random: Random) -> LayerCase:
    def some(most: int) -> tuple[str, ...]:
        return tuple(random.sample(_ENTRIES, random.randint(0, most)))

    chosen = random.sample(tool_policy.LAYERS, random.randint(0, 4))
    layers = {name: tool_policy.Layer(random.choice((None, some(5), ("*",))), some(1)) for name in chosen}
    toss = [random.random() < 0.85 for _ in range(4)]
    tools = frozenset(random.sample(_TOOLS, random.randint(1, 3)))
    policy = tool_policy.Policy(tools, layers, frozenset(random.sample(_TOOLS, 1)), toss[0], toss[1])
    return LayerCase(policy, tool_policy.Caller(toss[2], random.random() < 0.5, toss[3]))


def _words() -> Iterator[LayerCase]:
    """Every word that may be missing, where no layer says anything."""
    tools = frozenset(_TOOLS)
    for gateway, agent, caller, shared, sender in product((False, True), repeat=5):
        policy = tool_policy.Policy(tools, {}, frozenset({"exec"}), gateway, agent)
        yield LayerCase(policy, tool_policy.Caller(caller, shared, sender))


@cache
def _truth(rule: Callable[..., Term], shape: Any, *given: bool | tuple[bool, ...]) -> bool:
    """An operator on truths; tuples are of a shape."""
    made = [z3.BoolVal(one) if isinstance(one, bool) else shape(*map(z3.BoolVal, one)) for one in given]
    return bool(value(rule(*made)))


def _encoded(rules: LayerRules, case: LayerCase) -> Any:
    """Each tool, after each layer, and whether it may be called."""
    policy, caller, found = case.policy, case.caller, []
    words = (policy.elevated_global, policy.elevated_agent, caller.elevated, caller.sender_elevated)
    for tool in _TOOLS:
        left, way = tool in policy.tools, []
        for name in tool_policy.LAYERS:
            of = policy.layers.get(name, tool_policy.Layer())
            allows, denies = (tool in _NAMES.tools(entries or (), policy.tools) for entries in (of.allow, of.deny))
            left = _truth(rules.layer, Says, left, (of.allow is not None, allows, denies))
            way.append(left)
        about = (caller.shared, tool in _NAMES.groups["memory"], tool in policy.elevated)
        may = _truth(rules.call, Of, left, about, _truth(rules.elevates, Rights, words))
        found.append((tuple(way), may))
    return tuple(found)


def _code(case: LayerCase) -> Any:
    policy, found = case.policy, []
    allowed = tool_policy.allowed(_NAMES, policy, case.caller)
    for tool in _TOOLS:
        known, way = policy.tools, []
        for name in tool_policy.LAYERS:
            known = tool_policy.apply_layer(_NAMES, policy.tools, known, policy.layers.get(name, tool_policy.Layer()))
            way.append(tool in known)
        found.append((tuple(way), tool in allowed))
    return tuple(found)


def theory() -> Theory:
    """The theory."""
    last = lambda there, says: z3.And(z3.Or(there, says.allows), z3.Not(says.denies))  # noqa: E731
    mutants = (
        Mutant("lets a later layer allow again", "deny-wins-over-any-layers", "layer", last),
        Mutant("lets an allow outweigh a denial", "stricter-leaves-no-more", "layer",
            lambda there, says: z3.And(there, z3.Or(says.allows, z3.And(z3.Not(says.speaks), z3.Not(says.denies))))),
        Mutant("takes what a layer does not speak of for allowed", "nothing-comes-back-after-any-layers", "layer",
            lambda there, says: z3.And(there, z3.Not(says.denies))),
        Mutant("lets the last layer decide alone", "order-of-layers-changes-nothing", "layer",
            lambda there, says: z3.If(says.speaks, z3.And(says.allows, z3.Not(says.denies)), there)),
        Mutant("takes one word for all", "elevated-wants-every-word", "elevates", lambda rights: z3.Or(*rights)),
        Mutant("calls elevated tools without a word", "elevated-wants-every-word", "call",
            lambda left, of, _: z3.And(left, z3.Not(z3.And(of.shared, of.memory)))),
        Mutant("remembers where several people are", "shared-never-remembers", "call",
            lambda left, of, may: z3.And(left, z3.Or(may, z3.Not(of.elevated)))),
    )  # fmt: skip
    planted = (
        Planted("forgets denials", Patch(tool_policy, "apply_layer",
            lambda real: lambda names, tools, known, layer: real(names, tools, known, layer._replace(deny=())))),
        Planted("wants no word of the sender", Patch(tool_policy, "may_elevate", lambda real: lambda policy, caller: real(policy, caller._replace(sender_elevated=True)))),
        Planted("shares the memory", Patch(tool_policy, "SHARED", lambda _: frozenset({"run"}))),
    )  # fmt: skip
    return Theory(
        "layers", "tool policy with any number of layers and tools", LayerRules(), _THEOREMS,
        mutants, (Tie("what is left, layer by layer", _encoded, _code, _sample, planted, _words, samples=40),),
    )  # fmt: skip

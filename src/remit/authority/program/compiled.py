"""The program of a policy: which look-ups are made for every request, which facts are computed, and what follows from them.

Conditions are over bits, in this order: one for each look-up, one for each fact that gateway and executor compute from the request
(`shows`, `longer`). Every request has all look-ups, whatever its intent is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.authority.question.spoken import plain_text
from remit.authority.tables.cuckoo import domain_for
from remit.core.digest import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.program.language import Atom, Condition, List, Policy

_SMALLEST_TABLE = 12  # bits: short lists of different lengths have tables of one size
_STEPS = (1, 2, 4, 8)
Conditions: TypeAlias = tuple[tuple[tuple[int, bool], ...], ...]  # each: bits that hold or do not


class Kept(NamedTuple):
    """A list as the program knows it: its name, its window (0: whole values) and the size of its table in bits.

    Of a text with windows every `step`-th is looked up, and of each fragment as many windows lie in the table, one beginning a byte
    after the other: wherever a fragment stands, one of them meets a window that is looked up.
    """

    name: str
    window: int
    bits: int
    step: int


class Program(NamedTuple):
    """What is evaluated, for every request alike."""

    name: str
    intents: tuple[str, ...]
    lists: tuple[Kept, ...]
    look_ups: tuple[tuple[str, str], ...]  # slot, list
    facts: tuple[tuple[str, str, str], ...]  # slot, relation, operand
    rules: tuple[Mapping[str, Conditions], ...]  # by intent: word -> alternatives
    lengths: tuple[int, ...]  # to which a text is cut, by intent; 0 where it never is
    proxy: str

    def digest(self) -> str:
        """What proofs call it."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """All of it, as JSON."""
        return {"v": 2, **self._asdict()}

    def clamp(self, intent: str) -> int:
        """The length to which a text of this intent is cut."""
        return self.lengths[self.intents.index(intent)]

    def kept(self, name: str) -> Kept:
        """The list of this name."""
        return next(one for one in self.lists if one.name == name)


def compile_policy(policy: Policy) -> Program:
    """The program of a policy."""
    atoms = dict.fromkeys(atom for conditions in _all_conditions(policy) for atom, _ in conditions.atoms)
    look_ups = [atom for atom in atoms if atom.relation in ("in", "has")]
    facts = [atom for atom in atoms if atom.relation in ("shows", "longer")]
    bit = {atom: place for place, atom in enumerate((*look_ups, *facts))}

    def alternatives(conditions: tuple[Condition, ...]) -> Conditions:
        return tuple(tuple((bit[atom], holds) for atom, holds in one.atoms) for one in conditions)

    rules = [{word: alternatives(found) for word, found in words.items()} for words in policy.rules.values()]
    names = tuple(policy.rules)
    return Program(
        policy.name,
        names,
        tuple(_kept(policy.lists[name]) for name in dict.fromkeys(atom.operand for atom in look_ups)),
        tuple((atom.slot, atom.operand) for atom in look_ups),
        tuple(facts),
        tuple(rules),
        tuple(min((int(atom.operand) for atom in _clamping(policy, name)), default=0) for name in names),
        policy.proxy,
    )


def read_program(told: Any) -> Program:
    """The program that `to_json` told."""
    rules = tuple(
        {word: tuple(tuple((atom, holds) for atom, holds in one) for one in found) for word, found in words.items()}
        for words in told["rules"]
    )
    return Program(
        str(told["name"]),
        tuple(told["intents"]),
        tuple(Kept(*one) for one in told["lists"]),
        tuple((slot, name) for slot, name in told["look_ups"]),
        tuple((slot, relation, operand) for slot, relation, operand in told["facts"]),
        rules,
        tuple(told["lengths"]),
        str(told["proxy"]),
    )


def _kept(one: List) -> Kept:
    """The table for which the work of a look-up, table size by windows of a text, is least; among equals the fewest look-ups."""
    if not one.window:
        return Kept(one.name, 0, one.bits or _bits(len(one.values)), 1)
    shortest = min((len(plain_text(value).encode()) for value in one.values), default=one.window)
    steps = [step for step in _STEPS if step <= max(1, shortest - one.window + 1)]
    fitting = [step for step in steps if not one.bits or domain_for(step * len(one.values)) <= one.bits] or [1]
    sizes = {step: one.bits or _bits(step * len(one.values)) for step in fitting}
    step = min(fitting, key=lambda step: ((1 << sizes[step]) / step, -step))
    return Kept(one.name, one.window, sizes[step], step)


def _bits(count: int) -> int:
    return max(_SMALLEST_TABLE, domain_for(count))


def _all_conditions(policy: Policy) -> list[Condition]:
    return [condition for words in policy.rules.values() for found in words.values() for condition in found]


def _clamping(policy: Policy, intent: str) -> list[Atom]:
    found = policy.rules[intent].get("clamp", ())
    return [atom for condition in found for atom, holds in condition.atoms if atom.relation == "longer" and holds]

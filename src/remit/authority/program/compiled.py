"""The compiled program of a policy: its look-ups, the facts it computes, and the conditions over both.

Conditions are over bits, in this order: one for each look-up, one for each fact that gateway and executor compute from the request
(`shows`, `longer`). Every request has all look-ups, whatever its intent is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.question.forms import NUMBER_BITS, is_wide
from remit.authority.question.layout import BUCKETS, room_for
from remit.authority.tables.batch import bits_for, domain_for, most_entries, slots_for
from remit.authority.tables.tags import TAGS
from remit.authority.tables.windows import span_for
from remit.core.digest import digest
from remit.core.errors import DataError
from remit.core.text_views import folded

if TYPE_CHECKING:
    from remit.authority.program.language import Atom, Condition, List, Policy

_SMALLEST_TABLE = 12  # bits: short lists of different lengths have tables of one size


class CompiledCondition(NamedTuple):
    """One condition of a policy: where it stands, as it is written, and the bits that hold or do not."""

    where: str
    text: str
    bits: tuple[tuple[int, bool], ...]


class CompiledList(NamedTuple):
    """A list as the program uses it. A window of 0 means that values are compared as a whole.

    Of a text with windows, one of each `span` is looked up; a fragment is identified by one of its first `span`
    (`tables/windows.py`).
    """

    name: str
    window: int
    bits: int  # of the number of rows of its table
    slots: int  # of a row
    span: int
    wide: bool  # an entry stands for many values: all forms of a value are looked up

    @property
    def words(self) -> int:
        """The 64-bit words of a row: slots and tags."""
        return self.slots + TAGS


class Program(NamedTuple):
    """The program that is evaluated for every request."""

    name: str
    intents: tuple[str, ...]
    lists: tuple[CompiledList, ...]
    look_ups: tuple[tuple[str, str], ...]  # slot, list
    facts: tuple[tuple[str, str, str], ...]  # slot, relation, operand
    rules: tuple[Mapping[str, tuple[CompiledCondition, ...]], ...]  # by intent: word -> alternatives
    lengths: tuple[int, ...]  # to which a text is cut, by intent; 0 where it never is
    proxy: str

    def digest(self) -> str:
        """The digest of the program that proofs name."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the whole program as JSON."""
        return {"v": 3, **self._asdict()}

    def clamp(self, intent: str) -> int:
        """Return the length to which texts of this intent are cut."""
        return self.lengths[self.intents.index(intent)]

    def kept(self, name: str) -> CompiledList:
        """Return the list of this name."""
        return next(one for one in self.lists if one.name == name)


def compile_policy(policy: Policy) -> Program:
    """Compile a policy."""
    atoms = dict.fromkeys(atom for conditions in _all_conditions(policy) for atom, _ in conditions.atoms)
    look_ups = [atom for atom in atoms if atom.relation in ("in", "has")]
    facts = [atom for atom in atoms if atom.relation in ("shows", "longer")]
    bit = {atom: place for place, atom in enumerate((*look_ups, *facts))}

    rules = [
        {
            word: tuple(
                CompiledCondition(one.where, str(one), tuple((bit[it], holds) for it, holds in one.atoms))
                for one in found
            )
            for word, found in words.items()
        }
        for words in policy.rules.values()
    ]
    names = tuple(policy.rules)
    return Program(
        policy.name,
        names,
        tuple(
            _kept(policy.lists[name], {atom.slot for atom in look_ups if atom.operand == name})
            for name in dict.fromkeys(atom.operand for atom in look_ups)
        ),
        tuple((atom.slot, atom.operand) for atom in look_ups),
        tuple(facts),
        tuple(rules),
        tuple(min((int(atom.operand) for atom in _clamping(policy, name)), default=0) for name in names),
        policy.proxy,
    )


def read_program(told: Any) -> Program:
    """Read a program that `to_json` wrote."""
    rules = tuple(
        {
            word: tuple(
                CompiledCondition(where, text, tuple((atom, holds) for atom, holds in bits))
                for where, text, bits in found
            )
            for word, found in words.items()
        }
        for words in told["rules"]
    )
    return Program(
        str(told["name"]),
        tuple(told["intents"]),
        tuple(CompiledList(*one) for one in told["lists"]),
        tuple((slot, name) for slot, name in told["look_ups"]),
        tuple((slot, relation, operand) for slot, relation, operand in told["facts"]),
        rules,
        tuple(told["lengths"]),
        str(told["proxy"]),
    )


def _kept(one: List, slots: set[str]) -> CompiledList:
    """Return the table of a list: as large as the policy says, else as its entries need."""
    shortest = min((len(folded(value).encode()) for value in one.values), default=one.window)
    span = span_for(shortest, one.window) if one.window else 1
    wide = not one.window and any(is_wide(slot, value) for slot in slots for value in one.values)
    rooms = [room_for(CompiledList(one.name, one.window, 0, 0, span, wide), slot, len(BUCKETS) - 1) for slot in slots]
    count = max(1, len(one.values)) * (NUMBER_BITS if "amount" in slots else 1)
    least = domain_for(count, max(map(bits_for, rooms)))
    if one.bits and one.bits < least:
        raise DataError(f"the list `{one.name}` needs a table of {least} bits", "let the table be larger")
    bits = one.bits or max(_SMALLEST_TABLE, least)
    most = most_entries(bits) if one.bits else 1 << (count - 1).bit_length()
    return CompiledList(one.name, one.window, bits, slots_for(most, bits), span, wide)


def _all_conditions(policy: Policy) -> list[Condition]:
    return [condition for words in policy.rules.values() for found in words.values() for condition in found]


def _clamping(policy: Policy, intent: str) -> list[Atom]:
    found = policy.rules[intent].get("clamp", ())
    return [atom for condition in found for atom, holds in condition.atoms if atom.relation == "longer" and holds]

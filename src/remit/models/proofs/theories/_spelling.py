"""The rules of tool names (`gateway/inbound/tools/names.py`) for a solver, and beside them the code, asked the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.core.errors import DataError
from remit.gateway.inbound.tools import names as code
from remit.models.proofs.solving import value

if TYPE_CHECKING:
    from random import Random

    from remit.models.proofs.theory import Term

GROUP, ALL = z3.StringVal(code.GROUP), z3.StringVal(code.EVERYTHING)


class Table(NamedTuple):
    """Functions: how a text is spelled, which tool another name stands for, and what is in a group."""

    plain: Callable[[Term], Term]
    is_alias: Callable[[Term], Term]
    stands_for: Callable[[Term], Term]
    is_group: Callable[[Term], Term]
    member: Callable[[Term, Term], Term]


def looked_at(_: Term, spelled: Term) -> Term:
    """By which text it is seen whether an entry is a group, or all: by how it is spelled."""
    return spelled


def tool(table: Table, text: Term) -> Term:
    """The one spelling of a tool."""
    spelled = table.plain(text)
    return z3.If(table.is_alias(spelled), table.stands_for(spelled), spelled)


def grouped(table: Table, group: Term, wanted: Term) -> Term:
    """Whether a group has a tool."""
    return table.member(group, wanted)


def everything(known: Term) -> Term:
    """Whether a tool is among all."""
    return known


class Operators(NamedTuple):
    """The rules."""

    looked_at: Callable[[Term, Term], Term] = looked_at
    tool: Callable[[Table, Term], Term] = tool
    grouped: Callable[[Table, Term, Term], Term] = grouped
    everything: Callable[[Term], Term] = everything


class Meaning(NamedTuple):
    """What an entry says of a tool; and whether it is refused, because it names a group that is not there."""

    means: Term
    refused: Term


def meaning(rules: Operators, table: Table, entry: Term, wanted: Term, known: Term) -> Meaning:
    """What an entry of a layer says of a tool. `known`: it is among the tools that there are."""
    text = rules.looked_at(entry, table.plain(entry))
    size = len(code.GROUP)
    group, is_group = z3.SubString(text, size, z3.Length(text) - size), z3.PrefixOf(GROUP, text)
    named = z3.If(is_group, rules.grouped(table, group, wanted), rules.tool(table, entry) == wanted)
    refused = z3.And(text != ALL, is_group, z3.Not(table.is_group(group)))
    return Meaning(z3.If(text == ALL, rules.everything(known), named), refused)


_NAMES = code.Names(
    {"run": frozenset({"exec", "process"}), "memory": frozenset({"recall"})}, {"sh": "exec", "bash": "exec"}
)
_KNOWN = frozenset({"exec", "recall", "read"})
_WIDE = ("\uff0a", "\uff53\uff48")  # other signs for `*` and `sh`
_SPELLED = (
    "exec",
    " SH",
    "Bash",
    "READ",
    "group:run",
    "Group:Run",
    " GROUP:memory ",
    "group:none",
    "*",
    " * ",
    "process",
)
_ENTRIES = (*_SPELLED, *_WIDE)


def sample(random: Random) -> tuple[str, ...]:
    """One entry or two."""
    return tuple(random.sample(_ENTRIES, random.randint(1, 2)))


def every() -> Iterator[tuple[str, ...]]:
    """Each alone."""
    for one in _ENTRIES:
        yield (one,)


def _shipped() -> Table:
    """The functions of a table that is small."""

    def of(text: Term) -> str:
        return str(value(text))

    return Table(
        lambda text: z3.StringVal(code.plain(of(text))), lambda text: z3.BoolVal(of(text) in _NAMES.aliases),
        lambda text: z3.StringVal(_NAMES.aliases.get(of(text), "")), lambda text: z3.BoolVal(of(text) in _NAMES.groups),
        lambda group, wanted: z3.BoolVal(of(wanted) in _NAMES.groups.get(of(group), ())),
    )  # fmt: skip


def encoded(rules: Operators, entries: tuple[str, ...]) -> Any:
    """Which of all tools are meant; nothing if an entry is refused."""
    found, table = set(), _shipped()
    for entry in entries:
        for wanted in ("exec", "process", "read", "recall"):
            said = meaning(rules, table, z3.StringVal(entry), z3.StringVal(wanted), z3.BoolVal(wanted in _KNOWN))
            if value(said.refused):
                return None
            found |= {wanted} if value(said.means) else set()
    return found, [value(rules.tool(table, z3.StringVal(entry))) for entry in entries]


def run(entries: tuple[str, ...]) -> Any:
    """What the code says."""
    try:
        return set(_NAMES.tools(entries, _KNOWN)), [_NAMES.tool(entry) for entry in entries]
    except DataError:
        return None

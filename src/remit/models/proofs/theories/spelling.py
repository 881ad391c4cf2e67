"""Theory of tool names, for any aliases, groups and number of entries. The rules are in `_spelling`.

How a text is brought into its one spelling is an uninterpreted function, of which one thing is believed: twice is once. That is tested, for every character. Of the table of aliases what its reader sees
to is given: what another name stands for is a tool in its one spelling, and no other name itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.core.errors import DataError
from remit.gateway.inbound import tool_policy
from remit.models.explore.model import Patch
from remit.models.proofs.solver import value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

if TYPE_CHECKING:
    from random import Random


GROUP, ALL = z3.StringVal(tool_policy.GROUP), z3.StringVal(tool_policy.EVERYTHING)


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


class SpellingRules(NamedTuple):
    """The rules."""

    looked_at: Callable[[Term, Term], Term] = looked_at
    tool: Callable[[Table, Term], Term] = tool
    grouped: Callable[[Table, Term, Term], Term] = grouped
    everything: Callable[[Term], Term] = everything


class Meaning(NamedTuple):
    """What an entry says of a tool; and whether it is refused, because it names a group that is not there."""

    means: Term
    refused: Term


def meaning(rules: SpellingRules, table: Table, entry: Term, wanted: Term, known: Term) -> Meaning:
    """What an entry of a layer says of a tool. `known`: it is among the tools that there are."""
    text = rules.looked_at(entry, table.plain(entry))
    size = len(tool_policy.GROUP)
    group, is_group = z3.SubString(text, size, z3.Length(text) - size), z3.PrefixOf(GROUP, text)
    named = z3.If(is_group, rules.grouped(table, group, wanted), rules.tool(table, entry) == wanted)
    refused = z3.And(text != ALL, is_group, z3.Not(table.is_group(group)))
    return Meaning(z3.If(text == ALL, rules.everything(known), named), refused)


_NAMES = tool_policy.Names(
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
        lambda text: z3.StringVal(tool_policy.plain(of(text))), lambda text: z3.BoolVal(of(text) in _NAMES.aliases),
        lambda text: z3.StringVal(_NAMES.aliases.get(of(text), "")), lambda text: z3.BoolVal(of(text) in _NAMES.groups),
        lambda group, wanted: z3.BoolVal(of(wanted) in _NAMES.groups.get(of(group), ())),
    )  # fmt: skip


def encoded(rules: SpellingRules, entries: tuple[str, ...]) -> Any:
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


_TEXT, _TRUTH = z3.StringSort(), z3.BoolSort()
_TABLE = Table(
    z3.Function("plain", _TEXT, _TEXT), z3.Function("is an alias", _TEXT, _TRUTH), z3.Function("stands for", _TEXT, _TEXT),
    z3.Function("is a group", _TEXT, _TRUTH), z3.Function("is in the group", _TEXT, _TEXT, _TRUTH),
)  # fmt: skip
_ENTRY, _CALLED, _TOOL = z3.Strings("entry called tool")


def _read(*texts: Term) -> tuple[Term, ...]:
    """What is believed of spellings and seen to by who reads the table, for some texts."""
    found = []
    for text in texts:
        spelled = _TABLE.plain(text)
        means = _TABLE.stands_for(spelled)
        found += [_TABLE.plain(spelled) == spelled]
        found += [
            z3.Implies(_TABLE.is_alias(spelled), z3.And(_TABLE.plain(means) == means, z3.Not(_TABLE.is_alias(means))))
        ]
    return tuple(found)


def _name(text: Term) -> Term:
    """Whether an entry is a name, and not a group or all."""
    spelled = _TABLE.plain(text)
    return z3.And(spelled != ALL, z3.Not(z3.PrefixOf(GROUP, spelled)))


def _stays(rules: SpellingRules) -> Iterator[Claim]:
    once = rules.tool(_TABLE, _ENTRY)
    twice, spelled = rules.tool(_TABLE, once), rules.tool(_TABLE, _TABLE.plain(_ENTRY))
    told = (("a name", _ENTRY), ("its tool", once), ("the tool of that", twice))
    yield Claim("twice", _read(_ENTRY, once), True, twice == once, told, seen=_TABLE.is_alias(_TABLE.plain(_ENTRY)))
    yield Claim("spelled first", _read(_ENTRY), True, spelled == once, told, seen=_TABLE.plain(_ENTRY) != _ENTRY)


def _never_widen(rules: SpellingRules) -> Iterator[Claim]:
    """A name means one tool; and that under whatever name it is denied, and under whatever it is called."""
    known = z3.Bool("known")
    called = rules.tool(_TABLE, _CALLED)
    found = meaning(rules, _TABLE, _ENTRY, called, known)
    told = (
        ("an entry", _ENTRY),
        ("it is spelled", _TABLE.plain(_ENTRY)),
        ("called", _CALLED),
        ("the tool", called),
        ("it is meant", found.means),
    )
    given, name = (*_read(_ENTRY, _CALLED), z3.Not(found.refused)), _name(_ENTRY)
    same = z3.Or(
        _TABLE.plain(_ENTRY) == _TABLE.plain(_CALLED), _TABLE.stands_for(_TABLE.plain(_CALLED)) == _TABLE.plain(_ENTRY)
    )
    other = z3.And(_TABLE.is_alias(_TABLE.plain(_CALLED)), z3.Not(_TABLE.is_alias(_TABLE.plain(_ENTRY))))
    alike = z3.And(name, same, z3.Or(_TABLE.plain(_ENTRY) == _TABLE.plain(_CALLED), other))
    yield Claim("another spelling", given, alike, found.means, told, seen=z3.And(_ENTRY != _CALLED, other))
    one, two = (meaning(rules, _TABLE, _ENTRY, it, known).means for it in (_TOOL, _CALLED))
    both = z3.And(name, one, two)
    yield Claim(
        "one tool",
        _read(_ENTRY),
        both,
        _TOOL == _CALLED,
        (("an entry", _ENTRY), ("a tool", _TOOL), ("another", _CALLED)),
    )


def _groups(rules: SpellingRules) -> Iterator[Claim]:
    """A group in whatever spelling is that group, all of it and nothing else, or is refused; and all is all that is known."""
    known = z3.Bool("known")
    found, spelled = meaning(rules, _TABLE, _ENTRY, _TOOL, known), _TABLE.plain(_ENTRY)
    size = len(tool_policy.GROUP)
    group = z3.SubString(spelled, size, z3.Length(spelled) - size)
    told: Told = (
        ("an entry", _ENTRY),
        ("it is spelled", spelled),
        ("a tool", _TOOL),
        ("it is meant", found.means),
        ("it is refused", found.refused),
    )
    is_group = z3.PrefixOf(GROUP, spelled)
    right = z3.If(_TABLE.is_group(group), found.means == _TABLE.member(group, _TOOL), found.refused)
    yield Claim("a group", _read(_ENTRY), is_group, right, told, seen=z3.And(spelled != _ENTRY, _TABLE.is_group(group)))
    yield Claim(
        "all",
        _read(_ENTRY),
        spelled == ALL,
        z3.And(found.means == known, z3.Not(found.refused)),
        told,
        seen=spelled != _ENTRY,
    )


def _any_number(rules: SpellingRules) -> Iterator[Claim]:
    """Entries one after the other: what one of them means is meant, wherever it stands, and nothing that none of them means."""
    n, which = z3.Ints("entries which")
    text = z3.Function("entry number", z3.IntSort(), _TEXT)
    some, known, by = z3.Bools("meant known by-one")

    def meant(count: Term, so: Term) -> State:
        mine = meaning(rules, _TABLE, text(which), _TOOL, known).means
        told = (
            ("entries", count),
            ("one of them", text(which)),
            ("it means the tool", mine),
            ("the tool is meant", so),
        )
        return State(z3.Implies(z3.And(which >= 0, which < count, mine), so), told)

    after = z3.Or(some, meaning(rules, _TABLE, text(n), _TOOL, known).means)
    yield from induction(
        meant(z3.IntVal(0), some),
        meant(n, some),
        meant(n + 1, after),
        given=(n >= 0,),
        seen=z3.And(which == n, after, z3.Not(some)),
    )
    one = meaning(rules, _TABLE, text(n), _TOOL, known)
    told = (
        ("the entry", text(n)),
        ("the tool", _TOOL),
        ("its spelling", rules.tool(_TABLE, text(n))),
        ("known", known),
    )
    reason = z3.Or(rules.tool(_TABLE, text(n)) == _TOOL, z3.And(z3.Not(_name(text(n))), z3.Or(known, by)))
    yield Claim(
        "nothing else",
        (*_read(text(n)), z3.Implies(_grouped(text(n)), by)),
        one.means,
        reason,
        told,
        seen=z3.Not(known),
    )


def _grouped(entry: Term) -> Term:
    """Whether an entry is a group that has the tool."""
    spelled, size = _TABLE.plain(entry), len(tool_policy.GROUP)
    return z3.And(
        z3.PrefixOf(GROUP, spelled), _TABLE.member(z3.SubString(spelled, size, z3.Length(spelled) - size), _TOOL)
    )


_THEOREMS = (
    Theorem("one-spelling-stays", "for any aliases, normalising the name of a tool twice gives the same name as once", _stays),
    Theorem("aliases-never-widen", "for any aliases, a name means one tool, in denials and in calls", _never_widen),
    Theorem("groups-mean-their-members", "for any groups, an entry that names a group means exactly its members, or is refused", _groups),
    Theorem("entries-in-any-number", "a list of any number of entries matches exactly what its entries match", _any_number),
)  # fmt: skip


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("looks for groups in what was written", "groups-mean-their-members", "looked_at", lambda raw, _: raw),
        Mutant("knows no other names", "aliases-never-widen", "tool", lambda table, text: table.plain(text)),
        Mutant("compares what was written", "one-spelling-stays", "tool",
            lambda table, text: z3.If(table.is_alias(text), table.stands_for(text), text)),
        Mutant("takes a group for anything", "groups-mean-their-members", "grouped", lambda _table, _group, _wanted: z3.BoolVal(True)),
        Mutant("takes all for more than there is", "groups-mean-their-members", "everything", lambda _: z3.BoolVal(True)),
        Mutant("takes all for everything", "entries-in-any-number", "everything", lambda _: z3.BoolVal(True)),
    )  # fmt: skip
    planted = (
        Planted("folds no letters", Patch(tool_policy, "plain", lambda _: lambda text: text.strip())),
        Planted("knows groups by another sign", Patch(tool_policy, "GROUP", lambda _: "groups:")),
        Planted("takes no sign for all", Patch(tool_policy, "EVERYTHING", lambda _: "all")),
    )
    return Theory(
        "spelling", "names of tools, for any aliases, groups and number of entries", SpellingRules(), _THEOREMS, mutants,
        (Tie("what entries mean", encoded, run, sample, planted, every, samples=6),),
    )  # fmt: skip

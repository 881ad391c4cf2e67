"""What a shell knows at one point of the program, and how two points join."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from remit.analysis.domain import BOTTOM, Text, Value
from remit.analysis.each import rank
from remit.analysis.shell.values import (
    EMPTY,
    TOP,
    Fields,
    bag,
    cat,
    join,
    join_all,
    join_fields,
    size,
    texts,
    widen_against,
)

if TYPE_CHECKING:
    from remit.analysis.shell.syntax import Function

MAX_ARRAYS = 6
# They change what a pattern becomes.
GLOBBING = frozenset({"noglob", "dotglob", "nullglob", "failglob", "nocaseglob", "globstar"})
UNEXPANDED = "no expand_aliases"  # besides `expand_aliases`: on another way it is off
LOOSE = frozenset({"nocasematch", "expand_aliases", UNEXPANDED, "allexport", "lastpipe", "localvar_inherit"}) | GLOBBING
ANY_NAME = "*"  # the variable that stands for all that are not known by name
C = TypeVar("C")
D = TypeVar("D")
OUT, ERR, ELSEWHERE, EITHER = "out", "err", "elsewhere", "either"  # where a file descriptor leads; OUT or elsewhere


MAX_PRINTED = 6000
_NEWLINE: Value = frozenset({Text(("\n",))})


class Flag:
    """Attributes of variables, as bits."""

    EXPORTED, INTEGER, ASSOC, REF, LOWER, UPPER, UNSET, INHERITED = 1, 2, 4, 8, 16, 32, 64, 128
    PERHAPS = 256  # besides attributes: on another way it does not have all of them
    PERHAPS_HIDDEN = 512  # besides EXPORTED: on another way children do not see it
    READONLY = 1024  # what is assigned to it is refused
    ATTRIBUTES = REF | ASSOC | INTEGER | LOWER | UPPER  # what they say changes what an assignment does


class Items(NamedTuple):
    """One possible content of an array: elements by key in order, then a bag of further ones."""

    pairs: tuple[tuple[str, Value], ...] = ()
    rest: Value = BOTTOM

    @property
    def fields(self) -> Fields:
        """The elements as words."""
        return Fields(tuple(value for _, value in self.pairs), self.rest)


def each_array(arrays: Collection[Items]) -> Collection[Items]:
    """All of them, in an order that is the same in every run (see `each`)."""
    return arrays if len(arrays) < 2 else sorted(arrays, key=_rank)


def _rank(items: Items) -> tuple[object, ...]:
    return tuple((key, rank(value)) for key, value in items.pairs), rank(items.rest)


class Var(NamedTuple):
    """A variable: a text or an array. `unset`: it may also not be set by the skill at all."""

    value: Value = EMPTY
    arrays: frozenset[Items] | None = None
    flags: int = 0
    unset: bool = False

    @property
    def contents(self) -> frozenset[Items]:
        """What it holds as an array: a text is an array of one."""
        return frozenset({Items((("0", self.value),))}) if self.arrays is None else self.arrays


class Alias(NamedTuple):
    """What an alias stands for, and where it was defined: a later line of the same text expands it."""

    value: Value
    line: int
    unit: object


class Shadow(NamedTuple):
    """The variable that a local one hides (None: there was none). `sure`: it is hidden on every way that leads here."""

    var: Var | None
    sure: bool = True


def merge_items(alternatives: Collection[Items]) -> Items:
    """One array that stands for all of these."""
    first, *others = each_array(alternatives)
    for other in others:
        size = 0
        pairs: list[tuple[str, Value]] = []
        for (a, x), (b, y) in zip(first.pairs, other.pairs, strict=False):
            if a != b:
                break
            pairs.append((a, join(x, y)))
            size += 1
        rest = join(first.rest, other.rest)
        rest = join(rest, join_all(v for _, v in (*first.pairs[size:], *other.pairs[size:])))
        first = Items(tuple(pairs), rest)
    return first


def join_vars(left: Var, right: Var) -> Var:
    """Either variable."""
    if left is right or left == right:
        return left
    arrays = left.arrays
    if left.arrays is not None and right.arrays is not None:
        arrays = left.arrays | right.arrays
        if len(arrays) > MAX_ARRAYS:
            arrays = frozenset({merge_items(arrays)})
    elif left.arrays is not None or right.arrays is not None:
        arrays = left.contents | right.contents
    flags = left.flags | right.flags
    if (left.flags ^ right.flags) & Flag.ATTRIBUTES:
        flags |= Flag.PERHAPS
    if (left.flags ^ right.flags) & Flag.EXPORTED:
        flags |= Flag.PERHAPS_HIDDEN
    return Var(join(left.value, right.value), arrays, flags, left.unset or right.unset)


def either(left: Var | None, right: Var | None) -> Var | None:
    """Either variable; None is one that the skill has not set."""
    if left is None or right is None:
        one = left or right
        return None if one is None else one._replace(unset=True)
    return join_vars(left, right)


def ever(var: Var | None, value: Value) -> Var:
    """A variable that may have had this value at some time."""
    if var is None:
        return Var(value, None, 0, True)
    if var.arrays is None:
        return var._replace(value=join(var.value, value))
    everything = join_all((value, *(bag(items.fields) for items in each_array(var.arrays))))
    return var._replace(arrays=frozenset({Items((), everything)}))


def widen_vars(old: Var, new: Var, *, hard: bool, words: Value = BOTTOM) -> Var:
    """The widening of a loop. `words` are finitely many texts, so a variable that takes one may take them all."""
    joined = join_vars(old, new)
    if joined == old:
        return old
    if joined.value - old.value <= words and joined.arrays == old.arrays:
        return joined._replace(value=old.value | words)
    arrays = joined.arrays
    if arrays is not None:
        merged = merge_items(arrays)
        before = merge_items(old.arrays) if old.arrays else Items()
        rest = widen_against(before.rest, merged.rest, hard=hard) if before.rest else merged.rest
        pairs = merged.pairs
        if hard:
            pairs, rest = (), join_all((rest, *(v for _, v in merged.pairs)))
            rest = widen_against(BOTTOM, rest, hard=True) if len(rest) > 8 else rest
        arrays = frozenset({Items(pairs, rest)})
    return joined._replace(value=widen_against(old.value, joined.value, hard=hard), arrays=arrays)


@dataclass(slots=True, eq=False)
class State:
    """A point of the program. Mutable; copied where control flow divides."""

    cwd: Value
    args: Fields
    stdin: Value
    vars: dict[str, Var] = field(default_factory=dict)
    # The definitions that a name may have; None among them: it may have none.
    funcs: dict[str, tuple[Function | None, ...]] = field(default_factory=dict)
    aliases: dict[str, tuple[Alias | None, ...]] = field(default_factory=dict)
    # By the depth of the call that hides them, and the name.
    shadows: dict[tuple[int, str], Shadow] = field(default_factory=dict)
    dirs: Value = BOTTOM
    options: frozenset[str] = frozenset()
    out: Value = EMPTY
    partial: bool = False  # a program printed last, whose final newline is left out of `out`
    fds: dict[int, str] = field(default_factory=lambda: {1: OUT, 2: ERR})

    def copy(self) -> State:
        """An independent copy."""
        new = State.__new__(State)
        new.vars, new.funcs, new.aliases, new.shadows = self.vars.copy(), self.funcs.copy(), self.aliases, self.shadows
        new.args, new.cwd, new.dirs, new.options = self.args, self.cwd, self.dirs, self.options
        new.stdin, new.out, new.partial, new.fds = self.stdin, self.out, self.partial, self.fds
        return new

    def emit(self, value: Value, *, partial: bool = False) -> None:
        """Something is printed to standard output; `partial`: without its final newline."""
        before, leads = self.out, self.fds.get(1)
        if value and self.out != TOP and leads in (OUT, EITHER):
            if self.partial and self.out != EMPTY:
                self.out = cat(self.out, _NEWLINE)
            self.partial = partial
            # What a long program prints in all is hardly ever asked for.
            long = self.out != EMPTY and max(map(size, texts(self.out))) > MAX_PRINTED
            self.out = TOP if long else cat(self.out, value)
            if leads == EITHER:
                self.out = join(before, self.out)

    def same(self, other: State) -> bool:
        """Whether both points know the same."""
        return all(getattr(self, name) == getattr(other, name) for name in State.__slots__ if name != "partial")


Result: TypeAlias = tuple[State | None, State | None]  # where it goes on after success and after failure


def join_states(left: State | None, right: State | None) -> State | None:
    """The point after two ways that meet; None is a way that is not taken."""
    if left is None or left is right:
        return right
    if right is None:
        return left
    new = left.copy()
    if left.vars != right.vars:
        for name, var in right.vars.items():
            mine = left.vars.get(name)
            new.vars[name] = var._replace(unset=True) if mine is None else join_vars(mine, var)
        for name, var in left.vars.items():
            if name not in right.vars:
                new.vars[name] = var._replace(unset=True)
    if left.funcs != right.funcs:
        new.funcs = join_definitions(left.funcs, right.funcs)
    if left.aliases != right.aliases:
        new.aliases = join_definitions(left.aliases, right.aliases)
    if left.shadows != right.shadows:
        new.shadows = _join_shadows(left.shadows, right.shadows)
    new.args = join_fields(left.args, right.args)
    new.cwd = join(left.cwd, right.cwd)
    new.dirs = join(left.dirs, right.dirs)
    new.options = join_options(left.options, right.options)
    new.stdin = join(left.stdin, right.stdin)
    new.out = join(left.out, right.out)
    new.partial = left.partial or right.partial
    if left.fds != right.fds:
        new.fds = {
            fd: meeting({left.fds.get(fd, ELSEWHERE), right.fds.get(fd, ELSEWHERE)}) for fd in {**left.fds, **right.fds}
        }
    return new


def fork(ok: State | None, fail: State | None) -> Result:
    """Two states that may be changed independently."""
    if ok is not None and ok is fail:
        return ok, ok.copy()
    return ok, fail


def each_way(cases: Collection[C], st: State) -> Iterator[tuple[C, State]]:
    """Each of several cases, with a state of its own."""
    for case in cases:
        yield case, st if len(cases) == 1 else st.copy()


def join_results(results: Iterable[Result]) -> Result:
    """Where several cases go on, on one of them."""
    ok = fail = None
    for one, other in results:
        ok, fail = join_states(ok, one), join_states(fail, other)
    return ok, fail


def join_all_states(states: Iterable[State | None]) -> State | None:
    """The point after several ways that meet."""
    return reduce(join_states, states, None)


def meeting(leads: set[str]) -> str:
    """Where a file descriptor leads that leads to one of these."""
    return leads.pop() if len(leads) == 1 else EITHER if leads & {OUT, EITHER} else ELSEWHERE


def join_options(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
    """What ends a program early must hold on both ways; what makes conditions loose may come from either."""
    if left == right:
        return left
    unsure = {UNEXPANDED} if "expand_aliases" in left ^ right else frozenset[str]()
    return (left & right) | ((left | right) & LOOSE) | unsure


def join_definitions(
    left: dict[str, tuple[D | None, ...]], right: dict[str, tuple[D | None, ...]]
) -> dict[str, tuple[D | None, ...]]:
    """What names stand for on either way; on one way a name may stand for nothing."""
    none: tuple[D | None, ...] = (None,)
    return {
        name: tuple(dict.fromkeys((*left.get(name, none), *right.get(name, none))))
        for name in dict.fromkeys((*left, *right))
    }


def _join_shadows(
    left: dict[tuple[int, str], Shadow], right: dict[tuple[int, str], Shadow]
) -> dict[tuple[int, str], Shadow]:
    out: dict[tuple[int, str], Shadow] = {}
    for key in dict.fromkeys((*left, *right)):
        mine, theirs = left.get(key), right.get(key)
        if mine is None or theirs is None:
            one = mine or theirs
            assert one is not None
            out[key] = Shadow(one.var, sure=False)
        else:
            out[key] = Shadow(either(mine.var, theirs.var), mine.sure and theirs.sure)
    return out


def widen_states(old: State, new: State, *, hard: bool) -> State:
    """The widening of a loop: `old` already covers all rounds but the last."""
    joined = join_states(old, new)
    assert joined is not None
    words = bag(old.args) if bag(joined.args) <= bag(old.args) else BOTTOM
    for name, var in joined.vars.items():
        before = old.vars.get(name)
        if before is not None and before != var:
            joined.vars[name] = widen_vars(before, var, hard=hard, words=words)
        elif before is None and hard:
            joined.vars[name] = widen_vars(Var(BOTTOM), var, hard=len(var.value) > 8)
    joined.cwd = widen_against(old.cwd, joined.cwd, hard=hard)
    joined.dirs = widen_against(old.dirs, joined.dirs, hard=hard)
    joined.stdin = widen_against(old.stdin, joined.stdin, hard=hard)
    for key, shadow in joined.shadows.items() if joined.shadows != old.shadows else ():
        mine = old.shadows.get(key)
        if mine is not None and mine.var is not None and shadow.var is not None and mine != shadow:
            joined.shadows = {**joined.shadows, key: Shadow(widen_vars(mine.var, shadow.var, hard=hard), shadow.sure)}
    joined.out = widen_against(old.out, joined.out, hard=True)
    if old.args != joined.args:  # shifting brings no new words
        earlier, words = bag(old.args), bag(joined.args)
        joined.args = Fields((), widen_against(earlier, words, hard=hard) if hard or len(words) > 16 else words)
    return joined

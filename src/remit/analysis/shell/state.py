"""What a shell knows at one point of the program, and how two points join."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import BOTTOM, Text, Value
from remit.analysis.shell.values import (
    EMPTY,
    TOP,
    Fields,
    bag,
    cat,
    join,
    join_all,
    join_fields,
    widen_against,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.analysis.shell.syntax import Function

EXPORTED, INTEGER, ASSOC, REF, LOWER, UPPER, UNSET, INHERITED = 1, 2, 4, 8, 16, 32, 64, 128
MAX_ARRAYS = 6
GLOBBING = frozenset(
    {"noglob", "dotglob", "nullglob", "failglob", "nocaseglob", "globstar"}
)  # change what a pattern becomes
LOOSE = frozenset({"nocasematch", "expand_aliases", "allexport", "lastpipe"}) | GLOBBING
OUT, ERR, ELSEWHERE = "out", "err", "elsewhere"  # where a file descriptor leads


MAX_PRINTED = 6000
_NEWLINE: Value = frozenset({Text(("\n",))})


def _size(item: object) -> int:
    return sum(len(part) for part in item.parts if isinstance(part, str)) if isinstance(item, Text) else 0


class Items(NamedTuple):
    """One possible content of an array: elements by key in order, then a bag of further ones."""

    pairs: tuple[tuple[str, Value], ...] = ()
    rest: Value = BOTTOM

    @property
    def fields(self) -> Fields:
        """The elements as words."""
        return Fields(tuple(value for _, value in self.pairs), self.rest)


class Var(NamedTuple):
    """A variable: a text or an array. `unset`: it may also not be set by the skill at all."""

    value: Value = EMPTY
    arrays: frozenset[Items] | None = None
    flags: int = 0
    unset: bool = False


def merge_items(alternatives: Iterable[Items]) -> Items:
    """One array that stands for all of these."""
    options = list(alternatives)
    first = options[0]
    for other in options[1:]:
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
        scalar, owner = (right, left) if left.arrays is not None else (left, right)
        assert owner.arrays is not None
        arrays = owner.arrays | {Items((("0", scalar.value),))}
    return Var(join(left.value, right.value), arrays, left.flags | right.flags, left.unset or right.unset)


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


class State:
    """A point of the program. Mutable; copied where control flow divides."""

    __slots__ = ("aliases", "args", "cwd", "dirs", "fds", "funcs", "options", "out", "partial", "stdin", "vars")

    def __init__(self, cwd: Value, args: Fields, stdin: Value) -> None:
        self.vars: dict[str, Var] = {}
        self.funcs: dict[str, tuple[Function, ...]] = {}
        self.aliases: dict[str, tuple[Value, int, object]] = {}
        self.args = args
        self.cwd = cwd
        self.dirs: Value = BOTTOM
        self.options: frozenset[str] = frozenset()
        self.stdin = stdin
        self.out: Value = EMPTY
        self.partial = False  # a program printed last, whose final newline is left out of `out`
        self.fds: dict[int, str] = {1: OUT, 2: ERR}

    def copy(self) -> State:
        """An independent copy."""
        new = State.__new__(State)
        new.vars = self.vars.copy()
        new.funcs = self.funcs.copy()
        new.aliases = self.aliases
        new.args = self.args
        new.cwd = self.cwd
        new.dirs = self.dirs
        new.options = self.options
        new.stdin = self.stdin
        new.out = self.out
        new.partial = self.partial
        new.fds = self.fds
        return new

    def emit(self, value: Value, *, partial: bool = False) -> None:
        """Something is printed to standard output; `partial`: without its final newline."""
        if value and self.out != TOP and self.fds.get(1) == OUT:
            if self.partial and self.out != EMPTY:
                self.out = cat(self.out, _NEWLINE)
            self.partial = partial
            # What a long program prints in all is hardly ever asked for.
            long = self.out != EMPTY and max(map(_size, self.out)) > MAX_PRINTED
            self.out = TOP if long else cat(self.out, value)

    def same(self, other: State) -> bool:
        """Whether both points know the same."""
        return (
            self.vars == other.vars
            and self.args == other.args
            and self.cwd == other.cwd
            and self.out == other.out
            and self.stdin == other.stdin
            and self.funcs == other.funcs
            and self.options == other.options
        )


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
        for name, defs in right.funcs.items():
            old = left.funcs.get(name, ())
            new.funcs[name] = old + tuple(d for d in defs if d not in old)
    new.aliases = {**left.aliases, **right.aliases}
    new.args = join_fields(left.args, right.args)
    new.cwd = join(left.cwd, right.cwd)
    new.dirs = join(left.dirs, right.dirs)
    # What ends a program early must hold on both ways; what makes conditions loose may come from either.
    new.options = (left.options & right.options) | ((left.options | right.options) & LOOSE)
    new.stdin = join(left.stdin, right.stdin)
    new.out = join(left.out, right.out)
    new.partial = left.partial or right.partial
    if left.fds != right.fds:
        new.fds = {fd: left.fds[fd] if left.fds[fd] == right.fds.get(fd) else OUT for fd in left.fds}
    return new


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
    joined.out = widen_against(old.out, joined.out, hard=True)
    if old.args != joined.args:  # shifting brings no new words
        earlier, words = bag(old.args), bag(joined.args)
        joined.args = Fields((), widen_against(earlier, words, hard=hard) if hard or len(words) > 16 else words)
    return joined

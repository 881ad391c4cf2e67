"""Assignments in all their forms: texts, elements, whole arrays; and operators on single texts."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce

from remit.analysis.domain import BOTTOM, Text, Value, text
from remit.analysis.shell.part import ShellPart
from remit.analysis.shell.state import Flag, Items, State, Var, each_array, either
from remit.analysis.shell.syntax import Array, Assign, Param
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    bag,
    cat,
    inexact,
    is_numeric,
    join,
    join_all,
    join_fields,
    literal_of,
    texts,
)


def element(arrays: Collection[Items], key: str | None) -> Value:
    """The element at a key; at an unknown one, any."""
    out: Value = BOTTOM
    for items in arrays:
        found = None if key is None else next((v for k, v in items.pairs if k == key), None)
        if found is not None:
            out = join(out, found)
        elif key is None:
            out = join_all((out, EMPTY, items.rest, *(v for _, v in items.pairs)))
        else:
            out = join_all((out, EMPTY, items.rest))
    return out or EMPTY


def stored(items: Items, key: str, value: Value) -> Items:
    """The array with this element, which comes first if its key is 0."""
    pairs = tuple((k, v) for k, v in items.pairs if k != key)
    return Items(((key, value), *pairs) if key == "0" else (*pairs, (key, value)), items.rest)


def store(items: Items, key: str | None, value: Value, *, assoc: bool) -> Items:
    """`a[key]=value`; an unknown key may be any element."""
    if key is None:
        return Items((), join_all((items.rest, value, *(v for _, v in items.pairs))))
    keys = [k for k, _ in items.pairs]
    if key in keys:
        return Items(tuple((k, value if k == key else v) for k, v in items.pairs), items.rest)
    pairs = [*items.pairs, (key, value)]
    if not assoc:
        pairs.sort(key=lambda pair: int(pair[0]) if pair[0].isdigit() else 0)
    return Items(tuple(pairs), items.rest)


def attributed(value: Value, flags: int) -> Value:
    """The value as a variable with these attributes holds it."""
    if flags & Flag.INTEGER:
        return value if all(is_numeric(item) for item in texts(value)) else NUMBER
    return frozenset(change_case(item, ",," if flags & Flag.LOWER else "^^") for item in texts(value))


def change_case(item: Text, op: str) -> Text:
    """The text in the other case."""

    def change(part: str) -> str:
        return part.upper() if op[0] == "^" else part.lower()

    if len(op) == 1:
        first = item.parts[0] if item.parts else ""
        if not isinstance(first, str):
            return Text((inexact(first), *item.parts[1:]))
        return text(change(first[:1]) + first[1:], *item.parts[1:])
    return text(*(change(p) if isinstance(p, str) else inexact(p) for p in item.parts))


def integer(value: Value) -> int | None:
    """The number that a value is."""
    known = literal_of(value)
    if known is None:
        return None
    known = known.strip()
    return int(known) if known.lstrip("-").isdigit() and known.isascii() and len(known) < 15 else None


def without_operator(piece: Param) -> Param:
    """The same parameter, as it is."""
    return type(piece)(piece.name, piece.quoted, piece.pos, index=piece.index, indirect=piece.indirect)


class Assignments(ShellPart):
    """`name=value`, `name+=value`, `name[i]=value`, `name=(…)`."""

    def assignment(self, node: Assign, st: State) -> None:
        """`name=value` in all its forms."""
        if isinstance(node.value, Array):
            self._assign_array(node, node.value, st)
            return
        value = self.expander.single(node.value, st, assignment=True)
        if node.index is not None:
            self._assign_element(node, value, st)
            return
        if node.append:
            value = self.appended(node.name, value, st, node.pos)
        self.lookup.assign(node.name, value, st)
        var = st.vars.get(node.name)
        if "allexport" in st.options and var is not None:
            st.vars[node.name] = var._replace(flags=var.flags | Flag.EXPORTED)

    def appended(self, name: str, value: Value, st: State, pos: int) -> Value:
        """What `name+=value` makes."""
        old = self.lookup.value_of(name, st, pos) if name in st.vars else EMPTY
        var = st.vars.get(self.lookup.resolve(name, st)[0])
        if var is not None and var.flags & Flag.INTEGER:
            self.lookup.evaluate_number(var.flags, value, st)
            return NUMBER
        return cat(old, value)

    def _assign_element(self, node: Assign, value: Value, st: State) -> None:
        assert node.index is not None
        key = self.lookup.key(node.name, node.index, st, node.pos)
        targets = self.lookup.resolve(node.name, st)
        for target in targets:
            var = st.vars.get(target, Var(BOTTOM, frozenset({Items()})))
            new = value
            self.lookup.evaluate_number(var.flags, value, st)
            if node.append:
                old = join_all(v for a in each_array(var.contents) for k, v in a.pairs if k == key)
                new = cat(old or EMPTY, value) if key else TOP
            changed = frozenset(store(a, key, new, assoc=bool(var.flags & Flag.ASSOC)) for a in var.contents)
            kept = len(targets) > 1 or bool(var.flags & Flag.READONLY)
            if kept:
                changed |= var.contents
            st.vars[target] = Var(var.value or EMPTY, changed, var.flags, var.unset and (key is None or kept))
            self.lookup.note(target, value)

    def _assign_array(self, node: Assign, array: Array, st: State) -> None:
        targets = self.lookup.resolve(node.name, st)
        for target in targets:
            old = st.vars.get(target)
            flags = old.flags if old is not None else 0
            start = old.contents if node.append and old is not None else frozenset({Items()})
            arrays = frozenset(self._elements(array, each_array(start), st, flags))
            self.lookup.evaluate_number(flags, join_all(bag(a.fields) for a in each_array(arrays)), st)
            new = Var(EMPTY, arrays, flags)
            kept = len(targets) > 1 or flags & Flag.READONLY
            st.vars[target] = either(old, new) or new if kept else new
            self.lookup.note(target, join_all(bag(a.fields) for a in each_array(arrays)))

    def _elements(self, array: Array, current: Collection[Items], st: State, flags: int) -> Collection[Items]:
        keyed = any(key is not None for key, _ in array.items)
        if not keyed and not flags & Flag.ASSOC:
            lists = self.expander.fields([word for _, word in array.items], st)
            out = []
            for items in current:
                for fields in lists:
                    if items.rest:
                        out.append(Items(items.pairs, join(items.rest, bag(fields))))
                        continue
                    start = max((int(k) for k, _ in items.pairs if k.isdigit()), default=-1) + 1
                    pairs = tuple((str(start + i), v) for i, v in enumerate(fields.words))
                    out.append(Items(items.pairs + pairs, fields.rest))
            return out[:6] if len(out) <= 6 else [_merge(out)]
        for key, word in array.items:
            value = self.expander.single(word, st)
            if key is None:
                current = [Items(i.pairs, join(i.rest, value)) for i in current]
                continue
            name = literal_of(self.expander.single(key, st))
            if not flags & Flag.ASSOC and (name is None or not name.isdigit()):
                number = literal_of(self.arithmetic.value(key, st, key.pos))
                name = number if number is not None and number.isdigit() else None
            current = [store(items, name, value, assoc=bool(flags & Flag.ASSOC)) for items in current]
        return current


def _merge(options: list[Items]) -> Items:
    fields = reduce(join_fields, (option.fields for option in options))
    return Items(tuple((str(i), v) for i, v in enumerate(fields.words)), fields.rest)

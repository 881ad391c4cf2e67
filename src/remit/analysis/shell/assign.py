"""Assignments in all their forms: texts, elements, whole arrays."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, Value
from remit.analysis.shell.arrays import store
from remit.analysis.shell.part import ShellPart
from remit.analysis.shell.state import Flag, Items, State, Var, each_array, either
from remit.analysis.shell.syntax import Array, Assign
from remit.analysis.shell.values import EMPTY, NUMBER, TOP, bag, cat, join, join_all, join_fields, literal_of

if TYPE_CHECKING:
    from collections.abc import Collection


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

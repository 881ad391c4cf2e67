"""Methods of lists, dictionaries, sets, tuples and iterators, as both languages have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis import ir
from remit.analysis.domain import (
    BOTTOM,
    NOT_NEGATIVE,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    Object,
    Value,
)
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.collections import Collections
from remit.analysis.engine.frames import Args
from remit.analysis.engine.marks import ONE, ZERO
from remit.analysis.engine.texts import concat_values, derived
from remit.analysis.python.building import STEPS

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap


class ContainerMethods(Collections):
    """What a container does when one of its methods is called."""

    def first(self, args: Args, index: int = 0) -> Value:
        """A positional argument, or nothing."""
        return args.positional[index] if index < len(args.positional) else args.star

    def allocate_at(self, line: int, kind: str) -> Object:
        """The object that the call being evaluated makes."""
        return self.allocate(self.call_term if self.call_term is not None else line, kind, line)

    # ── handlers ──

    def _append(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._step(heap, list(args.positional) if not args.star else None, line)
        for value in [*args.positional, args.star]:
            self.write(heap.bag, value)
            if heap.escaped:
                self.leak(value)
        return NOTHING if self.language() == "python" else SOME_NUM

    def _extend(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._step(heap, self.step_words(self.first(args)), line)
        for value in [*args.positional, args.star]:
            self.write(heap.bag, self.elements(value, line))
            if heap.escaped:
                self.leak(value)
        return NOTHING

    def _extend_left(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._extend(heap, atom, args, line)
        self.lose_order(heap)
        return NOTHING

    def _step(self, heap: Heap, words: list[Value] | None, line: int) -> None:
        """A step of a list that is built, if this very call takes it."""
        term = self.call_term
        direct = isinstance(term, ir.Call) and isinstance(term.callee, ir.Attr) and term.callee.name in STEPS
        self.add_step(heap, words if direct else None, line, term, self.operands)

    def _insert(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.positional[1:] or [args.star]:
            self.write(heap.bag, value)
        self.lose_order(heap)
        return NOTHING

    def _unshift(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in [*args.positional, args.star]:
            self.write(heap.bag, value)
        self.lose_order(heap)
        return SOME_NUM

    def _take(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.shrink(heap)
        if heap.kind == "dict":
            return self._get(heap, atom, args, line)
        taken = self.elements(frozenset({atom}), line)
        return or_missing(taken) if self.language() == "js" else taken

    def _shuffle(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.everything():
            element = self.elements(frozenset({atom}), line)
            self.call(value, Args([element, element]), line)
        self.lose_order(heap)
        return frozenset({atom})

    def _copy(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, heap.kind)
        if made != atom:
            self.copy_into(self.heap(made), heap)
        return frozenset({made})

    def _get(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        key = self.first(args)
        found = self.object_item(atom, key, line)
        default = args.positional[1] if len(args.positional) > 1 else BOTTOM if found else NOTHING
        return found | default | (NOTHING if self.language() == "python" and len(args.positional) < 2 else BOTTOM)

    def _setdefault(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        value = args.positional[1] if len(args.positional) > 1 else NOTHING
        self.put(heap, self.first(args), value)
        return self.object_item(atom, self.first(args), line)

    def _update(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in [*args.positional, args.star]:
            self.spread_mapping(heap, value)
            for item in each(value):
                if isinstance(item, Object) and self.heap(item).kind in {"list", "tuple", "iter", "set"}:
                    pairs = self.elements(frozenset({item}), line)
                    self.write(heap.keys, self.item(pairs, ZERO, line))
                    self.put_anywhere(heap, self.item(pairs, ONE, line))
        for name, value in args.keywords.items():
            self.write(self.field(heap, name), value)
        self.write(heap.bag, args.keyword_star)
        if heap.escaped:
            for value in args.everything():
                self.leak(value)
        return NOTHING

    def _set_add(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._append(heap, atom, args, line)
        return frozenset({atom})

    def _keys_of(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.collection(self.slot(atom, "keys"), "iter", self.keys(frozenset({atom})), line)

    def _values(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.collection(self.slot(atom, "values"), "iter", self.values_of(heap), line)

    def _items(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        keys = self.keys(frozenset({atom})) if heap.kind in {"dict", "map", "instance"} else SOME_NUM
        pair = self.allocate_pair(atom, keys, self.values_of(heap))
        return self.collection(self.slot(atom, "items"), "iter", frozenset({pair}), line)

    def slot(self, atom: Object, name: str) -> object:
        """A stable key for the views of an object."""
        return self.slots.setdefault((atom.index, name), object())

    def _pair(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return frozenset({self.allocate_pair(atom, self.keys(frozenset({atom})), self.values_of(heap))})

    def _bool(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return SOME_BOOL

    def _num(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return SOME_NUM

    def _index(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return NOT_NEGATIVE

    def _none(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return NOTHING

    def _emptied(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.shrink(heap)
        return NOTHING

    def _some_text(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return SOME_TEXT

    def _sort(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element = self.elements(frozenset({atom}), line)
        for value in args.everything():
            self.call(value, Args([element, element] if self.language() == "js" else [element]), line)
        self.lose_order(heap)
        return frozenset({atom}) if self.language() == "js" else NOTHING

    def _union(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "set")
        self.copy_into(self.heap(made), heap)
        for value in args.everything():
            self.write(self.heap(made).bag, self.elements(value, line))
        return frozenset({made})

    def _element(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.everything():
            self.leak(value)
        return or_missing(self.elements(frozenset({atom}), line))

    # Python's records and special methods

    def _replaced(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "tuple")
        target = self.heap(made)
        for i, cell in enumerate(heap.prefix):
            self.write(self.position(target, i), self.read(cell))
        for name, cell in heap.fields.items():
            at = next((i for i, other in enumerate(heap.prefix) if other is cell), None)
            if at is not None:
                target.fields[name] = target.prefix[at]
            self.write(self.field(target, name), self.read(cell) | args.keywords.get(name, BOTTOM) | args.keyword_star)
        return frozenset({made})

    def _as_dict(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "dict")
        for name, cell in heap.fields.items():
            self.write(self.field(self.heap(made), name), self.read(cell))
        self.write(self.heap(made).bag, self.read(heap.bag))
        return frozenset({made})

    def _get_item(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.object_item(atom, self.first(args), line)

    def _set_item(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.store_item(atom, self.first(args), self.first(args, 1), line)
        return NOTHING

    def _iterator(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.collection(self.slot(atom, "iterator"), "iter", self.elements(frozenset({atom}), line), line)

    def _join_text(self, separator: Value, items: Value, line: int) -> Value:
        out: Value = BOTTOM
        for atom in each(items):
            heap = self.heap(atom) if isinstance(atom, Object) else None
            if heap is not None and not self.read(heap.bag) and heap.prefix and not heap.escaped:
                pieces: list[Value] = []
                for i, cell in enumerate(heap.prefix):
                    if i:
                        pieces.append(separator)
                    pieces.append(self.read(cell))
                out = out | concat_values(pieces)
            elif heap is not None:
                out = out | derived(self.elements(frozenset({atom}), line) | separator)
            else:
                out = out | derived(frozenset({atom}) | separator)
        return out

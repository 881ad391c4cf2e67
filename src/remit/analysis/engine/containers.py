"""Methods of lists, dictionaries, sets, tuples and iterators, as both languages have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis import ir
from remit.analysis.domain import BOTTOM, NOT_NEGATIVE, NOTHING, SOME_BOOL, SOME_NUM, SOME_TEXT, Object, Value
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.frames import Args, always
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import concat_values, reshaped
from remit.analysis.python.list_building import STEPS

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Method
    from remit.analysis.engine.heap import Heap

_BOOL, _NUM, _NONE = always(SOME_BOOL), always(SOME_NUM), always(NOTHING)


class ContainerMethods(EnginePart):
    """What a container does when one of its methods is called."""

    mappings: engine.MappingMethods
    calls: engine.Calls
    cells: engine.Cells
    collections: engine.Collections
    elements: engine.Elements
    leaks: engine.Leaks
    objects: engine.Objects
    order: engine.Order
    stores: engine.Stores
    work: engine.WorkList

    def javascript_methods(self) -> dict[tuple[str, str], Method]:
        """Methods of the collections of JavaScript, by kind and name."""
        return {
            ("list", "push"): self._append, ("*", "pop"): self._take, ("*", "shift"): self._take,
            ("list", "unshift"): self._unshift, ("list", "sort"): self._sort, ("list", "toSorted"): self._sort,
            ("list", "includes"): _BOOL, ("list", "indexOf"): _NUM, ("list", "lastIndexOf"): _NUM,
            ("list", "reverse"): self._shuffle, ("list", "toReversed"): self._shuffle, ("list", "copyWithin"): self._shuffle,
            ("list", "at"): self._element, ("*", "toString"): always(SOME_TEXT), ("*", "has"): _BOOL,
            ("*", "delete"): _BOOL, ("*", "clear"): _NONE, ("set", "add"): self._set_add,
            ("map", "add"): self._set_add, ("dict", "hasOwnProperty"): _BOOL, ("weakref", "deref"): self._element,
            **self.mappings.javascript_methods(),
        }  # fmt: skip

    def python_methods(self) -> dict[tuple[str, str], Method]:
        """Methods of the collections of Python, by kind and name."""
        return {
            ("*", "append"): self._append, ("*", "appendleft"): self._unshift, ("*", "extend"): self._extend,
            ("*", "extendleft"): self._extend_left, ("list", "insert"): self._insert, ("*", "pop"): self._take,
            ("*", "popleft"): self._take, ("*", "remove"): self._take, ("list", "sort"): self._sort,
            ("list", "reverse"): self._shuffle, ("list", "rotate"): self._shuffle, ("*", "copy"): self._copy,
            ("*", "clear"): self._emptied, ("*", "index"): always(NOT_NEGATIVE), ("*", "count"): _NUM,
            ("dict", "move_to_end"): _NONE, ("set", "add"): self._append, ("set", "update"): self._extend,
            ("*", "discard"): _NONE, ("*", "union"): self._union, ("*", "intersection"): self._union,
            ("*", "difference"): self._union, ("*", "symmetric_difference"): self._union, ("*", "__iter__"): self._iterator,
            ("*", "__reversed__"): self._iterator, ("*", "__len__"): _NUM, ("*", "__contains__"): _BOOL,
            ("*", "__eq__"): _BOOL, ("*", "__delitem__"): self._emptied, ("*", "issubset"): _BOOL,
            ("*", "issuperset"): _BOOL, ("*", "isdisjoint"): _BOOL, ("dict", "total"): _NUM,
            ("iter", "send"): self._element, ("iter", "__next__"): self._element, ("iter", "__anext__"): self._element,
            ("iter", "close"): _NONE, ("dict", "subtract"): _NONE, **self.mappings.python_methods(),
        }  # fmt: skip

    # ── handlers ──

    def _append(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._step(heap, list(args.positional) if not args.star else None, line)
        for value in [*args.positional, args.star]:
            self.cells.write(heap.bag, value)
            if heap.escaped:
                self.leaks.leak(value)
        return NOTHING if self.run.language() == "python" else SOME_NUM

    def _extend(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._step(heap, self.order.step_words(args.at(0)), line)
        for value in [*args.positional, args.star]:
            self.cells.write(heap.bag, self.elements.elements(value, line))
            if heap.escaped:
                self.leaks.leak(value)
        return NOTHING

    def _extend_left(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._extend(heap, atom, args, line)
        self.stores.lose_order(heap)
        return NOTHING

    def _step(self, heap: Heap, words: list[Value] | None, line: int) -> None:
        """A step of a list that is built, if this very call takes it."""
        term = self.run.call_term
        direct = isinstance(term, ir.Call) and isinstance(term.callee, ir.Attr) and term.callee.name in STEPS
        self.order.add_step(heap, words if direct else None, line, term, self.run.operands)

    def _insert(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.positional[1:] or [args.star]:
            self.cells.write(heap.bag, value)
        self.stores.lose_order(heap)
        return NOTHING

    def _unshift(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in [*args.positional, args.star]:
            self.cells.write(heap.bag, value)
        self.stores.lose_order(heap)
        return SOME_NUM

    def _take(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.stores.shrink(heap)
        if heap.kind == "dict":
            return self.mappings.get(heap, atom, args, line)
        taken = self.elements.elements(frozenset({atom}), line)
        return or_missing(taken) if self.run.language() == "js" else taken

    def _shuffle(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.everything():
            element = self.elements.elements(frozenset({atom}), line)
            self.calls.call(value, Args([element, element]), line)
        self.stores.lose_order(heap)
        return frozenset({atom})

    def _copy(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.objects.made_here(heap.kind, line)
        if made != atom:
            self.collections.copy_into(self.objects.heap(made), heap)
        return frozenset({made})

    def _set_add(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._append(heap, atom, args, line)
        return frozenset({atom})

    def _emptied(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.stores.shrink(heap)
        return NOTHING

    def _sort(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element = self.elements.elements(frozenset({atom}), line)
        for value in args.everything():
            self.calls.call(value, Args([element, element] if self.run.language() == "js" else [element]), line)
        self.stores.lose_order(heap)
        return frozenset({atom}) if self.run.language() == "js" else NOTHING

    def _union(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.objects.made_here("set", line)
        self.collections.copy_into(self.objects.heap(made), heap)
        for value in args.everything():
            self.cells.write(self.objects.heap(made).bag, self.elements.elements(value, line))
        return frozenset({made})

    def _element(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.everything():
            self.leaks.leak(value)
        return or_missing(self.elements.elements(frozenset({atom}), line))

    # Python's records and special methods

    def _iterator(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.objects.collection(
            self.objects.slot(atom.index, "iterator"), "iter", self.elements.elements(frozenset({atom}), line), line
        )

    def join_text(self, separator: Value, items: Value, line: int) -> Value:
        """The texts of a collection, joined."""
        out: Value = BOTTOM
        for atom in each(items):
            heap = self.objects.heap(atom) if isinstance(atom, Object) else None
            if heap is not None and not self.cells.read(heap.bag) and heap.prefix and not heap.escaped:
                pieces: list[Value] = []
                for i, cell in enumerate(heap.prefix):
                    if i:
                        pieces.append(separator)
                    pieces.append(self.cells.read(cell))
                out = out | concat_values(pieces)
            elif heap is not None:
                out = out | reshaped(self.work.settle(self.elements.elements(frozenset({atom}), line)), separator)
            else:
                out = out | reshaped(frozenset({atom}), separator)
        return out

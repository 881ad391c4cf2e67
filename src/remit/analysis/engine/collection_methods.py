"""Methods of lists, dictionaries, sets, tuples, iterators, mappings and records, as both languages have them."""

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
    Anything,
    Atom,
    Data,
    Object,
    Text,
    Value,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, always
from remit.analysis.engine.heap import or_missing
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.tables import ONE, ZERO
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
    order: engine.Order

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
            self.cells.write(heap.bag, self.elements.iterate(value, line))
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
        taken = self.elements.iterate(frozenset({atom}), line)
        return or_missing(taken) if self.run.language() == "js" else taken

    def _shuffle(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.everything():
            element = self.elements.iterate(frozenset({atom}), line)
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
        element = self.elements.iterate(frozenset({atom}), line)
        for value in args.everything():
            self.calls.call(value, Args([element, element] if self.run.language() == "js" else [element]), line)
        self.stores.lose_order(heap)
        return frozenset({atom}) if self.run.language() == "js" else NOTHING

    def _union(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.objects.made_here("set", line)
        self.collections.copy_into(self.objects.heap(made), heap)
        for value in args.everything():
            self.cells.write(self.objects.heap(made).bag, self.elements.iterate(value, line))
        return frozenset({made})

    def _element(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.everything():
            self.leaks.leak(value)
        return or_missing(self.elements.iterate(frozenset({atom}), line))

    # Python's records and special methods

    def _iterator(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.objects.collection(
            self.objects.slot(atom.index, "iterator"), "iter", self.elements.iterate(frozenset({atom}), line), line
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
                out = out | reshaped(self.work.settle(self.elements.iterate(frozenset({atom}), line)), separator)
            else:
                out = out | reshaped(frozenset({atom}), separator)
        return out


class MappingMethods(EnginePart):
    """What `dict`, `Map` and named tuples do."""

    def python_methods(self) -> dict[tuple[str, str], Method]:
        """Methods of the collections of Python, by kind and name."""
        return {
            ("dict", "get"): self.get, ("dict", "items"): self._items, ("dict", "keys"): self._keys_of,
            ("dict", "values"): self._values, ("dict", "popitem"): self._pair, ("dict", "setdefault"): self._setdefault,
            ("dict", "update"): self.update, ("tuple", "_replace"): self._replaced, ("tuple", "_asdict"): self._as_dict,
            ("*", "__getitem__"): self._get_item, ("*", "__setitem__"): self._set_item, ("dict", "most_common"): self._items,
        }  # fmt: skip

    def javascript_methods(self) -> dict[tuple[str, str], Method]:
        """Methods of the collections of JavaScript, by kind and name."""
        return {
            ("*", "keys"): self._keys_of, ("*", "values"): self._values, ("*", "entries"): self._items,
            ("map", "get"): self.get,
        }  # fmt: skip

    def get(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """The value at a key, or the default."""
        key = args.at(0)
        found = self.intrinsics.object_item(atom, key, line)
        default = args.positional[1] if len(args.positional) > 1 else BOTTOM if found else NOTHING
        return found | default | (NOTHING if self.run.language() == "python" and len(args.positional) < 2 else BOTTOM)

    def _setdefault(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        value = args.positional[1] if len(args.positional) > 1 else NOTHING
        self.stores.put(heap, args.at(0), value)
        return self.intrinsics.object_item(atom, args.at(0), line)

    def update(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """`dict.update`, and what is like it."""
        for value in [*args.positional, args.star]:
            self.collections.spread_mapping(heap, value)
            for item in each(value):
                if self.objects.is_a(item, "list", "tuple", "iter", "set"):
                    pairs = self.elements.iterate(frozenset({item}), line)
                    self.cells.write(heap.keys, self.elements.item(pairs, ZERO, line))
                    self.stores.put_anywhere(heap, self.elements.item(pairs, ONE, line))
        for name, value in args.keywords.items():
            self.objects.write(heap, name, value)
        self.cells.write(heap.bag, args.keyword_star)
        if heap.escaped:
            for value in args.everything():
                self.leaks.leak(value)
        return NOTHING

    def _keys_of(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.objects.collection(
            self.objects.slot(atom.index, "keys"), "iter", self.elements.keys(frozenset({atom})), line
        )

    def _values(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.objects.collection(
            self.objects.slot(atom.index, "values"), "iter", self.collections.values_of(heap), line
        )

    def _items(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        keys = self.elements.keys(frozenset({atom})) if heap.kind in {"dict", "map", "instance"} else SOME_NUM
        pair = self.collections.allocate_pair(atom, keys, self.collections.values_of(heap))
        return self.objects.collection(self.objects.slot(atom.index, "items"), "iter", frozenset({pair}), line)

    def _pair(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return frozenset(
            {
                self.collections.allocate_pair(
                    atom, self.elements.keys(frozenset({atom})), self.collections.values_of(heap)
                )
            }
        )

    def _replaced(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.objects.made_here("tuple", line)
        target = self.objects.heap(made)
        for i, cell in enumerate(heap.prefix):
            self.objects.write_at(target, i, self.cells.read(cell))
        for name, cell in heap.fields.items():
            at = next((i for i, other in enumerate(heap.prefix) if other is cell), None)
            if at is not None:
                target.fields[name] = target.prefix[at]
            self.objects.write(
                target, name, self.cells.read(cell) | args.keywords.get(name, BOTTOM) | args.keyword_star
            )
        return frozenset({made})

    def _as_dict(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.objects.made_here("dict", line)
        for name, cell in heap.fields.items():
            self.objects.write(self.objects.heap(made), name, self.cells.read(cell))
        self.cells.write(self.objects.heap(made).bag, self.cells.read(heap.bag))
        return frozenset({made})

    def _get_item(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.intrinsics.object_item(atom, args.at(0), line)

    def _set_item(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.intrinsics.store_item(atom, args.at(0), args.at(1), line)
        return NOTHING


class ArrayMethods(EnginePart):
    """What an array does when one of its methods is called."""

    containers: engine.ContainerMethods

    def javascript_methods(self) -> dict[tuple[str, str], Method]:
        """Methods of the collections of JavaScript, by kind and name."""
        return {
            ("list", "splice"): self._splice, ("list", "concat"): self._concat_array, ("list", "map"): self._map,
            ("list", "filter"): self._filter, ("*", "forEach"): self._for_each, ("list", "reduce"): self._reduce,
            ("list", "reduceRight"): self._reduce, ("list", "find"): self._find, ("list", "findLast"): self._find,
            ("list", "findIndex"): self._find_index, ("list", "findLastIndex"): self._find_index, ("list", "some"): self._some,
            ("list", "every"): self._some, ("list", "flat"): self._flat, ("list", "flatMap"): self._flat_map,
            ("list", "join"): self._join_array, ("list", "slice"): self._slice_array, ("list", "with"): self._with,
            ("list", "toSpliced"): self._with, ("list", "fill"): self._fill, ("map", "set"): self._map_set,
            ("iter", "next"): self._next, ("list", "take"): self._filter_all, ("list", "drop"): self._filter_all,
            ("list", "toArray"): self._filter_all,
        }  # fmt: skip

    # JavaScript callbacks

    def _callback(self, atom: Object, args: Args, line: int) -> tuple[Value, Value]:
        element = self.elements.iterate(frozenset({atom}), line)
        return element, self.calls.call(args.at(0), Args([element, SOME_NUM, frozenset({atom})]), line)

    def _map(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        _, result = self._callback(atom, args, line)
        return self.objects.collected("list", result, line)

    def _flat(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """Elements of lists in lists, to any depth."""
        out: set[Atom] = set()
        todo, seen = [atom], {atom}
        while todo:
            for item in each(self.elements.iterate(frozenset({todo.pop()}), line)):
                out.add(item)
                if isinstance(item, Object) and item not in seen and self.objects.heap(item).kind in {"list", "tuple"}:
                    seen.add(item)
                    todo.append(item)
        return self.objects.collected("list", frozenset(out), line)

    def _next(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """`iterator.next(x)`: what is sent goes where the generator last yielded, which can be anywhere in it."""
        for value in args.everything():
            self.leaks.leak(value)
        made = self.objects.made_here("dict", line)
        result = self.objects.heap(made)
        returned = heap.fields.get(" result")
        self.objects.write(
            result,
            "value",
            self.elements.iterate(frozenset({atom}), line)
            | (self.cells.read(returned) if returned is not None else BOTTOM),
        )
        self.objects.write(result, "done", SOME_BOOL)
        return frozenset({made})

    def _flat_map(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        _, result = self._callback(atom, args, line)
        return self.objects.collected("list", self.elements.iterate(result, line) | result, line)

    def _filter(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element, _ = self._callback(atom, args, line)
        return self.objects.collected("list", element, line)

    def _filter_all(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.objects.collected("list", self.elements.iterate(frozenset({atom}), line), line)

    def _for_each(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        if heap.kind == "map":
            self.calls.call(args.at(0), Args([self.collections.values_of(heap), self.cells.read(heap.keys)]), line)
        else:
            self._callback(atom, args, line)
        return NOTHING

    def _find(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return or_missing(self._callback(atom, args, line)[0])

    def _some(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._callback(atom, args, line)
        return SOME_BOOL

    def _find_index(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._callback(atom, args, line)
        return SOME_NUM

    def _reduce(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element = self.elements.iterate(frozenset({atom}), line)
        start = args.positional[1] if len(args.positional) > 1 else element
        slot = self.objects.slot(atom.index, f"reduce {line}")
        holder = self.objects.allocate(slot, "list", line)
        accumulator = self.cells.read(self.objects.heap(holder).bag) | start
        result = self.calls.call(args.at(0), Args([accumulator, element, SOME_NUM, frozenset({atom})]), line)
        self.cells.write(self.objects.heap(holder).bag, result)
        return result | start

    def _join_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        separator = args.at(0) or frozenset({Text((",",))})
        return self.containers.join_text(separator, frozenset({atom}), line)

    def _concat_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.objects.made_here("list", line)
        target = self.objects.heap(made)
        self.collections.copy_into(target, heap)
        for value in args.everything():
            lists = frozenset(item for item in value if self.objects.is_a(item, "list", "iter"))
            self.cells.write(target.bag, self.elements.iterate(lists, line) | (value - lists))
            if any(isinstance(item, (Data, Anything)) for item in value):
                self.cells.write(target.bag, self.elements.iterate(value - lists, line))
        return frozenset({made})

    def _slice_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        start: int | None = 0
        if args.positional:
            number = next(iter(args.positional[0])) if len(args.positional[0]) == 1 else None
            low = getattr(number, "low", None)
            start = int(low) if low is not None and low == getattr(number, "high", None) and low >= 0 else None
        if len(args.positional) > 1:
            start = None
        return self.elements.slice(frozenset({atom}), start, self.run.call_term or line)

    def _splice(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.positional[2:]:
            self.cells.write(heap.bag, value)
        self.stores.lose_order(heap)
        return self.objects.collected("list", self.elements.iterate(frozenset({atom}), line), line)

    def _fill(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for cell in [*heap.prefix, heap.bag]:
            self.cells.write(cell, args.at(0))
        return frozenset({atom})

    def _with(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """A copy in which something is put: `with(index, value)`, `toSpliced(start, count, …values)`."""
        values = self.elements.iterate(frozenset({atom}), line).union(*args.everything())
        return self.objects.collected("list", values, line)

    def _map_set(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.stores.put(heap, args.at(0), args.at(1))
        return frozenset({atom})

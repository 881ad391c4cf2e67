"""Methods of JavaScript arrays and iterators: those with a callback, and those that cut and join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, NOTHING, SOME_BOOL, SOME_NUM, Anything, Atom, Data, Object, Text, Value
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Method
    from remit.analysis.engine.heap import Heap


class ArrayMethods(EnginePart):
    """What an array does when one of its methods is called."""

    calls: engine.Calls
    cells: engine.Cells
    collections: engine.Collections
    containers: engine.ContainerMethods
    elements: engine.Elements
    leaks: engine.Leaks
    objects: engine.Objects
    stores: engine.Stores

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
        element = self.elements.elements(frozenset({atom}), line)
        return element, self.calls.call(args.at(0), Args([element, SOME_NUM, frozenset({atom})]), line)

    def _map(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        _, result = self._callback(atom, args, line)
        return self.objects.collected("list", result, line)

    def _flat(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """Elements of lists in lists, to any depth."""
        out: set[Atom] = set()
        todo, seen = [atom], {atom}
        while todo:
            for item in each(self.elements.elements(frozenset({todo.pop()}), line)):
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
            self.elements.elements(frozenset({atom}), line)
            | (self.cells.read(returned) if returned is not None else BOTTOM),
        )
        self.objects.write(result, "done", SOME_BOOL)
        return frozenset({made})

    def _flat_map(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        _, result = self._callback(atom, args, line)
        return self.objects.collected("list", self.elements.elements(result, line) | result, line)

    def _filter(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element, _ = self._callback(atom, args, line)
        return self.objects.collected("list", element, line)

    def _filter_all(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.objects.collected("list", self.elements.elements(frozenset({atom}), line), line)

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
        element = self.elements.elements(frozenset({atom}), line)
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
            self.cells.write(target.bag, self.elements.elements(lists, line) | (value - lists))
            if any(isinstance(item, (Data, Anything)) for item in value):
                self.cells.write(target.bag, self.elements.elements(value - lists, line))
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
        return self.objects.collected("list", self.elements.elements(frozenset({atom}), line), line)

    def _fill(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for cell in [*heap.prefix, heap.bag]:
            self.cells.write(cell, args.at(0))
        return frozenset({atom})

    def _with(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """A copy in which something is put: `with(index, value)`, `toSpliced(start, count, …values)`."""
        values = self.elements.elements(frozenset({atom}), line).union(*args.everything())
        return self.objects.collected("list", values, line)

    def _map_set(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.stores.put(heap, args.at(0), args.at(1))
        return frozenset({atom})

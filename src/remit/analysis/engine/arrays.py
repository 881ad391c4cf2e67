"""Methods of JavaScript arrays and iterators: those with a callback, and those that cut and join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    BOTTOM,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    Anything,
    Atom,
    Data,
    Object,
    Text,
    Value,
)
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.containers import ContainerMethods
from remit.analysis.engine.frames import Args

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap


class ArrayMethods(ContainerMethods):
    """What an array does when one of its methods is called."""

    # JavaScript callbacks

    def _callback(self, atom: Object, args: Args, line: int) -> tuple[Value, Value]:
        element = self.elements(frozenset({atom}), line)
        return element, self.call(self.first(args), Args([element, SOME_NUM, frozenset({atom})]), line)

    def _map(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        _, result = self._callback(atom, args, line)
        return self.collection(self.call_term or line, "list", result, line)

    def _flat(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """Elements of lists in lists, to any depth."""
        out: set[Atom] = set()
        todo, seen = [atom], {atom}
        while todo:
            for item in each(self.elements(frozenset({todo.pop()}), line)):
                out.add(item)
                if isinstance(item, Object) and item not in seen and self.heap(item).kind in {"list", "tuple"}:
                    seen.add(item)
                    todo.append(item)
        return self.collection(self.call_term or line, "list", frozenset(out), line)

    def _next(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """`iterator.next(x)`: what is sent goes where the generator last yielded, which can be anywhere in it."""
        for value in args.everything():
            self.leak(value)
        made = self.allocate_at(line, "dict")
        result = self.heap(made)
        returned = heap.fields.get(" result")
        self.write(
            self.field(result, "value"),
            self.elements(frozenset({atom}), line) | (self.read(returned) if returned is not None else BOTTOM),
        )
        self.write(self.field(result, "done"), SOME_BOOL)
        return frozenset({made})

    def _flat_map(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        _, result = self._callback(atom, args, line)
        return self.collection(self.call_term or line, "list", self.elements(result, line) | result, line)

    def _filter(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element, _ = self._callback(atom, args, line)
        return self.collection(self.call_term or line, "list", element, line)

    def _filter_all(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "list", self.elements(frozenset({atom}), line), line)

    def _for_each(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        if heap.kind == "map":
            self.call(self.first(args), Args([self.values_of(heap), self.read(heap.keys)]), line)
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
        element = self.elements(frozenset({atom}), line)
        start = args.positional[1] if len(args.positional) > 1 else element
        slot = self.slot(atom, f"reduce {line}")
        holder = self.allocate(slot, "list", line)
        accumulator = self.read(self.heap(holder).bag) | start
        result = self.call(self.first(args), Args([accumulator, element, SOME_NUM, frozenset({atom})]), line)
        self.write(self.heap(holder).bag, result)
        return result | start

    def _join_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        separator = self.first(args) or frozenset({Text((",",))})
        return self._join_text(separator, frozenset({atom}), line)

    def _concat_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "list")
        target = self.heap(made)
        self.copy_into(target, heap)
        for value in args.everything():
            lists = frozenset(
                item for item in value if isinstance(item, Object) and self.heap(item).kind in {"list", "iter"}
            )
            self.write(target.bag, self.elements(lists, line) | (value - lists))
            if any(isinstance(item, Data | Anything) for item in value):
                self.write(target.bag, self.elements(value - lists, line))
        return frozenset({made})

    def _slice_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        start: int | None = 0
        if args.positional:
            number = next(iter(args.positional[0])) if len(args.positional[0]) == 1 else None
            low = getattr(number, "low", None)
            start = int(low) if low is not None and low == getattr(number, "high", None) and low >= 0 else None
        if len(args.positional) > 1:
            start = None
        return self.slice(frozenset({atom}), start, self.call_term or line)

    def _splice(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.positional[2:]:
            self.write(heap.bag, value)
        self.lose_order(heap)
        return self.collection(self.call_term or line, "list", self.elements(frozenset({atom}), line), line)

    def _fill(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for cell in [*heap.prefix, heap.bag]:
            self.write(cell, self.first(args))
        return frozenset({atom})

    def _with(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """A copy in which something is put: `with(index, value)`, `toSpliced(start, count, …values)`."""
        values = self.elements(frozenset({atom}), line).union(*args.everything())
        return self.collection(self.call_term or line, "list", values, line)

    def _map_set(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.put(heap, self.first(args), self.first(args, 1))
        return frozenset({atom})

"""The methods of mappings and of records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, NOTHING, SOME_NUM, Object, Value
from remit.analysis.each import each
from remit.analysis.engine.marks import ONE, ZERO
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args, Method
    from remit.analysis.engine.heap import Heap


class MappingMethods(EnginePart):
    """What `dict`, `Map` and named tuples do."""

    cells: engine.Cells
    collections: engine.Collections
    elements: engine.Elements
    intrinsics: engine.Intrinsics
    leaks: engine.Leaks
    objects: engine.Objects
    stores: engine.Stores

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
                    pairs = self.elements.elements(frozenset({item}), line)
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

"""Stores: attributes and elements that are assigned, deleted or patched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ARG,
    BOTTOM,
    FILE,
    PERHAPS,
    TEMP,
    Atom,
    Bound,
    Class,
    Closure,
    Instance,
    Lib,
    Module,
    Object,
    Value,
    hole,
    lit,
    unsited,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import Cell, Heap
from remit.analysis.engine.marks import COMPUTED, PROTOTYPE, SLICE, VIEW
from remit.analysis.engine.order import Order
from remit.analysis.engine.tables import HATCHES
from remit.analysis.engine.texts import literals, texts_of
from remit.analysis.summaries.model import Entry

if TYPE_CHECKING:
    from remit.analysis.engine.base import ClassState


class Stores(Order):
    """What assignments to members and elements do."""

    def store_attr(self, atom: Atom, name: str, value: Value, line: int) -> None:
        """`atom.name = value`."""
        if name == "__proto__" and self.language() == "js":
            self.inherit(atom, value, line)
            return
        if name in _HATCHED_STORES and self.language() == "python":
            self.leak(value)
            self.opaque(f"`{name}` is replaced", line, "remove the reflection")
        if isinstance(atom, Object):
            heap = self.heap(atom)
            if name == "__dict__":
                self.spread_mapping(heap, value)
            self.write(self.field(heap, name), value)
            if name == "length" and heap.kind == "list":
                self.lose_order(heap)
                self.write(heap.bag, PERHAPS)
            if name == "fromfile_prefix_chars" and heap.kind == "parser":
                self.parse_also(atom, hole(FILE, exact=False))
            if heap.escaped:
                self.leak(value)
        elif isinstance(atom, Module):
            loaded = self.loaded[atom.index]
            if loaded.program.language == "js":
                self.write(self.exports_field(loaded, name), value)
                for item in each(self.read(loaded.exports)):
                    if not isinstance(item, Module):
                        self.store_attr(item, name, value, line)
            else:
                self.write(loaded.frame.cell(name), value)
        elif isinstance(atom, Class) and self.language() == "python":
            self._store_on_class(self.classes[atom.index], name, value)
        elif isinstance(atom, Class):
            self.write(self.field(self.heap(self.classes[atom.index].instance), f"static {name}"), value)
            self.write(self.field(self.heap(self.classes[atom.index].instance), name), value)
        elif isinstance(atom, Closure):
            self.write(self.function_field(atom, name), value)
            if unsited(atom) in self._leaked:
                self.leak(value)
        elif isinstance(atom, Lib):
            self.patch(atom, name, value, line)
        elif isinstance(atom, Instance):
            found = self.library().member(atom.cls, "__setattr__")
            if isinstance(found, Entry) and found.name == "__setattr__":
                self.call_method(f"{atom.cls}.__setattr__", atom, Args([lit(name), value]), line)
            if self.language() == "js":
                self.hand_over(value)
            else:
                self.write(self.instance_fields.setdefault(("", name), Cell(self.function_parts)), value)
                self.leak(value)
        elif isinstance(atom, Bound) and (constant := self.bound_constant(atom, line)) is not None:
            for item in each(constant):
                self.store_attr(item, name, value, line)
        else:
            self.leak(value)

    def _store_on_class(self, state: ClassState, name: str, value: Value) -> None:
        """A member added to a class: instances have it too, and a function is then a method."""
        if name not in state.body.variables:
            self.class_names.add(name)
            self.look_again(state.bases.readers)  # whoever did not find it here looked there
        self.write(state.body.cell(name), value)

    def patch(self, atom: Lib, name: str, value: Value, line: int) -> None:
        """Replacing a member of a library: later users of the library get the new function (rule 5)."""
        self.leak(value)
        full = f"{atom.name}.{name}"
        if full == "sys.argv":
            self.write(self.argv, self.elements(value, line) | hole(ARG))  # even if it is empty now
        if full in _ENVIRONMENT_MEMBERS:
            for variable, given in self.variables_of(value, line).items():
                self.set_variable(variable, given)
        if full == "tempfile.tempdir":
            self.write(self.moved[TEMP], frozenset(texts_of(value)))
        if full == "sys.path":
            self.opaque("`sys.path` is replaced", line, "insert a folder of the skill, named from `__file__`")
        if full.startswith(PROTOTYPE):
            self.opaque(
                f"`{name}` is added to what all objects of `{atom.name[len(PROTOTYPE) :]}` inherit",
                line,
                "do not patch libraries",
            )
            return
        if full not in _HARMLESS_PATCHES and any(isinstance(item, Closure | Lib | Bound | Class) for item in value):
            self.opaque(f"`{full}` is replaced", line, "do not patch libraries")

    def _store_computed(self, atom: Module | Class | Closure | Lib, value: Value, line: int) -> None:
        """A member of which the name is not known: it may be any of them."""
        self.leak(value)
        if isinstance(atom, Closure):
            self.write(self.function_field(atom, COMPUTED), value)
        elif isinstance(atom, Class) and self.language() == "js":
            self.write(self.field(self.heap(self.classes[atom.index].instance), f"static {COMPUTED}"), value)
        else:
            self.opaque(
                "a member of a module or class is replaced by a computed name", line, "use the member by its name"
            )

    def store_item(self, atom: Atom, key: Value, value: Value, line: int) -> None:
        """`atom[key] = value`."""
        if isinstance(atom, Object):
            heap = self.heap(atom)
            if heap.kind in {"dict", "map", "instance", "parser", "namespace"}:
                self.put(heap, key, value)
            elif SLICE in key:
                self.write(heap.bag, self.elements(value, line))
                self.lose_order(heap)
            else:
                self.lose_steps(heap)
                for cell in [*heap.prefix, heap.bag]:
                    self.write(cell, value)
                if self.language() == "js":  # the places before it may be empty
                    self.write(heap.bag, PERHAPS)
            if heap.escaped:
                self.leak(value)
            if heap.kind == "instance" and heap.cls >= 0:
                for method in each(self.class_member(heap.cls, "__setitem__")):
                    self.call(self._bind_member(method, atom, line), Args([key, value]), line)
        elif isinstance(atom, Instance):
            found = self.library().member(atom.cls, "__setitem__")
            if isinstance(found, Entry) and found.name == "__setitem__":
                self.call_method(f"{atom.cls}.__setitem__", atom, Args([key, value]), line)
            self.leak(value)
        elif isinstance(atom, Module | Class | Closure | Lib):
            names = literals(key)
            if names is None:
                self._store_computed(atom, value, line)
            else:
                for name in names:
                    self.store_attr(atom, name, value, line)
        else:
            self.leak(value)
            self.leak(key)

    def put(self, heap: Heap, key: Value, value: Value) -> None:
        """An entry of a mapping."""
        names = literals(key)
        self.write(heap.keys, key)
        if names is None:
            self.put_anywhere(heap, value)
        else:
            for name in names:
                if name == "__proto__" and self.language() == "js":
                    self._link_prototype(heap, value)
                else:
                    self.write(self.field(heap, name), value)

    def put_anywhere(self, heap: Heap, value: Value) -> None:
        """A value at a key that is not known; of a namespace the names are read without their dictionary."""
        self.write(heap.bag, value)
        if heap.kind in {"namespace", "instance", "parser"} or heap.origin == VIEW:
            for cell in list(heap.fields.values()):
                self.write(cell, value)

    def _link_prototype(self, heap: Heap, value: Value) -> None:
        """`{__proto__: value}`."""
        if heap.proto is None:
            heap.proto = Cell(heap)
        self.write(heap.proto, value)

    def delete_item(self, atom: Atom, key: Value, line: int) -> None:
        """`del atom[key]`."""
        if self.language() == "python":
            self.note_caught(key)
        if isinstance(atom, Instance):
            found = self.library().member(atom.cls, "__delitem__")
            if isinstance(found, Entry) and found.name == "__delitem__":
                self.call_method(f"{atom.cls}.__delitem__", atom, Args([key]), line)
        elif isinstance(atom, Object):
            heap = self.heap(atom)
            self.shrink(heap)
            if heap.kind == "list" and self.language() == "js":  # the place stays
                self.write(heap.bag, PERHAPS)

    def shrink(self, heap: Heap) -> None:
        """Something was removed."""
        if heap.kind == "list":
            self.lose_order(heap)
        elif heap.sure is not None:
            heap.sure = None
            self.reread(heap)

    def variables_of(self, value: Value, line: int) -> dict[str, Value]:
        """See `environments`."""
        raise AssertionError

    def lose_order(self, heap: Heap) -> None:
        """Something was inserted or removed at an unknown place: what was at a known position may be anywhere."""
        self.lose_steps(heap)
        self.fill(heap, [])

    def fill(self, heap: Heap, words: list[Value], rest: Value = BOTTOM) -> None:
        """A list is these words in order, then any number of others; where it may be a shorter one, the common places are left."""
        if heap.length is None or len(words) < heap.length:
            heap.length = len(words)
            behind = heap.prefix[len(words) :]
            del heap.prefix[len(words) :]
            for cell in behind:
                self.write(heap.bag, cell.value)
                self.look_again(cell.readers)
        for i, word in enumerate(words):
            self.write(self.position(heap, i), word)
        self.write(heap.bag, rest)


_HATCHED_STORES = HATCHES | {"__class__"}
_ENVIRONMENT_MEMBERS = frozenset({"os.environ", "process.env"})
_HARMLESS_PATCHES = frozenset({"sys.stdout", "sys.stderr", "sys.stdin", "sys.argv", "sys.excepthook"})

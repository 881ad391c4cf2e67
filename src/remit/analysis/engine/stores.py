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
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.tables import COMPUTED, HATCHES, PROTOTYPE, SLICE, VIEW
from remit.analysis.engine.texts import literals, texts_of

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.state import ClassState


class Stores(EnginePart):
    """What assignments to members and elements do."""

    data_flow: engine.DataFlow
    environments: engine.Environments
    kept: engine.KeptObjects
    library_members: engine.LibraryMembers
    modules: engine.Modules
    order: engine.Order
    python_options: engine.PythonOptions

    def plain_store_attr(self, atom: Atom, name: str, value: Value, line: int) -> None:  # noqa: C901, PLR0912  one case for each kind of value
        """`atom.name = value`."""
        if name == "__proto__" and self.run.language() == "js":
            self.members.inherit(atom, value, line)
            return
        if name in _HATCHED_STORES and self.run.language() == "python":
            self.leaks.leak(value)
            self.run.opaque(f"`{name}` is replaced", line, "remove the reflection")
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            if name == "__dict__":
                self.collections.spread_mapping(heap, value)
            self.objects.write(heap, name, value)
            if name == "length" and heap.kind == "list":
                self.lose_order(heap)
                self.cells.write(heap.bag, PERHAPS)
            if name == "fromfile_prefix_chars" and heap.kind == "parser":
                self.python_options.parse_also(atom, hole(FILE, exact=False))
            if heap.escaped:
                self.leaks.leak(value)
        elif isinstance(atom, Module):
            loaded = self.programs.loaded[atom.index]
            if loaded.program.language == "js":
                self.cells.write(self.modules.exports_field(loaded, name), value)
                for item in each(self.cells.read(loaded.exports)):
                    if not isinstance(item, Module):
                        self.intrinsics.store_attr(item, name, value, line)
            else:
                self.cells.write(loaded.frame.cell(name), value)
        elif isinstance(atom, Class) and self.run.language() == "python":
            self._store_on_class(self.programs.classes[atom.index], name, value)
        elif isinstance(atom, Class):
            self.objects.write(self.objects.heap(self.programs.classes[atom.index].instance), f"static {name}", value)
            self.objects.write(self.objects.heap(self.programs.classes[atom.index].instance), name, value)
        elif isinstance(atom, Closure):
            self.cells.write(self.members.function_field(atom, name), value)
            if unsited(atom) in self.leaks.leaked_atoms:
                self.leaks.leak(value)
        elif isinstance(atom, Lib):
            self.patch(atom, name, value, line)
        elif isinstance(atom, Instance):
            self.summaries.call_listed(atom, "__setattr__", Args([lit(name), value]), line)
            if self.run.language() == "js":
                self.leaks.hand_over(value)
            else:
                self.cells.write(
                    self.members.instance_fields.setdefault(("", name), Cell(self.members.function_parts)), value
                )
                self.leaks.leak(value)
        elif isinstance(atom, Bound) and (constant := self.library_members.bound_constant(atom, line)) is not None:
            for item in each(constant):
                self.intrinsics.store_attr(item, name, value, line)
        else:
            self.leaks.leak(value)

    def _store_on_class(self, state: ClassState, name: str, value: Value) -> None:
        """A member added to a class: instances have it too, and a function is then a method."""
        if name not in state.body.variables:
            self.class_members.class_names.add(name)
            self.work.look_again(state.bases.readers)  # whoever did not find it here looked there
        self.cells.write(state.body.cell(name), value)

    def patch(self, atom: Lib, name: str, value: Value, line: int) -> None:
        """Replacing a member of a library: later users of the library get the new function (rule 5)."""
        full = f"{atom.name}.{name}"
        if full in _HANDLERS:
            self.data_flow.caught()
        self.leaks.leak(value)
        if full == "sys.argv":
            self.cells.write(
                self.environments.argv, self.elements.iterate(value, line) | hole(ARG)
            )  # even if it is empty now
        if full in _ENVIRONMENT_MEMBERS:
            for variable, given in self.environments.variables_of(value, line).items():
                self.environments.put_into_environment(variable, given, line)
        if full == "tempfile.tempdir":
            self.cells.write(self.environments.moved[TEMP], frozenset(texts_of(value)))
        if full == "sys.path":
            self.run.opaque("`sys.path` is replaced", line, "insert a folder of the skill, named from `__file__`")
        if full.startswith(PROTOTYPE):
            self.run.opaque(
                f"`{name}` is added to what all objects of `{atom.name[len(PROTOTYPE) :]}` inherit",
                line,
                "do not patch libraries",
            )
            return
        if full not in _HARMLESS_PATCHES and any(isinstance(item, (Closure, Lib, Bound, Class)) for item in value):
            self.run.opaque(f"`{full}` is replaced", line, "do not patch libraries")

    def _store_computed(self, atom: Module | Class | Closure | Lib, value: Value, line: int) -> None:
        """A member of which the name is not known: it may be any of them."""
        self.leaks.leak(value)
        if isinstance(atom, Closure):
            self.cells.write(self.members.function_field(atom, COMPUTED), value)
        elif isinstance(atom, Class) and self.run.language() == "js":
            self.objects.write(
                self.objects.heap(self.programs.classes[atom.index].instance), f"static {COMPUTED}", value
            )
        else:
            self.run.opaque(
                "a member of a module or class is replaced by a computed name", line, "use the member by its name"
            )

    def plain_store_item(self, atom: Atom, key: Value, value: Value, line: int) -> None:  # noqa: PLR0912  one case for each kind of value
        """`atom[key] = value`."""
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            if heap.kind in {"dict", "map", "instance", "parser", "namespace"}:
                self.put(heap, key, value)
            elif SLICE in key:
                self.cells.write(heap.bag, self.elements.iterate(value, line))
                self.lose_order(heap)
            else:
                self.order.lose_steps(heap)
                for cell in [*heap.prefix, heap.bag]:
                    self.cells.write(cell, value)
                if self.run.language() == "js":  # the places before it may be empty
                    self.cells.write(heap.bag, PERHAPS)
            if heap.escaped:
                self.leaks.leak(value)
            if heap.is_instance():
                self.class_members.call_bound(atom, "__setitem__", Args([key, value]), line)
        elif isinstance(atom, Instance):
            self.summaries.call_listed(atom, "__setitem__", Args([key, value]), line)
            self.leaks.leak(value)
        elif isinstance(atom, (Module, Class, Closure, Lib)):
            names = literals(key)
            if names is None:
                self._store_computed(atom, value, line)
            else:
                for name in names:
                    self.intrinsics.store_attr(atom, name, value, line)
        else:
            self.leaks.leak(value)
            self.leaks.leak(key)

    def put(self, heap: Heap, key: Value, value: Value) -> None:
        """An entry of a mapping."""
        names = literals(key)
        self.cells.write(heap.keys, key)
        if names is None:
            self.put_anywhere(heap, value)
        else:
            for name in names:
                if name == "__proto__" and self.run.language() == "js":
                    self._link_prototype(heap, value)
                else:
                    self.objects.write(heap, name, value)

    def put_anywhere(self, heap: Heap, value: Value) -> None:
        """A value at a key that is not known; of a namespace the names are read without their dictionary."""
        self.cells.write(heap.bag, value)
        if heap.kind in {"namespace", "instance", "parser"} or heap.origin == VIEW:
            for cell in list(heap.fields.values()):
                self.cells.write(cell, value)

    def _link_prototype(self, heap: Heap, value: Value) -> None:
        """`{__proto__: value}`."""
        if heap.proto is None:
            heap.proto = Cell(heap)
        self.cells.write(heap.proto, value)

    def delete_item(self, atom: Atom, key: Value, line: int) -> None:
        """`del atom[key]`."""
        if self.run.language() == "python":
            self.kept.note_caught(key)
        if isinstance(atom, Instance):
            self.summaries.call_listed(atom, "__delitem__", Args([key]), line)
        elif isinstance(atom, Object):
            heap = self.objects.heap(atom)
            self.shrink(heap)
            if heap.kind == "list" and self.run.language() == "js":  # the place stays
                self.cells.write(heap.bag, PERHAPS)

    def shrink(self, heap: Heap) -> None:
        """Something was removed."""
        if heap.kind == "list":
            self.lose_order(heap)
        elif heap.sure is not None:
            heap.sure = None
            self.order.reread(heap)

    def lose_order(self, heap: Heap) -> None:
        """Something was inserted or removed at an unknown place: what was at a known position may be anywhere."""
        self.order.lose_steps(heap)
        self.fill(heap, [])

    def fill(self, heap: Heap, words: list[Value], rest: Value = BOTTOM) -> None:
        """A list is these words in order, then any number of others; where it may be a shorter one, the common places are left."""
        if heap.length is None or len(words) < heap.length:
            heap.length = len(words)
            behind = heap.prefix[len(words) :]
            del heap.prefix[len(words) :]
            for cell in behind:
                heap.bag.into.add(cell)
                self.cells.write(heap.bag, cell.value)
                self.work.look_again(cell.readers)
        for i, word in enumerate(words):
            self.objects.write_at(heap, i, word)
        self.cells.write(heap.bag, rest)


_HATCHED_STORES = HATCHES | {"__class__"}
_ENVIRONMENT_MEMBERS = frozenset({"os.environ", "process.env"})
_HANDLERS = frozenset({"sys.excepthook", "sys.unraisablehook", "threading.excepthook"})  # they get what nobody catches
_HARMLESS_PATCHES = frozenset({"sys.stdout", "sys.stderr", "sys.stdin", "sys.argv", "sys.excepthook"})

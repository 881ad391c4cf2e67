"""`Object.defineProperty`, accessors, and `Reflect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NOTHING,
    SOME_BOOL,
    SOME_TEXT,
    UNDEFINED,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Lib,
    Object,
    Value,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import literals

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler


class JavaScriptDescriptors(EnginePart):
    """Properties by their descriptors."""

    calls: engine.Calls
    cells: engine.Cells
    collections: engine.Collections
    elements: engine.Elements
    intrinsics: engine.Intrinsics
    js_objects: engine.JavaScriptObjects
    js_process: engine.JavaScriptProcess
    leaks: engine.Leaks
    members: engine.Members
    objects: engine.Objects
    programs: engine.Programs
    stores: engine.Stores

    def handlers(self) -> dict[str, Handler]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "object.defineProperty": self._define_property, "reflect.get": self._reflect_get, "reflect.set": self._reflect_set,
            "reflect.apply": self._reflect_apply, "reflect.construct": self._reflect_construct,
            "reflect.deleteProperty": self._reflect_delete, "object.defineProperties": self._define_properties,
            "object.getOwnPropertyDescriptor": self._descriptor, "object.getOwnPropertyDescriptors": self._descriptors,
        }  # fmt: skip

    def _define_property(self, receiver: Atom | None, args: Args, line: int) -> Value:
        target, name, descriptor = (args.at(0), args.at(1), args.at(2))
        for item in each(descriptor):
            if isinstance(item, Object):
                heap = self.objects.heap(item)
                value = (
                    self.cells.read(self.objects.field(heap, "value"))
                    | self.cells.read(heap.bag)
                    | (ANY if heap.escaped else BOTTOM)
                )
                getter = frozenset(
                    found for found in self.cells.read(self.objects.field(heap, "get")) if not isinstance(found, Const)
                )
                if getter:
                    value = value | self.calls.call(self.js_objects.with_this(getter, target), Args(), line)
                setter = self.cells.read(self.objects.field(heap, "set"))
                self.leaks.leak(setter)
                for atom in each(target):
                    self.cells.write(
                        self.members.defined_accessors.setdefault(atom, Cell()), getter | _functions(setter)
                    )
                    self.intrinsics.store_item(atom, name, value, line)
            elif isinstance(item, Data):
                for atom in each(target):
                    self.intrinsics.store_item(atom, name, frozenset({item}), line)
            else:
                self.js_process.leak_atom(item)
                self.leaks.leak(target)
        return target

    def _define_properties(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.define_all(args.at(0), args.at(1), line)

    def define_all(self, target: Value, descriptors: Value, line: int) -> Value:
        """Define what each descriptor says."""
        for item in each(descriptors):
            if isinstance(item, Object):
                heap = self.objects.heap(item)
                for name in list(heap.fields):
                    self._define_property(None, Args([target, lit(name), self.cells.read(heap.fields[name])]), line)
                if rest := self.cells.read(heap.bag):
                    self._define_property(None, Args([target, self.cells.read(heap.keys) or SOME_TEXT, rest]), line)
            elif not isinstance(item, Const):
                self.js_process.leak_atom(item)
                self.leaks.leak(target)
        return target

    def _descriptor(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`{value}` of one member, or the functions of an accessor."""
        made = self.objects.made_here("dict", line)
        value = self._reflect_get(receiver, Args(args.positional[:2], {}, args.star), line)
        self.objects.write(self.objects.heap(made), "value", value)
        accessors = self.accessors(args.at(0), args.at(1), line)
        for name in ("get", "set"):
            self.objects.write(self.objects.heap(made), name, ANY | accessors)
        for name in ("writable", "enumerable", "configurable"):
            self.objects.write(self.objects.heap(made), name, SOME_BOOL)
        return frozenset({made, UNDEFINED})

    def _descriptors(self, receiver: Atom | None, args: Args, line: int) -> Value:
        one = self.objects.allocate(self.objects.call_slot("descriptor"), "dict", line)
        values = self.js_objects.all_values(args.at(0), line)
        for atom in each(args.at(0)):
            if self.objects.is_instance(atom):
                values = values | self.elements.leak_members(atom, line)
        self.objects.write(self.objects.heap(one), "value", values)
        accessors = self.accessors(args.at(0), SOME_TEXT, line)
        for name in ("get", "set"):
            self.objects.write(self.objects.heap(one), name, ANY | accessors)
        made = self.objects.made_here("dict", line)
        self.cells.write(self.objects.heap(made).keys, self.elements.keys(args.at(0)))
        self.cells.write(self.objects.heap(made).bag, frozenset({one}))
        return frozenset({made})

    def accessors(self, target: Value, key: Value, line: int) -> Value:
        """The functions behind members that are read or set by code."""
        names = literals(key)
        found: Value = BOTTOM
        for atom in each(target):
            found = found | self.cells.read(self.members.defined_accessors.setdefault(atom, Cell()))
            if isinstance(atom, Object):
                heap = self.objects.heap(atom)
                if heap.is_instance():
                    found = found | self._class_accessors(heap.cls, names, set())
                if heap.proto is not None:
                    found = found | self.accessors(self.cells.read(heap.proto) - {atom}, key, line)
            elif isinstance(atom, Class):
                found = found | self._class_accessors(atom.index, names, set())
        return found

    def _class_accessors(self, cls: int, names: list[str] | None, seen: set[int]) -> Value:
        """The getters and setters that a class and its bases define under these names."""
        seen.add(cls)
        state = self.programs.classes[cls]
        out: set[Atom] = set()
        for index in state.body.function.inner:
            function = state.loaded.program.functions[index]
            if function.binding == "property" and (names is None or function.name in {*names, "<method>"}):
                out.add(Closure(state.loaded.first_function + index, state.body.index))
        for base in each(self.cells.read(state.bases)):
            if isinstance(base, Class) and base.index not in seen:
                out |= self._class_accessors(base.index, names, seen)
        return frozenset(out)

    def _reflect_get(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM.union(
            *(self.js_process.computed_member(atom, args.at(1), line) for atom in each(args.at(0)))
        )
        if len(args.positional) > 2:  # whom an accessor is called on
            accessors = self.accessors(args.at(0), args.at(1), line)
            out = out | self.calls.call(self.js_objects.with_this(accessors, args.at(2)), Args(), line)
        return out

    def _reflect_set(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(args.at(0)):
            self.intrinsics.store_item(atom, args.at(1), args.at(2), line)
        if len(args.positional) > 3:  # whom a setter is called on
            accessors = self.accessors(args.at(0), args.at(1), line)
            self.calls.call(self.js_objects.with_this(accessors, args.positional[3]), Args([args.at(2)]), line)
            for atom in each(args.positional[3]):
                self.intrinsics.store_item(atom, args.at(1), args.at(2), line)
        return NOTHING

    def _reflect_delete(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(args.at(0)):
            self.stores.delete_item(atom, args.at(1), line)
        return SOME_BOOL

    def _reflect_apply(self, receiver: Atom | None, args: Args, line: int) -> Value:
        inner = Args()
        self.collections.unfold(args.at(2), inner)
        return self.calls.call(self.js_objects.with_this(args.at(0), args.at(1)), inner, line)

    def _reflect_construct(self, receiver: Atom | None, args: Args, line: int) -> Value:
        inner = Args()
        self.collections.unfold(args.at(1), inner)
        return self.calls.call(args.at(0), inner, line, new=True)


def _functions(value: Value) -> Value:
    return frozenset(atom for atom in value if isinstance(atom, (Closure, Bound, Lib, Object)))

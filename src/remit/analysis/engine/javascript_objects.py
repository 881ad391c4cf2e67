"""Objects and functions as values in JavaScript: their members all at once, prototypes, descriptors, proxies, receivers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NOTHING,
    SOME_TEXT,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Module,
    Num,
    Object,
    Text,
    Value,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.marks import BUILTIN_MEMBER, ONE, PROTOTYPE, ZERO
from remit.analysis.engine.run import EnginePart
from remit.core.via import function

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap

ENVIRONMENT = "process.Environment"
_ANSWERS = frozenset({"get", "set", "apply", "construct"})  # traps that the engine calls where they answer
_OBJECT_METHODS = frozenset(
    {"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toString", "toLocaleString", "valueOf"}
)


class JavaScriptObjects(EnginePart):
    """What `Object`, `Reflect`, `Proxy` and `Function.prototype` do."""

    js_descriptors: engine.JavaScriptDescriptors
    calls: engine.Calls
    cells: engine.Cells
    collections: engine.Collections
    containers: engine.ContainerMethods
    data_flow: engine.DataFlow
    decorators: engine.Decorators
    elements: engine.Elements
    environments: engine.Environments
    intrinsics: engine.Intrinsics
    js_process: engine.JavaScriptProcess
    leaks: engine.Leaks
    members: engine.Members
    model_fields: engine.ModelFields
    objects: engine.Objects
    programs: engine.Programs
    stores: engine.Stores

    def handlers(self) -> dict[str, Callable[[Atom | None, Args, int], Value]]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "object": self._plain_object, "object.assign": self._object_assign, "object.keys": self._object_keys,
            "object.values": self._object_values, "object.entries": self._object_entries,
            "object.fromEntries": self._from_entries, "object.create": self._object_create,
            "object.getPrototypeOf": self._get_prototype, "object.setPrototypeOf": self._set_prototype,
            "object.prototype": self._object_prototype, "Function.prototype": self._function_prototype, "Proxy": self._proxy,
            "util.inherits": self._inherits, **self.js_descriptors.handlers(),
        }  # fmt: skip

    def _plain_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.containers.first(args) or frozenset({self.containers.allocate_at(line, "dict")})

    def _object_assign(self, receiver: Atom | None, args: Args, line: int) -> Value:
        target = self.containers.first(args)
        for source in [*args.positional[1:], args.star]:
            for atom in each(target):
                if isinstance(atom, Object) and self.objects.heap(atom).kind != "proxy":
                    self.collections.spread_mapping(self.objects.heap(atom), source)
                else:
                    self._assign_fields(atom, source, line)
        return target

    def _assign_fields(self, atom: Atom, source: Value, line: int) -> None:
        for item in each(source):
            if isinstance(item, Object):
                for name, cell in list(self.objects.heap(item).fields.items()):
                    self.intrinsics.store_attr(atom, name, self.cells.read(cell), line)
                computed = self.cells.read(self.objects.heap(item).bag)
                if computed:
                    self.intrinsics.store_item(atom, self.elements.keys(frozenset({item})), computed, line)
            elif isinstance(item, Data):
                self.intrinsics.store_item(atom, frozenset({item}), frozenset({item}), line)
            else:
                self.js_process.leak_atom(item)
                if not isinstance(item, (Const, Num)):
                    self.intrinsics.store_item(atom, SOME_TEXT, ANY, line)

    def _object_keys(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collection(
            self.run.call_term or line, "list", self.elements.keys(self.containers.first(args)), line
        )

    def _object_values(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collection(
            self.run.call_term or line, "list", self.all_values(self.containers.first(args), line), line
        )

    def all_values(self, value: Value, line: int) -> Value:
        """What the own properties of an object hold."""
        out: Value = BOTTOM
        for atom in each(value):
            if isinstance(atom, Object) and self.objects.heap(atom).kind == "proxy":
                out = out | self.intrinsics.object_item(atom, SOME_TEXT, line)
            elif isinstance(atom, Object):
                out = out | self.collections.values_of(self.objects.heap(atom))
            elif isinstance(atom, Data):
                out = out | {atom}
            elif isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
                self.run.world.effect("env.read", ANY, self.run.site(line), function("process.env"))
                out = out | self.environments.variable("*")
            elif isinstance(atom, Class):
                for name in self.leaks.method_names(atom.index):
                    out = out | self.model_fields.class_attribute(atom, name, line)
                out = out | ANY
            elif isinstance(atom, (Lib, Module)):
                self.js_process.leak_atom(atom)
                out = out | self.run.opaque("all members of a module are taken", line)
            elif not isinstance(atom, Const):
                out = out | ANY
        return out

    def _object_entries(self, receiver: Atom | None, args: Args, line: int) -> Value:
        pair = self.objects.allocate(
            self.objects.slots.setdefault((id(self.run.call_term), "pair"), (self.run.call_term, "pair")), "list", line
        )
        self.cells.write(
            self.calls.position(self.objects.heap(pair), 0), self.elements.keys(self.containers.first(args))
        )
        self.cells.write(
            self.calls.position(self.objects.heap(pair), 1), self.all_values(self.containers.first(args), line)
        )
        return self.objects.collection(self.run.call_term or line, "list", frozenset({pair}), line)

    def _from_entries(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.containers.allocate_at(line, "dict")
        heap = self.objects.heap(made)
        for pair in each(self.elements.elements(self.containers.first(args), line)):
            one: Value = frozenset({pair})
            self.cells.write(heap.keys, self.elements.item(one, ZERO, line))
            self.cells.write(heap.bag, self.elements.item(one, ONE, line))
        return frozenset({made})

    def _object_create(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made: Value = frozenset({self.containers.allocate_at(line, "dict")})
        for atom in each(made):
            self.members.inherit(atom, self.containers.first(args), line)
        if len(args.positional) > 1 or args.star:
            self.js_descriptors.define_all(made, self.containers.first(args, 1), line)
        return made

    def _get_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM
        for atom in each(self.containers.first(args)):
            out = out | self._prototype(atom)
        return out

    def _prototype(self, atom: Atom) -> Value:
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            if heap.kind == "instance" and heap.cls >= 0:
                self.stores.shrink(heap)
                return frozenset({atom})  # it stands for its prototype too
            kinds = {
                "list": "Array",
                "tuple": "Array",
                "map": "Map",
                "set": "Set",
                "partial": "Function",
                "promise": "Promise",
            }
            own: Value = frozenset({Lib(f"{PROTOTYPE}globals.{kinds.get(heap.kind, 'Object')}")})
            inherited = self.cells.read(heap.proto) if heap.proto is not None else BOTTOM
            return own | inherited | (ANY if heap.escaped else BOTTOM)
        if isinstance(atom, Instance):
            return frozenset({Lib(PROTOTYPE + atom.cls)})
        if isinstance(atom, Class):
            bases = frozenset(
                base for base in self.cells.read(self.programs.classes[atom.index].bases) if not isinstance(base, Const)
            )
            return bases or frozenset({Lib(f"{PROTOTYPE}globals.Function")})
        if isinstance(atom, (Closure, Bound)):
            return frozenset({Lib(f"{PROTOTYPE}globals.Function")})
        if isinstance(atom, Lib):
            return frozenset({Lib(f"{PROTOTYPE}globals.Function"), Lib(f"{PROTOTYPE}globals.Object")})
        if isinstance(atom, (Text, Num, Data, Module)):
            return frozenset({Lib(f"{PROTOTYPE}globals.Object")})
        return BOTTOM if isinstance(atom, Const) else ANY

    def _set_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.containers.first(args)):
            self.members.inherit(atom, self.containers.first(args, 1), line)
        return self.containers.first(args)

    def _inherits(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base = self.containers.first(args, 1)
        above = self.members.member(base, "prototype", line)
        for atom in each(self.members.member(self.containers.first(args), "prototype", line)):
            self.members.inherit(atom, above, line)
        for atom in each(self.containers.first(args)):
            self.intrinsics.store_attr(atom, "super_", base, line)
        return NOTHING

    def _object_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Lib(f"{PROTOTYPE}globals.Object")})

    def _function_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Lib(f"{PROTOTYPE}globals.Function")})

    def _proxy(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A proxy whose traps are written in place: its members are what `get` answers, or those of the target."""
        target, handler = self.containers.first(args), self.containers.first(args, 1)
        traps = [self.objects.heap(atom) for atom in each(handler) if isinstance(atom, Object)]
        if len(traps) != len(handler) or any(
            heap.escaped or heap.kind != "dict" or heap.proto or self.cells.read(heap.bag) for heap in traps
        ):
            self.leaks.leak(target | handler)
            return self.run.opaque("a proxy answers for its members by code", line, "use a plain object")
        made = self.containers.allocate_at(line, "proxy")
        heap = self.objects.heap(made)
        self.cells.write(self.objects.field(heap, " target"), target)
        self.cells.write(self.objects.field(heap, " handler"), handler)
        is_list = any(isinstance(atom, Object) and self.objects.heap(atom).kind == "list" for atom in target)
        for trap in traps:
            for name in list(trap.fields):
                if name not in _ANSWERS or (name == "set" and is_list):  # methods of lists store into the proxy
                    self.leaks.leak(self.cells.read(trap.fields[name]))
        return frozenset({made})

    def trap(self, heap: Heap, name: str, args: list[Value], line: int) -> Value | None:
        """What a trap of a proxy answers; None if it has no such trap."""
        handlers = self.cells.read(self.objects.field(heap, " handler"))
        found = self.members.member(handlers, name, line)
        if not found:
            return None
        return self.calls.call(found, Args([self.cells.read(self.objects.field(heap, " target")), *args]), line)

    def ask_proxies(self, value: Value, name: str, line: int) -> None:
        """The language reads a member of each proxy among it: to make a text of it, or to wait for it."""
        for atom in each(value):
            if isinstance(atom, Object) and self.objects.heap(atom).kind == "proxy":
                self.trap(self.objects.heap(atom), "get", [lit(name), frozenset({atom})], line)

    def function_method(self, method: str, receiver: Atom, args: Args, line: int) -> Value:
        """`f.call`, `f.apply`, `f.bind`, and the functions that the engine hands out."""
        if method in {"resolve", "reject"} and isinstance(receiver, Object):
            for value in args.everything():
                if method == "resolve":
                    self.cells.write(self.objects.heap(receiver).bag, value)
                else:
                    self.data_flow.thrown(value)
                    self.leaks.leak(value)
                    self.cells.hold(value)
            return NOTHING
        callee: Value = frozenset({receiver})
        this = self.containers.first(args)
        if method == "call":
            return self.calls.call(self.with_this(callee, this), Args(args.positional[1:], {}, args.star), line)
        if method == "apply":
            inner = Args()
            self.collections.unfold(self.containers.first(args, 1), inner)
            return self.calls.call(self.with_this(callee, this), inner, line)
        return self.decorators.make_partial(
            self.with_this(callee, this), Args(args.positional[1:], {}, args.star), line
        )

    def with_this(self, callee: Value, this: Value) -> Value:
        """A function with its receiver fixed."""
        out: Value = BOTTOM
        for atom in each(callee):
            if isinstance(atom, Closure) and self.programs.functions[atom.function][1].takes_this:
                for receiver in each(this or frozenset({Anything()})):
                    out = out | {Bound(atom, receiver)}
            elif isinstance(atom, Lib):
                out = out | self._borrowed(atom, this)
            elif isinstance(atom, Bound) and this:
                out = out | self._bound_anew(atom, this)
            else:
                out = out | {atom}
        return out

    def _bound_anew(self, atom: Bound, this: Value) -> Value:
        """A method read from one object and called on another."""
        if isinstance(atom.function, Closure):
            return frozenset(Bound(atom.function, receiver) for receiver in this)
        name = atom.function.name
        if name.startswith(f"{BUILTIN_MEMBER}function."):
            self.leaks.leak(this)
            return frozenset({atom})
        if name.startswith(BUILTIN_MEMBER):
            method = name.rpartition(".")[2]
            owner = (
                atom.receiver.name[len(PROTOTYPE) :]
                if isinstance(atom.receiver, Lib) and atom.receiver.name.startswith(PROTOTYPE)
                else ""
            )
            if owner == "globals.Function":
                return self.members.member(this, method, self.run.current_line)
            if owner and not owner.startswith("globals."):
                self.leaks.leak(this)
                return frozenset({Bound(Lib(f"{owner}.{method}"), Instance(owner))})
            kept: Value = frozenset(receiver for receiver in this if not isinstance(receiver, Const))
            if method in _OBJECT_METHODS:
                return frozenset(
                    Bound(Lib(f"{BUILTIN_MEMBER}plain.{method}"), receiver)
                    for receiver in kept or frozenset({atom.receiver})
                )
            return self.members.member(kept, method, self.run.current_line) or frozenset({atom})
        self.leaks.leak(this)
        return frozenset({atom}) | frozenset(
            Bound(atom.function, receiver) for receiver in this if isinstance(receiver, Instance)
        )

    def _borrowed(self, atom: Lib, this: Value) -> Value:
        """A method taken from a class and called on something else."""
        owner = atom.name.rpartition(".")[0]
        section = self.run.library().section(owner)
        if section is None or not section.is_class:
            return frozenset({atom})
        return frozenset(Bound(atom, receiver) for receiver in this) or frozenset({atom})

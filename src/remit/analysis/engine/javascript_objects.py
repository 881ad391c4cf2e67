"""Objects and functions as values in JavaScript: their members all at once, prototypes, descriptors, proxies, receivers."""

from __future__ import annotations

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
from remit.analysis.engine.frames import Args, always
from remit.analysis.engine.marks import BUILTIN_MEMBER, ONE, PROTOTYPE, ZERO
from remit.analysis.engine.run import EnginePart
from remit.core.via import function

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler
    from remit.analysis.engine.heap import Heap

ENVIRONMENT = "process.Environment"
_OF_OBJECTS: Value = frozenset({Lib(f"{PROTOTYPE}globals.Object")})
_OF_FUNCTIONS: Value = frozenset({Lib(f"{PROTOTYPE}globals.Function")})
_CLASSES = {
    "list": "Array", "tuple": "Array", "map": "Map", "set": "Set", "partial": "Function", "promise": "Promise",
}  # fmt: skip
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

    def handlers(self) -> dict[str, Handler]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "object": self._plain_object, "object.assign": self._object_assign, "object.keys": self._object_keys,
            "object.values": self._object_values, "object.entries": self._object_entries,
            "object.fromEntries": self._from_entries, "object.create": self._object_create,
            "object.getPrototypeOf": self._get_prototype, "object.setPrototypeOf": self._set_prototype,
            "object.prototype": always(_OF_OBJECTS), "Function.prototype": always(_OF_FUNCTIONS), "Proxy": self._proxy,
            "util.inherits": self._inherits, **self.js_descriptors.handlers(),
        }  # fmt: skip

    def _plain_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return args.at(0) or frozenset({self.objects.made_here("dict", line)})

    def _object_assign(self, receiver: Atom | None, args: Args, line: int) -> Value:
        target = args.at(0)
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
        return self.objects.collected("list", self.elements.keys(args.at(0)), line)

    def _object_values(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collected("list", self.all_values(args.at(0), line), line)

    def all_values(self, value: Value, line: int) -> Value:
        """What the own properties of an object hold."""
        out: Value = BOTTOM
        for atom in each(value):
            if self.objects.is_a(atom, "proxy"):
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
        pair = self.objects.allocate(self.objects.call_slot("pair"), "list", line)
        self.objects.write_at(self.objects.heap(pair), 0, self.elements.keys(args.at(0)))
        self.objects.write_at(self.objects.heap(pair), 1, self.all_values(args.at(0), line))
        return self.objects.collected("list", frozenset({pair}), line)

    def _from_entries(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("dict", line)
        heap = self.objects.heap(made)
        for pair in each(self.elements.elements(args.at(0), line)):
            one: Value = frozenset({pair})
            self.cells.write(heap.keys, self.elements.item(one, ZERO, line))
            self.cells.write(heap.bag, self.elements.item(one, ONE, line))
        return frozenset({made})

    def _object_create(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made: Value = frozenset({self.objects.made_here("dict", line)})
        for atom in each(made):
            self.members.inherit(atom, args.at(0), line)
        if len(args.positional) > 1 or args.star:
            self.js_descriptors.define_all(made, args.at(1), line)
        return made

    def _get_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return BOTTOM.union(*map(self._prototype, each(args.at(0))))

    def _prototype(self, atom: Atom) -> Value:
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            if heap.is_instance():
                self.stores.shrink(heap)
                return frozenset({atom})  # it stands for its prototype too
            own: Value = frozenset({Lib(f"{PROTOTYPE}globals.{_CLASSES.get(heap.kind, 'Object')}")})
            inherited = self.cells.read(heap.proto) if heap.proto is not None else BOTTOM
            return own | inherited | (ANY if heap.escaped else BOTTOM)
        if isinstance(atom, Instance):
            return frozenset({Lib(PROTOTYPE + atom.cls)})
        if isinstance(atom, Class):
            bases = frozenset(
                base for base in self.cells.read(self.programs.classes[atom.index].bases) if not isinstance(base, Const)
            )
            return bases or _OF_FUNCTIONS
        if isinstance(atom, (Closure, Bound)):
            return _OF_FUNCTIONS
        if isinstance(atom, Lib):
            return _OF_FUNCTIONS | _OF_OBJECTS
        if isinstance(atom, (Text, Num, Data, Module)):
            return _OF_OBJECTS
        return BOTTOM if isinstance(atom, Const) else ANY

    def _set_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(args.at(0)):
            self.members.inherit(atom, args.at(1), line)
        return args.at(0)

    def _inherits(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base = args.at(1)
        above = self.members.member(base, "prototype", line)
        for atom in each(self.members.member(args.at(0), "prototype", line)):
            self.members.inherit(atom, above, line)
        for atom in each(args.at(0)):
            self.intrinsics.store_attr(atom, "super_", base, line)
        return NOTHING

    def _proxy(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A proxy whose traps are written in place: its members are what `get` answers, or those of the target."""
        target, handler = args.at(0), args.at(1)
        traps = [self.objects.heap(atom) for atom in each(handler) if isinstance(atom, Object)]
        if len(traps) != len(handler) or any(
            heap.escaped or heap.kind != "dict" or heap.proto or self.cells.read(heap.bag) for heap in traps
        ):
            self.leaks.leak(target | handler)
            return self.run.opaque("a proxy answers for its members by code", line, "use a plain object")
        made = self.objects.made_here("proxy", line)
        heap = self.objects.heap(made)
        self.objects.write(heap, " target", target)
        self.objects.write(heap, " handler", handler)
        is_list = any(self.objects.is_a(atom, "list") for atom in target)
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
            if self.objects.is_a(atom, "proxy"):
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
        this = args.at(0)
        if method == "call":
            return self.calls.call(self.with_this(callee, this), Args(args.positional[1:], {}, args.star), line)
        if method == "apply":
            inner = Args()
            self.collections.unfold(args.at(1), inner)
            return self.calls.call(self.with_this(callee, this), inner, line)
        return self.decorators.make_partial(
            self.with_this(callee, this), Args(args.positional[1:], {}, args.star), line
        )

    def with_this(self, callee: Value, this: Value) -> Value:
        """A function with its receiver fixed."""
        out: Value = BOTTOM
        for atom in each(callee):
            if isinstance(atom, Closure) and self.programs.functions[atom.function][1].takes_this:
                out = out.union(*({Bound(atom, receiver)} for receiver in each(this or frozenset({Anything()}))))
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

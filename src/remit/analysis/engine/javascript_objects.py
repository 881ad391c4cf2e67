"""Objects and functions as values in JavaScript: members all at once, prototypes, descriptors, proxies, receivers, subclasses of collections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NOTHING,
    SOME_BOOL,
    SOME_TEXT,
    UNDEFINED,
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
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.tables import BUILTIN_MEMBER, ONE, PROTOTYPE, ZERO
from remit.analysis.engine.texts import literals
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
    data_flow: engine.DataFlow
    decorators: engine.Decorators
    environments: engine.Environments
    js_process: engine.JavaScriptProcess

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
                    out = out | self.class_members.class_attribute(atom, name, line)
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
        for pair in each(self.elements.iterate(args.at(0), line)):
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


class JavaScriptDescriptors(EnginePart):
    """Properties by their descriptors."""

    js_objects: engine.JavaScriptObjects
    js_process: engine.JavaScriptProcess

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


# Methods of arrays that make another array of the same class.
_SAME_CLASS = frozenset("map filter slice splice concat flat flatMap".split())


class JavaScriptCollections(EnginePart):
    """The collection inside an instance. Its prototype is the instance, so that whoever meets it finds the methods of the class."""

    methods: engine.Methods

    def inner_collection(self, atom: Object) -> Object | None:
        """The collection that an instance is, besides the fields that it has."""
        heap = self.objects.heap(atom)
        kind = self.class_members.builtin_base(heap.cls) if heap.is_instance() else None
        if kind is None or self.run.language() != "js":
            return None
        key = (-11, atom.index)
        made = self.objects.made.get(key)
        if made is None:
            made = self.objects.made[key] = self.objects.new_object(kind, heap.line)
            inner = self.objects.heap(made)
            inner.proto = Cell(inner)
            inner.proto.value = frozenset({atom})
            if kind == "list":
                inner.bag = heap.bag  # `this[i]`
        return made

    def inner_member(self, inner: Object, name: str) -> Value:
        """A method of the collection, or what was stored in it while it went by itself."""
        heap = self.objects.heap(inner)
        stored = heap.fields.get(name) if heap.kind != "map" else None
        return self.members.collection_member(inner, heap, name, self.run.current_line) | (
            self.cells.read(stored) if stored is not None else BOTTOM
        )

    def builtin_method(self, name: str, receiver: Atom, args: Args, line: int) -> Value:
        """A method of a collection inside an instance gives the instance where it gives the collection."""
        if isinstance(receiver, Class) and self.run.language() == "js":
            return self.made_by_subclass(name.partition(".")[2], receiver, args, line)
        out = self.methods.plain_method(name, receiver, args, line)
        outer = (
            self.objects.heap(receiver).proto if isinstance(receiver, Object) and self.run.language() == "js" else None
        )
        if outer is None or not isinstance(receiver, Object):
            return out
        if name.partition(".")[2] in _SAME_CLASS:
            self.cells.write(self.objects.heap(receiver).bag, self.elements.iterate(out, line))
            out = out | {receiver}
        return (out - {receiver}) | self.cells.read(outer) if receiver in out else out

    def fill_inner(self, instance: Value, made: Value) -> None:
        """The constructor of the collection was called for these instances: they hold what it made."""
        for atom in each(instance):
            inner = self.inner_collection(atom) if isinstance(atom, Object) else None
            for source in each(made) if inner is not None else ():
                if inner is not None and isinstance(source, Object) and source != inner:
                    self.collections.copy_into(self.objects.heap(inner), self.objects.heap(source))

    def made_by_subclass(self, method: str, cls: Class, args: Args, line: int) -> Value:
        """`Sub.from(…)` and `Sub.of(…)` make instances of the subclass."""
        made = self.summaries.call_library(f"globals.Array.{method}", args, line)
        instance: Value = frozenset({self.programs.classes[cls.index].instance})
        self.fill_inner(instance, made)
        return instance

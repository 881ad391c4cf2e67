"""Objects and functions as values in JavaScript: their members all at once, prototypes, descriptors, proxies, receivers."""

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
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.javascript_collections import JavaScriptCollections
from remit.analysis.engine.marks import BUILTIN_MEMBER, ONE, PROTOTYPE, ZERO
from remit.analysis.engine.texts import literals
from remit.core.via import function

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap

ENVIRONMENT = "process.Environment"
_ANSWERS = frozenset({"get", "set", "apply", "construct"})  # traps that the engine calls where they answer
_OBJECT_METHODS = frozenset(
    {"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toString", "toLocaleString", "valueOf"}
)


class JavaScriptObjects(JavaScriptCollections):
    """What `Object`, `Reflect`, `Proxy` and `Function.prototype` do."""

    def _plain_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.first(args) or frozenset({self.allocate_at(line, "dict")})

    def _object_assign(self, receiver: Atom | None, args: Args, line: int) -> Value:
        target = self.first(args)
        for source in [*args.positional[1:], args.star]:
            for atom in each(target):
                if isinstance(atom, Object) and self.heap(atom).kind != "proxy":
                    self.spread_mapping(self.heap(atom), source)
                else:
                    self._assign_fields(atom, source, line)
        return target

    def _assign_fields(self, atom: Atom, source: Value, line: int) -> None:
        for item in each(source):
            if isinstance(item, Object):
                for name, cell in list(self.heap(item).fields.items()):
                    self.store_attr(atom, name, self.read(cell), line)
                computed = self.read(self.heap(item).bag)
                if computed:
                    self.store_item(atom, self.keys(frozenset({item})), computed, line)
            elif isinstance(item, Data):
                self.store_item(atom, frozenset({item}), frozenset({item}), line)
            else:
                self.leak_atom(item)
                if not isinstance(item, Const | Num):
                    self.store_item(atom, SOME_TEXT, ANY, line)

    def _object_keys(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "list", self.keys(self.first(args)), line)

    def _object_values(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "list", self._all_values(self.first(args), line), line)

    def _all_values(self, value: Value, line: int) -> Value:
        out: Value = BOTTOM
        for atom in each(value):
            if isinstance(atom, Object) and self.heap(atom).kind == "proxy":
                out = out | self.object_item(atom, SOME_TEXT, line)
            elif isinstance(atom, Object):
                out = out | self.values_of(self.heap(atom))
            elif isinstance(atom, Data):
                out = out | {atom}
            elif isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
                self.world.effect("env.read", ANY, self.site(line), function("process.env"))
                out = out | self.variable("*")
            elif isinstance(atom, Class):
                for name in self.method_names(atom.index):
                    out = out | self.class_attribute(atom, name, line)
                out = out | ANY
            elif isinstance(atom, Lib | Module):
                self.leak_atom(atom)
                out = out | self.opaque("all members of a module are taken", line)
            elif not isinstance(atom, Const):
                out = out | ANY
        return out

    def _object_entries(self, receiver: Atom | None, args: Args, line: int) -> Value:
        pair = self.allocate(
            self.slots.setdefault((id(self.call_term), "pair"), (self.call_term, "pair")), "list", line
        )
        self.write(self.position(self.heap(pair), 0), self.keys(self.first(args)))
        self.write(self.position(self.heap(pair), 1), self._all_values(self.first(args), line))
        return self.collection(self.call_term or line, "list", frozenset({pair}), line)

    def _from_entries(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "dict")
        heap = self.heap(made)
        for pair in each(self.elements(self.first(args), line)):
            one: Value = frozenset({pair})
            self.write(heap.keys, self.item(one, ZERO, line))
            self.write(heap.bag, self.item(one, ONE, line))
        return frozenset({made})

    def _object_create(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made: Value = frozenset({self.allocate_at(line, "dict")})
        for atom in each(made):
            self.inherit(atom, self.first(args), line)
        if len(args.positional) > 1 or args.star:
            self._define_all(made, self.first(args, 1), line)
        return made

    def _define_property(self, receiver: Atom | None, args: Args, line: int) -> Value:
        target, name, descriptor = self.first(args), self.first(args, 1), self.first(args, 2)
        for item in each(descriptor):
            if isinstance(item, Object):
                heap = self.heap(item)
                value = self.read(self.field(heap, "value")) | self.read(heap.bag) | (ANY if heap.escaped else BOTTOM)
                getter = frozenset(
                    found for found in self.read(self.field(heap, "get")) if not isinstance(found, Const)
                )
                if getter:
                    value = value | self.call(self.with_this(getter, target), Args(), line)
                setter = self.read(self.field(heap, "set"))
                self.leak(setter)
                for atom in each(target):
                    self.write(self._defined_accessors.setdefault(atom, Cell()), getter | _functions(setter))
                    self.store_item(atom, name, value, line)
            elif isinstance(item, Data):
                for atom in each(target):
                    self.store_item(atom, name, frozenset({item}), line)
            else:
                self.leak_atom(item)
                self.leak(target)
        return target

    def _define_properties(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._define_all(self.first(args), self.first(args, 1), line)

    def _define_all(self, target: Value, descriptors: Value, line: int) -> Value:
        for item in each(descriptors):
            if isinstance(item, Object):
                heap = self.heap(item)
                for name in list(heap.fields):
                    self._define_property(None, Args([target, lit(name), self.read(heap.fields[name])]), line)
                if rest := self.read(heap.bag):
                    self._define_property(None, Args([target, self.read(heap.keys) or SOME_TEXT, rest]), line)
            elif not isinstance(item, Const):
                self.leak_atom(item)
                self.leak(target)
        return target

    def _descriptor(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`{value}` of one member, or the functions of an accessor."""
        made = self.allocate_at(line, "dict")
        value = self._reflect_get(receiver, Args(args.positional[:2], {}, args.star), line)
        self.write(self.field(self.heap(made), "value"), value)
        accessors = self.accessors(self.first(args), self.first(args, 1), line)
        for name in ("get", "set"):
            self.write(self.field(self.heap(made), name), ANY | accessors)
        for name in ("writable", "enumerable", "configurable"):
            self.write(self.field(self.heap(made), name), SOME_BOOL)
        return frozenset({made, UNDEFINED})

    def _descriptors(self, receiver: Atom | None, args: Args, line: int) -> Value:
        one = self.allocate(
            self.slots.setdefault((id(self.call_term), "descriptor"), (self.call_term, "descriptor")), "dict", line
        )
        values = self._all_values(self.first(args), line)
        for atom in each(self.first(args)):
            if isinstance(atom, Object) and self.heap(atom).kind == "instance" and self.heap(atom).cls >= 0:
                values = values | self.leak_members(atom, line)
        self.write(self.field(self.heap(one), "value"), values)
        accessors = self.accessors(self.first(args), SOME_TEXT, line)
        for name in ("get", "set"):
            self.write(self.field(self.heap(one), name), ANY | accessors)
        made = self.allocate_at(line, "dict")
        self.write(self.heap(made).keys, self.keys(self.first(args)))
        self.write(self.heap(made).bag, frozenset({one}))
        return frozenset({made})

    def accessors(self, target: Value, key: Value, line: int) -> Value:
        """The functions behind members that are read or set by code."""
        names = literals(key)
        found: Value = BOTTOM
        for atom in each(target):
            found = found | self.read(self._defined_accessors.setdefault(atom, Cell()))
            if isinstance(atom, Object):
                heap = self.heap(atom)
                if heap.kind == "instance" and heap.cls >= 0:
                    found = found | self._class_accessors(heap.cls, names, set())
                if heap.proto is not None:
                    found = found | self.accessors(self.read(heap.proto) - {atom}, key, line)
            elif isinstance(atom, Class):
                found = found | self._class_accessors(atom.index, names, set())
        return found

    def _class_accessors(self, cls: int, names: list[str] | None, seen: set[int]) -> Value:
        """The getters and setters that a class and its bases define under these names."""
        seen.add(cls)
        state = self.classes[cls]
        out: set[Atom] = set()
        for index in state.body.function.inner:
            function = state.loaded.program.functions[index]
            if function.binding == "property" and (names is None or function.name in {*names, "<method>"}):
                out.add(Closure(state.loaded.first_function + index, state.body.index))
        for base in each(self.read(state.bases)):
            if isinstance(base, Class) and base.index not in seen:
                out |= self._class_accessors(base.index, names, seen)
        return frozenset(out)

    def _get_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM
        for atom in each(self.first(args)):
            out = out | self._prototype(atom)
        return out

    def _prototype(self, atom: Atom) -> Value:
        if isinstance(atom, Object):
            heap = self.heap(atom)
            if heap.kind == "instance" and heap.cls >= 0:
                self.shrink(heap)
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
            inherited = self.read(heap.proto) if heap.proto is not None else BOTTOM
            return own | inherited | (ANY if heap.escaped else BOTTOM)
        if isinstance(atom, Instance):
            return frozenset({Lib(PROTOTYPE + atom.cls)})
        if isinstance(atom, Class):
            bases = frozenset(base for base in self.read(self.classes[atom.index].bases) if not isinstance(base, Const))
            return bases or frozenset({Lib(f"{PROTOTYPE}globals.Function")})
        if isinstance(atom, Closure | Bound):
            return frozenset({Lib(f"{PROTOTYPE}globals.Function")})
        if isinstance(atom, Lib):
            return frozenset({Lib(f"{PROTOTYPE}globals.Function"), Lib(f"{PROTOTYPE}globals.Object")})
        if isinstance(atom, Text | Num | Data | Module):
            return frozenset({Lib(f"{PROTOTYPE}globals.Object")})
        return BOTTOM if isinstance(atom, Const) else ANY

    def _set_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.first(args)):
            self.inherit(atom, self.first(args, 1), line)
        return self.first(args)

    def _inherits(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base = self.first(args, 1)
        above = self.member(base, "prototype", line)
        for atom in each(self.member(self.first(args), "prototype", line)):
            self.inherit(atom, above, line)
        for atom in each(self.first(args)):
            self.store_attr(atom, "super_", base, line)
        return NOTHING

    def _object_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Lib(f"{PROTOTYPE}globals.Object")})

    def _function_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Lib(f"{PROTOTYPE}globals.Function")})

    def _proxy(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A proxy whose traps are written in place: its members are what `get` answers, or those of the target."""
        target, handler = self.first(args), self.first(args, 1)
        traps = [self.heap(atom) for atom in each(handler) if isinstance(atom, Object)]
        if len(traps) != len(handler) or any(
            heap.escaped or heap.kind != "dict" or heap.proto or self.read(heap.bag) for heap in traps
        ):
            self.leak(target | handler)
            return self.opaque("a proxy answers for its members by code", line, "use a plain object")
        made = self.allocate_at(line, "proxy")
        heap = self.heap(made)
        self.write(self.field(heap, " target"), target)
        self.write(self.field(heap, " handler"), handler)
        is_list = any(isinstance(atom, Object) and self.heap(atom).kind == "list" for atom in target)
        for trap in traps:
            for name in list(trap.fields):
                if name not in _ANSWERS or (name == "set" and is_list):  # methods of lists store into the proxy
                    self.leak(self.read(trap.fields[name]))
        return frozenset({made})

    def trap(self, heap: Heap, name: str, args: list[Value], line: int) -> Value | None:
        """What a trap of a proxy answers; None if it has no such trap."""
        handlers = self.read(self.field(heap, " handler"))
        found = self.member(handlers, name, line)
        if not found:
            return None
        return self.call(found, Args([self.read(self.field(heap, " target")), *args]), line)

    def ask_proxies(self, value: Value, name: str, line: int) -> None:
        """The language reads a member of each proxy among it: to make a text of it, or to wait for it."""
        for atom in each(value):
            if isinstance(atom, Object) and self.heap(atom).kind == "proxy":
                self.trap(self.heap(atom), "get", [lit(name), frozenset({atom})], line)

    def function_method(self, method: str, receiver: Atom, args: Args, line: int) -> Value:
        """`f.call`, `f.apply`, `f.bind`, and the functions that the engine hands out."""
        if method in {"resolve", "reject"} and isinstance(receiver, Object):
            for value in args.everything():
                if method == "resolve":
                    self.write(self.heap(receiver).bag, value)
                else:
                    self.leak(value)
                    self.hold(value)
            return NOTHING
        callee: Value = frozenset({receiver})
        this = self.first(args)
        if method == "call":
            return self.call(self.with_this(callee, this), Args(args.positional[1:], {}, args.star), line)
        if method == "apply":
            inner = Args()
            self.unfold(self.first(args, 1), inner)
            return self.call(self.with_this(callee, this), inner, line)
        return self.make_partial(self.with_this(callee, this), Args(args.positional[1:], {}, args.star), line)

    def with_this(self, callee: Value, this: Value) -> Value:
        """A function with its receiver fixed."""
        out: Value = BOTTOM
        for atom in each(callee):
            if isinstance(atom, Closure) and self.functions[atom.function][1].takes_this:
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
            self.leak(this)
            return frozenset({atom})
        if name.startswith(BUILTIN_MEMBER):
            method = name.rpartition(".")[2]
            owner = (
                atom.receiver.name[len(PROTOTYPE) :]
                if isinstance(atom.receiver, Lib) and atom.receiver.name.startswith(PROTOTYPE)
                else ""
            )
            if owner == "globals.Function":
                return self.member(this, method, self.current_line)
            if owner and not owner.startswith("globals."):
                self.leak(this)
                return frozenset({Bound(Lib(f"{owner}.{method}"), Instance(owner))})
            kept: Value = frozenset(receiver for receiver in this if not isinstance(receiver, Const))
            if method in _OBJECT_METHODS:
                return frozenset(
                    Bound(Lib(f"{BUILTIN_MEMBER}plain.{method}"), receiver)
                    for receiver in kept or frozenset({atom.receiver})
                )
            return self.member(kept, method, self.current_line) or frozenset({atom})
        self.leak(this)
        return frozenset({atom}) | frozenset(
            Bound(atom.function, receiver) for receiver in this if isinstance(receiver, Instance)
        )

    def _borrowed(self, atom: Lib, this: Value) -> Value:
        """A method taken from a class and called on something else."""
        owner = atom.name.rpartition(".")[0]
        section = self.library().section(owner)
        if section is None or not section.is_class:
            return frozenset({atom})
        return frozenset(Bound(atom, receiver) for receiver in this) or frozenset({atom})

    def _reflect_get(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM
        for atom in each(self.first(args)):
            out = out | self.computed_member(atom, self.first(args, 1), line)
        if len(args.positional) > 2:  # whom an accessor is called on
            accessors = self.accessors(self.first(args), self.first(args, 1), line)
            out = out | self.call(self.with_this(accessors, self.first(args, 2)), Args(), line)
        return out

    def _reflect_set(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.first(args)):
            self.store_item(atom, self.first(args, 1), self.first(args, 2), line)
        if len(args.positional) > 3:  # whom a setter is called on
            accessors = self.accessors(self.first(args), self.first(args, 1), line)
            self.call(self.with_this(accessors, args.positional[3]), Args([self.first(args, 2)]), line)
            for atom in each(args.positional[3]):
                self.store_item(atom, self.first(args, 1), self.first(args, 2), line)
        return NOTHING

    def _reflect_delete(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.first(args)):
            self.delete_item(atom, self.first(args, 1), line)
        return SOME_BOOL

    def _reflect_apply(self, receiver: Atom | None, args: Args, line: int) -> Value:
        inner = Args()
        self.unfold(self.first(args, 2), inner)
        return self.call(self.with_this(self.first(args), self.first(args, 1)), inner, line)

    def _reflect_construct(self, receiver: Atom | None, args: Args, line: int) -> Value:
        inner = Args()
        self.unfold(self.first(args, 1), inner)
        return self.call(self.first(args), inner, line, new=True)

    # contracts
    def make_partial(self, callee: Value, args: Args, line: int) -> Value:
        """See `intrinsics`."""
        raise AssertionError


def _functions(value: Value) -> Value:
    return frozenset(atom for atom in value if isinstance(atom, Closure | Bound | Lib | Object))

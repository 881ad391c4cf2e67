"""JavaScript's own intrinsics: objects, maps, promises, functions as values, the process."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    NOTHING,
    SKILL,
    SOME_BOOL,
    SOME_TEXT,
    UNKNOWN,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Hole,
    Instance,
    Lib,
    Module,
    Num,
    Object,
    Text,
    Value,
    hole,
    lit,
)
from remit.analysis.engine.apply import Apply
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import Cell, Heap
from remit.analysis.engine.members import BUILTIN_MEMBER, PROTOTYPE
from remit.analysis.engine.texts import concat_values, dirname, literals, quoted, texts_of
from remit.analysis.engine.urls import paths_of_urls, resolved_url
from remit.analysis.summaries.model import Entry
from remit.analysis.world import Child

if TYPE_CHECKING:
    from collections.abc import Callable

ENVIRONMENT = "process.Environment"
REQUIRE = "globals.Require"
UNDEFINED = Const("undefined")
_ANSWERS = frozenset({"get", "set", "apply", "construct"})  # traps that the engine calls where they answer
_OBJECT_METHODS = frozenset(
    {"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toString", "toLocaleString", "valueOf"}
)


class JavaScriptIntrinsics(Apply):
    """What globals.sum and process.sum mark `! intrinsic`."""

    @cached_property
    def js_intrinsics(self) -> dict[str, Callable[[Atom | None, Args, int], Value]]:
        """Intrinsic name → code."""
        return {
            "require": self._require, "eval": self._eval_js, "Function": self._make_function_from_text, "globalThis": self._global_this,
            "module": self._module_object, "exports": self._exports_object, "__dirname": self._dirname, "__filename": self._filename,
            "process.argv": self._process_argv, "process.env": self._process_env, "object": self._plain_object,
            "object.assign": self._object_assign, "object.keys": self._object_keys, "object.values": self._object_values,
            "object.entries": self._object_entries, "object.fromEntries": self._from_entries, "object.create": self._object_create,
            "object.defineProperty": self._define_property, "Map": self._new_map, "Set": self._new_set, "Promise": self._new_promise,
            "Array": self._new_array, "reflect.get": self._reflect_get, "reflect.set": self._reflect_set, "reflect.apply": self._reflect_apply,
            "reflect.construct": self._reflect_construct, "util.promisify": self._promisify, "WeakRef": self._same, "URL": self._url,
            "shell.template": self._shell_template, "object.defineProperties": self._define_properties,
            "object.getOwnPropertyDescriptor": self._descriptor, "object.getOwnPropertyDescriptors": self._descriptors,
            "object.getPrototypeOf": self._get_prototype, "object.setPrototypeOf": self._set_prototype,
            "object.prototype": self._object_prototype, "Function.prototype": self._function_prototype,
            "Promise.withResolvers": self._with_resolvers, "Proxy": self._proxy, "URL.pathname": self._url_path,
            "timer": self._timer, "vm.compileFunction": self._compile_function, "util.inherits": self._inherits,
        }  # fmt: skip

    # ── modules and globals ──

    def _require(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.import_computed(self.settle(self.first(args)), line)

    def _eval_js(self, receiver: Atom | None, args: Args, line: int) -> Value:
        code = self.settle(self.first(args))
        return ANY | self.run_text("js", frozenset(texts_of(code)), line) if code else ANY

    def _make_function_from_text(self, receiver: Atom | None, args: Args, line: int) -> Value:
        body = args.positional[-1] if args.positional and not args.star else ANY
        return (
            self._function_of(args.positional[:-1], body, line)
            if not args.star
            else self._function_of([ANY], body, line)
        )

    def _function_of(self, params: list[Value], body: Value, line: int) -> Value:
        """A function from the texts of its parameters and its body: a module that exports it."""
        pieces = [lit("module.exports = function (")]
        for i, param in enumerate(params):
            pieces.extend([lit(", "), param] if i else [param])
        code = concat_values([*pieces, lit("\n) {\n"), frozenset(texts_of(body)), lit("\n}")])
        if not code:
            return BOTTOM
        first = len(self.loaded)
        self.run_text("js", code, line)
        known = self.texts_run.setdefault((self.frame.loaded.index, line, code), range(first, len(self.loaded)))
        return ANY.union(*(self.exports_of(self.loaded[index]) for index in known))

    def _compile_function(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._function_of([self.elements(self.first(args, 1), line) or lit("")], self.first(args), line)

    def _timer(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A callback, or in a browser a text that is run as code."""
        callback = self.first(args)
        code = frozenset(atom for atom in callback if isinstance(atom, Text))
        if code:
            self.run_text("js", code, line)
        self.call(callback - code, Args(args.positional[2:], {}, args.star), line)
        self.add_to_universe("timers.Timeout")
        return frozenset({Instance("timers.Timeout")})

    def _global_this(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Lib("globals")})

    def _module_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate(self.slots.setdefault((self.frame.loaded.index, "module"), object()), "instance", line)
        heap = self.heap(made)
        self.write(self.field(heap, "exports"), self.exports_of(self.frame.loaded))
        self.write(self.frame.loaded.exports, self.read(self.field(heap, "exports")))
        return frozenset({made})

    def _exports_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.exports_of(self.frame.loaded)

    def _filename(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Text((Hole(SKILL), "/" + self.frame.loaded.file))})

    def _dirname(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return dirname(self._filename(receiver, args, line))

    def js_global(self, name: str, line: int) -> Value:
        """A global of the host, or a name that nothing binds."""
        found = self.library().member("globals", name)
        if found is not None:
            return self.library_member(Lib("globals"), name, line)
        patched = self.slots.get((-7, name))
        if isinstance(patched, frozenset):
            return patched
        return self.unbound(name, line)

    def unbound(self, name: str, line: int) -> Value:
        """A name that nothing binds: an error at run time, or a global that the host provides."""
        return self.settle(BOTTOM)

    # ── the process ──

    def _process_argv(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_shared("process.argv", "list", line)
        heap = self.heap(made)
        self.write(self.position(heap, 0), SOME_TEXT)
        self.write(self.position(heap, 1), self._filename(receiver, args, line))
        given = self.frame.loaded.args
        if given is None:
            heap.bag = self.argv
            self.write(heap.bag, hole(ARG))
        else:
            for i, value in enumerate(given):
                self.write(self.position(heap, i + 2), value)
        return frozenset({made})

    def _process_env(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Instance(ENVIRONMENT)})

    def instance_member(self, atom: Instance, name: str, line: int) -> Value:
        """A variable of the environment is a member of `process.env`; other objects have what the skill gave them, too."""
        if atom.cls == ENVIRONMENT:
            self.world.effect("env.read", lit(name), self.site(line), "`process.env`")
            return self.variable(name) | frozenset({Const("undefined")})
        added = self.instance_fields.get((atom.cls, name))
        if added is None or self.language() != "js":
            return super().instance_member(atom, name, line)
        known = self.library().member(atom.cls, name)
        return self.read(added) | (super().instance_member(atom, name, line) if known is not None else BOTTOM)

    def computed_member(self, atom: Atom, key: Value, line: int) -> Value:
        """`process.env[name]`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT and literals(key) is None:
            self.world.effect("env.read", frozenset(texts_of(key)), self.site(line), "`process.env`")
            return self.variable("*")
        return super().computed_member(atom, key, line)

    def store_attr(self, atom: Atom, name: str, value: Value, line: int) -> None:
        """`process.env.X = …`, `globalThis.x = …`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
            self.world.effect("env.write", lit(name), self.site(line), "`process.env`")
            self.set_variable(name, value)
            return
        if isinstance(atom, Lib) and atom.name == "globals" and self.library().member("globals", name) is None:
            known = self.slots.get((-7, name))
            grown = value | known if isinstance(known, frozenset) else value
            if grown != known:
                self.slots[(-7, name)] = grown
                self.hold(value)
                for frame in self.frames:
                    if frame.loaded.program.language == "js":
                        self.enqueue(frame)
            return
        if isinstance(atom, Instance) and self.language() == "js":
            self.write(self.instance_fields.setdefault((atom.cls, name), Cell(self.function_parts)), value)
        super().store_attr(atom, name, value, line)

    # ── objects ──

    def _plain_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.first(args) or frozenset({self.allocate_at(line, "dict")})

    def _object_assign(self, receiver: Atom | None, args: Args, line: int) -> Value:
        target = self.first(args)
        for source in [*args.positional[1:], args.star]:
            for atom in target:
                if isinstance(atom, Object):
                    self.spread_mapping(self.heap(atom), source)
                else:
                    self._assign_fields(atom, source, line)
        return target

    def _assign_fields(self, atom: Atom, source: Value, line: int) -> None:
        for item in source:
            if isinstance(item, Object):
                for name, cell in list(self.heap(item).fields.items()):
                    self.store_attr(atom, name, self.read(cell), line)
                self.leak(self.read(self.heap(item).bag))
            else:
                self.leak_atom(item)

    def _object_keys(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "list", self.keys(self.first(args)), line)

    def _object_values(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "list", self._all_values(self.first(args), line), line)

    def _all_values(self, value: Value, line: int) -> Value:
        out: Value = BOTTOM
        for atom in value:
            if isinstance(atom, Object):
                out = out | self.values_of(self.heap(atom))
            elif isinstance(atom, Data):
                out = out | {atom}
            elif isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
                self.world.effect("env.read", ANY, self.site(line), "`process.env`")
                out = out | SOME_TEXT
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
        for pair in self.elements(self.first(args), line):
            one: Value = frozenset({pair})
            self.write(heap.keys, self.item(one, _ZERO, line))
            self.write(heap.bag, self.item(one, _ONE, line))
        return frozenset({made})

    def _object_create(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made: Value = frozenset({self.allocate_at(line, "dict")})
        for atom in made:
            self.inherit(atom, self.first(args), line)
        if len(args.positional) > 1 or args.star:
            self._define_all(made, self.first(args, 1), line)
        return made

    def _define_property(self, receiver: Atom | None, args: Args, line: int) -> Value:
        target, name, descriptor = self.first(args), self.first(args, 1), self.first(args, 2)
        for item in descriptor:
            if isinstance(item, Object):
                heap = self.heap(item)
                value = self.read(self.field(heap, "value")) | self.read(heap.bag) | (ANY if heap.escaped else BOTTOM)
                getter = frozenset(
                    found for found in self.read(self.field(heap, "get")) if not isinstance(found, Const)
                )
                if getter:
                    value = value | self.call(self.with_this(getter, target), Args(), line)
                self.leak(self.read(self.field(heap, "set")))
                for atom in target:
                    self.store_item(atom, name, value, line)
            elif isinstance(item, Data):
                for atom in target:
                    self.store_item(atom, name, frozenset({item}), line)
            else:
                self.leak_atom(item)
                self.leak(target)
        return target

    def _define_properties(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._define_all(self.first(args), self.first(args, 1), line)

    def _define_all(self, target: Value, descriptors: Value, line: int) -> Value:
        for item in descriptors:
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
        """`{value}` of one member; the functions of an accessor are reached by calling them, which reading the member did."""
        made = self.allocate_at(line, "dict")
        value = self._reflect_get(receiver, args, line)
        self.write(self.field(self.heap(made), "value"), value)
        for name in ("get", "set"):
            self.write(self.field(self.heap(made), name), ANY)
        for name in ("writable", "enumerable", "configurable"):
            self.write(self.field(self.heap(made), name), SOME_BOOL)
        return frozenset({made, UNDEFINED})

    def _descriptors(self, receiver: Atom | None, args: Args, line: int) -> Value:
        one = self.allocate(
            self.slots.setdefault((id(self.call_term), "descriptor"), (self.call_term, "descriptor")), "dict", line
        )
        self.write(self.field(self.heap(one), "value"), self._all_values(self.first(args), line))
        for name in ("get", "set"):
            self.write(self.field(self.heap(one), name), ANY)
        made = self.allocate_at(line, "dict")
        self.write(self.heap(made).keys, self.keys(self.first(args)))
        self.write(self.heap(made).bag, frozenset({one}))
        return frozenset({made})

    def _get_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM
        for atom in self.first(args):
            out = out | self._prototype(atom)
        return out

    def _prototype(self, atom: Atom) -> Value:
        if isinstance(atom, Object):
            heap = self.heap(atom)
            if heap.kind == "instance" and heap.cls >= 0:
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
        for atom in self.first(args):
            self.inherit(atom, self.first(args, 1), line)
        return self.first(args)

    def _inherits(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base = self.first(args, 1)
        above = self.member(base, "prototype", line)
        for atom in self.member(self.first(args), "prototype", line):
            self.inherit(atom, above, line)
        for atom in self.first(args):
            self.store_attr(atom, "super_", base, line)
        return NOTHING

    def _object_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Lib(f"{PROTOTYPE}globals.Object")})

    def _function_prototype(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Lib(f"{PROTOTYPE}globals.Function")})

    def _same(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "weakref")
        self.write(self.heap(made).bag, self.first(args))
        return frozenset({made})

    # ── collections ──

    def _new_map(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "map")
        heap = self.heap(made)
        for pair in self.elements(frozenset(a for a in self.first(args) if not isinstance(a, Const)), line):
            one: Value = frozenset({pair})
            self.put(heap, self.item(one, _ZERO, line), self.item(one, _ONE, line))
        return frozenset({made})

    def _new_set(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "set", self.elements(self.first(args), line), line)

    def _new_array(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "list")
        for value in args.everything():
            self.write(self.heap(made).bag, value)
        return frozenset({made})

    # ── promises ──

    def _new_promise(self, receiver: Atom | None, args: Args, line: int) -> Value:
        holder = self.allocate_at(line, "promise")
        resolve = Bound(Lib(f"{BUILTIN_MEMBER}function.resolve"), holder)
        self.call(
            self.first(args),
            Args([frozenset({resolve}), frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.reject"), holder)})]),
            line,
        )
        return self.read(self.heap(holder).bag) or (frozenset({Data(UNKNOWN)}) if self.settle(BOTTOM) else BOTTOM)

    def _with_resolvers(self, receiver: Atom | None, args: Args, line: int) -> Value:
        holder = self.allocate(
            self.slots.setdefault((id(self.call_term), "holder"), (self.call_term, "holder")), "promise", line
        )
        made = self.allocate_at(line, "dict")
        heap = self.heap(made)
        self.write(
            self.field(heap, "promise"), self.read(self.heap(holder).bag) or (ANY if self.settle(BOTTOM) else BOTTOM)
        )
        for name in ("resolve", "reject"):
            self.write(self.field(heap, name), frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), holder)}))
        return frozenset({made})

    def _proxy(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A proxy whose traps are written in place: its members are what `get` answers, or those of the target."""
        target, handler = self.first(args), self.first(args, 1)
        traps = [self.heap(atom) for atom in handler if isinstance(atom, Object)]
        if len(traps) != len(handler) or any(
            heap.escaped or heap.kind != "dict" or heap.proto or self.read(heap.bag) for heap in traps
        ):
            self.leak(target | handler)
            return self.opaque("a proxy answers for its members by code", line, "use a plain object")
        made = self.allocate_at(line, "proxy")
        heap = self.heap(made)
        self.write(self.field(heap, " target"), target)
        self.write(self.field(heap, " handler"), handler)
        for trap in traps:
            for name in list(trap.fields):
                if name not in _ANSWERS:
                    self.leak(self.read(trap.fields[name]))
        return frozenset({made})

    def trap(self, heap: Heap, name: str, args: list[Value], line: int) -> Value | None:
        """What a trap of a proxy answers; None if it has no such trap."""
        handlers = self.read(self.field(heap, " handler"))
        found = self.member(handlers, name, line)
        if not found:
            return None
        return self.call(found, Args([self.read(self.field(heap, " target")), *args]), line)

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
        for atom in callee:
            if isinstance(atom, Closure) and self.functions[atom.function][1].takes_this:
                for receiver in this or frozenset({Anything()}):
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

    def _promisify(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.first(args)

    # ── reflection ──

    def _reflect_get(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM
        for atom in self.first(args):
            out = out | self.computed_member(atom, self.first(args, 1), line)
        return out

    def _reflect_set(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in self.first(args):
            self.store_item(atom, self.first(args, 1), self.first(args, 2), line)
        return NOTHING

    def _reflect_apply(self, receiver: Atom | None, args: Args, line: int) -> Value:
        inner = Args()
        self.unfold(self.first(args, 2), inner)
        return self.call(self.with_this(self.first(args), self.first(args, 1)), inner, line)

    def _reflect_construct(self, receiver: Atom | None, args: Args, line: int) -> Value:
        inner = Args()
        self.unfold(self.first(args, 1), inner)
        return self.call(self.first(args), inner, line, new=True)

    def _url(self, receiver: Atom | None, args: Args, line: int) -> Value:
        bases = texts_of(frozenset(atom for atom in self.first(args, 1) if not isinstance(atom, Const)))
        given = list(texts_of(self.first(args)))
        payload = [made for one in given for base in bases for made in resolved_url(base, one)] if bases else given
        self.add_to_universe("globals.URL")
        return frozenset(Instance("globals.URL", frozenset({made})) for made in payload)

    def _shell_template(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A tag that runs its text as a command line; each value becomes one word, or several if it is a list."""
        strings = [atom for atom in self.first(args) if isinstance(atom, Object) and self.heap(atom).kind == "list"]
        if not strings:
            self.leak_all(args)  # options: the tag is called again
            return frozenset({receiver}) if receiver is not None else ANY
        pieces = [self.read(cell) for cell in self.heap(strings[0]).prefix]
        code = pieces[0] if pieces else SOME_TEXT
        for i, value in enumerate(args.positional[1:], 1):
            words = self.elements(value, line) if any(isinstance(atom, Object) for atom in value) else value
            word = SOME_TEXT if words != value else quoted(frozenset(texts_of(words)))
            code = concat_values([code, word, pieces[i] if i < len(pieces) else SOME_TEXT])
        site = self.site(line)
        self.world.effect("shell.execute", lit("sh"), site, "a tagged template")
        self.world.run_code(
            "shell",
            frozenset(texts_of(code)),
            site,
            child=Child((lit("sh"),), cwd=self.read(self.cwd), env=self.inherited() or None),
        )
        self.add_to_universe("zx.Output")
        return frozenset({Instance("zx.Output")})

    def _url_path(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return paths_of_urls(frozenset({receiver})) if receiver is not None else SOME_TEXT

    def leak_atom(self, atom: Atom) -> None:
        """Whoever gets `process.env` itself may read all of it; whoever gets `require` may load anything."""
        if isinstance(atom, Lib) and atom.name.startswith(PROTOTYPE):
            return  # it does nothing by itself, and storing to it is noticed where it happens
        if isinstance(atom, Instance) and atom not in self._leaked:
            if atom.cls == ENVIRONMENT:
                self.world.effect("env.read", ANY, self.site(self.current_line), "`process.env` is handed on")
            elif atom.cls == REQUIRE:
                self.opaque(
                    "`require` is handed to code that is not seen", self.current_line, "import modules by their names"
                )
        super().leak_atom(atom)

    # contracts
    def run_text(self, language: str, code: Value, line: int, spaces: Value = BOTTOM) -> Value:
        """See `modules`."""
        raise AssertionError

    def make_partial(self, callee: Value, args: Args, line: int) -> Value:
        """See `intrinsics`."""
        raise AssertionError


_ZERO: Value = frozenset({Num(0, 0)})
_ONE: Value = frozenset({Num(1, 1)})
__all__ = ["Entry", "JavaScriptIntrinsics"]

"""Intrinsics: library members whose meaning is code because no summary line can say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Instance,
    Lib,
    Object,
    Value,
    lit,
)
from remit.analysis.engine.frames import Args
from remit.analysis.engine.intrinsics_js import JavaScriptIntrinsics
from remit.analysis.engine.intrinsics_python import PythonIntrinsics
from remit.analysis.engine.marks import BUILTIN_MEMBER
from remit.analysis.summaries.model import Entry

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap


class Intrinsics(PythonIntrinsics, JavaScriptIntrinsics):
    """Both languages' tables, decorators, and what is left."""

    def run_intrinsic(self, intrinsic: str, name: str, receiver: Atom | None, args: Args, line: int) -> Value:
        """Run it; one that the engine does not know falls back to what its summary line says."""
        table = self.python_intrinsics if self.language() == "python" else self.js_intrinsics
        handler = table.get(intrinsic)
        if handler is not None:
            return handler(receiver, args, line)
        owner, _, member = name.rpartition(".")
        found = self.library().member(owner, member)
        if not isinstance(found, Entry) or found.flag("intrinsic") != intrinsic:
            found = self.library().member(name, "__init__")
        if isinstance(found, Entry) and (found.effects or found.result is not None):
            plain = self._plain.get(id(found))
            if plain is None:
                flags = tuple(item for item in found.flags if item[0] != "intrinsic")
                plain = self._plain[id(found)] = Entry(
                    found.name, found.line, found.params, found.effects, found.result, flags, found.pure
                )
                self._entries_kept.append(found)
            return self.apply(name, plain, receiver, args, line)
        self.leak_all(args)
        return self.opaque(f"`{name}` is not understood", line)

    # ── decorators ──

    def decorate(self, decorator: Value, target: Value, line: int) -> Value:
        """A decorator applied: a library's keeps the function, one of the skill is called."""
        out: Value = BOTTOM
        for atom in decorator:
            out = out | self._decorate_one(atom, target, line)
        return out

    def _decorate_one(self, atom: Atom, target: Value, line: int) -> Value:
        entry = self.decorator_entry(atom)
        if entry is not None:
            passed = entry.flag("passes")
            if passed is not None:
                for item in target:
                    self.passed[item] = self.passed.get(item, BOTTOM) | self.expression_text(passed)
                return target
            if entry.flag("identity") is not None or entry.flag("intrinsic") in _IDENTITY:
                return target
            given = entry.flag("decorates")
            if given is not None:
                value = ANY if given in {"", "any"} else self.decorated_argument(given)
                self._call_decorated(target, value)
                made = entry.result
                return target | (
                    self.expression(made, {}, set(), "", line) if made is not None and made.op == "instance" else BOTTOM
                )
        if isinstance(atom, Closure | Class) or (
            isinstance(atom, Object) and self.heap(atom).kind in {"instance", "partial"}
        ):
            return self.call(frozenset({atom}), Args([target]), line)
        if isinstance(atom, Const):
            return target
        self.leak(target)
        if isinstance(atom, Lib | Instance | Bound):
            self.call(frozenset({atom}), Args([target]), line)
        return target

    def decorator_value(
        self, name: str, entry: Entry, env: dict[str, Value], given: set[str], args: Args, line: int
    ) -> Value:
        """A call of what decorates: it makes a decorator, or was given the function at once; the call does not tell which."""
        target = frozenset(atom for atom in self.first(args) if self.may_be_called(atom))
        made = self.allocate_at(line, "decorator")
        self.decorators[made.index] = entry
        self.write(self.heap(made).bag, target)
        for value in args.everything():
            self.hand_over(value - target)
        out: Value = frozenset({made})
        called_with = entry.flag("decorates")
        if called_with in {"", "any"}:
            self.widen_universe(name)  # whoever calls the function may pass what the library has
        if target and called_with is not None:
            self._call_decorated(target, ANY if called_with in {"", "any"} else self.decorated_argument(called_with))
        if target and entry.result is not None:
            out = out | frozenset(
                atom for atom in self.expression(entry.result, env, given, name, line) if not isinstance(atom, Const)
            )
        return out

    def may_be_called(self, atom: Atom) -> bool:
        """Whether a value is a function, or an object that acts as one."""
        if isinstance(atom, Object):
            return self.heap(atom).kind in {"instance", "partial", "getter", "decorator"}
        return isinstance(atom, Closure | Bound | Class | Lib)

    def call_decorator(self, atom: Object, args: Args, line: int) -> Value:
        """The decorator is applied by hand; if it was given a function at once, that function is called."""
        target = frozenset(item for item in self.first(args) if self.may_be_called(item))
        out = self.decorate(frozenset({atom}), target, line) if target else BOTTOM
        return out | self.call(self.read(self.heap(atom).bag), args, line)

    def decorator_entry(self, atom: Atom) -> Entry | None:
        """The summary line of what is used as a decorator (a function, or the result of a call that makes one)."""
        if isinstance(atom, Lib):
            owner, _, member = atom.name.rpartition(".")
            found = self.library().member(owner, member) if owner else None
            return found if isinstance(found, Entry) else None
        if isinstance(atom, Object) and self.heap(atom).kind == "decorator":
            return self.decorators.get(atom.index)
        return None

    def _call_decorated(self, target: Value, argument: Value) -> None:
        for atom in target:
            if isinstance(atom, Closure):
                own = self.receiver_of(atom)
                args = Args([self.passed[atom]] if atom in self.passed else [], star=argument, keyword_star=argument)
                frame = self.activation(atom, args.with_receiver(own) if own is not None else args)
                if not frame.evaluated:
                    self.enqueue(frame)
                frame.leaks_result = True
            else:
                self.leak_atom(atom)

    # ── partial applications ──

    def make_partial(self, callee: Value, args: Args, line: int) -> Value:
        """A callable that remembers arguments."""
        made = self.allocate_at(line, "partial")
        heap = self.heap(made)
        self.write(self.field(heap, " callee"), callee)
        for i, value in enumerate(args.positional):
            self.write(self.position(heap, i), value)
        for name, value in args.keywords.items():
            self.write(self.field(heap, name), value)
        self.write(heap.bag, args.star)
        self.write(heap.keys, args.keyword_star)
        return frozenset({made})

    def _partial_member(self, heap: Heap, atom: Object, name: str, line: int) -> Value:
        if name == "func":
            return self.read(self.field(heap, " callee"))
        made = self.allocate(self.slot(atom, name), "tuple" if name == "args" else "dict", line)
        self.copy_into(self.heap(made), heap)
        return frozenset({made})

    def call_partial(self, heap: Heap, args: Args, line: int) -> Value:
        """Call what a partial application remembers."""
        remembered = [self.read(cell) for cell in heap.prefix]
        keywords = {name: self.read(cell) for name, cell in heap.fields.items() if name != " callee"}
        keywords.update(args.keywords)
        star = self.read(heap.bag)
        if star:
            full = Args(remembered, keywords, star.union(args.star, *args.positional), args.keyword_star)
        else:
            full = Args([*remembered, *args.positional], keywords, args.star, args.keyword_star | self.read(heap.keys))
        return self.call(self.read(self.field(heap, " callee")), full, line)

    # ── context managers, awaiting, operators of instances ──

    def enter(self, value: Value, line: int) -> Value:
        """What `with value as x` binds."""
        out: Value = BOTTOM
        for atom in value:
            if isinstance(atom, Object) and self.heap(atom).kind == "instance" and self.heap(atom).cls >= 0:
                method = self.member(frozenset({atom}), "__enter__", line) or self.member(
                    frozenset({atom}), "__aenter__", line
                )
                out = out | (self.call(method, Args(), line) if method else frozenset({atom}))
            elif isinstance(atom, Object) and self.heap(atom).kind == "iter":
                out = out | self.elements(frozenset({atom}), line)
            elif isinstance(atom, Instance):
                found = self.library().member(atom.cls, "__enter__")
                explicit = isinstance(found, Entry) and found.name == "__enter__"
                out = out | (
                    self.call_method(f"{atom.cls}.__enter__", atom, Args(), line) if explicit else frozenset({atom})
                )
            else:
                out = out | {atom}
        return out

    def awaited(self, value: Value, line: int) -> Value:
        """A promise is transparent: awaiting gives what it stands for."""
        out: Value = BOTTOM
        for atom in value:
            if isinstance(atom, Object) and self.language() == "python":
                out = out | self._awaited_object(atom, line)
                continue
            if isinstance(atom, Instance):
                found = self.library().member(atom.cls, "__await__")
                if isinstance(found, Entry) and found.name == "__await__":
                    out = out | self.call_method(f"{atom.cls}.__await__", atom, Args(), line)
                    continue
            if isinstance(atom, Object) and self.language() == "js" and (own := self._own_then(atom, line)):
                out = out | self._settled(own, line)
                continue
            out = out | {atom}
        return out

    def _own_then(self, atom: Object, line: int) -> Value:
        """JavaScript: the method `then` that the skill wrote for an object, which awaiting calls."""
        heap = self.heap(atom)
        own = self.read(heap.fields["then"]) if "then" in heap.fields else BOTTOM
        if heap.kind == "instance" and heap.cls >= 0:
            own = own | self.class_member(heap.cls, "then")
        return self.with_this(frozenset(item for item in own if isinstance(item, Closure)), frozenset({atom}))

    def _settled(self, then: Value, line: int) -> Value:
        holder = self.allocate(self.slots.setdefault((self.frame.index, f"then {line}"), object()), "promise", line)
        hands: list[Value] = [
            frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), holder)}) for name in ("resolve", "reject")
        ]
        self.call(then, Args(hands), line)
        return self.read(self.heap(holder).bag) or self.settle(BOTTOM)

    def _awaited_object(self, atom: Object, line: int) -> Value:
        """A generator gives what it returns, an object what its `__await__` says."""
        heap = self.heap(atom)
        if heap.kind == "iter" and " result" in heap.fields:
            return self.read(heap.fields[" result"])
        made = self.special(atom, ("__await__",), [], line)
        return self.awaited(made, line) if made else frozenset({atom})

    def operate_instance(self, atom: Instance, op: str, right: Value, line: int) -> Value:
        """An operator on an instance of a library class; `op` ends in `=` if the instance may be changed in place."""
        kind = op.rstrip("=")
        method = _OPERATORS.get(kind, "")
        in_place = method.replace("__", "__i", 1)
        if op != kind and isinstance(own := self.library().member(atom.cls, in_place), Entry) and own.name == in_place:
            return self.call_method(f"{atom.cls}.{in_place}", atom, Args([right]), line)
        found = self.library().member(atom.cls, method) if method else None
        if isinstance(found, Entry) and found.name == method:
            return self.call_method(f"{atom.cls}.{method}", atom, Args([right]), line)
        if kind == "format" and self.language() == "python":
            found = self.library().member(atom.cls, "__format__")
            if isinstance(found, Entry) and found.name == "__format__":
                return self.call_method(f"{atom.cls}.__format__", atom, Args([right]), line)
        if kind == "format" or (kind == "+" and self.language() == "js"):
            return self.text_of(frozenset({atom}))
        return (
            frozenset({atom, Anything()})
            if not isinstance(found, Entry)
            else self.evaluate_entry(f"{atom.cls}.{method}", found, atom, line)
        )

    def super_of(self, cls: int, line: int) -> Value:
        """`super()`: the bases of the enclosing class, on the current receiver."""
        frame = self.frame
        while frame.parent is not None and frame.function.class_index is None:
            frame = frame.parent
        body = frame.parent
        state = self.classes_of_body.get(body.index) if body is not None else None
        if state is None:
            return ANY
        receiver = self.read(frame.cell(frame.function.params[0].name)) if frame.function.params else BOTTOM
        made = self.allocate_for_super(frame.index, state)
        heap = self.heap(made)
        self.write(self.field(heap, " receiver"), receiver)
        return frozenset({made})

    def allocate_for_super(self, frame: int, state: int) -> Object:
        """The one proxy of an activation."""
        key = (frame, -5)
        found = self._allocated.get(key)
        if found is None:
            found = self._allocated[key] = self.new_object("super", 0, state)
        return found

    def object_member(self, atom: Object, name: str, line: int) -> Value:
        """Proxies made by the engine have members of their own."""
        heap = self.heap(atom)
        if heap.kind == "super":
            return self._super_member(heap, name, line)
        if heap.kind == "namespace":
            return self.namespace_member(atom, name)
        if heap.kind == "partial" and name in {"func", "args", "keywords"} and self.language() == "python":
            return self._partial_member(heap, atom, name, line)
        if heap.kind == "proxy":
            return self._proxy_member(heap, atom, lit(name), line)
        return super().object_member(atom, name, line)

    def _proxy_member(self, heap: Heap, atom: Object, key: Value, line: int) -> Value:
        answered = self.trap(heap, "get", [key, frozenset({atom})], line)
        return answered if answered is not None else self.item(self.read(self.field(heap, " target")), key, line)

    def object_item(self, atom: Object, key: Value, line: int) -> Value:
        """An element; a proxy's is what its trap answers."""
        heap = self.heap(atom)
        return (
            self._proxy_member(heap, atom, key, line) if heap.kind == "proxy" else super().object_item(atom, key, line)
        )

    def store_attr(self, atom: Atom, name: str, value: Value, line: int) -> None:
        """A store into a proxy is seen by its trap and reaches its target."""
        if isinstance(atom, Object) and self.heap(atom).kind == "proxy":
            self._store_in_proxy(self.heap(atom), atom, lit(name), value, line)
        else:
            super().store_attr(atom, name, value, line)

    def store_item(self, atom: Atom, key: Value, value: Value, line: int) -> None:
        """Likewise by a computed name."""
        if isinstance(atom, Object) and self.heap(atom).kind == "proxy":
            self._store_in_proxy(self.heap(atom), atom, key, value, line)
        else:
            super().store_item(atom, key, value, line)

    def _store_in_proxy(self, heap: Heap, atom: Object, key: Value, value: Value, line: int) -> None:
        self.trap(heap, "set", [key, value, frozenset({atom})], line)
        for target in self.read(self.field(heap, " target")):
            self.store_item(target, key, value, line)

    def _call_proxy(self, heap: Heap, args: Args, line: int) -> Value:
        """Called or constructed: both traps may answer, and without them the target does."""
        given = self.allocate_at(line, "list")
        for value in args.everything():
            self.write(self.heap(given).bag, value)
        words: Value = frozenset({given})
        applied = self.trap(heap, "apply", [ANY, words], line)
        made = self.trap(heap, "construct", [words], line)
        if applied is None and made is None:
            return self.call(self.read(self.field(heap, " target")), args, line)
        return (applied or BOTTOM) | (made or BOTTOM)

    def _super_member(self, heap: Heap, name: str, line: int) -> Value:
        state = self.classes[heap.cls]
        receivers = self.read(self.field(heap, " receiver"))
        out: Value = BOTTOM
        for base in self.read(state.bases):
            if isinstance(base, Class) and base.index != heap.cls:
                for found in self.class_member(base.index, name):
                    for receiver in receivers:
                        out = out | self.bind_to(found, receiver, line)
            elif isinstance(base, Closure):
                above = frozenset({base}) if name == "constructor" else self.member(self.prototype_of(base), name, line)
                out = out.union(*(self.with_this(above, frozenset({receiver})) for receiver in receivers))
            elif isinstance(base, Lib):
                if name == "__call__" and self.is_plain_metaclass(frozenset({base})):
                    made = Lib(f"{BUILTIN_MEMBER}type.__call__")
                    out = out | frozenset(Bound(made, item) for item in receivers if isinstance(item, Class))
                    continue
                section = self.library().section(base.name)
                if section is not None and section.is_class:
                    out = out | self._library_super(base.name, name, receivers, line)
        return out

    def _library_super(self, base: str, name: str, receivers: Value, line: int) -> Value:
        if name in {"__init__", "constructor"}:
            return frozenset({Lib(base)})
        if name in {"__new__", "__init_subclass__", "__setattr__", "__getattribute__", "__getattr__"}:
            return frozenset({Lib("builtins.object")}) if self.language() == "python" else ANY
        inner = [self.inner_collection(atom) for atom in receivers if isinstance(atom, Object)]
        if any(inner):
            return BOTTOM.union(*(self.inner_member(one, name) for one in inner if one is not None))
        return self.instance_member(Instance(base), name, line)

    def call_object(self, atom: Object, args: Args, line: int) -> Value:
        """`super(...)` in JavaScript calls the constructor of the base."""
        heap = self.heap(atom)
        if heap.kind == "super":
            made = self.call(self._super_member(heap, "constructor", line), args, line)
            self.fill_inner(self.read(self.field(heap, " receiver")), made)
            return made
        if heap.kind == "decorator":
            return self.call_decorator(atom, args, line)
        if heap.kind == "proxy":
            return self._call_proxy(heap, args, line)
        return self.call_plain_object(atom, args, line)

    def is_plain_metaclass(self, value: Value) -> bool:
        """Metaclasses that only collect: ABCMeta, EnumMeta, type."""
        return all(isinstance(atom, Lib) and atom.name in _PLAIN_METACLASSES for atom in value)

    def only_makes_instances(self, value: Value) -> bool:
        """Metaclasses of the skill that define nothing but what happens when the class is called (a single instance)."""
        return bool(value) and all(isinstance(atom, Class) and self._defines_call_alone(atom.index) for atom in value)

    def _defines_call_alone(self, cls: int) -> bool:
        state = self.classes[cls]
        bases = self.read(state.bases)
        inner = {state.loaded.program.functions[index].name for index in state.body.function.inner}
        special = {name for name in state.body.variables if name.startswith("__") and name.endswith("__")}
        return (
            inner == {"__call__"} and special <= {"__call__", "__doc__", "__slots__"} and self.is_plain_metaclass(bases)
        )

    def global_name(self, name: str, line: int) -> Value:
        """A name that the file does not bind."""
        loaded = self.frame.loaded
        if self.language() == "python" and (made := self.read(loaded.frame.cell(name))):
            # bound from outside: through `globals()`, or as an attribute of the module
            return made | self.python_global(name, line) if self.is_builtin(name) else made
        for module in loaded.star:
            found = self.star_member(module, name, line)
            if found:
                return found
        shared = self.shared_names(loaded, name, line)
        if shared:
            return shared
        if self.language() == "python":
            return self.python_global(name, line)
        return self.js_global(name, line)

    def star_member(self, module: Value, name: str, line: int) -> Value:
        """A name that `from m import *` may have brought."""
        out: Value = BOTTOM
        for atom in module:
            if isinstance(atom, Lib):
                section = self.library().section(atom.name)
                listed = section is not None and (
                    name in section.entries or self.library().section(f"{atom.name}.{name}")
                )
                closed = section is not None and section.rest is not None and not self.is_builtin(name)
                if listed or closed:
                    out = out | self.library_member(atom, name, line)
            elif isinstance(atom, Anything):
                out = out | ANY
            elif not isinstance(atom, Const):
                out = out | self.member_of(atom, name, line)
        return out


_IDENTITY = frozenset({"dataclass", "staticmethod", "classmethod", "property", "singledispatch"})
_PLAIN_METACLASSES = frozenset(
    {"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", "builtins.type", "typing._ProtocolMeta"}
)
_OPERATORS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__", "**": "__pow__",
    "|": "__or__", "&": "__and__", "^": "__xor__", "@": "__matmul__", "<<": "__lshift__", ">>": "__rshift__", "unary": "__neg__",
}  # fmt: skip

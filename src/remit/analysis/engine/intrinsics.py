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
from remit.analysis.each import each
from remit.analysis.engine.decorators import Decorators
from remit.analysis.engine.frames import Args
from remit.analysis.engine.marks import BUILTIN_MEMBER, ENVIRONMENTS
from remit.analysis.summaries.library import KEPT
from remit.analysis.summaries.model import Entry

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap


class Intrinsics(Decorators):
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

    def operate_instance(self, atom: Instance, op: str, right: Value, line: int) -> Value:
        """An operator on an instance of a library class; `op` ends in `=` if the instance may be changed in place."""
        if atom.cls.endswith(KEPT):
            return self.operate_kept(atom, op, right, line)
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
            return
        if isinstance(atom, Object) and self.heap(atom).proto is not None:
            self._store_by_prototype(atom, lit(name), value, line)
        if isinstance(atom, Instance | Lib):
            owner = atom.cls if isinstance(atom, Instance) else atom.name
            setter = self.library().setter(owner, name)
            if setter is not None:
                self.apply(f"{owner}.{name}", setter, atom, Args([value]), line)
            elif isinstance(atom, Instance) and not self._sets_by_code(owner, name):
                remedy = f"list it in the summary of `{owner}` (docs/summaries.md, `sets`)"
                self.opaque(f"`{owner}.{name}` is assigned, and its summary does not say what that does", line, remedy)
        super().store_attr(atom, name, value, line)

    def _sets_by_code(self, owner: str, name: str) -> bool:
        """Whether something else says what the assignment does: an environment, a handler of events, which is called with anything."""
        found = self.library().member(owner, "__setattr__")
        handles_events = self.language() == "js" and name.startswith("on") and name.islower()
        return owner in ENVIRONMENTS or handles_events or (isinstance(found, Entry) and found.name == "__setattr__")

    def store_item(self, atom: Atom, key: Value, value: Value, line: int) -> None:
        """Likewise by a computed name."""
        if isinstance(atom, Object) and self.heap(atom).kind == "proxy":
            self._store_in_proxy(self.heap(atom), atom, key, value, line)
        else:
            if isinstance(atom, Instance):  # a container of a library
                outer, self.serving = self.serving, self.library().top_of(atom.cls)
                self.keep(value, line)
                self.serving = outer
            if isinstance(atom, Object) and self.heap(atom).proto is not None:
                self._store_by_prototype(atom, key, value, line)
            super().store_item(atom, key, value, line)

    def _store_by_prototype(self, atom: Object, key: Value, value: Value, line: int) -> None:
        """JavaScript: a setter of the prototype is called on the object, and a proxy there is asked."""
        proto = self.heap(atom).proto
        above = self.read(proto) if proto is not None else BOTTOM
        setters = self.accessors(above, key, line)
        self.call(self.with_this(setters, frozenset({atom})), Args([value]), line)
        for item in each(above):
            if isinstance(item, Object) and self.heap(item).kind == "proxy":
                self.trap(self.heap(item), "set", [key, value, frozenset({atom})], line)

    def _store_in_proxy(self, heap: Heap, atom: Object, key: Value, value: Value, line: int) -> None:
        self.trap(heap, "set", [key, value, frozenset({atom})], line)
        for target in each(self.read(self.field(heap, " target"))):
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
        for base in each(self.read(state.bases)):
            if isinstance(base, Class) and base.index != heap.cls:
                for found in each(self.class_member(base.index, name)):
                    for receiver in each(receivers):
                        out = out | self.bind_to(found, receiver, line)
            elif isinstance(base, Closure):
                above = frozenset({base}) if name == "constructor" else self.member(self.prototype_of(base), name, line)
                out = out.union(*(self.with_this(above, frozenset({receiver})) for receiver in each(receivers)))
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
        inner = [self.inner_collection(atom) for atom in each(receivers) if isinstance(atom, Object)]
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
        for atom in each(module):
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


_PLAIN_METACLASSES = frozenset(
    {"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", "builtins.type", "typing._ProtocolMeta"}
)
_OPERATORS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__", "**": "__pow__",
    "|": "__or__", "&": "__and__", "^": "__xor__", "@": "__matmul__", "<<": "__lshift__", ">>": "__rshift__", "unary": "__neg__",
}  # fmt: skip

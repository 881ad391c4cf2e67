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
from remit.analysis.engine.frames import Args
from remit.analysis.engine.javascript_options import OPERANDS
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.tables import BUILTIN_MEMBER, ENVIRONMENTS, OPERATORS
from remit.analysis.python.names import BUILTIN_NAMES
from remit.analysis.summaries.library import KEPT
from remit.analysis.summaries.model import Entry
from remit.core.effect import Origin

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap


class Intrinsics(EnginePart):
    """Both languages' tables, decorators, and what is left."""

    decorators: engine.Decorators
    js_collections: engine.JavaScriptCollections
    js_intrinsics: engine.JavaScriptIntrinsics
    js_process: engine.JavaScriptProcess
    js_objects: engine.JavaScriptObjects
    js_descriptors: engine.JavaScriptDescriptors
    kept: engine.KeptObjects
    library_members: engine.LibraryMembers
    model_fields: engine.ModelFields
    modules: engine.Modules
    python_intrinsics: engine.PythonIntrinsics
    python_names: engine.PythonNames
    python_objects: engine.PythonObjects

    def run_intrinsic(self, intrinsic: str, name: str, receiver: Atom | None, args: Args, line: int) -> Value:
        """Run it; one that the engine does not know falls back to what its summary line says."""
        table = self.python_intrinsics.table if self.run.language() == "python" else self.js_intrinsics.table
        handler = table.get(intrinsic)
        if handler is not None:
            return handler(receiver, args, line)
        owner, _, member = name.rpartition(".")
        found = self.run.library().member(owner, member)
        if not isinstance(found, Entry) or found.flag("intrinsic") != intrinsic:
            found = self.run.library().member(name, "__init__")
        if isinstance(found, Entry) and (found.effects or found.result is not None):
            plain = self.summaries.plain_entries.get(id(found))
            if plain is None:
                flags = tuple(item for item in found.flags if item[0] != "intrinsic")
                plain = self.summaries.plain_entries[id(found)] = Entry(
                    found.name, found.line, found.params, found.effects, found.result, flags, found.pure
                )
                self.summaries.entries_kept.append(found)
            return self.summaries.apply(name, plain, receiver, args, line)
        self.summaries.leak_all(args)
        return self.run.opaque(f"`{name}` is not understood", line)

    def operate_instance(self, atom: Instance, op: str, right: Value, line: int) -> Value:
        """An operator on an instance of a library class; `op` ends in `=` if the instance may be changed in place."""
        if atom.cls.endswith(KEPT):
            return self.kept.operate_kept(atom, op, right, line)
        kind = op.rstrip("=")
        method = "__neg__" if kind == "unary" else OPERATORS.get(kind, "")
        tried = [method.replace("__", "__i", 1)] if op != kind else []
        tried += [method] if method else []
        tried += ["__format__"] if kind == "format" and self.run.language() == "python" else []
        for name in tried:
            made = self.summaries.call_listed(atom, name, Args([right]), line)
            if made is not None:
                return made
        if kind == "format" or (kind == "+" and self.run.language() == "js"):
            return self.python_names.text_of(frozenset({atom}))
        found = self.run.library().member(atom.cls, method) if method else None
        if isinstance(found, Entry):
            return self.summaries.evaluate_entry(f"{atom.cls}.{method}", found, atom, line)
        return frozenset({atom, Anything()})

    def super_of(self, cls: int, line: int) -> Value:
        """`super()`: the bases of the enclosing class, on the current receiver."""
        frame = self.run.frame
        while frame.parent is not None and frame.function.class_index is None:
            frame = frame.parent
        body = frame.parent
        state = self.class_members.classes_of_body.get(body.index) if body is not None else None
        if state is None:
            return ANY
        receiver = self.cells.read(frame.cell(frame.function.params[0].name)) if frame.function.params else BOTTOM
        made = self.objects.kept_as((frame.index, -5), "super", 0, state)
        self.objects.write(self.objects.heap(made), " receiver", receiver)
        return frozenset({made})

    def object_member(self, atom: Object, name: str, line: int) -> Value:
        """Proxies made by the engine have members of their own."""
        heap = self.objects.heap(atom)
        if heap.kind == "super":
            return self._super_member(heap, name, line)
        if heap.kind == "namespace":
            return self.python_objects.namespace_member(atom, name)
        if heap.kind == "partial" and name in {"func", "args", "keywords"} and self.run.language() == "python":
            return self.decorators.partial_member(heap, atom, name, line)
        if heap.kind == "proxy":
            return self._proxy_member(heap, atom, lit(name), line)
        own = self.model_fields.model_method(heap.cls, name, atom) if heap.is_instance() else BOTTOM
        if own:
            return own
        if name == "_" and OPERANDS in heap.fields:  # known apart from options that are not declared
            return BOTTOM.union(*(self.cells.read(heap.fields[key]) for key in (OPERANDS, name) if key in heap.fields))
        return self.members.plain_object_member(atom, name, line)

    def _proxy_member(self, heap: Heap, atom: Object, key: Value, line: int) -> Value:
        answered = self.js_objects.trap(heap, "get", [key, frozenset({atom})], line)
        if answered is not None:
            return answered
        return self.elements.item(self.cells.read(self.objects.field(heap, " target")), key, line)

    def object_item(self, atom: Object, key: Value, line: int) -> Value:
        """An element; a proxy's is what its trap answers."""
        heap = self.objects.heap(atom)
        if heap.kind == "proxy":
            return self._proxy_member(heap, atom, key, line)
        if heap.kind == "namespace":
            return self.python_objects.namespace_item(heap, key, line)
        return self.elements.plain_object_item(atom, key, line)

    def store_attr(self, atom: Atom, name: str, value: Value, line: int) -> None:
        """A store into a proxy is seen by its trap and reaches its target."""
        if self.objects.is_a(atom, "proxy"):
            self._store_in_proxy(self.objects.heap(atom), atom, lit(name), value, line)
            return
        if isinstance(atom, Object):
            self._store_by_accessor(atom, lit(name), value, line)
        if isinstance(atom, (Instance, Lib)):
            owner = atom.cls if isinstance(atom, Instance) else atom.name
            setter = self.run.library().setter(owner, name)
            if setter is not None:
                self.summaries.apply(f"{owner}.{name}", setter, atom, Args([value]), line)
            elif isinstance(atom, Instance) and not self._sets_by_code(owner, name):
                remedy = f"list it in the summary of `{owner}` (docs/summaries.md, `sets`)"
                self.run.opaque(
                    f"`{owner}.{name}` is assigned, and its summary does not say what that does", line, remedy
                )
        self.js_process.store_global(atom, name, value, line)

    def _sets_by_code(self, owner: str, name: str) -> bool:
        """Whether something else says what the assignment does: an environment, a handler of events, which is called with anything."""
        handles_events = self.run.language() == "js" and name.startswith("on") and name.islower()
        listed = self.run.library().listed(owner, "__setattr__") is not None
        return owner in ENVIRONMENTS or handles_events or listed

    def store_item(self, atom: Atom, key: Value, value: Value, line: int) -> None:
        """Likewise by a computed name."""
        if self.objects.is_a(atom, "proxy"):
            self._store_in_proxy(self.objects.heap(atom), atom, key, value, line)
        else:
            if isinstance(atom, Instance):  # a container of a library
                outer, self.run.serving = self.run.serving, self.run.library().top_of(atom.cls)
                self.kept.keep(value, line)
                self.run.serving = outer
            if isinstance(atom, Object):
                self._store_by_accessor(atom, key, value, line)
            self.stores.plain_store_item(atom, key, value, line)

    def _store_by_accessor(self, atom: Object, key: Value, value: Value, line: int) -> None:
        """JavaScript: a setter of the object or of its prototype is called on the object, and a proxy there is asked."""
        proto, own = self.objects.heap(atom).proto, self.members.defined_accessors.get(atom)
        if proto is None and own is None:
            return
        above = self.cells.read(proto) if proto is not None else BOTTOM
        setters = self.js_descriptors.accessors(above, key, line) | (self.cells.read(own) if own else BOTTOM)
        self.calls.call(self.js_objects.with_this(setters, frozenset({atom})), Args([value]), line)
        for item in each(above):
            if self.objects.is_a(item, "proxy"):
                self.js_objects.trap(self.objects.heap(item), "set", [key, value, frozenset({atom})], line)

    def _store_in_proxy(self, heap: Heap, atom: Object, key: Value, value: Value, line: int) -> None:
        self.js_objects.trap(heap, "set", [key, value, frozenset({atom})], line)
        for target in each(self.cells.read(self.objects.field(heap, " target"))):
            self.store_item(target, key, value, line)

    def _call_proxy(self, heap: Heap, args: Args, line: int) -> Value:
        """Called or constructed: both traps may answer, and without them the target does."""
        given = self.objects.made_here("list", line)
        for value in args.everything():
            self.cells.write(self.objects.heap(given).bag, value)
        words: Value = frozenset({given})
        applied = self.js_objects.trap(heap, "apply", [ANY, words], line)
        made = self.js_objects.trap(heap, "construct", [words], line)
        if applied is None and made is None:
            return self.calls.call(self.cells.read(self.objects.field(heap, " target")), args, line)
        return (applied or BOTTOM) | (made or BOTTOM)

    def _super_member(self, heap: Heap, name: str, line: int) -> Value:
        state = self.programs.classes[heap.cls]
        receivers = self.cells.read(self.objects.field(heap, " receiver"))
        out: Value = BOTTOM
        for base in each(self.cells.read(state.bases)):
            if isinstance(base, Class) and base.index != heap.cls:
                for found in each(self.class_members.class_member(base.index, name)):
                    for receiver in each(receivers):
                        out = out | self.python_names.bind_to(found, receiver, line)
            elif isinstance(base, Closure):
                above = (
                    frozenset({base})
                    if name == "constructor"
                    else self.members.member(self.members.prototype_of(base), name, line)
                )
                out = out.union(
                    *(self.js_objects.with_this(above, frozenset({receiver})) for receiver in each(receivers))
                )
            elif isinstance(base, Lib):
                if name == "__call__" and self.is_plain_metaclass(frozenset({base})):
                    made = Lib(f"{BUILTIN_MEMBER}type.__call__")
                    out = out | frozenset(Bound(made, item) for item in receivers if isinstance(item, Class))
                    continue
                section = self.run.library().section(base.name)
                if section is not None and section.is_class:
                    out = out | self._library_super(base.name, name, receivers, line)
        return out

    def _library_super(self, base: str, name: str, receivers: Value, line: int) -> Value:
        if name in {"__init__", "constructor"}:
            return frozenset({Lib(base)})
        if name in {"__new__", "__init_subclass__", "__setattr__", "__getattribute__", "__getattr__"}:
            return frozenset({Lib("builtins.object")}) if self.run.language() == "python" else ANY
        inner = [self.js_collections.inner_collection(atom) for atom in each(receivers) if isinstance(atom, Object)]
        if any(inner):
            return BOTTOM.union(*(self.js_collections.inner_member(one, name) for one in inner if one is not None))
        return self.js_process.instance_member(Instance(base), name, line)

    def call_object(self, atom: Object, args: Args, line: int) -> Value:
        """`super(...)` in JavaScript calls the constructor of the base."""
        heap = self.objects.heap(atom)
        if heap.kind == "super":
            made = self.calls.call(self._super_member(heap, "constructor", line), args, line)
            self.js_collections.fill_inner(self.cells.read(self.objects.field(heap, " receiver")), made)
            return made
        if heap.kind == "decorator":
            return self.decorators.call_decorator(atom, args, line)
        if heap.kind == "proxy":
            return self._call_proxy(heap, args, line)
        return self.calls.call_plain_object(atom, args, line)

    def is_plain_metaclass(self, value: Value) -> bool:
        """Metaclasses that only collect: ABCMeta, EnumMeta, type."""
        return all(isinstance(atom, Lib) and atom.name in _PLAIN_METACLASSES for atom in value)

    def only_makes_instances(self, value: Value) -> bool:
        """Metaclasses of the skill that define nothing but what happens when the class is called (a single instance)."""
        return bool(value) and all(isinstance(atom, Class) and self._defines_call_alone(atom.index) for atom in value)

    def _defines_call_alone(self, cls: int) -> bool:
        state = self.programs.classes[cls]
        bases = self.cells.read(state.bases)
        inner = {state.loaded.program.functions[index].name for index in state.body.function.inner}
        special = {name for name in state.body.variables if name.startswith("__") and name.endswith("__")}
        return (
            inner == {"__call__"} and special <= {"__call__", "__doc__", "__slots__"} and self.is_plain_metaclass(bases)
        )

    def global_name(self, name: str, line: int) -> Value:
        """A name that the file does not bind."""
        loaded = self.run.frame.loaded
        if self.run.language() == "python" and (made := self.cells.read(loaded.frame.cell(name))):
            # bound from outside: through `globals()`, or as an attribute of the module
            return made | self.python_names.python_global(name, line) if name in BUILTIN_NAMES else made
        for module in loaded.star:
            found = self.star_member(module, name, line)
            if found:
                return found
        shared = self.modules.shared_names(loaded, name, line)
        if shared:
            return shared
        if loaded.origin is Origin.INSTRUCTED and name not in BUILTIN_NAMES:
            section = self.run.library().section(name)
            if section is not None and not section.is_class:
                return frozenset({Lib(name)})  # whoever follows a text imports what its sample leaves out
        if self.run.language() == "python":
            return self.python_names.python_global(name, line)
        return self.js_intrinsics.js_global(name, line)

    def star_member(self, module: Value, name: str, line: int) -> Value:
        """A name that `from m import *` may have brought."""
        out: Value = BOTTOM
        for atom in each(module):
            if isinstance(atom, Lib):
                section = self.run.library().section(atom.name)
                listed = section is not None and (
                    name in section.entries or self.run.library().section(f"{atom.name}.{name}")
                )
                closed = section is not None and section.rest is not None and name not in BUILTIN_NAMES
                if listed or closed:
                    out = out | self.library_members.library_member(atom, name, line)
            elif isinstance(atom, Anything):
                out = out | ANY
            elif not isinstance(atom, Const):
                out = out | self.members.member_of(atom, name, line)
        return out


_PLAIN_METACLASSES = frozenset(
    {"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", "builtins.type", "typing._ProtocolMeta"}
)

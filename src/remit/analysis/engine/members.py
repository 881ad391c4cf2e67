"""Members and elements: attributes, subscripts, iteration, stores."""

from __future__ import annotations

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    UNKNOWN,
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
from remit.analysis.engine.frames import Args, Loaded
from remit.analysis.engine.heap import Cell, Heap
from remit.analysis.engine.leaks import Leaks
from remit.analysis.engine.strings import javascript_text
from remit.analysis.engine.tables import HATCHES, METHODS, TEXT_METHODS
from remit.analysis.engine.texts import derived, literal_texts, literals
from remit.analysis.python.names import unmangled
from remit.analysis.summaries.model import Entry, Section

UNKNOWN_MEMBER = "~any."  # a member of an unknown receiver: resolved by name when it is called
BUILTINS: Value = frozenset({Lib("builtins")})
SLICE = Const("slice")  # the key of `x[a:b] = …`
BUILTIN_MEMBER = "~builtin."  # a method of text, data, a collection
PROTOTYPE = "~prototype."  # JavaScript: the object that instances of a library class inherit from


class Members(Leaks):
    """What is inside a value."""

    def member(self, base: Value, name: str, line: int) -> Value:
        """`base.name`."""
        self.current_line = line
        if self.language() == "python":
            name = unmangled(name)
        self.steps += len(base)
        if name in HATCHES and base != BUILTINS:
            self.leak(base)
            return self.opaque(f"`{name}` reaches around the language", line, "remove the reflection")
        out: Value = BOTTOM
        for atom in base:
            out = out | self.member_of(atom, name, line)
        return out

    def member_of(self, atom: Atom, name: str, line: int) -> Value:
        """A member of one atom."""
        if name in _PROMISE and self.language() == "js" and not isinstance(atom, Const):
            return self._promise_member(atom, name, line)
        if isinstance(atom, Lib) and atom.name.startswith(PROTOTYPE):
            return frozenset({Lib(atom.name[len(PROTOTYPE) :])}) if name == "constructor" else frozenset({Bound(Lib(f"{BUILTIN_MEMBER}borrowed.{name}"), atom)})
        if name == "constructor" and self.language() == "js" and self._made_by_the_language(atom):
            return frozenset({Lib("globals.Function")})  # what `x.constructor.constructor` is, whatever `x` is
        if isinstance(atom, Lib):
            return self.library_member(atom, name, line)
        if isinstance(atom, Object):
            return self.object_member(atom, name, line)
        if isinstance(atom, Module):
            return self.module_member(self.loaded[atom.index], name, line)
        if isinstance(atom, Instance):
            return self.instance_member(atom, name, line)
        if isinstance(atom, Class):
            return self.class_attribute(atom, name, line)
        if isinstance(atom, Text):
            return self.text_member(atom, name)
        if isinstance(atom, Data):
            return frozenset({atom})
        if isinstance(atom, Num):
            return frozenset({Data(UNKNOWN)})
        if isinstance(atom, Closure):
            return self.function_member(atom, name, line)
        if isinstance(atom, Const):
            return BOTTOM
        if name == "__call__" and isinstance(atom, Bound):
            return frozenset({atom})
        if isinstance(atom, Bound) and self.language() == "js" and name in {"call", "apply", "bind"}:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
        constant = self.bound_constant(atom, line) if isinstance(atom, Bound) else None
        if constant is not None:
            return self.member(constant, name, line)
        return frozenset({Bound(Lib(UNKNOWN_MEMBER + name), Anything())})

    def _made_by_the_language(self, atom: Atom) -> bool:
        if isinstance(atom, Object):
            return self.heap(atom).kind not in {"instance", "super"}
        return isinstance(atom, Text | Data | Num | Closure | Bound | Lib | Class | Instance)

    def _promise_member(self, atom: Atom, name: str, line: int) -> Value:
        """A promise is the value it will have, so everything has `then`; an object may have its own."""
        own: Value = BOTTOM
        if isinstance(atom, Object):
            cell = self.heap(atom).fields.get(name)
            own = self.read(cell) if cell is not None else BOTTOM
        if isinstance(atom, Instance | Lib):
            found = self.library().member(atom.cls if isinstance(atom, Instance) else atom.name, name)
            if isinstance(found, Entry) and found.name == name:
                return self.instance_member(atom, name, line) if isinstance(atom, Instance) else self.library_member(atom, name, line)
        return own | {Bound(Lib(f"{BUILTIN_MEMBER}promise.{name}"), atom)}

    # ── libraries ──

    def library_member(self, atom: Lib, name: str, line: int) -> Value:
        """A member of a summarised module or class, or of the constant that a name stands for."""
        library = self.library()
        section = library.section(atom.name)
        if section is None:
            constant = self.constant(atom, line)
            if constant is not None:
                return self.member(constant, name, line)
            if name in {"__name__", "__doc__", "__qualname__", "__module__"}:
                return SOME_TEXT
            if name == "__call__":
                return frozenset({atom})
            if name in _OF_FUTURES and self.language() == "python":
                return BOTTOM  # a task is what it will give, or a task: of a function it can only be the other
            if atom.name in BUILTIN_TYPES:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}unbound.{name}"), atom)})
            if self.language() == "js" and name in {"call", "apply", "bind"}:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
            if self.language() == "js" and name in {"name", "length", "__esModule"}:
                return frozenset({Data(UNKNOWN)})
            return self.opaque(f"`{atom.name}.{name}` is not understood", line)
        found = library.member(atom.name, name)
        if found is None and name in {"__name__", "__doc__", "__file__", "__version__", "__qualname__", "__module__"}:
            return SOME_TEXT
        if self.language() == "js" and found is None:
            if section.is_class and name in {"call", "apply", "bind", "name", "length"}:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)}) if name in {"call", "apply", "bind"} else frozenset({Data(UNKNOWN)})
            if section.is_class and name == "prototype":
                return frozenset({Lib(PROTOTYPE + atom.name)})
            if name == "__esModule":
                return SOME_BOOL
            if name == "default" and not section.is_class:
                return frozenset({atom})  # a CommonJS package as a namespace
            if atom.name == "globals":
                return self.js_global(name, line)
        if found is None and not section.is_class and "default" in section.entries and name != "default":
            whole = library.member(atom.name, "default")
            if isinstance(whole, Entry) and whole.result is not None and whole.params is None:
                return self.member(self.evaluate_entry(f"{atom.name}.default", whole, None, line), name, line)
        return self.as_value(f"{atom.name}.{name}", found, line)

    def as_value(self, name: str, found: Entry | Section | None, line: int) -> Value:
        """What a reference to a library member evaluates to."""
        if found is None:
            return self.opaque(f"`{name}` has no summary", line, f"describe `{name}` in a summary file (remit summaries --help)")
        if isinstance(found, Section):
            return frozenset({Lib(found.name)})
        if found.params is None and not found.pure:
            return self.evaluate_entry(name, found, None, line)
        return frozenset({Lib(name)})

    def constant(self, atom: Lib, line: int) -> Value | None:
        """The value of a name that `pure` lists without saying whether it is a function."""
        owner, _, name = atom.name.rpartition(".")
        found = self.library().member(owner, name) if owner else None
        if isinstance(found, Entry) and found.params is None:
            return (self.evaluate_entry(atom.name, found, None, line) - {atom}) or None
        return None

    def bound_constant(self, atom: Bound, line: int) -> Value | None:
        """The value of an instance's member that `pure` lists without saying whether it is a method."""
        if not isinstance(atom.function, Lib) or not isinstance(atom.receiver, Instance) or atom.function.name.startswith("~"):
            return None
        owner, _, name = atom.function.name.rpartition(".")
        found = self.library().member(owner, name)
        if isinstance(found, Entry) and found.params is None and found.result is not None and found.result.op != "any":
            return self.evaluate_entry(atom.function.name, found, atom.receiver, line)
        return None

    def instance_member(self, atom: Instance, name: str, line: int) -> Value:
        """A member of an instance of a summarised class."""
        found = self.library().member(atom.cls, name)
        if isinstance(found, Entry):
            if found.params is None and not found.pure:
                return self.evaluate_entry(f"{atom.cls}.{name}", found, atom, line)
            return frozenset({Bound(Lib(f"{atom.cls}.{name}"), atom)})
        if isinstance(found, Section):
            return frozenset({Lib(found.name)})
        if name.startswith("__") and name.endswith("__"):
            return frozenset({Data(UNKNOWN)})
        if name in _BORROWS and self.language() == "js" and self._is_callable(atom):
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
        return self.opaque(f"`{atom.cls}.{name}` has no summary", line, f"describe `{atom.cls}.{name}` in a summary file")

    def _is_callable(self, atom: Instance) -> bool:
        found = self.library().member(atom.cls, "__call__")
        return isinstance(found, Entry) and found.name == "__call__"

    # ── values of the skill ──

    def module_member(self, loaded: Loaded, name: str, line: int) -> Value:
        """A name of a module of the skill."""
        if loaded.program.language == "js":
            return self.member(self.exports_of(loaded), name, line)
        if not loaded.frame.evaluated and self.depth < 20:
            self.depth += 1
            loaded.frame.queued = True
            self.evaluate_frame(loaded.frame)
            self.depth -= 1
        cell = loaded.frame.cell(name)
        value = self.read(cell)
        if not value:
            for module in loaded.star:
                value = value | self.member(module, name, line)
        if not value:
            value = self.submodule(loaded, name, line)
        if not value and name != "__getattr__" and (hook := self.read(loaded.frame.cell("__getattr__"))):
            value = self.call(hook, Args([lit(name)]), line)
        return value

    def submodule(self, loaded: Loaded, name: str, line: int) -> Value:
        """`package.module` where the package is a folder of the skill."""
        if not loaded.file.endswith("__init__.py"):
            return BOTTOM
        return self.linker.imported(self, name, 1, loaded, line) if self.linker.exists(name, loaded) else BOTTOM

    def class_member(self, cls: int, name: str, seen: frozenset[int] = frozenset()) -> Value:
        """A member found on the class or, failing that, on its bases that the skill defines."""
        state = self.classes[cls]
        cell = state.body.variables.get(name)
        if cell is not None:
            value = self.read(cell)
            if value:
                return value
        out: Value = BOTTOM
        for atom in self.read(state.bases):
            if isinstance(atom, Class) and atom.index not in seen and atom.index != cls:
                out = out | self.class_member(atom.index, name, seen | {cls})
            elif isinstance(atom, Closure) and name != "constructor":
                out = out | self.member(self.prototype_of(atom), name, state.info.line)
        return out

    def class_attribute(self, atom: Class, name: str, line: int) -> Value:
        """`Class.name`: a plain member, a class method bound to the class, or what a library base has."""
        out: Value = BOTTOM
        for found in self.class_member(atom.index, name):
            if isinstance(found, Closure) and self.functions[found.function][1].binding == "class":
                out = out | {Bound(found, atom)}
            else:
                out = out | {found}
        heap = self.heap(self.classes[atom.index].instance)
        stored = heap.fields.get(f"static {name}")
        if stored is not None:
            out = out | self.read(stored)
        if out:
            return self.enum_members(atom.index, out) if self.is_enum(atom.index) else out
        if name == "__dict__":
            return frozenset({self._class_dict(atom)})
        if name == "prototype":
            return frozenset({self.classes[atom.index].instance})
        if name in {"__name__", "name", "__qualname__", "__module__", "__doc__"}:
            return SOME_TEXT
        bases = self.library_bases(atom.index)
        for base in bases:
            out = out | self.library_member(Lib(base), name, line)
        if out or bases:
            return out
        return ANY if self.is_enum_like(atom) else BOTTOM

    def _class_dict(self, atom: Class) -> Object:
        """The members of a class as a dictionary."""
        key = (-10, atom.index)
        made = self._allocated.get(key)
        if made is None:
            made = self._allocated[key] = self.new_object("dict", 0)
            self.heap(made).fields = self.classes[atom.index].body.variables
        return made

    def is_enum(self, cls: int) -> bool:
        """See `python_objects`."""
        raise AssertionError

    def enum_members(self, cls: int, found: Value) -> Value:
        """See `python_objects`."""
        raise AssertionError

    def enum_values(self, cls: int) -> Value:
        """See `python_objects`."""
        raise AssertionError

    def is_enum_like(self, atom: Class) -> bool:
        """Members of enumerations and named tuples have members of their own."""
        return bool(self.classes[atom.index].info.fields)

    def object_member(self, atom: Object, name: str, line: int) -> Value:
        """A field, a method of the class, or a method of the collection."""
        heap = self.heap(atom)
        out: Value = BOTTOM
        cell = heap.fields.get(name)
        if cell is None and heap.kind in {"instance", "dict", "parser"}:
            cell = self.field(heap, name)
        if cell is not None:
            out = self.read(cell)
        if heap.kind == "instance" and heap.cls >= 0:
            out = out | self.read(heap.bag) | self._from_class(atom, heap, name, line, bool(out))
        elif heap.kind == "parser":
            return out or self.parser_member(atom, name, line)
        elif heap.kind != "dict" or self.language() == "js" or not out:
            out = out | self.collection_member(atom, heap, name)
        elif name in METHODS["python"]["dict"]:
            out = frozenset({Bound(Lib(f"{BUILTIN_MEMBER}dict.{name}"), atom)})
        if heap.proto is not None:
            out = out | self._inherited(atom, heap.proto, name, line)
        if heap.escaped:
            out = out | self.member_of(Anything(), name, line)
        return self._with_getters(atom, out, line)

    def _inherited(self, atom: Object, proto: Cell, name: str, line: int) -> Value:
        """What the prototypes of an object have, on the object itself."""
        out: Value = BOTTOM
        if (atom.index, name) in self.following:
            return out
        self.following.add((atom.index, name))
        for above in self.read(proto):
            for found in self.member_of(above, name, line) if not isinstance(above, Const) else ():
                own = isinstance(found, Bound) and isinstance(found.function, Closure) and found.receiver == above
                out = out | {Bound(found.function, atom) if own and isinstance(found, Bound) else found}
        self.following.discard((atom.index, name))
        return out

    def inherit(self, atom: Atom, value: Value, line: int) -> None:
        """JavaScript: an object gets a prototype."""
        if isinstance(atom, Object):
            heap = self.heap(atom)
            if heap.proto is None:
                heap.proto = Cell(heap)
                for cell in [*heap.fields.values(), heap.bag, heap.keys]:
                    for reader in cell.readers:
                        self.enqueue(reader)
            self.write(heap.proto, value)
        elif isinstance(atom, Class | Closure | Anything):
            self.leak(value)
        elif not isinstance(atom, Const | Text | Num | Data):
            self.leak(value)
            self.opaque("the prototype of a library object is replaced", line)

    def prototype_of(self, atom: Closure) -> Value:
        """What the objects that a function constructs inherit from."""
        cell = self.function_field(atom, "prototype")
        if (atom, " prototype") not in self.functions_fields:
            self.function_field(atom, " prototype")
            made = self.new_object("dict", self.functions[atom.function][1].line)
            self.write(self.field(self.heap(made), "constructor"), frozenset({atom}))
            self.write(cell, frozenset({made}))
        return self.read(cell)

    def _from_class(self, atom: Object, heap: Heap, name: str, line: int, stored: bool) -> Value:  # noqa: FBT001
        out: Value = BOTTOM
        for found in self.class_member(heap.cls, name):
            out = out | self._bind_member(found, atom, line)
        if out or stored:
            return out
        if name == "__class__":
            return frozenset({Class(heap.cls)})
        if name == "constructor" and self.language() == "js":
            return frozenset({Class(heap.cls)})
        if name == "__dict__":
            return frozenset({self.fields_as_dict(atom, heap)})
        for hook in ("__getattr__", "__getattribute__"):
            for method in self.class_member(heap.cls, hook):
                out = out | self.call(frozenset({method}), Args([frozenset({atom}), lit(name)]), line)
        if out:
            return out
        kind = self.builtin_base(heap.cls)
        if kind is not None and name in METHODS["python"][kind]:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}{kind}.{name}"), atom)})
        for base in self.library_bases(heap.cls):
            out = out | self.instance_member(Instance(base), name, line)
        return out

    def fields_as_dict(self, atom: Object, heap: Heap) -> Object:
        """The attributes of an object as a dictionary: the same cells, so that a change of one is a change of the other."""
        key = (-9, atom.index)
        made = self._allocated.get(key)
        if made is None:
            made = self._allocated[key] = self.new_object("dict", heap.line)
            view = self.heap(made)
            view.fields, view.bag, view.keys = heap.fields, heap.bag, heap.keys
        return made

    def builtin_base(self, cls: int, seen: frozenset[int] = frozenset()) -> str | None:
        """The built-in collection that a class of the skill derives from."""
        for atom in self.read(self.classes[cls].bases):
            if isinstance(atom, Lib) and atom.name in _COLLECTION_BASES:
                return _COLLECTION_BASES[atom.name]
            if isinstance(atom, Class) and atom.index not in seen and atom.index != cls:
                found = self.builtin_base(atom.index, seen | {cls})
                if found is not None:
                    return found
        return None

    def _bind_member(self, found: Atom, atom: Object, line: int) -> Value:
        if isinstance(found, Object):
            return frozenset({found}) | self._from_descriptor(found, atom, line)
        if not isinstance(found, Closure):
            return frozenset({found})
        function = self.functions[found.function][1]
        if function.class_index is None or function.binding == "static":
            return frozenset({found})
        if function.binding == "class":
            return frozenset({Bound(found, Class(self.heap(atom).cls))})
        if function.binding == "property":
            return self.call_closure(found, Args([frozenset({atom})]), line, bound=True)
        return frozenset({Bound(found, atom)})

    def _from_descriptor(self, found: Object, owner: Atom, line: int) -> Value:
        """What a class member yields that has a `__get__` of its own."""
        out: Value = BOTTOM
        heap = self.heap(found)
        if heap.kind == "instance" and heap.cls >= 0:
            for method in self.class_member(heap.cls, "__get__"):
                out = out | self.call(frozenset({method}), Args([frozenset({found}), frozenset({owner}), ANY]), line)
        return out

    def _with_getters(self, atom: Object, value: Value, line: int) -> Value:
        """JavaScript: a function stored in an object is called on that object; getters yield what they return."""
        if self.language() != "js" or not any(isinstance(item, Closure) for item in value):
            return value
        out: Value = BOTTOM
        for item in value:
            if isinstance(item, Closure) and self.functions[item.function][1].takes_this:
                function = self.functions[item.function][1]
                if function.binding == "property":
                    out = out | self.call_closure(item, Args([frozenset({atom})]), line, bound=True)
                else:
                    out = out | {Bound(item, atom)}
            else:
                out = out | {item}
        return out

    def collection_member(self, atom: Object, heap: Heap, name: str) -> Value:
        """A method of a list, dict, set, tuple or iterator."""
        language = self.language()
        kind = heap.kind if heap.kind != "instance" else "dict"
        if language == "js":
            if name == "length":
                return SOME_NUM
            if name in METHODS["js"].get("promise", ()):
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}promise.{name}"), atom)})
            if kind == "partial" and name in _BORROWS:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
            if name == "__iter__" and kind in _ITERABLE:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}{kind}.{'entries' if kind == 'map' else 'values'}"), atom)})
            if kind == "iter" and name in {"next", "return", "throw"}:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}iter.next"), atom)})
            kind = {"tuple": "list", "set": "set", "iter": "list"}.get(kind, kind)
        if name in METHODS[language].get(kind, ()):
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}{kind}.{name}"), atom)})
        if language == "python" and name.startswith("__") and name.endswith("__"):
            if name == "__class__":
                return frozenset({Lib(f"builtins.{kind}")}) if kind in {"list", "dict", "set", "tuple"} else frozenset({Data(UNKNOWN)})
            return SOME_TEXT if name == "__doc__" else frozenset({Bound(Lib(f"{BUILTIN_MEMBER}{kind}.{name}"), atom)})
        if language == "python" and kind in {"tuple", "iter"}:
            named = heap.fields.get(name)
            return self.read(named) if named is not None else frozenset({Data(UNKNOWN)}) if name.startswith("__") else BOTTOM
        return self.read(heap.bag) if kind == "dict" else BOTTOM

    def text_member(self, atom: Text, name: str) -> Value:
        """A method of a string."""
        if self.language() == "js":
            if name == "length":
                return SOME_NUM
            if name in METHODS["js"]["promise"]:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}promise.{name}"), atom)})
        elif name not in TEXT_METHODS:
            return BOTTOM
        return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}text.{name}"), atom)})

    def function_member(self, atom: Closure, name: str, line: int) -> Value:
        """An attribute of a function object."""
        if self.language() == "js" and name in {"call", "apply", "bind"}:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
        if self.language() == "js" and name == "prototype":
            return self.prototype_of(atom)
        if name in {"__name__", "__doc__", "__qualname__", "__module__", "name"}:
            return SOME_TEXT
        if name == "length":
            return SOME_NUM
        if name == "__call__":
            return frozenset({atom})
        cell = self.function_field(atom, name)
        return self.read(cell)

    def function_field(self, atom: Closure, name: str) -> Cell:
        """Functions are objects too: their own attributes."""
        found = self.functions_fields.get((atom, name))
        if found is None:
            found = self.functions_fields[atom, name] = Cell(self.function_parts)
        return found

    # ── elements ──

    def elements(self, value: Value, line: int) -> Value:
        """What iterating over a value gives."""
        out: Value = BOTTOM
        for atom in value:
            out = out | self.elements_of(atom, line)
        return out

    def elements_of(self, atom: Atom, line: int) -> Value:
        """Elements of one atom."""
        if isinstance(atom, Object):
            heap = self.heap(atom)
            if heap.kind == "dict" and self.language() == "python":
                return self.keys(frozenset({atom}))
            if heap.kind == "instance" and heap.cls >= 0:
                return self._iterate_instance(atom, line)
            if heap.kind == "dict":
                return self._iterate_object(atom, heap, line)
            out = self.read(heap.bag)
            for cell in heap.prefix:
                out = out | self.read(cell)
            if heap.kind == "map":
                return self.map_entries(atom, heap)
            return out | ANY if heap.escaped else out
        if isinstance(atom, Data):
            return frozenset({atom})
        if isinstance(atom, Text):
            return derived(frozenset({atom}))
        if isinstance(atom, Instance):
            return self._iterate_library(atom, line)
        if isinstance(atom, Lib):
            constant = self.constant(atom, line)
            return self.elements(constant, line) if constant is not None else ANY
        if isinstance(atom, Class):
            return self._class_elements(atom)
        if isinstance(atom, Num | Const | Closure):
            return BOTTOM
        constant = self.bound_constant(atom, line) if isinstance(atom, Bound) else None
        if constant is not None:
            return self.elements(constant, line)
        return ANY

    def _iterate_object(self, atom: Object, heap: Heap, line: int) -> Value:
        """JavaScript: an object with `[Symbol.iterator]`; without it, what a library may take from it by position."""
        methods = frozenset(found for found in self.object_member(atom, "__iter__", line) if not isinstance(found, Data | Text | Num | Const))
        out = self.values_of(heap)
        return out | self.drawn(self.call(methods, Args(), line), line) if methods else out

    def drawn(self, iterators: Value, line: int) -> Value:
        """JavaScript: what iterators give: the `value` of what `next()` returns."""
        own = frozenset(atom for atom in iterators if isinstance(atom, Object) and self.heap(atom).kind in {"dict", "instance"})
        out = self.elements(iterators - own, line)
        for atom in own:
            result = self.call(self.member(frozenset({atom}), "next", line), Args(), line)
            out = out | self.member(result, "value", line)
        return out

    def _iterate_library(self, atom: Instance, line: int) -> Value:
        """What a library object yields: `__next__`, what its `__iter__` yields, or its items."""
        library = self.library()
        for name in ("__next__", "__anext__"):
            found = library.member(atom.cls, name)
            if isinstance(found, Entry) and found.name == name:
                return self.evaluate_entry(f"{atom.cls}.{name}", found, atom, line)
        for name in ("__iter__", "__aiter__"):
            found = library.member(atom.cls, name)
            if isinstance(found, Entry) and found.name == name:
                made = self.evaluate_entry(f"{atom.cls}.{name}", found, atom, line)
                own = frozenset(item for item in made if isinstance(item, Instance) and item.cls == atom.cls)
                return own | self.elements(made - own, line)
        listed = library.member(atom.cls, "__getitem__")
        if isinstance(listed, Entry) and listed.name == "__getitem__":
            return self.evaluate_entry(f"{atom.cls}.__getitem__", listed, atom, line)
        if isinstance(listed, Entry) and listed.pure:
            return self.evaluate_entry(f"{atom.cls}.__getitem__", listed, atom, line)
        return ANY

    def _class_elements(self, atom: Class) -> Value:
        """Iterating over an enumeration gives its members."""
        if self.is_enum(atom.index):
            return self.enum_members(atom.index, self.enum_values(atom.index))
        out: Value = ANY
        for cell in self.classes[atom.index].body.variables.values():
            out = out | self.read(cell)
        return out

    def _iterate_instance(self, atom: Object, line: int) -> Value:
        out: Value = BOTTOM
        base = frozenset({atom})
        for name in ("__iter__", "[iterator]"):
            for found in self.class_member(self.heap(atom).cls, name):
                made = self.call(self._bind_member(found, atom, line), Args(), line)
                if self.language() == "js":
                    out = out | self.drawn(made, line)
                elif atom not in made:
                    out = out | self.elements(made, line)
                else:
                    out = out | self.call(self.member(base, "__next__", line), Args(), line)
        for found in self.class_member(self.heap(atom).cls, "__getitem__"):
            out = out | self.call(self._bind_member(found, atom, line), Args([SOME_NUM]), line)
        if not out:
            for library_base in self.library_bases(self.heap(atom).cls):
                out = out | self.elements_of(Instance(library_base), line)
        return out

    def keys(self, value: Value) -> Value:
        """The keys of mappings and objects."""
        out: Value = BOTTOM
        for atom in value:
            if isinstance(atom, Object):
                heap = self.heap(atom)
                out = out | self.read(heap.keys)
                for name in heap.fields:
                    out = out | lit(name)
                if heap.kind in {"list", "tuple"}:
                    out = out | SOME_NUM
                if heap.escaped or heap.kind == "instance":
                    out = out | SOME_TEXT
            elif isinstance(atom, Data):
                out = out | {atom}
            else:
                out = out | SOME_TEXT
        return out

    def item(self, base: Value, key: Value, line: int) -> Value:
        """`base[key]`."""
        out: Value = BOTTOM
        for atom in base:
            out = out | self.item_of(atom, key, line)
        return out

    def item_of(self, atom: Atom, key: Value, line: int) -> Value:
        """An element of one atom at a key."""
        if isinstance(atom, Object):
            return self.object_item(atom, key, line)
        if isinstance(atom, Data):
            return frozenset({atom})
        if isinstance(atom, Text):
            if self.language() == "js" and not any(isinstance(item, Num) for item in key):
                return self.computed_member(atom, key, line)
            if self.language() == "js" and len(key) == 1:
                return javascript_text("charAt", frozenset({atom}), Args([key]))
            return derived(frozenset({atom}))
        if isinstance(atom, Instance):
            found = self.library().member(atom.cls, "__getitem__")
            if isinstance(found, Entry) and found.name == "__getitem__":
                return self.call_method(f"{atom.cls}.__getitem__", atom, Args([key]), line)
            if self.language() == "js":
                return self.computed_member(atom, key, line)
            if isinstance(found, Entry) and found.pure:
                return self.evaluate_entry(f"{atom.cls}.__getitem__", found, atom, line)
            return ANY
        constant = self.bound_constant(atom, line) if isinstance(atom, Bound) else None
        if constant is not None:
            return self.item(constant, key, line)
        if isinstance(atom, Anything | Bound):
            self.leak(key)
            names = literal_texts(key)
            if self.language() == "js" and names:
                return frozenset(item for name in names for item in self.member_of(Anything(), name, line))
            return frozenset({Bound(Lib(UNKNOWN_MEMBER + "*"), Anything())}) if self.language() == "js" and not _only_numbers(key) else ANY
        if isinstance(atom, Lib):
            constant = self.constant(atom, line)
            if constant is not None:
                return self.item(constant, key, line)
            if self.language() == "js":
                return self.computed_member(atom, key, line)
            section = self.library().section(atom.name)
            return frozenset({atom}) if section is not None and section.is_class else ANY
        if isinstance(atom, Class):
            if self.language() == "js":
                return self.computed_member(atom, key, line)
            return frozenset({atom}) | self._class_elements(atom)
        if isinstance(atom, Module) and self.language() == "js":
            return self.item(self.exports_of(self.loaded[atom.index]), key, line)
        return BOTTOM

    def object_item(self, atom: Object, key: Value, line: int) -> Value:
        """An element of a collection or instance."""
        heap = self.heap(atom)
        if heap.kind == "instance" and heap.cls >= 0 and self.language() == "python":
            out = self.read(heap.bag)
            method = self.class_member(heap.cls, "__getitem__")
            for found in method:
                out = out | self.call(self._bind_member(found, atom, line), Args([key]), line)
            if not method:
                for found in self.class_member(heap.cls, "__missing__"):
                    out = out | self.call(self._bind_member(found, atom, line), Args([key]), line)
                if self.builtin_base(heap.cls) is not None:
                    return out | self._stored_item(heap, key)
                for base in self.library_bases(heap.cls):
                    out = out | self.item_of(Instance(base), key, line)
                for name in self.annotated_fields(heap.cls, set()):
                    out = out | self.read(self.field(heap, name))
            return out
        out = self.read(heap.bag)
        names = literals(key)
        if heap.kind in {"dict", "instance", "map", "parser", "namespace"} and names is not None:
            for name in names:
                cell = heap.fields.get(name)
                if cell is not None:
                    out = out | self.read(cell)
                elif self.language() == "js":
                    out = out | self.object_member(atom, name, line)
        elif heap.prefix and (positions := _positions(key, len(heap.prefix), bool(heap.bag.value))) is not None:
            for position in positions:
                out = out | self.read(heap.prefix[position])
        else:
            for cell in [*heap.prefix, *heap.fields.values()]:
                out = out | self.read(cell)
            if self.language() == "js" and heap.kind == "instance":
                out = out | self.leak_members(atom, line)
        if heap.escaped:
            out = out | ANY
        return self._with_getters(atom, out, line)

    def _stored_item(self, heap: Heap, key: Value) -> Value:
        """An element that was stored in an instance of a subclass of `dict` or `list`."""
        names = literals(key)
        cells = [heap.fields[name] for name in names if name in heap.fields] if names is not None else [*heap.fields.values()]
        out: Value = BOTTOM
        for cell in [*cells, *heap.prefix]:
            out = out | self.read(cell)
        return out

    def leak_members(self, atom: Object, line: int) -> Value:
        """A computed name on an instance: any of its methods."""
        out: Value = BOTTOM
        for name in self.method_names(self.heap(atom).cls):
            out = out | self.object_member(atom, name, line)
        return out

    def computed_member(self, atom: Atom, key: Value, line: int) -> Value:
        """`base[key]` in JavaScript, `getattr(base, key)` in Python: rule 5, a finite universe or opaque."""
        names = literals(key)
        if names is not None:
            return frozenset(item for name in names for item in self.member(frozenset({atom}), name, line))
        if isinstance(atom, Object):
            out = self.object_item(atom, key, line)
            heap = self.heap(atom)
            if heap.kind == "instance" and heap.cls >= 0:
                out = out | self.leak_members(atom, line)
            return out
        if isinstance(atom, Module):
            loaded = self.loaded[atom.index]
            found: Value = BOTTOM
            for cell in list(loaded.frame.variables.values()):
                found = found | self.read(cell)
            return found if loaded.program.language == "python" else self.item(self.exports_of(loaded), key, line)
        if isinstance(atom, Text | Data | Num):
            return frozenset({Data(UNKNOWN), Bound(Lib(f"{BUILTIN_MEMBER}text.*"), atom)}) if isinstance(atom, Text) else frozenset({Data(UNKNOWN)})
        if isinstance(atom, Class):
            out = BOTTOM
            for cell in list(self.classes[atom.index].body.variables.values()):
                out = out | self.read(cell)
            return out
        if isinstance(atom, Const):
            return BOTTOM
        if isinstance(atom, Anything):
            return frozenset({Bound(Lib(UNKNOWN_MEMBER + "*"), atom)})
        if isinstance(atom, Lib | Instance) and self.is_closed_pure(atom):
            return frozenset({Data(UNKNOWN)})
        name = atom.name if isinstance(atom, Lib) else atom.cls if isinstance(atom, Instance) else "a function"
        return self.opaque(f"a member of `{name}` is chosen by a computed name", line, "use the member by its name")

    def is_closed_pure(self, atom: Lib | Instance) -> bool:
        """Whether no member of a section has any effect."""
        section = self.library().section(atom.name if isinstance(atom, Lib) else atom.cls)
        if section is None or section.rest is None or not section.rest.pure:
            return False
        return not any(entry.effects or entry.flag("intrinsic") for entry in section.entries.values())

    def slice(self, value: Value, start: int | None, term: object) -> Value:
        """`value[start:]` and other cuts."""
        out: Value = BOTTOM
        for atom in value:
            if isinstance(atom, Object):
                out = out | {self._cut(atom, start, term)}
            elif isinstance(atom, Text):
                out = out | derived(frozenset({atom})) if start != 0 else out | {atom}
            elif isinstance(atom, Data):
                out = out | {atom}
            elif isinstance(atom, Instance) or (isinstance(atom, Lib | Module | Class) and self.language() == "js"):
                out = out | {atom}  # the rest of a destructured module still has its members
            elif isinstance(atom, Lib):
                constant = self.constant(atom, 0)
                out = out | (self.slice(constant, start, term) if constant is not None else ANY)
            elif not isinstance(atom, Const | Num):
                out = out | ANY
        return out

    def _cut(self, atom: Object, start: int | None, term: object) -> Object:
        heap = self.heap(atom)
        made = self.allocate((term, atom) if term is None else term, heap.kind if heap.kind in {"list", "tuple", "dict"} else "list", heap.line)
        target = self.heap(made)
        self.write(target.bag, self.read(heap.bag))
        if start is None:
            for cell in heap.prefix:
                self.write(target.bag, self.read(cell))
        else:
            for i, cell in enumerate(heap.prefix[start:]):
                self.write(self.position(target, i), self.read(cell))
        for name, cell in list(heap.fields.items()):
            self.write(self.field(target, name), self.read(cell))
        if heap.escaped:
            self.write(target.bag, ANY)
        return made

    # ── stores ──

    def store_attr(self, atom: Atom, name: str, value: Value, line: int) -> None:
        """`atom.name = value`."""
        if name == "__proto__" and self.language() == "js":
            self.inherit(atom, value, line)
            return
        if name in _HATCHED_STORES and self.language() == "python":
            self.leak(value)
            self.opaque(f"`{name}` is replaced", line, "remove the reflection")
        if isinstance(atom, Object):
            heap = self.heap(atom)
            if name == "__dict__":
                self.spread_mapping(heap, value)
            self.write(self.field(heap, name), value)
            if heap.escaped:
                self.leak(value)
        elif isinstance(atom, Module):
            loaded = self.loaded[atom.index]
            if loaded.program.language == "js":
                self.write(self.exports_field(loaded, name), value)
            else:
                self.write(loaded.frame.cell(name), value)
        elif isinstance(atom, Class):
            self.write(self.field(self.heap(self.classes[atom.index].instance), f"static {name}"), value)
            self.write(self.field(self.heap(self.classes[atom.index].instance), name), value)
        elif isinstance(atom, Closure):
            self.write(self.function_field(atom, name), value)
        elif isinstance(atom, Lib):
            self.patch(atom, name, value, line)
        elif isinstance(atom, Instance):
            found = self.library().member(atom.cls, "__setattr__")
            if isinstance(found, Entry) and found.name == "__setattr__":
                self.call_method(f"{atom.cls}.__setattr__", atom, Args([lit(name), value]), line)
            (self.hand_over if self.language() == "js" else self.leak)(value)
        elif isinstance(atom, Bound) and (constant := self.bound_constant(atom, line)) is not None:
            for item in constant:
                self.store_attr(item, name, value, line)
        else:
            self.leak(value)

    def patch(self, atom: Lib, name: str, value: Value, line: int) -> None:
        """Replacing a member of a library: later users of the library get the new function (rule 5)."""
        self.leak(value)
        full = f"{atom.name}.{name}"
        if full == "sys.argv":
            self.write(self.argv, self.elements(value, line))
        if full.startswith(PROTOTYPE):
            self.opaque(f"`{name}` is added to what all objects of `{atom.name[len(PROTOTYPE) :]}` inherit", line, "do not patch libraries")
            return
        if full not in _HARMLESS_PATCHES and any(isinstance(item, Closure | Lib | Bound | Class) for item in value):
            self.opaque(f"`{full}` is replaced", line, "do not patch libraries")

    def store_item(self, atom: Atom, key: Value, value: Value, line: int) -> None:
        """`atom[key] = value`."""
        if isinstance(atom, Object):
            heap = self.heap(atom)
            if heap.kind in {"dict", "map", "instance", "parser", "namespace"}:
                self.put(heap, key, value)
            elif SLICE in key:
                self.write(heap.bag, self.elements(value, line))
                self.lose_order(heap)
            else:
                for cell in [*heap.prefix, heap.bag]:
                    self.write(cell, value)
            if heap.escaped:
                self.leak(value)
            if heap.kind == "instance" and heap.cls >= 0:
                for method in self.class_member(heap.cls, "__setitem__"):
                    self.call(self._bind_member(method, atom, line), Args([key, value]), line)
        elif isinstance(atom, Instance):
            found = self.library().member(atom.cls, "__setitem__")
            if isinstance(found, Entry) and found.name == "__setitem__":
                self.call_method(f"{atom.cls}.__setitem__", atom, Args([key, value]), line)
            self.leak(value)
        elif isinstance(atom, Module | Class | Closure | Lib):
            names = literals(key)
            if names is None:
                self.leak(value)
                if isinstance(atom, Lib | Module):
                    self.opaque("a member of a module is replaced by a computed name", line)
            else:
                for name in names:
                    self.store_attr(atom, name, value, line)
        else:
            self.leak(value)
            self.leak(key)

    def put(self, heap: Heap, key: Value, value: Value) -> None:
        """An entry of a mapping."""
        names = literals(key)
        self.write(heap.keys, key)
        if names is None:
            self.write(heap.bag, value)
            for cell in heap.fields.values():
                self.write(cell, value)
        else:
            for name in names:
                if name == "__proto__" and self.language() == "js":
                    self._link_prototype(heap, value)
                else:
                    self.write(self.field(heap, name), value)

    def _link_prototype(self, heap: Heap, value: Value) -> None:
        """`{__proto__: value}`."""
        if heap.proto is None:
            heap.proto = Cell(heap)
        self.write(heap.proto, value)

    def delete_item(self, atom: Atom, key: Value, line: int) -> None:
        """`del atom[key]`."""
        if isinstance(atom, Instance):
            found = self.library().member(atom.cls, "__delitem__")
            if isinstance(found, Entry) and found.name == "__delitem__":
                self.call_method(f"{atom.cls}.__delitem__", atom, Args([key]), line)
        elif isinstance(atom, Object) and self.heap(atom).kind == "list":
            self.lose_order(self.heap(atom))

    def lose_order(self, heap: Heap) -> None:
        """Something was inserted or removed at an unknown place: what was at a known position may be anywhere."""
        for cell in heap.prefix:
            self.write(heap.bag, self.read(cell))
        everything = self.read(heap.bag)
        for cell in heap.prefix:
            self.write(cell, everything)

    # ── contracts with other parts ──

    def evaluate_entry(self, name: str, entry: Entry, receiver: Instance | None, line: int) -> Value:
        """See `apply`."""
        raise AssertionError

    def call_method(self, name: str, receiver: Atom, args: Args, line: int) -> Value:
        """See `apply`."""
        raise AssertionError

    def call_closure(self, closure: Closure, args: Args, line: int, *, new: bool = False, bound: bool = False) -> Value:
        """See `calls`."""
        raise AssertionError

    def library_bases(self, cls: int) -> list[str]:
        """See `calls`."""
        raise AssertionError

    def annotated_fields(self, cls: int, seen: set[int]) -> list[str]:
        """See `calls`."""
        raise AssertionError

    def position(self, heap: Heap, index: int) -> Cell:
        """See `calls`."""
        raise AssertionError

    def exports_of(self, loaded: Loaded) -> Value:
        """See `modules`."""
        raise AssertionError

    def exports_field(self, loaded: Loaded, name: str) -> Cell:
        """See `modules`."""
        raise AssertionError

    def js_global(self, name: str, line: int) -> Value:
        """See `intrinsics_js`."""
        raise AssertionError

    def parser_member(self, atom: Object, name: str, line: int) -> Value:
        """See `intrinsics`."""
        raise AssertionError

    def values_of(self, heap: Heap) -> Value:
        """See `collections`."""
        raise AssertionError

    def map_entries(self, atom: Object, heap: Heap) -> Value:
        """See `collections`."""
        raise AssertionError

    def spread_mapping(self, heap: Heap, value: Value) -> None:
        """See `collections`."""
        raise AssertionError


_OF_FUTURES = frozenset({"result", "done", "cancel", "cancelled", "exception", "add_done_callback", "set_name", "get_name"})
_HATCHED_STORES = HATCHES | {"__class__"}
BUILTIN_TYPES = frozenset(
    f"builtins.{name}" for name in "dict list set frozenset tuple str bytes bytearray int float complex bool object type range memoryview".split()
)
_COLLECTION_BASES = {
    "builtins.dict": "dict", "builtins.list": "list", "builtins.set": "set", "builtins.tuple": "tuple", "collections.OrderedDict": "dict",
    "collections.defaultdict": "dict", "collections.Counter": "dict", "collections.UserDict": "dict", "collections.UserList": "list",
    "collections.deque": "list", "builtins.frozenset": "set",
}  # fmt: skip
_PROMISE = METHODS["js"]["promise"]
_BORROWS = frozenset({"call", "apply", "bind"})
_ITERABLE = frozenset({"list", "tuple", "set", "map", "iter"})
_HARMLESS_PATCHES = frozenset({"sys.stdout", "sys.stderr", "sys.stdin", "sys.argv", "sys.excepthook"})


def _only_numbers(key: Value) -> bool:
    return bool(key) and all(isinstance(atom, Num) for atom in key)


def _positions(key: Value, length: int, open_ended: bool) -> list[int] | None:  # noqa: FBT001
    """The known positions that an index can mean; None if it is not a number, or counts from an end that is open."""
    out: list[int] = []
    for atom in key:
        if not isinstance(atom, Num) or atom.low is None or atom.low != atom.high:
            return None
        index = int(atom.low)
        if index < 0:
            if open_ended:
                return None
            index += length
        if 0 <= index < length:
            out.append(index)
    return out


__all__ = ["BUILTIN_MEMBER", "SOME_BOOL", "UNKNOWN_MEMBER", "Members"]

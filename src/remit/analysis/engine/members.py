"""Members: attributes of libraries, of what the skill defines, and of what the languages provide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NEVER,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    UNKNOWN,
    UNREACHED,
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
from remit.analysis.engine.tables import HATCHES, METHODS, NUMBER_METHODS, STRING_MEMBERS, TEXT_METHODS
from remit.analysis.python.names import unmangled
from remit.analysis.summaries.model import Entry, Section

if TYPE_CHECKING:
    from remit.analysis.ir import Function

UNKNOWN_MEMBER = "~any."  # a member of an unknown receiver: resolved by name when it is called
BUILTINS: Value = frozenset({Lib("builtins")})
CHOSEN = Lib(
    "~chosen.*"
)  # bound to what it was chosen of: harmless as a value (`getattr(logging, level)`), opaque when it is used
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
            return (
                frozenset({Lib(atom.name[len(PROTOTYPE) :])})
                if name == "constructor"
                else frozenset({Bound(Lib(f"{BUILTIN_MEMBER}borrowed.{name}"), atom)})
            )
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
            if self.language() == "js" and name in NUMBER_METHODS:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}number.{name}"), atom)})
            return frozenset({Data(UNKNOWN)})
        if isinstance(atom, Closure):
            return self.function_member(atom, name, line)
        if isinstance(atom, Const):
            return UNREACHED if atom == NEVER else BOTTOM
        if isinstance(atom, Bound) and atom.function == CHOSEN:
            return self.chosen(atom.receiver, line)
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
                return (
                    self.instance_member(atom, name, line)
                    if isinstance(atom, Instance)
                    else self.library_member(atom, name, line)
                )
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
                return (
                    frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
                    if name in {"call", "apply", "bind"}
                    else frozenset({Data(UNKNOWN)})
                )
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
            return self.opaque(
                f"`{name}` has no summary", line, f"describe `{name}` in a summary file (remit summaries --help)"
            )
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
        if (
            not isinstance(atom.function, Lib)
            or not isinstance(atom.receiver, Instance)
            or atom.function.name.startswith("~")
        ):
            return None
        owner, _, name = atom.function.name.rpartition(".")
        found = self.library().member(owner, name)
        if isinstance(found, Entry) and found.params is None and found.result is not None and found.result.op != "any":
            return self.evaluate_entry(atom.function.name, found, atom.receiver, line)
        return None

    def chosen(self, atom: Atom, line: int) -> Value:
        """A member that a computed name chose is used for more than its value: nobody knows what happens."""
        name = atom.name if isinstance(atom, Lib) else atom.cls if isinstance(atom, Instance) else "a function"
        return self.opaque(f"a member of `{name}` is chosen by a computed name", line, "use the member by its name")

    def instance_member(self, atom: Instance, name: str, line: int) -> Value:
        """A member of an instance of a summarised class; in Python one of any name that the skill gave such an instance."""
        found = self.library().member(atom.cls, name)
        explicit = isinstance(found, Entry) and found.name == name
        if explicit or self.language() != "python":
            return self._summarised(atom, name, found, line)
        added = self.read(self.instance_fields.setdefault(("", name), Cell(self.function_parts)))
        return added | self._summarised(atom, name, found, line)

    def _summarised(self, atom: Instance, name: str, found: Entry | Section | None, line: int) -> Value:
        if self.language() == "python" and not (isinstance(found, Entry) and found.name == name):
            if name in self.stored_names and not (isinstance(found, Entry) and found.pure):
                return ANY  # set by the skill; what it set has leaked
            if name in _ENTERING:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}manager.{name}"), atom)})
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
        return self.opaque(
            f"`{atom.cls}.{name}` has no summary", line, f"describe `{atom.cls}.{name}` in a summary file"
        )

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
            if isinstance(found, Closure) and self.binding_in(atom.index, name, found) == "class":
                out = out | {Bound(found, atom)}
            else:
                out = out | {found}
        heap = self.heap(self.classes[atom.index].instance)
        stored = heap.fields.get(f"static {name}")
        out = out | self.read(stored) if stored is not None else out
        if stored is None:
            self.read(heap.keys)  # it may be set later
        if out:
            return self.enum_members(atom.index, out) if self.is_enum(atom.index) else out
        for meta in self.makers_of(atom.index):
            out = out | self.class_member(meta, name)
        if out:
            return out
        if name == "__dict__":
            return frozenset({self._class_dict(atom)})
        if name == "prototype":
            return frozenset({self.classes[atom.index].instance})
        if name in {"__name__", "name", "__qualname__", "__module__", "__doc__"}:
            return SOME_TEXT
        bases = self.library_bases(atom.index)
        if name in _MAKERS and "globals.Array" in bases:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}made.{name}"), atom)})
        for base in bases:
            out = out | self.library_member(Lib(base), name, line)
        if out or bases:
            return out
        return ANY if self.is_enum_like(atom) else BOTTOM

    def makers_of(self, cls: int, seen: frozenset[int] = frozenset()) -> set[int]:
        """The metaclasses of the skill that make the instances of a class."""
        out = set(self.classes[cls].makers)
        for base in self.classes[cls].bases.value:
            if isinstance(base, Class) and base.index not in seen and base.index != cls:
                out |= self.makers_of(base.index, seen | {cls})
        return out

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
            out = out | self._bind_member(found, atom, line, name)
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
        inner = self.inner_collection(atom)
        if inner is not None:
            return self.inner_member(inner, name)
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

    def _bind_member(self, found: Atom, atom: Object, line: int, name: str = "") -> Value:
        if isinstance(found, Object):
            return frozenset({found}) | self._from_descriptor(found, atom, line)
        if not isinstance(found, Closure):
            return frozenset({found})
        binding = self.binding_in(self.heap(atom).cls, name, found)
        if binding == "static":
            return frozenset({found})
        if binding == "class":
            return frozenset({Bound(found, Class(self.heap(atom).cls))})
        if binding == "property":
            return self.call_closure(found, Args([frozenset({atom})]), line, bound=True)
        return frozenset({Bound(found, atom)})

    def binding_in(self, cls: int, name: str, found: Closure) -> str:
        """How a function found on a class is bound: as its own definition says, or as the method that it took the place of (what a
        decorator returned). A function that was made elsewhere is a method too, unless `staticmethod` was called on it."""
        function = self.functions[found.function][1]
        if function.class_index is not None:
            return function.binding
        if self.language() == "js":
            return "static"
        replaced = self._method_named(cls, name, set())
        return replaced.binding if replaced is not None else self.bound_as.get(found, "")

    def _method_named(self, cls: int, name: str, seen: set[int]) -> Function | None:
        """The definition of a method in the body of a class or of its bases."""
        seen.add(cls)
        body = self.classes[cls].body
        for index in reversed(body.function.inner):
            function = body.loaded.program.functions[index]
            if function.name == name:
                return function
        for base in self.classes[cls].bases.value:
            if isinstance(base, Class) and base.index not in seen:
                found = self._method_named(base.index, name, seen)
                if found is not None:
                    return found
        return None

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
                return frozenset(
                    {Bound(Lib(f"{BUILTIN_MEMBER}{kind}.{'entries' if kind == 'map' else 'values'}"), atom)}
                )
            if kind == "iter" and name in {"next", "return", "throw"}:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}iter.next"), atom)})
            kind = {"tuple": "list", "set": "set", "iter": "list"}.get(kind, kind)
        if name in METHODS[language].get(kind, ()):
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}{kind}.{name}"), atom)})
        if language == "python" and name.startswith("__") and name.endswith("__"):
            if name == "__class__":
                return (
                    frozenset({Lib(f"builtins.{kind}")})
                    if kind in {"list", "dict", "set", "tuple"}
                    else frozenset({Data(UNKNOWN)})
                )
            return SOME_TEXT if name == "__doc__" else frozenset({Bound(Lib(f"{BUILTIN_MEMBER}{kind}.{name}"), atom)})
        if language == "python" and kind in {"tuple", "iter"}:
            named = heap.fields.get(name)
            return (
                self.read(named)
                if named is not None
                else frozenset({Data(UNKNOWN)})
                if name.startswith("__")
                else BOTTOM
            )
        return self.read(heap.bag) if kind == "dict" else BOTTOM

    def text_member(self, atom: Text, name: str) -> Value:
        """A method of a string."""
        if self.language() == "js":
            if name == "length":
                return SOME_NUM
            if name in METHODS["js"]["promise"]:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}promise.{name}"), atom)})
            if name not in STRING_MEMBERS and not name.startswith(_STRING_PREFIXES):
                return BOTTOM
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

    # ── contracts with other parts ──

    def inner_collection(self, atom: Object) -> Object | None:
        """See `javascript_collections`."""
        raise AssertionError

    def inner_member(self, inner: Object, name: str) -> Value:
        """See `javascript_collections`."""
        raise AssertionError

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


_ENTERING = frozenset({"__enter__", "__exit__", "__aenter__", "__aexit__"})
_OF_FUTURES = frozenset(
    {"result", "done", "cancel", "cancelled", "exception", "add_done_callback", "set_name", "get_name"}
)
BUILTIN_TYPES = frozenset(
    f"builtins.{name}"
    for name in "dict list set frozenset tuple str bytes bytearray int float complex bool object type range memoryview".split()
)
_COLLECTION_BASES = {
    "builtins.dict": "dict", "builtins.list": "list", "builtins.set": "set", "builtins.tuple": "tuple", "collections.OrderedDict": "dict",
    "collections.defaultdict": "dict", "collections.Counter": "dict", "collections.UserDict": "dict", "collections.UserList": "list",
    "collections.deque": "list", "builtins.frozenset": "set", "globals.Array": "list", "globals.Map": "map", "globals.WeakMap": "map",
    "globals.Set": "set", "globals.WeakSet": "set",
}  # fmt: skip
_PROMISE = METHODS["js"]["promise"]
_STRING_PREFIXES = (
    "@@",
    "__",
    "read",
    "write",
    "utf8",
    "latin1",
    "base64",
    "hex",
    "ascii",
    "ucs2",
)  # of symbols and of buffers
_BORROWS = frozenset({"call", "apply", "bind"})
_MAKERS = frozenset(
    {"from", "of", "fromAsync"}
)  # JavaScript: static methods of arrays that make instances of the class
_ITERABLE = frozenset({"list", "tuple", "set", "map", "iter"})


__all__ = ["BUILTIN_MEMBER", "SOME_BOOL", "UNKNOWN_MEMBER", "Members"]

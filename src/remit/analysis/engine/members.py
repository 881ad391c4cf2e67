"""Members: attributes of libraries, of what the skill defines, and of what the languages provide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    MISSING,
    NEVER,
    PERHAPS,
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
    unsited,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, Loaded
from remit.analysis.engine.heap import Cell, Heap, may_lack, or_missing
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import (
    BUILTIN_MEMBER,
    CHOSEN,
    COMPUTED,
    HATCHES,
    METHODS,
    NUMBER_METHODS,
    PROTOTYPE,
    READING,
    REGISTERED,
    STRING_MEMBERS,
    TEXT_METHODS,
    UNKNOWN_MEMBER,
)
from remit.analysis.python.names import unmangled
from remit.analysis.summaries.model import Entry, Section

if TYPE_CHECKING:
    from remit.analysis.engine import engine


BUILTINS: Value = frozenset({Lib("builtins")})


class Members(EnginePart):
    """What is inside a value."""

    evaluator: engine.Evaluator
    js_collections: engine.JavaScriptCollections
    js_process: engine.JavaScriptProcess
    js_objects: engine.JavaScriptObjects
    kept: engine.KeptObjects
    library_members: engine.LibraryMembers
    modules: engine.Modules
    python_objects: engine.PythonObjects
    python_options: engine.PythonOptions

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.functions_fields: dict[tuple[Closure, str], Cell] = {}
        self.function_parts = Heap("function", 0)  # what is stored on functions counts as stored
        self.following: set[tuple[int, str]] = set()  # prototypes that are being followed, against cycles
        self.instance_fields: dict[
            tuple[str, str], Cell
        ] = {}  # what a skill adds to objects of a library class (Python: of any)
        self.defined_accessors: dict[
            Atom, Cell
        ] = {}  # JavaScript: object → the accessors that it was given by descriptors

    def member(self, base: Value, name: str, line: int) -> Value:
        """`base.name`."""
        self.run.current_line = line
        python = self.run.language() == "python"
        if python:
            name = unmangled(name)
            if name in _OF_ALIASES:
                return ANY | self.kept.called_by("typing")
        self.work.steps += len(base)
        if name in HATCHES and base != BUILTINS:
            self.leaks.leak(base)
            return self.run.opaque(f"`{name}` reaches around the language", line, "remove the reflection")
        out: Value = BOTTOM
        lacking = False
        for atom in base if len(base) < 2 else each(base):
            if python and type(atom) in _FUNCTIONS:
                self.kept.note_caught(frozenset({atom}))
            found = self.member_of(atom, name, line)
            lacking = lacking or not (found or isinstance(atom, Const))
            out = out | found
        return or_missing(out) if lacking and not python else out

    def member_of(self, atom: Atom, name: str, line: int) -> Value:  # noqa: C901, PLR0911, PLR0912  one case for each kind of value
        """A member of one atom."""
        if name in _PROMISE and self.run.language() == "js" and not isinstance(atom, Const):
            return self._promise_member(atom, name, line)
        if isinstance(atom, Lib) and atom.name.startswith(PROTOTYPE):
            return (
                frozenset({Lib(atom.name[len(PROTOTYPE) :])})
                if name == "constructor"
                else frozenset({Bound(Lib(f"{BUILTIN_MEMBER}borrowed.{name}"), atom)})
            )
        if name == "constructor" and self.run.language() == "js" and self._made_by_the_language(atom):
            return frozenset({Lib("globals.Function")})  # what `x.constructor.constructor` is, whatever `x` is
        if isinstance(atom, Lib):
            return self.library_members.library_member(atom, name, line)
        if isinstance(atom, Object):
            return self.intrinsics.object_member(atom, name, line)
        if isinstance(atom, Module):
            return self.module_member(self.programs.loaded[atom.index], name, line)
        if isinstance(atom, Instance):
            return self.js_process.instance_member(atom, name, line)
        if isinstance(atom, Class):
            return self.class_members.class_attribute(atom, name, line)
        if isinstance(atom, Text):
            return self.text_member(atom, name)
        if isinstance(atom, Data):
            return frozenset({atom})
        if isinstance(atom, Num):
            if self.run.language() == "js" and name in NUMBER_METHODS:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}number.{name}"), atom)})
            return frozenset({Data(UNKNOWN)})
        if isinstance(atom, Closure):
            return self.function_member(atom, name, line)
        if isinstance(atom, Const):
            return UNREACHED if atom == NEVER else BOTTOM
        if isinstance(atom, Bound) and atom.function == CHOSEN:
            return self.library_members.chosen(atom.receiver, line)
        if name == "__call__" and isinstance(atom, Bound):
            return frozenset({atom})
        if isinstance(atom, Bound) and self.run.language() == "js" and name in {"call", "apply", "bind"}:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
        constant = self.library_members.bound_constant(atom, line) if isinstance(atom, Bound) else None
        if constant is not None:
            return self.member(constant, name, line)
        return frozenset({Bound(Lib(UNKNOWN_MEMBER + name), Anything())})

    def _made_by_the_language(self, atom: Atom) -> bool:
        if isinstance(atom, Object):
            return self.objects.heap(atom).kind not in {"instance", "super"}
        return isinstance(atom, (Text, Data, Num, Closure, Bound, Lib, Class, Instance))

    def _promise_member(self, atom: Atom, name: str, line: int) -> Value:
        """A promise is the value it will have, so everything has `then`; an object may have its own."""
        own: Value = BOTTOM
        if isinstance(atom, Object):
            cell = self.objects.heap(atom).fields.get(name)
            own = self.cells.read(cell) if cell is not None else BOTTOM
        if isinstance(atom, (Instance, Lib)):
            found = self.run.library().member(atom.cls if isinstance(atom, Instance) else atom.name, name)
            if isinstance(found, Entry) and found.name == name:
                return (
                    self.js_process.instance_member(atom, name, line)
                    if isinstance(atom, Instance)
                    else self.library_members.library_member(atom, name, line)
                )
        return own | {Bound(Lib(f"{BUILTIN_MEMBER}promise.{name}"), atom)}

    # ── values of the skill ──

    def module_member(self, loaded: Loaded, name: str, line: int) -> Value:
        """A name of a module of the skill."""
        if loaded.program.language == "js":
            return self.member(self.modules.exports_of(loaded), name, line)
        if not loaded.frame.evaluated and self.calls.depth < 20:
            self.calls.depth += 1
            loaded.frame.queued = True
            self.evaluator.evaluate_frame(loaded.frame)
            self.calls.depth -= 1
        if name == "__dict__":
            return frozenset({self.python_objects.frame_namespace(loaded.frame)})
        cell = loaded.frame.cell(name)
        value = self.cells.read(cell)
        if not value:
            value = value.union(*(self.member(module, name, line) for module in loaded.star))
        if not value:
            value = self.submodule(loaded, name, line)
        if not value and name != "__getattr__" and (hook := self.cells.read(loaded.frame.cell("__getattr__"))):
            value = self.calls.call(hook, Args([lit(name)]), line)
        return value

    def submodule(self, loaded: Loaded, name: str, line: int) -> Value:
        """`package.module` where the package is a folder of the skill."""
        if not loaded.file.endswith("__init__.py"):
            return BOTTOM
        return (
            self.run.linker.imported(self.run, name, 1, loaded, line)
            if self.run.linker.exists(name, loaded)
            else BOTTOM
        )

    def plain_object_member(self, atom: Object, name: str, line: int) -> Value:  # noqa: C901  one case for each kind of value
        """A field, a method of the class, or a method of the collection."""
        heap = self.objects.heap(atom)
        javascript = self.run.language() == "js"
        out: Value = BOTTOM
        shared: Value = BOTTOM
        cell = heap.fields.get(name)
        if cell is None and heap.kind in {"instance", "dict", "parser"}:
            cell = self.objects.field(heap, name)
        if cell is not None:
            out = self.cells.read(cell)
        if name == "callee" and heap.kind == "list" and javascript:
            return self._callee_of(atom, line)
        if (
            name == "default_factory"
            and not javascript
            and (heap.kind == "dict" or self.class_members.builtin_base(heap.cls) == "dict")
        ):
            return out | ANY | self.kept.called_by("collections")
        if heap.is_instance():
            shared = self._from_class(atom, heap, name, line, bool(out))
            out = out | self.cells.read(heap.bag) | shared
        elif heap.kind == "parser":
            return out or self.python_options.parser_member(atom, name, line)
        elif heap.kind == "instance" and name == "__dict__":
            return frozenset({self.fields_as_dict(atom, heap)})
        elif heap.kind != "dict" or javascript or not out:
            out = out | self.collection_member(atom, heap, name, line)
        elif name in METHODS["python"]["dict"]:
            out = frozenset({Bound(Lib(f"{BUILTIN_MEMBER}dict.{name}"), atom)})
        if heap.proto is not None:
            shared = shared | self._inherited(atom, heap.proto, name, line)
            out = out | shared
        if heap.escaped:
            out = out | self.member_of(Anything(), name, line)
        if javascript and out and (not shared or MISSING in shared) and _may_be_without(heap, name):
            out = out | PERHAPS
        return self.class_members.with_getters(atom, out, line)

    def _callee_of(self, words: Object, line: int) -> Value:
        """`arguments.callee`: the function that was called with these words."""
        for (index, _), made in self.objects.made.items():
            frame = self.work.frames[index] if made == words and index >= 0 else None
            if frame is not None and frame.parent is not None:
                return frozenset({Closure(frame.loaded.first_function + frame.function.index, frame.parent.index)})
        return self.run.opaque("`callee` of a list is not known", line, "name the function")

    def _inherited(self, atom: Object, proto: Cell, name: str, line: int) -> Value:
        """What the prototypes of an object have, on the object itself."""
        out: Value = BOTTOM
        if (atom.index, name) in self.following:
            return out
        self.following.add((atom.index, name))
        for above in each(self.cells.read(proto)):
            defined = self.defined_accessors.get(above)
            if defined is not None:
                out = out | self.calls.call(
                    self.js_objects.with_this(self.cells.read(defined), frozenset({atom})), Args(), line
                )
            for found in each(self.member_of(above, name, line)) if not isinstance(above, Const) else ():
                own = isinstance(found, Bound) and isinstance(found.function, Closure) and found.receiver == above
                out = out | {Bound(found.function, atom) if own and isinstance(found, Bound) else found}
        self.following.discard((atom.index, name))
        return out

    def inherit(self, atom: Atom, value: Value, line: int) -> None:
        """JavaScript: an object gets a prototype."""
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            if heap.proto is None:
                heap.proto = Cell(heap)
                for cell in [*heap.fields.values(), heap.bag, heap.keys]:
                    self.work.look_again(cell.readers)
            self.cells.write(heap.proto, value)
        elif isinstance(atom, (Class, Closure, Anything)):
            self.leaks.leak(value)
        elif not isinstance(atom, (Const, Text, Num, Data)):
            self.leaks.leak(value)
            self.run.opaque("the prototype of a library object is replaced", line)

    def prototype_of(self, atom: Closure) -> Value:
        """What the objects that a function constructs inherit from."""
        atom = unsited(atom)
        cell = self.function_field(atom, "prototype")
        if (atom, " prototype") not in self.functions_fields:
            self.function_field(atom, " prototype")
            made = self.objects.new_object("dict", self.programs.functions[atom.function][1].line)
            self.objects.write(self.objects.heap(made), "constructor", frozenset({atom}))
            self.cells.write(cell, frozenset({made}))
        return self.cells.read(cell)

    def _from_class(self, atom: Object, heap: Heap, name: str, line: int, stored: bool) -> Value:  # noqa: FBT001
        shared = self.class_members.class_member(heap.cls, name)
        out: Value = BOTTOM.union(*(self.class_members.bind_member(found, atom, line, name) for found in each(shared)))
        asked = Args([frozenset({atom}), lit(name)])
        if name != "__getattribute__":
            hooks = self.class_members.class_member(heap.cls, "__getattribute__")
            out = out | self.calls.call(hooks, asked, line)
        if out or stored:
            return out
        if name == "__class__":
            return frozenset({Class(heap.cls)})
        if name == "constructor" and self.run.language() == "js":
            return frozenset({Class(heap.cls)})
        if name == "__dict__":
            return frozenset({self.fields_as_dict(atom, heap)})
        out = self.calls.call(self.class_members.class_member(heap.cls, "__getattr__"), asked, line)
        if out:
            return out
        inner = self.js_collections.inner_collection(atom)
        if inner is not None:
            return self.js_collections.inner_member(inner, name)
        kind = self.class_members.builtin_base(heap.cls)
        if kind is not None and name in METHODS["python"][kind]:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}{kind}.{name}"), atom)})
        for base in self.calls.library_bases(heap.cls):
            out = out | self.js_process.instance_member(Instance(base), name, line)
        return out

    def fields_as_dict(self, atom: Object, heap: Heap) -> Object:
        """The attributes of an object as a dictionary: the same cells, so that a change of one is a change of the other."""
        made = self.objects.kept_as((-9, atom.index), "dict", heap.line)
        view = self.objects.heap(made)
        view.fields, view.bag, view.keys = heap.fields, heap.bag, heap.keys
        return made

    def collection_member(self, atom: Object, heap: Heap, name: str, line: int) -> Value:  # noqa: PLR0911  one case for each kind of value
        """A method of a list, dict, set, tuple or iterator."""
        language = self.run.language()
        if heap.given and name not in READING:
            self.stores.lose_order(heap)
        kind = heap.kind if heap.kind != "instance" else "dict"
        if language == "js":
            if name == "length":
                return SOME_NUM
            if name in METHODS["js"].get("promise", ()):
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}promise.{name}"), atom)})
            if kind == "partial" and name in BORROWS:
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
                self.cells.read(named)
                if named is not None
                else frozenset({Data(UNKNOWN)})
                if name.startswith("__")
                else BOTTOM
            )
        return self.elements.rest(heap, [name] if language == "js" else None, line) if kind == "dict" else BOTTOM

    def text_member(self, atom: Text, name: str) -> Value:
        """A method of a string."""
        if self.run.language() == "js":
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
        if self.run.language() == "js" and name in {"call", "apply", "bind"}:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
        if self.run.language() == "js" and name == "prototype":
            return self.prototype_of(atom)
        if name in {"__name__", "__doc__", "__qualname__", "__module__", "name"}:
            return SOME_TEXT
        if name == "length":
            return SOME_NUM
        if name == "__call__" or (name in _OF_PROPERTIES and self.run.language() == "python"):
            return frozenset({atom})
        if name == "register" and (unsited(atom), REGISTERED) in self.functions_fields:
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
        if name in _CALLERS and self.run.language() == "js":
            self.js_process.leak_atom(atom)
            return self.run.opaque(
                f"`{name}` of a function is the function that called it", line, "pass the function on"
            )
        found = self.cells.read(self.function_field(atom, name)) | self.cells.read(self.function_field(atom, COMPUTED))
        return or_missing(found) if self.run.language() == "js" else found

    def dispatch(self, functions: Value) -> Value:
        """Python: functions that others are registered with, one of which is called instead."""
        for atom in functions:
            if isinstance(atom, Closure):
                self.function_field(atom, REGISTERED)
        return functions

    def register(self, atom: Atom, args: Args) -> Value:
        """`f.register(function)`, or `f.register(type)(function)`."""
        functions = frozenset(item for value in args.everything() for item in value if isinstance(item, Closure))
        for value in args.everything():
            self.leaks.leak(value)
        if isinstance(atom, Closure):
            self.cells.write(self.function_field(atom, REGISTERED), functions)
        return functions or frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.register"), atom)})

    def registered(self, callee: Value) -> Value:
        """Python: the functions that were registered with those that are called."""
        out: Value = BOTTOM
        for atom in callee:
            function = atom.function if isinstance(atom, Bound) else atom
            if isinstance(function, Closure) and (unsited(function), REGISTERED) in self.functions_fields:
                found = self.cells.look(self.function_field(function, REGISTERED))
                out = out | (
                    frozenset(Bound(item, atom.receiver) for item in found if isinstance(item, Closure))
                    if isinstance(atom, Bound)
                    else found
                )
        return out

    def function_field(self, atom: Closure, name: str) -> Cell:
        """Functions are objects too: their own attributes."""
        atom = unsited(atom)
        found = self.functions_fields.get((atom, name))
        if found is None:
            found = self.functions_fields[atom, name] = Cell(self.function_parts)
        return found


def _may_be_without(heap: Heap, name: str) -> bool:
    """Whether reading a member of a JavaScript object may give undefined, if nothing but the object itself has it."""
    return heap.kind in _KEYED and may_lack(heap, name) and name not in _ON_EVERY_OBJECT


# What `list[x]` and `x | y` hold of what they were made from.
_OF_ALIASES = frozenset({"__args__", "__metadata__", "__constraints__", "__bound__", "__supertype__", "__value__"})
_CALLERS = frozenset({"caller", "arguments"})
_OF_PROPERTIES = frozenset({"fget", "fset", "fdel", "func"})  # a property is the function that it calls
_FUNCTIONS = frozenset({Closure, Bound, Class})
_PROMISE = METHODS["js"]["promise"]
_ON_EVERY_OBJECT = frozenset(METHODS["js"].get("dict", ()))
_STRING_PREFIXES = tuple("@@ __ read write utf8 latin1 base64 hex ascii ucs2".split())  # of symbols and of buffers
_KEYED = frozenset({"dict", "instance"})
_ITERABLE = frozenset({"list", "tuple", "set", "map", "iter"})


BUILTIN_TYPES = frozenset(
    f"builtins.{name}"
    for name in "dict list set frozenset tuple str bytes bytearray int float complex bool object type range memoryview".split()
)
_ENTERING = frozenset({"__enter__", "__exit__", "__aenter__", "__aexit__"})
_OF_FUTURES = frozenset(
    {"result", "done", "cancel", "cancelled", "exception", "add_done_callback", "set_name", "get_name"}
)
BORROWS = frozenset({"call", "apply", "bind"})


class LibraryMembers(EnginePart):
    """What the summaries say that is inside a library's value."""

    js_intrinsics: engine.JavaScriptIntrinsics

    def library_member(self, atom: Lib, name: str, line: int) -> Value:  # noqa: C901, PLR0911, PLR0912  one case for each kind of value
        """A member of a summarised module or class, or of the constant that a name stands for."""
        library = self.run.library()
        section = library.section(atom.name)
        if section is None:
            constant = self.constant(atom, line)
            if constant is not None:
                return self.members.member(constant, name, line)
            if name in {"__name__", "__doc__", "__qualname__", "__module__"}:
                return SOME_TEXT
            if name == "__call__":
                return frozenset({atom})
            if name in _OF_FUTURES and self.run.language() == "python":
                return BOTTOM  # a task is what it will give, or a task: of a function it can only be the other
            if atom.name in BUILTIN_TYPES:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}unbound.{name}"), atom)})
            if self.run.language() == "js" and name in {"call", "apply", "bind"}:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
            if self.run.language() == "js" and name in {"name", "length", "__esModule"}:
                return frozenset({Data(UNKNOWN)})
            return self.run.opaque(f"`{atom.name}.{name}` is not understood", line)
        found = library.member(atom.name, name)
        if found is None and name in {"__name__", "__doc__", "__file__", "__version__", "__qualname__", "__module__"}:
            return SOME_TEXT
        if self.run.language() == "js" and found is None:
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
                return self.js_intrinsics.js_global(name, line)
        if found is None and not section.is_class and "default" in section.entries and name != "default":
            whole = library.member(atom.name, "default")
            if isinstance(whole, Entry) and whole.result is not None and whole.params is None:
                return self.members.member(
                    self.summaries.evaluate_entry(f"{atom.name}.default", whole, None, line), name, line
                )
        return self.as_value(f"{atom.name}.{name}", found, line)

    def as_value(self, name: str, found: Entry | Section | None, line: int) -> Value:
        """What a reference to a library member evaluates to."""
        if found is None:
            return self.run.opaque(
                f"`{name}` has no summary", line, f"describe `{name}` in a summary file (remit summaries --help)"
            )
        if isinstance(found, Section):
            return frozenset({Lib(found.name)})
        if found.params is None and not found.pure:
            return self.summaries.evaluate_entry(name, found, None, line)
        return frozenset({Lib(name)})

    def constant(self, atom: Lib, line: int) -> Value | None:
        """The value of a name that `pure` lists without saying whether it is a function."""
        owner, _, name = atom.name.rpartition(".")
        found = self.run.library().member(owner, name) if owner else None
        if isinstance(found, Entry) and found.params is None:
            return (self.summaries.evaluate_entry(atom.name, found, None, line) - {atom}) or None
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
        found = self.run.library().member(owner, name)
        if isinstance(found, Entry) and found.params is None and found.result is not None and found.result.op != "any":
            return self.summaries.evaluate_entry(atom.function.name, found, atom.receiver, line)
        return None

    def chosen(self, atom: Atom, line: int) -> Value:
        """A member that a computed name chose is used for more than its value: nobody knows what happens."""
        name = atom.name if isinstance(atom, Lib) else atom.cls if isinstance(atom, Instance) else "a function"
        return self.run.opaque(f"a member of `{name}` is chosen by a computed name", line, "use the member by its name")

    def listed_member(self, atom: Instance, name: str, line: int) -> Value:
        """A member of an instance of a summarised class; in Python one of any name that the skill gave such an instance."""
        found = self.run.library().member(atom.cls, name)
        explicit = isinstance(found, Entry) and found.name == name
        if explicit or self.run.language() != "python":
            return self._summarised(atom, name, found, line)
        added = self.cells.read(self.members.instance_fields.setdefault(("", name), Cell(self.members.function_parts)))
        return added | self._summarised(atom, name, found, line)

    def _summarised(self, atom: Instance, name: str, found: Entry | Section | None, line: int) -> Value:
        if self.run.language() == "python" and not (isinstance(found, Entry) and found.name == name):
            if name in self.programs.stored_names and not (isinstance(found, Entry) and found.pure):
                return ANY  # set by the skill; what it set has leaked
            if name in _ENTERING:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}manager.{name}"), atom)})
        if isinstance(found, Entry):
            if found.params is None and not found.pure:
                return self.summaries.evaluate_entry(f"{atom.cls}.{name}", found, atom, line)
            return frozenset({Bound(Lib(f"{atom.cls}.{name}"), atom)})
        if isinstance(found, Section):
            return frozenset({Lib(found.name)})
        if name.startswith("__") and name.endswith("__"):
            return frozenset({Data(UNKNOWN)})
        if name in BORROWS and self.run.language() == "js" and self._is_callable(atom):
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
        return self.run.opaque(
            f"`{atom.cls}.{name}` has no summary", line, f"describe `{atom.cls}.{name}` in a summary file"
        )

    def _is_callable(self, atom: Instance) -> bool:
        return self.run.library().listed(atom.cls, "__call__") is not None
